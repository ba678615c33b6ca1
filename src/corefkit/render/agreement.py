"""Agreement as text, tables and figures: Table 1 and Figure 2 of the CoNLL-2012 paper."""

from collections.abc import Sequence
from dataclasses import replace
from textwrap import fill

from corefkit.core.names import OTHERS, shown_groups
from corefkit.core.texts import count_of, versioned_json
from corefkit.render.scores import title_of
from corefkit.render.table import (
    DELIMITED,
    Around,
    CellValue,
    Heading,
    Table,
    make_table,
    percent,
    plain_headings,
    render_table,
    render_tables,
    result_json,
)
from corefkit.render.text import bars
from corefkit.stats.agreement import Agreement, PairAgreement


def render_agreement(agreement: Agreement, form: str = "text") -> str:
    """The agreement in one of the formats of tables."""
    if form == "json":
        return result_json(agreement.to_dict(), agreement.incidents)
    if form in DELIMITED:
        return render_tables(agreement_tables(agreement), form)
    tables = agreement_tables(agreement)
    if form == "text" and width_of(tables) > WIDTH:
        tables = agreement_tables(agreement, wide=False)
    if form == "text" and width_of(tables) > WIDTH:
        tables = agreement_tables(agreement, wide=False, numbered=True)
    below = [advice(agreement)]
    if form == "text":
        below = [fill(below[0], WIDTH)]
    around = Around(below=below if below[0] else [], title="Agreement")
    return render_tables(tables, form, around)


WIDTH = 100
"""Of a terminal. Where names make tables wider, pairs are rows, then annotators are numbered."""


def width_of(tables: Sequence[Table]) -> int:
    """How many columns of a terminal the widest of the tables takes."""
    lines = (line for table in tables for line in render_table(table, "text").split("\n"))
    return max(map(len, lines), default=0)


def advice(agreement: Agreement) -> str:
    """Which of the figures to report, with their values."""
    names = {annotator.name for annotator in agreement.annotators}
    scores = [p.scores for p in agreement.pairs if p.scores and {p.a, p.b} <= names]
    pairs = [metrics["mentions"].f1 for metrics in scores if "mentions" in metrics]
    alphas = agreement.alphas if len(agreement.annotators) > 2 else agreement.pairs[0].alphas
    counts = next(iter(alphas.values()))
    parts = []
    if pairs:
        ends = dict.fromkeys(map(percent, (min(pairs), max(pairs))))
        parts.append(f"mentions F1 {' to '.join(ends)} for what is a mention")
    if counts and (alpha := counts.alpha()) is not None:
        parts.append(f"α {alpha:.4f} (unmarked = singleton) for which mentions belong together")
    if not parts:
        return ""
    text = f"To report: {', and '.join(parts)}."
    there = {
        (document, annotator.name)
        for annotator in agreement.annotators
        for document, has in zip(agreement.documents, annotator.present.tolist(), strict=True)
        if has
    }
    number = sum(s in _STATES and place in there for place, s in agreement.states.items())
    if not number:
        return text
    annotations, them = count_of(number, "unfinished annotation"), "it" if number == 1 else "them"
    return f"{text} This counts {annotations}: --unfinished drop leaves {them} out."


def agreement_tables(
    agreement: Agreement, *, wide: bool = True, numbered: bool = False
) -> list[Table]:
    """Agreement on mentions first: without it, agreement on chains means little.

    Where metrics are rows, tables are as wide as the names of all pairs; without `wide`, pairs
    are rows. Annotators may be `numbered`; the first table then says who is who.
    """
    if numbered:
        return [_numbers(agreement), *agreement_tables(_with_numbers(agreement), wide=False)]
    scored = [pair for pair in agreement.pairs if pair.scores]
    marked = agreement.marked_by()
    lines = [(f"{number} of {len(marked)}", count) for number, count in sorted(marked.items())]
    headings = [Heading("annotators", ""), Heading("mentions", "mentions", kind="number")]
    title = "Mentions by how many annotators marked them"
    tables = [make_table("marked", title, headings, [lines])] if any(marked.values()) else []
    if scored:
        tables += [_all_metrics(scored) if wide else _metrics_by_pair(scored), *_by_genre(scored)]
    tables += _alphas(agreement)
    if not agreement.complete or agreement.states:
        tables.append(_documents(agreement))
    return tables


_STATES = {"IN_PROGRESS": " (in progress)"}
"""What is shown beside the mentions of a document that is not finished."""


def _documents(agreement: Agreement) -> Table:
    """Who annotated what: the mentions that each marked in each document."""
    listed = agreement.document_list()
    names = [a.name for a in agreement.annotators]
    names += [agreement.adjudicated.name] if agreement.adjudicated else []
    headings = plain_headings("document") + plain_headings(*names)
    lines: list[list[CellValue]] = []
    for document in listed:
        annotators = document["annotators"]
        cells = [
            f"{annotators[n]['mentions']:,}{_STATES.get(annotators[n]['state'], '')}"
            if n in annotators
            else "–"
            for n in names
        ]
        lines.append([document["name"], *cells])
    title = "Mentions marked by document and annotator"
    return make_table("documents", title, headings, [lines])


def _name(pair: PairAgreement) -> str:
    return f"{pair.a} – {pair.b}"


def _numbers(agreement: Agreement) -> Table:
    lines = [(f"[{n}]", annotator.name) for n, annotator in enumerate(agreement.annotators, 1)]
    return make_table("annotators", "Annotators", plain_headings("number", "name"), [lines])


def _with_numbers(agreement: Agreement) -> Agreement:
    """The same agreement of annotators that are called [1], [2], …"""
    called = {annotator.name: f"[{n}]" for n, annotator in enumerate(agreement.annotators, 1)}
    pairs = (replace(p, a=called.get(p.a, p.a), b=called.get(p.b, p.b)) for p in agreement.pairs)
    people = (replace(annotator, name=called[annotator.name]) for annotator in agreement.annotators)
    states = {(name, called[who]): state for (name, who), state in agreement.states.items()}
    return replace(agreement, annotators=tuple(people), pairs=tuple(pairs), states=states)


def _by_genre(pairs: Sequence[PairAgreement]) -> list[Table]:
    """Table 1: MUC for each genre and pair, or the first metric after mentions.

    There is none where no document has a genre.
    """
    all_scores = [p.scores for p in pairs if p.scores]
    first = all_scores[0]
    metric = "muc" if "muc" in first else list(first)[:2][-1]
    groups = [shown_groups(scores.by("genre")) for scores in all_scores]
    genres = sorted({genre for group in groups for genre in group}, key=lambda g: (g == OTHERS, g))
    if not genres:
        return []
    headings = plain_headings("genre") + plain_headings(*map(_name, pairs), kind="score")
    lines: list[list[CellValue]] = [
        [
            genre,
            *(group[genre][metric].f1 if genre in group else None for group in groups),
        ]
        for genre in genres
    ]
    lines.append(["all", *(scores[metric].f1 for scores in all_scores)])
    return [make_table("genres", f"{title_of(metric)} F1 by genre", headings, [lines])]


def _with_ends(figure: Heading) -> list[Heading]:
    """A figure and the ends of its interval."""
    ends = {", low": "from", ", high": "to"}
    return [figure, *(figure._replace(name=figure.name + n, title=t) for n, t in ends.items())]


def _metrics_by_pair(pairs: Sequence[PairAgreement]) -> Table:
    """A row per pair: narrow, whatever the names; of intervals only that of the last metric."""
    metrics = list(pairs[0].scores or ())
    headings = [Heading("pair", ""), *plain_headings(*metrics, kind="score")]
    intervals = [pair.ends.get(metrics[-1]) for pair in pairs]
    if any(intervals):
        ends = {f"{metrics[-1]}, low": "from", f"{metrics[-1]}, high": "to"}
        headings += [Heading(name, title, kind="score") for name, title in ends.items()]
    lines: list[list[CellValue]] = [
        [
            _name(pair),
            *(pair.scores[metric].f1 if pair.scores else None for metric in metrics),
            *((ends or (None, None)) if any(intervals) else ()),
        ]
        for pair, ends in zip(pairs, intervals, strict=True)
    ]
    title = f"F1 of all metrics{_OF_SAMPLES.format(metrics[-1]) if any(intervals) else ''}"
    return make_table("metrics", title, headings, [lines])


_OF_SAMPLES = ", with the 95 % interval of {} from samples of documents"


def _all_metrics(pairs: Sequence[PairAgreement]) -> Table:
    headings = plain_headings("metric")
    intervals = [pair.ends for pair in pairs]
    for name, ends_of in zip(map(_name, pairs), intervals, strict=True):
        figure = Heading(name, "F1", name, "score")
        headings += _with_ends(figure) if any(ends_of.values()) else [figure]
    lines: list[list[CellValue]] = []
    for metric in pairs[0].scores or ():
        line: list[CellValue] = [metric]
        for pair, ends_of in zip(pairs, intervals, strict=True):
            line.append(pair.scores[metric].f1 if pair.scores else None)
            if any(ends_of.values()):
                line += ends_of.get(metric) or (None, None)
        lines.append(line)
    title = "F1 of all metrics"
    if any(ends for ends_of in intervals for ends in ends_of.values()):
        title += ", 95 % intervals from samples of documents"
    return make_table("metrics", title, headings, [lines])


_ALPHAS = {"α, unmarked = singleton": "marked by anyone", "α, marked by all": "marked by all"}
"""Over which mentions α is computed. Of those that anyone marked, who has not marked one made it a
singleton, so that added singletons raise the figure: this must stand beside it."""


def _alphas(agreement: Agreement) -> list[Table]:
    """α of all and of every pair that shares a document; there is no table where none does."""
    headings = [Heading("pair", "")]
    for name, title in _ALPHAS.items():
        headings += _with_ends(Heading(name, "α", title, "number", 4))
    listed = [("all annotators", agreement.alphas)] if len(agreement.annotators) > 2 else []
    listed += [(_name(pair), pair.alphas) for pair in agreement.pairs]
    lines: list[list[CellValue]] = []
    for name, alphas in listed:
        if not any(alphas.values()):
            continue
        line: list[CellValue] = [name]
        for counts in alphas.values():
            interval = counts.interval() if counts else None
            line += [counts.alpha() if counts else None, *(interval or (None, None))]
        lines.append(line)
    title = "Krippendorff's α for chains, 95 % intervals; marked by anyone: unmarked = singleton"
    return [make_table("alpha", title, headings, [lines])] if lines else []


def render_labels(counts: dict[str, int], missing: int, form: str) -> str:
    """The distribution of labels: Figure 2 as bars, or as a table."""
    if form == "json":
        return versioned_json({"labels": counts, "unlabelled": missing})
    if form == "text":
        unlabelled = f"\n{missing:,} without a label\n" if missing else ""
        return f"Disagreements by type\n{bars(counts)}\n{unlabelled}"
    total = sum(counts.values())
    headings = plain_headings("type") + plain_headings("count", "%", kind="number")
    lines = [(name, n, 100 * n / total) for name, n in counts.items()]
    table = make_table("labels", "Disagreements by type", headings, [lines])
    return render_tables([table], form, Around(title=table.title))


def plot_labels(counts: dict[str, int], path: str) -> None:
    """Figure 2: the share of each type, as bars; the ending of the name says in which format."""
    from corefkit.render.plots import grid_across, new_figure, save_figure

    figure, (axes,) = new_figure(height=0.5 + 0.3 * len(counts))
    total = sum(counts.values())
    names = list(reversed(counts))
    axes.barh(names, [100 * counts[name] / total for name in names])
    grid_across(axes)
    axes.set_xlabel(f"% of {total:,} disagreements")
    save_figure(figure, path)
