"""CoNLL-2011/2012 files, as they occur in practice: only the last column is read.

Many small files are parsed as one text: a file has fixed costs that exceed those of its lines.
Number-first columns are those of SemEval-2010, and CoNLL-U rows under '#begin document' (DEMOCRAT).
What can be asked of the tokens of a file, after it was read, is in `ConllSource`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, islice

import numpy as np

from corefkit.core.arrays import IntArray, byte_table
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector, DataError
from corefkit.core.options import PLAIN, Reading
from corefkit.core.source import Column, Source, TextPieces, column_number
from corefkit.formats.columns.brackets import find_spans
from corefkit.formats.columns.lines import (
    NO_MARKS,
    Lines,
    columns_of_lines,
    empty_last,
    find_lines,
    last_column,
    lines_of,
    pieces_of_lines,
    word_place,
)
from corefkit.formats.conll.brackets import find_brackets, match, only_digits
from corefkit.formats.conll.incidents import ConllIncidents
from corefkit.formats.kit.files import AS_THEY_ARE

_NONE = byte_table(NO_MARKS)
_RANGE = re.compile(rb"\d+-\d+|\d+\.\d+")
"""The number of a row that is not a token."""


def parse(data: bytes, path: str, reading: Reading = PLAIN, form: str = "conll") -> Corpus:
    """The corpus in the bytes of one file; its incidents are all problems of the file.

    Without `reading.all_columns` only the last column is read, and lines that have more or fewer
    columns than their neighbours are not reported.

    If there are errors, the corpus holds what could be read; it must not be scored. With
    `reading.ids` "digits", brackets with other ids and any other text are ignored.
    """
    lines = find_lines(data)
    row, document, outside = lines.inside
    tokens = np.bincount(document, minlength=len(lines.names))
    before = np.cumsum(tokens) - tokens

    marked, column = _marked_cells(lines)
    brackets = find_brackets(lines.buffer, column, lines.end[row[marked]])
    unseen = 0
    if reading.ids == "digits":
        seen = only_digits(brackets)
        unseen, brackets = len(brackets.cell) - len(seen.cell), seen
    mentions = match(brackets, document[marked])

    incidents = ConllIncidents(path, lines, row[marked], column, document[marked])
    incidents.check_file(outside)
    incidents.check_brackets(brackets, mentions)
    if unseen:
        expected = "ids of digits, as the reference scorer wants them"
        incidents.note("ids-unseen", number=unseen, expected=expected)
    incidents.check_lines(len(marked), reading, number_first=form != "conll")

    labels = [name.decode("utf-8", AS_THEY_ARE) for name in brackets.ids]
    first, last = (marked[brackets.cell[x]] for x in (mentions.first, mentions.last))
    source = ConllSource(
        path, lines.data, 0, len(lines.names), form, word_column=reading.get("word_column")
    )
    source.cache["lines"] = lines
    return Corpus(
        tuple(lines.names),
        tokens,
        document[first],
        first - before[document[first]],
        last - before[document[first]],
        mentions.entity,
        tuple(map(labels.__getitem__, mentions.entity_id.tolist())),
        (source,),
        lines.start[lines.begin],
        brackets.place[mentions.first],
        row[first] + 1,
        incidents=tuple(incidents),
    )


def _marked_cells(lines: Lines) -> tuple[IntArray, IntArray]:
    """The token lines whose last column is not empty, and the first byte of that column."""
    row, _, _ = lines.inside
    marked = np.flatnonzero(~lines.unmarked[row])  # most lines are done with here
    column, end = last_column(lines, row[marked]), lines.end[row[marked]]
    full = ~(_NONE[lines.buffer[end - 1]] & (column == end - 1))
    full[full] = ~empty_last(lines, marked[full])
    return marked[full], column[full]


_BEGIN, _END = b"#begin document", b"#end document"


def parse_together(batch: Sequence[tuple[str, bytes]], reading: Reading = PLAIN) -> Corpus | None:
    """The corpus in files (path, bytes), the same as `concat` makes of the single files.

    None if a file could read differently among others, or if there is any incident: the files are
    then parsed one by one, so that each has its own incidents.
    """
    if not all(_is_plain(data) for _, data in batch):
        return None
    ends = (data.rstrip().endswith(_END) or _END not in data for _, data in batch)
    if reading.all_columns and not all(ends):  # the last document of a file lacks its end
        return None
    texts = [data if data.endswith(b"\n") else data + b"\n" for _, data in batch]
    whole = parse(b"".join(texts), "", reading)
    if any(incident.id != "end-missing" for incident in whole.incidents):
        return None
    byte = np.array([0, *accumulate(map(len, texts))], dtype=np.int64)
    line = np.array([0, *accumulate(text.count(b"\n") for text in texts)], dtype=np.int64)
    document_file = np.searchsorted(byte, whole._begin, side="right") - 1
    first = np.searchsorted(document_file, np.arange(len(batch) + 1)).tolist()
    mention_file = document_file[whole.document]
    if not np.bincount(mention_file, minlength=len(batch)).all():
        return None  # a file without mentions is reported
    return replace(
        whole,
        incidents=(),
        sources=tuple(
            ConllSource(
                path,
                data,
                first[i],
                first[i + 1] - first[i],
                whole.sources[0].format,
                word_column=reading.get("word_column"),
            )
            for i, (path, data) in enumerate(batch)
        ),
        _begin=whole._begin - byte[document_file],
        _byte=whole._byte - byte[mention_file],
        line=whole.line - line[mention_file],
    )


def _is_plain(data: bytes) -> bool:
    """Whether no line of the file depends on other lines of the file, or of the file before it.

    A file must begin with its document. Whether a tab at the end of a line means an empty column
    depends on the other lines, see `lines.empty_last`.
    """
    if not data.startswith(_BEGIN) or b"\n" not in data:
        return False
    ends = (b"\t\n", b" \n", b"\r")
    return b"\t" not in data or not (any(e in data for e in ends) or data[-1:] in b"\t ")


def _is_wide(data: bytes) -> bool:
    """Whether the first token has more than three columns."""
    lines = islice(re.finditer(rb"^(?!#)[^\r\n]*\S[^\r\n]*", data, re.MULTILINE), 1)
    return all(len(line[0].split(None, 4)) > 3 for line in lines)


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
        tabs = b"\t" in text
        cells = line.rstrip(b"\r").split(b"\t") if tabs else list(filter(None, text.split(b" ")))
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
    word_column: int | None = None

    def find_columns(self, names: Sequence[str | int], errors: str) -> list[Column]:
        """These columns, by name or number; DataError if a line lacks one.

        Lines are split once, however many columns are requested.
        """
        return self._columns_of_lines(names, errors)

    def columns_at(self, tokens: IntArray, *names: str | int) -> list[Column]:
        """These columns of some tokens; only their lines are split, unless one lacks a column."""
        try:
            return self._columns_of_lines(names, "replace", tokens)
        except DataError:
            return super().columns_at(tokens, *names)

    def _columns_of_lines(
        self, names: Sequence[str | int], errors: str, tokens: IntArray | None = None
    ) -> list[Column]:
        if "word" in names:
            place = self._word_place()
            names = [place if name == "word" else name for name in names]
        return columns_of_lines(self, names, errors, tokens)

    def words(self) -> TextPieces | None:
        """The words as pieces of the file; None if a line has none."""
        number = column_number(self._word_place())
        return self.once("words", lambda: pieces_of_lines(lines_of(self), number))

    def _word_place(self) -> int | str:
        return word_place(self) if self.word_column is None else self.word_column - 1

    def joined_with(self, others: Sequence[Source]) -> "ConllSource | None":
        """All files as one source, if each begins with a document and has more than three columns.

        Then a line means the same as in its own file; otherwise None.
        """
        texts = [self.data, *(other.data for other in others)]
        kinds = {(other.format, getattr(other, "word_column", 0)) for other in (self, *others)}
        if len(kinds) > 1 or not all(_is_plain(data) and _is_wide(data) for data in texts):
            return None
        data = b"".join(data if data.endswith(b"\n") else data + b"\n" for data in texts)
        return replace(self, path="", data=data, cache={})

    def sentences(self) -> IntArray:
        """int64 (tokens,): the sentence of each; blank lines and ends of documents end one."""
        return np.cumsum(lines_of(self).tokens()[1]) - 1

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
        return lines_of(self).tokens()[0] + 1
