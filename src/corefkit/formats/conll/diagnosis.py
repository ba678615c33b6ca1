"""What is wrong with a CoNLL file, as incidents. Nothing here runs fast, nor needs to."""

from collections.abc import Sequence

import numpy as np

from corefkit.data.arrays import IntArray, byte_table
from corefkit.data.document_names import repeated
from corefkit.data.incidents import LISTED
from corefkit.data.texts import shorten
from corefkit.formats.conll.brackets import Brackets, Mentions
from corefkit.formats.conll.lines import Lines, find_byte
from corefkit.formats.detection import describe
from corefkit.formats.trouble import Trouble

_CARRIAGE_RETURN = 13
_GAP = byte_table(b" \t")


_UNPAIRED = {
    "bracket-unopened": ("{0})", "({0} on an earlier line of the document, or ({0}) here"),
    "bracket-unclosed": ("({0}", "{0}) on a later line of the document, or ({0}) here"),
}
"""What is found and expected where a bracket has no partner; {0} is its id."""


class Diagnosis(Trouble):
    """Collects the incidents of one file; cells are numbered as the bracket reader did."""

    def __init__(
        self, path: str, lines: Lines, row: IntArray, column: IntArray, document: IntArray
    ) -> None:
        super().__init__(
            path, lines.data, lines.start, lambda row: lines.text(row).decode("utf-8", "replace")
        )
        self._lines = lines
        self._row, self._column, self._document = row, column, document

    def file(self, outside: IntArray) -> None:
        """What concerns the file as a whole: no document, a document twice, stray lines, bytes."""
        lines = self._lines
        if not lines.names:
            self.found.note(
                "no-document",
                line=None if lines.data.strip() else 1,
                found=describe(lines.data),
                expected="a CoNLL file: '#begin document NAME', one token a line",
            )
            return
        if len(outside):
            expected = "tokens between '#begin document NAME' and '#end document'"
            self.line("token-outside", int(outside[0]), number=len(outside), expected=expected)
        expected = "each document once; names are compared whole, parts included"
        for name, first, again in repeated(lines.names):
            before = f"the name of line {int(lines.begin[first]) + 1} again"
            line = int(lines.begin[again])
            self.line("document-twice", line, document=name, found=before, expected=expected)
        self._carriage_returns()
        self.encoding()

    def brackets(self, brackets: Brackets, mentions: Mentions) -> None:
        """Cells that are not brackets, brackets without a partner."""
        stray = brackets.cell[mentions.stray].tolist()
        expected = "brackets such as (12, 12) or (12), joined by |; or one of - _ *"
        for cell in sorted({*brackets.malformed.tolist(), *stray}):
            self._cell("coreference-text", cell, expected)
        expected = "brackets only where a mention begins or ends"
        for cell in brackets.cell[mentions.continued].tolist():
            self._cell("id-without-bracket", cell, expected)
        self._unpaired(brackets, mentions.unopened, "bracket-unopened")
        self._unpaired(brackets, mentions.unclosed, "bracket-unclosed")

    def _unpaired(self, brackets: Brackets, numbers: Sequence[int], kind: str) -> None:
        for number in numbers:
            if self.found.skip(kind):
                continue
            name = brackets.ids[int(brackets.id[number])][:200].decode("utf-8", "replace")
            shown = shorten(name, 30)
            found, expected = (text.format(shown) for text in _UNPAIRED[kind])
            place, name = int(brackets.place[number]), self._name(int(brackets.cell[number]))
            self.byte(kind, place, entity=shown, document=name, found=found, expected=expected)

    def _cell(self, kind: str, cell: int, expected: str) -> None:
        """An incident of a cell, which is shown."""
        if not self.found.skip(kind):
            start, end = int(self._column[cell]), int(self._lines.end[self._row[cell]])
            text = self._lines.data[start : min(end, start + 400)].decode("utf-8", "replace")
            self.byte(kind, start, document=self._name(cell), found=text, expected=expected)

    def _name(self, cell: int) -> str:
        return self._lines.names[int(self._document[cell])]

    def _carriage_returns(self) -> None:
        """Carriage returns in mid-line: some tools end lines with them, so a token may be lost."""
        lines = self._lines
        if b"\r" not in lines.data:
            return
        place = find_byte(lines.buffer, _CARRIAGE_RETURN)
        line = np.searchsorted(lines.start, place, side="right") - 1
        inner = (line >= 0) & (place > lines.start[line]) & (place < lines.end[line] - 1)
        place = place[inner]
        alone = _GAP[lines.buffer[place - 1]] & _GAP[lines.buffer[place + 1]]  # a cell of its own
        expected = "lines that all end with a line feed, with or without the return"
        stray = place[~alone]  # often one on every line
        for at in stray[:LISTED].tolist():
            self.byte("carriage-return", at, expected=expected)
        self.found.count("carriage-return", len(stray[LISTED:]))
