"""Skeletons: CoNLL files without words, which may be distributed where the text may not.

Only the words, and the blanks that align them, change, so that filling a masked file restores it
to the byte. Words come from treebank files, plain lists of tokens, or CoNLL files.
"""

from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from corefkit.core.arrays import BoolArray, IntArray
from corefkit.core.carriers import frozen
from corefkit.core.columns import MASKS, NAMES
from corefkit.core.incidents import DataError, data_error
from corefkit.core.texts import quote, shorten
from corefkit.corpora.folders import TreePlace, place_of
from corefkit.corpora.trees import LineError, in_file, read_trees
from corefkit.formats.conll.lines import Lines, token_lines
from corefkit.formats.kit.detection import describe
from corefkit.formats.kit.files import AS_THEY_ARE, load, walk

MASK = "[WORD]"
_WORD = NAMES["word"]


@frozen
class WordList:
    """The words of a file.

    Attributes:
        path: the file.
        sentences: the words of each sentence; a list of tokens without blank lines is one sentence.
        whole: whether the file does not say where sentences end.
    """

    path: str
    sentences: list[list[str]]
    whole: bool = False


def mask(data: bytes, path: str = "-") -> bytes:
    """The file with a mask for every word.

    Raises DataError where the skeleton would not show how many blanks to restore.

    >>> mask(b"#begin document a\\na\\t0\\t0\\tHello\\t-\\n")
    b'#begin document a\\na\\t0\\t0\\t[WORD]\\t-\\n'
    """
    cells = _WordCells(data, path)
    if len(ragged := cells.ragged()):
        line = int(cells.row[ragged[0]]) + 1
        expected = "columns that are aligned, split by tabs, or one blank apart"
        raise data_error("cell-needs-tabs", "unaligned", file=path, at=line, expected=expected)
    return cells.replace([MASK] * len(cells.start))


def fill(data: bytes, words: WordList, path: str = "-") -> bytes:
    """The skeleton with its words restored.

    Raises DataError where the number of words of a sentence differs from that of its tokens, or
    where a word that is not masked differs.
    """
    cells = _WordCells(data, path)
    _check_numbers(cells, words, path)
    new = [word for sentence in words.sentences for word in sentence]
    for number, (old, word) in enumerate(zip(cells.words(), new, strict=True)):
        if old != word and old not in MASKS:
            raise data_error(
                "word-not-masked",
                file=path,
                at=int(cells.row[number]) + 1,
                found=f"{quote(word)} in {words.path}",
                expected=f"{quote(old)}, or a mask ({', '.join(sorted(MASKS))}) in the skeleton",
            )
    return cells.replace(new)


class _WordCells:
    """The words of a file, and the blanks before them, as bytes.

    Attributes:
        row: the line of each token, from 0.
        sentence: the first token of each sentence.
        before, start, end: where the column before each word ends, and where the word begins and
            ends, in bytes.
        tabbed: whether each line has tabs.
    """

    def __init__(self, data: bytes, path: str) -> None:
        self.data = data
        self.lines = Lines(data)
        if not self.lines.names:
            expected = "a CoNLL file: '#begin document NAME', one token per line"
            raise data_error("no-document", file=path, found=describe(data), expected=expected)
        self.row = self.lines.tokens
        self.sentence = np.flatnonzero(self.lines.begins())
        words = self.lines.pieces(_WORD)
        if len(short := np.flatnonzero(words.end < 0)):
            line = int(self.row[short[0]]) + 1
            expected = "the word in column 4, and coreference after it"
            raise data_error("column-missing", "word", file=path, at=line, expected=expected)
        self.start, self.end = words.start, words.end
        self.before = self.lines.pieces(_WORD - 1).end
        self.tabbed = self.lines.buffer[self.before] == ord("\t")

    def words(self) -> list[str]:
        bounds = zip(self.start.tolist(), self.end.tolist(), strict=True)
        return [self.data[s:e].decode("utf-8", AS_THEY_ARE) for s, e in bounds]

    def replace(self, words: Sequence[str]) -> bytes:
        """The file with other words, with the blanks before them that keep columns aligned."""
        pieces, done = [], 0
        columns = (self.before.tolist(), self.start.tolist(), self.end.tolist())
        for word, blanks, before, start, end in zip(
            words, self._blanks(words), *columns, strict=True
        ):
            gap = self.data[before:start] if blanks < 0 else b" " * blanks
            pieces += [self.data[done:before], gap, word.encode("utf-8", AS_THEY_ARE)]
            done = end
        return b"".join([*pieces, self.data[done:]])

    def ragged(self) -> IntArray:
        """The first tokens of sentences with the same several blanks before words of any length.

        Masked, they would look like sentences with aligned words.
        """
        fewest, padded, flush = self._sentences()
        even = fewest == np.maximum.reduceat(self.start - self.before, self.sentence)
        ragged: BoolArray = even & padded & ~flush
        return self.sentence[ragged]

    def _sentences(self) -> tuple[IntArray, BoolArray, BoolArray]:
        """For each sentence, three arrays (sentences,).

        The fewest blanks before a word; whether there are several blanks and no tabs before all
        words; and whether all words end in the same column.
        """
        first, gap = self.sentence, self.start - self.before
        wide = gap + np.array([len(word) for word in self.words()], dtype=np.int64)
        fewest = np.minimum.reduceat(gap, first)
        padded = (fewest > 1) & ~np.logical_or.reduceat(self.tabbed, first)
        return fewest, padded, np.minimum.reduceat(wide, first) == np.maximum.reduceat(wide, first)

    def _blanks(self, words: Sequence[str]) -> list[int]:
        """The number of blanks before each new word; −1 to keep those in the file.

        In a sentence with right-aligned words, the longest word has the fewest blanks before it,
        and the longest new word gets as many. So masks reveal nothing about the words, and filling
        restores every blank.
        """
        fewest, padded, flush = self._sentences()
        new = np.array([len(word) for word in words], dtype=np.int64)
        size = np.diff(self.sentence, append=len(words))
        width = np.where(padded & flush, fewest + np.maximum.reduceat(new, self.sentence), -1)
        wide = np.repeat(width, size)
        return list(np.where(wide < 0, -1, wide - new).tolist())


def _check_numbers(cells: _WordCells, words: WordList, path: str) -> None:
    """Raise DataError where a sentence has too few or too many words."""
    expected = np.diff(np.append(cells.sentence, len(cells.row))).tolist()
    if words.whole:
        total = sum(map(len, words.sentences))
        if total != len(cells.row):
            found = f"{total:,} words in {words.path}"
            raise _wrong_number("file", len(cells.row), words=total, found=found, file=path)
        return
    in_skeleton, in_words = len(expected), len(words.sentences)
    pairs = zip_longest(expected, words.sentences, fillvalue=None)
    for number, (tokens, sentence) in enumerate(pairs):
        if tokens != (len(sentence) if sentence else None):
            listed = sentence or []
            text = f"{len(listed):,} words in {words.path}: {shorten(' '.join(listed))}"
            line = int(cells.row[cells.sentence[number]]) + 1 if tokens else None
            raise _wrong_number(
                "sentences" if in_skeleton != in_words else "",
                tokens or 0,
                sentence=number + 1,
                own=in_skeleton,
                in_source=in_words,
                words=len(listed),
                found=text.removesuffix(": "),
                file=path,
                at=line,
            )


def _wrong_number(variant: str, tokens: int, **values: Any) -> DataError:
    expected = f"{tokens:,} words"
    return data_error("words-mismatch", variant, tokens=tokens, expected=expected, **values)


def read_words(path: str, drop_edited: bool = False) -> WordList:
    """The words of a `.parse` file, a file with one token per line, or a CoNLL file.

    Empty elements such as traces are not words. Raises DataError if the file cannot be read.
    """
    data = load(path)
    text = data.decode("utf-8-sig", AS_THEY_ARE)
    expected = "trees such as (S (NP (PRP She)) …), or one token per line"
    with in_file(path, "words-unreadable", expected):
        if "#begin document" in text or "# begin document" in text:
            return WordList(path, _sentences_of_conll(data))
        if path.removesuffix(".gz").endswith(".parse") or _looks_like_trees(text):
            trees = read_trees(text, drop_edited)
            return WordList(path, [[leaf.word for leaf in tree.leaves()] for tree in trees])
        sentences = _sentences_of_tokens(text)
        return WordList(path, sentences, whole=len(sentences) < 2)


class WordFiles:
    """The files with words in a directory tree, to be found by the places of skeletons."""

    def __init__(self, root: str) -> None:
        self._base = Path(root)
        self._files: dict[str, list[tuple[TreePlace, Path]]] = {}
        self._taken: dict[Path, str | None] = {}
        for file in map(Path, walk(root)):
            if _ending(file) != "skel":
                place = place_of(file, self._base)
                self._files.setdefault(place.key, []).append((place, file))

    def find(self, place: TreePlace, skeleton: str) -> str:
        """The file for a skeleton: with the same path, else the same language, else the same key.

        `.parse` files come before others. Raises DataError if there is none, or more than one.
        """
        language = place.language
        same_key = [
            (p, f)
            for p, f in self._files.get(place.key, ())
            if None in (language, p.language) or language == p.language
        ]
        nearest = [f for p, f in same_key if p.path == place.path]
        nearest = nearest or [f for p, f in same_key if p.language == language]
        nearest = nearest or [f for _, f in same_key]
        candidates = [f for f in nearest if _ending(f) == "parse"] or nearest
        if not candidates:
            expected = f"{self._base / place.path}.parse, or another file of that name"
            raise data_error("words-missing", file=skeleton, expected=expected)
        (file, *others) = candidates
        if others or self._taken.setdefault(file, language) != language:
            files = " and ".join(map(str, candidates))
            raise data_error(
                "words-ambiguous",
                file=skeleton,
                found=files if others else f"{files}, for skeletons of two languages",
                expected="one file for each skeleton, on the same path but for the extension",
            )
        return str(file)


def _ending(file: Path) -> str | None:
    name = file.name.removesuffix(".gz")
    return next((ending for ending in ("parse", "skel") if name.endswith(ending)), None)


def _looks_like_trees(text: str) -> bool:
    """Whether a text begins with a bracket and has blanks within lines, unlike lists of tokens."""
    return text.lstrip().startswith("(") and any(" " in line.strip() for line in text.splitlines())


def _sentences_of_conll(data: bytes) -> list[list[str]]:
    sentences: list[list[str]] = []
    for line in token_lines(data, errors=AS_THEY_ARE):
        if len(line.fields) < 5:
            raise LineError(line.number, "no-column")
        if line.begins_sentence or not sentences:
            sentences.append([])
        sentences[-1].append(line.fields[3])
    return sentences


def _sentences_of_tokens(text: str) -> list[list[str]]:
    sentences: list[list[str]] = [[]]
    for number, line in enumerate(text.split("\n"), 1):
        word = line.strip(" \t\r")
        if not word:
            sentences.append([])
        elif " " in word or "\t" in word:
            raise LineError(number, "two-tokens")
        else:
            sentences[-1].append(word)
    return [sentence for sentence in sentences if sentence]
