"""Errors against the oracle, and the identities that the law names, on random documents."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import corefkit
from corefkit import Corpus
from corefkit.analysis.errors import Errors
from corefkit.analysis.repairs import ALL
from corefkit.analysis.types import TYPES
from corefkit.core.nodes import crossing_mentions
from corefkit.features.heads import with_heads
from corefkit.scorers import make_options
from corefkit.scoring.run import score_systems
from tests.analysis.support import TAGS, Document, Span, documents, nests, read
from tests.oracle import errors as oracle
from tests.strategies import examples

each = settings(examples(20), suppress_health_check=[HealthCheck.function_scoped_fixture])
some_documents = st.lists(documents().filter(nests), min_size=1, max_size=3)


def kind_of(span: Span, words: Sequence[str]) -> str:
    start, end = span
    if start == end and TAGS[words[start]] in ("PRP", "DT"):
        return "pronoun"
    return "name" if TAGS[words[end]] == "NNP" else "nominal"


def analysis(document: Document) -> oracle.Analysis:
    words, key, response = document
    spans = {span for side in (key, response) for entity in side for span in entity}
    kinds = {span: kind_of(span, words) for span in spans}
    return oracle.Analysis(key, response, kinds, {span: span[1] for span in spans}, words)


def errors_of(given: list[Document], folder: Path, **options: Any) -> Errors:
    return corefkit.errors(
        *read(given, folder), "muc,bcub,ceafe,conll,lea", tagset="penn", **options
    )


def partition(entities: Iterable[Iterable[Span]]) -> set[frozenset[Span]]:
    return {frozenset(entity) for entity in entities if entity}


def same_corpus(one: Corpus, other: Corpus) -> bool:
    ours, theirs = one.clusters(), other.clusters()
    return {n: partition(c) for n, c in ours.items()} == {
        n: partition(c) for n, c in theirs.items()
    }


@given(some_documents)
@each
def test_types_kinds_and_spans(tmp_path: Path, given: list[Document]) -> None:
    errors = errors_of(given, tmp_path)
    found = Counter(
        (
            error.document,
            error.type,
            frozenset((m.start, m.end) for m in error.mentions if m.row >= 0),
        )
        for error in errors
    )
    expected = Counter(
        (f"(d{number}); part 000", kind, mentions)
        for number, document in enumerate(given)
        for kind, mentions in analysis(document).errors
    )
    assert found == expected
    told = Counter(
        (error.type, mention.kind)
        for error in errors
        for mention in error.mentions
        if mention.row >= 0
    )
    assert told == Counter(
        {(t, k): n for t, row in errors.mentions.items() for k, n in row.items() if n}
    )


@given(some_documents, st.sets(st.sampled_from(TYPES)))
@each
def test_repairs(tmp_path: Path, given: list[Document], types: set[str]) -> None:
    errors = errors_of(given, tmp_path)
    found = errors.repaired_corpus([*types]).clusters()
    for number, document in enumerate(given):
        expected = analysis(document).repaired(types)
        assert partition(found[f"(d{number}); part 000"]) == partition(expected)


RULES = ("exact", "partial", "head", "craft", "mina")


@given(some_documents, st.sets(st.sampled_from(TYPES)), st.sampled_from(RULES))
@each
def test_a_repaired_response_scores_as_its_corpus(
    tmp_path: Path, given: list[Document], types: set[str], match: Any
) -> None:
    sides = read(given, tmp_path, parsed=match == "mina")
    one, other = (with_heads(side) for side in sides)
    errors = corefkit.errors(one, other, "muc,bcub,lea", match=match)
    key = errors.joint.key
    repaired = with_heads(errors.repaired_corpus([*types]), key)
    assume(not crossing_mentions(repaired))  # which no file can say, and `score` refuses
    scores = corefkit.score(key, repaired, "muc,bcub,lea", match=match)
    for metric in ("muc", "bcub", "lea"):
        assert errors.f1(metric, [*types]) == pytest.approx(scores[metric].f1, abs=1e-12)


POLICIES = st.fixed_dictionaries(
    {
        "singletons": st.sampled_from(["keep", "drop", "e2e"]),
        "match": st.sampled_from(RULES),
        "zeros": st.sampled_from(["dependent", "linear", "drop"]),
        "duplicates": st.sampled_from(["first", "listed", "error"]),
        "documents": st.sampled_from(["all", "common"]),
    }
)
"""All that can be said of how documents are compared; the others say how they are read."""


def counted(errors: Errors, policies: dict[str, Any], metrics: str) -> Any:
    options = make_options(metrics, **policies)
    key, response = errors.joint.key, errors.joint.response
    return score_systems(key, [response], options).scores.popitem()[1]


def equal(errors: Errors, policies: dict[str, Any]) -> bool:
    """Whether both sides have the same mentions in the same entities, as they are matched."""
    scores = counted(errors, {**policies, "singletons": "keep"}, "mentions,bcub")
    sides = [scores[name].counts[s] for name in scores for s in ("recall", "precision")]
    return all(part == whole for part, whole in sides)


@given(some_documents, POLICIES, st.booleans(), st.booleans())
@settings(each, max_examples=examples(20).max_examples)
def test_identities(
    tmp_path: Path, given: list[Document], policies: dict[str, Any], twin: bool, lacking: bool
) -> None:
    if twin:
        given = [document._replace(response=document.key) for document in given]
    parsed = policies["match"] == "mina"
    one, other = (
        with_heads(side) for side in read(given, tmp_path, lacking=lacking, parsed=parsed)
    )
    errors = corefkit.errors(one, other, "conll,lea", **policies)
    key, response = errors.joint.key, errors.joint.response
    assert same_corpus(errors.repaired_corpus([]), response)
    assert same_corpus(errors.repaired_corpus(TYPES), key)
    assert (len(errors) == 0) == equal(errors, policies)
    if policies["match"] == "exact":
        assert (len(errors) == 0) == same_corpus(key, response)
    scores = counted(errors, policies, "muc,conll,lea")
    links = errors.links()
    counts = scores["muc"].counts
    assert len(links["recall"]) == counts["recall"][1] - counts["recall"][0]
    assert len(links["precision"]) == counts["precision"][1] - counts["precision"][0]
    given_scores = score_systems(one, [other], scores.options).scores.popitem()[1]
    for metric in ("conll", "lea"):
        whole = errors.f1(metric, TYPES)
        assert errors.f1(metric) == pytest.approx(given_scores[metric].f1, abs=1e-12)
        assert len(errors) or errors.f1(metric) == whole
        assert sum(errors.shares(metric).values()) == pytest.approx(
            whole - errors.f1(metric), abs=1e-12
        )
        assert errors.cumulative(metric)["missing-entity"] == whole
        if policies["singletons"] == "drop" and key.entities:
            assert whole == pytest.approx(1)


@given(some_documents, st.sampled_from(["accessibility", "closest"]))
@each
def test_links(tmp_path: Path, given: list[Document], strategy: str) -> None:
    errors = errors_of(given, tmp_path)
    links = errors.links("closest" if strategy == "closest" else "accessibility")
    counts = corefkit.score(errors.joint.key, errors.joint.response, "muc")["muc"].counts
    assert [len(links["recall"]), len(links["precision"])] == [
        counts[side][1] - counts[side][0] for side in ("recall", "precision")
    ]
    expected: dict[str, Counter[str]] = {"recall": Counter(), "precision": Counter()}
    for words, key, response in given:
        kinds = {m: kind_of(m, words) for side in (key, response) for e in side for m in e}
        for name, one, other in (("recall", key, response), ("precision", response, key)):
            for anaphor, antecedent in oracle.link_errors(one, other, kinds, strategy):
                expected[name][f"{kinds[anaphor]} -> {kinds[antecedent]}"] += 1
    assert {side: Counter(found.by_kinds()) for side, found in links.items()} == expected


def test_all_is_all() -> None:
    assert 1 << len(TYPES) == ALL + 1
    assert oracle.TYPES == TYPES
