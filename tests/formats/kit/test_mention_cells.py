"""Values that are missing, and ids that look like it: CSV, TSV, Parquet and data frames agree."""

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import corefkit
from corefkit import Corpus, DataError
from corefkit.core.columns import means_none
from corefkit.core.frames import data_frame
from corefkit.formats.kit.mention_cells import CellColumn
from tests.support import run

NAMES = ("document", "start", "end", "entity")
Row = tuple[Any, Any, Any, Any]


def write_csv(path: Path, rows: Sequence[Row], names: Sequence[str] = NAMES) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t" if path.suffix == ".tsv" else ",")
        writer.writerows([names, *rows])
    return path


KINDS = ("csv", "tsv", "pandas", "polars", "parquet")


def reading(kind: str, folder: Path, rows: Sequence[Row]) -> Corpus:
    """The corpus of these rows in a table of this kind."""
    if kind in ("csv", "tsv"):
        return corefkit.read(write_csv(folder / f"table.{kind}", rows))
    columns = {name: [row[at] for row in rows] for at, name in enumerate(NAMES)}
    if kind != "parquet":
        return Corpus.from_frame(data_frame(columns, pytest.importorskip(kind)))
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow.table(columns), folder / "table.parquet")
    return corefkit.read(folder / "table.parquet")


ROWS: list[Row] = [("a", 0, 1, "x"), ("a", 3, 3, "x"), ("a", 5, 5, ""), ("a", 7, 8, None)]


@pytest.mark.parametrize("kind", KINDS)
def test_a_mention_without_an_entity_is_a_singleton(kind: str, tmp_path: Path) -> None:
    corpus = reading(kind, tmp_path, ROWS)
    assert corpus.clusters() == {"a": [[(0, 1), (3, 3)], [(5, 5)], [(7, 8)]]}
    (incident,) = corpus.incidents
    assert (incident.id, incident.count) == ("mention-without-entity", 2)
    assert incident.line == (4 if kind in ("csv", "tsv") else None)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mark", ["NA", "nan", "None", "null", "-1", "*", "-", "_"])
def test_an_id_that_looks_like_none_is_an_id_with_a_warning(
    mark: str, kind: str, tmp_path: Path
) -> None:
    assert means_none(mark)
    corpus = reading(kind, tmp_path, [*ROWS[:2], ("a", 5, 5, mark), ("a", 7, 8, mark)])
    assert corpus.clusters() == {"a": [[(0, 1), (3, 3)], [(5, 5), (7, 8)]]}
    (incident,) = corpus.incidents
    assert (incident.id, incident.count) == ("id-like-none", 2)
    assert f"2 mentions have the entity '{mark}'" in incident.message
    assert f"--read missing={mark}" in (incident.hint or "")
    for path in tmp_path.iterdir():
        corpus = corefkit.read(path, missing=(mark,))
        assert corpus.clusters() == {"a": [[(0, 1), (3, 3)], [(5, 5)], [(7, 8)]]}
        assert [i.id for i in corpus.incidents] == ["mention-without-entity"]


def test_what_means_none_in_other_columns(tmp_path: Path) -> None:
    """As R writes a document without mentions; names of documents are never marks."""
    path = write_csv(tmp_path / "r.csv", [*ROWS[:2], ("NA", "NA", "NA", "NA")])
    assert corefkit.read(path, missing="NA").clusters() == {"a": [[(0, 1), (3, 3)]], "NA": []}
    with pytest.raises(DataError, match="1 row has no value in the column 'end'") as error:
        corefkit.read(write_csv(path, [*ROWS[:2], ("a", 4, "NA", "x")]), missing="NA")
    (incident,) = error.value.incidents
    assert (incident.line, incident.found) == (4, "document a, start 4, end none, entity x")


def test_the_option_on_the_command_line(tmp_path: Path) -> None:
    key = write_csv(tmp_path / "k.csv", [*ROWS[:2], ("a", 5, 5, "y"), ("a", 7, 8, "z")])
    response = write_csv(tmp_path / "r.csv", [*ROWS[:2], ("a", 5, 5, "NA"), ("a", 7, 8, "NA")])
    told = run("score", key, response, "-m", "conll")
    assert "2 mentions have the entity 'NA'" in told.err
    done = run("score", key, response, "-m", "conll", "--read", "response:missing=NA")
    assert "100.00" in done.out
    assert "2 mentions have no entity" in done.err


NO_SPAN = "1 row has a start and an end that do not form a span"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (("a", 3, 1, "x"), NO_SPAN),
        (("a", 0, 2**31, "x"), NO_SPAN),
        (("a", 0, 1.5, "x"), NO_SPAN),
        (("a", "one", 1, "x"), f"{NO_SPAN}|the values of start in the table are of type str"),
        (("a", None, 1, "x"), "1 row has no value in the column 'start'"),
        (("", 0, 1, "x"), "1 row has no value in the column 'document'"),
    ],
)
@pytest.mark.parametrize("kind", ["csv", "tsv", "pandas", "parquet"])
def test_rows_that_are_no_mentions(row: Row, message: str, kind: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=message) as error:
        reading(kind, tmp_path, [row])
    assert error.value.incidents[0].line == (2 if kind in ("csv", "tsv") else None)


def test_equal_values_of_other_types_are_apart() -> None:
    cells = CellColumn.of([1, True, 1.0, "1", [1], [1]])
    assert cells.code.tolist() == [0, 1, 2, 3, 4, 4]
    assert CellColumn.of([1, 1.0, "1"]).texts().to_list() == ["1", "1.0", "1"]
