"""Do key and response have the same sentences? For formats that number or name them."""

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from corefkit.data.arrays import IntArray
from corefkit.data.corpus import Corpus
from corefkit.data.incidents import Incident, Severity, make_incident
from corefkit.data.options import Options
from corefkit.data.source import Source
from corefkit.data.texts import quote, shorten

if TYPE_CHECKING:
    from corefkit.data.sentences import Sentences

_Files: TypeAlias = "list[tuple[Source, Sentences]]"


class _Document(NamedTuple):
    """The sentences of one document: their file, all sentences of it, the first and how many."""

    source: Source
    sentences: "Sentences"
    first: int
    number: int

    @property
    def lengths(self) -> IntArray:
        """How many tokens each sentence has."""
        return np.diff(self.sentences.first[self.first : self.first + self.number + 1])

    def name(self, at: int) -> str:
        """The name of a sentence of the document, counted from 0."""
        return self.sentences.names.text(self.first + at)

    def line(self, at: int) -> int:
        """The line on which it begins."""
        return int(self.sentences.line[self.first + at])

    def tokens(self, at: int) -> range:
        """Its tokens, by their numbers in the file."""
        return range(*self.sentences.first[self.first + at : self.first + at + 2].tolist())


def compare_sentences(key: Corpus, response: Corpus, options: Options) -> list[Incident] | None:
    """What is different about the sentences of documents that both have.

    None where one of the formats does not tell sentences, so that they need not be the same.
    """
    sides = [_of_files(corpus) for corpus in (key, response)]
    if not all(sides) or (key.names == response.names and _same(*sides)):
        return [] if all(sides) else None
    ours, theirs = (_by_document(c, s) for c, s in zip((key, response), sides, strict=True))
    names: Severity = "error" if options.words == "error" else "warning"
    found: list[Incident] = []
    for name, own in theirs.items():
        if name in ours:
            found += _sentence_incidents(name, ours[name], own, names)
    return found


def _of_files(corpus: Corpus) -> _Files:
    """The sentences of each file; nothing where one does not tell."""
    found = []
    for source in corpus.sources:
        listed = source.format.sentence_list(source)
        if listed is None:
            return []
        found.append((source, listed))
    return found


def _same(key: _Files, response: _Files) -> bool:
    """Whether all sentences are the same, which is the rule."""
    return len(key) == len(response) and all(
        np.array_equal(a.first, b.first)
        and np.array_equal(a.document, b.document)
        and a.names.same(b.names)
        for (_, a), (_, b) in zip(key, response, strict=True)
    )


def _by_document(corpus: Corpus, files: _Files) -> dict[str, _Document]:
    found: dict[str, _Document] = {}
    for source, sentences in files:
        bounds = np.searchsorted(sentences.document, np.arange(source.documents + 1)).tolist()
        for number, (first, end) in enumerate(pairwise(bounds), source.first_document):
            found[corpus.names[number]] = _Document(source, sentences, first, end - first)
    return found


def _sentence_incidents(
    document: str, key: _Document, response: _Document, names: Severity
) -> Iterator[Incident]:
    if key.number != response.number:
        yield _other_number(document, key, response)
        return
    for at in np.flatnonzero(key.lengths != response.lengths)[:1].tolist():
        yield _other_length(document, key, response, at)
    for at in range(key.number):
        one, other = key.name(at).strip(), response.name(at).strip()
        if one != other:
            yield make_incident(
                "sentence-differs",
                severity=names,
                file=response.source.path,
                line=response.line(at),
                document=document,
                found=shorten(other) or "no sent_id",
                expected=shorten(one) or "no sent_id",
            )


def _other_number(document: str, key: _Document, response: _Document) -> Incident:
    """Another number of sentences, and from where on their names differ."""
    extra, common = response.number > key.number, min(key.number, response.number)
    found = f"the same names in the first {common:,}"
    for at in range(common):
        if key.name(at) != response.name(at):
            name = shorten(response.name(at).strip())
            found = f"{name} as sentence {at + 1:,}, on line {response.line(at):,}"
            break
    return make_incident(
        "sentences-extra" if extra else "sentences-missing",
        key=key.number,
        response=response.number,
        file=response.source.path,
        line=response.line(key.number) if extra else None,
        document=document,
        found=found,
        expected="the sentences of the key",
    )


def _other_length(document: str, key: _Document, response: _Document, at: int) -> Incident:
    """Sentences of different length: the first word that is another, or that only one has."""
    left, right = (
        [side.sentences.words.text(token) for token in side.tokens(at)] for side in (key, response)
    )
    pairs = zip(left, right, strict=False)
    place = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(left), len(right)))
    show = [quote(side[place]) if place < len(side) else "none" for side in (left, right)]
    token = response.tokens(at)[0] + min(place, len(right) - 1)
    return make_incident(
        "length-differs",
        "sentence",
        key=len(left),
        response=len(right),
        file=response.source.path,
        line=int(response.sentences.token_line[token]),
        document=document,
        found=f"word {place + 1:,}: {show[1]}",
        expected=f"word {place + 1:,}: {show[0]}",
    )
