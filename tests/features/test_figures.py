"""Every figure of another scorer: all classes, all variants, three responses of OntoNotes."""

import json
from functools import cache
from typing import Any

import pytest

from corefkit import Corpus, Score, read, score
from corefkit.metrics import VARIANTS
from tests.features.support import counted
from tests.support import CONFORMANCE, needs_conformance

RESPONSES = ["response-good", "response-fair", "response-poor"]
LEFT_OUT = "(tc/ch/00/ch_0050); part 000"
"""Its key has one span in two entities; the figures do without it."""

CASES = [(metric, variant) for metric, known in VARIANTS.items() for variant in known]


@cache
def corpus(name: str) -> Corpus:
    whole = read(CONFORMANCE / "ontonotes-dev" / f"{name}.conll.gz")
    return whole.take(whole.document != whole.names.index(LEFT_OUT))


@cache
def figures() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        (CONFORMANCE / "ontonotes-dev" / "expected-applications.json").read_text()
    )
    return found


@needs_conformance
@pytest.mark.parametrize("response", RESPONSES)
@pytest.mark.parametrize(("metric", "variant"), CASES)
def test_counts(response: str, metric: str, variant: str) -> None:
    found = score(corpus("key"), corpus(response), metric, variant=variant)[metric]
    name = f"{metric}/{'text' if (metric, variant) == ('inferred', 'paper') else variant}"
    parts: dict[str, Score | None] = {name: found}
    if metric == "anchor":
        parts = {f"{name}/ED": found.detection, f"{name}/EM": found.mentions}
    for part, figure in parts.items():
        assert figure
        assert counted(figure) == figures()[response][part]


@needs_conformance
@pytest.mark.parametrize("response", RESPONSES)
def test_identities(response: str) -> None:
    """What all links of the key, and of the response, come to."""
    key, answer = corpus("key").drop_singletons(), corpus(response)
    counts = score(corpus("key"), answer, "immediate")["immediate"].counts
    assert counts["tp"] + counts["wl"] + counts["fn"] == key.mentions - key.entities
    assert counts["tp"] + counts["wl"] + counts["fp"] == answer.mentions - answer.entities


@needs_conformance
@pytest.mark.parametrize(
    ("metric", "variant"), [("immediate", "paper"), ("anchor", "paper"), ("inferred", "clean")]
)
def test_a_perfect_response(metric: str, variant: str) -> None:
    assert score(corpus("key"), corpus("key"), metric, variant=variant)[metric].f1 == 1


@needs_conformance
def test_break_downs_are_the_classes() -> None:
    scores = score(corpus("key"), corpus("response-fair"), list(VARIANTS))
    for metric, by in (("immediate", "class"), ("inferred", "class"), ("anchor", "ne")):
        groups = {label: part[metric] for label, part in scores.by(by).items()}
        whole = scores[metric]
        for name in whole.parts or (None,):
            total = whole.parts[name] if name else whole
            found = {label: s.parts[name] if name else s for label, s in groups.items()}
            some = {label: dict(s.counts) for label, s in found.items() if any(s.counts.values())}
            assert some == {label: dict(s.counts) for label, s in (total.classes or {}).items()}
