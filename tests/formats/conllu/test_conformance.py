"""The files of the conformance data: sizes as Udapi reads them, and every bad file refused."""

import json
from functools import cache
from pathlib import Path

import pytest

from corefkit.corpora.stats import statistics
from corefkit.formats.kit.reading import read_all
from corefkit.scoring.check import check
from tests.support import CONFORMANCE, needs_conformance

pytestmark = needs_conformance
FOLDER = CONFORMANCE / "corefud"


@cache
def sizes() -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = json.loads((FOLDER / "stats.json").read_text())
    return found


def test_statistics_of_the_keys() -> None:
    for name, expected in sizes().items():
        found = statistics(FOLDER / name).to_dict()
        assert read_all(FOLDER / name).incidents == ()
        found["longest_mention"] = max(found["mention_lengths"])
        found["largest_entity"] = max(found["entity_sizes"])
        assert {what: found[what] for what in expected} == expected, name


@pytest.mark.parametrize("folder", ["responses", "cases", "reference"])
def test_no_other_file_is_refused(folder: str) -> None:
    harmless = {"etype-unknown", "span-twice", "span-in-two-entities", "no-mention"}
    for path in sorted((FOLDER / folder).iterdir()):
        assert {i.id for i in read_all(path).incidents} <= harmless, path


def table() -> list[tuple[str, str, int | None, str, str]]:
    """Rows of the tables of bad files: file, incident, line, severity, what is wrong."""
    text = (FOLDER / "README.md").read_text(encoding="utf-8") if FOLDER.exists() else ""
    rows = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 6 and (cells[2].isdigit() or cells[2] == "–"):
            number = int(cells[2]) if cells[2].isdigit() else None
            rows.append((cells[0], cells[1], number, cells[3], cells[4]))
    return rows


@pytest.mark.parametrize("row", table(), ids=lambda row: row[0])
def test_bad_file(row: tuple[str, str, int | None, str, str]) -> None:
    name, kind, line, severity, what = row
    path = FOLDER / "bad" / f"{name}.conllu"
    if path.exists():
        found = check(path)
    else:
        key = FOLDER / "bad" / "pair.key.conllu"
        found = check(FOLDER / "bad" / f"pair.{name}.response.conllu", against=key)
        severity = "warning" if "warning" in severity else severity
        if kind == "none":
            assert found == []
            return
    assert (kind, line, severity) in {(i.id, i.line, i.severity) for i in found}
    others = {i.id for i in found} - {kind}
    assert all(other in what for other in others), others


def test_all_bad_files_are_in_the_table() -> None:
    named = {name for name, *_ in table()}
    files = {path.stem for path in Path(FOLDER / "bad").glob("*.conllu")}
    rest = {f for f in files if not f.startswith("pair.")} - named
    for name in rest:
        assert check(FOLDER / "bad" / f"{name}.conllu"), name
