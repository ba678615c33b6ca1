"""Errors of real responses: every figure of an independent slow program."""

import gzip
import json
from collections import Counter
from collections.abc import Collection, Mapping
from functools import cache
from typing import Any

import numpy as np
import pytest

import corefkit
from corefkit.analysis.errors import Errors
from corefkit.analysis.link_errors import STRATEGIES
from corefkit.core.languages import language
from tests.oracle import errors as oracle
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
    return corefkit.errors(
        folder / "key.conll.gz",
        folder / f"{response}.conll.gz",
        METRICS,
        singletons="drop" if drop else "keep",
    )


def without_zeros(counts: Mapping[str, int | None]) -> dict[str, int]:
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


@cache
def litbank() -> list[tuple[str, list[str], oracle.Side, oracle.Side]]:
    """The documents: names, words, and the entities of both sides."""
    folder = CONFORMANCE / "litbank"
    words: dict[str, list[str]] = {}
    for line in gzip.decompress((folder / "key.conll.gz").read_bytes()).decode().split("\n"):
        if line.startswith("#begin document "):
            here = words.setdefault(line.removeprefix("#begin document ").rstrip(), [])
        elif line.strip() and not line.startswith("#"):
            here.append(line.split("\t")[3])
    key, response = (
        corefkit.read(folder / f"{name}.conll.gz").clusters() for name in ("key", "response-good")
    )
    return [
        (name, read, [list(e) for e in key[name]], [list(e) for e in response[name]])
        for name, read in words.items()
    ]


def by_the_letter(pronouns: Collection[str]) -> tuple[Counter[Any], Counter[Any]]:
    """Errors of LitBank by document and type, and their mentions by type and kind, as the oracle
    finds them: no tags, no trees, a pronoun is one token that reads as one of these words.
    """
    found: Counter[Any] = Counter()
    kinds: Counter[Any] = Counter()
    for name, words, key, response in litbank():
        kind = {
            (start, end): "pronoun"
            if start == end and words[start].lower() in pronouns
            else "nominal"
            for side in (key, response)
            for entity in side
            for start, end in entity
        }
        head = {mention: mention[1] for mention in kind}
        for error, mentions in oracle.Analysis(key, response, kind, head, words).errors:
            found[name, error] += 1
            kinds.update((error, kind[mention]) for mention in mentions)
    return found, kinds


def test_litbank_by_the_words_of_the_law() -> None:
    """What is found when nothing is said: pronouns are told by the list, in files without tags."""
    folder = CONFORMANCE / "litbank"
    errors = corefkit.errors(folder / "key.conll.gz", folder / "response-good.conll.gz", "muc")
    found, kinds = by_the_letter(language("en").words)
    assert found == Counter(
        {(name, t): n for name, row in errors.documents().items() for t, n in row.items() if n}
    )
    assert kinds == Counter(
        {(t, k): n for t, row in errors.mentions.items() for k, n in row.items() if n}
    )
    assert sum(n for (_, kind), n in kinds.items() if kind == "pronoun") > 1000
    links = errors.links()
    assert sum(links["recall"].by_kinds().values()) == 2608
    assert sum(links["precision"].by_kinds().values()) == 1798
