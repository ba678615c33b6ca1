"""Strata of real responses and of small cases: every count of an independent slow program."""

import json
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

from corefkit import Corpus
from corefkit.core.arrays import IntArray, tuples
from corefkit.core.nodes import reading_order
from corefkit.features.entity_labels import find_label
from corefkit.features.features import find_feature
from corefkit.metrics.base import PartitionMetric, score_of_part
from corefkit.metrics.counting import Mentions, SideMentions, count_mentions
from corefkit.scorers import make_options, scorer_for
from corefkit.scoring.parts import WHOLE, Part, sums_of
from corefkit.scoring.scores import Scores
from corefkit.scoring.strata import Strata, partition_metrics
from tests.support import CONFORMANCE, needs_conformance

pytestmark = needs_conformance
FOLDER = CONFORMANCE / "strata"
METRICS = ("mentions", "muc", "bcub", "ceafm", "ceafe", "lea", "blanc")
ENTITY_METRICS = partition_metrics(METRICS)
MENTION_METRICS = [metric for metric in ENTITY_METRICS if metric.by_mention]
Counts = dict[str, dict[str, list[tuple[Any, ...]]]]


@cache
def expected(name: str) -> Any:
    return json.loads((FOLDER / name).read_text())


def whole(metrics: str, **policies: Any) -> Any:
    return make_options(metrics, **policies)


@cache
def strata_of(name: str) -> Strata:
    """The comparison of one entry of strata.json."""
    pair, *setting = name.split(" ")
    corpus, _, response = pair.partition("/")
    policies: dict[str, str] = {}
    if setting == ["drop"]:
        policies = {"singletons": "drop"}
    elif setting == ["e2e"]:
        policies = {"singletons": "e2e"}
    elif setting:
        policies = dict(zip(("match", "singletons"), setting, strict=True))
    folder = CONFORMANCE / corpus
    if corpus == "corefud":
        language = response.partition(".")[0]
        paths = [folder / f"keys/{language}.conllu.gz", folder / f"responses/{response}.conllu.gz"]
    else:
        paths = [folder / "key.conll.gz", folder / f"{response}.conll.gz"]
    options = whole(",".join((*METRICS, "conll")), **policies)
    scorer = scorer_for(options)
    key, answer = (scorer.read(path) for path in paths)
    comparison = scorer.compare(key, answer)
    assert not comparison.failed, comparison.incidents
    return Strata(comparison, options)


def counts_of(strata: Strata, by: str) -> Counts:
    """Label → metric → counts of each kind: fractions, or by mention the floats nearest to them."""
    counts: Counts = {}
    of_entities = by.startswith("entity:")
    if of_entities:
        names, codes = strata.label_entities(find_label(by))
    else:
        names, codes = strata.label_mentions(find_feature(by))
    every = [np.zeros_like(code) for code in codes]
    for labels, numbers in ((names, codes), ([WHOLE], every)):
        for metric in ENTITY_METRICS if of_entities else MENTION_METRICS:
            split = by_entity if of_entities else by_mention
            sums = split(strata, metric, numbers, len(labels))
            for label, name in enumerate(labels):
                columns = [column[label] for column in sums]
                kinds = [tuple(columns[at : at + 4]) for at in range(0, len(columns), 4)]
                counts.setdefault(name, {})[metric.name] = kinds
    return counts


def by_entity(
    strata: Strata, metric: PartitionMetric, codes: Sequence[IntArray], labels: int
) -> list[list[Fraction]]:
    sums = []
    for number, column in enumerate(strata.shares(metric)):
        totals = [Fraction()] * labels
        for label, share in zip(codes[number // 2 % 2].tolist(), column, strict=True):
            totals[label] += share
        sums.append(totals)
    return sums


def by_mention(
    strata: Strata, metric: PartitionMetric, codes: Sequence[IntArray], labels: int
) -> list[Any]:
    corpora = strata.compared.key_corpus, strata.compared.response_corpus
    lookups = strata._lookups
    assert lookups.found is not None
    sides = [
        SideMentions(corpus.entity, found, reading_order(corpus), code)
        for corpus, found, code in zip(corpora, lookups.found, codes, strict=True)
    ]
    mentions = Mentions(sides[0], sides[1], labels)
    return list(count_mentions(lookups, metric, mentions, strata._skipped, strata.align))


def floats(kinds: list[tuple[Any, ...]]) -> list[tuple[float, ...]]:
    return [tuple(map(float, kind)) for kind in kinds]


def listed(figures: dict[str, Any]) -> list[tuple[Fraction, ...]]:
    kinds = (
        [figures["counts"]]
        if "counts" in figures
        else [figures["coreference"], figures["noncoreference"]]
    )
    return [tuple(map(Fraction, kind)) for kind in kinds]


def same(stratum: Part[Scores], wanted: dict[str, Any]) -> None:
    """F1 as expected, None where nothing is; conll likewise."""
    for metric, figures in wanted.items():
        if metric in ("key", "response", "label"):
            continue
        f1 = figures["f1"] if isinstance(figures, dict) else figures
        if metric not in stratum:
            continue
        if f1 is None:
            assert stratum[metric].f1 is None, metric
        else:
            assert stratum[metric].f1 == pytest.approx(f1, abs=1e-12), metric


ENTRIES = (
    [(name, by) for name, blocks in expected("strata.json").items() for by in blocks]
    if FOLDER.is_dir()
    else []
)


@pytest.mark.parametrize(("name", "by"), ENTRIES)
def test_strata(name: str, by: str) -> None:
    strata, wanted = strata_of(name), expected("strata.json")[name][by]
    counts, made = counts_of(strata, by), strata.by(by)
    is_entity = by.startswith("entity:")
    (made[WHOLE],) = sums_of(made.values())
    assert set(made) == set(wanted)
    for label, figures in wanted.items():
        for metric in set(figures) & set(METRICS):
            if metric in counts[label]:
                found, kinds = counts[label][metric], listed(figures[metric])
                assert floats(found) == floats(kinds), (label, metric)
                assert found == kinds or not is_entity, (label, metric)
        same(made[label], figures)
        for side in ("key", "response"):
            if side in figures and is_entity:
                size = getattr(made[label], side)
                assert [size.entities, size.mentions] == figures[side]


CASES = expected("cases.json")["alignments"] if FOLDER.is_dir() else {}


def small(case: dict[str, Any], side: str) -> Corpus:
    spans = case.get("spans") or {}
    place = {m: (ord(m), ord(m)) for entity in case[side] for m in entity}
    place |= {m: (start, end) for m, (start, end) in spans.items()}
    return Corpus.from_clusters({"d": [[place[m] for m in entity] for entity in case[side]]})


def small_strata(case: dict[str, Any]) -> Strata:
    options = whole(",".join((*METRICS, "conll")))
    scorer = scorer_for(options)
    key, response = (scorer.read(small(case, side)) for side in ("key", "response"))
    return Strata(scorer.compare(key, response), options)


@pytest.mark.parametrize("name", CASES)
def test_small_cases(name: str) -> None:
    case = CASES[name]
    strata = small_strata(case)
    counts = counts_of(strata, "entity:size")
    made = strata.by("entity:size")
    (made[WHOLE],) = sums_of(made.values())
    assert set(made) == set(case["size"])
    for label, figures in case["size"].items():
        for metric in METRICS:
            assert counts[label][metric] == listed(figures[metric]), (label, metric)
        same(made[label], figures)
    for metric in ("ceafm", "ceafe"):
        named = [tuple("".join(sorted(entity)) for entity in pair) for pair in case[metric]]
        assert aligned(strata, case, metric) == sorted(named)


def aligned(strata: Strata, case: dict[str, Any], metric: str) -> list[tuple[str, str]]:
    ours, theirs = strata.aligned_entities(partition_metrics([metric])[0])
    return sorted((case["key"][k], case["response"][r]) for k, r in tuples(ours, theirs))


@pytest.mark.parametrize("name", [n for n, case in CASES.items() if "mentions" in case])
def test_small_cases_by_mention(name: str) -> None:
    case = CASES[name]
    strata = small_strata(case)
    places = {}
    for side, corpus in (
        ("key", strata.compared.key_corpus),
        ("response", strata.compared.response_corpus),
    ):
        spans = list(zip(corpus.start.tolist(), corpus.end.tolist(), strict=True))
        given = case.get("spans") or {}
        letter = {tuple(span): m for m, span in given.items()}
        places[side] = [letter.get(span, chr(span[0])) for span in spans]
    for metric in MENTION_METRICS:
        for mention, figures in case["mentions"].items():
            codes = [
                np.array([mention in (m, WHOLE) for m in places[side]], dtype=np.int64)
                for side in ("key", "response")
            ]
            found = tuple(column[1] for column in by_mention(strata, metric, codes, 2))
            assert floats([found]) == floats(listed(figures[metric.name])), (mention, metric)
            score = score_of_part(metric.score(found), found)
            assert (score.f1 is None) == (figures[metric.name]["f1"] is None)
