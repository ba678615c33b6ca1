"""Detection and linking: every figure of an independent slow program."""

import json
from functools import cache
from typing import Any

import pytest

import corefkit
from corefkit import Corpus
from corefkit.analysis.losses import CORNERS, RepairCorners
from tests.support import CONFORMANCE, needs_conformance

pytestmark = needs_conformance
FOLDER = CONFORMANCE / "strata"
EXPECTED = json.loads((FOLDER / "losses.json").read_text()) if FOLDER.is_dir() else {}


@cache
def losses(name: str, metrics: str) -> RepairCorners:
    pair, *setting = name.split(" ")
    corpus, _, response = pair.partition("/")
    folder = CONFORMANCE / corpus
    policies: dict[str, Any] = {"singletons": "drop"} if setting == ["drop"] else {}
    key, answer = folder / "key.conll.gz", folder / f"{response}.conll.gz"
    return corefkit.errors(key, answer, metrics, **policies).corners


@pytest.mark.parametrize("name", EXPECTED)
def test_losses(name: str) -> None:
    wanted = EXPECTED[name]
    found = losses(name, ",".join(wanted))
    for metric, figures in wanted.items():
        assert found.f1(metric) == pytest.approx(figures["f1"], abs=1e-12), metric
        loss = found[metric]
        assert loss.detection == pytest.approx(figures["detection"], abs=1e-12)
        assert loss.linking == pytest.approx(figures["linking"], abs=1e-12)
        assert loss.perfect_mentions == pytest.approx(figures["f1"][1], abs=1e-12)
        assert loss.perfect_linking == pytest.approx(figures["f1"][2], abs=1e-12)


def test_the_worked_example() -> None:
    case = json.loads((FOLDER / "cases.json").read_text())["others"]["losses"]
    key = Corpus.from_clusters({"d": [[(0, 0), (1, 1), (2, 2)], [(3, 3), (4, 4)]]})
    response = Corpus.from_clusters({"d": [[(0, 0), (1, 1), (3, 3)], [(9, 9)]]})
    figures = {metric: value for metric, value in case.items() if metric != "corners"}
    found = corefkit.errors(key, response, ",".join(figures)).corners
    for metric, value in figures.items():
        assert found.f1(metric) == pytest.approx(value["f1"], abs=1e-12), metric
    assert found["muc"].detection == pytest.approx(67 / 140, abs=1e-12)
    assert found["muc"].linking == pytest.approx(17 / 140, abs=1e-12)
    joint = found.joint
    for corner, clusters in zip(range(len(CORNERS)), case["corners"], strict=True):
        entity = found.entities(corner)
        made: dict[int, set[tuple[int, int]]] = {}
        for row, number in enumerate(entity.tolist()):
            if number >= 0:
                span = int(joint.corpus.start[row]), int(joint.corpus.end[row])
                made.setdefault(number, set()).add(span)
        assert sorted(map(sorted, made.values())) == sorted(
            sorted(map(tuple, cluster)) for cluster in clusters
        )
