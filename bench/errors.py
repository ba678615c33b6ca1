"""Errors and what they cost, against one score of the same files."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from bench import data
from bench.measure import corefkit, environment, fastest, process, processor_time, usage
from bench.synthetic import write_tiny
from bench.table import Row, at_most, below, not_measured, seconds

_ROUNDS = 5
_TIMEOUT = 120.0
_PLAIN = "corefkit errors --no-shares / score, OntoNotes dev"
_SHARES = "corefkit errors with shares of conll / score, OntoNotes dev"
_PAGE = "corefkit report / score, OntoNotes dev"
_SIZE = "corefkit report, OntoNotes dev: size of the page / 2 MB"
_OPENS = "corefkit report, OntoNotes dev: opened in Chromium / 2 s"
_MEMORY = "corefkit errors with shares of conll: peak memory / 600 MB"
_DRAWN = "return document.getElementById('main').offsetHeight > 100"
_PAGE_MEMORY = "corefkit report: peak memory / 600 MB"
_TINY = "corefkit errors, 80,000 tiny documents / score"
_EACH = "corefkit errors, 80,000 tiny documents: processor time of each / 30 µs"
_TINY_LIMIT = 1.6
"""The figure that does not depend on the machine; score takes some 16 µs for each document on an
idle one, so that errors stay below 30."""


def rows(scratch: Path) -> Iterator[Row]:
    """Whole processes: token columns, heads, types, 15 or 128 sets of repairs, links."""
    yield from _tiny_documents(scratch)
    files = data.packed(scratch)
    if files is None:
        for what in (_PLAIN, _SHARES, _PAGE, _SIZE, _OPENS, _MEMORY, _PAGE_MEMORY):
            yield not_measured(what, data.MISSING)
        return
    page = scratch / "report.html"
    commands = {
        "score": corefkit("score", files.key, files.response),
        "plain": corefkit("errors", files.key, files.response, "--no-shares"),
        "shares": corefkit("errors", files.key, files.response),
        "page": corefkit("report", files.key, files.response, "-o", page),
    }
    env = environment(scratch)
    times = fastest({name: process(command, env) for name, command in commands.items()}, _ROUNDS)
    one = times["score"]
    for what, name, most in ((_PLAIN, "plain", 4), (_SHARES, "shares", 15), (_PAGE, "page", 10)):
        detail = f"{seconds(times[name])} / {seconds(one)}"
        yield at_most(what, times[name] / one, most, detail=detail)
    size = page.stat().st_size
    yield below(_SIZE, size / 2e6, 1, detail=f"{size / 1e6:.1f} MB / 2 MB")
    opened = time_to_open(page)
    if opened is None:
        yield not_measured(_OPENS, "no Chromium")
    else:
        yield at_most(_OPENS, opened / 2, 1, detail=f"{seconds(opened)} / 2 s")
    for what, name in ((_MEMORY, "shares"), (_PAGE_MEMORY, "page")):
        peak = usage(commands[name], env, _TIMEOUT).peak_bytes
        yield below(what, peak / 600e6, 1, detail=f"{peak / 1e6:.0f} MB / 600 MB")


def _tiny_documents(scratch: Path) -> Iterator[Row]:
    """Documents of six tokens: what is done once per document shows."""
    documents = 80_000
    key, response = write_tiny(documents, scratch)
    commands = {name: corefkit(name, key, response) for name in ("score", "errors")}
    env = environment(scratch)
    tasks = {name: process(command, env) for name, command in commands.items()}
    times = fastest(tasks, 3, clock=processor_time)
    detail = f"{seconds(times['errors'])} / {seconds(times['score'])}"
    yield at_most(_TINY, times["errors"] / times["score"], _TINY_LIMIT, detail=detail)
    each = times["errors"] / documents * 1e6
    yield at_most(_EACH, each / 30, 1, detail=f"{each:.0f} µs / 30 µs")


def time_to_open(page: Path) -> float | None:
    """The seconds that Chromium takes to load a page and draw its first view, at best of three;
    None where it is not installed.
    """
    browser, driver = (shutil.which(name) for name in ("chromium", "chromedriver"))
    if not browser or not driver:
        return None
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.support.wait import WebDriverWait

    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    window = webdriver.Chrome(options=options, service=Service(driver))
    try:
        times = []
        for _ in range(3):
            window.get("about:blank")
            begun = perf_counter()
            window.get(page.as_uri())
            WebDriverWait(window, _TIMEOUT, 0.01).until(lambda one: one.execute_script(_DRAWN))
            times.append(perf_counter() - begun)
        return min(times)
    finally:
        window.quit()
