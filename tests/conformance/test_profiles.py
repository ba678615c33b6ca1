"""What other scorers print and count: conll-8.01, coval, e2e."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import corefkit
from corefkit import Corpus, Scores
from tests.conformance.test_standard import REFERENCE, check
from tests.support import CONFORMANCE, needs_conformance, run, run_scorer

pytestmark = needs_conformance
RESPONSES = ("response-good", "response-fair", "response-poor")
SIDES = ("key", "response")
COVAL = ("mentions", "muc", "bcub", "ceafe", "lea")


@cache
def expected(path: str) -> Any:
    return json.loads((CONFORMANCE / path).read_text())


@cache
def read(path: Path) -> Corpus:
    return corefkit.read(path)


def files(case: str) -> tuple[Path, Path]:
    figures = expected("reference/expected.json")[case]
    folder = CONFORMANCE / "reference"
    return folder / figures["key"], folder / figures["response"]


@pytest.mark.parametrize("case", REFERENCE)
def test_reference_counts(case: str) -> None:
    scores = corefkit.score(*files(case), profile="conll-8.01")
    check(scores, expected("reference/expected.json")[case])


@pytest.mark.parametrize("case", REFERENCE)
def test_reference_text(case: str) -> None:
    text = (CONFORMANCE / "reference" / "text" / f"{case}.txt").read_text()
    status = 0 if text.count("METRIC") == 5 else 1
    for result in (
        run("score", *files(case), "--profile", "conll-8.01", "-f", "conll"),
        run_scorer("all", *files(case), "none"),
    ):
        version, _, rest = result.out.partition("\n")
        assert version == f"version: 8.01 corefkit {corefkit.__version__}"
        assert rest == text
        assert result.status == status
        assert ("refusing to score" in result.err) == bool(status)


VERBOSE = ("three.all", *(f"three.{m}" for m in ("muc", "bcub", "ceafm", "ceafe", "blanc")))


def sections(text: str) -> list[tuple[list[str], str]]:
    """For each metric its blocks, one a document, sorted, and its totals."""
    found = []
    for part in re.split(r"(?=\nMETRIC )", text):
        blocks, _, totals = part.partition("\n====== TOTALS")
        document = r"(?m)(?<=^-{74}\n)(?=====> )|(?<=^Invented: \d\n)(?=====> )"
        found.append((sorted(re.split(document, blocks)), totals))
    return found


@pytest.mark.parametrize("case", [*VERBOSE, "three.bcub.doc1", "TC-A-3.ceafe"])
def test_text_of_every_document(case: str) -> None:
    """The original visits documents in random order, so each is compared by itself."""
    folder = CONFORMANCE / "reference"
    name, metric, *only = case.split(".")
    paths = files(name) if name != "three" else [folder / "verbose" / f"three.{s}" for s in SIDES]
    result = run_scorer(metric, *paths, *(["(doc1); part 000"] if only else []))
    expected_text = (folder / "verbose" / f"{case}.txt").read_text()
    found = sections(result.out.partition("\n")[2])
    # The heading of a metric stands before whichever document came first.
    for (blocks, totals), (model, model_totals) in zip(found, sections(expected_text), strict=True):
        assert sorted(re.sub(r"^\nMETRIC \w+:\n", "", b) for b in blocks) == sorted(
            re.sub(r"^\nMETRIC \w+:\n", "", b) for b in model
        )
        assert totals == model_totals
    assert result.status == 0


@pytest.mark.parametrize("corpus", ["ontonotes-dev", "litbank"])
@pytest.mark.parametrize("name", RESPONSES)
def test_whole_corpora_as_v8_01(corpus: str, name: str) -> None:
    folder = CONFORMANCE / corpus
    key, response = read(folder / "key.conll.gz"), read(folder / f"{name}.conll.gz")
    figures = expected(f"{corpus}/expected.json")[name]
    check(corefkit.score(key, response, profile="conll-8.01"), figures)


PRINTED = re.compile(
    r"Coreference: Recall: \(([0-9.]+) / ([0-9.]+)\) ([0-9.]+)%\tPrecision: "
    r"\(([0-9.]+) / ([0-9.]+)\) ([0-9.]+)%\tF1: ([0-9.]+)%"
)


@pytest.mark.parametrize("metric", ["muc", "bcub", "ceafm", "ceafe"])
def test_the_regular_expression_that_people_use(metric: str) -> None:
    folder = CONFORMANCE / "ontonotes-dev"
    figures = expected("ontonotes-dev/expected.json")["response-fair"][metric]
    paths = folder / "key.conll.gz", folder / "response-fair.conll.gz"
    result = run_scorer(metric, *paths, "none")
    found = PRINTED.search(result.out)
    assert found is not None
    numbers = [float(n) for n in found.groups()]
    assert [numbers[2], numbers[5], numbers[6]] == figures["printed"]
    assert numbers[:2] == pytest.approx(figures["recall"], rel=1e-14)
    assert numbers[3:5] == pytest.approx(figures["precision"], rel=1e-14)
    assert "METRIC" not in result.out


def same_as_coval(scores: Scores, figures: dict[str, Any]) -> None:
    for metric in COVAL:
        score = scores[metric]
        values = [score.recall, score.precision, score.f1]
        assert [round(100 * v, 2) for v in values if v is not None] == figures[metric]
    assert round(100 * scores.conll, 2) == figures["conll"]


def same_as_e2e(scores: Scores, figures: dict[str, Any]) -> None:
    for metric, counts in figures.items():
        for side in ("recall", "precision"):
            assert scores[metric].counts[side] == pytest.approx(counts[side], abs=1e-9)


@pytest.mark.parametrize("case", REFERENCE)
def test_coval_and_e2e_on_the_reference_cases(case: str) -> None:
    figures = expected("reference/expected-profiles.json")[case]
    same_as_coval(corefkit.score(*files(case), profile="coval"), figures["coval"])
    if "e2e" in figures:
        same_as_e2e(corefkit.score(*files(case), profile="e2e"), figures["e2e"])


@pytest.mark.parametrize("name", RESPONSES)
def test_coval_and_e2e_on_litbank(name: str) -> None:
    folder = CONFORMANCE / "litbank"
    key, response = read(folder / "key.conll.gz"), read(folder / f"{name}.conll.gz")
    figures = expected("litbank/expected-profiles.json")[name]
    same_as_coval(corefkit.score(key, response, profile="coval"), figures["coval"])
    same_as_e2e(corefkit.score(key, response, profile="e2e"), figures["e2e"])


def test_annotator_pairs() -> None:
    """The 19 pairs with equal tokens are scored, the 6 others refused where they depart."""
    folder = CONFORMANCE / "annotators"
    lines = (folder / "pairs.tsv").read_text().splitlines()[1:]
    outcomes = []
    for text, key, response, *_, identical in (line.split("\t") for line in lines):
        paths = [folder / f"{text}.{name}.conll.gz" for name in (key, response)]
        result = run("score", *paths, "-m", "muc", "-f", "json")
        report = json.loads(result.out)
        scored = report["systems"][0]["scores"] is not None
        assert scored == (identical == "True")
        assert result.status == (0 if scored else 1)
        if not scored:
            (incident,) = report["incidents"]
            assert incident["id"] == "length-differs"
            assert incident["line"] > 1
        outcomes.append(scored)
    assert (outcomes.count(True), outcomes.count(False)) == (19, 6)
