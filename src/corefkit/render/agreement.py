"""Agreement as text, tables and figures: Table 1 and Figure 2 of the CoNLL-2012 paper."""

from collections.abc import Sequence

from corefkit.core.texts import versioned_json
from corefkit.render.scores import title_of
from corefkit.render.table import (
    Around,
    CellValue,
    Heading,
    Table,
    make_table,
    plain_headings,
    render_tables,
    result_json,
)
from corefkit.render.text import bars
from corefkit.stats.agreement import Agreement, PairAgreement


def render_agreement(agreement: Agreement, form: str = "text") -> str:
    """The agreement in one of the formats of tables."""
    if form == "json":
        return result_json(agreement.to_dict(), agreement.incidents)
    return render_tables(agreement_tables(agreement), form, Around(title="Agreement"))


def agreement_tables(agreement: Agreement) -> list[Table]:
    """Agreement on mentions first: without it, agreement on chains means little."""
    scored = [pair for pair in agreement.pairs if pair.scores]
    marked = agreement.marked_by()
    lines = [(f"{number} of {len(marked)}", count) for number, count in sorted(marked.items())]
    headings = [Heading("annotators", ""), Heading("mentions", "mentions", kind="number")]
    title = "Mentions by how many annotators marked them"
    tables = [make_table("marked", title, headings, [lines])]
    if scored:
        tables += [_all_metrics(scored), _by_genre(scored)]
    tables.append(_alphas(agreement))
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
        own = document["annotators"]
        cells = [
            f"{own[n]['mentions']:,}{_STATES.get(own[n]['state'], '')}" if n in own else "–"
            for n in names
        ]
        lines.append([document["name"], *cells])
    title = "Mentions marked by document and annotator"
    return make_table("documents", title, headings, [lines])


def _name(pair: PairAgreement) -> str:
    return f"{pair.a} – {pair.b}"


def _by_genre(pairs: Sequence[PairAgreement]) -> Table:
    """Table 1: MUC for each genre and pair; or the first metric after mentions."""
    all_scores = [p.scores for p in pairs if p.scores]
    first = all_scores[0]
    metric = "muc" if "muc" in first else list(first)[:2][-1]
    groups = [scores.by("genre") for scores in all_scores]
    genres = sorted({genre for group in groups for genre in group})
    headings = plain_headings("genre") + plain_headings(*map(_name, pairs), kind="score")
    lines: list[list[CellValue]] = [
        [genre, *(group[genre][metric].f1 if genre in group else None for group in groups)]
        for genre in genres
    ]
    lines.append(["all", *(scores[metric].f1 for scores in all_scores)])
    return make_table("genres", f"{title_of(metric)} F1 by genre", headings, [lines])


def _with_ends(figure: Heading) -> list[Heading]:
    """A figure and the ends of its interval."""
    ends = {", low": "from", ", high": "to"}
    return [figure, *(figure._replace(name=figure.name + n, title=t) for n, t in ends.items())]


def _all_metrics(pairs: Sequence[PairAgreement]) -> Table:
    headings = plain_headings("metric")
    for name in map(_name, pairs):
        headings += _with_ends(Heading(name, "F1", name, "score"))
    intervals = [pair.intervals() for pair in pairs]
    lines: list[list[CellValue]] = []
    for metric in pairs[0].scores or ():
        line: list[CellValue] = [metric]
        for pair, ends_of in zip(pairs, intervals, strict=True):
            line.append(pair.scores[metric].f1 if pair.scores else None)
            line += ends_of.get(metric) or (None, None)
        lines.append(line)
    title = "F1 of all metrics, 95 % intervals from samples of documents"
    return make_table("metrics", title, headings, [lines])


_ALPHAS = ("α, unmarked = singleton", "α, marked by all")
"""Over which mentions α is computed. Of those that anyone marked, who has not marked one made it a
singleton, so that added singletons raise the figure: this must stand beside it."""


def _alphas(agreement: Agreement) -> Table:
    headings = [Heading("pair", "")]
    for name in _ALPHAS:
        headings += _with_ends(Heading(name, "α", name, "number", 4))
    listed = [("all annotators", agreement.alphas)] if len(agreement.annotators) > 2 else []
    listed += [(_name(pair), pair.alphas) for pair in agreement.pairs]
    lines: list[list[CellValue]] = []
    for name, alphas in listed:
        line: list[CellValue] = [name]
        for counts in alphas.values():
            interval = counts.interval() if counts else None
            line += [counts.alpha() if counts else None, *(interval or (None, None))]
        lines.append(line)
    return make_table("alpha", "Krippendorff's α for chains, 95 % intervals", headings, [lines])


def render_labels(counts: dict[str, int], missing: int, form: str) -> str:
    """The distribution of labels: Figure 2 as bars, or as a table."""
    if form == "json":
        return versioned_json({"labels": counts, "unlabelled": missing})
    if form == "text":
        rest = f"\n{missing:,} without a label\n" if missing else ""
        return f"Disagreements by type\n{bars(counts)}\n{rest}"
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
