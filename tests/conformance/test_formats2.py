"""More formats, annotators, labels: every file of conformance/formats2."""

import json
import re
import shutil
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import corefkit
from corefkit import Corpus, DataError
from corefkit.core.incidents import Incident
from corefkit.formats.kit.annotators import CURATION, annotations_of, read_annotators
from corefkit.formats.kit.detection import recognise
from corefkit.formats.kit.files import load
from corefkit.formats.kit.reading import read_all
from corefkit.formats.options import make_reading
from corefkit.plugins.published import load as load_published
from corefkit.scorers import make_options, scorer_for
from corefkit.scorers.counting import count_comparison
from tests.formats.test_conformance import mention, sentences
from tests.support import CONFORMANCE, needs_conformance

FOLDER = CONFORMANCE / "formats2"
KINDS = ("ace", "ancor", "corefannotator", "ere", "glozz", "i2b2", "rucoco", "tac", "tbf")
pytestmark = needs_conformance


@cache
def expectations(name: str) -> Any:
    """One of the files of expectations; nothing where the data is missing and tests are skipped."""
    path = FOLDER / name
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def detected() -> dict[str, str | None]:
    found: dict[str, str | None] = expectations("detect.json")
    files = {name: kind for name, kind in found.items() if (FOLDER / name).is_file()}
    return files


@pytest.mark.parametrize("name", detected())
def test_recognised_by_content(name: str) -> None:
    assert recognise(load(str(FOLDER / name))) == detected()[name]


@pytest.mark.parametrize("name", expectations("project/expected.json"))
def test_projects(name: str) -> None:
    path = str(FOLDER / "project" / name)
    expected = expectations("project/expected.json")[name]
    if "error" in expected:
        with pytest.raises(DataError) as error:
            read_annotators(path) if "nothing" in name else read_all(path).checked()
        assert [i.id for i in error.value.incidents if i.severity == "error"] == [expected["error"]]
        return
    found: list[dict[str, Any]] = []
    listed = annotations_of(path)
    states = {(one.document, one.annotator): one.state for one in listed}
    for annotator in dict.fromkeys(one.annotator for one in listed):
        corpus = read_all(f"{path}#{annotator}" if annotator else path).checked()
        for number, document in enumerate(corpus.names):
            row: dict[str, Any] = {"name": document, "annotator": annotator, "unit": corpus.unit}
            row |= as_expected(corpus, number, {})
            if state := states[document, annotator]:
                row["state"] = state
            found.append(row)
    if name == "label-studio.json":  # one that is ground truth is there twice
        truth = [row for row in found if row["annotator"] == CURATION]
        found = [row for row in found if row["annotator"] != CURATION]
        for row in found:
            if {**row, "annotator": CURATION} in truth:
                row["ground_truth"] = True
    wanted_rows = expected["annotations"]

    def order(row: dict[str, Any]) -> tuple[str, str]:
        return row["name"], row["annotator"] or ""

    assert sorted(found, key=order) == sorted(wanted_rows, key=order)


@pytest.mark.parametrize("sides", expectations("scores.json").get("sides", {}))
def test_annotators_as_sides(sides: str) -> None:
    key, response = (
        str(FOLDER / ("corefannotator" if "xmi" in side else "project") / side)
        for side in sides.split(" ")
    )
    scores = corefkit.score(key, response)
    for metric, f1 in expectations("scores.json")["sides"][sides].items():
        assert scores[metric].f1 == pytest.approx(f1, abs=1e-11)


@pytest.mark.parametrize("name", expectations("unknown/expected.json"))
def test_unknown_files(name: str) -> None:
    expected = expectations("unknown/expected.json")[name]
    path = FOLDER / "unknown" / name
    with pytest.raises(DataError) as error:
        corefkit.read(path)
    (incident,) = error.value.incidents
    assert incident.id == expected.get("id", "format-unknown")
    text = str(incident)
    wanted_texts = [*expected.get("fields", []), *expected.get("first", [])]
    wanted_texts += [expected[field] for field in ("option", "delimiter") if expected.get(field)]
    wanted_texts += [f"root {expected['root']}"] if "root" in expected else []
    wanted_texts += [f"{number} {name}" for name, number, _ in expected.get("elements", [])]
    wanted_texts += [f"{expected['columns'][0]} columns"] if "columns" in expected else []
    if incident.id == "clusters-missing":
        wanted_texts += [expected["nearest"], *expected["missing"]]
    wanted_texts = [re.sub(r"--clusters (?=\w)", "--read clusters=", one) for one in wanted_texts]
    assert [one for one in wanted_texts if one not in text] == []
    assert "begin document" not in text
    if option := expected.get("option"):
        how = dict(re.findall(r"--(\w+) (\S+)", option))
        assert corefkit.read(path, **how).mentions > 0
        del how["format"]
        assert corefkit.read(path, **how).mentions > 0


@pytest.mark.parametrize("pair", expectations("scores.json").get("rucoco", {}))
def test_rucoco(pair: str) -> None:
    key, response = (FOLDER / "rucoco" / side for side in pair.split(" "))
    score = corefkit.score(key, response, "rucoco")["rucoco"]
    expected = expectations("scores.json")["rucoco"][pair]
    for side in ("recall", "precision"):
        assert score.counts[side] == pytest.approx(expected[side], abs=1e-9)
    assert score.f1 == pytest.approx(expected["f1"], abs=1e-12)
    live = expectations("live.json")["rucoco"][pair]
    shown = (score.f1, score.precision, score.recall)
    assert [f"{value:.3f}" for value in shown if value is not None] == live


@pytest.mark.parametrize("case", expectations("scores.json").get("tbf", {}))
def test_kbp(case: str) -> None:
    key, response, labels = case.split(" ")
    labels = labels.removeprefix("labels:").replace("span", "none")
    scores = corefkit.score(
        FOLDER / "tbf" / key, FOLDER / "tbf" / response, profile="kbp", labels=labels
    )
    for metric, f1 in expectations("scores.json")["tbf"][case].items():
        assert scores[metric].f1 == pytest.approx(f1, abs=1e-12)
    for metric, shown in expectations("live.json")["tbf"][case].items():
        name = {"average": "kbp"}.get(metric, metric)
        assert 100 * scores[name].f1 == pytest.approx(shown, abs=0.0101)


TAC = {
    "mention_ceaf": ("ceafm", "none"),
    "typed_mention_ceaf": ("ceafm", "type"),
    "mention_ceaf_plus": ("ceafm", "kb"),
    "typed_mention_ceaf_plus": ("ceafm", "type,kb"),
    "entity_ceaf": ("ceafe", "none"),
    "b_cubed": ("bcub", "none"),
    "b_cubed_plus": ("bcub", "kb"),
    "muc": ("muc", "none"),
    "strong_mention_match": ("mentions", "none"),
    "strong_typed_mention_match": ("mentions", "type"),
    "strong_all_match": ("mentions", "kb"),
}
"""What the measures of neleval are called here."""


@pytest.mark.parametrize("measure", TAC)
@pytest.mark.parametrize("pair", expectations("scores.json").get("tac", {}))
def test_tac(pair: str, measure: str) -> None:
    key, response = (FOLDER / "tac" / side for side in pair.split(" "))
    metric, labels = TAC[measure]
    score = corefkit.score(
        key, response, metric, labels=labels, across="corpus", documents="union"
    )[metric]
    expected = expectations("scores.json")["tac"][pair][measure]
    assert score.counts["recall"] == pytest.approx(expected["recall"], abs=1e-9)
    assert score.counts["precision"] == pytest.approx(expected["precision"], abs=1e-9)
    live = expectations("live.json")["tac"][pair][measure]
    assert [score.precision, score.recall, score.f1] == pytest.approx(live, abs=0.00051)
    if {*corefkit.read(response).names} <= {*corefkit.read(key).names}:
        across = corefkit.score(key, response, metric, labels=labels, across="corpus")[metric]
        assert across.counts["recall"] == pytest.approx(expected["recall"], abs=1e-9)
        assert across.counts["precision"] == pytest.approx(expected["precision"], abs=1e-9)


@pytest.mark.parametrize("case", expectations("leave-out.json"))
def test_leave_out(case: str) -> None:
    key, response, kinds = case.split(" ")
    expected = expectations("leave-out.json")[case]
    options = make_options(
        "mentions,muc,bcub",
        match="exact",
        zeros="linear",
        leave_out=() if kinds == "nothing" else kinds.split("+"),
    )
    scorer = scorer_for(options)
    (first,) = (CONFORMANCE / "corefud" / "keys").glob(f"{key}.conllu*")
    (second,) = (CONFORMANCE / "corefud" / "responses").glob(f"{response}.conllu*")
    comparison = scorer.compare(scorer.read(str(first)), scorer.read(str(second)))
    assert (comparison.left_out or {"key": {}, "response": {}}) == expected["gone"]
    counts = count_comparison(scorer, comparison)
    for metric in ("mentions", "muc", "bcub"):
        sums = [float(column.sum()) for column in counts.tables[metric]]
        assert sums == pytest.approx(expected[metric], abs=1e-6)


@pytest.mark.parametrize("pair", expectations("scores.json").get("empty-nodes", {}))
def test_empty_nodes(pair: str) -> None:
    key, response = pair.split(" ")
    (first,) = (CONFORMANCE / "corefud" / "keys").glob(f"{key}.conllu*")
    (second,) = (CONFORMANCE / "corefud" / "responses").glob(f"{response}.conllu*")
    levels = corefkit.score(first, second, "empty-nodes")["empty-nodes"].levels
    assert levels is not None
    expected = expectations("scores.json")["empty-nodes"][pair]
    for level, (found, in_key, in_response) in expected.items():
        counts = levels[level].counts
        assert counts["tp"] == found
        assert counts["tp"] + counts["fn"] == in_key
        assert counts["tp"] + counts["fp"] == in_response
    for level, live in expectations("live.json").get("empty-nodes", {}).get(pair, {}).items():
        score = levels[level]
        shown = (score.f1, score.precision, score.recall)
        assert [round(100 * value, 2) for value in shown if value is not None] == pytest.approx(
            [float(value) for value in live], abs=0.0051
        )


def cases() -> list[str]:
    return [f"{kind}/{name}" for kind in KINDS for name in expectations(f"{kind}/expected.json")]


def wanted(case: str) -> dict[str, Any]:
    kind, _, name = case.partition("/")
    found: dict[str, Any] = expectations(f"{kind}/expected.json")[name]
    return found


def read(case: str) -> tuple[Corpus, list[Incident]]:
    name, option = re.fullmatch(r"(.*?)(?: \((.*)\))?", case).groups()  # type: ignore[union-attr]
    how: dict[str, Any] = dict([option.split(" ", 1)]) if option else {}
    if case == "tac/bad-place.tab.txt":
        how["format"] = "tac-edl"  # the content says nothing
    try:
        corpus = read_all(str(FOLDER / name), make_reading(**how))
    except DataError as error:
        return Corpus.from_clusters({}), list(error.incidents)
    return corpus, list(corpus.incidents)


@pytest.mark.parametrize("case", [case for case in cases() if "documents" in wanted(case)])
def test_documents(case: str) -> None:
    corpus, incidents = read(case)
    assert not [i for i in incidents if i.severity == "error"]
    documents = wanted(case)["documents"]
    assert list(corpus.names) == [document["name"] for document in documents]
    for number, document in enumerate(documents):
        assert corpus.unit == document["unit"]
        assert as_expected(corpus, number, document) == {
            name: value for name, value in document.items() if name in SHAPED
        }
        if size := document.get("characters", document.get("tokens")):
            assert corpus.tokens[number] == size
        if "sentences" in document:
            assert sentences(corpus, number) == document["sentences"]
        if "mentions" in document:
            assert (corpus.document == number).sum() == document["mentions"]


SHAPED = ("clusters", "type", "realis", "kb", "head", "flags", "groups")


def as_expected(corpus: Corpus, number: int, document: dict[str, Any]) -> dict[str, Any]:
    """The mentions of a document in the shape of expected.json."""
    entities: dict[int, dict[tuple[int, ...], int]] = {}
    for row in np.flatnonzero(corpus.document == number).tolist():
        rows = entities.setdefault(int(corpus.entity[row]), {})
        rows.setdefault(tuple(mention(corpus, row)), row)
    order = sorted(entities, key=lambda entity: (sorted(entities[entity]), entity))
    order.sort(key=lambda entity: sorted(entities[entity]))
    listed = [sorted(entities[entity].items()) for entity in order]
    found: dict[str, Any] = {"clusters": [[[*span] for span, _ in spans] for spans in listed]}
    for name in SHAPED[1:-1]:
        if name in document:
            found[name] = [[value(corpus, name, row) for _, row in spans] for spans in listed]
    if "groups" in document:
        found["groups"] = groups(corpus, order)
    return found


def value(corpus: Corpus, name: str, row: int) -> Any:
    if name == "head":
        assert corpus.minimum is not None
        start, end = corpus.minimum[row].tolist()
        return None if start < 0 else [start, end + 1]
    assert corpus.mention_labels is not None
    text = corpus.mention_labels.values(name)[row]
    return (text.split("|") if name == "flags" else text) if text else None


def groups(corpus: Corpus, order: list[int]) -> list[Any]:
    found: dict[int, list[int]] = {}
    place = {entity: at for at, entity in enumerate(order)}
    for at in range(len(corpus.links.kind) if corpus.links else 0):
        group, member = int(corpus.links.source[at]), int(corpus.links.target[at])  # type: ignore[union-attr]
        if group in place:
            found.setdefault(place[group], []).append(place[member])
    return [[group, sorted(members)] for group, members in sorted(found.items())]


@pytest.mark.parametrize("case", [case for case in cases() if "documents" in wanted(case)])
def test_warnings(case: str) -> None:
    documents = wanted(case)["documents"]
    if not any("told" in document for document in documents):
        return
    told: Counter[str] = Counter()
    for document in documents:
        told.update({k: n for k, n in document["told"].items() if k != "unindexed"})
    found: Counter[str] = Counter()
    for incident in read(case)[1]:
        found[incident.id] += incident.count
    if "i2b2" not in case:  # copies of spans are not listed elsewhere
        found.pop("span-twice", None)
    assert found == told


@pytest.mark.parametrize("case", [case for case in cases() if "error" in wanted(case)])
def test_refused(case: str) -> None:
    _, incidents = read(case)
    (error,) = [i for i in incidents if i.severity == "error"]
    assert error.id == wanted(case)["error"]
    if wanted(case)["line"] is not None:
        assert error.line == wanted(case)["line"]
    assert error.hint
    assert error.file


def test_published_empty_nodes() -> None:
    expected = expectations("published.json")
    rows = {row.facts["dataset"]: row for row in load_published(expected["name"]).rows}
    columns = [f"{column}.f1" for column in expected["columns"]]
    found = {name: [row.figures[column] for column in columns] for name, row in rows.items()}
    assert found == expected["rows"]


def test_texts_and_concepts_of_a_folder_are_no_documents(tmp_path: Path) -> None:
    for folder in ("chains", "docs", "concepts"):
        shutil.copytree(FOLDER / "i2b2" / folder, tmp_path / folder)
    assert corefkit.read(tmp_path).names == ("made-1",)
