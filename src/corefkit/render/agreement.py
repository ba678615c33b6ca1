"""Agreement as text, tables and figures, after Table 1 and Figure 2 of the CoNLL-2012 paper."""

import re
from collections.abc import Sequence
from dataclasses import replace
from math import fsum
from textwrap import fill
from typing import Any

from corefkit.core.names import OTHERS
from corefkit.core.results import result_json
from corefkit.core.texts import count_of
from corefkit.render.table import (
    DELIMITED,
    Around,
    CellValue,
    Heading,
    Table,
    make_table,
    percent,
    plain_headings,
    render_tables,
)
from corefkit.render.text import WIDTH, bars, width_of
from corefkit.render.views import title_of
from corefkit.stats.agreement import Agreement, PairAgreement


def render_agreement(agreement: Agreement, form: str = "text") -> str:
    """The agreement in one of the table formats."""
    if form == "json":
        return result_json(agreement.kind, agreement.to_dict(), agreement.incidents)
    if form in DELIMITED:
        return render_tables(agreement_tables(agreement), form)
    if form == "text" and len(agreement.pairs) > MANY_PAIRS:
        return _render_summary(agreement)
    tables = agreement_tables(agreement)
    if form == "text" and width_of(tables) > WIDTH:  # pairs become rows
        tables = agreement_tables(agreement, wide=False)
    if form == "text" and width_of(tables) > WIDTH:  # and names become numbers
        tables = agreement_tables(agreement, wide=False, numbered=True)
    below = [advice(agreement)]
    if form == "text":
        below = [fill(below[0], WIDTH)]
    around = Around(below=below if below[0] else [], title="Agreement")
    return render_tables(tables, form, around)


MANY_PAIRS = 15
"""More pairs than those of six annotators fill several screens: a summary takes their place."""


def _render_summary(agreement: Agreement) -> str:
    """Each annotator with all others, and α of all, as text; other forms have every pair."""
    first, *tables = agreement_tables(agreement, wide=False)
    kept = [table for table in (first, *tables) if table.name in ("marked", "documents")]
    summary = [_by_annotator(agreement), *_alphas(agreement, pairs=False)]
    tables = [*kept[:1], *summary, *kept[1:]]
    below = f"{advice(agreement)} Of {len(agreement.pairs)} pairs: -f csv has each of them."
    return render_tables(tables, "text", Around(below=[fill(below.strip(), WIDTH)]))


def _by_annotator(agreement: Agreement) -> Table:
    """The mean F1 of each annotator with all others, and the least and the most of any pair."""
    scored = [pair for pair in agreement.pairs if pair.scores]
    metrics = list(scored[0].scores or ()) if scored else []
    headings = [Heading("annotator", ""), *plain_headings(*metrics, kind="score")]
    names = dict.fromkeys(name for pair in agreement.pairs for name in (pair.a, pair.b))
    lines: list[list[CellValue]] = []
    for name in names:
        own = [pair.scores for pair in scored if name in (pair.a, pair.b) and pair.scores]
        means = [fsum(scores[m].f1 for scores in own) / len(own) if own else None for m in metrics]
        lines.append([name, *means])
    everyone = [pair.scores for pair in scored if pair.scores]
    ends: list[list[CellValue]] = [
        [word, *(choose(scores[metric].f1 for scores in everyone) for metric in metrics)]
        for word, choose in (("least of a pair", min), ("most of a pair", max))
    ]
    title = "Mean F1 of each annotator with all others"
    return make_table("summary", title, headings, [lines, ends])


def advice(agreement: Agreement) -> str:
    """A sentence on which figures to report, with their values; empty if there are none."""
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
    annotated = {
        (document, annotator.name)
        for annotator in agreement.annotators
        for document, present in zip(agreement.documents, annotator.present.tolist(), strict=True)
        if present
    }
    number = sum(state in _STATES and pair in annotated for pair, state in agreement.states.items())
    if not number:
        return text
    annotations, pronoun = count_of(number, "unfinished annotation"), "them" if number > 1 else "it"
    return f"{text} This counts {annotations}: --read unfinished=drop leaves {pronoun} out."


def agreement_tables(
    agreement: Agreement, *, wide: bool = True, numbered: bool = False
) -> list[Table]:
    """The tables of agreement: on mentions first, without which agreement on chains means little.

    If `wide`, pairs are columns, so that the width depends on their names; otherwise they are
    rows. Annotators may be `numbered`; the first table then lists their names.
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
"""The remark on a document that is not finished, by its state."""


def _documents(agreement: Agreement) -> Table:
    """The number of mentions that each annotator marked in each document."""
    documents = agreement.document_list()
    first = [d["name"] for d in documents if agreement.annotators[0].name in d["annotators"]]
    if first == sorted(first, key=_in_order):  # what this annotator lacks stands at its place, too
        documents.sort(key=lambda document: _in_order(document["name"]))
    names = [a.name for a in agreement.annotators]
    names += [agreement.adjudicated.name] if agreement.adjudicated else []
    headings = plain_headings("document") + plain_headings(*names)
    lines: list[list[CellValue]] = []
    for document in documents:
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


def _in_order(name: str) -> list[Any]:
    """A key that sorts numbers in names by their values.

    >>> sorted(["doc10", "doc9", "a"], key=_in_order)
    ['a', 'doc9', 'doc10']
    """
    parts = re.split(r"(\d+)", name)
    return [int(part) if place % 2 else part for place, part in enumerate(parts)]


def _name(pair: PairAgreement) -> str:
    return f"{pair.a} – {pair.b}"


def _numbers(agreement: Agreement) -> Table:
    lines = [(f"[{n}]", annotator.name) for n, annotator in enumerate(agreement.annotators, 1)]
    return make_table("annotators", "Annotators", plain_headings("number", "name"), [lines])


def _with_numbers(agreement: Agreement) -> Agreement:
    """The same agreement with the annotators renamed to [1], [2], …"""
    names = {annotator.name: f"[{n}]" for n, annotator in enumerate(agreement.annotators, 1)}
    pairs = (replace(p, a=names.get(p.a, p.a), b=names.get(p.b, p.b)) for p in agreement.pairs)
    annotators = (replace(a, name=names[a.name]) for a in agreement.annotators)
    states = {(document, names[name]): s for (document, name), s in agreement.states.items()}
    return replace(agreement, annotators=tuple(annotators), pairs=tuple(pairs), states=states)


def _by_genre(pairs: Sequence[PairAgreement]) -> list[Table]:
    """Table 1: MUC, or else the first metric after mentions, for each genre and pair.

    Empty if no document has a genre.
    """
    all_scores = [p.scores for p in pairs if p.scores]
    first = all_scores[0]
    metric = "muc" if "muc" in first else list(first)[:2][-1]
    groups = [scores.groups("genre") for scores in all_scores]
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
    """The headings of a figure and of the ends of its interval."""
    ends = {", low": "from", ", high": "to"}
    return [figure, *(figure._replace(name=figure.name + n, title=t) for n, t in ends.items())]


def _metrics_by_pair(pairs: Sequence[PairAgreement]) -> Table:
    """One row per pair and one column per metric; only the last metric has its interval."""
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
    """One row per metric; each pair has a column, and two more if it has intervals."""
    headings = plain_headings("metric")
    for pair in pairs:
        figure = Heading(_name(pair), "F1", _name(pair), "score")
        headings += _with_ends(figure) if any(pair.ends.values()) else [figure]
    lines: list[list[CellValue]] = []
    for metric in pairs[0].scores or ():
        line: list[CellValue] = [metric]
        for pair in pairs:
            line.append(pair.scores[metric].f1 if pair.scores else None)
            if any(pair.ends.values()):
                line += pair.ends.get(metric) or (None, None)
        lines.append(line)
    title = "F1 of all metrics"
    if any(ends for pair in pairs for ends in pair.ends.values()):
        title += ", 95 % intervals from samples of documents"
    return make_table("metrics", title, headings, [lines])


_ALPHAS = {"α, unmarked = singleton": "marked by anyone", "α, marked by all": "marked by all"}
"""The mentions that α is computed over. If they are those that anyone marked, an annotator who did
not mark one is treated as having made it a singleton, and added singletons raise α: the table has
to say so."""


def _alphas(agreement: Agreement, *, pairs: bool = True) -> list[Table]:
    """α of all annotators and of every pair that shares a document; empty if no pair does."""
    headings = [Heading("pair", "")]
    for name, title in _ALPHAS.items():
        headings += _with_ends(Heading(name, "α", title, "number", 4))
    named_alphas = [("all annotators", agreement.alphas)] if len(agreement.annotators) > 2 else []
    if pairs:
        named_alphas += [(_name(pair), pair.alphas) for pair in agreement.pairs]
    lines: list[list[CellValue]] = []
    for name, alphas in named_alphas:
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
    """The distribution of labels: as bars after Figure 2, as a table, or as JSON."""
    if form == "json":
        return result_json("labels", {"labels": counts, "unlabelled": missing})
    if form == "text":
        unlabelled = f"\n{missing:,} without a label\n" if missing else ""
        return f"Disagreements by type\n{bars(counts)}\n{unlabelled}"
    total = sum(counts.values())
    headings = plain_headings("type") + plain_headings("count", "%", kind="number")
    lines = [(name, n, 100 * n / total) for name, n in counts.items()]
    table = make_table("labels", "Disagreements by type", headings, [lines])
    return render_tables([table], form, Around(title=table.title))


def plot_labels(counts: dict[str, int], path: str) -> None:
    """Draw Figure 2, the share of each type as bars; the suffix of the path decides the format."""
    from corefkit.render.plots import grid_across, new_figure, save_figure

    figure, (axes,) = new_figure(height=0.5 + 0.3 * len(counts))
    total = sum(counts.values())
    names = list(reversed(counts))
    axes.barh(names, [100 * counts[name] / total for name in names])
    grid_across(axes)
    axes.set_xlabel(f"% of {total:,} disagreements")
    save_figure(figure, path)
