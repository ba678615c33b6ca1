"""Hypothesis on machines that are slow or shared, and the same examples every time in CI.

Thousands of tests are objects that stay; garbage is not looked for among them, nor often.
"""

import atexit
import gc
import os
import signal
from collections.abc import Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests import support
from tests.skips import skip_summary
from tests.strategies import examples
from tests.support import CONFORMANCE

if TYPE_CHECKING:
    from selenium import webdriver

gc.set_threshold(100_000, 20, 100)
# DuckDB reports what is left when the interpreter has ended: what was frozen, and all that is
# reached from the callback by which hypothesis measures garbage collection.
atexit.register(gc.unfreeze)
atexit.register(gc.callbacks.clear)
os.environ["COREFKIT_DEBUG"] = "1"  # a mistake of ours is a failure, not an incident of a file
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # or each of hundreds of commands compiles anew

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # in the background, and commands inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("default", examples(30))
settings.register_profile("ci", examples(30), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") == "true" else "default")


def pytest_configure(config: pytest.Config) -> None:
    """Where neither files nor marks are chosen, what takes long waits for `make oracles`."""
    everything = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    if everything and config.option.markexpr == "not spark and not look":
        config.option.markexpr += " and not conformance and not long"


@pytest.fixture
def own_options(monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages of commands may only name options that the command has."""
    monkeypatch.setattr(support, "checks_options", True)


def pytest_collection_finish() -> None:
    """What was collected stays to the end."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish() -> None:
    """Look for garbage once; pytest would do so five times among all that was imported."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one line what was skipped and why."""
    skipped = terminalreporter.stats.get("skipped", [])
    if line := skip_summary(str(report.longrepr[2]) for report in skipped):
        terminalreporter.write_line(line)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests in a browser are `look`s; others run where their data is, or spaCy.

    Those of spaCy do in `make integrations`. In CI the data must be there: tests that miss it fail.
    """
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.look)
    if not CONFORMANCE.is_dir() and os.environ.get("CI") != "true":
        no_data = pytest.mark.skip(reason="no ../shared/conformance")
        for item in items:
            if item.get_closest_marker("conformance"):
                item.add_marker(no_data)
    if find_spec("spacy") or os.environ.get("COREFKIT_INTEGRATIONS") == "true":
        return
    skip = pytest.mark.skip(reason="spaCy is not installed: make integrations runs this test")
    for item in items:
        if "/formats/" in item.nodeid and "spacy" in item.name:
            item.add_marker(skip)


@pytest.fixture(scope="session")
def chromium() -> "Iterator[webdriver.Chrome]":
    """One browser for all tests of pages in a process."""
    from tests.browser import chromium

    with chromium() as driver:
        yield driver
