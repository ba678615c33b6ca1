"""Checks of two sides: can this response be compared with this key?

Readers check their own files; these checks need two corpora: their documents, sentences, lengths
and words. Options decide whether some incidents are errors. Sentences are compared for formats that
number or name them; words only on request, because scores do not need them.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import compress, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from corefkit.core.arrays import IntArray, starts_of_runs, stretches, tuples
from corefkit.core.columns import MASKS, Column, join_columns
from corefkit.core.corpus import Corpus
from corefkit.core.counts import Counts
from corefkit.core.incidents import Collector, DataError, Incident, Place, Severity, make_incident
from corefkit.core.options import Options
from corefkit.core.source import Source
from corefkit.core.texts import count_of, quote, shorten
from corefkit.core.tokens import find_words, read_columns
from corefkit.scorers.documents import in_both

if TYPE_CHECKING:
    from corefkit.core.text_pieces import Sentences

_Files: TypeAlias = "list[tuple[Source, Sentences]]"


class _DocumentSentences(NamedTuple):
    """The sentences of a document: its file, all sentences there, its first, and their number."""

    source: Source
    sentences: "Sentences"
    first: int
    number: int

    @property
    def lengths(self) -> IntArray:
        """int64 (sentences,): the number of tokens of each sentence."""
        return np.diff(self.sentences.first[self.first : self.first + self.number + 1])

    def name(self, at: int) -> str:
        """The name of a sentence of the document, counted from 0."""
        return self.sentences.names.text(self.first + at)

    def line(self, at: int) -> int:
        """The line on which a sentence begins."""
        return int(self.sentences.line[self.first + at])

    def tokens(self, at: int) -> range:
        """The tokens of a sentence, by their numbers in the file."""
        return range(*self.sentences.first[self.first + at : self.first + at + 2].tolist())


def compare_sentences(key: Corpus, response: Corpus, options: Options) -> list[Incident] | None:
    """Incidents about differing sentences in common documents.

    None if one of the formats does not number sentences, so that they need not be the same.
    """
    sides = [_of_files(corpus) for corpus in (key, response)]
    if not all(sides) or (key.names == response.names and _same(*sides)):
        return [] if all(sides) else None
    key_documents, response_documents = (
        _by_document(c, s) for c, s in zip((key, response), sides, strict=True)
    )
    names: Severity = "error" if options.refuses("words") else "warning"
    incidents: list[Incident] = []
    for name, sentences in response_documents.items():
        if name in key_documents:
            incidents += _sentence_incidents(name, key_documents[name], sentences, names)
    return incidents


def _of_files(corpus: Corpus) -> _Files:
    """The sentences of each file; [] if the format of one does not number them."""
    files = []
    for source in corpus.sources:
        listed = source.sentence_list()
        if listed is None:
            return []
        files.append((source, listed))
    return files


def _same(key: _Files, response: _Files) -> bool:
    """Whether all sentences are the same, which is the usual case."""
    return len(key) == len(response) and all(
        np.array_equal(a.first, b.first)
        and np.array_equal(a.document, b.document)
        and a.names.same(b.names)
        for (_, a), (_, b) in zip(key, response, strict=True)
    )


def _by_document(corpus: Corpus, files: _Files) -> dict[str, _DocumentSentences]:
    """The sentences of each document, by its name."""
    documents: dict[str, _DocumentSentences] = {}
    for source, sentences in files:
        bounds = np.searchsorted(sentences.document, np.arange(source.documents + 1)).tolist()
        for number, (first, end) in enumerate(pairwise(bounds), source.first_document):
            documents[corpus.names[number]] = _DocumentSentences(
                source, sentences, first, end - first
            )
    return documents


def _sentence_incidents(
    document: str, key: _DocumentSentences, response: _DocumentSentences, names: Severity
) -> Iterator[Incident]:
    if key.number != response.number:
        yield _other_number(document, key, response)
        return
    for at in np.flatnonzero(key.lengths != response.lengths)[:1].tolist():
        yield _other_length(document, key, response, at)
    for at in range(key.number):
        expected, found = key.name(at).strip(), response.name(at).strip()
        if expected != found:
            yield make_incident(
                "sentence-differs",
                severity=names,
                file=response.source.path,
                at=response.line(at),
                document=document,
                found=shorten(found) or "no sent_id",
                expected=shorten(expected) or "no sent_id",
            )


def _other_number(document: str, key: _DocumentSentences, response: _DocumentSentences) -> Incident:
    """The incident for different numbers of sentences, with the first name that differs."""
    extra, common = response.number > key.number, min(key.number, response.number)
    difference = f"the same names in the first {common:,}"
    for at in range(common):
        if key.name(at) != response.name(at):
            name = shorten(response.name(at).strip())
            difference = f"{name} as sentence {at + 1:,}, on line {response.line(at):,}"
            break
    return make_incident(
        "sentences-extra" if extra else "sentences-missing",
        key=key.number,
        response=response.number,
        file=response.source.path,
        at=response.line(key.number) if extra else None,
        document=document,
        found=difference,
        expected="the sentences of the key",
    )


def _other_length(
    document: str, key: _DocumentSentences, response: _DocumentSentences, at: int
) -> Incident:
    """The incident for sentences of different lengths, with the first word that differs."""
    left, right = (
        [side.sentences.words.text(token) for token in side.tokens(at)] for side in (key, response)
    )
    pairs = zip(left, right, strict=False)
    word = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(left), len(right)))
    shown = [quote(side[word]) if word < len(side) else "none" for side in (left, right)]
    token = response.tokens(at)[0] + min(word, len(right) - 1)
    return make_incident(
        "length-differs",
        "sentence",
        key=len(left),
        response=len(right),
        file=response.source.path,
        at=int(response.sentences.token_line[token]),
        document=document,
        found=f"word {word + 1:,}: {shown[1]}",
        expected=f"word {word + 1:,}: {shown[0]}",
    )


def check_documents(key: Corpus, response: Corpus, options: Options) -> list[Incident]:
    """Incidents about missing and extra documents, and about differing sentences and lengths."""
    collector = Collector(response.path)
    _note_documents(collector, key, response, options)
    if options.lengths == "error":
        sentences = compare_sentences(key, response, options)
        for incident in sentences or ():
            collector.add(incident)
        if sentences is None:
            both = np.array(in_both(key, response), dtype=np.int64).reshape(-1, 2)
            key_tokens, response_tokens = key.tokens[both[:, 0]], response.tokens[both[:, 1]]
            unlike = both[
                (key_tokens >= 0) & (response_tokens >= 0) & (key_tokens != response_tokens)
            ].tolist()
            for document, partner in collector.listed("length-differs", unlike):
                collector.add(departure(key, response, document, partner))
    return list(collector)


def _note_documents(collector: Collector, key: Corpus, response: Corpus, options: Options) -> None:
    """Note the documents that only one side has.

    It is an error if there is no common document; or a warning if lengths are ignored, and then
    every score is 0.
    """
    if key.names == response.names != ():  # the usual case
        return
    key_names, response_names = set(key.names), set(response.names)
    if not key_names & response_names:
        collector.note(
            "no-common-document",
            "single" if len(key_names) == len(response_names) == 1 else "",
            severity="warning" if options.lengths == "ignore" else "error",
            found=f"e.g. {quote(response.names[0])}" if response.names else "no document",
            expected="the documents of the key, under their names there",
        )
    refused: dict[str, Any] = {"variant": "refused", "severity": "error"}
    variant = refused if options.refuses("missing") else {}
    expected = "every document of the key; names must match in full, parts included"
    whole = _missing_files(key, response_names) if key_names & response_names else {}
    for number, name in enumerate(key.names):
        if name not in response_names:
            file = whole.get(number)
            found = f"no document of {file}" if file else None
            collector.note(
                "document-missing", **variant, document=name, found=found, expected=expected
            )
    variant = refused if options.refuses("extra") else {}
    expected = "only documents of the key; names must match in full, parts included"
    for number, name in enumerate(response.names):
        if name not in key_names:
            place = partial(response.document_place, number)
            collector.note("document-extra", at=place, **variant, expected=expected)


def _missing_files(key: Corpus, names: Collection[str]) -> dict[int, str]:
    """Document → file, for files of the key of which the response has no document."""
    missing: dict[int, str] = {}
    for source in key.sources if len(key.sources) > 1 else ():
        documents = range(source.first_document, source.first_document + source.documents)
        if documents and not any(key.names[document] in names for document in documents):
            missing |= dict.fromkeys(documents, source.path.rpartition("/")[2])
    return missing


def with_path(incidents: Iterable[Incident], corpus: Corpus, path: str) -> tuple[Incident, ...]:
    """The incidents of a corpus; if it has several files, those without a file get its path."""
    if len(corpus.sources) < 2:
        return tuple(incidents)
    return tuple(i if i.file is not None else replace(i, file=path) for i in incidents)


def departure(key: Corpus, response: Corpus, key_document: int, response_document: int) -> Incident:
    """The incident for documents of different lengths, with the first token that differs."""
    expected, found = int(key.tokens[key_document]), int(response.tokens[response_document])
    left, right = _tokens(key, key_document), _tokens(response, response_document)
    at = _first_difference(left, right)
    place = response.document_place(response_document)
    if right:
        line = right[min(at, len(right) - 1)].line
        place = replace(place, line=line or place.line, column=None)
    where = key.document_place(key_document).file or "the key"
    if at < len(left) and left[at].line:
        where = f"{where}, line {left[at].line:,}"
    return make_incident(
        "length-differs",
        key=expected,
        response=found,
        at=place,
        found=f"token {at + 1:,}: {_show(right, at)}",
        expected=f"token {at + 1:,}: {_show(left, at)} ({where})",
    )


def check_spans(key: Corpus, response: Corpus, options: Options) -> Iterator[Incident]:
    """An incident for the first span beyond the end of the key's document.

    This can happen only in a Corpus made in Python, and in files that list spans but no tokens.
    """
    listed = len(response.byte) == response.mentions and bool((response.tokens < 0).all())
    if not key.sources or (response.sources and not listed) or options.lengths == "ignore":
        return
    number = {name: i for i, name in enumerate(key.names)}
    tokens = [int(key.tokens[number[n]]) if n in number else -1 for n in response.names]
    limit = np.array(tokens, dtype=np.int64)[response.document]
    for row in np.flatnonzero((response.end >= limit) & (limit >= 0))[:1].tolist():
        yield make_incident(
            "span-outside",
            at=partial(response.mention_place, row),
            found=f"tokens {int(response.start[row])} to {int(response.end[row])}, counted from 0",
            expected=f"{int(limit[row]):,} tokens, as in the key",
        )


def check_identifiers(key: Corpus, response: Corpus) -> Iterator[Incident]:
    """An incident if mentions are numbers on one side and texts on the other, and cannot match."""
    if (key.tokens >= 0).any() or (response.tokens >= 0).any():
        return
    kinds = _kind_of_mentions(key), _kind_of_mentions(response)
    if {*kinds} == {"numbers", "texts"}:
        yield make_incident(
            "column-missing",
            "unlike",
            file=response.path,
            key=kinds[0],
            response=kinds[1],
            expected="start and end on both sides, or values of the same type",
        )


_NUMBER = re.compile(r"-[0-9]+|[0-9]{19,}|-?[0-9]+/[0-9]+")
"""An identifier that is a number; from 0 to 2^62, whole numbers are tokens."""


def _kind_of_mentions(corpus: Corpus) -> str:
    """ "numbers" if all mentions are tokens or numbers, "texts" if all are texts, else ""."""
    if corpus.identifiers is None:
        return "numbers" if corpus.mentions else ""
    names = [corpus.identifiers.values[code] for code in {*corpus.identifiers.code.tolist()}]
    kinds = {"texts" if name and not _NUMBER.fullmatch(name) else "numbers" for name in names}
    return kinds.pop() if len(kinds) == 1 else ""


def check_matches(
    counts: Counts, path: str | None = None, *, listed: bool = False
) -> list[Incident]:
    """An incident if key and response have mentions, but none of them matches.

    If they are `listed`, also if the response has no mention, which the reader of a file says.
    """
    matched, of_key, _, of_response = counts.total("mentions")
    if listed and of_key and not of_response:
        return [make_incident("no-mention", "listed", number=int(of_key))]
    if matched or not of_key or not of_response:
        return []
    return [
        make_incident(
            "mentions-unmatched",
            file=path,
            found=f"{count_of(int(of_response), 'mention')}, none of which matches",
            expected=f"some of the {count_of(int(of_key), 'mention')} of the key",
        )
    ]


class _TextToken(NamedTuple):
    """A token of a document; an unknown word is None, an unknown line 0."""

    word: str | None
    begins_sentence: bool
    line: int


def _tokens(corpus: Corpus, document: int) -> list[_TextToken]:
    """The tokens of a document; [] if it has no file."""
    source = corpus.source(document)
    if source is None:
        return []
    first, size = int(corpus.first_token[document]), int(corpus.tokens[document])
    first -= int(corpus.first_token[source.first_document])
    stretch = slice(first, first + size)
    words: list[str | None] = [None] * size
    with suppress(DataError):
        (column,) = source.columns("word")
        words = [column.values[code] for code in column.code[stretch].tolist()]
    begins, lines = [False] * size, [0] * size
    if (sentences := source.sentences()) is not None:
        begins = (np.diff(sentences[stretch], prepend=-1) != 0).tolist()
    if (numbers := source.token_lines()) is not None:
        lines = numbers[stretch].tolist()
    shown = (None if word in MASKS else word for word in words)
    return list(map(_TextToken, shown, begins, lines))


def _first_difference(left: list[_TextToken], right: list[_TextToken]) -> int:
    """The first token whose words differ or, without words, whose sentence boundaries differ; or
    the end of the shorter list.
    """
    pairs = list(zip(left, right, strict=False))
    differ = [None not in (a.word, b.word) and a.word != b.word for a, b in pairs]
    if all(None in (a.word, b.word) for a, b in pairs):
        differ = [a.begins_sentence != b.begins_sentence for a, b in pairs]
    return differ.index(True) if True in differ else len(differ)


def _show(tokens: list[_TextToken], at: int) -> str:
    if at >= len(tokens):
        return "the document is over"
    word, begins, _ = tokens[at]
    shown = "a token" if word is None else quote(word)
    return f"{shown}, which begins a sentence" if begins else shown


_NO_WORD = ""
"""The word of a token whose line has none."""
_NO_WORDS = MASKS | {_NO_WORD}
"""Words that are equal to any word."""


def compare_words(key: Corpus, response: Corpus, severity: Severity = "warning") -> list[Incident]:
    """One incident for each document with the same number of tokens but different words.

    It shows the first difference. Masked words are equal to any word; lines with fewer than five
    columns have no word.
    """
    collector = Collector()
    for document, differ, expected, found in _differing_words(key, response):
        at = int(differ[0])
        collector.note(
            "words-differ",
            severity=severity,
            number=len(differ),
            at=partial(_word_place, response, document, at),
            document=response.names[document],
            found=f"token {at + 1:,}: {quote(found)}",
            expected=f"token {at + 1:,}: {quote(expected)}",
        )
    return list(collector)


def count_differing_words(key: Corpus, response: Corpus) -> int:
    """The number of tokens with different words, in documents with the same number of tokens."""
    return sum(len(differ) for _, differ, _, _ in _differing_words(key, response))


def _differing_words(key: Corpus, response: Corpus) -> Iterator[tuple[int, IntArray, str, str]]:
    """The response documents with different words.

    Yields the document, the tokens that differ (from 0 in the document), and the first two words
    that do, that of the key first.
    """
    same = [(a, b) for a, b in in_both(key, response) if key.tokens[a] == response.tokens[b] > 0]
    if not same:  # e.g. tables of mentions, which have no tokens
        return
    key_documents, response_documents = np.array(same, dtype=np.int64).reshape(-1, 2).T
    end = np.cumsum(key.tokens[key_documents])
    differ, texts = _differing_tokens(key, key_documents, response, response_documents)
    document = np.searchsorted(end, differ, side="right")
    starts = starts_of_runs(document).tolist()
    for first, stop in pairwise([*starts, len(differ)]):
        number = int(document[first])
        before = int(end[number] - key.tokens[key_documents[number]])
        yield int(response_documents[number]), differ[first:stop] - before, *texts[first]


def _differing_tokens(
    key: Corpus, key_documents: IntArray, response: Corpus, response_documents: IntArray
) -> tuple[IntArray, list[tuple[str, str]]]:
    """The tokens with different words, numbered across these pairs of documents, and both words.

    If both formats can locate the words, their bytes are compared, and only words that differ are
    decoded.
    """
    left, right = find_words(key), find_words(response)
    if left is None or right is None:
        both = join_columns([_words(key), _words(response)])
        equal_to_any = np.array([value in _NO_WORDS for value in both.values], dtype=bool)
        left_code, right_code = np.split(both.code, [key.tokens_in_all])
        left_code = left_code[_tokens_of(key, key_documents)]
        right_code = right_code[_tokens_of(response, response_documents)]
        differ = np.flatnonzero(
            (left_code != right_code) & ~(equal_to_any[left_code] | equal_to_any[right_code])
        )
        codes = tuples(left_code[differ], right_code[differ])
        return differ, [(both.values[a], both.values[b]) for a, b in codes]
    sides = ((key, key_documents, left), (response, response_documents, right))
    left, right = (words.take(_tokens_of(corpus, chosen)) for corpus, chosen, words in sides)
    differ = left.differing(right)
    texts = list(zip(left.texts_of(differ), right.texts_of(differ), strict=True))
    # Different bytes may decode to the same text if they are not UTF-8.
    unlike = [one != other and _NO_WORDS.isdisjoint((one, other)) for one, other in texts]
    return differ[np.array(unlike, dtype=bool)], [*compress(texts, unlike)]


def _tokens_of(corpus: Corpus, documents: IntArray) -> IntArray | slice:
    """The numbers of the tokens of these documents; a slice if these are all documents."""
    if np.array_equal(documents, np.arange(len(corpus.names))):
        return slice(corpus.tokens_in_all)
    return stretches(corpus.first_token[documents], corpus.tokens[documents])


def _words(corpus: Corpus) -> Column:
    """The words of all tokens; _NO_WORD for those of a file that lacks the column."""
    columns = []
    for source in corpus.sources:
        try:
            columns += read_columns(replace(corpus, sources=(source,)), "word")
        except DataError:
            end = source.first_document + source.documents
            tokens = int(corpus.tokens[source.first_document : end].clip(0).sum())
            columns.append(Column(np.zeros(tokens, dtype=np.int64), (_NO_WORD,)))
    if not columns:
        return Column(np.zeros(corpus.tokens_in_all, dtype=np.int64), (_NO_WORD,))
    return join_columns(columns)


def _word_place(corpus: Corpus, document: int, at: int) -> Place:
    """The place of a token of a document; without a line if the format does not know it."""
    source = corpus.source(document)
    if source is None:
        return Place()
    numbers = source.token_lines()
    if numbers is None:
        return Place(file=source.path)
    before = int(corpus.tokens[source.first_document : document].sum())
    return Place(file=source.path, line=int(numbers[before + at]))


def check_labels(sides: Mapping[str, Corpus], names: Sequence[str]) -> Iterator[Incident]:
    """One incident for each label that a side lacks and that is to be compared; `sides` by path."""
    from corefkit.matching.labels import label_names, unlabelled

    for path, corpus in sides.items():
        for name in unlabelled(corpus, names):
            known = f"the labels {', '.join(label_names(corpus)) or 'none'}"
            yield make_incident("label-missing", name=name, file=path, found=known)
