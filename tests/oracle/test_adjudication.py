"""The slow adjudication against the made cases of the conformance data."""

import json
from typing import Any

import pytest

from tests.conformance.test_adjudication import CASES, EXPECTED, MADE
from tests.oracle.adjudication import Annotation, Decided, Draft, Span
from tests.oracle.conll import read
from tests.support import needs_conformance

pytestmark = needs_conformance


def hull(span: Span) -> list[int]:
    return [span[0], span[-1]]


def annotations(case: str) -> tuple[dict[str, dict[str, Annotation]], dict[str, int]]:
    """Document → annotator → clusters, and document → number of tokens."""
    documents: dict[str, dict[str, Annotation]] = {}
    lengths = {}
    for path in sorted((CASES / case).glob("*.conll")):
        for document in read(path.read_text(encoding="utf-8")):
            own = [
                [tuple(range(a, b + 1)) for a, b in entity] for entity in document.entities.values()
            ]
            documents.setdefault(document.name, {})[path.stem] = own
            lengths[document.name] = document.tokens
    return documents, lengths


@pytest.mark.parametrize(("case", "mode"), MADE)
def test_made_cases(case: str, mode: str) -> None:
    settings, _, what = mode.partition(", ")
    certain, _, ask = settings.partition(" ask ")
    entries: list[dict[str, Any]] = []
    if what == "decided":
        log = json.loads((CASES / case / "decisions.json").read_text(encoding="utf-8"))
        entries = log["decisions"]
    documents, sizes = annotations(case)
    for name, people in documents.items():
        draft = Draft(name, people, certain, int(ask) if ask else None, sizes[name])
        own = [e for e in entries if e["item"].partition(" ")[2].startswith(f"{name} ")]
        found = Decided(draft, own).as_dict()
        found["result"] = [[hull(span) for span in entity] for entity in found["result"]]
        assert found == EXPECTED["made"][case][mode][name]
