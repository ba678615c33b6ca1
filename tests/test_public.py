"""What is public: the list in the documentation, `__all__`, and the types of results."""

import ast
import re
from importlib import import_module
from importlib.util import find_spec
from typing import assert_type

import corefkit
from tests.support import EXAMPLES, ROOT, syntax

SOURCE = ROOT / "src" / "corefkit"
KEY, CAREFUL = (str(EXAMPLES / f"{name}.conll") for name in ("key", "careful"))


def documented() -> dict[str, set[str]]:
    """The public names by package, as docs/python.md lists them."""
    text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    own = re.findall(r"^\| (`.*) \| ", text[: text.index("## ")], re.MULTILINE)
    others = text.partition("\n## What is public\n")[2]
    rows = re.findall(r"^\| `(corefkit[\w.]*)` \| (.*) \|$", others, re.MULTILINE)
    return {package: {*re.findall(r"`(\w+)`", names)} for package, names in rows} | {
        "corefkit": {name for row in own for name in re.findall(r"`(?:corefkit\.)?(\w+)`", row)}
    }


NEEDED = {
    "corefkit.integrations.inspect_scorer": "inspect_ai",
    "corefkit.integrations.lm_eval_task": "lm_eval",
}
"""Modules that are written for a package, and import it."""


def listed_names(package: str) -> set[str]:
    """`__all__`, and each name in it is there; of a module that cannot be imported, its source."""
    if package in NEEDED and not find_spec(NEEDED[package]):
        body = syntax(SOURCE.parent / (package.replace(".", "/") + ".py")).body
        defined = {n.name for n in body if isinstance(n, ast.FunctionDef | ast.ClassDef)}
        (text,) = (ast.unparse(n) for n in body if ast.unparse(n).startswith("__all__ ="))
        listed = {*ast.literal_eval(text.partition("=")[2].strip())}
        assert listed <= defined
        return listed
    module = import_module(package)
    assert all(getattr(module, name) is not None for name in module.__all__)
    return {*module.__all__}


def test_the_documented_names_are_the_public_ones() -> None:
    listed = documented()
    assert listed == {package: listed_names(package) for package in listed}


def test_no_public_package_is_left_out() -> None:
    """A package that has `__all__` is public; a module below it that has one is listed too."""
    public = set()
    for file in SOURCE.rglob("*.py"):
        assigned = [n for n in syntax(file).body if isinstance(n, ast.Assign)]
        names = {t.id for n in assigned for t in n.targets if isinstance(t, ast.Name)}
        if "__all__" in names and file.name != "_version.py":
            parts = file.relative_to(SOURCE.parent).with_suffix("").parts
            public.add(".".join(p for p in parts if p != "__init__"))
    assert public == {*documented()}


def test_documentation_imports_public_names_only() -> None:
    listed = documented()
    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        text = page.read_text(encoding="utf-8")
        for package, names in re.findall(r"from (corefkit[\w.]*) import ([\w, ]+)", text):
            assert {*re.split(", ?", names.strip())} <= listed.get(package, set()), (page, package)


def test_results_are_typed() -> None:
    """What mypy makes of the public functions; a user can annotate each result."""
    corpus = assert_type(corefkit.read(KEY), corefkit.Corpus)
    scores = assert_type(corefkit.score(corpus, CAREFUL), corefkit.Scores)
    score = assert_type(scores["muc"], corefkit.Score)
    significance = assert_type(
        corefkit.compare(corpus, CAREFUL, samples=100), corefkit.Significance
    )
    agreement = assert_type(corefkit.agree(corpus, CAREFUL), corefkit.Agreement)
    adjudication = assert_type(corefkit.adjudicate(corpus, CAREFUL), corefkit.Adjudication)
    explanation = assert_type(
        corefkit.explain(KEY, CAREFUL, "standard", "e2e"), corefkit.Explanation
    )
    errors = assert_type(corefkit.errors(corpus, CAREFUL), corefkit.Errors)
    error = assert_type(errors[0], corefkit.Error)
    listing = assert_type(corefkit.outcomes(KEY, CAREFUL), corefkit.Listing)
    statistics = assert_type(corefkit.statistics(corpus), corefkit.Statistics)
    fit = assert_type(corefkit.align(KEY, CAREFUL), corefkit.TextFit)
    incidents = assert_type(corefkit.check(KEY), list[corefkit.Incident])
    page = assert_type(corefkit.report(KEY, CAREFUL), str)
    evaluator = assert_type(corefkit.Evaluator().update(["ab"], ["ab"]), corefkit.Evaluator)
    for result, kind in (
        (corpus, corefkit.Corpus),
        (scores, corefkit.Scores),
        (score, corefkit.Score),
        (significance, corefkit.Significance),
        (agreement, corefkit.Agreement),
        (adjudication, corefkit.Adjudication),
        (explanation, corefkit.Explanation),
        (errors, corefkit.Errors),
        (error, corefkit.Error),
        (listing, corefkit.Listing),
        (page, str),
        (statistics, corefkit.Statistics),
        (fit, corefkit.TextFit),
        (evaluator, corefkit.Evaluator),
    ):
        assert isinstance(result, kind)
    assert incidents == []
