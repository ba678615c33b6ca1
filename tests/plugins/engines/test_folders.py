"""Names of files with marks of globs, and columns that are folders: one rule for all engines."""

from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import corefkit
from corefkit.plugins.engines.base import folder_columns

ENGINES = ["memory", "duckdb", pytest.param("spark", marks=pytest.mark.spark)]


def write(path: Path, **columns: list[Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), path)
    return path


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("name", "neighbour"), [("r[1]", "r1"), ("r?", "r1"), ("r*", "r1"), ("{a,b}", "a")]
)
def test_names_are_literal(tmp_path: Path, engine: Any, name: str, neighbour: str) -> None:
    key = write(tmp_path / "key" / "k.parquet", mention=[1, 2, 3], entity=[1, 1, 1])
    wanted = write(tmp_path / f"{name}.parquet", mention=[1, 2, 3], entity=[1, 1, 2])
    write(tmp_path / f"{neighbour}.parquet", mention=[1, 2, 3], entity=[1, 1, 1])
    muc = corefkit.score(key, wanted, "muc", engine=engine)["muc"]
    assert muc.counts == {"recall": [1, 2], "precision": [1, 1]}


@pytest.mark.parametrize("engine", ENGINES)
def test_columns_of_files_override_folders(tmp_path: Path, engine: Any) -> None:
    """The entities are those of the column, under `entity=zz` too; and one is warned."""
    columns: dict[str, list[Any]] = {"mention": [1, 2, 3, 4], "entity": ["p", "p", "q", "q"]}
    key = write(tmp_path / "key.parquet", document=["a b"] * 4, **columns)
    part = write(tmp_path / "run" / "document=a%20b" / "entity=zz" / "0.parquet", **columns)
    scores = corefkit.score(key, tmp_path / "run", "muc", engine=engine)
    assert scores["muc"].counts == {"recall": [2, 2], "precision": [2, 2]}
    (incident,) = scores.incidents
    assert (incident.id, incident.severity) == ("folder-ignored", "warning")
    assert "column 'entity'" in incident.message
    assert engine != "memory" or incident.file == str(part)


@pytest.mark.parametrize("engine", ENGINES)
def test_folders_are_columns_that_files_lack(tmp_path: Path, engine: Any) -> None:
    key = write(tmp_path / "key.parquet", mention=[1, 2, 3, 4], entity=["p", "p", "q", "q"])
    write(tmp_path / "run" / "entity=p" / "0.parquet", mention=[1, 2])
    write(tmp_path / "run" / "entity=q" / "0.parquet", mention=[3, 4])
    scores = corefkit.score(key, tmp_path / "run", "muc", engine=engine)
    assert scores["muc"].counts == {"recall": [2, 2], "precision": [2, 2]}
    assert scores.incidents == ()


def test_folder_columns() -> None:
    assert folder_columns(["a=b/c.parquet", "x/d=e=f/a=c/b=1.parquet"]) == ["a", "d"]


@pytest.mark.parametrize("engine", ENGINES)
def test_names_that_are_bytes(tmp_path: Path, engine: Any) -> None:
    """They are UTF-8, and equal the same names as texts; other bytes are shown one by one."""
    names = ["f", "café", "a'b\\", "\\x66\\xE9"]
    raw = [*(name.encode() for name in names[:3]), b"f\xe9"]
    columns = {"mention": [1, 1, 1, 1], "entity": [1, 1, 1, 1]}
    texts = write(tmp_path / "texts.parquet", document=names, **columns)
    coded = write(tmp_path / "bytes.parquet", document=raw, **columns)
    scores = corefkit.score(texts, coded, "mentions", engine=engine)
    assert scores["mentions"].counts == {"recall": [4, 4], "precision": [4, 4]}
    assert scores.incidents == ()
    assert engine != "memory" or corefkit.read(coded).names == tuple(names)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("folder", ["%C3%A9 %27", "é '", "1+1", "50%", "%2B"])
def test_folders_are_encoded_by_percent_signs_only(
    tmp_path: Path, engine: Any, folder: str
) -> None:
    """As DuckDB writes them, every byte of a letter encoded, and as Spark does, some signs."""
    name = unquote(folder)
    key = write(tmp_path / "key.parquet", document=[name], mention=[1], entity=[1])
    write(tmp_path / "run" / f"document={folder}" / "0.parquet", mention=[1], entity=[1])
    scores = corefkit.score(key, tmp_path / "run", "mentions", engine=engine)
    assert scores["mentions"].counts == {"recall": [1, 1], "precision": [1, 1]}
    assert scores.incidents == ()
