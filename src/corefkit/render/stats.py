"""Statistics of one corpus, or of several side by side, as tables and figures."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any

from corefkit.core.names import shown_groups
from corefkit.core.results import result_json
from corefkit.corpora.stats import COUNTS, DROPPED, HISTOGRAMS, MINIMUM, Histogram, Statistics
from corefkit.render.table import (
    DELIMITED,
    EMPTY,
    Around,
    CellValue,
    Heading,
    Table,
    render_table,
    render_tables,
)
from corefkit.render.text import bars
from corefkit.render.views import FigureRow, View, columns, flat, listing, pivot

_SHOWN = 10
"""Rows of a histogram for people; one more row sums up the others."""
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
    if form in DELIMITED:
        rows = [row for corpus in corpora for row in corpus.rows()]
        return render_table(flat(Statistics.kind, rows), form)
    if form == "text" and len(corpora) == 1:
        return render_tables(stats_tables(corpora, 0), "text") + "\n" + _drawn(corpora[0])
    return render_tables(stats_tables(corpora, total=total), form, Around(title="Statistics"))


def tables_of_statistics(corpus: Statistics) -> list[Table]:
    """The tables of one corpus."""
    return stats_tables([corpus])


def text_of_statistics(corpus: Statistics) -> str:
    """What `corefkit stats` prints for one corpus."""
    return render_stats([corpus])


def stats_tables(
    corpora: Sequence[Statistics], shown: int = _SHOWN, *, total: bool = True
) -> list[Table]:
    """All tables, with one column per corpus, and one for their sum if there are several.

    `shown` is the number of rows of a histogram. There is no `total` of annotators of the same
    documents.
    """
    total = total and len(corpora) > 1
    sizes = [
        {"row": count, "corpus": s.name, "value": _known(s.counts[count])}
        for s in corpora
        for count in COUNTS
    ]
    tables = [
        _side_by_side("Size", sizes, total=total),
        _side_by_side("Nodes", _facts([(s.name, s.nodes) for s in corpora]), total=total),
        _documents(corpora, total=total),
        _chains(corpora, "genres", "Entities, links and mentions by genre", total=total),
        _chains(corpora, "sources", "Entities, links and mentions by source", total=total),
        _categories(corpora),
    ]
    for name, title in HISTOGRAMS.items() if shown else ():
        rows = _binned({s.name: s.histograms.get(name, {}) for s in corpora}, shown)
        tables.append(_side_by_side(title[0].upper() + title[1:], rows, total=total))
    tables.append(_side_by_side("Speakers", _facts([(s.name, s.speakers) for s in corpora])))
    tables += [_minima(s, len(corpora) > 1) for s in corpora if s.minima]
    return [table for table in tables if any(table.lines)]


def _minima(corpus: Statistics, several: bool) -> Table:
    """The minimum span of each mention, with its sentence and its tokens in the document."""
    rows = [row for row in corpus.rows() if row["metric"] == MINIMUM]
    headings = columns("part label value", part="document", label="mention", value="minimum")
    title = f"Minimum spans in {corpus.name}" if several else "Minimum spans"
    return listing("stats", title, rows, *headings, *columns("sentence start end", kind="number"))


def _facts(facts: Sequence[tuple[str, Mapping[str, Any] | None]]) -> list[FigureRow]:
    """The rows of counts that only some corpora have."""
    return [
        {
            "row": name.replace("_", " "),
            "corpus": corpus,
            "value": counts[name] if counts else EMPTY,
        }
        for corpus, counts in facts
        for name in next((known for _, known in facts if known), {})
    ]


def _side_by_side(title: str, rows: Sequence[FigureRow], *, total: bool = False) -> Table:
    """Numbers with a column for each corpus, and one for their sum."""
    rows = [*rows, *_sums(rows, "row")] if total else rows
    value = columns("value", kind="number")
    return pivot(rows, View("stats", title, columns("row", row=""), value, across="corpus"))


def _sums(rows: Sequence[FigureRow], *fields: str) -> list[FigureRow]:
    """The sums of all corpora, for each of these fields of the lines."""
    names, lines = {row["corpus"] for row in rows}, dict[tuple[Any, ...], list[CellValue]]()
    for row in rows:
        line = (row.get("by"), *(row[field] for field in fields))
        lines.setdefault(line, []).append(row["value"])
    of_all = "sum" if "all" in names else "all"
    return [
        {"by": by, **dict(zip(fields, line, strict=True)), "corpus": of_all, "value": _sum(values)}
        for (by, *line), values in lines.items()
    ]


def _sum(values: Sequence[CellValue]) -> CellValue:
    if _UNKNOWN in values:
        return _UNKNOWN
    return sum(value for value in values if isinstance(value, int))


def _known(count: int | None) -> CellValue:
    return _UNKNOWN if count is None else count


def _documents(corpora: Sequence[Statistics], *, total: bool) -> Table:
    """Table 3 of the CoNLL-2012 paper: words, and documents with their parts in brackets."""
    rows: list[FigureRow] = []
    for by, genre, sizes in _groups(corpora, "genres"):
        counts = [
            {name: _known(size.get(name, 0)) for name in ("tokens", "documents", "parts")}
            for size in sizes
        ]
        if total:
            sums = {name: _sum([count[name] for count in counts]) for name in counts[0]}
            counts.insert(0, sums)
        words = {str(n): count["tokens"] for n, count in enumerate(counts)}
        parts = {str(n): f"{c['documents']:,} ({c['parts']:,})" for n, c in enumerate(counts)}
        rows.append({"genre": genre, "by": by, "what": "words", **words})
        rows.append({"genre": genre, "by": by, "what": "documents", **parts})
    titles = enumerate([*["all"] * total, *(corpus.name for corpus in corpora)])
    values = tuple(Heading(str(number), title, kind="number") for number, title in titles)
    title = "Words and documents (parts)"
    return pivot(rows, View("stats", title, columns("genre"), values, across="what"))


def _groups(
    corpora: Sequence[Statistics], by: str
) -> list[tuple[str, str, list[Mapping[str, int | None]]]]:
    """The counts of each corpus by genre or source, then in all of them together."""
    names = sorted({name for s in corpora for name in getattr(s, by)})
    groups = {name: [getattr(s, by).get(name, {}) for s in corpora] for name in names}
    listed = [(by, name, counts) for name, counts in shown_groups(groups).items()]
    return [*listed, ("", "all", [s.counts for s in corpora])]


def _chains(corpora: Sequence[Statistics], groups: str, title: str, *, total: bool) -> Table:
    """Table 5 of the CoNLL-2012 paper: entities, links and mentions."""
    rows: list[FigureRow] = [
        {"by": by, "group": group, "what": kind, "corpus": s.name, "value": size.get(kind, 0)}
        for by, group, sizes in _groups(corpora, groups)
        for s, size in zip(corpora, sizes, strict=True)
        for kind in ("entities", "links", "mentions")
    ]
    if not any(row["by"] for row in rows):
        rows = []
    rows += _sums(rows, "group", "what") if total else []
    lines, value = (Heading("group", ""), Heading("what", "")), columns("value", kind="number")
    return pivot(rows, View("stats", title, lines, value, across="corpus", once=("group",)))


def _categories(corpora: Sequence[Statistics]) -> Table:
    """Table 4 of the CoNLL-2012 paper: mentions by category, dropped pronouns included."""
    rows: dict[str, dict[str, Any]] = {}
    for number, s in enumerate(corpora):
        categories = s.categories or {}
        mentions = max((s.counts["mentions"] or 0) + categories.get(DROPPED, 0), 1)
        for kind, count in categories.items():
            row = rows.setdefault(kind, {"category": kind})
            row |= {f"{number}": count, f"{number} %": 100 * count / mentions}
    headings = [
        Heading(name, title, kind="number")
        for number, s in enumerate(corpora)
        for name, title in ((f"{number}", s.name), (f"{number} %", "%"))
    ]
    title = "Mentions by syntactic category"
    return listing("stats", title, rows.values(), *columns("category"), *headings)


def _binned(histograms: Mapping[str, Histogram], shown: int) -> list[FigureRow]:
    """One row per corpus and value, for the first `shown` values; larger ones are summed up."""
    values = sorted({value for histogram in histograms.values() for value in histogram})
    bins = {str(value): [value] for value in values[:shown]}
    if larger := values[shown:]:
        bins[f"≥ {larger[0]}"] = larger
    return [
        {"row": label, "corpus": name, "value": sum(histogram.get(v, 0) for v in of_bin)}
        for name, histogram in histograms.items()
        for label, of_bin in bins.items()
    ]


def _drawn(corpus: Statistics) -> str:
    """The histograms as bars, for a terminal."""
    parts = []
    for name, title in HISTOGRAMS.items():
        rows = _binned({corpus.name: corpus.histograms.get(name, {})}, _SHOWN)
        if rows:
            counts = {row["row"]: row["value"] for row in rows}
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
