"""Skeletons: CoNLL files without their words, which may be given away where the text may not.

Only the words change: all other bytes stay, so that masking and filling is an identity.
"""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

import numpy as np

from corefkit.data.arrays import EMPTY, BoolArray, IntArray
from corefkit.data.columns import MASKS, NAMES
from corefkit.data.incidents import DataError, data_error
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
            expected = "a CoNLL file: '#begin document NAME', one token a line"
            raise data_error("no-document", file=path, found=describe(data), expected=expected)
        self.row, begins = self.lines.tokens()
        self.sentence = np.flatnonzero(begins)
        parts = [(EMPTY, EMPTY, EMPTY, EMPTY > 0)]
        for fields in split_lines(self.lines):
            short = np.flatnonzero(fields.count < _WORD + 2)
            if len(short):
                line = int(fields.row[short[0]]) + 1
                expected = "the word in column 4, and coreference behind it"
                raise data_error("column-missing", "word", file=path, line=line, expected=expected)
            parts.append((fields.find(_WORD - 1)[1], *fields.find(_WORD), fields.tabbed))
        columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
        self.before, self.start, self.end, self.tabbed = columns

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
        fewest, padded, flush = self._sentences()
        even = fewest == np.maximum.reduceat(self.start - self.before, self.sentence)
        ragged: BoolArray = even & padded & ~flush
        return self.sentence[ragged]

    def _sentences(self) -> tuple[IntArray, BoolArray, BoolArray]:
        """The fewest blanks before a word of each sentence; two answers, bool (sentences,).

        Whether several blanks and no tabs stand before its words, and whether these end in one
        column.
        """
        first, gap = self.sentence, self.start - self.before
        wide = gap + np.array([len(word) for word in self.words()], dtype=np.int64)
        fewest = np.minimum.reduceat(gap, first)
        padded = (fewest > 1) & ~np.logical_or.reduceat(self.tabbed, first)
        return fewest, padded, np.minimum.reduceat(wide, first) == np.maximum.reduceat(wide, first)

    def _blanks(self, words: Sequence[str]) -> list[int]:
        """How many blanks stand before each new word; −1 for what is there already.

        In a sentence whose words are flush right, the longest has the fewest blanks before it, and
        so it will be: thus masks tell nothing of the words, and filling restores every blank.
        """
        fewest, padded, flush = self._sentences()
        new = np.array([len(word) for word in words], dtype=np.int64)
        size = np.diff(self.sentence, append=len(words))
        width = np.where(padded & flush, fewest + np.maximum.reduceat(new, self.sentence), -1)
        wide = np.repeat(width, size)
        return list(np.where(wide < 0, -1, wide - new).tolist())


def mask(data: bytes, path: str = "-") -> bytes:
    """The file with a mask for every word.

    Raises DataError where the skeleton would not tell how many blanks to put back.

    >>> mask(b"#begin document a\\na\\t0\\t0\\tHello\\t-\\n")
    b'#begin document a\\na\\t0\\t0\\t[WORD]\\t-\\n'
    """
    places = _Places(data, path)
    if len(ragged := places.ragged()):
        line = int(places.row[ragged[0]]) + 1
        expected = "columns that are aligned, split by tabs, or one blank apart"
        raise data_error("cell-needs-tabs", "unaligned", file=path, line=line, expected=expected)
    return places.replace([MASK] * len(places.start))


def fill(data: bytes, words: Words, path: str = "-") -> bytes:
    """The skeleton with its words put back.

    Raises DataError where a sentence has another number of words than tokens, or a word that is
    not masked is another one.
    """
    places = _Places(data, path)
    _check_numbers(places, words, path)
    new = [word for sentence in words.sentences for word in sentence]
    for number, (old, word) in enumerate(zip(places.words(), new, strict=True)):
        if old != word and old not in MASKS:
            raise data_error(
                "word-not-masked",
                file=path,
                line=int(places.row[number]) + 1,
                found=f"{quote(word)} in {words.path}",
                expected=f"{quote(old)}, or a mask ({', '.join(sorted(MASKS))}) in the skeleton",
            )
    return places.replace(new)


def _check_numbers(places: _Places, words: Words, path: str) -> None:
    """DataError where the words of a sentence are too few or too many."""
    expected = np.diff(np.append(places.sentence, len(places.row))).tolist()
    if words.whole:
        total = sum(map(len, words.sentences))
        if total != len(places.row):
            found = f"{total:,} words in {words.path}"
            raise _wrong_number("file", len(places.row), words=total, found=found, file=path)
        return
    own, theirs = len(expected), len(words.sentences)
    pairs = zip_longest(expected, words.sentences, fillvalue=None)
    for number, (tokens, sentence) in enumerate(pairs):
        if tokens != (len(sentence) if sentence else None):
            listed = sentence or []
            text = f"{len(listed):,} words in {words.path}: {shorten(' '.join(listed))}"
            line = int(places.row[places.sentence[number]]) + 1 if tokens else None
            told = {"sentence": number + 1, "own": own, "theirs": theirs, "words": len(listed)}
            place = {"found": text.removesuffix(": "), "file": path, "line": line}
            variant = "sentences" if own != theirs else ""
            raise _wrong_number(variant, tokens or 0, **told, **place)


def _wrong_number(variant: str, tokens: int, **values: Any) -> DataError:
    expected = f"{tokens:,} words"
    return data_error("words-mismatch", variant, tokens=tokens, expected=expected, **values)
