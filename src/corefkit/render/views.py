"""Views: tables that are declared over the rows of a result. `pivot` is what makes them.

A row is a flat dict: what it is of (`system`, `b`, `part`, `by`, `label`, `metric`) and its values;
`shown` has texts that people see instead of values.
A view says which fields make a line, and which values stand side by side.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from corefkit.metrics import title_of
from corefkit.render.table import Cell, Heading, Table, make_block, make_table, mark_best

FigureRow = Mapping[str, Any]
"""One figure: what it is of, and its values."""

Columns = tuple[Heading, ...]

NOTHING = "–"
"""Shown in place of a figure that has nothing to divide by."""

SHORT = {"recall": "R", "precision": "P", "f1": "F1"}
"""The values of a score, with short titles, in their usual order."""


class View(NamedTuple):
    """A table over rows.

    Attributes:
        lines: the fields that make a line, the outermost first.
        values: the figures. Each value of the field `across` has those columns that it has values
            for; if `across` is empty, the lines say all.
        sizes: columns between these, which are the same for all figures of a line.
        alone: whether the title of a value of `across`, above its columns, is shown where it has
            one value.
        block: the field by which lines are put into blocks; its value is the title of the block if
            there are several, unless it is a column or blocks are not `headed`.
        best: a field; among the lines with the same value of it the best figure is marked.
        marks: the name of a column → whether a row is marked there.
        once: fields that are shown only on the first of the lines that have the same in those
            before them.
        name, title, note, legend: those of the table; the legend explains the marks.
    """

    name: str
    title: str
    lines: Columns
    values: Columns
    sizes: Columns = ()
    across: str = "metric"
    alone: bool = True
    block: str = ""
    headed: bool = True
    best: str = ""
    marks: Mapping[str, Callable[[FigureRow], bool]] = {}
    once: Sequence[str] = ()
    note: str = ""
    legend: str = "the best"


def pivot(rows: Iterable[FigureRow], view: View) -> Table:
    """The rows as a table: `lines` down, the values of `across` to the right."""
    lines: dict[tuple[Any, ...], dict[str, FigureRow]] = {}
    for number, row in enumerate(rows):
        fields = (view.block, *(heading.name for heading in view.lines))
        # A label is free: that of a genre, or of a stratum, may be the label of the whole, too.
        own = () if view.lines else (number,)
        key = (*map(row.get, fields), row.get("by"), row.get("sum", False), *own)
        lines.setdefault(key, {})[row.get(view.across, "")] = row
    ordered = _in_order(lines)
    figures = [*_figures(view, [*lines.values()])]
    firsts = [next(iter(lines[key].values())) for key in ordered]
    cells = [
        [
            *(_plain_cell(view, first, heading) for heading in (*view.lines, *view.sizes)),
            *(_cell(view, lines[key].get(value), heading) for value, heading in figures),
        ]
        for key, first in zip(ordered, firsts, strict=True)
    ]
    if view.best:
        _mark_best(cells, [first[view.best] for first in firsts], figures)
    if view.once:
        _hide_repeated(view, cells, [h.name for h in (*view.lines, *view.sizes, *view.values)])
    of_blocks = groupby(zip(ordered, cells, strict=True), key=lambda line: line[0][0])
    blocks = [(str(name), [cell for _, cell in block]) for name, block in of_blocks]
    titled = view.headed and len(blocks) > 1 and view.block not in {h.name for h in view.lines}
    return make_table(
        view.name,
        view.title,
        (*view.lines, *view.sizes, *_headings(view, figures)),
        [make_block(block, name if titled else "") for name, block in blocks if figures],
        note=view.note,
        best=view.legend,
    )


def _in_order(keys: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """The keys of lines, each of their fields in the order in which its values first occur."""
    rank: dict[tuple[Any, ...], int] = {}
    listed = list(keys)
    for key in listed:
        for number, value in enumerate(key):
            rank.setdefault((key[0], number, value), len(rank))
    return sorted(listed, key=lambda key: [rank[key[0], p, v] for p, v in enumerate(key)])


def _figures(view: View, lines: Sequence[Mapping[str, FigureRow]]) -> Iterator[tuple[str, Heading]]:
    """The columns of figures, each with its value of `across`."""
    for value in dict.fromkeys(value for line in lines for value in line):
        rows = [line[value] for line in lines if value in line]
        for heading in view.values:
            if not view.across or heading.name == "f1" or any(_has(r, heading.name) for r in rows):
                yield value, heading


def _has(row: FigureRow, name: str) -> bool:
    """Whether a row has a value, or would have one if there were anything to divide by."""
    return row.get(name) is not None or row.get(f"{name}_denominator") is not None


def _headings(view: View, figures: Sequence[tuple[str, Heading]]) -> Iterator[Heading]:
    hidden = not view.alone and len({value for value, _ in figures}) == 1
    for value, heading in figures:
        if not view.across:
            yield heading
            continue
        title = title_of(value) if view.across == "metric" else value
        name = f"{value}.{heading.name}"
        if len(view.values) == 1:
            yield heading._replace(name=name, title=title, group="")
        else:
            yield heading._replace(name=name, group="" if hidden else title)


def _hide_repeated(view: View, cells: list[list[Cell]], names: Sequence[str]) -> None:
    """Show the fields that are shown `once` only where they, or those before them, are new."""
    columns = [column for column, name in enumerate(names) if name in view.once]
    before: list[Any] = []
    for line in cells:
        of_line = [line[column].value for column in columns if column < len(view.lines)]
        same = [of_line[:n] == before[:n] for n in range(1, len(of_line) + 1)]
        for number, column in enumerate(columns):
            if same[min(number, len(same) - 1)]:
                line[column] = line[column]._replace(text="")
        before = of_line


def _plain_cell(view: View, row: FigureRow, heading: Heading) -> Cell:
    mark, text = view.marks.get(heading.name), row.get("shown", {}).get(heading.name)
    return Cell(row.get(heading.name), best=bool(mark and mark(row)), text=text)


def _cell(view: View, row: FigureRow | None, heading: Heading) -> Cell:
    if row is None:
        return Cell(None)
    if row.get(heading.name) is None and (
        heading.name in (SHORT if view.across else ("f1", "difference"))
    ):
        return Cell(None, text=NOTHING)
    return _plain_cell(view, row, heading)


def _mark_best(
    lines: list[list[Cell]], groups: Sequence[Any], figures: Sequence[tuple[str, Heading]]
) -> None:
    """Mark the best figure of each column among the lines of each group."""
    for group in dict.fromkeys(groups):
        chosen = [row for row, name in enumerate(groups) if name == group]
        for column in range(-len(figures), 0):
            marked = mark_best([lines[row][column].value for row in chosen])  # type: ignore[misc]
            for row, cell in zip(chosen, marked, strict=True):
                lines[row][column] = cell._replace(text=lines[row][column].text)


def listing(
    name: str, title: str, rows: Iterable[FigureRow], *columns: Heading, **look: Any
) -> Table:
    """The rows one below the other, with these columns."""
    return pivot(rows, View(name, title, (), columns, across="", **look))


def flat(name: str, rows: Iterable[FigureRow], columns: Sequence[str] = (), **fields: str) -> Table:
    """For programs: one line per row with these columns; `fields` are other names of the rows.

    Without columns it has all fields that a row has.
    """
    rows = list(rows)
    columns = columns or list(dict.fromkeys(field for row in rows for field in row))
    lines = [[row.get(fields.get(column, column)) for column in columns] for row in rows]
    headings = [_COLUMNS.get(column, Heading(column, column)) for column in columns]
    plain = [heading._replace(title=heading.name, group="") for heading in headings]
    return make_table(name, "", plain, [lines])


def _of(kind: Any, group: str = "", digits: int = 2, /, **titles: str) -> dict[str, Heading]:
    return {name: Heading(name, title, group, kind, digits) for name, title in titles.items()}


_COLUMNS = {
    "metric": Heading("metric", "metric", kind="metric"),
    **_of(
        "score",
        recall="R",
        precision="P",
        f1="F1",
        sd="± sd",
        min="least",
        max="most",
        low="from",
        high="to",
    ),
    **_of("change", difference="a − b"),
    **_of("score", "std. error", se_documents="docs", se_runs="runs"),
    **_of("p", "", 4, p="p"),
    **_of("p", "p", 4, p_bootstrap="bootstrap", p_randomization="random", p_holm="Holm"),
    **_of("p", "p over", 4, p_documents="docs", p_runs="runs"),
    **_of("number", "docs", wins="won", losses="lost", ties="tied"),
    **_of("number", runs="runs", windows="windows", documents="docs", key_documents="units"),
    **_of("number", "in key", key_entities="ents.", key_mentions="mentions", key_links="links"),
    **_of(
        "number",
        "in response",
        response_entities="ents.",
        response_mentions="mentions",
        response_links="links",
    ),
    **_of(
        "number",
        recall_denominator="key",
        precision_denominator="response",
        recall_numerator="common",
    ),
}
"""The columns of figures and sizes; any other field is text under its own name."""

SIDES = tuple(
    _COLUMNS[f"{side}_{unit}"]
    for side in ("key", "response")
    for unit in ("entities", "mentions", "links")
)
"""How much of the two sides is in a part."""

_SIZES = (_COLUMNS["windows"], _COLUMNS["key_documents"], *SIDES)


def columns(names: str, **changes: Any) -> Columns:
    """Columns by their names; `changes` are other titles, or the `group` or `kind` of all."""
    both = {name: changes.pop(name) for name in ("group", "kind", "digits") if name in changes}
    chosen = (_COLUMNS.get(name, Heading(name, name))._replace(**both) for name in names.split())
    return tuple(h._replace(title=changes.get(h.name, h.title)) for h in chosen)


RATES = columns("recall precision f1")
LONG = columns("recall precision f1", recall="Recall", precision="Precision")
F1 = columns("f1")
ENDS = columns("low high")


def division_view(name: str, title: str, by: str, rows: Sequence[FigureRow], **look: Any) -> View:
    """The view of the parts of one division, a block per system, with their known sizes.

    A single metric has recall, precision and F1, several have F1 only, unless `wide`.
    """
    wide = look.pop("wide", False)
    values = RATES if wide or len({row["metric"] for row in rows}) == 1 else F1
    sizes = tuple(size for size in _SIZES if any(row.get(size.name) is not None for row in rows))
    look |= {"sizes": sizes, "block": "system", "alone": False}
    return View(name, title, columns("label", label=by), values, **look)


_NOTE = (
    "Recall is of the key {unit} of a stratum, precision of the response {unit},\n"
    "which may differ. Strata add up to the whole: nothing is filtered."
)


def note_of_strata(by: str) -> str:
    """The note below a table of strata."""
    unit = {"entity": "entities", "link": "links"}.get(by.partition(":")[0], "mentions")
    return _NOTE.format(unit=unit)
