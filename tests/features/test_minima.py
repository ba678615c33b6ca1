"""Minimum spans against the oracle, on random bits, and through a file."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit.features.minima import (
    BitEvents,
    Minima,
    MinimumRun,
    SpanTree,
    minimum,
    token_kind,
)
from corefkit.formats.conll.reader import parse
from tests.oracle import minimum as oracle
from tests.oracle.other_scorers import COVAL_RECALLS, blocks, coval_entities
from tests.strategies import examples
from tests.support import EXAMPLES, run

WORDS = ["the", "dog", "NP", "VP", "%", "-LRB-", ",", "U.S.", "20", "é1", "--", "x_"]
TAGS = ["NN", "DT", "CC", "IN", "VBD"]
NOUN = ("dog", "NN", "(NP*)")
LABELS = ["NP", "NP-SBJ", "NML", "QP", "VP", "PP", "S", "NX"]

bits = st.builds(
    lambda opened, closed: "".join(f"({label}" for label in opened) + "*" + ")" * closed,
    st.lists(st.sampled_from(LABELS), max_size=2),
    st.integers(0, 2),
)
tokens = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(TAGS), bits), max_size=8)


def found(sentence: list[tuple[str, str, str]]) -> list[tuple[list[int], int]] | None:
    runs = minimum([token_kind(bit, word, tag) for word, tag, bit in sentence])
    return runs and [(list(range(a, b + 1)), index) for a, b, index in runs]  # type: ignore[return-value]


@examples(100)
@given(tokens.filter(bool))
def test_minima_are_those_of_the_oracle(sentence: list[tuple[str, str, str]]) -> None:
    assert found(sentence) == oracle.minimum(sentence)


@examples(50)
@given(tokens.filter(bool), st.data())
def test_spans_are_cut_from_their_sentence(
    sentence: list[tuple[str, str, str]], data: st.DataObject
) -> None:
    """What is outside a span does not matter, brackets that reach into it included."""
    first = data.draw(st.integers(0, len(sentence) - 1))
    last = data.draw(st.integers(first, len(sentence) - 1))
    kinds = [token_kind(bit, word, tag) for word, tag, bit in sentence]
    runs = SpanTree(BitEvents(kinds, np.arange(len(kinds))), first, last).minimum()
    shown = runs and [(list(range(a, b + 1)), index) for a, b, index in runs]
    assert shown == oracle.minimum(sentence[first : last + 1])


@examples(50)
@given(st.lists(tokens.filter(bool), min_size=1, max_size=3), st.data())
def test_minima_of_a_corpus_are_those_of_the_oracle(
    sentences: list[list[tuple[str, str, str]]], data: st.DataObject
) -> None:
    """Trees that are alike are looked at once, and of the tokens only those that are asked for."""
    joined = [token for sentence in sentences for token in sentence]
    sentence_of = [number for number, sentence in enumerate(sentences) for _ in sentence]
    # A sentence that no span is in has the tree without which there would be none.
    blocks = [conll(sentence, []).split("\n")[1:-3] for sentence in [*sentences, [NOUN]]]
    whole = "\n\n".join("\n".join(block) for block in blocks)
    corpus = parse(f"#begin document (tale); part 000\n{whole}\n\n".encode(), "tale")
    last = len(joined) - 1
    span = st.tuples(st.integers(0, last), st.integers(0, last)).filter(lambda s: s[0] <= s[1])
    spans = np.array(data.draw(st.lists(span, min_size=1, max_size=8)))
    asked = np.unique(np.concatenate([np.arange(a, b + 1) for a, b in spans]))
    for minima in (Minima(corpus), Minima(corpus, asked)):
        numbers, listed = minima.find(spans[:, 0], spans[:, 1])
        for (a, b), number in zip(spans.tolist(), numbers.tolist(), strict=True):
            runs = listed[number]
            shown = runs and [(list(range(x, y + 1)), index) for x, y, index in runs]
            crosses = sentence_of[a] != sentence_of[b]
            assert shown == (None if crosses else oracle.minimum(joined[a : b + 1])), (a, b)


def test_long_spans_are_as_short_ones() -> None:
    """A span of more tokens than are remembered has the minimum of its tree."""
    sentence = [("the", "DT", "(NP*"), *[("of", "IN", "*"), NOUN] * 40, ("cat", "NN", "*)")]
    corpus = parse(conll(sentence, [(0, len(sentence) - 1)]).encode(), "tale")
    for first, last in ((0, 81), (1, 80), (2, 79), (40, 81)):
        runs = minimum_in(Minima(corpus), first, last)
        shown = runs and [(list(range(a, b + 1)), index) for a, b, index in runs]
        assert shown == oracle.minimum(sentence[first : last + 1])


def minimum_in(minima: Minima, first: int, last: int) -> tuple[MinimumRun, ...] | None:
    numbers, listed = minima.find(np.array([first]), np.array([last]))
    return listed[int(numbers[0])]


def conll(
    sentence: list[tuple[str, str, str]], spans: list[tuple[int, int]], entities: int = 100
) -> str:
    """One entity per mention, ids counted from 0, or so many entities in turn."""
    lines = ["#begin document (tale); part 000"]
    for place, (word, tag, bit) in enumerate(sentence):
        marks = [f"({i % entities})" for i, (a, b) in enumerate(spans) if a == b == place]
        marks += [f"({i % entities}" for i, (a, b) in enumerate(spans) if a == place < b]
        marks += [f"{i % entities})" for i, (a, b) in enumerate(spans) if a < b == place]
        lines.append("\t".join(["tale", "0", str(place), word, tag, bit, "|".join(marks) or "-"]))
    return "\n".join([*lines, "", "#end document", ""])


@examples(30)
@given(tokens.filter(lambda sentence: any("(" in bit for _, _, bit in sentence)), st.data())
def test_matching_is_that_of_the_oracle(
    sentence: list[tuple[str, str, str]], data: st.DataObject
) -> None:
    last = len(sentence) - 1
    span = st.tuples(st.integers(0, last), st.integers(0, last)).filter(lambda s: s[0] <= s[1])
    spans = st.lists(span, max_size=6, unique=True)
    ours, theirs = data.draw(spans, label="key"), data.draw(spans, label="response")
    minima = {}
    for a, b in {*ours, *theirs}:
        runs = oracle.minimum(sentence[a : b + 1]) or [(list(range(b - a + 1)), 0)]
        minima[a, b] = frozenset(a + i for numbers, _ in runs for i in numbers)
    expected = len(oracle.pairs(ours, theirs, minima))
    key, response = (parse(conll(sentence, side).encode(), "tale") for side in (ours, theirs))
    scores = corefkit.score(key, response, "mentions", match="mina")
    assert scores["mentions"].counts == {
        "recall": [expected, len(ours)],
        "precision": [expected, len(theirs)],
    }


@examples(30)
@given(
    tokens.filter(lambda sentence: any("(" in bit for _, _, bit in sentence)),
    st.integers(1, 3),
    st.data(),
)
def test_coval_counts_minima_as_texts(
    sentence: list[tuple[str, str, str]], entities: int, data: st.DataObject
) -> None:
    last = len(sentence) - 1
    span = st.tuples(st.integers(0, last), st.integers(0, last)).filter(lambda s: s[0] <= s[1])
    spans = st.lists(span, max_size=6, unique=True).filter(lambda s: not crossing(s, entities))
    texts = [conll(sentence, data.draw(spans), entities) for _ in range(2)]
    listed = [
        [[text_of(sentence, *mention) for mention in entity] for entity in coval_entities(block)]
        for block in (blocks(text)[0] for text in texts)
    ]
    key, response = (parse(text.encode(), "tale") for text in texts)
    scores = corefkit.score(key, response, list(COVAL_RECALLS), "coval", match="mina")
    for name, recall in COVAL_RECALLS.items():
        for side, pair in (("recall", listed), ("precision", listed[::-1])):
            expected = [float(number) for number in recall(pair[0], pair[1])]  # type: ignore[arg-type]
            assert scores[name].counts[side] == pytest.approx(expected), (name, side)


def crossing(spans: list[tuple[int, int]], entities: int) -> bool:
    """Whether two mentions of one entity cross, which brackets cannot say."""
    return any(
        a < c <= b < d
        for i, (a, b) in enumerate(spans)
        for j, (c, d) in enumerate(spans)
        if i % entities == j % entities
    )


def text_of(sentence: list[tuple[str, str, str]], first: int, last: int) -> frozenset[object]:
    words = [word for word, _, _ in sentence]
    runs = oracle.minimum(sentence[first : last + 1])
    if runs is None:
        return frozenset((words[first + i], i) for i in range(last - first + 1))
    return frozenset((" ".join(words[first + i] for i in run), first + at) for run, at in runs)


def test_equal_minima_of_other_spans_match(tmp_path: Path) -> None:
    sentence = [
        ("the", "DT", "(NP(NP*"),
        ("owner", "NN", "*)"),
        ("of", "IN", "(PP*"),
        ("Rome", "NNP", "(NP*)))"),
    ]
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    key.write_text(conll(sentence, [(0, 3)]))
    response.write_text(conll(sentence, [(0, 1), (3, 3)]))
    assert corefkit.score(key, response, "mentions")["mentions"].recall == 0
    scores = corefkit.score(key, response, "mentions", match="mina")
    assert scores["mentions"].counts == {"recall": [1, 1], "precision": [1, 2]}
    assert "match:mina" in scores.signature


def test_a_mention_over_two_sentences_is_its_own_minimum(tmp_path: Path) -> None:
    path = tmp_path / "key.conll"
    text = conll([("dog", "NN", "(NP*)")], [(0, 0)])
    path.write_text(text.replace("\n\n", "\n\ntale\t0\t0\tcat\tNN\t(NP*)\t-\n\n"))
    minima = Minima(corefkit.read(path))
    assert minimum_in(minima, 0, 1) is None
    assert minimum_in(minima, 1, 1) == ((0, 0, 0),)
    assert minima.sentence_start.tolist() == np.array([0, 1]).tolist()


def test_without_trees_there_is_an_error(tmp_path: Path) -> None:
    few, empty = tmp_path / "few.conll", tmp_path / "empty.conll"
    few.write_text("#begin document (tale); part 000\ntale\t0\t0\tdog\t(1)\n\n#end document\n")
    empty.write_text(conll([("dog", "NN", "-")], [(0, 0)]))
    for path in (few, empty):
        done = run("score", path, path, "--match", "mina")
        assert done.status == 1
        assert "[column-missing]" in done.err
    assert run("score", few, few).status == 0


def test_profiles_know_their_rules() -> None:
    for profile in ("conll-8.01", "corefud", "corefud-1.1"):
        done = run("score", "k", "r", "--profile", profile, "--match", "mina")
        assert (done.status, f"the profile {profile} has no mina" in done.err) == (2, True)


def test_stats_list_minima() -> None:
    key = EXAMPLES / "key.conll"
    plain = json.loads(run("stats", key, "-f", "json").out)
    listed = json.loads(run("stats", key, "--minimum", "-f", "json").out)
    minima = listed.pop("minima")
    assert listed == plain
    assert len(minima) == plain["mentions"]
    assert minima[0] == {
        "document": "(nw/harbour/00/harbour_0001); part 000",
        "sentence": 0,
        "start": 0,
        "end": 5,
        "text": "The sea wall of Port Ellery",
        "minimum": [{"start": 0, "end": 2, "text": "The sea wall"}],
    }
    text = run("stats", key, "--minimum").out
    assert "The sea wall of Port Ellery" in text
    assert "Minimum spans" not in run("stats", key).out


def test_an_evaluator_has_no_trees() -> None:
    with pytest.raises(corefkit.UsageError, match="no parse trees"):
        corefkit.Evaluator(match="mina")
    with pytest.raises(corefkit.UsageError, match="profile arrau"):
        corefkit.Evaluator(match="min")


def test_a_key_against_itself_is_perfect() -> None:
    key = EXAMPLES / "key.conll"
    scores = corefkit.score(key, key, match="mina")
    assert {name: scores[name].f1 for name in scores} == dict.fromkeys(scores, 1)


def test_more_is_found_than_by_spans_and_ids_do_not_matter(tmp_path: Path) -> None:
    key, response = EXAMPLES / "key.conll", EXAMPLES / "hasty.conll"
    strict, kind = (corefkit.score(key, response, match=m) for m in ("exact", "mina"))
    assert kind["mentions"].recall > strict["mentions"].recall  # type: ignore[operator]
    turned = corefkit.read(response)
    turned = turned.take(np.arange(turned.mentions)[::-1])
    again = corefkit.score(key, turned, match="mina")
    assert {name: again[name].counts for name in again} == {n: kind[n].counts for n in kind}


def test_long_mentions_have_minima_too() -> None:
    bits = ["(NP(NP*", "*)", "(PP*", "(NP*", *["*"] * 60, "*)))"]
    sentence = [("dog", "NN", bit) for bit in bits]
    text = conll(sentence, [(0, len(bits) - 1)])
    minima = Minima(parse(text.encode(), "tale"))
    assert minimum_in(minima, 0, len(bits) - 1) == ((0, 1, 1),)


def test_errors_see_minima() -> None:
    files = (EXAMPLES / "key.conll", EXAMPLES / "hasty.conll")
    spans = [
        json.loads(run("errors", *files, "--match", match, "-f", "json").out)["systems"][0]
        for match in ("exact", "mina")
    ]
    assert spans[0] != spans[1]
