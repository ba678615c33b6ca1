"""Names that are loaded when they are first used, so that importing a package is cheap."""

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TypeVar

Made = TypeVar("Made")


def attach(
    package: str, homes: Mapping[str, Sequence[str]]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` for a package; `homes` maps modules to names they define."""
    home_of = {name: home for home, names in homes.items() for name in names}

    def load(name: str) -> object:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(import_module(f"corefkit.{home_of[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return load, lambda: sorted(home_of)


DOORS = {
    "Corpus.from_records": "formats.kit.records.from_records",
    "Corpus.to_records": "formats.kit.records.to_records",
    "Corpus.from_frame": "formats.kit.records.from_frame",
    "Corpus.to_frame": "formats.kit.records.to_frame",
    "Corpus.from_spacy": "formats.spacy.from_spacy",
    "Scores.text": "render.scores.describe_scores",
    "Scores.html": "render.notebook.scores_html",
    "Errors.text": "render.errors.errors_text",
    "Errors.html": "render.notebook.errors_html",
    "DocumentErrors.text": "render.marked_text.document_text",
    "DocumentErrors.html": "render.notebook.document_errors_html",
    "Agreement.text": "render.agreement.render_agreement",
    "Agreement.html": "render.notebook.agreement_html",
    "Adjudication.text": "plugins.adjudication.tables.render_adjudication",
    "Adjudication.html": "render.notebook.adjudication_html",
    "Significance.text": "render.significance.render_comparison",
    "Significance.html": "render.notebook.comparison_html",
    "Curve.text": "plugins.study.curve_tables.render_curve",
    "Power.text": "render.significance.render_power",
    "RunsReport.text": "render.runs.render_runs",
    "RunsReport.html": "render.notebook.runs_html",
    "Statistics.text": "render.stats.render_stats",
    "Statistics.html": "render.notebook.statistics_html",
}
"""The only ways from lower packages to higher ones: display of results, other forms of a Corpus.

All other imports, and names of modules in strings, go down; tests/test_house.py enforces it.
"""


def door(name: str, made: type[Made]) -> Callable[..., Made]:
    """The function that a door leads to; `made` is the type of its result."""
    module, _, name_there = DOORS[name].rpartition(".")
    function: Callable[..., Made] = getattr(import_module(f"corefkit.{module}"), name_there)
    return function
