"""Agreement as text, tables and figures, after Table 1 and Figure 2 of the CoNLL-2012 paper."""

import re
from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import Any

from corefkit.core.names import OTHERS
from corefkit.core.results import result_json
from corefkit.core.texts import count_of
from corefkit.metrics import title_of
from corefkit.render.table import (
    DELIMITED,
    Around,
    Table,
    percent,
    render_table,
    render_tables,
)
from corefkit.render.text import WIDTH, bars, width_of
from corefkit.render.views import ENDS, F1, NOTHING, FigureRow, View, columns, flat, listing, pivot
from corefkit.stats.agreement import Agreement


def render_agreement(agreement: Agreement, form: str = "text") -> str:
    """The agreement in one of the table formats."""
    if form == "json":
        return result_json(agreement.kind, agreement.to_dict(), agreement.incidents)
    if form in DELIMITED:
        return render_table(flat(agreement.kind, agreement.rows()), form)
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
    rows = agreement.rows()
    everyone = [{**row, "pair": _EVERYONE} for row in rows if not row["system"]]
    title = "Mean F1 of each annotator with all others"
    lines = columns("label", label="")
    view = View("summary", title, lines, F1, block="by", headed=False)
    tables = [*_marked(rows), pivot(agreement.summary(), view), *_alphas(everyone)]
    tables += _documents(agreement)
    below = f"{advice(agreement)} Of {len(agreement.pairs)} pairs: -f csv has each of them."
    return render_tables(tables, "text", Around(below=[fill(below.strip(), WIDTH)]))


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
    names = {
        a.name: f"[{n}]" if numbered else a.name for n, a in enumerate(agreement.annotators, 1)
    }
    rows = agreement.rows()
    by_pair = [
        {**row, "pair": " – ".join(names.get(row[side], row[side]) for side in ("system", "b"))}
        for row in rows
        if row["system"] and row["b"] and "detail" not in row
    ]
    everyone = [{**row, "pair": _EVERYONE} for row in rows if not row["system"]]
    tables = []
    if numbered:
        listed = [{"number": number, "name": name} for name, number in names.items()]
        tables.append(listing("annotators", "Annotators", listed, *columns("number name")))
    tables += _marked(rows)
    tables += _metrics([row for row in by_pair if row["metric"] not in _ALPHAS], wide=wide)
    several = everyone if len(agreement.annotators) > 2 else []
    tables += _alphas([*several, *by_pair])
    return tables + _documents(agreement, names)


_EVERYONE = "all annotators"


def _marked(rows: Sequence[FigureRow]) -> list[Table]:
    """How many mentions were marked by so many annotators; empty if there are none."""
    marked = [row for row in rows if row["by"] == "marked by"]
    title = "Mentions by how many annotators marked them"
    lines = columns("label", label="")
    view = View("marked", title, lines, columns("mentions", kind="number"), across="")
    return [pivot(marked, view)] if any(row["mentions"] for row in marked) else []


_STATES = {"IN_PROGRESS": " (in progress)"}
"""The remark on a document that is not finished, by its state."""


def _documents(agreement: Agreement, names: Mapping[str, str] | None = None) -> list[Table]:
    """The number of mentions that each annotator marked in each document, where some are missing
    or unfinished; annotators may have other names.
    """
    if agreement.complete and not agreement.states:
        return []
    documents = agreement.document_list()
    first = [d["name"] for d in documents if agreement.annotators[0].name in d["annotators"]]
    if first == sorted(first, key=_in_order):  # what this annotator lacks stands at its place, too
        documents.sort(key=lambda document: _in_order(document["name"]))
    everyone = [a.name for a in agreement.annotators]
    everyone += [agreement.adjudicated.name] if agreement.adjudicated else []
    rows = [
        {
            "document": document["name"],
            "annotator": (names or {}).get(name, name),
            "mentions": f"{marked['mentions']:,}{_STATES.get(marked['state'], '')}"
            if (marked := document["annotators"].get(name))
            else NOTHING,
        }
        for document in documents
        for name in everyone
    ]
    title = "Mentions marked by document and annotator"
    lines, value = columns("document"), columns("mentions")
    return [pivot(rows, View("documents", title, lines, value, across="annotator"))]


def _in_order(name: str) -> list[Any]:
    """A key that sorts numbers in names by their values.

    >>> sorted(["doc10", "doc9", "a"], key=_in_order)
    ['a', 'doc9', 'doc10']
    """
    parts = re.split(r"(\d+)", name)
    return [int(part) if number % 2 else part for number, part in enumerate(parts)]


def _metrics(rows: Sequence[FigureRow], *, wide: bool) -> list[Table]:
    """F1 of all metrics by pair, and of one by genre and pair, as in Table 1 of the paper.

    If `wide`, each pair has its columns, with intervals; otherwise each has a row, with the
    interval of the last metric.
    """
    whole = [row for row in rows if not row["by"]]
    if not whole:
        return []
    metrics = list(dict.fromkeys(row["metric"] for row in whole))
    title = "F1 of all metrics"
    sampled = any(row["low"] is not None for row in whole)
    if wide:
        title += ", 95 % intervals from samples of documents" * sampled
        view = View("metrics", title, columns("metric"), F1 + ENDS, across="pair")
    else:
        last = f", with the 95 % interval of {metrics[-1]} from samples of documents"
        title += last * sampled
        view = View("metrics", title, columns("pair", pair=""), F1 + ENDS)
        whole = [
            row if row["metric"] == metrics[-1] else {**row, "low": None, "high": None}
            for row in whole
        ]
    tables = [pivot(whole, view)]
    metric = "muc" if "muc" in metrics else metrics[:2][-1]  # or the first after mentions
    by_genre = [row for row in rows if row["metric"] == metric]
    by_genre.sort(key=lambda row: (not row["by"], row["label"] == OTHERS, row["label"]))
    if any(row["by"] for row in by_genre):
        lines = columns("label", label="genre")
        view = View("genres", f"{title_of(metric)} F1 by genre", lines, F1, across="pair")
        tables.append(pivot(by_genre, view))
    return tables


_ALPHAS = {"alpha": "marked by anyone", "alpha_marked_by_all": "marked by all"}
"""The mentions that α is computed over. If they are those that anyone marked, an annotator who did
not mark one is treated as having made it a singleton, and added singletons raise α: the table has
to say so."""


def _alphas(rows: Sequence[FigureRow]) -> list[Table]:
    """α of all annotators and of every pair that shares a document; empty if no pair does."""
    alphas = [{**row, "marked": _ALPHAS[row["metric"]]} for row in rows if row["metric"] in _ALPHAS]
    known = {row["pair"] for row in alphas if row["alpha"] is not None}
    title = "Krippendorff's α for chains, 95 % intervals; marked by anyone: unmarked = singleton"
    view = View(
        "alpha",
        title,
        columns("pair", pair=""),
        columns("alpha low high", kind="number", digits=4, alpha="α"),
        across="marked",
    )
    return [pivot([row for row in alphas if row["pair"] in known], view)] if known else []


def render_labels(counts: dict[str, int], missing: int, form: str) -> str:
    """The distribution of labels: as bars after Figure 2, as a table, or as JSON."""
    if form == "json":
        return result_json("labels", {"labels": counts, "unlabelled": missing})
    if form == "text":
        unlabelled = f"\n{missing:,} without a label\n" if missing else ""
        return f"Disagreements by type\n{bars(counts)}\n{unlabelled}"
    total = sum(counts.values())
    rows = [{"type": name, "count": n, "%": 100 * n / total} for name, n in counts.items()]
    headings = (*columns("type"), *columns("count %", kind="number"))
    table = listing("labels", "Disagreements by type", rows, *headings)
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
