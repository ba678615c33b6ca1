"""Reading JSON lines against reading the same corpus in columns."""

from collections.abc import Iterator
from pathlib import Path

from bench import data
from bench.measure import fastest
from bench.table import Row, at_most, not_measured, seconds

_ROUNDS = 5
_NAME = "read JSON lines, OntoNotes dev / read columns"


def rows(scratch: Path) -> Iterator[Row]:
    """Both unpacked, in one process; the JSON is what `corefkit convert --to e2e` writes."""
    files = data.packed(scratch)
    if files is None:
        yield not_measured(_NAME, data.MISSING)
        return
    import corefkit
    from corefkit.formats import registry

    columns = data.unpacked(files, scratch).key
    lines = scratch / "key.jsonlines"
    write = registry.get("e2e").write
    assert write is not None
    lines.write_bytes(write(corefkit.read(columns), str(lines)).files[str(lines)])
    times = fastest(
        {"lines": lambda: corefkit.read(lines), "columns": lambda: corefkit.read(columns)}, _ROUNDS
    )
    detail = f"{seconds(times['lines'])} / {seconds(times['columns'])}"
    yield at_most(_NAME, times["lines"] / times["columns"], 2, detail=detail)
