"""Agreement as text, tables and figures: Table 1 and Figure 2 of the CoNLL-2012 paper."""

import json
from collections.abc import Sequence

from corefkit._version import __version__
from corefkit.render.sheets import SHEET_FORMATS, Cell, Sheet, bars
from corefkit.render.table import percent
from corefkit.stats.agreement import Agreement, Pair

_ENDS = {False: ["95 %"], True: ["low", "high"]}
"""The heads of an interval, rounded and exact."""

FORMATS = (*SHEET_FORMATS, "json")


def render_agreement(agreement: Agreement, form: str) -> str:
    """The agreement in one of FORMATS."""
    if form == "json":
        told = [incident.to_dict() for incident in agreement.incidents]
        found = {"version": __version__, **agreement.to_dict(), "incidents": told}
        return json.dumps(found, indent=1, ensure_ascii=False) + "\n"
    return SHEET_FORMATS[form](_sheets(agreement, exact=form == "csv"))


def _sheets(agreement: Agreement, exact: bool) -> list[Sheet]:
    """Agreement on mentions first: without it, agreement on chains means little."""
    scored = [pair for pair in agreement.pairs if pair.scores]
    marked = agreement.marked_by()
    rows: list[list[Cell]] = [
        [f"{number} of {len(marked)}", count] for number, count in sorted(marked.items())
    ]
    sheets = [Sheet("Mentions by how many annotators marked them", ["", "mentions"], rows)]
    if scored:
        sheets += [_all_metrics(scored, exact), _by_genre(scored, exact)]
    return [*sheets, _alphas(agreement, exact)]


def _name(pair: Pair) -> str:
    return f"{pair.a} – {pair.b}"


def _by_genre(pairs: Sequence[Pair], exact: bool) -> Sheet:
    """Table 1: MUC for each genre and pair; or the first metric behind mentions."""
    found = [p.scores for p in pairs if p.scores]
    metric = "muc" if "muc" in found[0] else list(found[0])[:2][-1]
    groups = [scores.by("genre") for scores in found]
    genres = sorted({genre for group in groups for genre in group})
    rows: list[list[Cell]] = [
        [
            genre,
            *(_f1(group[genre][metric].f1, exact) if genre in group else None for group in groups),
        ]
        for genre in genres
    ]
    rows.append(["all", *(_f1(scores[metric].f1, exact) for scores in found)])
    return Sheet(f"{metric.upper()} F1 by genre", ["genre", *map(_name, pairs)], rows)


def _all_metrics(pairs: Sequence[Pair], exact: bool) -> Sheet:
    header = ["metric"]
    for pair in pairs:
        ends_of = [f"{_name(pair)}, {end}" for end in _ENDS[True]] if exact else _ENDS[False]
        header += [_name(pair), *ends_of]
    intervals = [pair.intervals() for pair in pairs]
    rows: list[list[Cell]] = []
    for metric in pairs[0].scores or ():
        row: list[Cell] = [metric]
        for pair, ends in zip(pairs, intervals, strict=True):
            row.append(_f1(pair.scores[metric].f1, exact) if pair.scores else None)
            row += _interval(ends.get(metric), exact, percent=True)
        rows.append(row)
    return Sheet("F1 of all metrics, intervals from samples of documents", header, rows)


_ALPHAS = {"anyone": "α, unmarked = singleton", "everyone": "α, marked by all"}
"""Over which mentions α is computed. Of those that anyone marked, who has not marked one made it a
singleton, so that added singletons raise the figure: this must stand beside it."""


def _alphas(agreement: Agreement, exact: bool) -> Sheet:
    header = [""]
    for title in _ALPHAS.values():
        header += [title, *([f"{title}, {end}" for end in _ENDS[True]] if exact else _ENDS[False])]
    rows: list[list[Cell]] = []
    listed = [("all annotators", agreement.alphas)] if len(agreement.annotators) > 2 else []
    listed += [(_name(pair), pair.alphas) for pair in agreement.pairs]
    for name, alphas in listed:
        row: list[Cell] = [name]
        for which in _ALPHAS:
            counts = getattr(alphas, which) if alphas else None
            value = counts.alpha() if counts else None
            row.append(value if exact or value is None else f"{value:.4f}")
            row += _interval(counts.interval() if counts else None, exact)
        rows.append(row)
    return Sheet("Krippendorff's α for chains", header, rows)


def _f1(value: float, exact: bool) -> Cell:
    return value if exact else percent(value)


def _interval(ends: Sequence[float] | None, exact: bool, percent: bool = False) -> list[Cell]:
    """The cells of an interval: its two ends as they are, or one text for readers."""
    if exact:
        return list(ends) if ends else [None, None]
    if not ends:
        return [None]
    low, high = (100 * x if percent else x for x in ends)
    return [f"{low:.2f} … {high:.2f}" if percent else f"{low:.4f} … {high:.4f}"]


def render_labels(counts: dict[str, int], missing: int, form: str) -> str:
    """The distribution of labels: Figure 2 as bars, or as a table."""
    if form == "json":
        found = {"version": __version__, "labels": counts, "unlabelled": missing}
        return json.dumps(found, indent=1, ensure_ascii=False) + "\n"
    if form == "text":
        rest = f"\n{missing:,} without a label\n" if missing else ""
        return f"Disagreements by type\n{bars(counts)}\n{rest}"
    total = sum(counts.values())
    rows: list[list[Cell]] = [[name, n, 100 * n / total] for name, n in counts.items()]
    return SHEET_FORMATS[form]([Sheet("Disagreements by type", ["type", "count", "%"], rows)])


def plot_labels(counts: dict[str, int], path: str) -> None:
    """Figure 2: the share of each type, as bars; PNG or SVG by the ending of the name."""
    from corefkit.render.plots import check_name, new_figure, save_figure

    check_name(path)
    figure, (axes,) = new_figure(height=0.5 + 0.3 * len(counts))
    total = sum(counts.values())
    names = list(reversed(counts))
    axes.barh(names, [100 * counts[name] / total for name in names])
    axes.set_xlabel(f"% of {total:,} disagreements")
    save_figure(figure, path)
