"""The documentation builds as a site, and no link of it leads nowhere."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from html import unescape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from corefkit.cli.app import COMMANDS
from corefkit.metrics import NAMES as METRICS
from tests.browser import chromium, needs_chromium
from tests.support import ROOT

SCHEME = "data-md-color-scheme"
NAMES = [name for group in COMMANDS.values() for name in group]


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
    assert pages | {"index", "changelog", "contributing", "examples", "incidents", "api"} <= made


def test_pictures_of_pages_lead_to_live_ones(site: Path) -> None:
    linked = {
        "index": "report",
        "errors": "report",
        "task": "task/index",
        "corpora": "adjudication",
    }
    for page, live in linked.items():
        text = (site / f"{page}.html").read_text(encoding="utf-8")
        assert re.search(rf'<a href="demo/{live}.html"><img', text), page
        assert (site / f"demo/{live}.html").stat().st_size > 10_000


def test_every_page_is_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2]
    pages = {page.name for page in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert pages - set(re.findall(r": ([\w-]+\.md)$", navigation, re.MULTILINE)) == set()


@needs_chromium
def test_search_and_dark_mode(site: Path) -> None:
    """As a visitor sees them, from a server; and nothing is asked of any other."""
    with served(site) as address, chromium() as driver:
        dark = [{"name": "prefers-color-scheme", "value": "dark"}]
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": dark})
        driver.get(f"{address}/index.html")
        assert driver.find_element(By.TAG_NAME, "body").get_attribute(SCHEME) == "slate"
        field = driver.find_element(By.CLASS_NAME, "md-search__input")
        field.click()
        field.send_keys("BLANC")
        found = ".md-search-result__link[href*='metrics.html']"
        WebDriverWait(driver, 30).until(lambda d: d.find_elements(By.CSS_SELECTOR, found))
        loaded = driver.execute_script(
            "return performance.getEntriesByType('resource').map(entry => entry.name)"
        )
        assert [name for name in loaded if not name.startswith(address)] == []
        told: Any = driver
        assert told.get_log("browser") == []


def test_buttons_copy_what_is_typed(site: Path) -> None:
    """No prompt, no output; of doctests, too."""
    copied = [
        unescape(text)
        for page in ("get-started", "metrics")
        for text in re.findall(
            r'data-copy="([^"]*)"', (site / f"{page}.html").read_text(encoding="utf-8")
        )
    ]
    assert "corefkit score examples/key.conll examples/careful.conll" in copied
    assert any(
        text.startswith("from corefkit import Evaluator\nkey, response =") for text in copied
    )
    assert [text for text in copied if re.search(r"^(\$ |>>> |Scores\(|CoNLL  )", text, re.M)] == []


@needs_chromium
def test_a_button_copies(site: Path) -> None:
    with served(site) as address, chromium() as driver:
        driver.get(f"{address}/get-started.html")
        driver.execute_script(
            "document.addEventListener('copy', () => window.copied = getSelection().toString())"
        )
        selector = "button[data-md-type=copy]"
        WebDriverWait(driver, 30).until(lambda d: d.find_elements(By.CSS_SELECTOR, selector))
        driver.find_element(By.CSS_SELECTOR, selector).click()
        expected = "corefkit score examples/key.conll examples/careful.conll"
        assert driver.execute_script("return window.copied") == expected


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a server of this folder."""
    handler = partial(QuietHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: object) -> None:
        pass


def test_outputs_are_not_coloured_as_commands(site: Path) -> None:
    """In a block with prompts, what was printed is plain: no numbers, no operators of a shell."""
    seen = 0
    for page in site.glob("*.html"):
        for block in re.findall(r"<pre>.*?</pre>", page.read_text(encoding="utf-8"), re.DOTALL):
            if 'class="gp">$' not in block:
                continue
            printed = [line for line in block.split("\n")[1:] if 'class="gp"' not in line]
            coloured = [line for line in printed if re.search(r'class="(m|mi|mf|o)"', line)]
            assert coloured == [], page.name
            seen += sum('class="go"' in line for line in printed)
    assert seen > 400


def test_the_front_page_begins_with_a_picture(site: Path) -> None:
    text = (site / "index.html").read_text(encoding="utf-8").partition("<article")[2]
    assert 0 < text.index("<strong>") < text.index("<img ") < text.index("<pre>")


def test_every_command_has_its_options(site: Path) -> None:
    text = (site / "command-line.html").read_text(encoding="utf-8")
    assert [name for name in NAMES if f'id="corefkit-{name}"' not in text] == []
    assert "--singletons" in text
    assert "--unaligned" in text  # only `--help-all` shows it


def test_every_metric_has_its_formula_and_example(site: Path) -> None:
    text = (site / "metrics.html").read_text(encoding="utf-8")
    assert [name for name in METRICS if f'id="{name}"' not in text] == []
    assert text.count("  corefkit: ") == len(METRICS)


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
