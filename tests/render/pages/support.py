"""What the tests of the error page share: how a view is opened, and what is read from it."""

import json
from base64 import b64decode
from pathlib import Path
from typing import Any
from zlib import decompress

from selenium import webdriver
from selenium.webdriver.support.wait import WebDriverWait

from tests.support import EXAMPLES

KEY, HASTY, CAREFUL = (str(EXAMPLES / f"{n}.conll") for n in ("key", "hasty", "careful"))

GO = """
const [address, done] = arguments, { hash } = new URL("#" + address, location);
if (hash === location.hash) done();
addEventListener("hashchange", () => done(), { once: true });
location.hash = hash;
"""


def show(browser: webdriver.Chrome, page: Path, address: str) -> str:
    """Open the page at a view, or go there as its links do; no error, no request; its text."""
    if browser.current_url.partition("#")[0] == page.as_uri():
        browser.execute_async_script(GO, address)
    else:
        browser.get(f"{page.as_uri()}#{address}")
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]
    assert browser.execute_script("return performance.getEntriesByType('resource').length") == 0
    opened = "return document.getElementById('main').dataset.view !== undefined"
    WebDriverWait(browser, 30, 0.02).until(lambda driver: driver.execute_script(opened))
    # Sentences are drawn when they come near the screen, which the browser notices a little later.
    drawn = "const row = document.querySelector('.doc .row'); return !row || !!row.firstChild"
    WebDriverWait(browser, 30).until(lambda driver: driver.execute_script(drawn))
    text: str = browser.execute_script("return document.getElementById('main').innerText")
    return text


def table_rows(browser: webdriver.Chrome, label: str) -> list[list[str]]:
    script = (
        "const label = JSON.stringify(arguments[0]);"
        "const rows = document.querySelectorAll(`table[aria-label=${label}] tr`);"
        "return [...rows].map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    rows: list[list[str]] = browser.execute_script(script, label)
    return rows


def data_of(page: str) -> Any:
    """The data that a page has in it."""
    packed = page.split('id="data">')[1].split("</script>", maxsplit=1)[0]
    return json.loads(decompress(b64decode(packed)))
