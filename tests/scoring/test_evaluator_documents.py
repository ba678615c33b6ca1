"""An Evaluator with split antecedents, non-referring ones and bridging scores as files do."""

import pickle
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import Corpus, Evaluator, UsageError
from corefkit.core.links import KINDS
from corefkit.core.nodes import span_of
from tests.metrics.test_anaphora import corpus, random_side
from tests.oracle import anaphora as oracle
from tests.strategies import examples
from tests.support import CONFORMANCE, EXAMPLES, needs_conformance

METRICS = "muc,bcub,ceafm,ceafe,blanc,lea,conll,mentions,nonreferring,bridging"
PLAIN = "muc,bcub,ceafm,ceafe,blanc,lea,conll,mentions"


@dataclass
class Lists:
    """One side of a document as `update` takes it."""

    clusters: list[list[Hashable]] = field(default_factory=list)
    split: dict[int, list[int]] = field(default_factory=dict)
    nonreferring: list[Hashable] = field(default_factory=list)
    bridging: dict[Hashable, Hashable] = field(default_factory=dict)


def lists(whole: Corpus) -> dict[str, Lists]:
    """The documents of a corpus whose non-referring entities have one mention each."""
    found = {name: Lists() for name in whole.names}
    silent = set() if whole.referring is None else set(whole.entity[~whole.referring].tolist())
    mentions = [span_of(whole, row)[1:] for row in range(whole.mentions)]
    members: dict[int, list[Hashable]] = {}
    for row, entity in enumerate(whole.entity.tolist()):
        members.setdefault(entity, []).append(mentions[row])
    place: dict[int, int] = {}
    own = [found[whole.names[document]] for document in whole.entity_document.tolist()]
    for entity in sorted(members, key=lambda e: (e in silent, e)):
        one = own[entity]
        place[entity] = len(one.clusters) + len(one.nonreferring)
        if entity in silent:
            (mention,) = members[entity]
            one.nonreferring.append(mention)
        else:
            one.clusters.append(members[entity])
    if (links := whole.links) is not None:
        ends = links.kind.tolist(), links.source.tolist(), links.target.tolist()
        for kind, source, target in zip(*ends, strict=True):
            if KINDS[kind] == "element":
                own[source].split.setdefault(place[source], []).append(place[target])
            else:
                one = found[whole.names[int(whole.document[source])]]
                one.bridging[mentions[source]] = mentions[target]
    return found


def add(evaluator: Evaluator, name: str, key: Lists, response: Lists) -> None:
    evaluator.update(
        key.clusters,
        response.clusters,
        document=name,
        split=(key.split, response.split),
        nonreferring=(key.nonreferring, response.nonreferring),
        bridging=(key.bridging, response.bridging),
    )


def check(key: Corpus, response: Corpus, **policies: Any) -> None:
    """One evaluator, and two that are merged, have the very scores of the corpora."""
    wanted = corefkit.score(key, response, METRICS, duplicates="listed", lax=True, **policies)
    ours, theirs = lists(key), lists(response)
    parts = [Evaluator(METRICS, **policies) for _ in range(3)]
    for number, name in enumerate(key.names):
        add(parts[0], name, ours[name], theirs[name])
        add(parts[1 + number % 2], name, ours[name], theirs[name])
    merged = pickle.loads(pickle.dumps(parts[2])).merge(parts[1])
    for evaluator in (parts[0], merged):
        found = evaluator.scores()
        assert {m: found[m] for m in found} == {m: wanted[m] for m in wanted}
        assert found["muc"].split == wanted["muc"].split
        for name, group in wanted.by("document").items():
            assert {m: group[m] for m in group} == dict(found.by("document")[name])
    assert merged.scores().counts == wanted.counts


@pytest.mark.parametrize("singletons", ["keep", "drop"])
def test_an_example(singletons: str) -> None:
    key, response = (
        corefkit.read(EXAMPLES / f"{name}.conllua") for name in ("picnic", "picnic-system")
    )
    check(key, response, singletons=singletons)


@needs_conformance
@pytest.mark.parametrize("singletons", ["keep", "drop"])
@pytest.mark.parametrize("pair", ["gum", "persuasion"])
def test_real_files(pair: str, singletons: str) -> None:
    key, response = (
        corefkit.read(CONFORMANCE / "anaphora" / f"{pair}.{side}.conllua.gz")
        for side in ("key", "fair")
    )
    check(key, response, singletons=singletons)


@examples(13)
@given(st.lists(st.tuples(random_side(), random_side(), st.booleans()), min_size=1, max_size=4))
def test_any_plurals(documents: list[tuple[oracle.Side, oracle.Side, bool]]) -> None:
    """Documents with and without plurals, in any order: each counts as it does alone."""
    evaluator, parts = Evaluator(PLAIN), []
    for one, other, plain in documents:
        key, response = (
            oracle.Side(side.entities, {} if plain else side.plurals) for side in (one, other)
        )
        sides = [[sorted(own, key=str) for own in side.entities] for side in (key, response)]
        if plain:
            evaluator.update(*sides)
        else:
            evaluator.update(*sides, split=(key.plurals, response.plurals))
        parts.append(corefkit.score(corpus(key), corpus(response), PLAIN).counts)
    whole = parts[0]
    for part in parts[1:]:
        whole = whole + part
    found = evaluator.scores().counts
    assert {m: found.total(m) for m in found.tables} == {m: whole.total(m) for m in whole.tables}


def test_what_is_not_given_is_not_counted_as_nothing() -> None:
    for metric in ("nonreferring", "bridging"):
        with pytest.raises(UsageError, match=metric):
            Evaluator(metric).update([["a"]], [["a"]])
        with pytest.raises(UsageError, match=metric):
            Evaluator(metric).update_batch([[["a"]]], [[["a"]]])
        assert Evaluator(metric).scores()[metric].f1 == 0.0


@pytest.mark.parametrize(
    ("besides", "error", "message"),
    [
        ({"split": ({0: [2]}, {})}, ValueError, "no cluster 2"),
        ({"split": ({2: [0]}, {})}, ValueError, "no cluster 2"),
        ({"split": ({0: [1], 1: [0]}, {})}, ValueError, "element of itself"),
        ({"split": ({0: [0]}, {})}, ValueError, "element of itself"),
        ({"split": {0: [1]}}, TypeError, "a pair"),
        ({"nonreferring": "a"}, TypeError, "a pair"),
        ({"bridging": ({"a": "z"}, {})}, ValueError, "'z' is not a mention"),
        ({"split": ([1], {})}, TypeError, "split: a dict"),
        ({"bridging": ([1], {})}, TypeError, "bridging: a dict"),
    ],
)
def test_nonsense(besides: dict[str, Any], error: type[Exception], message: str) -> None:
    evaluator = Evaluator("muc")
    with pytest.raises(error, match=message):
        evaluator.update(["ab", "c"], ["ab", "c"], **besides)
    assert len(evaluator) == 0


def test_copies_are_told_and_count_once() -> None:
    evaluator = Evaluator("mentions").update(["ab", "bc"], ["abc"], split=({1: [0]}, {}))
    assert [i.id for i in evaluator.scores().incidents] == ["span-in-two-entities"]
    assert evaluator.scores()["mentions"].counts["recall"] == [3, 3]


def test_spans_with_heads() -> None:
    """Where mentions are matched by heads they are spans, plurals or not."""
    key: list[list[Hashable]] = [[(0, 2, 1)], [(4, 4)], [(6, 7, 6)]]
    response: list[list[Hashable]] = [[(1, 1)], [(4, 4)], [(6, 6)]]
    found = Evaluator("muc,bcub", match="head").update(
        key, response, split=({2: [0, 1]}, {2: [0, 1]})
    )
    assert [found.scores()[metric].f1 for metric in ("muc", "bcub")] == [1.0, 1.0]
    with pytest.raises(TypeError, match="head"):
        Evaluator(match="head").update(["a"], ["a"], split=({}, {}))


def test_plain_and_annotated_documents_keep_their_order() -> None:
    """Documents wait in two stores; their counts come back in the order they were given."""
    pair = [["a", "b"], ["c"]], [["a", "c"], ["b"]]
    other = [["a", "b", "c"]], [["a", "b"]]
    whole, parts = Evaluator("muc,bcub"), []
    for number, (key, response) in enumerate((pair, other, other, pair, pair, other)):
        annotations: Any = {"nonreferring": (["x"], [])} if number % 2 else {}
        whole.update(key, response, document=f"d{number}", **annotations)
        single = Evaluator("muc,bcub").update(key, response, document=f"d{number}", **annotations)
        parts.append(single.scores().counts)
    counts = whole.scores().counts
    assert counts.documents == tuple(f"d{number}" for number in range(6))
    for number, part in enumerate(parts):
        assert counts.select(np.array([number])) == part
