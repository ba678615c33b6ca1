"""The application scores against the slow and obvious implementation, on random documents."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit import outcomes
from corefkit.metrics import VARIANTS
from tests.features.support import corpora, counted, nested, scores, table, values
from tests.oracle import applications as oracle
from tests.oracle.conll import Span
from tests.strategies import examples

TAGS = ["NN", "NNP", "PRP", "PRP$", "DT", "VB"]
TOKENS = 8
SPANS: list[Span] = [(s, e) for s in range(TOKENS) for e in range(s, min(s + 3, TOKENS))]


def chains(labelled: list[tuple[Span, int]]) -> list[list[Span]]:
    """Spans sorted into chains in which none crosses another."""
    found: dict[int, list[Span]] = {}
    for span, label in labelled:
        found.setdefault(label, []).append(span)
    return [nested(chain) for chain in found.values()]


def names(labelled: list[tuple[Span, str]]) -> dict[Span, str]:
    """Those of the names that nest."""
    kinds = dict(labelled)
    return {span: kinds[span] for span in nested(kinds)}


def on_spans(label: st.SearchStrategy[Any], most: int) -> st.SearchStrategy[list[Any]]:
    of_span = st.tuples(st.sampled_from(SPANS), label)
    return st.lists(of_span, unique_by=lambda pair: pair[0], max_size=most)


sides = on_spans(st.integers(0, 4), 14).map(chains)
documents = st.builds(
    oracle.Document,
    sides,
    sides,
    st.tuples(*[st.sampled_from(TAGS)] * TOKENS).map(list),
    on_spans(st.sampled_from(["GPE", "ORG"]), 5).map(names),
)
corpus = st.lists(documents, min_size=1, max_size=3)


@examples(20)
@given(several=corpus)
def test_immediate(several: list[oracle.Document]) -> None:
    sides = corpora(several)
    for variant in oracle.IMMEDIATE_VARIANTS:
        found = scores(sides, "immediate", variant)["immediate"]
        expected = oracle.count_immediate(several, variant)
        assert counted(found) == table(expected), variant
        assert (found.recall, found.precision, found.f1) == pytest.approx(
            values(expected.total), rel=1e-15, abs=0
        )


@examples(20)
@given(several=corpus)
def test_inferred(several: list[oracle.Document]) -> None:
    sides = corpora(several)
    for variant in oracle.INFERRED_VARIANTS:
        found = scores(sides, "inferred", variant)["inferred"]
        assert counted(found) == table(oracle.count_inferred(several, variant)), variant


@examples(40)
@given(several=corpus)
def test_anchor(several: list[oracle.Document]) -> None:
    sides = corpora(several)
    for variant in oracle.ANCHOR_VARIANTS:
        found = scores(sides, "anchor", variant)["anchor"]
        expected = oracle.count_anchor(several, variant)
        assert found.detection
        assert found.mentions
        assert counted(found.detection) == table(expected.detection), variant
        assert counted(found.mentions) == table(expected.mentions), variant
        assert found.f1 == pytest.approx(float(expected.f_phi()), rel=1e-15), variant


@examples(20)
@given(several=corpus)
def test_shards_add_up(several: list[oracle.Document]) -> None:
    """Counts of documents, by class too, are those of the whole; so are those of groups."""
    sides, each = corpora(several), [corpora([document]) for document in several]
    for metric in VARIANTS:
        whole = scores(sides, metric)
        parts = [scores(one, metric).counts for one in each]
        total = parts[0]
        for part in parts[1:]:
            total = total + part
        assert total.total(metric) == whole.counts.total(metric)
        assert total.by_class[metric].totals() == whole.counts.by_class[metric].totals()
        assert whole.by("genre")["nw"].scores.to_dict() == whole.to_dict()


@examples(20)
@given(several=corpus, variant=st.sampled_from(oracle.INFERRED_VARIANTS))
def test_outcomes(several: list[oracle.Document], variant: oracle.InferredVariant) -> None:
    """Outcome, expected and found antecedent of every mention."""
    rows = list(outcomes(*corpora(several), tagset="penn", variant=f"inferred={variant}").rows())
    for number, document in enumerate(several):
        here = [row for row in rows if row["document"] == f"(nw/d{number}); part 000"]
        for score, expected in (
            ("immediate", oracle.outcomes_immediate(document)),
            ("inferred", oracle.outcomes_inferred(document, variant)),
        ):
            labels: dict[Span, list[str]] = {}
            for outcome in expected:
                labels.setdefault(outcome.mention, []).append(outcome.label)
            found = {(r["start"], r["end"]): r[score] for r in here if r[score]}
            assert {s: sorted(t.split("+")) for s, t in found.items()} == {
                s: sorted(t) for s, t in labels.items()
            }
            by_span = {(r["start"], r["end"]): r for r in here}
            for outcome in expected:
                row = by_span[outcome.mention]
                assert span(row[f"{score}_found"]) == outcome.found
                if outcome.side == "key":
                    assert span(row[f"{score}_expected"]) == outcome.expected


def span(found: dict[str, int] | None) -> Span | None:
    return None if found is None else (found["start"], found["end"])


@examples(20)
@given(several=corpus, variant=st.sampled_from(["paper", "code"]))
def test_sums_of_outcomes_are_the_counts(several: list[oracle.Document], variant: str) -> None:
    key, response = corpora(several)
    rows = list(outcomes(key, response, tagset="penn", variant=variant).rows())
    found = {
        title: dict.fromkeys(("tp", "wl", "fn", "fp"), 0)
        for title in ("immediate", "inferred", "anchor_detection", "anchor_mentions")
    }
    for row in rows:
        for title, sums in found.items():
            for label in filter(None, row[title].split("+")):
                sums[label] += 1
    sides = key, response
    whole = {m: scores(sides, m, variant if m != "inferred" else "paper")[m] for m in VARIANTS}
    anchor = whole["anchor"]
    assert anchor.detection
    assert anchor.mentions
    assert found == {
        "immediate": whole["immediate"].counts,
        "inferred": whole["inferred"].counts,
        "anchor_detection": anchor.detection.counts,
        "anchor_mentions": anchor.mentions.counts,
    }


CLASS_COLUMNS = {
    "immediate": "class",
    "inferred": "class",
    "anchor_detection": "anchor_detection_class",
    "anchor_mentions": "anchor_mentions_class",
}


@examples(25)
@given(several=corpus, variant=st.sampled_from(["paper", "code"]))
def test_sums_of_outcomes_by_class(several: list[oracle.Document], variant: str) -> None:
    """Outcomes and the classes that they go to stand in the same order."""
    key, response = corpora(several)
    found: dict[str, dict[str, dict[str, int]]] = {title: {} for title in CLASS_COLUMNS}
    for row in outcomes(key, response, tagset="penn", variant=variant).rows():
        for title, column in CLASS_COLUMNS.items():
            labels = row[title].split("+")
            classes = row[column].split("+") if column != "class" else [row["class"]] * len(labels)
            for label, name in zip(labels, classes, strict=True):
                if label and name:
                    sums = found[title].setdefault(name, dict.fromkeys(("tp", "wl", "fn", "fp"), 0))
                    sums[label] += 1
    sides = key, response
    whole = {m: scores(sides, m, variant if m != "inferred" else "paper")[m] for m in VARIANTS}
    anchor = whole["anchor"]
    assert anchor.detection
    assert anchor.mentions
    parts = (whole["immediate"], whole["inferred"], anchor.detection, anchor.mentions)
    for title, part in zip(CLASS_COLUMNS, parts, strict=True):
        assert found[title] == {name: c.counts for name, c in (part.classes or {}).items()}


@examples(20)
@given(several=corpus)
def test_anchors_expected_and_found(several: list[oracle.Document]) -> None:
    for row in outcomes(*corpora(several), tagset="penn").rows():
        expected, found = row["anchor_expected"], row["anchor_found"]
        own = (row["start"], row["end"])
        if row["anchor_detection"] in ("tp", "fn"):
            assert span(expected) == own
        if row["anchor_detection"] == "fp":
            assert span(found) == own
        if row["anchor_mentions"].startswith("tp"):
            assert expected
            assert found
        if row["anchor_mentions"] == "fp":
            assert found
