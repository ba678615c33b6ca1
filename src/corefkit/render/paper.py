"""The one table of a paper: systems as rows, and what is significant marked in the average.

Recall and precision come from Scores, intervals and tests from their Significance, so the table
says nothing that `corefkit score` and `corefkit compare` do not say of the same files. Its caption
names the test, the level, the correction, the documents and the signature.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from string import ascii_lowercase
from textwrap import fill
from typing import Literal

from corefkit import metrics
from corefkit.core.texts import count_of
from corefkit.metrics.base import Average
from corefkit.render.markup import escape_latex, render_latex
from corefkit.render.table import (
    Cell,
    Heading,
    Table,
    make_table,
    mark_best,
    percent,
    plain_headings,
    render_table,
)
from corefkit.scorers.signature import shorten
from corefkit.scoring.scores import Scores
from corefkit.stats.resampling import Difference, Interval
from corefkit.stats.significance import Significance, significant

PaperMarks = Literal["first", "best", "letters"]
"""What is marked: who differs from the first system, who differs from the best, or groups."""

_DAGGER = "†"
_WIDTH = 98


def render_paper(
    systems: Mapping[str, Scores | Sequence[Scores]],
    comparison: Significance,
    form: str = "text",
    marks: PaperMarks = "first",
    *,
    bold: bool = False,
) -> str:
    """The table as text, markdown or latex; `systems` are those of the comparison, or runs."""
    table, signature = paper_table(systems, comparison, marks), shorten(comparison.signature)
    if form == "latex":
        return _float(table, signature)
    caption = f"{table.note} {signature}"
    if form == "text":
        caption = fill(caption, _WIDTH, break_long_words=False, break_on_hyphens=False)
    return f"{render_table(replace(table, note=''), form, bold=bold).rstrip()}\n\n{caption}\n"


def paper_table(
    systems: Mapping[str, Scores | Sequence[Scores]], comparison: Significance, marks: PaperMarks
) -> Table:
    """The table itself; its note is the caption without the signature."""
    names = list(systems)
    runs = [[scores] if isinstance(scores, Scores) else list(scores) for scores in systems.values()]
    headings, columns = plain_headings("system"), [[Cell(name) for name in names]]
    marked = _marked_metric(list(comparison.groups))
    for metric in comparison.groups:
        figures = [comparison.systems[name][metric] for name in names]
        title = metrics.get(metric).title
        if metric == marked:
            suffixes = _marks(names, comparison, metric, marks)
            headings.append(Heading(metric, f"{'Avg. ' if metric == 'conll' else ''}F1", title))
            columns.append(_with_intervals(figures, suffixes))
            continue
        if not isinstance(metrics.get(metric), Average):
            for half, short in (("precision", "P"), ("recall", "R")):
                headings.append(Heading(f"{metric} {half}", short, title, "score"))
                columns.append(mark_best([_mean(scores, metric, half) for scores in runs]))
        headings.append(Heading(f"{metric} f1", "F1", title, "score"))
        columns.append(mark_best([figure.f1 for figure in figures]))
    lines = list(zip(*columns, strict=True))
    note = _caption(comparison, marked, marks, names)
    return make_table("paper", "", headings, [lines], note=note)


def _marked_metric(names: Sequence[str]) -> str:
    """The average, or the last metric where none is shown: it has the interval and the marks."""
    averages = [name for name in names if isinstance(metrics.get(name), Average)]
    return (averages or list(names))[-1]


def _mean(runs: Sequence[Scores], metric: str, half: str) -> float | None:
    values = [getattr(scores[metric], half) for scores in runs]
    return None if None in values else fmean(values)


def _with_intervals(figures: Sequence[Interval], suffixes: Sequence[str]) -> list[Cell]:
    """F1 ± half of the interval, and the mark; flush left, so that the figures line up."""
    cells = []
    for best, figure, suffix in zip(
        mark_best([figure.f1 for figure in figures]), figures, suffixes, strict=True
    ):
        text = percent(figure.f1)
        if figure.interval:
            low, high = figure.interval
            text += f" ± {percent((high - low) / 2)}"
        cells.append(best._replace(value=f"{text} {suffix}".rstrip()))
    return cells


def _marks(
    names: Sequence[str], comparison: Significance, metric: str, marks: PaperMarks
) -> list[str]:
    """What stands behind each system's figure: a dagger, letters of its groups, or nothing."""
    if marks == "letters":
        groups = comparison.groups[metric]
        return [
            "".join(a for a, group in zip(ascii_lowercase, groups, strict=False) if name in group)
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
    if marks == "first":
        return names[0]
    return max(names, key=lambda name: comparison.systems[name][metric].f1)


def _caption(comparison: Significance, metric: str, marks: PaperMarks, names: Sequence[str]) -> str:
    """What a reader must know: figures, intervals, test, correction, documents."""
    documents = count_of(comparison.documents, "document")
    text = f"Scores in percent over {documents}."
    if comparison.documents > 1:
        text += (
            f" ±: half of the {100 * comparison.level:g} % confidence interval "
            f"({comparison.interval}, documents resampled)."
        )
    if not comparison.pairs or comparison.documents < 2:
        return text
    chance = f"p ≤ {1 - comparison.level:.2g}"
    test = (
        f"approximate randomisation over documents, {comparison.samples:,} samples, {chance} "
        "after Holm's correction"
    )
    if marks == "letters":
        return f"{text} Systems that share a letter do not differ significantly ({test})."
    reference = _reference(names, comparison, metric, marks)
    which = f"the {'best system' if marks == 'best' else 'first system'}, {reference}"
    return f"{text} {_DAGGER}: differs significantly from {which} ({test})."


def _float(table: Table, signature: str) -> str:
    """A table over both columns of a page, with its caption; the signature is set small."""
    tabular = render_latex(replace(table, note="")).rstrip()
    caption = f"{escape_latex(table.note)} \\texttt{{\\footnotesize {_breakable(signature)}}}"
    return "\n".join(
        [
            "\\begin{table*}[t]",
            "\\centering\\small\\setlength{\\tabcolsep}{4pt}",
            tabular,
            f"\\caption{{{caption}}}",
            "\\label{tab:coreference}",
            "\\end{table*}\n",
        ]
    )


def _breakable(signature: str) -> str:
    """A signature whose lines may end behind each of its parts."""
    return "\\textbar{}\\allowbreak{}".join(map(escape_latex, signature.split("|")))
