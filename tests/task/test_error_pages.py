"""Pages of errors of a task: what `corefkit report` shows, written by the run that scores."""

import json
from pathlib import Path
from typing import NoReturn

import pytest

import corefkit
from corefkit import DataError
from corefkit.task import error_pages
from tests.render.pages.support import data_of
from tests.support import run
from tests.task.support import KEY, MANIFEST, write_task

SYSTEM = KEY.replace("(1)", "(2)", 1)


def run_task(manifest: Path, out: Path, *more: str) -> int:
    return run("task", "run", manifest, "-o", out, "--no-plots", "--reports", *more).status


def test_a_page_is_that_of_report(tmp_path: Path) -> None:
    manifest, out = write_task(tmp_path), tmp_path / "out"
    (tmp_path / "one.conll").write_text(SYSTEM)
    assert run_task(manifest, out) == 0
    page = data_of((out / "reports" / "one.closed.html").read_text())
    expected = data_of(corefkit.report(tmp_path / "key.conll", tmp_path / "one.conll"))
    assert page == expected
    assert page["key"]["file"] == "key.conll"
    assert sum(page["systems"][0]["errors"]) > 0
    assert str(tmp_path) not in json.dumps(page)


def test_a_run_that_goes_on_writes_the_same_pages(tmp_path: Path) -> None:
    manifest, out = write_task(tmp_path), tmp_path / "out"
    assert run_task(manifest, out) == 0
    page = out / "reports" / "one.closed.html"
    text = page.read_text()
    page.write_text("half")
    assert run_task(manifest, out) == 0  # its part is there: it is compared for the page alone
    assert page.read_text() == text


def test_what_cannot_be_scored_has_no_page(tmp_path: Path) -> None:
    manifest, out = write_task(tmp_path), tmp_path / "out"
    assert run_task(manifest, out) == 0
    assert (out / "reports" / "one.closed.html").is_file()
    (tmp_path / "one.conll").write_text(KEY.replace("(1)", "(1", 1))
    assert run_task(manifest, out, "--allow-broken") == 0
    assert not (out / "reports" / "one.closed.html").exists()
    assert "reports/" not in (out / "index.html").read_text()


def test_only_the_official_setting_has_pages(tmp_path: Path) -> None:
    more = '"english/closed/GM" = "one.conll"\n"english/open/NB" = "one.conll"\n'
    settings = '[settings.NB]\nquality = "NB"\n[settings.GM]\nquality = "GM"\n'
    manifest, out = write_task(tmp_path, MANIFEST + more + settings), tmp_path / "out"
    assert run_task(manifest, out) == 0
    names = sorted(page.name for page in (out / "reports").iterdir())
    assert names == ["one.closed.html", "one.open.html"]


def test_a_page_that_cannot_be_made_any_more_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a response is scored all the same, the page of an earlier run would be wrong."""
    manifest, out = write_task(tmp_path), tmp_path / "out"
    assert run_task(manifest, out, "--jobs", "1") == 0
    assert (out / "reports" / "one.closed.html").is_file()

    def fail(*_: object) -> NoReturn:
        raise DataError([])

    monkeypatch.setattr(error_pages, "report_errors", fail)
    assert run_task(manifest, out, "--jobs", "1") == 0
    assert not (out / "reports" / "one.closed.html").exists()
    assert json.loads((out / "task.json").read_text())["responses"][0]["scores"]
