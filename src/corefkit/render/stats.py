"""Statistics of one corpus or of several side by side, as tables and as figures."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from corefkit._version import __version__
from corefkit.ontonotes.stats import COUNTS, HISTOGRAMS, Histogram, Statistics
from corefkit.render.sheets import SHEET_FORMATS, Cell, Sheet, bars, sheets_text

FORMATS = (*SHEET_FORMATS, "json")
_SHOWN = 10
"""Rows of a histogram on the screen; the rest is one more row. CSV and JSON have them all."""


def render_stats(corpora: Sequence[Statistics], form: str, incidents: Sequence[Any] = ()) -> str:
    """The statistics in one of FORMATS."""
    if form == "json":
        return json.dumps(stats_dict(corpora, incidents), indent=1, ensure_ascii=False) + "\n"
    if form == "text" and len(corpora) == 1:
        return sheets_text(stats_sheets(corpora, 0)) + "\n" + _drawn(corpora[0])
    return SHEET_FORMATS[form](stats_sheets(corpora, None if form == "csv" else _SHOWN))


def stats_dict(corpora: Sequence[Statistics], incidents: Sequence[Any] = ()) -> dict[str, Any]:
    """One object for one corpus, a list of them for several."""
    told = [incident.to_dict() for incident in incidents]
    if len(corpora) == 1:
        return {"version": __version__, **corpora[0].to_dict(), "incidents": told}
    listed = [corpus.to_dict() for corpus in corpora]
    return {"version": __version__, "corpora": listed, "incidents": told}


def stats_sheets(corpora: Sequence[Statistics], shown: int | None = _SHOWN) -> list[Sheet]:
    """All tables; a column for each corpus, and their sum where there are several.

    Of a histogram `shown` rows are listed, all for None; with 0 there are no histograms.
    """
    names = [corpus.name for corpus in corpora]
    sheets = [
        _side_by_side("Size", names, {c: [s.counts[c] for s in corpora] for c in COUNTS}),
        _documents(corpora, names),
        _chains(corpora, names, "genres", "Entities, links and mentions by genre"),
        _chains(corpora, names, "sources", "Entities, links and mentions by source"),
    ]
    if any(s.categories for s in corpora):
        sheets.append(_categories(corpora, names))
    for name, title in HISTOGRAMS.items() if shown != 0 else ():
        found = [s.histograms.get(name, {}) for s in corpora]
        sheets.append(_side_by_side(title[0].upper() + title[1:], names, _binned(found, shown)))
    if any(s.speakers for s in corpora):
        keys = next(s.speakers for s in corpora if s.speakers)
        rows = {
            key.replace("_", " "): [s.speakers[key] if s.speakers else None for s in corpora]
            for key in keys
        }
        sheets.append(_side_by_side("Speakers", names, rows, total=False))
    return [sheet for sheet in sheets if sheet.rows]


def _side_by_side(
    title: str, names: list[str], rows: Mapping[str, Sequence[Cell]], total: bool = True
) -> Sheet:
    total = total and len(names) > 1
    return Sheet(
        title,
        ["", *names, *["all"] * total],
        [[row, *cells, *[_sum(cells)] * total] for row, cells in rows.items()],
    )


def _sum(cells: Sequence[Cell]) -> Cell:
    return sum(cell for cell in cells if isinstance(cell, int))


def _documents(corpora: Sequence[Statistics], names: list[str]) -> Sheet:
    """Table 3 of the CoNLL-2012 paper: words, and documents with their parts in brackets."""
    several = len(names) > 1
    first = ["all", *names] if several else names
    header = ["genre", *(f"words {n}" for n in first), *(f"documents {n}" for n in first)]

    def row(label: str, found: Sequence[Mapping[str, int]]) -> list[Cell]:
        counts = [[g.get(c, 0) for g in found] for c in ("tokens", "documents", "parts")]
        if several:
            counts = [[sum(numbers), *numbers] for numbers in counts]
        words, documents, parts = counts
        both = [f"{d:,} ({p:,})" for d, p in zip(documents, parts, strict=True)]
        return [label, *words, *both]

    groups = sorted({genre for s in corpora for genre in s.genres})
    rows = [row(genre, [s.genres.get(genre, {}) for s in corpora]) for genre in groups]
    total = row("all", [s.counts for s in corpora])
    return Sheet("Words and documents (parts)", header, [*rows, total])


def _chains(corpora: Sequence[Statistics], names: list[str], groups: str, title: str) -> Sheet:
    """Table 5 of the CoNLL-2012 paper: entities, links and mentions."""
    several = len(names) > 1
    rows: list[list[Cell]] = []
    listed = sorted({group for s in corpora for group in getattr(s, groups)})
    for group in [*listed, "all"]:
        for number, kind in enumerate(("entities", "links", "mentions")):
            found: list[Cell] = [
                (s.counts if group == "all" else getattr(s, groups).get(group, {})).get(kind, 0)
                for s in corpora
            ]
            rows.append([group if not number else "", kind, *found, *[_sum(found)] * several])
    return Sheet(title, ["", "", *names, *["all"] * several], rows, labels=2)


def _categories(corpora: Sequence[Statistics], names: list[str]) -> Sheet:
    """Table 4 of the CoNLL-2012 paper: mentions by syntactic category."""
    header = ["category", *(h for name in names for h in (name, "%"))]
    kinds = next(s.categories for s in corpora if s.categories)
    rows: list[list[Cell]] = []
    for kind in kinds:
        row: list[Cell] = [kind]
        for s in corpora:
            count = s.categories[kind] if s.categories else None
            share = 100 * count / max(s.counts["mentions"], 1) if count is not None else None
            row += [count, share]
        rows.append(row)
    return Sheet("Mentions by syntactic category", header, rows)


def _binned(histograms: Sequence[Histogram], shown: int | None) -> dict[str, list[Cell]]:
    """Rows of equal values; what is beyond the first `shown` of them together."""
    values = sorted({value for histogram in histograms for value in histogram})
    if shown is None or len(values) <= shown:
        return {str(v): [h.get(v, 0) for h in histograms] for v in values}
    rows: dict[str, list[Cell]] = {
        str(v): [h.get(v, 0) for h in histograms] for v in values[:shown]
    }
    bound = values[shown]
    rows[f"≥ {bound}"] = [sum(n for v, n in h.items() if v >= bound) for h in histograms]
    return rows


def _drawn(corpus: Statistics) -> str:
    parts = []
    for name, title in HISTOGRAMS.items():
        rows = _binned([corpus.histograms.get(name, {})], _SHOWN)
        counts = {row: int(cells[0] or 0) for row, cells in rows.items()}
        if counts:
            parts.append(f"{title[0].upper() + title[1:]}\n{bars(counts)}")
    return "\n\n".join(parts) + "\n"


def plot_stats(corpora: Sequence[Statistics], path: str) -> None:
    """The histograms as a figure, PNG or SVG; UsageError where matplotlib is not installed."""
    from corefkit.render.plots import check_name, new_figure, save_figure

    check_name(path)
    figure, panels = new_figure(len(HISTOGRAMS), height=2.2)
    wide = 0.8 / len(corpora)
    for axes, (name, title) in zip(panels, HISTOGRAMS.items(), strict=True):
        rows = _binned([s.histograms.get(name, {}) for s in corpora], 2 * _SHOWN)
        for number, corpus in enumerate(corpora):
            heights = [float(cells[number] or 0) for cells in rows.values()]
            places = [
                place + (number - (len(corpora) - 1) / 2) * wide for place in range(len(rows))
            ]
            axes.bar(places, heights, wide, label=corpus.name)
        axes.set_xticks(range(len(rows)), list(rows))
        axes.set_title(title, loc="left")
    if len(corpora) > 1:
        panels[0].legend(frameon=False)
    save_figure(figure, path)
