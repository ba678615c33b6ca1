"""Which mentions have the same minimum: one number per mention, equal where they are alike."""

from collections.abc import Callable, Hashable
from dataclasses import replace
from operator import itemgetter

import numpy as np

from corefkit.applications.minima import Minima, MinimumRun
from corefkit.core.arrays import IntArray, distinct
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import DataError
from corefkit.core.source import Column
from corefkit.core.tokens import read_columns


def with_alike(key: Corpus, response: Corpus, texts: Corpus) -> tuple[Corpus, Corpus]:
    """Both sides with the column `alike`: equal where minima are the same tokens.

    `texts` has the files of the key, of whose trees the minima of both sides are made.
    """
    minima = Minima(texts)

    def name(first: int, last: int, runs: tuple[MinimumRun, ...] | None, side: int) -> Hashable:
        return (first, last) if runs is None else _ranges(first, runs)

    return _number((key, response), texts, minima, name)


def with_alike_texts(
    key: Corpus, response: Corpus, texts: Corpus, other_texts: Corpus
) -> tuple[Corpus, Corpus]:
    """Like `with_alike` as CoVal compares minima: by the texts of their runs and where they end.

    A mention that is its own minimum is told by its words, which are those of its own file
    (`other_texts` for the response), and their places in it.
    """
    minima = Minima(texts)
    numbers: dict[str, int] = {}
    own = [_numbered(minima.words, numbers)]
    own.append(_words_of(other_texts, texts, own[0], numbers))
    known = _RunTexts(own[0])

    def name(first: int, last: int, runs: tuple[MinimumRun, ...] | None, side: int) -> Hashable:
        sentence = int(minima.sentence[first])
        if runs is None:
            return sentence, own[side][first : last + 1].tobytes()
        shift = first - int(minima.sentence_start[first])
        places = {(first + a, first + b, index + shift) for a, b, index in runs}
        if all(a == b for a, b, _ in places):
            # Single words at 0, 1, 2 … are what a mention is that is its own minimum.
            words = sorted(places, key=itemgetter(2))
            if [index for _, _, index in words] == list(range(len(words))):
                return sentence, own[0][[place for place, _, _ in words]].tobytes()
        return sentence, frozenset((known.text(*p, sentence), p[2]) for p in places)

    return _number((key, response), texts, minima, name)


_LONG = 64
"""Runs of more words are told by their place: there are hardly two of the same text."""


class _RunTexts:
    """Names for the texts of runs, equal where the texts are, of runs that end at one index."""

    def __init__(self, words: IntArray) -> None:
        self._words = words
        self._long: dict[tuple[int, int, int], list[int]] = {}

    def text(self, first: int, last: int, index: int, sentence: int) -> Hashable:
        """A name for the words from `first` to `last`."""
        words = self._words[first : last + 1]
        if len(words) <= _LONG:
            return words.tobytes()
        known = self._long.setdefault((sentence, index, len(words)), [])
        for place in known:
            if np.array_equal(self._words[place : place + len(words)], words):
                return place, len(words)
        known.append(first)
        return first, len(words)


Name = Callable[[int, int, tuple[MinimumRun, ...] | None, int], Hashable]
"""First and last token, the runs of the minimum, the side (0: key) → what equal minima share."""


def _number(
    sides: tuple[Corpus, Corpus], texts: Corpus, minima: Minima, name: Name
) -> tuple[Corpus, Corpus]:
    """Both sides with numbers for the names of their minima; each span is looked at once."""
    size = int(texts.tokens.sum()) + 1
    # A span that the key's document does not reach has no tree and no like.
    inside = [side.end < texts.tokens[side.document] for side in sides]
    listed = []
    for side, some in zip(sides, inside, strict=True):
        first = texts.first_token[side.document]
        listed.append(((first + side.start) * size + first + side.end)[some])
    spans = distinct(np.concatenate(listed))
    numbers: dict[Hashable, int] = {}
    codes: tuple[list[int], list[int]] = ([], [])
    for span in spans.values.tolist():
        first, last = divmod(span, size)
        runs = minima.find(first, last)
        code = numbers.setdefault(name(first, last, runs, 0), len(numbers))
        codes[0].append(code)
        if runs is None:
            code = numbers.setdefault(name(first, last, runs, 1), len(numbers))
        codes[1].append(code)
    places = np.split(spans.inverse, [int(inside[0].sum())])
    found = []
    for corpus, some, code_of, place in zip(sides, inside, codes, places, strict=True):
        alike = -1 - np.arange(corpus.mentions)
        alike[some] = np.array(code_of, dtype=np.int64)[place]
        found.append(replace(corpus, _match_class=alike))
    return found[0], found[1]


def _ranges(first: int, runs: tuple[MinimumRun, ...]) -> tuple[int, ...]:
    """The tokens of runs as first, last, first, last …; those that touch are one."""
    if len(runs) == 1:
        return first + runs[0].first, first + runs[0].last
    ends: list[int] = []
    for run in sorted(runs):
        if ends and ends[-1] + 1 == first + run.first:
            ends[-1] = first + run.last
        else:
            ends += [first + run.first, first + run.last]
    return tuple(ends)


def _numbered(column: Column, numbers: dict[str, int]) -> IntArray:
    """The column with numbers that other columns share, to which new ones are added."""
    return column.numbers(lambda word: numbers.setdefault(word, len(numbers)))


def _words_of(other: Corpus, texts: Corpus, words: IntArray, numbers: dict[str, int]) -> IntArray:
    """The words of another corpus, in the documents and with the numbers of `texts`.

    Where it has no words, or another number of tokens, they are those of `texts`.
    """
    try:
        theirs = _numbered(read_columns(other, "word")[0], numbers)
    except DataError:
        return words
    place = {name: number for number, name in enumerate(other.names)}
    ends = np.cumsum(other.tokens)
    own, at = words.copy(), 0
    for name, size in zip(texts.names, texts.tokens.tolist(), strict=True):
        number = place.get(name)
        if number is not None and int(other.tokens[number]) == size:
            own[at : at + size] = theirs[ends[number] - size : ends[number]]
        at += size
    return own
