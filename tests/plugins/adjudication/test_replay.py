"""Drafts and decisions against the oracle, and what holds for all of them."""

from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from corefkit.plugins.adjudication.decisions import Decision
from corefkit.plugins.adjudication.draft import DocumentDraft, draft_document
from corefkit.plugins.adjudication.replay import Replay, replay
from corefkit.plugins.adjudication.units import (
    Certainty,
    Positions,
    positions_in,
    runs_of_positions,
)
from tests.oracle.adjudication import Annotation, Decided, Draft, written
from tests.plugins.adjudication.support import outcome
from tests.strategies import examples

LENGTH = 9
PEOPLE = ("anna", "ben", "carla", "dirk", "emil")
Marked = Sequence[Mapping[tuple[int, ...], int]]

SPANS = st.one_of(
    st.tuples(st.integers(0, LENGTH - 1), st.integers(1, 4)).map(
        lambda span: tuple(range(span[0], min(span[0] + span[1], LENGTH)))
    ),
    st.sets(st.integers(0, LENGTH - 1), min_size=1, max_size=3).map(lambda s: tuple(sorted(s))),
)
POOLS = st.lists(SPANS, min_size=2, max_size=7, unique=True)


@st.composite
def annotations(draw: st.DrawFn) -> Marked:
    """Two to four annotators who mark spans of one pool, so that they often agree."""
    pool = draw(POOLS)
    marks = st.dictionaries(st.sampled_from(pool), st.integers(0, 2), max_size=len(pool))
    return draw(st.lists(marks, min_size=2, max_size=4))


RULES = st.one_of(
    st.just(Certainty()),
    st.just(Certainty("all")),
    st.integers(1, 3).map(lambda number: Certainty("majority", number)),
)


def drafted(marked: Marked, rule: Certainty) -> DocumentDraft:
    spans = [{runs_of_positions(span): e for span, e in own.items()} for own in marked]
    people = PEOPLE[: len(marked)]
    return draft_document("tale", people, spans, Positions(LENGTH), rule)


def by_oracle(marked: Marked, rule: Certainty) -> Draft:
    people: dict[str, Annotation] = {}
    for name, own in zip(PEOPLE, marked, strict=False):
        clusters: dict[int, list[tuple[int, ...]]] = {}
        for span, entity in own.items():
            clusters.setdefault(entity, []).append(span)
        people[name] = [*clusters.values()]
    return Draft("tale", people, rule.certain, rule.ask_mentions, LENGTH)


@st.composite
def logs(draw: st.DrawFn, draft: DocumentDraft) -> list[dict[str, Any]]:
    """Entries about items and about other things, some taken back, some with old blocks."""
    spans = [*draft.unit_names, *map(written, draw(st.lists(SPANS, max_size=3)))]
    spans += [entry.spans[0] for entry in draft.outvoted]
    entries = []
    for _ in range(draw(st.integers(0, 8))):
        kind = draw(st.sampled_from(["item", "item", "item", "mention", "apart", "span", "link"]))
        if kind == "item" and draft.items:
            item = draw(st.sampled_from(draft.items))
            entry: dict[str, Any] = {"item": item.id}
            entry["choice"] = draw(st.sampled_from([*item.options, None]))
            if item.blocks and draw(st.booleans()):
                old = draw(st.sampled_from([item.left, item.left[:1]]))
                entry |= {"left": [*old], "right": [*item.right]}
        elif kind != "item" and spans:
            number = 2 if kind in ("span", "link") else 1
            named = [draw(st.sampled_from(spans)) for _ in range(number)]
            entry = {"item": f"{kind} tale {' '.join(named)}"}
            entry["choice"] = draw(st.sampled_from(["yes", "yes", "no", None]))
        else:
            continue
        entries.append(entry)
    return entries


def decisions(entries: Sequence[Mapping[str, Any]]) -> list[Decision]:
    return [Decision(entry["item"], None, None, entry["choice"], entry) for entry in entries]


def described(draft: DocumentDraft, replayed: Replay) -> dict[str, Any]:
    entities = [[tuple(positions_in(runs)) for runs in own] for own in replayed.entities]
    return {**outcome(draft, replayed), "result": sorted(entities)}


@examples(80)
@given(st.data(), annotations(), RULES)
def test_as_the_oracle_has_it(data: st.DataObject, marked: Marked, rule: Certainty) -> None:
    draft = drafted(marked, rule)
    entries = data.draw(logs(draft))
    expected = Decided(by_oracle(marked, rule), entries).as_dict()
    assert described(draft, replay(draft, decisions(entries))) == expected


@given(st.data(), annotations(), RULES)
def test_the_order_of_entries(data: st.DataObject, marked: Marked, rule: Certainty) -> None:
    """Counts among entries of one id, of one unit that is brought back, and of one moved span."""
    draft = drafted(marked, rule)
    entries = data.draw(logs(draft))
    names = [entry["item"] for entry in entries]
    assume(len({*names}) == len(names))
    moved = [name.split(" ")[2] for name in names if name.startswith("span ")]
    assume(len({*moved}) == len(moved))
    unit_of = {
        written(tuple(positions_in(variant.runs))): number
        for number, unit in enumerate(draft.units)
        for variant in unit.variants
        if len(unit.variants) > 1 and unit.state == "outvoted"
    }
    back = [unit_of.get(n.split(" ")[2], -i) for i, n in enumerate(names, 1) if n[:8] == "mention "]
    assume(len({*back}) == len(back))
    shuffled = data.draw(st.permutations(entries))
    one, other = (replay(draft, decisions(some)) for some in (entries, shuffled))
    assert described(draft, one) == described(draft, other)


@given(st.data(), annotations(), RULES)
def test_deciding_every_open_item_leaves_none(
    data: st.DataObject, marked: Marked, rule: Certainty
) -> None:
    """Whatever is chosen, deciding open items one by one comes to an end without a conflict."""
    draft = drafted(marked, rule)
    options = {item.id: item.options for item in draft.items}
    entries: list[dict[str, Any]] = []
    now = replay(draft, [])
    while now.open:
        name = data.draw(st.sampled_from(now.open))
        entries.append({"item": name, "choice": data.draw(st.sampled_from(options[name]))})
        now = replay(draft, decisions(entries))
        assert not now.conflicts
        assert not now.unused
        assert {*now.decided} == {entry["item"] for entry in entries}
    assert len(entries) <= len(draft.items)


@given(annotations())
def test_one_annotator_is_taken_as_marked(marked: Marked) -> None:
    for rule in (Certainty(), Certainty("all")):
        draft = drafted(marked[:1], rule)
        clusters: dict[int, list[tuple[int, ...]]] = {}
        for span, entity in marked[0].items():
            clusters.setdefault(entity, []).append(span)
        assert not draft.items
        assert described(draft, replay(draft, []))["result"] == sorted(
            sorted(own, key=lambda span: (span[0], -len(span), span)) for own in clusters.values()
        )


@given(annotations(), RULES)
def test_annotators_who_agree_leave_nothing_open(marked: Marked, rule: Certainty) -> None:
    draft = drafted([marked[0]] * 3, rule)
    assert not draft.items
    assert not draft.outvoted


def replayed(marked: Marked, *entries: tuple[str, str]) -> dict[str, Any]:
    draft = drafted(marked, Certainty())
    log = [{"item": item, "choice": choice} for item, choice in entries]
    return described(draft, replay(draft, decisions(log)))


def test_a_block_is_not_linked_to_itself() -> None:
    found = replayed([{(0,): 0}, {(0,): 0}], ("link tale 0 0", "yes"))
    assert found["unused"] == ["link tale 0 0"]


def test_the_last_yes_counts_where_an_id_stands_again() -> None:
    marked: Marked = [{(0, 1): 0}, {(1, 2): 0}, {}, {}, {}]
    first, second = ("mention tale 0-1", "yes"), ("mention tale 1-2", "yes")
    assert replayed(marked[:5], first, second)["result"] == [[(1, 2)]]
    assert replayed(marked[:5], first, second, first)["result"] == [[(0, 1)]]
