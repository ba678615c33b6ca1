"""What must hold of anaphora beyond chains, whatever is annotated."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import Corpus, Scores
from corefkit.core.nodes import span_of
from corefkit.formats.conllua import reader
from corefkit.metrics.base import Score
from corefkit.scorers.ua import linear
from tests.formats.conllua.test_reader import texts
from tests.metrics.test_against_oracle import RATIO_METRICS, same, sets
from tests.oracle import metrics as oracle
from tests.strategies import Document, choice, corpora, examples

METRICS = "muc,bcub,ceafm,ceafe,lea,blanc,mentions,mor,nonreferring,bridging"
ORDER = ("1", "2", "a=3", "é", "entity-of-letters")
"""Entities; an element stands before the plurals that it is an element of."""


@st.composite
def annotated(draw: st.DrawFn, layer: str = "identity") -> str:
    """Files with mentions of all kinds, and entities that are elements of later ones."""

    def with_plural(opening: "re.Match[str]") -> str:
        label = re.search(r"entityid=([^|]*)", opening[0], re.IGNORECASE)
        place = ORDER.index(label[1]) + 1 if label and label[1] in ORDER else 0
        if not label or place == len(ORDER) or not draw(st.booleans()):
            return opening[0]
        return f"{opening[0]}|ElementOf={draw(choice(*ORDER[place:]))}"

    return re.sub(r"\((?! )(?:(?!  )[^()@\t\r\n])*", with_plural, draw(texts(layer)))


def read(text: str, layer: str = "identity") -> Corpus:
    return reader.parse(text.encode(), "tale", layer).checked()


def parts(score: Score) -> list[Score]:
    """A score, its levels, and that of its plurals alone."""
    levels = list(score.levels.values()) if score.levels else []
    return [score, *levels, *([score.split] if score.split else [])]


def denominators(counts: Any) -> list[float]:
    """All by which something is divided."""
    if "tp" in counts:
        return [counts["tp"] + counts["fn"], counts["tp"] + counts["fp"]]
    if "coreference" in counts:
        return [x for half in ("coreference", "noncoreference") for x in denominators(counts[half])]
    return [counts["recall"][1], counts["precision"][1]]


@examples(10)
@given(annotated())
def test_a_response_equal_to_the_key_scores_1(text: str) -> None:
    """In all: with plurals and without, their elements alone, each kind of link, each level."""
    key = each_span_once(read(text))  # a span of two entities is looked up in one of them
    for profile in ("standard", "ua"):
        for rule in ("exact", "partial", "craft"):
            every_score_is_1(key, METRICS.split(","), profile, rule)


@examples(10)
@given(annotated())
def test_a_response_equal_to_the_key_scores_1_in_ua_1(text: str) -> None:
    key = each_span_once(read(text), linear)
    every_score_is_1(key, [m for m in METRICS.split(",") if m != "mor"], "ua-1", "exact")


def each_span_once(key: Corpus, view: Callable[[Corpus], Corpus] = lambda key: key) -> Corpus:
    """The corpus with the first mention of each span, as spans are in a view of it."""
    seen = view(key)
    assert seen.mentions == key.mentions
    first = {span_of(seen, row): row for row in reversed(range(seen.mentions))}
    return key.take(np.array(sorted(first.values()), dtype=np.int64))


def every_score_is_1(key: Corpus, metrics: list[str], profile: str, match: Any) -> None:
    scores = corefkit.score(key, key, metrics, profile, match=match)
    for metric in metrics:
        for score in parts(scores[metric]):
            numbers = denominators(score.counts)
            if all(numbers):
                assert (score.recall, score.precision, score.f1) == (1.0, 1.0, 1.0), metric
            elif not any(numbers):
                assert score.f1 == 0.0, metric
            else:
                assert metric == "blanc", metric  # one kind of link is missing


@examples(20)
@given(corpora(most_documents=3).filter(bool))
def test_plain_chains_score_as_the_definitions_say(documents: list[Document]) -> None:
    """Without plurals, Min and non-referring expressions everything is as SPEC has it."""
    key, response = (exploded([document[side] for document in documents]) for side in (0, 1))
    slow = sets(documents)
    ways: list[Any] = [{}, {"split": "drop"}, {"zeros": "drop"}, {"match": "partial"}]
    for policies in ways:
        scores = corefkit.score(key, response, [*RATIO_METRICS, "blanc"], **policies)
        check(scores, slow)
    others = corefkit.score(key, response, list(RATIO_METRICS), "ua")
    for metric in RATIO_METRICS:
        assert others[metric].counts == scores[metric].counts


def check(scores: Scores, slow: list[oracle.Document]) -> None:
    for metric in RATIO_METRICS:
        counts = oracle.count_plain(metric, slow)
        for side in ("recall", "precision"):
            same(scores[metric].counts[side], counts[side], whole=False)
        assert scores[metric].split is None
    links: Any = oracle.count_blanc(slow)
    for kind in ("coreference", "noncoreference"):
        for side in ("recall", "precision"):
            assert scores["blanc"].counts[kind][side] == list(links[kind][side])
    assert scores["blanc"].f1 == pytest.approx(float(oracle.score("blanc", slow)[2]), abs=1e-12)


def exploded(sides: list[list[list[int]]]) -> Corpus:
    """A CoNLL-UA file of documents; mention n is token n of twelve."""
    lines = []
    for number, entities in enumerate(sides):
        lines.append(f"# newdoc id = d{number}")
        cell = {m: f"(EntityID={e})" for e, own in enumerate(entities) for m in own}
        for token in range(12):
            cells = [str(token + 1), "w", *["_"] * 8, cell.get(token, "_"), "_", "_"]
            lines.append("\t".join(cells))
    return read("\n".join(lines) + "\n")


@examples(13)
@given(st.lists(annotated(), min_size=2, max_size=2))
def test_to_leave_out_what_is_not_there_changes_nothing(sides: list[str]) -> None:
    """Split antecedents, zeros, non-referring expressions, bridging, the other layer."""
    key, response = (read(same_documents(text)) for text in sides)
    bare = [
        re.sub(r"\|ElementOf=[^|()@\s]*", "", same_documents(text)).replace("-Pseudo", "-x")
        for text in sides
    ]
    plain = [read(text) for text in bare]
    wanted = corefkit.score(plain[0], plain[1], METRICS)
    assert wanted == corefkit.score(plain[0], plain[1], METRICS, split="keep")
    dropped = corefkit.score(plain[0], plain[1], METRICS, split="drop")
    assert dropped.counts == wanted.counts
    assert all(wanted[metric].split is None for metric in METRICS.split(","))
    assert wanted["nonreferring"].counts == {"tp": 0, "fn": 0, "fp": 0}
    # Neither bridging nor the column of the other layer is seen by the metrics of chains.
    chains = METRICS.removesuffix(",bridging")
    silent = [read(emptied(text, 11)) for text in bare]
    assert (
        corefkit.score(silent[0], silent[1], chains).counts
        == corefkit.score(plain[0], plain[1], chains).counts
    )
    filled = [read(emptied(text, 12, "(EntityID=9)")) for text in bare]
    assert corefkit.score(filled[0], filled[1], METRICS).counts == wanted.counts
    # Without zeros it is the same to drop them.
    tokens = [c.take(c.zero == 0) if c.zero is not None else c for c in (key, response)]
    kept = corefkit.score(tokens[0], tokens[1], METRICS, zeros="linear")
    assert kept.counts == corefkit.score(tokens[0], tokens[1], METRICS, zeros="drop").counts


def same_documents(text: str) -> str:
    """The first document, twelve tokens long, so that any two can be compared."""
    lines = re.split(r"\r?\n", text)
    starts = [at for at, line in enumerate(lines) if line.startswith("# newdoc")]
    own = lines[starts[0] : (*starts, len(lines))[1]]
    separator = "\t" if any("\t" in line for line in own) else "  "
    rows = [line for line in own if line and not line.startswith(("#", "0 "))]
    tokens = sum("." not in row.split()[0] for row in rows)
    more = [separator.join(["9", "w", *["_"] * 11]) for _ in range(12 - tokens)]
    return "\n".join([*(line for line in own if not line.startswith("0 ")), *more]) + "\n"


def emptied(text: str, column: int, value: str = "_") -> str:
    """The text with another value in a column."""
    lines = []
    for line in text.split("\n"):
        cells = line.split("\t") if "\t" in line else line.split()
        if cells and not line.startswith("#"):
            cells[column] = value
            lines.append("\t".join(cells))
        else:
            lines.append(line)
    return "\n".join(lines)
