"""Do key and response have the same sentences? For formats that number or name them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corefkit.data.corpus import Corpus
from corefkit.data.incidents import Incident, Severity, make_incident
from corefkit.data.options import Options
from corefkit.data.source import Source
from corefkit.data.texts import quote, shorten

if TYPE_CHECKING:
    from corefkit.data.sentences import Sentences

_Files: TypeAlias = "list[tuple[Source, Sentences]]"

Own: TypeAlias = "tuple[Source, Sentences, int, int]"
"""A file, its sentences, and from which to which those of one document are."""


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


def _by_document(corpus: Corpus, files: _Files) -> dict[str, Own]:
    found: dict[str, Own] = {}
    for source, sentences in files:
        bounds = np.searchsorted(sentences.document, np.arange(source.documents + 1)).tolist()
        for number in range(source.documents):
            name = corpus.names[source.first_document + number]
            found[name] = source, sentences, bounds[number], bounds[number + 1]
    return found


def _sentence_incidents(
    document: str, key: Own, response: Own, names: Severity
) -> Iterator[Incident]:
    _, ours, first, last = key
    source, theirs, begin, end = response
    if last - first != end - begin:
        yield _other_number(document, key, response)
        return
    lengths = np.diff(ours.first)[first:last] != np.diff(theirs.first)[begin:end]
    for at in np.flatnonzero(lengths)[:1].tolist():
        yield _other_length(document, key, response, at)
    for at in range(end - begin):
        one, other = ours.names.text(first + at).strip(), theirs.names.text(begin + at).strip()
        if one != other:
            yield make_incident(
                "sentence-differs",
                severity=names,
                file=source.path,
                line=int(theirs.line[begin + at]),
                document=document,
                found=shorten(other) or "no sent_id",
                expected=shorten(one) or "no sent_id",
            )


def _other_number(document: str, key: Own, response: Own) -> Incident:
    _, _, first, last = key
    source, theirs, begin, end = response
    expected, found = last - first, end - begin
    extra = found > expected
    return make_incident(
        "sentences-extra" if extra else "sentences-missing",
        key=expected,
        response=found,
        file=source.path,
        line=int(theirs.line[begin + expected]) if extra else None,
        document=document,
        found=_parting(key, response),
        expected="the sentences of the key",
    )


def _parting(key: Own, response: Own) -> str:
    """From where on the names of sentences differ."""
    _, ours, first, last = key
    _, theirs, begin, end = response
    for at in range(min(last - first, end - begin)):
        if ours.names.text(first + at) != theirs.names.text(begin + at):
            name = shorten(theirs.names.text(begin + at).strip())
            return f"{name} as sentence {at + 1:,}, on line {int(theirs.line[begin + at]):,}"
    return f"the same names in the first {min(last - first, end - begin):,}"


def _other_length(document: str, key: Own, response: Own, at: int) -> Incident:
    """Sentences of different length: the first word that is another, or that only one has."""
    _, ours, first, _ = key
    source, theirs, begin, _ = response
    one, two = (int(x) for x in ours.first[first + at : first + at + 2])
    three, four = (int(x) for x in theirs.first[begin + at : begin + at + 2])
    left = [ours.words.text(i) for i in range(one, two)]
    right = [theirs.words.text(i) for i in range(three, four)]
    pairs = zip(left, right, strict=False)
    place = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(left), len(right)))
    show = [quote(side[place]) if place < len(side) else "none" for side in (left, right)]
    return make_incident(
        "length-differs",
        "sentence",
        key=len(left),
        response=len(right),
        file=source.path,
        line=int(theirs.token_line[three + min(place, len(right) - 1)]),
        document=document,
        found=f"word {place + 1:,}: {show[1]}",
        expected=f"word {place + 1:,}: {show[0]}",
    )
