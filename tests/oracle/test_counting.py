"""Today's counting, with copies, by document and by stratum, against the frozen one."""

import random
from fractions import Fraction
from pathlib import Path
from typing import Literal

import pytest

import corefkit
from corefkit import Evaluator, Scores
from tests.oracle import counting
from tests.support import CONFORMANCE, EXAMPLES, needs_conformance

MADE = CONFORMANCE.parent / "made" / "conll"
SIZES = {"1": range(1, 2), "2": range(2, 3), "3-4": range(3, 5), "5-9": range(5, 10)}


def check(scores: Scores, key: counting.Clean, response: counting.Clean, policy: str) -> None:
    """The counts of one document, or of a part of it."""
    tables = {"recall": counting.cells(key, response), "precision": counting.cells(response, key)}
    for metric in counting.METRICS:
        if metric not in scores:
            continue
        for side, table in tables.items():
            same(scores[metric].counts[side], counting.ratio(table, metric, policy))
    if "blanc" in scores:
        both, ours, theirs, neither, apart, also = counting.blanc(key, response)
        kinds = {"coreference": (both, ours, theirs), "noncoreference": (neither, apart, also)}
        for kind, (n, k, r) in kinds.items():
            assert scores["blanc"].counts[kind] == {"recall": [n, k], "precision": [n, r]}


def same(found: list[float], expected: list[Fraction]) -> None:
    assert found == pytest.approx([float(x) for x in expected], abs=1e-12)
    assert found[1] == expected[1]


def clusters(chance: random.Random, copies: int) -> list[list[tuple[int, int]]]:
    """Some mentions in a few entities; some of them in several, or twice in one."""
    entities: list[list[tuple[int, int]]] = [[] for _ in range(chance.randint(1, 5))]
    for start in range(chance.randint(0, 9)):
        for _ in range(1 + (chance.random() < copies / 4)):
            chance.choice(entities).append((start, start + start % 3))
    return [chance.sample(e, len(e)) for e in entities if e]


@pytest.mark.parametrize("copies", [0, 1, 2])
def test_an_evaluator_keeps_the_copy_that_is_listed_first(copies: int) -> None:
    chance = random.Random(copies)
    for _ in range(150):
        key, response = clusters(chance, copies), clusters(chance, copies)
        scores = Evaluator([*counting.METRICS, "blanc"]).update(key, response).scores()
        check(scores, counting.listed_copies(key), counting.listed_copies(response), "keep")


@pytest.mark.parametrize("policy", ["e2e", "lea"])
def test_singletons_that_are_skipped(policy: Literal["e2e", "lea"]) -> None:
    chance = random.Random(policy)
    for _ in range(100):
        key, response = clusters(chance, 0), clusters(chance, 0)
        evaluator = Evaluator("mentions,muc,bcub,lea", singletons=policy).update(key, response)
        check(evaluator.scores(), key, response, policy)


def documents(path: Path) -> dict[str, list[list[tuple[int, int]]]]:
    return corefkit.read(path).clusters()


FILES = [(EXAMPLES / "key.conll", EXAMPLES / f"{name}.conll") for name in ("careful", "hasty")]
if MADE.is_dir():
    for number in range(40):
        name = f"repeats-{number:02}"
        FILES.append((MADE / f"{name}.key.conll", MADE / f"{name}.response.conll"))


@pytest.mark.parametrize(("key", "response"), FILES, ids=lambda path: path.name)
def test_files_keep_the_copy_that_comes_first(key: Path, response: Path) -> None:
    scores = corefkit.score(key, response, [*counting.METRICS, "blanc"])
    found = documents(response)
    by_document = scores.by("document")
    for name, entities in documents(key).items():
        other = counting.first_copies(found.get(name, []))
        check(by_document[name].scores, counting.first_copies(entities), other, "keep")


@pytest.mark.parametrize(("key", "response"), FILES[:2], ids=lambda path: path.name)
def test_strata_by_size_with_the_first_alignment(key: Path, response: Path) -> None:
    strata = corefkit.score(key, response, ["muc", "bcub", "ceafm", "ceafe", "lea"]).by(
        "entity:size"
    )
    found = documents(response)
    pairs = [
        (counting.first_copies(e), counting.first_copies(found.get(name, [])))
        for name, e in documents(key).items()
    ]
    for name, sizes in SIZES.items():
        for metric in ("muc", "bcub", "ceafm", "ceafe", "lea"):
            for side, turn in (("recall", 1), ("precision", -1)):
                rows = [
                    counting.ratio(counting.cells(*p[::turn]), metric, "keep", sizes) for p in pairs
                ]
                expected = [sum(column, Fraction(0)) for column in zip(*rows, strict=True)]
                same(strata[name][metric].counts[side], expected)


@needs_conformance
@pytest.mark.parametrize("corpus", ["litbank", "ontonotes-dev"])
def test_documents_of_real_corpora(corpus: str) -> None:
    folder = CONFORMANCE / corpus
    key, response = (folder / f"{name}.conll.gz" for name in ("key", "response-good"))
    scores = corefkit.score(key, response, ["mentions", "muc", "bcub", "lea", "links", "blanc"])
    keys, responses, parts = documents(key), documents(response), scores.by("document")
    for name in list(keys)[::7]:
        clean = counting.first_copies(keys[name]), counting.first_copies(responses.get(name, []))
        check(parts[name].scores, *clean, "keep")
