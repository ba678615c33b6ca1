"""Do key and response have the same words? Asked only on request, because scores need none."""

from dataclasses import replace

import numpy as np

from corefkit.data.columns import MASKS, Column, join_columns, read_columns
from corefkit.data.corpus import Corpus
from corefkit.data.incidents import Collector, DataError, Incident, Severity
from corefkit.data.source import Place
from corefkit.data.texts import quote
from corefkit.scoring.meeting import in_both

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
    found = Collector()
    for one, other in in_both(key, response):
        size = int(key.tokens[one])
        if size != response.tokens[other]:
            continue
        a = left[int(key.first_token[one]) :][:size]
        b = right[int(response.first_token[other]) :][:size]
        differ = np.flatnonzero((a != b) & ~alike[a] & ~alike[b])
        if not len(differ) or found.skip("words-differ"):
            continue
        at = int(differ[0])
        expected, there = (quote(both.values[int(side[at])]) for side in (a, b))
        found.note(
            "words-differ",
            severity=severity,
            number=len(differ),
            **_place(response, other, at),
            document=response.names[other],
            found=f"token {at + 1:,}: {there}",
            expected=f"token {at + 1:,}: {expected}",
        )
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


def _place(corpus: Corpus, document: int, at: int) -> Place:
    """Where a token of a document stands, as far as its format tells."""
    source = corpus.source(document)
    if source is None:
        return Place()
    numbers = source.format.token_lines(source)
    if numbers is None:
        return Place(file=source.path)
    before = int(corpus.tokens[source.first_document : document].sum())
    return Place(file=source.path, line=int(numbers[before + at]))
