"""A browser for the tests of the page."""

from collections.abc import Iterator

import pytest
from selenium import webdriver


@pytest.fixture
def clean(chromium: webdriver.Chrome) -> Iterator[webdriver.Chrome]:
    """A browser that remembers nothing of earlier tests, nor asks before it leaves."""
    yield chromium
    chromium.execute_script("try { localStorage.clear() } catch { /* of a page without any */ }")
    chromium.get("about:blank")
    chromium.get_log("browser")  # type: ignore[no-untyped-call]
