"""Skeletons: CoNLL files without their words, which may be given away where the text may not.

Only the words change: all other bytes stay, so that masking and filling is an identity.
"""

from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from corefkit.data.arrays import EMPTY, BoolArray, IntArray
from corefkit.data.columns import MASKS, NAMES
from corefkit.data.incidents import DataError, Incident, make_incident
from corefkit.data.texts import quote, shorten
from corefkit.formats.conll.columns import split_lines
from corefkit.formats.conll.lines import find_lines
from corefkit.formats.detection import describe
from corefkit.formats.files import AS_THEY_ARE
from corefkit.ontonotes.words import Words

MASK = "[WORD]"
_WORD = NAMES["word"]


class _Places:
    """Where the words of a file are, and the blanks before them in a file with aligned columns."""

    def __init__(self, data: bytes, path: str) -> None:
        self.data = data
        self.lines = find_lines(data)
        if not self.lines.names:
            raise DataError([_not_conll(data, path)])
        self.row, begins = self.lines.tokens()
        self.sentence = np.flatnonzero(begins)
        parts = [(EMPTY, EMPTY, EMPTY, EMPTY > 0)]
        for fields in split_lines(self.lines):
            short = np.flatnonzero(fields.count < _WORD + 2)
            if len(short):
                raise DataError([_no_word(path, int(fields.row[short[0]]))])
            parts.append((fields.place(_WORD - 1)[1], *fields.place(_WORD), fields.tabbed))
        self.before = np.concatenate([part[0] for part in parts])
        self.start = np.concatenate([part[1] for part in parts])
        self.end = np.concatenate([part[2] for part in parts])
        self.tabbed = np.concatenate([part[3] for part in parts])

    def words(self) -> list[str]:
        places = zip(self.start.tolist(), self.end.tolist(), strict=True)
        return [self.data[s:e].decode("utf-8", AS_THEY_ARE) for s, e in places]

    def replace(self, words: Sequence[str]) -> bytes:
        """The file with other words, and the blanks before them that keep columns aligned."""
        pieces, at = [], 0
        columns = (self.before.tolist(), self.start.tolist(), self.end.tolist())
        for word, blanks, before, start, end in zip(
            words, self._blanks(words), *columns, strict=True
        ):
            gap = self.data[before:start] if blanks < 0 else b" " * blanks
            pieces += [self.data[at:before], gap, word.encode("utf-8", AS_THEY_ARE)]
            at = end
        return b"".join([*pieces, self.data[at:]])

    def ragged(self) -> IntArray:
        """The first tokens of the sentences with several blanks before words that are not aligned.

        Masked, they would look like aligned ones.
        """
        if not len(self.sentence):
            return self.sentence
        gap, first = self.start - self.before, self.sentence
        fewest, most = np.minimum.reduceat(gap, first), np.maximum.reduceat(gap, first)
        tabbed = np.logical_or.reduceat(self.tabbed, first)
        ragged: BoolArray = (fewest == most) & (fewest > 1) & ~self._flush() & ~tabbed
        return first[ragged]

    def _flush(self) -> BoolArray:
        """bool (sentences,): whether the words of the sentence end in one column."""
        wide = self.start - self.before + np.array([len(word) for word in self.words()])
        first = self.sentence
        flush: BoolArray = np.minimum.reduceat(wide, first) == np.maximum.reduceat(wide, first)
        return flush

    def _blanks(self, words: Sequence[str]) -> list[int]:
        """How many blanks stand before each new word; −1 for what is there already.

        In a sentence whose words are flush right, the longest has the fewest blanks before it, and
        so it will be: thus masks tell nothing of the words, and filling restores every blank.
        """
        if not len(self.sentence):
            return []
        gap = self.start - self.before
        new = np.array([len(word) for word in words])
        first, size = self.sentence, np.diff(np.append(self.sentence, len(words)))
        fewest = np.minimum.reduceat(gap, first)
        aligned = self._flush() & (fewest > 1) & ~np.logical_or.reduceat(self.tabbed, first)
        width = fewest + np.maximum.reduceat(new, first)
        blanks: list[int] = np.where(
            np.repeat(aligned, size), np.repeat(width, size) - new, -1
        ).tolist()
        return blanks


def mask(data: bytes, path: str = "-") -> bytes:
    """The file with a mask for every word.

    Raises DataError where the skeleton would not tell how many blanks to put back.

    >>> mask(b"#begin document a\\na\\t0\\t0\\tHello\\t-\\n")
    b'#begin document a\\na\\t0\\t0\\t[WORD]\\t-\\n'
    """
    places = _Places(data, path)
    if len(ragged := places.ragged()):
        raise DataError([_not_aligned(path, int(places.row[ragged[0]]))])
    return places.replace([MASK] * len(places.start))


def fill(data: bytes, words: Words, path: str = "-") -> bytes:
    """The skeleton with its words put back.

    Raises DataError where a sentence has another number of words than tokens, or a word that is
    not masked is another one.
    """
    places = _Places(data, path)
    if found := _mismatch(places, words):
        raise DataError([_wrong_number(path, words.path, found)])
    new = [word for sentence in words.sentences for word in sentence]
    for number, (old, word) in enumerate(zip(places.words(), new, strict=True)):
        if old != word and old not in MASKS:
            raise DataError([_other_word(path, int(places.row[number]), old, word, words.path)])
    return places.replace(new)


def _not_aligned(path: str, row: int) -> Incident:
    return make_incident(
        "cell-needs-tabs",
        "unaligned",
        file=path,
        line=row + 1,
        expected="columns that are aligned, split by tabs, or one blank apart",
    )


class _Mismatch(NamedTuple):
    """A sentence with another number of words than tokens; `line` counts from 0."""

    tokens: int
    words: int
    line: int | None = None
    text: str = ""
    sentence: int = 0
    """Its number from 1; 0 where only whole files can be compared."""
    sentences: tuple[int, int] = (0, 0)
    """How many sentences the skeleton and the source have."""


def _mismatch(places: _Places, words: Words) -> _Mismatch | None:
    """The first sentence whose words are too few or too many."""
    expected = np.diff(np.append(places.sentence, len(places.row))).tolist()
    if words.whole:
        total = sum(map(len, words.sentences))
        if total == len(places.row):
            return None
        return _Mismatch(len(places.row), total)
    listed = words.sentences
    pairs = zip_longest(expected, listed, fillvalue=None)
    for number, (tokens, sentence) in enumerate(pairs):
        if tokens != (len(sentence) if sentence else None):
            at = int(places.row[places.sentence[number]]) if tokens else None
            text, sentences = " ".join(sentence or ()), (len(expected), len(listed))
            return _Mismatch(tokens or 0, len(sentence or ()), at, text, number + 1, sentences)
    return None


def _wrong_number(path: str, source: str, found: _Mismatch) -> Incident:
    own, theirs = found.sentences
    return make_incident(
        "words-mismatch",
        "file" if not found.sentence else "sentences" if own != theirs else "",
        sentence=found.sentence,
        own=own,
        theirs=theirs,
        tokens=found.tokens,
        words=found.words,
        file=path,
        line=found.line + 1 if found.line is not None else None,
        found=f"{found.words:,} words in {source}: {shorten(found.text)}".removesuffix(": "),
        expected=f"{found.tokens:,} words",
    )


def _other_word(path: str, row: int, old: str, new: str, source: str) -> Incident:
    return make_incident(
        "word-not-masked",
        file=path,
        line=row + 1,
        found=f"{quote(new)} in {source}",
        expected=f"{quote(old)}, or a mask ({', '.join(sorted(MASKS))}) in the skeleton",
    )


def _no_word(path: str, row: int) -> Incident:
    return make_incident(
        "column-missing",
        "word",
        file=path,
        line=row + 1,
        expected="the word in column 4, and coreference behind it",
    )


def _not_conll(data: bytes, path: str) -> Incident:
    return make_incident(
        "no-document",
        file=path,
        found=describe(data),
        expected="a CoNLL file: '#begin document NAME', one token a line",
    )
