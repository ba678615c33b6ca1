"""Browsers for the tests of pages, and the error page."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver

from tests.render.pages.support import CAREFUL, HASTY, KEY
from tests.support import run


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    done = run("report", KEY, HASTY, CAREFUL, "-o", path)
    assert done.status == 0, done.err
    return path


@pytest.fixture
def browser(chromium: webdriver.Chrome) -> webdriver.Chrome:
    return chromium


@pytest.fixture
def own(chromium: webdriver.Chrome) -> Iterator[webdriver.Chrome]:
    """For tests that do more to a page than go from view to view."""
    chromium.get("about:blank")
    yield chromium
    chromium.get("about:blank")
