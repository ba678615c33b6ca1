"""corefkit demo: from nothing to a report."""

from pathlib import Path

import pytest
from hatch_build import DEMO

from corefkit.cli.demo import FILES
from tests.support import EXAMPLES, run


def test_demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("demo")
    assert done.status == 0
    assert done.err.count("document-missing") == 1
    assert Path.cwd() == tmp_path
    monkeypatch.chdir(EXAMPLES)
    assert run("score", *FILES).out in done.out
    monkeypatch.chdir(tmp_path)
    assert "hasty" in (tmp_path / "corefkit-demo" / "report.html").read_text(encoding="utf-8")
    again = run("demo")
    assert again.status == 2 and "exists already" in again.err


def test_the_wheel_brings_the_files() -> None:
    assert DEMO == FILES
