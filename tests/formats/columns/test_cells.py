"""Cells of rows and brackets of cells, against what Python's strings do."""

import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from corefkit.formats.columns.brackets import CellText, split_brackets
from corefkit.formats.columns.cells import split_cells

ROWS = st.lists(st.from_regex(r"[ab]([ \t]*[ab])*", fullmatch=True), min_size=1, max_size=6)


def bounds(texts: list[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A file of these texts, one per line; where each begins and ends."""
    length = np.array([len(text) for text in texts])
    begin = np.cumsum(length + 1) - length - 1
    buffer = np.frombuffer("\n".join([*texts, ""]).encode(), dtype=np.uint8)
    return buffer, begin, begin + length


@given(ROWS)
def test_rows_are_split_by_tabs_else_by_blanks(rows: list[str]) -> None:
    wanted = [row.split("\t") if "\t" in row else row.split() for row in rows]
    buffer, begin, end = bounds(rows)
    table = split_cells(buffer, begin, end)
    assert table.count.tolist() == [len(cells) for cells in wanted]
    assert table.tabbed.tolist() == ["\t" in row for row in rows]
    for column in range(max(map(len, wanted))):
        start, stop = table.bounds(np.full(len(rows), column))
        cells = [buffer[a:b].tobytes().decode() for a, b in zip(start, stop, strict=True)]
        assert cells == [row[min(column, len(row) - 1)] for row in wanted]


@given(st.lists(st.text("()a|", min_size=1, max_size=8), min_size=1, max_size=5), st.booleans())
def test_cells_are_split_at_brackets(cells: list[str], joined: bool) -> None:
    buffer, begin, end = bounds(cells)
    text = CellText.of(buffer, begin, end)
    pieces = split_brackets(text, text.byte == ord("|") if joined else None)
    letters = "[^()|]" if joined else "[^()]"
    piece = re.compile(rf"\({letters}*\)?|{letters}+\)?|\)")
    wanted = [(n, found[0]) for n, cell in enumerate(cells) for found in piece.finditer(cell)]
    spans = zip(pieces.start.tolist(), pieces.end.tolist(), strict=True)
    found = [buffer[a:b].tobytes().decode() for a, b in spans]
    assert list(zip(pieces.cell.tolist(), found, strict=True)) == wanted
    kinds = {(True, True): 0, (True, False): 1, (False, True): 2, (False, False): 3}
    assert pieces.kind.tolist() == [kinds[p[0] == "(", p[-1] == ")"] for _, p in wanted]
    spans = zip(pieces.inner_start.tolist(), pieces.inner_end.tolist(), strict=True)
    assert [buffer[a:b].tobytes().decode() for a, b in spans] == [p.strip("()") for _, p in wanted]
