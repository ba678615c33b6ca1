"""What a metric can be relied on for: axioms, tested on all small overlaps of key and response.

Each property is a list of cases: single overlaps for which something must hold, or pairs of which
the first must not get a better F1 than the second (for a strict property, must get a worse one).
Four of them are from Amigó et al. (2009): homogeneity, completeness, rag bag, size.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from importlib.resources import files
from itertools import combinations, product
from typing import Any, NamedTuple

from corefkit.core.options import UsageError
from corefkit.plugins.audit.overlaps import (
    MetricTriple,
    MetricValues,
    Shape,
    as_document,
    canonical,
    shapes,
    table_of,
)

MENTIONS = 6
"""The most mentions with which overlaps are tested by default."""

MOST = 7
"""The most mentions with which all overlaps can be tested in reasonable time."""

CaseDocuments = tuple[Shape, ...]
"""One or two documents, as canonical overlaps."""


class Case(NamedTuple):
    """The documents `a`, and the documents `b` with which they are compared, if any."""

    a: CaseDocuments
    b: CaseDocuments | None = None


class Property(NamedTuple):
    """An axiom.

    Attributes:
        name, words: its name, and what must hold.
        cases: its cases, up to a number of mentions.
        holds: whether it holds, for the values of `a` and `b` (None without `b`) and a tolerance.
        strict: whether the F1 of `a` and `b` must differ.
    """

    name: str
    words: str
    cases: Callable[[int], Iterator[Case]]
    holds: Callable[[Any, Any, float], bool]
    strict: bool = False


def known_properties(metrics: Sequence[str], mentions: int = MENTIONS) -> dict[str, Any]:
    """Like `find_properties`, from our table (made by `tools/properties.py`) where it has them."""
    text = files("corefkit.plugins.audit").joinpath("properties.json").read_text(encoding="utf-8")
    table: dict[str, Any] = json.loads(text)
    if mentions != table["mentions"]:
        return find_properties(metrics, mentions)
    others = [m for m in metrics if m not in table["properties"]["identity"]["metrics"]]
    found = find_properties(others, mentions) if others else table
    for name, described in table["properties"].items():
        results = described["metrics"] | found["properties"][name]["metrics"]
        described["metrics"] = {metric: results[metric] for metric in metrics}
    ordered = table["depends_on_order"] | found["depends_on_order"]
    floats = {*table["floats"], *found["floats"]}
    return table | {
        "floats": [metric for metric in metrics if metric in floats],
        "depends_on_order": {metric: text for metric, text in ordered.items() if metric in metrics},
    }


def find_properties(metrics: Sequence[str], mentions: int = MENTIONS) -> dict[str, Any]:
    """How often partition metrics break each property, as `corefkit metrics -f json` shows it.

    `floats` are the metrics without exact values, which are compared with a slack of 1e-12;
    `depends_on_order` has those that depend on the order of entities, with an overlap that shows
    it. UsageError for a metric over mentions.
    """
    if not 1 <= mentions <= MOST:
        raise UsageError(f"mentions must be a number from 1 to {MOST}, not {mentions}")
    values = {metric: MetricValues(metric) for metric in metrics}
    properties: dict[str, Any] = {}
    for property_tested in PROPERTIES:
        cases = list(property_tested.cases(mentions))
        results = {m: judge(property_tested, cases, values[m]) for m in metrics}
        properties[property_tested.name] = {"cases": len(cases), "metrics": results}
    sample = list(_overlaps(mentions))
    orders = {metric: of_metric.order_matters(sample) for metric, of_metric in values.items()}
    return {
        "mentions": mentions,
        "floats": [metric for metric in metrics if not values[metric].exact],
        "depends_on_order": {m: shape_text(shape) for m, shape in orders.items() if shape},
        "properties": properties,
    }


def judge(property_tested: Property, cases: Sequence[Case], values: Any) -> dict[str, Any]:
    """How many cases break the property, have equal values or none, and the first of the worst.

    The verdict is broken, missing, equal (some values are equal, none is reversed) or holds. The
    example has the documents `a` and `b` as texts, and their F1, as fractions where it is exact.
    """
    counts = {"equal": 0, "broken": 0, "missing": 0, "holds": 0}
    first: dict[str, Case] = {}
    for case in cases:
        a: Any = values(case.a)
        b: Any = None if case.b is None else values(case.b)
        if a is None or (b is None and case.b is not None):
            verdict = "missing"
        elif property_tested.strict and abs(a[2] - b[2]) <= values.tolerance:
            verdict = "equal"
        else:
            holds = property_tested.holds(a, b, values.tolerance)
            verdict = "holds" if holds else "broken"
        counts[verdict] += 1
        first.setdefault(verdict, case)
    del counts["holds"]
    worst = next((name for name in ("broken", "missing", "equal") if counts[name]), "holds")
    example: dict[str, Any] | None = None
    if worst != "holds":
        texts, f1 = {}, {}
        for side, documents in first[worst]._asdict().items():
            triple = None if documents is None else values(documents)
            texts[side] = documents and [shape_text(shape) for shape in documents]
            f1[f"f1 {side}"] = None if triple is None else str(triple[2])
        example = texts | f1
    return {**counts, "verdict": worst, "example": example}


def shape_text(shape: Shape) -> str:
    """An overlap as text: `{ab} {c} / {abc}`."""
    return as_document(shape).text


# What must hold


def _f1_is(value: int) -> Callable[[Any, Any, float], bool]:
    return lambda a, b, slack: abs(a[2] - value) <= slack


def _worse(a: MetricTriple, b: MetricTriple, slack: float) -> bool:
    return bool(a[2] <= b[2] + slack)


def _better(a: MetricTriple, b: MetricTriple, slack: float) -> bool:
    return _worse(b, a, slack)


def _same(a: MetricTriple, b: MetricTriple, slack: float) -> bool:
    pairs = zip(a, b, strict=True)
    return all(x is None or y is None or abs(x - y) <= slack for x, y in pairs)


# Cases

Grid = list[list[int]]
"""The mentions shared by each pair of entities; the last row and column have those of one side."""


def _overlaps(mentions: int) -> Iterator[Shape]:
    for number in range(1, mentions + 1):
        yield from shapes(number)


def _changed(change: Callable[[Grid], Iterator[Grid]]) -> Callable[[int], Iterator[Case]]:
    """Every overlap, against the same after each possible change."""

    def cases(mentions: int) -> Iterator[Case]:
        for shape in _overlaps(mentions):
            for changed in change(table_of(shape)):
                yield Case((shape,), (canonical(changed),))

    return cases


def _moved(table: Grid, row: int, origin: int, target: int, number: int) -> Grid:
    """The table with mentions of a row in another column."""
    changed = [[*line] for line in table]
    changed[row][origin] -= number
    changed[row][target] += number
    return changed


def _widened(table: Grid) -> Grid:
    """The table with a new response entity, the last one."""
    return [[*line[:-1], 0, line[-1]] for line in table]


def _keys(mentions: int) -> Iterator[tuple[int, ...]]:
    """The sizes of the entities of every key."""
    for number in range(1, mentions + 1):
        yield from _parts(number, number)


def _parts(number: int, most: int) -> Iterator[tuple[int, ...]]:
    if number == 0:
        yield ()
    for first in range(min(number, most), 0, -1):
        for rest in _parts(number - first, first):
            yield (first, *rest)


def _shape(rows: Sequence[Sequence[int]]) -> Shape:
    """The overlap of a table in which both sides have all mentions."""
    return canonical([*([*row, 0] for row in rows), [0] * (len(rows[0]) + 1)])


def _identical(sizes: Sequence[int]) -> Shape:
    return _shape(
        [[size if c == r else 0 for c in range(len(sizes))] for r, size in enumerate(sizes)]
    )


def _identity_cases(mentions: int) -> Iterator[Case]:
    return (Case((_identical(sizes),)) for sizes in _keys(mentions))


def _every_case(mentions: int) -> Iterator[Case]:
    return (Case((shape,)) for shape in _overlaps(mentions))


def _maximum_cases(mentions: int) -> Iterator[Case]:
    """All overlaps. Where the response equals the key, which cannot break it, `b` is set to `a`."""
    same = {_identical(sizes) for sizes in _keys(mentions)}
    return (Case((shape,), (shape,) if shape in same else None) for shape in _overlaps(mentions))


def _exchange(table: Grid) -> Iterator[Grid]:
    yield [list(column) for column in zip(*table, strict=True)]


def _columns(table: Grid) -> dict[int, list[int]]:
    """Response entity without spurious mentions → the key entities it has mentions of."""
    return {
        column: [row for row in range(len(table) - 1) if table[row][column]]
        for column in range(len(table[0]) - 1)
        if not table[-1][column]
    }


def _is_clean(table: Grid) -> bool:
    return not any(table[-1]) and not any(line[-1] for line in table)


def _cut(table: Grid) -> Iterator[Grid]:
    """A response entity of two key entities, cut along the key."""
    for column, rows in _columns(table).items() if _is_clean(table) else ():
        if len(rows) == 2:
            yield _moved(_widened(table), rows[1], column, -2, table[rows[1]][column])


def _joined(table: Grid) -> Iterator[Grid]:
    """Two response entities within one key entity, joined."""
    inside = [(c, rows[0]) for c, rows in _columns(table).items() if len(rows) == 1]
    for (left, row), (right, right_row) in combinations(inside, 2):
        if row == right_row:
            yield _moved(table, row, right, left, table[row][right])


def _joined_of_same_mentions(table: Grid) -> Iterator[Grid]:
    return _joined(table) if _is_clean(table) else iter(())


def _rag_bag_cases(mentions: int) -> Iterator[Case]:
    """A stray mention in a clean entity, against the same in a bag of singletons."""
    for clean, bag in product(range(2, 6), repeat=2):
        rows = [[clean, 0], *([0, 1] for _ in range(bag))]
        yield Case((_shape([*rows, [1, 0]]),), (_shape([*rows, [0, 1]]),))


def _size_cases(mentions: int) -> Iterator[Case]:
    """n pairs taken apart, against an entity of n + 1 that loses one mention."""
    for number in range(2, 6):
        width = 2 * number + 1
        separate = [[number + 1, *[0] * (width - 1)]]
        for pair in range(number):
            separate.append([int(c in (2 * pair + 1, 2 * pair + 2)) for c in range(width)])
        lost = [[number, 1, *[0] * number]]
        lost += [[0, 0, *(2 if c == pair else 0 for c in range(number))] for pair in range(number)]
        yield Case((_shape(separate),), (_shape(lost),))


def _found(table: Grid) -> Iterator[Grid]:
    """Each missed mention as a singleton."""
    for row, line in enumerate(table[:-1]):
        yield from [_moved(_widened(table), row, -1, -2, 1)] * line[-1]


def _found_in_place(table: Grid) -> Iterator[Grid]:
    """Each missed mention in a response entity within its key entity."""
    for column, rows in _columns(table).items():
        if len(rows) == 1:
            yield from [_moved(table, rows[0], -1, column, 1)] * table[rows[0]][-1]


def _spurious_cases(mentions: int) -> Iterator[Case]:
    for shape in _overlaps(min(mentions, 6) - 1):
        larger = _widened(table_of(shape))
        larger[-1][-2] = 1
        yield Case((shape,), (canonical(larger),))


def _nothing_linked_cases(mentions: int) -> Iterator[Case]:
    for sizes in _keys(mentions):
        if min(sizes) > 1:
            ends = [sum(sizes[: number + 1]) for number in range(len(sizes))]
            rows = [
                [int(end - size <= c < end) for c in range(ends[-1])]
                for size, end in zip(sizes, ends, strict=True)
            ]
            yield Case((_shape(rows),))


def _heap_cases(mentions: int) -> Iterator[Case]:
    for sizes in _keys(mentions):
        if len(sizes) > 1:
            yield Case((_shape([[size] for size in sizes]),), (_identical(sizes),))


def _document_cases(mentions: int) -> Iterator[Case]:
    """Two documents, against the same as one document."""
    small = [(number, s) for number in range(1, min(mentions, 3) + 1) for s in shapes(number)]
    pairs = sorted(product(small, small), key=lambda pair: pair[0][0] + pair[1][0])
    for (_, left), (_, right) in pairs:
        yield Case((left, right), (tuple(sorted((*left, *right))),))


PROPERTIES = (
    Property("identity", "the key against itself: 1", _identity_cases, _f1_is(1)),
    Property(
        "maximum",
        "1 only for the key itself",
        _maximum_cases,
        lambda a, b, slack: b is not None or abs(a[2] - 1) > slack,
    ),
    Property(
        "bounds",
        "0 ≤ R, P, F1 ≤ 1",
        _every_case,
        lambda a, b, slack: all(v is None or -slack <= v <= 1 + slack for v in a),
    ),
    Property(
        "symmetry",
        "exchanged sides exchange R and P",
        _changed(_exchange),
        lambda a, b, slack: _same(a, (b[1], b[0], b[2]), slack),
    ),
    Property("homogeneity", "a mixed entity < cut along the key", _changed(_cut), _worse, True),
    Property(
        "completeness",
        "two entities within one key entity < joined",
        _changed(_joined_of_same_mentions),
        _worse,
        strict=True,
    ),
    Property("rag bag", "a stray in a clean entity < in a heap", _rag_bag_cases, _worse, True),
    Property("size", "n pairs apart < a large entity loses one", _size_cases, _worse, True),
    Property(
        "right link",
        "two entities within one key entity, joined: not worse",
        _changed(_joined),
        _worse,
    ),
    Property("right mention", "a missed mention found: not worse", _changed(_found), _worse),
    Property("right place", "… in the right entity: not worse", _changed(_found_in_place), _worse),
    Property("spurious mention", "one more singleton: not better", _spurious_cases, _better),
    Property(
        "nothing linked", "singletons for linked mentions: 0", _nothing_linked_cases, _f1_is(0)
    ),
    Property("one heap", "all in one entity < the key itself", _heap_cases, _worse, True),
    Property("documents", "two documents apart = as one", _document_cases, _same),
)
"""The properties in the order of the table."""
