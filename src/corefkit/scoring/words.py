"""Do key and response have the same words? Asked only on request, because scores need none."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from corefkit.data.columns import MASKS, Column, join_columns, read_columns
from corefkit.data.corpus import Corpus
from corefkit.data.incidents import Collector, DataError, Incident, Severity, make_incident
from corefkit.data.source import Place
from corefkit.data.texts import quote
from corefkit.formats.conll.reader import token_lines

_NO_WORD = ""
"""Stands for the word of a token whose line has none."""


def compare_words(key: Corpus, response: Corpus, severity: Severity = "warning") -> list[Incident]:
    """One incident for each document with as many tokens but other words, at the first place.

    Masked words are equal to all; lines of fewer than five columns have no word.
    """
    if _same_spelling(key, response) or _all_masked(key) or _all_masked(response):
        return []
    both = join_columns([_words(key), _words(response)])
    alike = np.array([value in MASKS or value == _NO_WORD for value in both.values], dtype=bool)
    tokens = int(key.tokens.sum())
    left, right = both.code[:tokens], both.code[tokens:]
    first = [np.cumsum(side.tokens) - side.tokens for side in (key, response)]
    found = Collector()
    for one, other in _same_length(key, response):
        size = int(key.tokens[one])
        a = left[int(first[0][one]) :][:size]
        b = right[int(first[1][other]) :][:size]
        differ = np.flatnonzero((a != b) & ~alike[a] & ~alike[b])
        if not len(differ):
            continue
        if found.full("words-differ"):
            found.count("words-differ")
            continue
        at = int(differ[0])
        pair = both.values[int(a[at])], both.values[int(b[at])]
        found.add(replace(_incident(response, other, at, len(differ), pair), severity=severity))
    return list(found)


def _same_spelling(key: Corpus, response: Corpus) -> bool:
    """Whether the words are the same to the byte, where that can be told without reading them."""
    if key.names != response.names or len(key.sources) != 1 or len(response.sources) != 1:
        return False
    ours, theirs = (s.format.sentence_list(s) for s in (*key.sources, *response.sources))
    return ours is not None and theirs is not None and ours.words.same(theirs.words)


def _all_masked(corpus: Corpus) -> bool:
    """Whether there are as many masked columns as tokens: then none need be read."""
    columns = [s + b + s for b in map(str.encode, MASKS) for s in (b" ", b"\t")]
    masks = sum(source.data.count(column) for source in corpus.sources for column in columns)
    return masks >= int(corpus.tokens.sum())


def _words(corpus: Corpus) -> Column:
    """The words of all tokens; none for those of a file that lacks the column."""
    columns = []
    for source in corpus.sources:
        try:
            columns += read_columns(replace(corpus, sources=(source,)), "word")
        except DataError:
            end = source.first_document + source.documents
            tokens = int(corpus.tokens[source.first_document : end].sum())
            columns.append(Column(np.zeros(tokens, dtype=np.int64), (_NO_WORD,)))
    if not columns:
        return Column(np.zeros(int(corpus.tokens.clip(0).sum()), dtype=np.int64), (_NO_WORD,))
    return join_columns(columns)


def _same_length(key: Corpus, response: Corpus) -> Iterator[tuple[int, int]]:
    """The numbers of documents that both have, with as many tokens."""
    number = {name: i for i, name in enumerate(key.names)}
    for other, name in enumerate(response.names):
        one = number.get(name)
        if one is not None and key.tokens[one] == response.tokens[other]:
            yield one, other


def _incident(
    response: Corpus, document: int, at: int, number: int, words: tuple[str, str]
) -> Incident:
    place = Place()
    where = response.document_bytes(document)
    if where:
        source, begin, end = where
        if source.format.name == "conll":
            lines = [line.number for line in token_lines(source.data, begin, end)]
            place = Place(file=source.path, line=lines[at])
        else:
            place = Place(file=source.path)
            before = int(response.tokens[source.first_document : document].sum())
            numbers = source.format.token_lines(source)
            if numbers is not None:
                place["line"] = int(numbers[before + at])
    return make_incident(
        "words-differ",
        number=number,
        **place,
        document=response.names[document],
        found=f"token {at + 1:,}: {quote(words[1])}",
        expected=f"token {at + 1:,}: {quote(words[0])}",
    )
