"""The documentation builds as a site, and no link of it leads nowhere."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from corefkit.cli import GROUPS
from tests.support import ROOT

NAMES = [name for group in GROUPS.values() for name in group]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for package in ("mkdocs", "material", "mkdocstrings"):
        pytest.importorskip(package, reason=f"{package} is not installed: see `make docs`")
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


def test_every_page_is_there(site: Path) -> None:
    pages = {page.stem for page in (ROOT / "docs").glob("*.md")} - {"README"}
    made = {page.stem for page in site.glob("*.html")}
    assert pages | {"index", "changelog", "contributing", "examples", "commands", "api"} <= made


def test_every_page_is_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2]
    pages = {page.name for page in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert pages - set(re.findall(r": ([\w-]+\.md)$", navigation, re.MULTILINE)) == set()


def test_every_command_has_its_options(site: Path) -> None:
    text = (site / "commands.html").read_text(encoding="utf-8")
    assert [name for name in NAMES if f'id="corefkit-{name}"' not in text] == []
    assert "--singletons" in text
    assert "--glued" in text  # only `--help-all` shows it


def test_the_api_has_signatures_and_docstrings(site: Path) -> None:
    text = (site / "api.html").read_text(encoding="utf-8")
    for name in ("score", "compare", "agree", "check", "Evaluator", "Scores"):
        assert f'id="corefkit.{name}"' in text
    assert "Score a response against a key" in text
    assert "&gt;&gt;&gt;" in text.replace("<span", "\n<span")
    assert "<blockquote>" not in text  # what Markdown makes of a bare doctest


def test_doctests_become_blocks() -> None:
    pytest.importorskip("griffe", reason="griffe is not installed: see `make docs`")
    from tools.fences import fence

    text = "One.\n\n>>> 1\n1\n\n>>> 2\n2\n\nTwo."
    assert fence(text) == "One.\n\n```pycon\n>>> 1\n1\n\n>>> 2\n2\n```\n\nTwo."
    assert fence("No code.") == "No code."


def test_no_page_loads_anything_from_elsewhere(site: Path) -> None:
    for page in site.glob("*.html"):
        text = page.read_text(encoding="utf-8")
        loaded = re.findall(r'<(?:script|img|link)[^>]*(?:src|href)="(https?:[^"]+)"', text)
        assert loaded == [], page.name
