"""The problems of a CoNLL file, as incidents.

`check` also compares the columns of document names and token numbers with the lines around them. No
score depends on these, but if they do not fit, files were often joined or have lost lines.
"""

import re
from collections.abc import Iterable, Sequence

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.columns import means_none
from corefkit.core.incidents import At, Collector, FilePlaces
from corefkit.core.names import repeated, split_name
from corefkit.core.options import Reading
from corefkit.core.texts import quote, shorten
from corefkit.formats.conll.brackets import BracketPairs, Brackets
from corefkit.formats.conll.lines import Lines, split_cells
from corefkit.formats.kit.detection import missing_document
from corefkit.formats.kit.encoding import check_encoding
from corefkit.formats.kit.files import LARGEST_CELL

_FEWEST = 3
_END = re.compile(rb"#\s*end\s+document\b")


class ConllIncidents(Collector):
    """Collects the incidents of one file; lines count from 0 here, and from 1 in messages."""

    def __init__(self, path: str, lines: Lines) -> None:
        super().__init__(path)
        self._lines = lines
        self._places = FilePlaces(
            lines.data, lines.start, lambda row: lines.text(row).decode("utf-8", "replace")
        )

    def _at_line(self, row: int) -> At:
        return self._places.line(row + 1)

    def _shown(self, row: int) -> str:
        return shorten(self._lines.text(row).decode("utf-8", "replace"))

    def _name(self, row: int) -> str:
        return self._lines.names[int(self._lines.document[row])]

    def check_file(self) -> None:
        """Report problems of the file as a whole: documents, stray lines, encoding."""
        lines = self._lines
        if not lines.names:
            expected = "a CoNLL file: '#begin document NAME', one token per line"
            self.note("no-document", **missing_document(lines.data, expected))
            return
        if len(lines.outside):
            expected = "tokens between '#begin document NAME' and '#end document'"
            line = self._at_line(int(lines.outside[0]))
            self.note("token-outside", at=line, number=len(lines.outside), expected=expected)
        expected = "each document once; names must match in full, parts included"
        for name, first, again in repeated(lines.names):
            before = f"the name of line {int(lines.begin[first]) + 1} again"
            line = int(lines.begin[again]) + 1
            self.note("document-twice", at=line, document=name, found=before, expected=expected)
        if lines.has_returns:
            self._check_carriage_returns()
        self._check_sizes()
        check_encoding(lines.data, self)

    def _check_sizes(self) -> None:
        """Report words, ids and other cells that are too large to be real.

        Only a cell of the last column may be large, as it has any number of brackets.
        """
        lines = self._lines
        large = lines.tokens[(lines.end - lines.start)[lines.tokens] > LARGEST_CELL]
        if not len(large):
            return
        for row, (*cells, last) in lines.cells(large):
            size = max(map(len, (*cells, *re.split(rb"[()|]", last))))
            if size > LARGEST_CELL:
                expected = f"at most {LARGEST_CELL:,} bytes"
                at, name = self._at_line(row), self._name(row)
                self.note(
                    "file-too-large", "cell", at=at, document=name, size=size, expected=expected
                )

    def _check_carriage_returns(self) -> None:
        """Report carriage returns inside a line, at which some tools end it and lose a token."""
        lines, stray = self._lines, []
        for found in re.finditer(rb"\r(?!\n)", lines.data):
            at = found.start()
            row = self._places.line_of(at) - 1
            is_cell = {lines.data[at - 1], *lines.data[at + 1 : at + 2]} <= {*b" \t"}
            if row >= 0 and lines.start[row] < at < lines.end[row] - 1 and not is_cell:
                stray.append(at)
        expected = "lines that all end with a line feed, with or without a carriage return"
        for at in self.listed("carriage-return", stray):  # often one on every line
            self.note("carriage-return", at=self._places.byte(at), expected=expected)

    def check_brackets(
        self, brackets: Brackets, pairs: BracketPairs, malformed: Iterable[tuple[int, int]]
    ) -> None:
        """Report cells that are not brackets (line and byte), and brackets without a partner."""
        rows = self._lines.tokens[brackets.token]

        def cells_of(numbers: IntArray) -> list[tuple[int, int]]:
            return [*zip(rows[numbers].tolist(), brackets.cell[numbers].tolist(), strict=True)]

        expected = "brackets such as (12, 12) or (12), joined by |; or one of - _ *"
        cells = sorted({*malformed, *cells_of(pairs.stray)})
        self._note_cells("coreference-text", cells, expected)
        expected = "brackets only where a mention begins or ends"
        self._note_cells("id-without-bracket", cells_of(pairs.continued), expected)
        for kind, numbers, found, expected in (
            ("bracket-unopened", pairs.unopened, "{0})", "({0} on an earlier line"),
            ("bracket-unclosed", pairs.unclosed, "({0}", "{0}) on a later line"),
        ):
            for number in self.listed(kind, numbers.tolist()):
                id = brackets.ids[brackets.id[number]]
                entity = shorten(id[:200].decode("utf-8", "replace"), 30)
                self.note(
                    kind,
                    at=self._places.byte(int(brackets.byte[number])),
                    entity=entity,
                    document=self._name(int(rows[number])),
                    found=shorten(found.format(entity)),
                    expected=f"{expected} of the document, or ({{0}}) here".format(entity),
                )

    def _note_cells(self, kind: str, cells: Sequence[tuple[int, int]], expected: str) -> None:
        for row, start in self.listed(kind, cells):
            end = min(int(self._lines.end[row]), start + 400)
            shown = shorten(self._lines.data[start:end].decode("utf-8", "replace"))
            at, name = self._places.byte(start), self._name(row)
            self.note(kind, at=at, document=name, found=shown, expected=expected)

    def check_ids(self, brackets: Brackets, pairs: BracketPairs) -> None:
        """Report ids of mentions that look like marks of "no entity", such as * in (*)."""
        for number, id in enumerate(brackets.ids):
            if means_none(mark := id.decode("utf-8", "replace")):
                named = pairs.first[brackets.id[pairs.first] == number]
                if len(named):
                    at = int(self._lines.tokens[brackets.token[named[0]]]) + 1
                    self.note("id-like-none", "brackets", at=at, mark=mark, number=len(named))

    def check_lines(self, reading: Reading, *, is_marked: bool, number_first: bool = False) -> None:
        """Report oddities that do not prevent scoring; `is_marked` is whether a token has brackets.

        With `number_first` the columns are those of SemEval-2010, which do not name documents.
        """
        lines = self._lines
        if not lines.names:
            return
        self._check_documents()
        self._check_hash_lines()
        if reading.all_columns:
            self._check_columns()
        if reading.all_columns or reading.token_columns:
            self._check_parts()
            self._check_end(alone=reading.token_columns)
        if reading.token_columns and not number_first:
            self._check_token_columns()
        if (offset := lines.data.find(b"\x00")) >= 0:
            self.note("nul-byte", at=lines.data.count(b"\n", 0, offset) + 1)
        if not is_marked and lines.token.any():
            self.note("no-mention")

    def _check_documents(self) -> None:
        lines = self._lines
        sizes = np.bincount(lines.token_document, minlength=len(lines.names)).tolist()
        for name, size, begin in zip(lines.names, sizes, lines.begin.tolist(), strict=True):
            if not name:
                self.note("document-unnamed", at=begin + 1)
            if not size:
                self.note("document-empty", at=begin + 1, document=name)

    def _check_hash_lines(self) -> None:
        """Report ends without a beginning, and comments that look like tokens."""
        lines = self._lines
        other = (lines.end > lines.start) & ~lines.token
        other[lines.begin] = False
        other[lines.finish[lines.finish < len(other)]] = False
        for row in np.flatnonzero(other).tolist():
            text, number = lines.text(row), int(lines.document[row])
            if _END.match(text):
                self.note("end-without-begin", at=row + 1)
            elif number >= 0 and row < lines.finish[number] and _is_like_token(text):
                name = lines.names[number]
                self.note("comment-with-bracket", at=self._at_line(row), document=name)

    def _check_columns(self) -> None:
        """Report the first line of each sentence that has other columns than its first line.

        Tabs after the last column may or may not mean one more, so both numbers are accepted.
        """
        lines, data = self._lines, self._lines.data
        stops = np.append(lines.start[1:], len(data))[lines.tokens].tolist()
        model, first, reported = (0, 0), 0, False
        for (row, cells), begins, stop in zip(
            lines.cells(lines.tokens), lines.begins().tolist(), stops, strict=True
        ):
            size = len(cells), len(cells)
            if lines.has_tabs:
                tabs = data.count(b"\t", lines.start[row], lines.end[row])
                size = tabs + data.count(b"\t", lines.end[row], stop), tabs
            if begins:
                model, first, reported = size, row, False
            elif not reported and size[0] != model[0] and size[1] != model[1]:
                reported = True
                own, others = (len(split_cells(lines.text(n))) for n in (row, first))
                self.note(
                    "columns-vary",
                    at=row + 1,
                    own=own,
                    others=others,
                    document=self._name(row),
                    found=f"{own} columns: {self._shown(row)}",
                    expected=f"{others} columns, as in line {first + 1:,}",
                )

    def _check_parts(self) -> None:
        """Report documents whose names differ only in the spelling of the part: 0 and 000."""
        seen: dict[tuple[str, int], tuple[str, int]] = {}
        for name, line in zip(self._lines.names, (self._lines.begin + 1).tolist(), strict=True):
            id, part = split_name(name)
            if part is None or not (part.isascii() and part.isdigit() and len(part) < 10):
                continue
            first, where = seen.setdefault((id, int(part)), (name, line))
            if first != name:
                shown, expected = f"{first} on line {where}", "one spelling"
                self.note("part-alike", at=line, document=name, found=shown, expected=expected)

    def _check_end(self, *, alone: bool) -> None:
        """Report a last document without an end, if others have one: the file may be truncated.

        With `alone`, the only document of a file must have an end, too. Several documents without
        any end are taken as intended.
        """
        lines = self._lines
        ended = {*lines.finish[:-1].tolist()} - {*lines.begin.tolist()}
        if not ended and not (alone and len(lines.names) == 1):
            return
        if int(lines.finish[-1]) >= len(lines.start):
            self.note("end-missing", at=len(lines.start), document=lines.names[-1])

    def _check_token_columns(self) -> None:
        """Report, once per document, a token of another document, and token numbers that jump.

        If most cells of the third column are not numbers, it is another column.
        """
        lines = self._lines
        names = [
            id.encode("utf-8", "surrogateescape") if part is not None and " " not in id else None
            for id, part in map(split_name, lines.names)
        ]
        others, jumps = dict[int, tuple[int, bytes]](), dict[int, tuple[int, bytes]]()
        numbers, before = 0, None
        for (row, cells), document, begins in zip(
            lines.cells(lines.tokens),
            lines.token_document.tolist(),
            lines.begins().tolist(),
            strict=True,
        ):
            if len(cells) < 5:
                return
            name, _, number, *_ = cells
            if names[document] not in (None, name):
                others.setdefault(document, (row, name))
            value = int(number) if number.isdigit() and len(number) < 10 else None
            numbers += value is not None
            if value is None or (
                before is not None and value != before + 1 and not (begins and value <= 1)
            ):
                jumps.setdefault(document, (row, number))
            before = before if value is None else value
        for document, (row, cell) in others.items():
            self._note_token(
                "document-column",
                "",
                row,
                cell,
                expected=quote(split_name(lines.names[document]).id),
            )
        if 10 * numbers > 9 * len(lines.tokens):
            expected = "numbers that run on within a sentence"
            for row, cell in jumps.values():
                self._note_token(
                    "token-number", "conll", row, cell, expected=expected, severity="warning"
                )

    def _note_token(self, kind: str, variant: str, row: int, cell: bytes, **details: str) -> None:
        shown = quote(cell.decode("utf-8", "replace"))
        self.note(kind, variant, at=row + 1, document=self._name(row), found=shown, **details)


def _is_like_token(comment: bytes) -> bool:
    """Whether a comment has as many columns as a token line, and ends like one."""
    *before, last = comment.split()
    return len(before) >= _FEWEST and (last in (b"-", b"_", b"*") or b"(" in last or b")" in last)
