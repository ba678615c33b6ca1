"""Strata of real responses and of small cases: every count of an independent slow program."""

import json
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

from corefkit import Corpus
from corefkit.core.arrays import IntArray
from corefkit.features.entity_labels import find_label
from corefkit.features.features import find_feature
from corefkit.metrics.contributions import BY_ENTITY, BY_MENTION, Shares
from corefkit.scorers import make_options, scorer_for
from corefkit.scoring.strata import Strata
from corefkit.scoring.stratum import ALL, Stratum, stratum_score
from tests.support import CONFORMANCE, needs_conformance

pytestmark = needs_conformance
FOLDER = CONFORMANCE / "strata"
METRICS = ("mentions", "muc", "bcub", "ceafm", "ceafe", "lea", "blanc")
Counts = dict[str, dict[str, list[tuple[Fraction, ...]]]]


@cache
def expected(name: str) -> Any:
    return json.loads((FOLDER / name).read_text())


def whole(metrics: str, **policies: str) -> Any:
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
    return Strata(comparison.pair("auto"), options)


def exact(shares: Sequence[Shares], codes: Sequence[IntArray], labels: int) -> list[Any]:
    """For each label the counts of each kind as fractions."""
    found = []
    for label in range(labels):
        rows = [np.flatnonzero(code == label) for code in codes]
        found.append(
            [
                tuple(
                    part.take(some).total()
                    for share, some in zip(kind, rows, strict=True)
                    for part in share
                )
                for kind in shares
            ]
        )
    return found


def counts_of(strata: Strata, by: str) -> Counts:
    """Label → metric → counts, as fractions."""
    counts: Counts = {}
    if by.startswith("entity:"):
        names, codes = strata.label_entities(find_label(by))
        shares = {m: strata.contributions.of_entities(m) for m in BY_ENTITY}
    else:
        names, codes = strata.label_mentions(find_feature(by))
        shares = {m: (strata.contributions.of_mentions(m, *strata.mentions),) for m in BY_MENTION}
    for metric, kinds in shares.items():
        for name, sums in zip(names, exact(kinds, codes, len(names)), strict=True):
            counts.setdefault(name, {})[metric] = sums
    for metric, kinds in shares.items():
        zeros = [np.zeros_like(code) for code in codes]
        counts.setdefault(ALL, {})[metric] = exact(kinds, zeros, 1)[0]
    return counts


def listed(figures: dict[str, Any]) -> list[tuple[Fraction, ...]]:
    kinds = (
        [figures["counts"]]
        if "counts" in figures
        else [figures["coreference"], figures["noncoreference"]]
    )
    return [tuple(map(Fraction, kind)) for kind in kinds]


def same(stratum: Stratum, wanted: dict[str, Any]) -> None:
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
    made[ALL] = strata.all_entities() if is_entity else strata.all_mentions()
    assert set(made) == set(wanted)
    for label, figures in wanted.items():
        for metric in set(figures) & set(BY_ENTITY):
            assert counts[label][metric] == listed(figures[metric]), (label, metric)
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
    return Strata(scorer.compare(key, response).pair("auto"), options)


@pytest.mark.parametrize("name", CASES)
def test_small_cases(name: str) -> None:
    case = CASES[name]
    strata = small_strata(case)
    counts = counts_of(strata, "entity:size")
    made = {**strata.by("entity:size"), ALL: strata.all_entities()}
    assert set(made) == set(case["size"])
    for label, figures in case["size"].items():
        for metric in BY_ENTITY:
            assert counts[label][metric] == listed(figures[metric]), (label, metric)
        same(made[label], figures)
    for metric in ("ceafm", "ceafe"):
        named = [tuple("".join(sorted(entity)) for entity in pair) for pair in case[metric]]
        assert aligned(strata, case, metric) == sorted(named)


def aligned(strata: Strata, case: dict[str, Any], metric: str) -> list[tuple[str, str]]:
    cells, overlap = strata.contributions.aligned(metric), strata.overlap
    names = []
    for side, rank in zip(("key", "response"), strata.ranks, strict=True):
        listed = case[side]
        names.append({int(rank[number]): listed[number] for number in range(len(listed))})
    return sorted(
        (names[0][k], names[1][r])
        for k, r in zip(
            overlap.key_entity[cells].tolist(), overlap.response_entity[cells].tolist(), strict=True
        )
    )


@pytest.mark.parametrize("name", [n for n, case in CASES.items() if "mentions" in case])
def test_small_cases_by_mention(name: str) -> None:
    case = CASES[name]
    strata = small_strata(case)
    places = {}
    for side, corpus in (
        ("key", strata.pair.key_corpus),
        ("response", strata.pair.response_corpus),
    ):
        spans = list(zip(corpus.start.tolist(), corpus.end.tolist(), strict=True))
        given = case.get("spans") or {}
        letter = {tuple(span): m for m, span in given.items()}
        places[side] = [letter.get(span, chr(span[0])) for span in spans]
    for metric in BY_MENTION:
        shares = strata.contributions.of_mentions(metric, *strata.mentions)
        for mention, figures in case["mentions"].items():
            found = []
            for side, share in zip(("key", "response"), shares, strict=True):
                rows = np.array([mention in (m, ALL) for m in places[side]], dtype=bool)
                found += [part.take(rows).total() for part in share]
            assert [tuple(found)] == listed(figures[metric]), (mention, metric)
            score = stratum_score(metric, [float(f) for f in found], strata.options)
            assert (score.f1 is None) == (figures[metric]["f1"] is None)
