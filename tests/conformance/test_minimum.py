"""MINA and SemEval-2010: every minimum and every figure of the conformance data.

The figures of `standard` for ontonotes-dev keep the one span that its key has in two entities in
both, which SPEC 7 does not; there the document that has it is counted by the oracle.
"""

import gzip
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

import corefkit
from corefkit import Corpus, Scores
from corefkit.data.matching import match
from corefkit.mentions.alike import with_alike
from corefkit.mentions.minimum import Minima
from corefkit.scoring.prepare import align
from tests.oracle.other_scorers import COVAL_RECALLS
from tests.support import CONFORMANCE, needs_conformance

pytestmark = needs_conformance
FOLDER = CONFORMANCE / "anaphora"
REPEATED = "(tc/ch/00/ch_0050); part 000"


@cache
def expected() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / "expected.json").read_text())
    return found


@cache
def read(path: str) -> Corpus:
    return corefkit.read(FOLDER / path)


def flat(value: Any) -> Iterator[float]:
    if isinstance(value, (dict, list)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from flat(part)
    else:
        yield value


def differing(scores: Scores, figures: dict[str, Any]) -> list[str]:
    """The metrics of which a figure is another one."""
    wrong = []
    for name, figure in figures.items():
        got = scores[name].to_dict()
        for part, value in figure.items():
            counted = got.get("counts", {})
            if list(flat(counted.get(part, got.get(part)))) != pytest.approx(list(flat(value))):
                wrong.append(f"{name} {part}")
    return wrong


@pytest.mark.parametrize("name", ["micro", "gum", "ontonotes"])
def test_every_minimum(name: str) -> None:
    entry = expected()["mina"][name]
    spans = json.loads(gzip.decompress((FOLDER / entry["spans"]).read_bytes()))
    texts = read(entry["key"])
    minima, words = Minima(texts), texts.column("word")
    begins = np.flatnonzero(np.diff(minima.sentence, prepend=-1)).tolist()
    offset = (np.cumsum(texts.tokens) - texts.tokens).tolist()
    assert set(spans) == set(texts.names)
    for document, number in zip(texts.names, offset, strict=True):
        before = int(minima.sentence[number])
        for sentence, first, last, runs in spans[document]["key"] + spans[document]["response"]:
            at = begins[before + sentence] + first
            found = minima.find(at, at + last - first)
            if found is None:
                texts_of = [[words[at + i], i] for i in range(last - first + 1)]
            else:
                texts_of = [
                    [" ".join(words[at + a : at + b + 1]), first + index] for a, b, index in found
                ]
            assert sorted(texts_of) == sorted(runs), (document, sentence, first, last)


RUNS = [
    (name, number)
    for name in (
        "micro",
        "gum",
        "ontonotes",
        *(f"ontonotes-dev-{x}" for x in ["good", "fair", "poor"]),
    )
    for number in range(4)
]


@pytest.mark.parametrize(("name", "number"), RUNS)
def test_scores_by_minima(name: str, number: int) -> None:
    entry = expected()["mina"][name]
    chosen = entry["runs"][number]
    key, response = read(entry["key"]), read(entry["response"])
    scores = corefkit.score(
        *(key, response, list(chosen["scores"]), chosen["profile"]),
        match="mina",
        singletons=chosen["singletons"],
    )
    if chosen["profile"] == "coval" or "dev" not in name:
        assert differing(scores, chosen["scores"]) == []
    elif chosen["singletons"] == "keep":
        copies = counts_with_copies(key, align(response, key), key.names.index(REPEATED))
        one = scores.by("document")[REPEATED]
        for metric, sides in copies.items():
            for side, counts in sides.items():
                total, part = scores[metric].counts[side], one[metric].counts[side]
                rest = [t - p + float(c) for t, p, c in zip(total, part, counts, strict=True)]
                assert rest == pytest.approx(chosen["scores"][metric][side]), (metric, side)


def counts_with_copies(key: Corpus, response: Corpus, document: int) -> dict[str, Any]:
    """Counts of one document in which a span in two entities stays in both."""
    sides = [corpus.take(corpus.document == document) for corpus in (key, response)]
    first = [side.take(_first_of_span(side)) for side in sides]
    ours, theirs = with_alike(first[0], first[1], key)
    pairs = match(ours, theirs, "mina")
    names: list[dict[tuple[int, int], object]] = [{}, {}]
    for number, rows in enumerate(zip(pairs.key.tolist(), pairs.response.tolist(), strict=True)):
        for row, corpus, name in zip(rows, first, names, strict=True):
            name[int(corpus.start[row]), int(corpus.end[row])] = number
    listed = []
    for side, (corpus, name) in enumerate(zip(sides, names, strict=True)):
        order: dict[int, list[Any]] = {}
        spans = zip(corpus.entity.tolist(), corpus.start.tolist(), corpus.end.tolist(), strict=True)
        for entity, start, end in spans:
            order.setdefault(entity, []).append(name.get((start, end), (side, start, end)))
        listed.append(list(order.values()))
    return {
        metric: {"recall": recall(*listed), "precision": recall(*listed[::-1])}
        for metric, recall in COVAL_RECALLS.items()
    }


def _first_of_span(corpus: Corpus) -> "np.ndarray[Any, np.dtype[np.int64]]":
    spans = np.stack((corpus.start, corpus.end))
    return np.sort(np.unique(spans, axis=1, return_index=True)[1])


@pytest.mark.parametrize("number", range(4))
def test_arrau(number: int) -> None:
    entry = expected()["arrau"]
    chosen = entry["runs"][number]
    scores = corefkit.score(
        FOLDER / entry["key"],
        FOLDER / entry["response"],
        profile="arrau",
        match=chosen["match"],
        singletons=chosen["singletons"],
    )
    assert set(scores) == set(chosen["scores"])
    assert differing(scores, chosen["scores"]) == []


def test_semeval() -> None:
    entry = expected()["semeval"]
    scores = corefkit.score(FOLDER / entry["key"], FOLDER / entry["response"], match="semeval")
    assert differing(scores, entry["scores"]) == []
