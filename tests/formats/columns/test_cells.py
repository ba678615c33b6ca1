"""Cells of rows and brackets of cells, against what Python's strings do."""

import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from corefkit.formats.columns.brackets import CellText, split_brackets
from corefkit.formats.columns.cells import inner_cells, split_cells

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


CELL = st.integers(0, 80).map(lambda length: "aé"[length % 2] * length)


@given(
    st.lists(st.lists(CELL, min_size=1, max_size=7), min_size=1, max_size=6),
    st.integers(0, 5),
    st.sampled_from(["\t", " "]),
    st.integers(1, 90),
)
def test_one_cell_of_each_row(
    cells: list[list[str]], number: int, separator: str, gap: int
) -> None:
    """Whatever the width of a cell or of the gap before it; what follows a row is not of it."""
    tabbed = separator == "\t"
    joined = ("\t" if tabbed else " " * gap).join
    rows = [row for row in (joined(line).rstrip(separator) for line in cells) if row]
    wanted = [row.split("\t") if tabbed else row.split() for row in rows]
    begin, end, data = [], [], b""
    for row in rows:
        begin.append(len(data))
        end.append(len(data) + len(row.encode()))
        data += f"{row}{separator}\n".encode()
    buffer = np.frombuffer(data.rstrip(), dtype=np.uint8)
    first, last = (np.array(places, dtype=np.int64) for places in (begin, end))
    ((start, stop),) = inner_cells(buffer, first, last, [number], separator.encode())
    found = [data[a:b].decode() if b >= 0 else None for a, b in zip(start, stop, strict=True)]
    assert found == [row[number] if len(row) > number + 1 else None for row in wanted]
