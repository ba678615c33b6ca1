"""Skeletons: CoNLL files without their words, which may be given away where the text may not.

Only the words change: all other bytes stay, so that masking and filling is an identity. Words come
from treebank files, plain lists of tokens, or CoNLL files.
"""

from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from corefkit.core.arrays import EMPTY, BoolArray, IntArray
from corefkit.core.carriers import frozen
from corefkit.core.incidents import DataError, data_error
from corefkit.core.source import MASKS, NAMES
from corefkit.core.texts import quote, shorten
from corefkit.corpora.folders import TreePlace, place_of
from corefkit.corpora.trees import LineError, in_file, read_trees
from corefkit.formats import AS_THEY_ARE, describe, load, walk
from corefkit.formats.columns.lines import find_lines, split_lines, token_lines

MASK = "[WORD]"
_WORD = NAMES["word"]


@frozen
class WordList:
    """The words of a file by sentence; a list of tokens without blank lines is one sentence.

    `whole` tells that the file does not say where sentences end.
    """

    path: str
    sentences: list[list[str]]
    whole: bool = False


def mask(data: bytes, path: str = "-") -> bytes:
    """The file with a mask for every word.

    Raises DataError where the skeleton would not tell how many blanks to put back.

    >>> mask(b"#begin document a\\na\\t0\\t0\\tHello\\t-\\n")
    b'#begin document a\\na\\t0\\t0\\t[WORD]\\t-\\n'
    """
    places = _WordPlaces(data, path)
    if len(ragged := places.ragged()):
        line = int(places.row[ragged[0]]) + 1
        expected = "columns that are aligned, split by tabs, or one blank apart"
        raise data_error("cell-needs-tabs", "unaligned", file=path, at=line, expected=expected)
    return places.replace([MASK] * len(places.start))


def fill(data: bytes, words: WordList, path: str = "-") -> bytes:
    """The skeleton with its words put back.

    Raises DataError where a sentence has another number of words than tokens, or a word that is
    not masked is another one.
    """
    places = _WordPlaces(data, path)
    _check_numbers(places, words, path)
    new = [word for sentence in words.sentences for word in sentence]
    for number, (old, word) in enumerate(zip(places.words(), new, strict=True)):
        if old != word and old not in MASKS:
            raise data_error(
                "word-not-masked",
                file=path,
                at=int(places.row[number]) + 1,
                found=f"{quote(word)} in {words.path}",
                expected=f"{quote(old)}, or a mask ({', '.join(sorted(MASKS))}) in the skeleton",
            )
    return places.replace(new)


class _WordPlaces:
    """Where the words of a file are, and the blanks before them in a file with aligned columns."""

    def __init__(self, data: bytes, path: str) -> None:
        self.data = data
        self.lines = find_lines(data)
        if not self.lines.names:
            expected = "a CoNLL file: '#begin document NAME', one token per line"
            raise data_error("no-document", file=path, found=describe(data), expected=expected)
        self.row, begins = self.lines.tokens()
        self.sentence = np.flatnonzero(begins)
        parts = [(EMPTY, EMPTY, EMPTY, EMPTY > 0)]
        for fields in split_lines(self.lines):
            short = np.flatnonzero(fields.count < _WORD + 2)
            if len(short):
                line = int(fields.row[short[0]]) + 1
                expected = "the word in column 4, and coreference after it"
                raise data_error("column-missing", "word", file=path, at=line, expected=expected)
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


def _check_numbers(places: _WordPlaces, words: WordList, path: str) -> None:
    """DataError where the words of a sentence are too few or too many."""
    expected = np.diff(np.append(places.sentence, len(places.row))).tolist()
    if words.whole:
        total = sum(map(len, words.sentences))
        if total != len(places.row):
            found = f"{total:,} words in {words.path}"
            raise _wrong_number("file", len(places.row), words=total, found=found, file=path)
        return
    in_skeleton, in_words = len(expected), len(words.sentences)
    pairs = zip_longest(expected, words.sentences, fillvalue=None)
    for number, (tokens, sentence) in enumerate(pairs):
        if tokens != (len(sentence) if sentence else None):
            listed = sentence or []
            text = f"{len(listed):,} words in {words.path}: {shorten(' '.join(listed))}"
            line = int(places.row[places.sentence[number]]) + 1 if tokens else None
            raise _wrong_number(
                "sentences" if in_skeleton != in_words else "",
                tokens or 0,
                sentence=number + 1,
                own=in_skeleton,
                theirs=in_words,
                words=len(listed),
                found=text.removesuffix(": "),
                file=path,
                at=line,
            )


def _wrong_number(variant: str, tokens: int, **values: Any) -> DataError:
    expected = f"{tokens:,} words"
    return data_error("words-mismatch", variant, tokens=tokens, expected=expected, **values)


def read_words(path: str, drop_edited: bool = False) -> WordList:
    """The words of a `.parse` file, a file with a token on each line, or a CoNLL file.

    Empty elements such as traces are not words. DataError if the file cannot be read.
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
    """The files with words in a directory tree, found by the places of skeletons in theirs."""

    def __init__(self, root: str) -> None:
        self._base = Path(root)
        self._files: dict[str, list[tuple[TreePlace, Path]]] = {}
        self._taken: dict[Path, str | None] = {}
        for file in map(Path, walk(root)):
            if _ending(file) != "skel":
                place = place_of(file, self._base)
                self._files.setdefault(place.key, []).append((place, file))

    def find(self, place: TreePlace, skeleton: str) -> str:
        """The file for a skeleton: on the same path, else of its language, else of its key.

        Trees go before other files. DataError if there is none, or more than one.
        """
        language = place.language
        known = self._files.get(place.key, ())
        listed = [
            (p, f) for p, f in known if None in (language, p.language) or language == p.language
        ]
        same = [f for p, f in listed if p.path == place.path]
        same = same or [f for p, f in listed if p.language == language] or [f for _, f in listed]
        candidates = [f for f in same if _ending(f) == "parse"] or same
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
    """A tree has a blank between a tag and a word; a file of tokens has none but line ends."""
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
