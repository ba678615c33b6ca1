"""Real corpora with figures that nobody here wrote: the profile `standard`."""

import gzip
import json
import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import corefkit
from corefkit import Corpus, Scores
from tests.strategies import some_of
from tests.support import CONFORMANCE, needs_conformance, run

pytestmark = needs_conformance
REFERENCE = [f"TC-{name}" for name in (*(f"A-{i}" for i in range(1, 14)),)]
REFERENCE += [f"TC-{letter}-1" for letter in "BCDEFGHIJKL"]
REFERENCE += [f"TC-{letter}-{i}" for letter in "MN" for i in range(1, 7)]
RATIO_METRICS = ("mentions", "muc", "bcub", "ceafm", "ceafe", "lea")
WHOLE = ("mentions", "muc", "ceafm")


@cache
def expected(path: str) -> Any:
    return json.loads((CONFORMANCE / path).read_text())


@cache
def read(path: Path) -> Corpus:
    return corefkit.read(path)


def same_counts(found: list[float], figures: list[float], *, whole: bool) -> None:
    if whole:
        assert found == figures
    else:
        assert found == pytest.approx(figures, abs=1e-9)


def check(scores: Scores, figures: dict[str, Any]) -> None:
    for metric in figures.keys() & set(RATIO_METRICS):
        for side in ("recall", "precision"):
            whole = metric in WHOLE
            same_counts(scores[metric].counts[side], figures[metric][side], whole=whole)
    links = figures["blanc"]
    for kind in links.keys() & {"coreference", "noncoreference"}:
        for side in ("recall", "precision"):
            same_counts(scores["blanc"].counts[kind][side], links[kind][side], whole=True)
    if "recall" in links:
        mean = [x[0] if isinstance(x, list) else x for x in (links["recall"], links["precision"])]
        blanc = scores["blanc"]
        assert [blanc.recall, blanc.precision] == pytest.approx(mean, abs=1e-9)


def test_no_reference_case_is_forgotten() -> None:
    assert sorted(REFERENCE) == sorted(expected("reference/expected.json"))
    assert len(REFERENCE) == 36


@pytest.mark.parametrize("case", REFERENCE)
def test_reference(case: str) -> None:
    figures = expected("reference/expected.json")[case]
    folder = CONFORMANCE / "reference"
    check(corefkit.score(folder / figures["key"], folder / figures["response"]), figures)


@pytest.mark.parametrize("name", ["response-good", "response-fair", "response-poor"])
def test_litbank(name: str) -> None:
    folder = CONFORMANCE / "litbank"
    key, response = read(folder / "key.conll.gz"), read(folder / f"{name}.conll.gz")
    assert (key.mentions, key.entities) == (29_103, 7_927)
    assert int((key.entity_size == 1).sum()) == 5_763
    check(corefkit.score(key, response), expected("litbank/expected.json")[name])


@pytest.mark.parametrize("name", ["response-good", "response-fair", "response-poor"])
def test_ontonotes(name: str) -> None:
    folder = CONFORMANCE / "ontonotes-dev"
    key, response = read(folder / "key.conll.gz"), read(folder / f"{name}.conll.gz")
    assert (key.mentions, key.entities, key.mentions - key.entities) == (19_156, 4_546, 14_610)
    scores = corefkit.score(key, response)
    assert "span-in-two-entities" in {i.id for i in scores.incidents}
    check(scores, expected("ontonotes-dev/expected-standard.json")[name])


@pytest.mark.parametrize("case", range(3))
def test_cross_document(case: int) -> None:
    entry = expected("cross-document/expected.json")[case]
    folder = CONFORMANCE / "cross-document"
    _check_published(corefkit.score(folder / entry["key"], folder / entry["response"]), entry)


@pytest.mark.parametrize("case", range(3))
def test_cross_document_in_documents(case: int, tmp_path: Path) -> None:
    """The meta-document in the documents that it was made of, scored across them."""
    entry = expected("cross-document/expected.json")[case]
    sides = []
    for side in ("key", "response"):
        data = gzip.decompress((CONFORMANCE / "cross-document" / entry[side]).read_bytes())
        sides.append(tmp_path / f"{side}.conll")
        sides[-1].write_text(_in_documents(data.decode()), encoding="utf-8")
    scores = corefkit.score(sides[0], sides[1], across="corpus")
    assert len(corefkit.read(sides[0]).names) > 50
    _check_published(scores, entry)
    none = corefkit.score(sides[0], sides[1])
    assert none["muc"].counts["recall"][1] < scores["muc"].counts["recall"][1]


def _in_documents(text: str) -> str:
    """The lines of a meta-document, whose third column names the document, one by one."""
    documents: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            cells = line.split("\t")
            documents.setdefault(cells[2], []).append("\t".join(cells[2:]))
    return "".join(
        f"#begin document {name}\n" + "\n".join(lines) + "\n\n#end document\n"
        for name, lines in documents.items()
    )


def _check_published(scores: corefkit.Scores, entry: dict[str, Any]) -> None:
    for metric, figures in entry["expected"].items():
        if metric == "conll":
            assert 100 * scores.conll == pytest.approx(figures["F1"], abs=1e-9)
        else:
            score = scores[metric]
            assert [score.recall, score.precision, score.f1] == pytest.approx(
                [figures["R"], figures["P"], figures["F1"]], abs=1e-9
            )


@pytest.mark.parametrize("case", range(5))
def test_annotators(case: int) -> None:
    entry = expected("annotators/expected.json")[case]
    folder = CONFORMANCE / "annotators"
    scores = corefkit.score(folder / entry["key"], folder / entry["response"])
    check(scores, entry["reference_scorer"])


DOCUMENT = re.compile(r"#begin document.*?#end document[^\n]*\n", re.DOTALL)


def scrambled(text: str, rng: random.Random) -> str:
    """Documents in another order, ids renamed, brackets of a cell in another order and glued."""
    documents = DOCUMENT.findall(text)
    rng.shuffle(documents)
    return "".join(_rewritten(document, rng) for document in documents)


def _rewritten(document: str, rng: random.Random) -> str:
    names: dict[str, str] = {}

    def rename(match: re.Match[str]) -> str:
        return names.setdefault(match[0], f"e{rng.getrandbits(64)}")

    def cell(match: re.Match[str]) -> str:
        parts = match[2].split("|")
        rng.shuffle(parts)
        renamed = "|".join(re.sub(r"[^()|]+", rename, part) for part in parts)
        glued = renamed.replace(")|", ")").replace("|(", "(")
        return match[1] + rng.choice([renamed, glued])

    return re.sub(r"(?m)^([^#\n].*[ \t])((?:\(?\d+\)?\|?)+)$", cell, document)


@pytest.mark.more
def test_order_ids_and_cells_do_not_change_a_digit(tmp_path: Path) -> None:
    rng = random.Random(2)
    folder = CONFORMANCE / "ontonotes-dev"
    outputs = []
    for turn in range(2):
        paths = []
        for name in ("key", "response-fair"):
            corpus = read(folder / f"{name}.conll.gz")
            text = corpus.sources[0].data.decode()
            text = "".join(some_of(DOCUMENT.findall(text), 3))
            path = tmp_path / f"{name}.conll"
            path.write_text(scrambled(text, rng) if turn else text)
            paths.append(path)
        result = run("score", *paths, "-f", "json", "--by", "document")
        assert result.status == 0
        output = {k: v for k, v in json.loads(result.out).items() if k != "incidents"}
        for side in (output["key"], *output["systems"]):
            assert side.pop("bytes") == paths[side is not output["key"]].stat().st_size
            del side["sha256"]
        outputs.append(output)
    assert outputs[0] == outputs[1]
