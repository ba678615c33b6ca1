"""The table of a paper: systems as rows, with marks for significant differences.

Recall and precision come from Scores, intervals and tests from their Significance, so the table has
the same figures as `corefkit score` and `corefkit compare`. Averages have intervals and marks; if
there is no average, all metrics have them. The caption names the test, the level, the correction,
the documents, the runs and the signature.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from string import ascii_lowercase
from textwrap import fill
from typing import Any, Literal

from corefkit import metrics
from corefkit.core.style import style
from corefkit.core.texts import count_of
from corefkit.render.markup import latex_float
from corefkit.render.significance import interval_method
from corefkit.render.table import Table, percent, render_table
from corefkit.render.views import View, columns, pivot
from corefkit.scorers.signature import shorten
from corefkit.scoring.scores import Scores
from corefkit.stats.compare import Significance, significant
from corefkit.stats.figures import Difference, Interval
from corefkit.stats.runs import RunDifference, RunFigures

PaperMarks = Literal["first", "best", "letters"]
"""What is marked: systems that differ from the first, or from the best, or groups by letters."""

_DAGGER = "†"
_WIDTH = 98
_LOPSIDED = 1.5
"""An interval is lopsided if one side is longer than the other by more than this factor."""


def render_paper(
    systems: Mapping[str, Scores | Sequence[Scores]],
    comparison: Significance,
    form: str = "text",
    marks: PaperMarks = "first",
) -> str:
    """The table as text, markdown or latex; `systems` has the scores of each system or its runs."""
    table, signature = paper_table(systems, comparison, marks), shorten(comparison.signature)
    emboldened = form != "text" or style().bold
    if emboldened and any(cell.best for line in table.lines for cell in line):
        table = replace(table, note=f"{table.note} Bold: the highest figure of each column.")
    if form == "latex":
        return latex_float(replace(table, note=""), table.note, signature)
    caption = f"{table.note} {signature}"
    if form == "text":
        caption = fill(caption, _WIDTH, break_long_words=False, break_on_hyphens=False)
    return f"{render_table(replace(table, note=''), form).rstrip()}\n\n{caption}\n"


def paper_table(
    systems: Mapping[str, Scores | Sequence[Scores]], comparison: Significance, marks: PaperMarks
) -> Table:
    """The table; its note is the caption without the signature."""
    names = list(systems)
    runs = {n: [s] if isinstance(s, Scores) else list(s) for n, s in systems.items()}
    tested = _tested_metrics(list(comparison.groups))
    averages = metrics.averages(comparison.groups)
    rows = []
    for metric in comparison.groups:
        suffixes = [""] * len(names)
        if metric in tested:
            suffixes = _marks(names, comparison, metric, marks)
        for name, suffix in zip(names, suffixes, strict=True):
            figure = comparison.systems[name][metric]
            row: dict[str, Any] = {"system": name, "by": "", "metric": metric}
            if metric not in averages:
                row |= {
                    ratio: _mean(runs[name], metric, ratio) for ratio in ("recall", "precision")
                }
            if metric in tested:
                value = "average" if metric in averages else "interval"
                row |= {value: figure.f1, "shown": {value: _with_interval(figure, suffix)}}
            else:
                row["score"] = figure.f1
            rows.append(row)
    note = _caption(comparison, tested, marks, names)
    return pivot(rows, View("paper", "", columns("system"), _VALUES, best="by", note=note))


_VALUES = (
    *columns("recall precision"),
    *columns("score", score="F1", kind="score"),
    *columns("interval average", interval="F1", average="Avg. F1"),
)
"""Ratios, and F1: alone, or as text with its interval and mark; text is left-aligned, so that the
figures line up."""


def _tested_metrics(names: Sequence[str]) -> list[str]:
    """The metrics with intervals and marks: the averages, or all metrics if there are none."""
    return metrics.averages(names) or list(names)


def _mean(runs: Sequence[Scores], metric: str, ratio: str) -> float | None:
    values = [getattr(scores[metric], ratio) for scores in runs]
    return None if None in values else fmean(values)


def _with_interval(figure: Interval, suffix: str) -> str:
    """F1 with its interval and mark."""
    text = percent(figure.f1)
    if figure.interval:
        low, high = figure.interval
        ends = f"[{percent(low)}, {percent(high)}]"
        text += f" {ends}" if _lopsided(figure) else f" ± {percent((high - low) / 2)}"
    return f"{text} {suffix}".rstrip()


def _lopsided(figure: Interval) -> bool:
    """Whether ± would mislead: the interval ends at 0 or 1, or one side is much longer."""
    if figure.interval is None:
        return False
    low, high = figure.interval
    shorter, longer = sorted((figure.f1 - low, high - figure.f1))
    return low < high and (low <= 0 or high >= 1 or longer > _LOPSIDED * shorter)


def _marks(
    names: Sequence[str], comparison: Significance, metric: str, marks: PaperMarks
) -> list[str]:
    """The mark after each system's figure: a dagger, the letters of its groups, or nothing."""
    if marks == "letters":
        groups = comparison.groups[metric]
        return [
            "".join(
                letter
                for letter, group in zip(ascii_lowercase, groups, strict=False)
                if name in group
            )
            for name in names
        ]
    reference = _reference(names, comparison, metric, marks)
    tests: dict[frozenset[str], Difference] = {
        frozenset((pair.a, pair.b)): pair.metrics[metric] for pair in comparison.pairs
    }
    differs = [
        name != reference
        and significant(tests[frozenset((name, reference))].p_holm, comparison.level)
        for name in names
    ]
    return [_DAGGER if is_different else "" for is_different in differs]


def _reference(
    names: Sequence[str], comparison: Significance, metric: str, marks: PaperMarks
) -> str:
    """The system that the others are compared with."""
    if marks == "first":
        return names[0]
    return max(names, key=lambda name: comparison.systems[name][metric].f1)


def _caption(
    comparison: Significance, tested: Sequence[str], marks: PaperMarks, names: Sequence[str]
) -> str:
    """The sentences of the caption: documents, runs, intervals, test and correction."""
    documents = count_of(comparison.documents, "document")
    parts = [f"Scores in percent over {documents}."]
    parts += [_runs(comparison, names), _intervals(comparison, tested)]
    parts.append(_significance(comparison, tested, marks, names))
    return " ".join(filter(None, parts))


def _runs(comparison: Significance, names: Sequence[str]) -> str:
    """A sentence on how many runs the figures are means of; empty without runs."""
    runs = {
        name: figure.runs
        for name in names
        for figure in comparison.systems[name].values()
        if isinstance(figure, RunFigures)
    }
    if not runs:
        return ""
    if len(set(runs.values())) == 1:
        return f"Means of {count_of(runs[names[0]], 'run')}."
    return f"Means of runs ({', '.join(f'{name}: {number}' for name, number in runs.items())})."


def _intervals(comparison: Significance, tested: Sequence[str]) -> str:
    """A sentence on what the intervals are, and how they are shown; empty without intervals."""
    figures = [by_metric[metric] for by_metric in comparison.systems.values() for metric in tested]
    lopsided = {_lopsided(figure) for figure in figures if figure.interval}
    if not lopsided:
        return ""
    over = "documents"
    if any(isinstance(figure, RunFigures) for figure in figures):
        over = "documents and runs" if comparison.documents > 1 else "runs"
    method = f"{interval_method(comparison)} over {over}"
    interval = f"the {100 * comparison.level:g} % confidence interval ({method})"
    if lopsided == {True}:
        return f"[from, to]: {interval}."
    asymmetric = (
        " [from, to]: the interval itself, where it is lopsided." if True in lopsided else ""
    )
    return f"±: half of {interval}.{asymmetric}"


def _significance(
    comparison: Significance, tested: Sequence[str], marks: PaperMarks, names: Sequence[str]
) -> str:
    """A sentence on the marks and the test; empty if nothing was tested."""
    tests = [pair.metrics[metric] for pair in comparison.pairs for metric in tested]
    over = "documents and runs" if comparison.documents > 1 else "runs"
    kinds = dict.fromkeys(
        f"Student's t over {over}"
        if isinstance(test, RunDifference)
        else f"approximate randomisation over documents, {comparison.samples:,} samples"
        for test in tests
        if test.p_holm is not None
    )
    if not kinds:
        return ""
    by = f"({' or '.join(kinds)}, p ≤ {1 - comparison.level:.2g} after Holm's correction)"
    if marks == "letters":
        return f"Systems that share a letter do not differ significantly {by}."
    references = {_reference(names, comparison, metric, marks) for metric in tested}
    reference = f"the {'best system' if marks == 'best' else 'first system'}"
    reference += f", {references.pop()}" if len(references) == 1 else " in that metric"
    if any(_DAGGER in _marks(names, comparison, metric, marks) for metric in tested):
        return f"{_DAGGER}: differs significantly from {reference} {by}."
    return f"No system differs significantly from {reference} {by}."
