"""What the definitions of matching promise, whatever the documents are."""

from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import Corpus, Scores
from corefkit.matching import match
from tests.corefud import to_corpus
from tests.matching.test_matching import METRICS, changed, document, prepared
from tests.oracle.corefud import Document, Mention
from tests.strategies import examples

RULES = st.sampled_from(["exact", "partial", "head"])
ZEROS = st.sampled_from(["dependent", "linear", "drop"])
SINGLETONS = st.sampled_from(["keep", "drop"])
moderate = examples(15)

Sides = tuple[Document, Document]


@st.composite
def both_sides(draw: st.DrawFn) -> Sides:
    """A key full of zeros, gaps and nesting, and a response that has much of it."""
    # By a seed: hypothesis's own random numbers are so often 0 that most sides are alike.
    rng = Random(draw(st.integers(0, 2**32)))
    key = document(rng, draw(st.integers(1, 20)))
    return _without_crossing(key), _without_crossing(changed(rng, key))


def _without_crossing(side: Document) -> Document:
    """Mentions of one entity may nest, but not cross: those that do are left out."""
    entities = {}
    for label, mentions in side.entities.items():
        kept: list[Mention] = []
        for mention in mentions:
            own = set(mention.nodes)
            others = [set(other.nodes) for other in kept]
            if all(not own & other or own <= other or other <= own for other in others):
                kept.append(mention)
        entities[label] = kept
    return replace(side, entities=entities)


@st.composite
def single_nodes(draw: st.DrawFn) -> Sides:
    """Two sides the mentions of which have one node each."""
    sides = draw(both_sides())
    key, response = (_map(side, lambda m: replace(m, nodes=(m.head,))) for side in sides)
    return key, response


@st.composite
def different_mentions(draw: st.DrawFn) -> Sides:
    """Two sides, on each of which no two mentions have the same nodes."""
    sides = draw(both_sides())
    key, response = (_each_once(side) for side in sides)
    return key, response


def _each_once(side: Document) -> Document:
    """The first of the mentions that have the same nodes."""
    seen: set[tuple[object, ...]] = set()

    def once(mention: Mention) -> Mention | None:
        new = mention.nodes not in seen
        seen.add(mention.nodes)
        return mention if new else None

    return _map(side, once)


@st.composite
def tied_sides(draw: st.DrawFn) -> Sides:
    """Two sides the zeros of which all depend on the same, so that many pairings are as good."""

    def tied(mention: Mention) -> Mention:
        return replace(mention, arcs=frozenset({((1, 0), "s")})) if mention.zero else mention

    key, response = (_map(side, tied) for side in draw(both_sides()))
    return key, response


def _map(side: Document, change: Any) -> Document:
    entities = {e: [new for m in ms if (new := change(m))] for e, ms in side.entities.items()}
    return replace(side, entities={e: mentions for e, mentions in entities.items() if mentions})


def rows(key: Corpus, response: Corpus, rule: str, zeros: str) -> set[tuple[int, int]]:
    found = match(key, response, rule, {"zeros": zeros, "ties": "first"})
    return set(zip(found.key.tolist(), found.response.tolist(), strict=True))


def score(key: Document, response: Document, **options: Any) -> Scores:
    metrics = None if "profile" in options else METRICS
    return corefkit.score(to_corpus([key]), to_corpus([response]), metrics, **options)


def head(side: Corpus, row: int) -> tuple[int, int]:
    assert side.head is not None
    assert side.head_zero is not None
    return int(side.head[row]), int(side.head_zero[row])


@given(both_sides(), ZEROS, SINGLETONS)
@moderate
def test_exact_pairs_stay_pairs(sides: Sides, zeros: str, singletons: str) -> None:
    """exact ⊆ partial, exact ⊆ craft; exact with equal heads ⊆ head; head: equal heads or zeros."""
    key, response = (prepared(side, singletons, zeros) for side in sides)
    exact = rows(key, response, "exact", zeros)
    assert exact <= rows(key, response, "partial", zeros)
    assert exact <= rows(key, response, "craft", zeros)
    by_head = rows(key, response, "head", zeros)
    same = {(k, r) for k, r in exact if head(key, k) == head(response, r)}
    assert same <= by_head
    for k, r in by_head:
        assert head(key, k) == head(response, r) or (
            zeros == "dependent" and head(key, k)[1] and head(response, r)[1]
        )


@given(both_sides(), st.sampled_from(["linear", "drop"]), SINGLETONS)
@moderate
def test_exchange_of_sides(sides: Sides, zeros: str, singletons: str) -> None:
    """Exact pairs and all their scores are mirrored; as many mentions match by their heads."""
    key, response = (prepared(side, singletons, zeros) for side in sides)
    there, back = (rows(*pair, "exact", zeros) for pair in ((key, response), (response, key)))
    assert there == {(k, r) for r, k in back}
    heads = (rows(*pair, "head", zeros) for pair in ((key, response), (response, key)))
    assert len(next(heads)) == len(next(heads))
    options: Any = {"zeros": zeros, "singletons": singletons}
    one, other = score(*sides, **options), score(*reversed(sides), **options)
    # blanc leaves out a kind of link where the *key* has none.
    for name in ("mentions", "muc", "bcub", "ceafm", "ceafe", "lea", "mor"):
        a, b = one[name], other[name]
        assert (name, a.recall, a.precision, a.f1) == (name, b.precision, b.recall, b.f1)


@given(
    both_sides() | tied_sides(),
    RULES,
    ZEROS,
    st.permutations(range(20)),
    st.permutations(range(20)),
)
@moderate
def test_renaming_of_ids(
    sides: Sides, rule: str, zeros: str, ours: list[int], theirs: list[int]
) -> None:
    key, response = sides
    new = _renamed(key, ours), _renamed(response, theirs)
    assert score(*new, match=rule, zeros=zeros).to_dict() == (
        score(*sides, match=rule, zeros=zeros).to_dict()
    )


@given(
    different_mentions(),
    st.sampled_from(["corefud", "corefud-1.1"]),
    RULES,
    st.permutations(range(20)),
)
@moderate
def test_renaming_of_ids_bug_for_bug(
    sides: Sides, profile: str, rule: str, names: list[int]
) -> None:
    """The scorers sort entities by their ids, but only those that begin with the same mention."""
    new = tuple(_renamed(side, names) for side in sides)
    assert score(*new, profile=profile, match=rule).to_dict() == (
        score(*sides, profile=profile, match=rule).to_dict()
    )


def _renamed(side: Document, names: list[int]) -> Document:
    """The entities under other ids, and listed in the order of these."""
    listed = sorted((f"x{names[int(e[1:])]:02}", mentions) for e, mentions in side.entities.items())
    return replace(side, entities=dict(listed))


@given(
    st.lists(both_sides(), min_size=2, max_size=3),
    st.sampled_from(["standard", "corefud", "corefud-1.1"]),
    RULES,
    st.integers(0, 2**32).map(Random),
)
@moderate
def test_order_of_documents(pairs: list[Sides], profile: Any, rule: Any, rng: Random) -> None:
    keys, responses = (
        [replace(pair[side], name=f"d{n}") for n, pair in enumerate(pairs)] for side in (0, 1)
    )

    def scored() -> dict[str, Any]:
        one, other = to_corpus(keys), to_corpus(responses)
        return corefkit.score(one, other, None, profile, match=rule).to_dict()

    before = scored()
    rng.shuffle(keys)
    rng.shuffle(responses)
    assert scored() == before


@given(both_sides(), RULES, SINGLETONS)
@moderate
def test_dropped_zeros(sides: Sides, rule: str, singletons: str) -> None:
    """The scores of files that have no mention with an empty node as head."""

    def keep(mention: Mention) -> Mention | None:
        return None if mention.zero else mention

    without = [_map(side, keep) for side in sides]
    options: Any = {"match": rule, "singletons": singletons}
    expected = score(without[0], without[1], **options)
    assert score(*sides, zeros="drop", **options).to_dict() == expected.to_dict()


@given(single_nodes(), ZEROS, SINGLETONS)
@moderate
def test_heads_of_single_nodes_are_the_nodes(sides: Sides, zeros: str, singletons: str) -> None:
    key, response = (prepared(side, singletons, zeros) for side in sides)
    assert rows(key, response, "head", zeros) == rows(key, response, "exact", zeros)
    options: Any = {"zeros": zeros, "singletons": singletons}
    by_head, exact = (score(*sides, match=rule, **options) for rule in ("head", "exact"))
    assert by_head.to_dict() == exact.to_dict()
