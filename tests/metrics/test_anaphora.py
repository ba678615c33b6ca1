"""Split antecedents, non-referring expressions and bridging against their definitions."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import Corpus, EntityLabel
from corefkit.core.links import KINDS, Links
from corefkit.metrics.bridging import count_bridges
from tests.oracle import anaphora as oracle
from tests.strategies import clusters, examples

METRICS = ("muc", "bcub", "ceafm", "ceafe", "lea")


def corpus(side: oracle.Side) -> Corpus:
    """A corpus of one document; mention n is token n."""
    entities = [sorted((int(str(m)), int(str(m))) for m in own) for own in side.entities]
    made = Corpus.from_clusters({"d": entities})
    pairs = [(plural, element) for plural, own in side.plurals.items() for element in own]
    if not pairs:
        return made
    source, target = np.array(pairs, dtype=np.int64).T
    kind = np.full(len(pairs), KINDS.index("element"))
    return replace(made, links=Links(kind, source, target, ("",) * len(pairs)))


def side(entities: Sequence[str], **plurals: str) -> oracle.Side:
    """Entities as strings of letters; plurals by their place: p3="01"."""
    sets = [frozenset(ord(letter) - ord("a") for letter in own) for own in entities]
    return oracle.Side(sets, {int(k[1:]): [int(e) for e in v] for k, v in plurals.items()})


@st.composite
def random_side(draw: st.DrawFn) -> oracle.Side:
    entity = st.none() | st.integers(0, 3)
    entities = [frozenset(own) for own in clusters(draw(st.lists(entity, min_size=6, max_size=6)))]
    plurals: dict[int, list[int]] = {}
    for place in range(1, len(entities)):
        elements = draw(st.sets(st.integers(0, place - 1), max_size=2))
        if elements:
            plurals[place] = sorted(elements)
    return oracle.Side(entities, plurals)


def distinct(one: oracle.Side) -> bool:
    """Whether no two plurals have equal elements: those would be one entity."""
    elements = [frozenset(one.elements(plural)) for plural in one.plurals]
    return len(set(elements)) == len(elements)


@examples(20)
@given(random_side(), random_side())
def test_split_antecedents(key: oracle.Side, response: oracle.Side) -> None:
    if not (distinct(key) and distinct(response)):
        return
    scores = corefkit.score(corpus(key), corpus(response), [*METRICS, "blanc", "mentions"])
    for metric in METRICS:
        wanted = oracle.score(metric, key, response)
        found = scores[metric]
        for name in ("recall", "precision"):
            assert found.counts[name] == pytest.approx([float(x) for x in wanted[name]], abs=1e-12)
            if found.split:
                alone = [float(x) for x in wanted[f"split {name}"]]
                assert found.split.counts[name] == pytest.approx(alone, abs=1e-12)
    for half, kind in (("linked", "coreference"), ("apart", "noncoreference")):
        wanted = oracle.score(half, key, response)
        for name in ("recall", "precision"):
            counts = scores["blanc"].counts[kind][name]
            assert counts == pytest.approx([float(x) for x in wanted[name]], abs=1e-12)
    common = set().union(*key.entities) & set().union(*response.entities)
    assert scores["mentions"].counts["recall"][0] == len(common)


@examples(15)
@given(random_side())
def test_a_side_against_itself_scores_1(one: oracle.Side) -> None:
    made = corpus(one)
    scores = corefkit.score(made, made, [*METRICS, "blanc"])
    for metric in METRICS:
        found = scores[metric]
        if found.counts["recall"][1]:
            assert found.f1 == pytest.approx(1.0, abs=1e-12)
    plain = corefkit.score(made, made, [*METRICS], split="drop")
    if not one.plurals:
        assert plain.counts == corefkit.score(made, made, [*METRICS]).counts


TABLE = {
    "same": (side(["ab", "cd", "e", "fg"], p3="01"), "4/4 4/4", "8/8 8/8", "8/8 8/8", "4/4 4/4"),
    "none": (side(["ab", "cd", "e", "fg"]), "3/4 3/3", "19/24 7/7", "7/8 7/7", "19/20 19/20"),
    "more": (
        side(["ab", "cd", "e", "fg"], p3="012"),
        "4/4 11/12",
        "8/8 571/600",
        "71/72 71/72",
        "59/60 59/60",
    ),
    "other": (
        side(["ab", "cd", "e", "fg"], p3="02"),
        "7/8 7/8",
        "85/96 199/216",
        "53/56 53/56",
        "23/24 23/24",
    ),
    "less": (
        side(["ab", "c", "e", "fg"], p3="01"),
        "5/8 5/6",
        "371/512 7/7",
        "6/7 48/49",
        "65/72 65/72",
    ),
}
"""K = {ab}{cd}{e}{fg ← ab, cd}: recall and precision of muc, bcub, ceafm, ceafe of responses."""


@pytest.mark.parametrize("name", TABLE)
def test_worked_examples(name: str) -> None:
    response, *wanted = TABLE[name]
    key = corpus(side(["ab", "cd", "e", "fg"], p3="01"))
    scores = corefkit.score(key, corpus(response), "muc,bcub,ceafm,ceafe")
    for metric, figures in zip(("muc", "bcub", "ceafm", "ceafe"), wanted, strict=True):
        found = scores[metric]
        assert [found.recall, found.precision] == pytest.approx(
            [float(Fraction(figure)) for figure in figures.split()], abs=1e-12
        )


@pytest.mark.parametrize("name", TABLE)
def test_both_halves_of_blanc(name: str) -> None:
    """Of 28 pairs of the key's 8 mentions, v among them, 5 are coreferent and 23 are not."""
    key, response = side(["ab", "cd", "e", "fg"], p3="01"), TABLE[name][0]
    counts = corefkit.score(corpus(key), corpus(response), "blanc")["blanc"].counts
    for half, kind, links in (("linked", "coreference", 5), ("apart", "noncoreference", 23)):
        wanted = oracle.score(half, key, response)
        assert counts[kind]["recall"][1] == links
        for rate in ("recall", "precision"):
            expected = [float(x) for x in wanted[rate]]
            assert counts[kind][rate] == pytest.approx(expected, abs=1e-12)
        if name == "same":
            assert counts[kind]["recall"] == counts[kind]["precision"] == [links, links]


def test_blanc_of_the_fourth_row() -> None:
    key = corpus(side(["ab", "cd", "e", "fg"], p3="01"))
    response = corpus(side(["ab", "cd", "e", "fg"], p3="02"))
    found = corefkit.score(key, response, "blanc")["blanc"]
    assert found.f1 == pytest.approx(569 / 690, abs=1e-12)


def test_no_other_mention_is_shared() -> None:
    key = corpus(side(["ab", "cd", "f", "g"], p2="01"))
    response = corpus(side(["ab", "cd", "f", "g"], p3="01"))
    scores = corefkit.score(key, response, "muc,lea,ceafm")
    assert [scores[m].recall for m in ("muc", "lea", "ceafm")] == pytest.approx(
        [2 / 3, 4 / 7, 6 / 7], abs=1e-12
    )


def without_mentions(side: oracle.Side) -> Corpus:
    """The corpus in which entities without a mention have an empty node, to be dropped."""
    zeros = [frozenset({10 + place}) for place in range(len(side.entities))]
    filled = [own or zero for own, zero in zip(side.entities, zeros, strict=True)]
    made = corpus(oracle.Side(filled, side.plurals))
    return replace(made, zero=(made.start >= 10).astype(np.int64))


LEA_OF_PLURALS = {
    # w = 1 on both sides, and so is w².
    ("ab cd ", "ab cd "): ("5/5", "5/5"),
    # Of ab and cd one link in two is found, of ab and c two mentions in three: w = 1/2 and 2/3.
    # R = (2 + 0 + 1/4) / 5, P = (2 + 0 + 4/9) / 4.
    ("ab cd ", "ab c "): ("9/20", "11/18"),
    # The plural of the response has a mention besides: the link of v to itself is not found, and
    # of e and v, one link of two mentions, e is in no key entity.
    ("ab cd ", "ab c e"): ("2/5", "2/5"),
}
"""K = {ab}{cd}{v ← ab, cd}: recall and precision; of entities that are listed the third is made of
the others and may have no mention of its own."""


@pytest.mark.parametrize(("key", "response"), LEA_OF_PLURALS)
def test_lea_of_an_entity_that_is_a_split_antecedent_only(key: str, response: str) -> None:
    """The one link of v is to itself: it counts w · w, the product of the weights of its ends."""
    ours, theirs = (without_mentions(side(s.split(" "), p2="01")) for s in (key, response))
    found = corefkit.score(ours, theirs, "lea", zeros="drop")["lea"]
    recall, precision = (float(Fraction(figure)) for figure in LEA_OF_PLURALS[key, response])
    assert (found.recall, found.precision) == pytest.approx((recall, precision), abs=1e-12)


@examples(20)
@given(random_side(), random_side(), st.sets(st.integers(1, 4)), st.sets(st.integers(1, 4)))
def test_plurals_without_mentions(
    key: oracle.Side, response: oracle.Side, ours: set[int], theirs: set[int]
) -> None:
    """Some plurals lose all their mentions, which are empty nodes that are dropped."""
    sides = []
    for one, gone in ((key, ours), (response, theirs)):
        empty = gone & one.plurals.keys()
        entities = [
            frozenset[oracle.Mention]() if place in empty else own
            for place, own in enumerate(one.entities)
        ]
        sides.append(oracle.Side(entities, one.plurals))
    if not all(map(distinct, sides)):
        return
    made = [without_mentions(one) for one in sides]
    scores = corefkit.score(made[0], made[1], [*METRICS], zeros="drop")
    for metric in METRICS:
        wanted = oracle.score(metric, *sides)
        for name in ("recall", "precision"):
            expected = [float(x) for x in wanted[name]]
            assert scores[metric].counts[name] == pytest.approx(expected, abs=1e-12), metric


Bridges = dict[int, int]


@examples(20)
@given(
    st.lists(st.integers(0, 3), min_size=6, max_size=6),
    *[st.dictionaries(st.integers(0, 5), st.integers(0, 5), max_size=4) for _ in range(2)],
    *[st.sets(st.integers(0, 5)) for _ in range(2)],
)
def test_bridging_and_nonreferring(
    entity: list[int], ours: Bridges, theirs: Bridges, silent: set[int], others: set[int]
) -> None:
    """tp, fn and fp of tokens 0 to 5, against sets."""
    sides = []
    for bridges, quiet in ((ours, silent), (theirs, others)):
        made = Corpus.from_clusters({"d": [[(m, m)] for m in range(6)]})
        kind = np.full(len(bridges), KINDS.index("bridging"))
        ends = np.array([*bridges.items()], dtype=np.int64).reshape(-1, 2).T
        links = Links(kind, ends[0], ends[1], ("",) * len(bridges))
        refers = np.array([m not in quiet for m in range(6)])
        where = np.unique(np.array(entity), return_inverse=True)[1]
        labels = tuple(str(n) for n in range(where.max() + 1))
        sides.append(replace(made, links=links, referring=refers, entity=where, labels=labels))
    scores = corefkit.score(sides[0], sides[1], "bridging,nonreferring")
    assert scores["nonreferring"].counts == {
        "tp": len(silent & others),
        "fn": len(silent - others),
        "fp": len(others - silent),
    }
    both = ours.keys() & theirs.keys()
    same = {a for a in both if ours[a] == theirs[a]}
    near = same | {
        a
        for a in both
        if entity[ours[a]] == entity[theirs[a]] and not {ours[a], theirs[a]} & silent
    }
    levels = scores["bridging"].levels
    assert levels is not None
    for level, right in (("anaphor", both), ("mention", same), ("entity", near)):
        wanted = len(right), len(ours) - len(right), len(theirs) - len(right)
        assert tuple(levels[level].counts.values()) == wanted


def test_a_bridge_to_the_same_words_is_right_on_all_levels() -> None:
    """Also where its anchor does not refer, and so is in no entity."""
    made = Corpus.from_clusters({"d": [[(0, 0)], [(1, 1)], [(2, 2)]]})
    kind = np.array([KINDS.index("bridging")])
    links = Links(kind, np.array([2]), np.array([0]), ("",))
    side = replace(made, links=links, referring=np.array([False, True, True]))
    levels = corefkit.score(side, side, "bridging")["bridging"].levels
    assert levels is not None
    for level in ("anaphor", "mention", "entity"):
        assert levels[level].counts == {"tp": 1, "fn": 0, "fp": 0}


def test_an_anchor_in_two_entities_stands_for_both() -> None:
    """By hand: a is in {ab} and in {ac}; c, as well as b, is a mention of the right entity."""
    kind = np.array([KINDS.index("bridging")])
    clusters = [[(0, 0), (1, 1)], [(0, 0), (2, 2)], [(5, 5)]]
    rows = {"a": 0, "b": 1, "c": 3, "anaphor": 4}
    key = Corpus.from_clusters({"d": clusters})
    key = replace(key, links=Links(kind, np.array([rows["anaphor"]]), np.array([0]), ("",)))
    for anchor in ("b", "c"):
        links = Links(kind, np.array([rows["anaphor"]]), np.array([rows[anchor]]), ("",))
        columns = count_bridges(key, replace(key, links=links), key)
        tp, fn, fp = (int(column[0]) for column in columns[6:])
        assert (tp, fn, fp) == (1, 0, 0), anchor
        assert int(columns[3][0]) == 0  # another mention


def test_nothing_but_its_size_is_known_of_an_entity_that_lost_its_mentions() -> None:
    """The only mention of the plural is a copy of one of its elements: a virtual one is left."""
    made = corpus(side(["ab", "cd", "b"], p2="01"))
    scores = corefkit.score(made, made, "bcub")
    sizes = {label: part.key.entities for label, part in scores.by("entity:size").items()}
    assert sizes == {"1": 1, "2": 2}
    label = EntityLabel("letters", lambda chains: ["letters"] * len(chains.first))
    known, unknown = scores.split(label).values()
    assert (known.label, known.key.entities, known.key.mentions) == ("letters", 2, 4)
    assert (unknown.key.entities, unknown.key.mentions) == (1, 0)
    assert unknown["bcub"].counts["recall"] == [1, 1]
