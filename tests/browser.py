"""A real Chromium for the tests of pages."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
DRIVER = shutil.which("chromedriver")
MUST = "true" in (os.environ.get("CI"), os.environ.get("COREFKIT_CHROMIUM"))
needs_chromium = pytest.mark.skipif(
    not (CHROMIUM and DRIVER) and not MUST,
    reason="no Chromium: apt-get install chromium chromium-driver to test the pages",
)
"""In CI the browser must be there: tests that miss it fail."""


@contextmanager
def chromium() -> Iterator[webdriver.Chrome]:
    """A browser without a window, which keeps what the console said."""
    assert CHROMIUM and DRIVER, "Chromium is missing: .ci/run installs it"
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--disable-ipc-flooding-protection",  # of pages whose links are all followed at once
        "--window-size=1280,900",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    try:
        yield driver
    finally:
        driver.quit()
