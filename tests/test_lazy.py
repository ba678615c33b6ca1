"""Names of older versions: they work, warn, and are those of today."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import corefkit
from corefkit._lazy import ADVICE, FORMER
from tests.test_public import documented

SAME_PLACE = {
    "corefkit.engines.run.Setup": "corefkit.engines.Setup",
    "corefkit.formats.conllu.text_reading.read_back": "corefkit.formats.read_back",
    "corefkit.integrations.distributed.gather": "corefkit.integrations.distributed.gather",
    "corefkit.integrations.spacy.register": "corefkit.integrations.spacy.register",
    "corefkit.task.manifest.read_manifest": "corefkit.task.read_manifest",
    "corefkit.task.run.score_task": "corefkit.task.score_task",
    "corefkit.testing.assert_score_at_least": "corefkit.testing.assert_score_at_least",
}
"""What the documentation imported before the packages had public names: still defined there."""


def find(name: str) -> object:
    module, _, attribute = name.rpartition(".")
    return getattr(import_module(module), attribute)


@pytest.mark.parametrize("name", FORMER)
def test_former_names_work_and_warn(name: str) -> None:
    advice = ADVICE.get(name, FORMER[name])
    with pytest.warns(DeprecationWarning, match=f"use {advice}$") as caught:
        value = find(name)
    assert value is find(FORMER[name])
    assert Path(caught[0].filename) == Path(__file__)
    package, _, attribute = advice.rpartition(".")
    assert attribute in documented()[package]


@pytest.mark.parametrize("name", SAME_PLACE)
def test_names_of_modules_that_stayed(name: str) -> None:
    assert find(name) is find(SAME_PLACE[name])


def test_standings_of_a_task() -> None:
    assert callable(find("corefkit.task.tables.standings"))


def test_statements_that_import_former_modules() -> None:
    code = (
        "from corefkit import ontonotes; import corefkit.data.options; "
        "from corefkit.render.dots import plot_scores; from corefkit.ontonotes import Tokens; "
        "assert ontonotes.Tokens is Tokens; corefkit.data.options.UsageError"
    )
    command = [sys.executable, "-W", "ignore", "-c", code]
    assert subprocess.run(command, check=False, capture_output=True, text=True).stderr == ""


def test_agree_of_old() -> None:
    paths = ["examples/key.conll", "examples/careful.conll"]
    with pytest.warns(DeprecationWarning, match="agree"):
        old = find("corefkit.ontonotes.agree")
    assert str(old(paths)) == str(corefkit.agree(*paths))  # type: ignore[operator]


@pytest.mark.parametrize("module", ["corefkit", "corefkit.ontonotes", "corefkit.data.options"])
def test_other_names_are_missing(module: str) -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        find(f"{module}.nothing")
    with pytest.raises(ModuleNotFoundError):
        import_module(f"{module}.nothing")
