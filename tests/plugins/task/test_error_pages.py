"""Pages of errors of a task: what `corefkit report` shows, written by the run that scores."""

import json
import shutil
from pathlib import Path
from typing import NoReturn

import pytest

import corefkit
from corefkit import DataError
from corefkit.plugins.task import error_pages
from corefkit.scorers import PROFILES
from tests.plugins.task.support import KEY, MANIFEST, write_task
from tests.render.pages.support import data_of
from tests.support import EXAMPLES, run

SYSTEM = KEY.replace("(1)", "(2)", 1)


def run_task(manifest: Path, out: Path, *more: str) -> int:
    return run("task", "run", manifest, "-o", out, "--no-plots", "--reports", *more).status


def test_a_page_is_that_of_report(tmp_path: Path) -> None:
    manifest, out = write_task(tmp_path), tmp_path / "out"
    (tmp_path / "one.conll").write_text(SYSTEM)
    assert run_task(manifest, out) == 0
    text = (out / "reports" / "one.closed.html").read_text()
    page = data_of(text)
    expected = data_of(corefkit.report(tmp_path / "key.conll", tmp_path / "one.conll"))
    assert page == expected
    assert "key: key.conll" in text
    assert sum(page["systems"][0]["errors"]) > 0
    assert str(tmp_path) not in text


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


SCORED = [
    *(f'profile = "{profile}"' for profile in PROFILES),
    'average = "documents"',
    'profile = "ua-1"\nmatch = "min"',
]


@pytest.mark.parametrize("scoring", SCORED)
def test_reports_under_every_scorer_leave_official_scores_alone(
    tmp_path: Path, scoring: str
) -> None:
    key, system = (f"picnic{name}.conllua" for name in ("", "-system"))
    for name in (key, system):
        shutil.copy(EXAMPLES / name, tmp_path)
    manifest = tmp_path / "task.toml"
    manifest.write_text(
        f'name = "picnics"\n[datasets.en_picnic]\nkey = "{key}"\n[scoring]\n{scoring}\n'
        f'[systems.one.responses]\nen_picnic = "{system}"\n[significance]\nsamples = 10\n'
    )
    rankings = {}
    for reports in ((), ("--reports",)):
        out = tmp_path / f"out{len(reports)}"
        how = ("--no-plots", "--jobs", "1", *reports)
        done = run("task", "run", manifest, "-o", out, *how)
        assert done.status == 0, done.err
        rankings[reports] = json.loads((out / "task.json").read_text())["ranking"]
    assert rankings[()] == rankings["--reports",]
    assert data_of((tmp_path / "out1/reports/one.html").read_text())["systems"]
    said = "[report-policy]" in done.err
    assert said == ("average" in scoring or "min" in scoring)


def test_a_match_that_the_profile_does_not_know_is_refused(tmp_path: Path) -> None:
    """It was ignored: mentions were matched exactly."""
    manifest = write_task(
        tmp_path, MANIFEST + '[scoring]\nprofile = "conll-8.01"\nmatch = "partial"\n'
    )
    done = run("task", "check", manifest)
    assert done.status == 1
    assert "the profile conll-8.01 has no partial" in done.err
    assert "task.toml:8" in done.err
    datasets = MANIFEST.replace("languages", "datasets").replace("english/closed/NB", "english")
    settings = '[settings.odd]\nmatch = "min"\n'
    done = run("task", "check", write_task(tmp_path, datasets + settings))
    assert done.status == 1
    assert "min is for the profile" in done.err
