"""The agreement of many annotators: a summary on the screen, every pair for programs."""

import csv
from io import StringIO
from pathlib import Path

import pytest

from tests import damages
from tests.support import run


@pytest.fixture
def nine(tmp_path: Path) -> list[Path]:
    """Seven copies of a response, the key and another; one annotator lacks the first document."""
    response = damages.response()
    rest = {name: response[name] for name in damages.NAMES[1:]}
    annotators = [rest, *[response] * 6, damages.key(), damages.other()]
    files = [tmp_path / f"ann{number}.resp" for number in range(len(annotators))]
    for file, corpus in zip(files, annotators, strict=True):
        file.write_text(damages.conll(corpus))
    return files


def test_nine_annotators_fit_a_screen(nine: list[Path]) -> None:
    done = run("agree", *nine, "-m", "conll")
    assert done.out.count("\n") < 60
    assert ".resp" not in done.out
    assert "ann0 – ann1" not in done.out
    pairs = list(csv.DictReader(StringIO(run("agree", *nine, "-m", "conll", "-f", "csv").out)))
    assert any((row["system"], row["b"]) == ("ann0", "ann1") for row in pairs)
    rows = [line.split() for line in done.out.splitlines()]
    least, most = (next(r for r in rows if r[:2] == [word, "of"]) for word in ("least", "most"))
    assert most[-2:] == ["100.00", "100.00"]
    assert float(least[-1]) < 60
    own = next(row for row in rows if row[:1] == ["ann1"] and len(row) == 3)
    assert float(least[-1]) < float(own[-1]) < 100
    documents = [row[0] for row in rows if row and row[0].startswith("(doc")]
    assert documents == sorted(documents)
