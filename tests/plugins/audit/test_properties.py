"""Properties of metrics: the conformance table, the oracle, and plug-ins that break them."""

import json
from typing import Any

import numpy as np
import pytest

from corefkit.core.directed import Both
from corefkit.core.options import UsageError
from corefkit.metrics import counted, get, give
from corefkit.metrics.base import PartitionMetric
from corefkit.plugins.audit.behaviours import Behaviour
from corefkit.plugins.audit.overlaps import (
    Shape,
    as_document,
    canonical,
    count_shape,
    shapes,
)
from corefkit.plugins.audit.properties import PROPERTIES, find_properties, judge, known_properties
from corefkit.plugins.audit.property_tables import render_properties
from corefkit.scoring.shrink import SmallDocument
from tests.oracle.properties import count, documents
from tests.plugins.audit.scorers import audit_file
from tests.strategies import TIMES
from tests.support import ROOT, needs_conformance, run

METRICS = ("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc", "lea", "conll")
SOME = METRICS if TIMES > 1 else ("blanc",)


@pytest.mark.more
@needs_conformance
def test_the_table_of_the_conformance_folder() -> None:
    expected = audit_file("properties")
    found = find_properties(SOME, expected["mentions"])
    assert found["floats"] == []
    for name, described in expected["properties"].items():
        assert found["properties"][name]["cases"] == described["cases"]
        for metric in SOME:
            ours, theirs = (
                t[metric] for t in (found["properties"][name]["metrics"], described["metrics"])
            )
            assert {k: ours[k] for k in ("equal", "broken", "verdict")} == {
                k: theirs[k] for k in ("equal", "broken", "verdict")
            }, (name, metric)
            if theirs["example"]:
                assert size(ours["example"]) == size(theirs["example"]), (name, metric)


def size(example: dict[str, Any]) -> int:
    return sum(
        len({c for c in text.replace("[50-50]", "z") if c.isalpha()}) for text in example["a"]
    )


@pytest.mark.parametrize("metric", METRICS)
def test_the_oracle_counts_the_same(metric: str) -> None:
    found = find_properties([metric], 3)["properties"]
    for name, (cases, equal, broken) in count(metric, 3).items():
        result = found[name]["metrics"][metric]
        assert found[name]["cases"] == cases
        assert (result["equal"], result["broken"]) == (equal, broken), name


def shape_of(document: SmallDocument) -> Shape:
    """The canonical form of a document without copies."""
    owner = {m: place for place, entity in enumerate(document.response) for m in entity}
    table = [[0] * (len(document.response) + 1) for _ in range(len(document.key) + 1)]
    for row, entity in enumerate(document.key):
        for mention in entity:
            table[row][owner.pop(mention, -1)] += 1
    for column in owner.values():
        table[-1][column] += 1
    return canonical(table)


def test_overlaps_are_those_of_labelled_partitions() -> None:
    for mentions, number in ((1, 3), (2, 13), (3, 48)):
        made = {shape_of(as_document(()).with_sides(document)) for document in documents(mentions)}
        assert made == {*shapes(mentions)}
        assert len(made) == number
    assert [len(shapes(number)) for number in (4, 5, 6)] == [186, 692, 2641]


def mutant(name: str, count: Any) -> str:
    return give(
        PartitionMetric(name=name, help="", citation="", formula="", example="", count=count)
    )


def per_entity(both: Both) -> Any:
    """B³ over entities."""
    key, response = both
    return (
        np.bincount(key.document[key.row], key.n**2 / key.row_size**2, key.documents),
        key.entities,
        np.bincount(key.document[key.row], key.n**2 / key.column_size**2, key.documents),
        response.entities,
    )


def greedy(both: Both) -> Any:
    """CEAFe, best pair first, in the order of entities."""
    key, response = both
    phi = 2 * key.n / (key.row_size + key.column_size)
    total, rows, columns = np.zeros(key.documents), set(), set()
    for cell in np.argsort(-phi, kind="stable").tolist():
        row, column = int(key.row[cell]), int(key.column[cell])
        if row not in rows and column not in columns:
            total[key.document[row]] += phi[cell]
            rows.add(row)
            columns.add(column)
    return total, key.entities, total, response.entities


class Model:
    """The values of a rule by the exact model."""

    tolerance = 0

    def __init__(self, behaviour: Behaviour) -> None:
        self.behaviour = behaviour

    def __call__(self, documents: tuple[Shape, ...]) -> Any:
        return self.behaviour.predict([as_document(shape) for shape in documents]).values


@pytest.mark.long
def test_two_mutants_break_what_theirs_break() -> None:
    mutants = {
        mutant("bcub_entities", per_entity): Behaviour("bcub", "per-entity"),
        mutant("ceafe_greedy", greedy): Behaviour("ceafe", "greedy"),
    }
    found = find_properties([*mutants], 5)
    assert found["floats"] == [*mutants]
    for one in PROPERTIES:
        cases = [*one.cases(5)]
        for name, behaviour in mutants.items():
            model = judge(one, cases, Model(behaviour))
            ours = found["properties"][one.name]["metrics"][name]
            for number in ("equal", "broken"):
                assert ours[number] == model[number], (one.name, name)
    broken = {
        name: {p for p, of in found["properties"].items() if of["metrics"][name]["broken"]}
        for name in mutants
    }
    assert broken["bcub_entities"] == {"completeness", "right link", "nothing linked"}
    assert broken["ceafe_greedy"] > {"homogeneity", "rag bag", "right mention"}
    assert "ceafe_greedy" in found["depends_on_order"]
    assert "bcub_entities" not in found["depends_on_order"]
    text = render_properties(found)
    assert "floats, compared with 1e-12: bcub_entities, ceafe_greedy" in text
    assert "ceafe_greedy depends on the order of entities" in text


def test_a_metric_that_fails_or_is_not_a_number_is_a_finding() -> None:
    def fails(both: Both) -> Any:
        if not both[1].entities.all():
            raise ZeroDivisionError
        return both[0].mentions, both[0].mentions, both[1].mentions, both[1].mentions

    def nothing(both: Both) -> Any:
        column = np.full(both[0].documents, np.nan)
        return column, column, column, column

    names = [mutant("failing", fails), mutant("nan_metric", nothing)]
    found = find_properties(names, 2)
    bounds = found["properties"]["bounds"]["metrics"]
    assert bounds["nan_metric"]["verdict"] == "missing"
    assert bounds["failing"]["missing"] > 0
    assert "?" in render_properties(found)


@pytest.mark.parametrize("metric", ["pairs", "vi"])
def test_the_table_is_what_is_found(metric: str) -> None:
    """`tools/properties.py` writes the table; one exact metric, and one of floats."""
    assert known_properties([metric]) == find_properties([metric])


def test_what_the_table_lacks_is_found() -> None:
    known = known_properties(["conll", "muc"], 2)
    assert known == find_properties(["conll", "muc"], 2)


@pytest.mark.parametrize("metric", METRICS[:-1])
def test_the_models_are_the_metrics_themselves(metric: str) -> None:
    """On every overlap of up to five mentions, in either order of entities."""
    (partition,) = (get(name) for name in counted([metric]))
    assert isinstance(partition, PartitionMetric)
    every = [shape for mentions in range(6) for shape in shapes(mentions)]
    exact = [Behaviour(metric).predict([as_document(shape)]).values for shape in every]
    for reverse in (False, True):
        for shape, values in zip(every, exact, strict=True):
            counts = count_shape(partition, shape, reverse=reverse)
            assert values is not None and counts is not None
            score = partition.score(list(counts))
            floats = score.recall, score.precision, score.f1
            assert floats == pytest.approx([*map(float, values)], abs=1e-12)


def test_the_command() -> None:
    done = run("metrics", "bcub", "ceafe", "--properties", "--mentions", "3", "-f", "json")
    assert json.loads(done.out)["mentions"] == 3
    done = run("metrics", "ceafe", "--properties", "--mentions", "3", "-f", "markdown")
    assert "| right mention |" in done.out
    for wrong, message in [
        (("gap", "--properties"), "only metrics over partitions have properties"),
        (("immediate", "--properties"), "only metrics over partitions have properties"),
        (("--properties",), "name the metrics"),
        (("nothing", "--properties"), "unknown metric"),
        (("bcub", "--mentions", "3"), "needs --properties"),
        (("bcub", "--properties", "--mentions", "8"), "8 is not in the range"),
    ]:
        done = run("metrics", *wrong)
        assert done.status == 2
        assert message in done.err
    with pytest.raises(UsageError, match="a number from 1 to 7"):
        find_properties(["bcub"], 8)


@needs_conformance
def test_the_page_has_the_table() -> None:
    """What `corefkit metrics … --properties -f markdown` prints, by the conformance figures."""
    page = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
    for name, described in audit_file("properties")["properties"].items():
        (line,) = (line for line in page.splitlines() if line.startswith(f"| {name} |"))
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        marks = {"broken": "✗ {broken:,}", "equal": "= {equal:,}", "holds": ""}
        expected = [
            marks[described["metrics"][metric]["verdict"]].format(**described["metrics"][metric])
            for metric in METRICS
        ]
        assert cells[2:] == [f"{described['cases']:,}", *expected]
