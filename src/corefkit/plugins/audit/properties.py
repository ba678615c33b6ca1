"""What a metric can be relied on for: axioms, tested on all small overlaps of key and response.

Each property is a list of cases: single overlaps for which something must hold, or pairs of which
the first must not get a better F1 than the second (for a strict property, must get a worse one).
Four of them are from Amigó et al. (2009): homogeneity, completeness, rag bag, size.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import combinations, product
from typing import Any, NamedTuple

from corefkit.core.carriers import frozen
from corefkit.core.options import UsageError
from corefkit.core.texts import entities_text
from corefkit.plugins.audit.overlaps import (
    MetricTriple,
    Shape,
    as_document,
    canonical,
    make_values,
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


Judge = Callable[[MetricTriple, MetricTriple | None, float], str]
"""Maps the values of `a` and `b` and a tolerance to "holds", "equal" or "broken"."""


class Property(NamedTuple):
    """An axiom: its name, what must hold, its cases up to a number of mentions, and its judge."""

    name: str
    words: str
    cases: Callable[[int], Iterator[Case]]
    judge: Judge


@frozen
class PropertyResult:
    """How often a metric breaks a property.

    Attributes:
        cases: the number of cases tested.
        equal: for a strict property, the number of cases where both values are the same.
        broken: the number of cases that break the property.
        missing: the number of cases where the metric has no value.
        example: the documents `a` and `b`, as texts, of the first broken case; else of the first
            without a value, else of the first with equal values.
        f1: the F1 of `a` and `b` in that case, as fractions where the metric is exact.
    """

    cases: int
    equal: int
    broken: int
    missing: int
    example: "tuple[list[str], list[str] | None] | None"
    f1: tuple[str | None, str | None]

    @property
    def verdict(self) -> str:
        """One of broken, missing, equal (some values are equal, none is reversed) and holds."""
        if self.broken:
            return "broken"
        return "missing" if self.missing else "equal" if self.equal else "holds"

    @property
    def mark(self) -> str:
        """The cell of the table: a sign and a number of cases; empty where the property holds."""
        marks = {"broken": ("✗", self.broken), "equal": ("=", self.equal)}
        marks |= {"missing": ("?", self.missing), "holds": ("", 0)}
        sign, number = marks[self.verdict]
        return f"{sign} {number:,}" if sign else ""

    def to_dict(self) -> dict[str, Any]:
        """The result in the JSON of `corefkit metrics --properties`."""
        example = None
        if self.example is not None:
            a, b = self.example
            example = {
                "a": a,
                "b": b,
                "f1 a": self.f1[0],
                "f1 b": self.f1[1],
            }
        return {
            "equal": self.equal,
            "broken": self.broken,
            "missing": self.missing,
            "verdict": self.verdict,
            "example": example,
        }

    @classmethod
    def from_dict(cls, cases: int, result: Mapping[str, Any]) -> "PropertyResult":
        """The result of which this is `to_dict`."""
        example = result["example"]
        numbers = result["equal"], result["broken"], result["missing"]
        if example is None:
            return cls(cases, *numbers, None, (None, None))
        f1 = example["f1 a"], example["f1 b"]
        return cls(cases, *numbers, (example["a"], example["b"]), f1)


@frozen
class Properties:
    """The properties of metrics, tested on all small overlaps.

    Attributes:
        mentions: the most mentions of an overlap.
        metrics: the metrics that were tested.
        results: property → metric → result.
        floats: the metrics without exact values; their floats are compared with a slack of 1e-12.
        ordered: the metrics that depend on the order of entities, with an overlap that shows it.
    """

    mentions: int
    metrics: tuple[str, ...]
    results: Mapping[str, Mapping[str, PropertyResult]]
    floats: tuple[str, ...]
    ordered: Mapping[str, str]

    def to_dict(self) -> dict[str, Any]:
        """The JSON of `corefkit metrics --properties`."""
        return {
            "mentions": self.mentions,
            "floats": list(self.floats),
            "depends_on_order": dict(self.ordered),
            "properties": {
                name: {
                    "cases": next(iter(of_metric.values())).cases,
                    "metrics": {metric: result.to_dict() for metric, result in of_metric.items()},
                }
                for name, of_metric in self.results.items()
            },
        }

    @classmethod
    def from_dict(cls, table: Mapping[str, Any]) -> "Properties":
        """The properties of which this is `to_dict`."""
        results = {
            name: {
                metric: PropertyResult.from_dict(described["cases"], result)
                for metric, result in described["metrics"].items()
            }
            for name, described in table["properties"].items()
        }
        metrics = tuple(next(iter(results.values())))
        floats, ordered = tuple(table["floats"]), table["depends_on_order"]
        return cls(table["mentions"], metrics, results, floats, ordered)


def known_properties(metrics: Sequence[str], mentions: int = MENTIONS) -> Properties:
    """Like `find_properties`, from our table (made by `tools/properties.py`) where it has them."""
    text = files("corefkit.plugins.audit").joinpath("properties.json").read_text(encoding="utf-8")
    table = Properties.from_dict(json.loads(text))
    if mentions != table.mentions:
        return find_properties(metrics, mentions)
    others = [metric for metric in metrics if metric not in table.metrics]
    found = find_properties(others, mentions) if others else table
    results = {
        name: {m: (found if m in others else table).results[name][m] for m in metrics}
        for name in table.results
    }
    ordered = {m: text for m, text in {**table.ordered, **found.ordered}.items() if m in metrics}
    floats = tuple(m for m in metrics if m in (*table.floats, *found.floats))
    return Properties(mentions, tuple(metrics), results, floats, ordered)


def find_properties(metrics: Sequence[str], mentions: int = MENTIONS) -> Properties:
    """The properties of partition metrics; UsageError for a metric over mentions."""
    if not 1 <= mentions <= MOST:
        raise UsageError(f"mentions must be a number from 1 to {MOST}, not {mentions}")
    values = {metric: make_values(metric) for metric in metrics}
    results: dict[str, dict[str, PropertyResult]] = {}
    for property_tested in PROPERTIES:
        cases = list(property_tested.cases(mentions))
        for of_metric in values.values():
            of_metric.prepare([shape for case in cases for d in case if d for shape in d])
        results[property_tested.name] = {
            metric: _judged(property_tested, cases, of_metric)
            for metric, of_metric in values.items()
        }
    sample = list(_overlaps(mentions))
    ordered = {
        metric: shape_text(shape)
        for metric, of_metric in values.items()
        if (shape := of_metric.order_matters(sample)) is not None
    }
    floats = tuple(metric for metric, of_metric in values.items() if not of_metric.exact)
    return Properties(mentions, tuple(metrics), results, floats, ordered)


def _judged(property_tested: Property, cases: Sequence[Case], values: Any) -> PropertyResult:
    counts = {"holds": 0, "equal": 0, "broken": 0, "missing": 0}
    first: dict[str, Case] = {}
    for case in cases:
        a, b = values(case.a), None if case.b is None else values(case.b)
        lacks = a is None or (b is None and case.b is not None)
        verdict = "missing" if lacks else property_tested.judge(a, b, values.tolerance)
        counts[verdict] += 1
        first.setdefault(verdict, case)
    worst = first.get("broken") or first.get("missing") or first.get("equal")
    example = None
    shown: list[str | None] = [None, None]
    if worst is not None:
        example = case_texts(worst.a), None if worst.b is None else case_texts(worst.b)
        for at, documents in enumerate(worst):
            triple = None if documents is None else values(documents)
            shown[at] = None if triple is None else str(triple[2])
    equal, broken, missing = (counts[name] for name in ("equal", "broken", "missing"))
    return PropertyResult(len(cases), equal, broken, missing, example, (shown[0], shown[1]))


def case_texts(documents: CaseDocuments) -> list[str]:
    """The documents of a case, each as text."""
    return [shape_text(shape) for shape in documents]


def shape_text(shape: Shape) -> str:
    """An overlap as text: `{ab} {c} / {abc}`."""
    document = as_document(shape)
    return f"{entities_text(document.key)} / {entities_text(document.response)}"


# Judges


def _is(value: int) -> Judge:
    """F1 must be this number."""
    return lambda a, b, slack: "holds" if abs(a[2] - value) <= slack else "broken"


def _not_worse(a: MetricTriple, b: MetricTriple | None, slack: float) -> str:
    assert b is not None
    return "holds" if b[2] >= a[2] - slack else "broken"


def _not_better(a: MetricTriple, b: MetricTriple | None, slack: float) -> str:
    assert b is not None
    return "holds" if b[2] <= a[2] + slack else "broken"


def _worse_than(a: MetricTriple, b: MetricTriple | None, slack: float) -> str:
    assert b is not None
    if abs(a[2] - b[2]) <= slack:
        return "equal"
    return "holds" if a[2] < b[2] else "broken"


def _below_one(a: MetricTriple, b: MetricTriple | None, slack: float) -> str:
    return "broken" if abs(a[2] - 1) <= slack else "holds"


def _within(a: MetricTriple, b: MetricTriple | None, slack: float) -> str:
    inside = all(value is None or -slack <= value <= 1 + slack for value in a)
    return "holds" if inside else "broken"


def _exchanged(a: MetricTriple, b: MetricTriple | None, slack: float) -> str:
    assert b is not None
    return _same(a, (b[1], b[0], b[2]), slack)


def _same(a: MetricTriple, b: MetricTriple | None, slack: float) -> str:
    assert b is not None
    pairs = zip(a, b, strict=True)
    alike = all(x is None or y is None or abs(x - y) <= slack for x, y in pairs)
    return "holds" if alike else "broken"


# Cases

Grid = list[list[int]]
"""The mentions shared by each pair of entities; the last row and column have those of one side."""


def _overlaps(mentions: int) -> Iterator[Shape]:
    for number in range(1, mentions + 1):
        yield from shapes(number)


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


def _judge_maximum(a: MetricTriple, b: MetricTriple | None, slack: float) -> str:
    return "holds" if b is not None else _below_one(a, b, slack)


def _symmetry_cases(mentions: int) -> Iterator[Case]:
    for shape in _overlaps(mentions):
        turned = [list(column) for column in zip(*table_of(shape), strict=True)]
        yield Case((shape,), (canonical(turned),))


def _columns(table: Grid) -> dict[int, list[int]]:
    """Response entity without spurious mentions → the key entities it has mentions of."""
    return {
        column: [row for row in range(len(table) - 1) if table[row][column]]
        for column in range(len(table[0]) - 1)
        if not table[-1][column]
    }


def _is_clean(table: Grid) -> bool:
    return not any(table[-1]) and not any(line[-1] for line in table)


def _homogeneity_cases(mentions: int) -> Iterator[Case]:
    for shape in _overlaps(mentions):
        table = table_of(shape)
        if _is_clean(table):
            for column, rows in _columns(table).items():
                if len(rows) == 2:
                    cut = [[*line[:-1], 0, line[-1]] for line in table]
                    cut[rows[1]][-2], cut[rows[1]][column] = cut[rows[1]][column], 0
                    yield Case((shape,), (canonical(cut),))


def _joined(mentions: int, *, clean: bool) -> Iterator[Case]:
    """Two response entities within one key entity, against the same joined."""
    for shape in _overlaps(mentions):
        table = table_of(shape)
        if clean and not _is_clean(table):
            continue
        inside = [(c, rows[0]) for c, rows in _columns(table).items() if len(rows) == 1]
        for (left, left_row), (right, right_row) in combinations(inside, 2):
            if left_row == right_row:
                joined = [list(line) for line in table]
                joined[left_row][left] += joined[left_row][right]
                joined[left_row][right] = 0
                yield Case((shape,), (canonical(joined),))


def _rag_bag_cases(mentions: int) -> Iterator[Case]:
    """A stray mention in a clean entity, against the same in a bag of singletons."""
    for clean in range(2, 6):
        for bag in range(2, 6):
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


def _right_mention_cases(mentions: int) -> Iterator[Case]:
    for shape in _overlaps(mentions):
        table = table_of(shape)
        for row in range(len(table) - 1):
            if missed := table[row][-1]:
                better = [[*line[:-1], 0, line[-1]] for line in table]
                better[row][-1] -= 1
                better[row][-2] = 1
                yield from [Case((shape,), (canonical(better),))] * missed


def _right_place_cases(mentions: int) -> Iterator[Case]:
    for shape in _overlaps(mentions):
        table = table_of(shape)
        for column, rows in _columns(table).items():
            if len(rows) == 1 and (missed := table[rows[0]][-1]):
                better = [list(line) for line in table]
                better[rows[0]][-1] -= 1
                better[rows[0]][column] += 1
                yield from [Case((shape,), (canonical(better),))] * missed


def _spurious_cases(mentions: int) -> Iterator[Case]:
    for shape in _overlaps(min(mentions, 6) - 1):
        larger = [[*line[:-1], 0, line[-1]] for line in table_of(shape)]
        larger[-1][-2] = 1
        yield Case((shape,), (canonical(larger),))


def _nothing_linked_cases(mentions: int) -> Iterator[Case]:
    for sizes in _keys(mentions):
        if min(sizes) > 1:
            ends = [sum(sizes[: place + 1]) for place in range(len(sizes))]
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
    Property("identity", "the key against itself: 1", _identity_cases, _is(1)),
    Property("maximum", "1 only for the key itself", _maximum_cases, _judge_maximum),
    Property("bounds", "0 ≤ R, P, F1 ≤ 1", _every_case, _within),
    Property("symmetry", "exchanged sides exchange R and P", _symmetry_cases, _exchanged),
    Property("homogeneity", "a mixed entity < cut along the key", _homogeneity_cases, _worse_than),
    Property(
        "completeness",
        "two entities within one key entity < joined",
        lambda mentions: _joined(mentions, clean=True),
        _worse_than,
    ),
    Property("rag bag", "a stray in a clean entity < in a heap", _rag_bag_cases, _worse_than),
    Property("size", "n pairs apart < a large entity loses one", _size_cases, _worse_than),
    Property(
        "right link",
        "two entities within one key entity, joined: not worse",
        lambda mentions: _joined(mentions, clean=False),
        _not_worse,
    ),
    Property(
        "right mention", "a missed mention found: not worse", _right_mention_cases, _not_worse
    ),
    Property("right place", "… in the right entity: not worse", _right_place_cases, _not_worse),
    Property("spurious mention", "one more singleton: not better", _spurious_cases, _not_better),
    Property("nothing linked", "singletons for linked mentions: 0", _nothing_linked_cases, _is(0)),
    Property("one heap", "all in one entity < the key itself", _heap_cases, _worse_than),
    Property("documents", "two documents apart = as one", _document_cases, _same),
)
"""The properties in the order of the table."""
