"""CoNLL-2011/2012 files, as they occur in practice: only the last column is read.

    #begin document (tale); part 000
    tale   0   0   Once   RB   (S(ADVP*)   -   -   -   -   *    -
    tale   0   1      a   DT        (NP*   -   -   -   -   *   (1|(2)
    tale   0   2   king   NN          *)   -   -   -   -   *   1)

`(12` begins a mention, `12)` ends one, and `(12)` does both; `|` or `_` may separate them. Their
order inside a cell does not matter: one-token mentions are processed first, then openings, then
closings. Of nested mentions of one entity, the one opened last closes first. Some tools write a
bare `12` between `(12` and `12)`, to show that the mention continues; it is ignored.

Number-first columns are those of SemEval-2010, and CoNLL-U rows under '#begin document' (DEMOCRAT).
What can be asked of the tokens of a file, after it was read, is in `ConllSource`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from corefkit.core.arrays import BoolArray, IntArray, distinct, ranks_of
from corefkit.core.brackets import find_spans
from corefkit.core.carriers import frozen
from corefkit.core.columns import Column, column_number
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector, DataError
from corefkit.core.options import PLAIN, Reading
from corefkit.core.source import Source
from corefkit.core.text_pieces import TextPieces
from corefkit.formats.conll.brackets import Brackets, find_brackets, pair_brackets
from corefkit.formats.conll.incidents import ConllIncidents
from corefkit.formats.conll.lines import Lines, lines_of, split_cells, split_columns, word_place
from corefkit.formats.kit.files import AS_THEY_ARE

_RANGE = re.compile(rb"\d+-\d+|\d+\.\d+")
"""The number of a row that is not a token."""


def parse(data: bytes, path: str, reading: Reading = PLAIN, form: str = "conll") -> Corpus:
    """The corpus in the bytes of one file; its incidents are all problems of the file.

    Without `reading.all_columns` only the last column is read, and lines that have more or fewer
    columns than their neighbours are not reported.

    If there are errors, the corpus holds what could be read; it must not be scored. With
    `reading.ids` "digits", brackets with other ids and any other text are ignored.
    """
    lines = Lines(data)
    brackets, malformed = find_brackets(lines)
    seen, is_marked = brackets, bool(malformed or len(brackets.token))
    if reading.ids == "digits":
        seen, malformed = brackets.with_digits(), []
    pairs = pair_brackets(seen, lines.token_document[seen.token])

    incidents = ConllIncidents(path, lines)
    incidents.check_file()
    incidents.check_brackets(seen, pairs, malformed)
    if unseen := len(brackets.token) - len(seen.token):
        expected = "ids of digits, as the reference scorer wants them"
        incidents.note("ids-unseen", number=unseen, expected=expected)
    incidents.check_lines(reading, is_marked=is_marked, number_first=form != "conll")
    incidents.check_ids(seen, pairs)

    first, last = seen.token[pairs.first], seen.token[pairs.last]
    document = lines.token_document[first]
    tokens = np.bincount(lines.token_document, minlength=len(lines.names))
    before = np.cumsum(tokens) - tokens
    entity, ids = _entities(seen, document, pairs.first)
    source = ConllSource(
        path, lines.data, 0, len(lines.names), form, word_column=reading.get("word_column")
    )
    source.cache["lines"] = lines
    return Corpus(
        names=tuple(lines.names),
        tokens=tokens,
        document=document,
        start=first - before[document],
        end=last - before[document],
        entity=entity,
        labels=tuple(id.decode("utf-8", AS_THEY_ARE) for id in ids),
        sources=(source,),
        document_byte=lines.start[lines.begin],
        byte=seen.byte[pairs.first],
        line=lines.tokens[first] + 1,
        incidents=tuple(incidents),
    )


def _entities(
    brackets: Brackets, document: IntArray, first: IntArray
) -> tuple[IntArray, list[bytes]]:
    """The entity of each mention, numbered in the order of first brackets, and their ids."""
    group = document * max(len(brackets.ids), 1) + brackets.id[first]
    entities = distinct(group)
    earliest = np.full(len(entities.values), len(brackets.token))
    np.minimum.at(earliest, entities.inverse, first)
    order = np.argsort(earliest)
    ids = [brackets.ids[id] for id in brackets.id[earliest[order]].tolist()]
    return ranks_of(order)[entities.inverse], ids


def parse_number_first(data: bytes, path: str, reading: Reading) -> Corpus:
    """The corpus in a file of number-first columns; rows 21-22 (ranges) and 5.1 are skipped."""
    collector = Collector(path)
    plain = b"\n".join(_rows(data.split(b"\n"), collector))
    how = replace(
        reading.with_options(word_column=reading.get("word_column") or 2), all_columns=False
    )
    corpus = parse(plain, path, how, "semeval2010")
    return replace(corpus, incidents=(*corpus.incidents, *collector))


def _rows(lines: list[bytes], collector: Collector) -> Iterator[bytes]:
    """The lines, with a comment of the same length in place of each row that is not a token."""
    before, width = 0, 0
    for number, line in enumerate(lines, 1):
        text = line.strip(b" \t\r")
        if not text or text.startswith(b"#"):
            before = 0
            width = 0 if text.startswith((b"#begin", b"# begin")) else width
            yield line
            continue
        cells = split_cells(line.rstrip(b"\r") if b"\t" in text else text)
        if _RANGE.fullmatch(cells[0]):
            if b"(" in cells[-1] or b")" in cells[-1]:
                shown, expected = _text(cells[-1])[:40], "brackets on tokens only"
                collector.note("token-number", "bracket", at=number, found=shown, expected=expected)
            yield b"#" + b" " * (len(line) - 1)
            continue
        number_of_token = int(cells[0]) if cells[0].isdigit() and len(cells[0]) < 10 else None
        if cells[0].isdigit() and number_of_token != before + 1:
            shown = f"{_text(cells[0])[:20]} after {before}"
            collector.note("token-number", at=number, found=shown, expected=str(before + 1))
        before = before + 1 if number_of_token is None else number_of_token
        width = width or len(cells)
        if len(cells) != width:
            has, expected = f"{len(cells)} columns", f"{width} columns"
            collector.note("columns-differ", "document", at=number, found=has, expected=expected)
        yield line


def _text(cell: bytes) -> str:
    return cell.decode("utf-8", "replace")


@frozen(eq=False)
class ConllSource(Source):
    """A CoNLL file: its token columns, sentences and trees.

    `word_column` is the number of the column with the words, from 1; None: it is detected.
    """

    format: str = "conll"
    has_ids: bool = True
    word_column: int | None = None

    @property
    def lines(self) -> Lines:
        """The lines of the file."""
        return lines_of(self)

    def find_columns(self, names: Sequence[str | int], errors: str) -> list[Column]:
        """These columns, by name or number; DataError if a line lacks one.

        Lines are split once, however many columns are requested.
        """
        return split_columns(self.lines, self._placed(names), self.path, errors)

    def columns_at(self, tokens: IntArray, *names: str | int) -> list[Column]:
        """These columns of some tokens; only their lines are split, unless one lacks a column."""
        try:
            return split_columns(self.lines, self._placed(names), self.path, tokens=tokens)
        except DataError:
            return super().columns_at(tokens, *names)

    def words(self) -> TextPieces | None:
        """The words as pieces of the file; None if a line has none."""
        return self.once("words", self._words)

    def _words(self) -> TextPieces | None:
        words = self.lines.pieces(column_number(self._word_place()))
        return None if (words.end < 0).any() else words

    def _placed(self, names: Sequence[str | int]) -> Sequence[str | int]:
        if "word" not in names:
            return names
        place = self._word_place()
        return [place if name == "word" else name for name in names]

    def _word_place(self) -> int | str:
        return word_place(self.lines) if self.word_column is None else self.word_column - 1

    def sentences(self) -> IntArray:
        """int64 (tokens,): the sentence of each; blank lines and ends of documents end one."""
        return np.cumsum(self.lines.begins()) - 1

    def marks_sentences(self) -> bool:
        """Whether a blank line stands in a document."""
        lines = self.lines
        blank = np.flatnonzero(lines.end <= lines.start)
        return bool(
            (np.searchsorted(blank, lines.finish) > np.searchsorted(blank, lines.begin)).any()
        )

    def heads(self, begin: IntArray, end: IntArray) -> IntArray:
        """The head of each span that is a constituent of a tree, −1 for the others."""
        from corefkit.formats.conll.heads import HeadedTrees

        try:
            parse, tags = self.columns("parse", "pos")
        except DataError:  # a file of few columns has no trees
            return np.full(len(begin), -1, dtype=np.int64)
        trees = self.once(
            "trees", lambda: HeadedTrees(find_spans(parse, self.sentences())[0], tags)
        )
        return trees.heads(begin, end)

    def token_lines(self) -> IntArray:
        """int64 (tokens,): the line of each token."""
        return self.lines.tokens + 1

    def head_column(self) -> int | None:
        """The ninth column in SemEval-2010 files."""
        return 8 if self.format == "semeval2010" else None

    def glued_openings(self, after: IntArray) -> BoolArray:
        """Whether each of these bytes is an opening bracket."""
        if self.format == "semeval2010" or not self.data:
            return super().glued_openings(after)
        glued: BoolArray = self.lines.buffer.take(after, mode="clip") == ord("(")
        return glued
