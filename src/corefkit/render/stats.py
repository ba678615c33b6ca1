"""Statistics of one corpus, or of several side by side, as tables and figures."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any

from corefkit.core.names import shown_groups
from corefkit.core.results import result_json
from corefkit.corpora.stats import COUNTS, DROPPED, HISTOGRAMS, Histogram, Statistics
from corefkit.render.table import (
    DELIMITED,
    Around,
    Cell,
    CellValue,
    Heading,
    Table,
    make_table,
    plain_headings,
    render_tables,
)
from corefkit.render.text import bars

_SHOWN = 10
"""Rows of a histogram for people; one more row sums up the others. CSV and JSON have them all."""
_UNKNOWN = "unknown"
_MOST_BARS = 40
_DRAWN = 0.975
"""The share of all values that is drawn at least."""
_LEAST = 10
"""Histograms of a smaller range are drawn in full."""


def render_stats(corpora: Sequence[Statistics], form: str = "text", *, total: bool = True) -> str:
    """The statistics in one of the table formats, without a `total` of several if they overlap."""
    if form == "json":
        listed = [corpus.to_dict() for corpus in corpora]
        content = listed[0] if len(listed) == 1 else {"corpora": listed}
        return result_json(
            Statistics.kind, content, (i for corpus in corpora for i in corpus.incidents)
        )
    if form == "text" and len(corpora) == 1:
        return render_tables(stats_tables(corpora, 0), "text") + "\n" + _drawn(corpora[0])
    tables = stats_tables(corpora, None if form in DELIMITED else _SHOWN, total=total)
    return render_tables(tables, form, Around(title="Statistics"))


def tables_of_statistics(corpus: Statistics) -> list[Table]:
    """The tables of one corpus."""
    return stats_tables([corpus])


def text_of_statistics(corpus: Statistics) -> str:
    """What `corefkit stats` prints for one corpus."""
    return render_stats([corpus])


def stats_tables(
    corpora: Sequence[Statistics], shown: int | None = _SHOWN, *, total: bool = True
) -> list[Table]:
    """All tables, with one column per corpus, and one for their sum if there are several.

    `shown` is the number of rows of a histogram; None means all, 0 means no histograms. There is
    no `total` of annotators of the same documents.
    """
    total = total and len(corpora) > 1
    names = [corpus.name for corpus in corpora]
    sizes = {c: [_known(s.counts[c]) for s in corpora] for c in COUNTS}
    tables = [
        _side_by_side("Size", names, sizes, total),
        _facts("Nodes", names, [s.nodes for s in corpora], total),
        _documents(corpora, names, total),
        _chains(corpora, names, "genres", "Entities, links and mentions by genre", total),
        _chains(corpora, names, "sources", "Entities, links and mentions by source", total),
        _categories(corpora, names),
    ]
    for name, title in HISTOGRAMS.items() if shown != 0 else ():
        histograms = [s.histograms.get(name, {}) for s in corpora]
        rows = _binned(histograms, shown)
        tables.append(_side_by_side(title[0].upper() + title[1:], names, rows, total))
    tables.append(_facts("Speakers", names, [s.speakers for s in corpora], False))
    tables += [_minima(s, len(corpora) > 1) for s in corpora if s.minima]
    return [table for table in tables if any(table.lines)]


def _minima(corpus: Statistics, several: bool) -> Table:
    """The minimum span of each mention, with its sentence and its tokens in the document."""
    headings = plain_headings("document", "mention", "minimum")
    headings += plain_headings("sentence", "start", "end", kind="number")
    lines: list[list[CellValue]] = []
    for m in corpus.minima or ():
        minimum = " … ".join(run.text for run in m.minimum)
        lines.append(
            [m.document, m.mention.text, minimum, m.sentence, m.mention.start, m.mention.end]
        )
    title = f"Minimum spans in {corpus.name}" if several else "Minimum spans"
    return make_table("stats", title, headings, [lines])


def _numbers(names: Sequence[str], group: str = "") -> list[Heading]:
    return [Heading(f"{group} {name}".strip(), name, group, "number") for name in names]


def _facts(
    title: str, names: list[str], facts: Sequence[Mapping[str, Any] | None], total: bool
) -> Table:
    """A table of counts that only some corpora have, one row per count."""
    rows = {
        name.replace("_", " "): [counts[name] if counts else None for counts in facts]
        for name in next(filter(None, facts), {})
    }
    return _side_by_side(title, names, rows, total)


def _side_by_side(
    title: str, names: list[str], rows: Mapping[str, Sequence[CellValue]], total: bool
) -> Table:
    headings = [Heading("row", ""), *_numbers([*names, *["all"] * total])]
    lines = [[row, *values, *[_sum(values)] * total] for row, values in rows.items()]
    return make_table("stats", title, headings, [lines])


def _sum(values: Sequence[CellValue]) -> CellValue:
    if _UNKNOWN in values:
        return _UNKNOWN
    return sum(value for value in values if isinstance(value, int))


def _known(count: int | None) -> CellValue:
    return _UNKNOWN if count is None else count


def _documents(corpora: Sequence[Statistics], names: list[str], total: bool) -> Table:
    """Table 3 of the CoNLL-2012 paper: words, and documents with their parts in brackets."""
    columns = ["all", *names] if total else names
    headings = [Heading("genre", "genre"), *_numbers(columns, "words")]
    headings += _numbers(columns, "documents")
    lines: list[list[CellValue]] = []
    for genre, sizes in _groups(corpora, "genres"):
        counted = ("tokens", "documents", "parts")
        counts = [[_known(size.get(c, 0)) for size in sizes] for c in counted]
        if total:
            counts = [[_sum(numbers), *numbers] for numbers in counts]
        words, documents, parts = counts
        with_parts = [f"{d:,} ({p:,})" for d, p in zip(documents, parts, strict=True)]
        lines.append([genre, *words, *with_parts])
    return make_table("stats", "Words and documents (parts)", headings, [lines])


def _groups(
    corpora: Sequence[Statistics], by: str
) -> list[tuple[str, list[Mapping[str, int | None]]]]:
    """The counts of each corpus by genre or source, then in all of them together."""
    names = sorted({name for s in corpora for name in getattr(s, by)})
    groups = {name: [getattr(s, by).get(name, {}) for s in corpora] for name in names}
    return [*shown_groups(groups).items(), ("all", [s.counts for s in corpora])]


def _chains(
    corpora: Sequence[Statistics], names: list[str], by: str, title: str, total: bool
) -> Table:
    """Table 5 of the CoNLL-2012 paper: entities, links and mentions."""
    headings = [Heading("group", ""), Heading("what", "")]
    headings += _numbers([*names, *["all"] * total])
    lines: list[list[CellValue | Cell]] = []
    groups = _groups(corpora, by)
    for group, sizes in groups if len(groups) > 1 else ():
        for number, kind in enumerate(("entities", "links", "mentions")):
            values = [size.get(kind, 0) for size in sizes]
            label = Cell(group, text="" if number else None)
            lines.append([label, kind, *values, *[_sum(values)] * total])
    return make_table("stats", title, headings, [lines])


def _categories(corpora: Sequence[Statistics], names: list[str]) -> Table:
    """Table 4 of the CoNLL-2012 paper: mentions by category, dropped pronouns included."""
    headings = plain_headings("category")
    kinds = list(dict.fromkeys(kind for s in corpora for kind in s.categories or ()))
    columns: list[list[CellValue]] = [[*kinds]]
    for name, s in zip(names, corpora, strict=True):
        headings += [*_numbers([name]), Heading(f"{name} %", "%", "", "number")]
        categories = s.categories or {}
        counts = [categories.get(kind) for kind in kinds]
        mentions = max((s.counts["mentions"] or 0) + categories.get(DROPPED, 0), 1)
        shares = [None if count is None else 100 * count / mentions for count in counts]
        columns += [[*counts], [*shares]]
    lines = zip(*columns, strict=True)
    return make_table("stats", "Mentions by syntactic category", headings, [lines])


def _binned(histograms: Sequence[Histogram], shown: int | None) -> dict[str, list[CellValue]]:
    """One row per value, for the first `shown` values; the larger ones are summed up."""
    values = sorted({value for histogram in histograms for value in histogram})
    rows: dict[str, list[CellValue]] = {
        str(v): [h.get(v, 0) for h in histograms] for v in values[:shown]
    }
    if larger := values[len(rows) :]:
        rows[f"≥ {larger[0]}"] = [sum(h.get(v, 0) for v in larger) for h in histograms]
    return rows


def _drawn(corpus: Statistics) -> str:
    """The histograms as bars, for a terminal."""
    parts = []
    for name, title in HISTOGRAMS.items():
        rows = _binned([corpus.histograms.get(name, {})], _SHOWN)
        counts = {row: int(cells[0] or 0) for row, cells in rows.items()}
        if counts:
            parts.append(f"{title[0].upper() + title[1:]}\n{bars(counts)}")
    return "\n\n".join(parts) + "\n"


def plot_stats(corpora: Sequence[Statistics], path: str) -> None:
    """Draw the histograms; UsageError if matplotlib is not installed."""
    from corefkit.render.plots import COLOURS, LINES, new_figure, plain, save_figure

    figure, panels = new_figure(len(HISTOGRAMS), height=2.0)
    for axes, (name, title) in zip(panels, HISTOGRAMS.items(), strict=True):
        histograms = [dict(s.histograms.get(name, {})) for s in corpora]
        edges, beyond = _bins(histograms)
        for number, (corpus, histogram) in enumerate(zip(corpora, histograms, strict=True)):
            heights = [
                sum(n for value, n in histogram.items() if low <= value < high)
                for low, high in pairwise(edges)
            ]
            axes.stairs(
                heights,
                [edge - 0.5 for edge in edges],
                fill=len(corpora) == 1,
                color=COLOURS[number % len(COLOURS)],
                linestyle=LINES[number % len(LINES)],
                linewidth=1.5,
                label=plain(corpus.name),
            )
        axes.set_title(title, loc="left")
        if beyond:
            note = f"not drawn: {beyond:,} above {edges[-1] - 1:,}"
            axes.annotate(note, (0.99, 0.05), xycoords="axes fraction", ha="right", fontsize=8)
        axes.set_xlim(edges[0] - 0.5, edges[-1] - 0.5)
        axes.yaxis.set_major_formatter("{x:,.0f}")
        axes.locator_params(axis="x", integer=True)
    if len(corpora) > 1:
        panels[0].legend(frameon=False)
    save_figure(figure, path)


def _bins(histograms: Sequence[Histogram]) -> tuple[list[int], int]:
    """The edges of the bars, and how many values are above the last of them.

    The largest values, at most one in forty, are left out: they would compress the others.
    """
    counts: Counter[int] = Counter()
    for histogram in histograms:
        counts.update(histogram)
    if not counts:
        return [0, 1], 0
    values = sorted(counts)
    first, last = values[0], values[-1]
    if last - first >= _LEAST:
        seen = accumulate(counts[value] for value in values)
        enough = sum(number < _DRAWN * counts.total() for number in seen)
        last = max(values[enough], first + _LEAST)
    width = -(-(last - first + 1) // _MOST_BARS)
    edges = list(range(first, last + width + 1, width))
    return edges, sum(n for value, n in counts.items() if value >= edges[-1])
