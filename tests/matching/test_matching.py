"""Matching of random documents against the oracle, and what the definitions promise."""

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import corefkit
from corefkit import Corpus
from corefkit.core.nodes import is_zero, nodes_of
from corefkit.matching import match
from corefkit.scorers import make_options, scorer_for
from tests.corefud import to_corpus
from tests.oracle import corefud
from tests.oracle.corefud import Arc, Document, Mention, Node
from tests.strategies import TIMES

SETTINGS: list[tuple[Any, Any]] = [
    (match_, zeros)
    for match_ in ("exact", "partial", "head")
    for zeros in ("dependent", "linear", "drop")
]
METRICS = "mentions,muc,bcub,ceafm,ceafe,blanc,lea,mor,zero"


def document(rng: random.Random, mentions: int) -> Document:
    """A document of three short sentences full of zeros, gaps and mentions around one another."""
    made = Document("d", [4, 3, 2])
    for number in range(mentions):
        sentence = rng.randrange(3)
        nodes = [
            (sentence, word, minor)
            for word in range(made.sentences[sentence] + 1)
            for minor in range(3)
            if (word, minor) != (0, 0)
        ]
        mention = _mention(rng, sentence, nodes, number)
        made.entities.setdefault(f"e{rng.randrange(4)}", []).append(mention)
    return made


def _mention(rng: random.Random, sentence: int, nodes: list[Node], number: int) -> Mention:
    kind = rng.random()
    if kind < 0.4:
        chosen = [rng.choice(nodes)]
    else:
        begin = rng.randrange(len(nodes))
        chosen = nodes[begin : begin + rng.randint(1, 8)]
        if kind < 0.8:
            chosen = [node for node in chosen if not node[2]] or chosen[:1]
        if kind > 0.9 and len(chosen) > 2:
            chosen.pop(1)
    head = rng.choice(chosen)
    arcs: list[Arc] = []
    if head[2]:
        parents = [(0, 0), (1, 0), (2, 0), (1, 1)]
        arcs = [(rng.choice(parents), rng.choice("so")) for _ in range(rng.randrange(3))]
    return Mention(tuple(chosen), head, frozenset(arcs), number)


def changed(rng: random.Random, key: Document) -> Document:
    """A response that has much of the key."""
    made = Document("d", key.sentences)
    own = document(rng, 3)
    for label, mentions in (*key.entities.items(), *own.entities.items()):
        for mention in mentions:
            if rng.random() < 0.8:
                where = label if rng.random() < 0.8 else "e9"
                made.entities.setdefault(where, []).append(_moved(rng, mention))
    return made


def _moved(rng: random.Random, mention: Mention) -> Mention:
    if rng.random() < 0.5:
        return mention
    nodes = list(mention.nodes)
    if len(nodes) > 1:
        nodes.remove(rng.choice(nodes))
    return replace(mention, nodes=tuple(nodes), head=rng.choice(nodes))


def both(seed: int) -> tuple[Document, Document]:
    rng = random.Random(seed)
    key = document(rng, rng.randint(1, 9))
    return key, changed(rng, key)


def prepared(side: Document, singletons: str, zeros: str) -> Corpus:
    options = make_options(singletons=singletons, zeros=zeros)
    return scorer_for(options).read(to_corpus([side])).scored


def named(corpus: Corpus, row: int) -> tuple[object, ...]:
    return tuple(nodes_of(corpus, row))


def pairs_of(key: Corpus, response: Corpus, rule: str, zeros: str) -> set[tuple[object, object]]:
    found = match(key, response, rule, {"zeros": zeros, "ties": "first"})
    return {
        (named(key, k), named(response, r))
        for k, r in zip(found.key.tolist(), found.response.tolist(), strict=True)
    }


@pytest.mark.more
@pytest.mark.parametrize("seed", range(30 * TIMES))
def test_pairs_and_counts_of_the_oracle(seed: int) -> None:
    key, response = both(seed)
    singletons: Any = "keep" if seed % 2 else "drop"
    for rule, zeros in SETTINGS:
        expected = corefud.score_document(key, response, rule, singletons, zeros)
        ours, theirs = (prepared(side, singletons, zeros) for side in (key, response))
        wanted = {
            (named(*_alone(key, k)), named(*_alone(response, r))) for k, r in expected.pairs.items()
        }
        assert pairs_of(ours, theirs, rule, zeros) == wanted
        policies: Any = {"match": rule, "singletons": singletons, "zeros": zeros}
        scores = corefkit.score(to_corpus([key]), to_corpus([response]), METRICS, **policies)
        found, size, _, other = corefud.overlap_ratio(expected)
        assert scores["mor"].counts == {"recall": [found, size], "precision": [found, other]}
        assert tuple(scores["zero"].counts.values()) == corefud.zero_outcomes(expected)


def _alone(side: Document, mention: Mention) -> tuple[Corpus, int]:
    """The one mention as a row of a corpus."""
    return to_corpus([Document("d", side.sentences, {"e": [mention]})]), 0


@pytest.mark.more
@pytest.mark.parametrize("seed", range(1000, 1000 + 15 * TIMES))
def test_what_the_definitions_promise(seed: int) -> None:
    key, response = both(seed)
    for zeros in ("dependent", "linear", "drop"):
        ours, theirs = (prepared(side, "keep", zeros) for side in (key, response))
        exact = pairs_of(ours, theirs, "exact", zeros)
        assert exact <= pairs_of(ours, theirs, "partial", zeros)
        assert exact <= pairs_of(ours, theirs, "craft", zeros)
        assert {(r, k) for k, r in pairs_of(theirs, ours, "exact", "linear")} == pairs_of(
            ours, theirs, "exact", "linear"
        )
        heads = len(pairs_of(ours, theirs, "head", zeros))
        assert heads == len(pairs_of(theirs, ours, "head", zeros))
        one_to_one = pairs_of(ours, theirs, "head", zeros)
        assert len({k for k, _ in one_to_one}) == len({r for _, r in one_to_one}) == heads
    ours, theirs = (s.take(~is_zero(s)) for s in (to_corpus([key]), to_corpus([response])))
    dropped = corefkit.score(to_corpus([key]), to_corpus([response]), METRICS, zeros="drop")
    assert dropped.to_dict() == corefkit.score(ours, theirs, METRICS).to_dict()


@pytest.mark.parametrize("profile", ["standard", "corefud", "corefud-1.1"])
@pytest.mark.parametrize("seed", range(90, 100))
def test_ids_and_the_order_of_documents_do_not_matter(seed: int, profile: str) -> None:
    rng = random.Random(seed)
    pairs = [both(seed * 10 + number) for number in range(3)]
    keys, responses = (
        [replace(pair[side], name=f"d{n}") for n, pair in enumerate(pairs)] for side in (0, 1)
    )
    scores = corefkit.score(to_corpus(keys), to_corpus(responses), None, profile, match="head")
    order = rng.sample(range(3), 3)
    other = corefkit.score(
        to_corpus([keys[n] for n in order]),
        to_corpus([responses[n] for n in reversed(order)]),
        None,
        profile,
        match="head",
    )
    assert other.to_dict() == scores.to_dict()
    if profile == "standard":
        names = [f"x{n}" for n in range(20)]
        rng.shuffle(names)
        renamed = [_renamed(d, names) for d in responses]
        again = corefkit.score(to_corpus(keys), to_corpus(renamed), None, profile, match="head")
        assert again.to_dict() == scores.to_dict()


def _renamed(document: Document, names: list[str]) -> Document:
    listed = sorted(document.entities.items(), key=lambda item: names[int(item[0][1:])])
    return replace(document, entities={names[int(e[1:])]: mentions for e, mentions in listed})


@pytest.mark.parametrize("seed", range(20))
def test_heads_of_single_tokens_are_the_tokens(seed: int) -> None:
    rng = np.random.default_rng(seed)
    clusters = [
        [[(int(t), int(t)) for t in rng.choice(30, 5, replace=False)] for _ in range(3)]
        for _ in range(2)
    ]
    key, response = (Corpus.from_clusters({"d": side}) for side in clusters)
    one, other = (
        corefkit.score(key, response, match=rule, duplicates="first") for rule in ("exact", "head")
    )
    assert one.to_dict() == other.to_dict()


def test_minimum_spans() -> None:
    """The worked example of partial matching by Min: a mention cut short, and one cut too short."""
    key = Corpus.from_clusters({"d": [[(1, 5), (6, 6)], [(9, 9)]]})
    key = replace(key, minimum=np.array([[3, 3], [-1, -1], [-1, -1]]))
    for span, number in (((2, 4), 3), ((4, 5), 2), ((0, 5), 2)):
        response = Corpus.from_clusters({"d": [[span, (6, 6)], [(9, 9)]]})
        assert len(match(key, response, "partial").key) == number
    cut = Corpus.from_clusters({"d": [[(4, 5), (6, 6)], [(9, 9)]]})
    assert len(match(key, cut, "craft").key) == 3
    both_ends = replace(key, minimum=np.array([[2, 4], [-1, -1], [-1, -1]]))
    for span, number in (((2, 4), 3), ((2, 3), 2), ((3, 4), 2)):
        response = Corpus.from_clusters({"d": [[span, (6, 6)], [(9, 9)]]})
        assert len(match(both_ends, response, "partial").key) == number
