"""The oracle itself: it gives the figures that others have computed, on every small case."""

import json
from typing import Any

import pytest

from tests.oracle import corefud, metrics
from tests.support import CONFORMANCE, needs_conformance

FOLDER = CONFORMANCE / "corefud"


def cases() -> list[dict[str, Any]]:
    path = FOLDER / "expected-standard.json"
    found = json.loads(path.read_text())["pairs"] if path.exists() else []
    return [pair for pair in found if pair["key"].startswith("cases")]


def counts_of(documents: list[corefud.Scored]) -> dict[str, Any]:
    """All counts, summed over documents, as the figures have them."""
    parts = [document.partitions for document in documents]
    found: dict[str, Any] = {
        name: metrics.count(name, parts) for name in (*metrics.RECALLS, "blanc")
    }
    overlap = [sum(column) for column in zip(*map(corefud.overlap_ratio, documents), strict=True)]
    found["mor"] = {"recall": tuple(overlap[:2]), "precision": tuple(overlap[2:])}
    tp, wl, fn, fp = (
        sum(column) for column in zip(*map(corefud.zero_outcomes, documents), strict=True)
    )
    found["zero"] = {"recall": (tp, tp + wl + fn), "precision": (tp, tp + wl + fp)}
    return found


@needs_conformance
def test_every_case() -> None:
    assert cases()
    for pair in cases():
        key, response = (corefud.read((FOLDER / pair[s]).read_text()) for s in ("key", "response"))
        theirs = {document.name: document for document in response}
        for setting, figures in pair["scores"].items():
            scored = [
                corefud.score_document(
                    d, theirs.get(d.name, corefud.Document(d.name)), *setting.split("/")
                )
                for d in key
            ]
            found = counts_of(scored)
            for name in ("mentions", "muc", "bcub", "ceafm", "ceafe", "lea", "mor", "zero"):
                for side in ("recall", "precision"):
                    values = [float(number) for number in found[name][side]]
                    assert values == pytest.approx(figures[name][side]), (pair["name"], setting)
