"""The problems of a CoNLL file, as incidents.

`check` also compares the columns of document names and token numbers with the lines around them. No
score depends on these, but if they do not fit, files were often joined or have lost lines.
"""

import re
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from corefkit.core.arrays import BoolArray, IntArray, byte_table, distinct, tuples
from corefkit.core.incidents import Collector
from corefkit.core.names import repeated, split_name
from corefkit.core.options import Reading
from corefkit.core.source import TextPieces
from corefkit.core.texts import quote, shorten
from corefkit.formats.columns.buffer import ByteTally, RowIncidents, find_byte, read_numbers
from corefkit.formats.columns.interning import intern_runs
from corefkit.formats.columns.lines import Lines, inner_columns, split_fields
from corefkit.formats.conll.brackets import BracketedMentions, CoreferenceBrackets
from corefkit.formats.kit.detection import missing_document

_TAB, _BLANK = b"\t "
_FEWEST = 3
_END = re.compile(rb"#\s*end\s+document\b")
_CARRIAGE_RETURN = 13
_GAP = byte_table(b" \t")
_UNPAIRED = {
    "bracket-unopened": ("{0})", "({0} on an earlier line of the document, or ({0}) here"),
    "bracket-unclosed": ("({0}", "{0}) on a later line of the document, or ({0}) here"),
}
"""The `found` and `expected` of brackets without a partner; {0} is the id."""


class ConllIncidents(RowIncidents):
    """Collects the incidents of one file; cells have the numbers of the bracket reader."""

    def __init__(
        self, path: str, lines: Lines, row: IntArray, column: IntArray, document: IntArray
    ) -> None:
        super().__init__(
            path, lines.data, lines.start, lambda row: lines.text(row).decode("utf-8", "replace")
        )
        self._lines = lines
        self._row, self._column, self._document = row, column, document

    def check_file(self, outside: IntArray) -> None:
        """Report problems of the file as a whole: documents, stray lines, encoding."""
        lines = self._lines
        if not lines.names:
            self.note("no-document", **missing_document(lines.data))
            return
        if len(outside):
            expected = "tokens between '#begin document NAME' and '#end document'"
            line = self.at_line(int(outside[0]))
            self.note("token-outside", at=line, number=len(outside), expected=expected)
        expected = "each document once; names must match in full, parts included"
        for name, first, again in repeated(lines.names):
            before = f"the name of line {int(lines.begin[first]) + 1} again"
            line = self.at_line(int(lines.begin[again]))
            self.note("document-twice", at=line, document=name, found=before, expected=expected)
        self._check_carriage_returns()
        self.check_encoding()

    def check_brackets(self, brackets: CoreferenceBrackets, mentions: BracketedMentions) -> None:
        """Report cells that are not brackets, and brackets without a partner."""
        stray = brackets.cell[mentions.stray].tolist()
        expected = "brackets such as (12, 12) or (12), joined by |; or one of - _ *"
        for cell in sorted({*brackets.malformed.tolist(), *stray}):
            self._note_cell("coreference-text", cell, expected)
        expected = "brackets only where a mention begins or ends"
        for cell in brackets.cell[mentions.continued].tolist():
            self._note_cell("id-without-bracket", cell, expected)
        self._note_unpaired(brackets, mentions.unopened, "bracket-unopened")
        self._note_unpaired(brackets, mentions.unclosed, "bracket-unclosed")

    def check_lines(self, marked: int, reading: Reading, *, number_first: bool = False) -> None:
        """Report oddities that do not prevent scoring; `marked` is how many tokens have brackets.

        With `number_first` the columns are those of SemEval-2010, which do not name documents.
        """
        lines = self._lines
        if not lines.names:
            return
        _check_documents(lines, self)
        _check_hash_lines(lines, self)
        if reading.all_columns:
            _check_columns(lines, self)
        if reading.all_columns or reading.token_columns:
            _check_parts(lines, self)
            _check_end(lines, self, alone=reading.token_columns)
        if reading.token_columns and not number_first:
            check_token_columns(lines, self)
        if (offset := lines.data.find(b"\x00")) >= 0:
            self.note("nul-byte", at=lines.data.count(b"\n", 0, offset) + 1)
        if not marked and lines.token.any():
            self.note("no-mention")

    def _note_unpaired(
        self, brackets: CoreferenceBrackets, numbers: Sequence[int], kind: str
    ) -> None:
        for number in self.listed(kind, numbers):
            id = brackets.ids[int(brackets.id[number])][:200].decode("utf-8", "replace")
            entity = shorten(id, 30)
            found, expected = (text.format(entity) for text in _UNPAIRED[kind])
            self.note(
                kind,
                at=self.at_byte(int(brackets.place[number])),
                entity=entity,
                document=self._name(int(brackets.cell[number])),
                found=shorten(found),
                expected=expected,
            )

    def _note_cell(self, kind: str, cell: int, expected: str) -> None:
        """Note an incident of a cell, and show the cell."""
        start, end = int(self._column[cell]), int(self._lines.end[self._row[cell]])
        text = self._lines.data[start : min(end, start + 400)].decode("utf-8", "replace")
        self.note(
            kind,
            at=self.at_byte(start),
            document=self._name(cell),
            found=partial(shorten, text),
            expected=expected,
        )

    def _name(self, cell: int) -> str:
        return self._lines.names[int(self._document[cell])]

    def _check_carriage_returns(self) -> None:
        """Report carriage returns inside a line, at which some tools end it and lose a token."""
        lines = self._lines
        if b"\r" not in lines.data:
            return
        place = find_byte(lines.buffer, _CARRIAGE_RETURN)
        line = np.searchsorted(lines.start, place, side="right") - 1
        inner = (line >= 0) & (place > lines.start[line]) & (place < lines.end[line] - 1)
        place = place[inner]
        alone = _GAP[lines.buffer[place - 1]] & _GAP[lines.buffer[place + 1]]  # a cell of its own
        expected = "lines that all end with a line feed, with or without a carriage return"
        stray = place[~alone]  # often one on every line
        for at in self.listed("carriage-return", stray.tolist()):
            self.note("carriage-return", at=self.at_byte(at), expected=expected)


def _check_documents(lines: Lines, incidents: Collector) -> None:
    sizes = np.bincount(lines.inside[1], minlength=len(lines.names))
    if all(lines.names) and sizes.all():
        return
    for name, (size, begin) in zip(lines.names, tuples(sizes, lines.begin), strict=True):
        if not name:
            incidents.note("document-unnamed", at=begin + 1)
        if not size:
            incidents.note("document-empty", at=begin + 1, document=name)


def _check_hash_lines(lines: Lines, incidents: Collector) -> None:
    """Report ends without a beginning, and comments that look like tokens."""
    other = (lines.end > lines.start) & ~lines.token
    other[lines.begin] = False
    other[lines.finish[lines.finish < len(other)]] = False
    document = lines.document()
    for line in np.flatnonzero(other).tolist():
        text, number = lines.text(line), int(document[line])
        if _END.match(text):
            incidents.note("end-without-begin", at=line + 1)
        elif number >= 0 and line < lines.finish[number] and _is_like_token(text):
            shown, name = shorten(text.decode("utf-8", "replace")), lines.names[number]
            incidents.note("comment-with-bracket", at=line + 1, document=name, found=shown)


def _is_like_token(comment: bytes) -> bool:
    """Whether a comment has as many columns as a token line, and ends like one."""
    *before, last = comment.split()
    return len(before) >= _FEWEST and (last in (b"-", b"_", b"*") or b"(" in last or b")" in last)


def _check_columns(lines: Lines, incidents: Collector) -> None:
    """Report sentences whose lines have different numbers of columns."""
    row, begins = lines.tokens()
    if not len(row):
        return
    tabs, words = _count_columns(lines, row)
    first = np.flatnonzero(begins)[np.cumsum(begins) - 1]
    # Tabs after the last column may or may not mean one more, so both numbers are accepted.
    odd = np.flatnonzero((tabs != tabs[first]) & (words != words[first]))
    document = lines.document()
    for i in odd[distinct(first[odd]).first].tolist():
        line, model = int(row[i]), int(row[first[i]])
        text, other = (lines.text(n).decode("utf-8", "replace") for n in (line, model))
        own, others = len(split_fields(text)), len(split_fields(other))
        incidents.note(
            "columns-vary",
            at=line + 1,
            own=own,
            others=others,
            document=lines.names[int(document[line])],
            found=f"{own} columns: {shorten(text)}",
            expected=f"{others} columns, as in line {model + 1:,}",
        )


def _check_parts(lines: Lines, incidents: Collector) -> None:
    """Report documents whose names differ only in the spelling of the part: part 0 and part 000."""
    seen: dict[tuple[str, int], int] = {}
    for number, name in enumerate(lines.names):
        id, part = split_name(name)
        if part is None or not (part.isascii() and part.isdigit() and len(part) < 10):
            continue
        first = seen.setdefault((id, int(part)), number)
        if lines.names[first] != name:
            line = int(lines.begin[first]) + 1
            shown = f"{lines.names[first]} on line {line}"
            place = int(lines.begin[number]) + 1
            incidents.note(
                "part-alike", at=place, document=name, found=shown, expected="one spelling"
            )


def _check_end(lines: Lines, incidents: Collector, *, alone: bool) -> None:
    """Report a last document without an end, if others have one: the file may be truncated.

    With `alone`, the only document of a file must have an end, too. Several documents without any
    end are taken as intended.
    """
    ended = set(lines.finish[:-1].tolist()) - set(lines.begin.tolist())
    if not ended and not (alone and len(lines.names) == 1):
        return
    if int(lines.finish[-1]) >= len(lines.start):
        incidents.note("end-missing", at=len(lines.start), document=lines.names[-1])


def _count_columns(lines: Lines, row: IntArray) -> tuple[IntArray, IntArray]:
    """How many tabs each line has, with and without those after its text.

    In a file without tabs, both are the number of words.
    """
    start, end = lines.start[row], lines.end[row]
    if not lines.has_tabs:
        gaps = ByteTally.of(lines.buffer, _BLANK).after_runs()
        words = gaps.before(end) - gaps.before(start) + (lines.buffer[start] != _BLANK)
        return words, words
    tabs = ByteTally.of(lines.buffer, _TAB)
    before = tabs.before(start)
    stop = np.append(lines.start[1:], len(lines.buffer))[row]
    return tabs.before(stop) - before, tabs.before(end) - before


_DOCUMENT, _NUMBER, _WORD = 0, 2, 3
"""The columns of a CoNLL file; one without a column after the word has other columns."""
_AT_ONCE = 1 << 16
"""How many lines are checked together."""
_NOWHERE, _ANY = -1, -2


def check_token_columns(lines: Lines, incidents: Collector) -> None:
    """Report, once per document, a token of another document, and token numbers that jump."""
    row, begins = lines.tokens()
    document = lines.inside[1]
    columns = inner_columns(lines, _DOCUMENT, _NUMBER, _WORD)
    seen: set[tuple[int, int]] = set()
    for at in range(0, len(row), _AT_ONCE):
        chunk = slice(at, at + _AT_ONCE)
        names, numbers, words = (column.take(chunk) for column in columns)
        if (words.end < 0).any():
            return
        for which, pieces, wrong in (
            (_DOCUMENT, names, _of_other_document(lines, document[chunk], names)),
            (_NUMBER, numbers, _jumps(numbers, begins[chunk])),
        ):
            for place in np.flatnonzero(wrong).tolist():
                number = int(document[chunk][place])
                if (which, number) not in seen:
                    seen.add((which, number))
                    name, text = lines.names[number], pieces.text(place)
                    _note(incidents, which, int(row[chunk][place]) + 1, name, text)


def _of_other_document(lines: Lines, document: IntArray, pieces: TextPieces) -> BoolArray:
    """bool (tokens,): whether the column differs from the id in a name such as "(id); part 000"."""
    column = intern_runs(pieces.buffer, pieces.start, pieces.end)
    code_of = {text: code for code, text in enumerate(column.values)}
    low, high = int(document.min()), int(document.max())
    expected = np.full(high - low + 1, _ANY, dtype=np.int64)
    for number in range(low, high + 1):
        id, part = split_name(lines.names[number])
        if part is not None and " " not in id:
            expected[number - low] = code_of.get(id, _NOWHERE)
    wanted = expected[document - low]
    wrong: BoolArray = (wanted != _ANY) & (wanted != column.code)
    return wrong


def _jumps(pieces: TextPieces, begins: BoolArray) -> BoolArray:
    """bool (tokens,): whether the number is not one more than before; sentences may start again.

    If most cells are not numbers, it is another column, and nothing is reported.
    """
    value, stop = read_numbers(pieces.buffer, pieces.start)
    numbers: BoolArray = (stop == pieces.end) & (pieces.end > pieces.start)
    if not numbers.all():
        return ~numbers & (10 * int(numbers.sum()) > 9 * len(numbers))
    jump = np.diff(value, prepend=value[:1] - 1) != 1
    jumps: BoolArray = jump & ~(begins & (value <= 1))
    return jumps


def _note(incidents: Collector, which: int, line: int, document: str, text: str) -> None:
    details: dict[str, Any] = {"at": line, "document": document, "found": quote(text)}
    if which == _DOCUMENT:
        incidents.note("document-column", expected=quote(split_name(document).id), **details)
    else:
        expected = "numbers that run on within a sentence"
        incidents.note("token-number", "conll", severity="warning", expected=expected, **details)
