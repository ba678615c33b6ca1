"""What engines have in common: folders, Arrow, failures; no engine is needed."""

import re

import pyarrow as pa
import pytest

from corefkit.plugins.engines.base import (
    arrow_columns,
    engine_failure,
    first_cause,
    folder_pattern,
)


@pytest.mark.parametrize("column", ["document", "it's", "a.b", "a+b"])
def test_the_value_of_a_folder(column: str) -> None:
    """As SQL has it, where an apostrophe is written twice; other letters stand for themselves."""
    pattern = folder_pattern(column)
    assert pattern.count("'") == 2 * column.count("'")
    plain = pattern.replace("''", "'")
    found = re.search(plain, f"x/{column}=v 1/0.parquet")
    assert found and found[1] == "v 1"
    assert re.search(plain, f"{column}=v/0.parquet")
    assert not re.search(plain, f"x{column}=v/0.parquet")
    assert not re.search(plain, "x/aXb=v/0.parquet")


@pytest.mark.parametrize("kind", ["int8", "uint16", "int64", "float", "double", "string"])
@pytest.mark.parametrize("cut", [(0, 6), (2, 3), (5, 1), (0, 0)])
def test_columns_of_arrow(kind: str, cut: tuple[int, int]) -> None:
    """Also of tables that begin within others, and of several chunks."""
    values: list[object] = [f"v{i}" for i in range(6)] if kind == "string" else [*range(6)]
    type_ = {"float": pa.float32(), "double": pa.float64(), "string": pa.string()}.get(
        kind, getattr(pa, kind, pa.int64)()
    )
    table = pa.table({"x": pa.array(values, type_)}).slice(*cut)
    several = pa.concat_tables([table, table.slice(1), table])
    for one in (table, several):
        assert arrow_columns(one)["x"].tolist() == one["x"].to_pylist()


def test_columns_with_nothing_in_them() -> None:
    (column,) = arrow_columns(pa.table({"x": pa.array([1, None, 3], pa.int64())})).values()
    assert column[0] == 1 and column[1] != column[1] and column[2] == 3


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("one\ntwo", "one"),
        ("  \n", "RuntimeError"),
        ("o: An error.\n: java.lang.First: a\nCaused by: org.x.Last: b\nat y", "Last: b"),
        ("o\nCaused by: org.x.First: a\nCaused by: java.io.Inner$Last: b", "Inner$Last: b"),
        ("x" * 400, "x" * 300),
    ],
)
def test_the_first_cause(text: str, cause: str) -> None:
    assert first_cause(RuntimeError(text)) == cause


@pytest.mark.parametrize(
    ("text", "full"),
    [
        ("write: No space left on device", True),
        ("Disk quota exceeded", True),
        ("File too large", True),
        ("set max_temp_directory_size to more", True),
        ("out of memory", False),
    ],
)
def test_a_full_disk_has_a_hint_of_its_own(text: str, full: bool) -> None:
    incident = engine_failure("duckdb", RuntimeError(text))
    assert incident.id == "engine-failed"
    assert ("disk" in (incident.hint or "")) is full
