"""corefkit.compat.install: a module in the place of another one."""

import importlib
import sys
from pathlib import Path

import pytest

from corefkit.compat import MODULES, checker, e2e, install


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A repository with `evaluation_code.py` and `toolbox/evaluation.py`, and none of it loaded."""
    (tmp_path / "evaluation_code.py").write_text("CorefEvaluator = 1\n")
    (tmp_path / "toolbox").mkdir()
    (tmp_path / "toolbox" / "__init__.py").write_text("")
    (tmp_path / "toolbox" / "evaluation.py").write_text("CorefEvaluator = 2\n")
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("evaluation_code", "toolbox", "toolbox.evaluation"):
        monkeypatch.setitem(sys.modules, name, e2e)
        del sys.modules[name]


def test_before_the_import() -> None:
    assert install("evaluation_code") is None
    code = importlib.import_module("evaluation_code")
    assert code.CorefEvaluator is e2e.CorefEvaluator


def test_what_was_there_comes_back() -> None:
    before = importlib.import_module("evaluation_code")
    assert install("evaluation_code", "checker") is before
    assert importlib.import_module("evaluation_code") is checker
    sys.modules["evaluation_code"] = before
    assert importlib.import_module("evaluation_code").CorefEvaluator == 1


def test_a_module_in_a_package() -> None:
    package = importlib.import_module("toolbox")
    assert install("toolbox.evaluation") is None
    namespace: dict[str, object] = {}
    exec("from toolbox import evaluation", namespace)
    assert namespace["evaluation"] is e2e is package.evaluation


def test_a_package_that_is_not_loaded_yet() -> None:
    install("toolbox.evaluation")
    namespace: dict[str, object] = {}
    exec("from toolbox.evaluation import CorefEvaluator", namespace)
    assert namespace["CorefEvaluator"] is e2e.CorefEvaluator


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("numpy",), "numpy belongs to the installed distribution numpy"),
        (("scipy.optimize",), "scipy belongs to"),
        (("json",), "json is a module of Python"),
        (("no-name",), "is not the name of a module"),
        (("",), "is not the name of a module"),
        (("evaluation_code", "perl"), "corefkit.compat has e2e, official"),
    ],
)
def test_refusals(arguments: tuple[str, ...], message: str) -> None:
    before = sys.modules.get(arguments[0])
    with pytest.raises(ValueError, match=message):
        install(*arguments)
    assert sys.modules.get(arguments[0]) is before
    assert len(MODULES) == 6
