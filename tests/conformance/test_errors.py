"""Errors of real responses: every figure of an independent slow program."""

import json
from functools import cache
from typing import Any

import numpy as np
import pytest

import corefkit
from corefkit.analysis.errors import Errors
from corefkit.analysis.links import STRATEGIES
from tests.support import CONFORMANCE, needs_conformance

pytestmark = needs_conformance
METRICS = "mentions,muc,bcub,ceafe,lea,conll"
CASES = [
    ("ontonotes-dev", "response-fair"),
    ("ontonotes-dev", "response-poor"),
    ("litbank", "response-good"),
    ("litbank", "response-good, singletons drop"),
]
each_case = pytest.mark.parametrize(("corpus", "name"), CASES)


@cache
def expected(corpus: str) -> Any:
    return json.loads((CONFORMANCE / corpus / "expected-errors.json").read_text())


@cache
def errors(corpus: str, name: str) -> Errors:
    folder, (response, _, drop) = CONFORMANCE / corpus, name.partition(",")
    # The figures of LitBank were made with its "_" in the column of tags taken for tags, so that
    # nothing is a pronoun; by the text of the law its pronouns are told by the list of words.
    return corefkit.errors(
        folder / "key.conll.gz",
        folder / f"{response}.conll.gz",
        METRICS,
        pronouns=() if corpus == "litbank" else None,
        singletons="drop" if drop else "keep",
    )


def without_zeros(counts: dict[str, int]) -> dict[str, int]:
    return {name: number for name, number in counts.items() if number}


@each_case
def test_counts(corpus: str, name: str) -> None:
    found, figures = errors(corpus, name), expected(corpus)[name]
    assert found.counts == figures["errors"]
    assert {t: without_zeros(row) for t, row in found.mentions.items()} == figures[
        "mentions_by_kind"
    ]
    assert len(found.joint.key.names) == figures["documents"]
    documents = found.documents()
    for document, counts in figures["by_document"].items():
        assert without_zeros(documents[document]) == counts


@each_case
def test_scores_of_repaired_responses(corpus: str, name: str) -> None:
    found, figures = errors(corpus, name), expected(corpus)[name]
    for metric in METRICS.split(","):
        repaired = {"none": found.f1(metric), **found.repaired(metric)}
        for figure, values in (("repaired", repaired), ("cumulative", found.cumulative(metric))):
            wanted = {name: row[metric] for name, row in figures[figure].items()}
            assert values == pytest.approx(wanted, abs=1e-12)


@each_case
def test_links(corpus: str, name: str) -> None:
    found, figures = errors(corpus, name), expected(corpus)[name]["links"]
    for strategy in STRATEGIES:
        for side, links in found.links(strategy).items():
            assert links.by_kinds() == figures[f"{side} {strategy}"]


def test_shares_of_the_first_documents() -> None:
    figures = expected("ontonotes-dev")["response-fair"]["shares"]
    whole = errors("ontonotes-dev", "response-fair").joint
    first = np.arange(len(whole.key.names)) < figures["first_documents"]
    key, response = (side.take(first[side.document]) for side in (whole.key, whole.response))
    found = corefkit.errors(key, response, "conll,lea,muc")
    for metric in ("conll", "lea", "muc"):
        assert found.f1(metric) == pytest.approx(figures[metric]["f1"], abs=1e-12)
        assert found.shares(metric) == pytest.approx(figures[metric]["shares"], abs=1e-12)


def test_pronouns_of_litbank_by_the_list() -> None:
    """What the law says of a corpus without tags, which no figure shows."""
    folder = CONFORMANCE / "litbank"
    found = corefkit.errors(folder / "key.conll.gz", folder / "response-good.conll.gz", "muc")
    links = found.links()
    assert sum(links["recall"].by_kinds().values()) == 2608
    assert sum(links["precision"].by_kinds().values()) == 1798
    kinds = {kind: sum(row[kind] for row in found.mentions.values()) for kind in found.by("kind")}
    assert kinds["pronoun"] > 1000
    assert kinds["name"] == 0
