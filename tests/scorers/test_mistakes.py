"""Sides that look like a mistake are warned about; no pair of the shared files or examples is."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import corefkit
from corefkit import Incident
from corefkit.formats.conllu.model_texts import to_text
from corefkit.scorers import make_options, scorer_for
from corefkit.scorers.comparison import Side
from tests import damages
from tests.damages import NAMES, WRITERS, Clusters
from tests.pairs import example_pairs, shared_pairs
from tests.support import EXAMPLES, needs_conformance, run

MISTAKES = {"same-file", "sides-exchanged", "mentions-shifted", "zeros-elsewhere"}


def written(folder: Path, name: str, corpus: Clusters) -> Path:
    path = folder / name
    path.write_text(WRITERS[path.suffix[1:]](corpus), encoding="utf-8")
    return path


def moved(corpus: Clusters, start: int, end: int, *documents: str) -> Clusters:
    return {
        name: [[(a + start, b + end) for a, b in spans] for spans in entities]
        if name in documents
        else entities
        for name, entities in corpus.items()
    }


def _is_mistake(incident: Incident) -> bool:
    return incident.id in MISTAKES or "unlike th" in incident.message


def found(key: Path, response: Path) -> dict[str, Incident]:
    """The mistakes that scoring notices."""
    return {
        incident.id: incident
        for incident in corefkit.score(key, response).incidents
        if _is_mistake(incident)
    }


@pytest.fixture
def key(tmp_path: Path) -> Path:
    return written(tmp_path, "k.conll", damages.key())


@pytest.mark.parametrize("ending", WRITERS)
def test_the_usual_pair_is_no_mistake(tmp_path: Path, ending: str) -> None:
    ours = written(tmp_path, f"k.{ending}", damages.key())
    assert found(ours, written(tmp_path, f"r.{ending}", damages.response())) == {}


@pytest.mark.parametrize("ending", WRITERS)
@pytest.mark.parametrize("copied", [False, True])
def test_one_file_twice(tmp_path: Path, ending: str, copied: bool) -> None:
    ours = written(tmp_path, f"k.{ending}", damages.key())
    theirs = written(tmp_path, f"c.{ending}", damages.key()) if copied else ours
    assert set(found(ours, theirs)) == {"same-file"}


@pytest.mark.parametrize(
    "command",
    [
        "score",
        "compare --samples 10",
        "errors",
        "outcomes",
        "report -o page.html",
        "explain --profile standard --profile coval",
    ],
)
def test_every_command_says_so(
    key: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    name, *options = command.split()
    other = [written(tmp_path, "r.conll", damages.response())] if name == "compare" else []
    assert "[same-file]" in run(name, key, key, *other, *options).err
    gold = written(tmp_path, "gold-dev.conll", damages.response())
    other = [key] if name == "compare" else []
    assert "[sides-exchanged]" in run(name, key, gold, *other, *options).err


def test_annotators_are_neither_key_nor_response(key: Path, tmp_path: Path) -> None:
    gold = written(tmp_path, "gold.conll", damages.response())
    lost = written(tmp_path, "b.conll", {**damages.key(), "doc1": []})
    late = written(tmp_path, "c.conll", moved(damages.key(), 1, 1, "doc0", "doc1"))
    told = run("agree", key, key).err
    assert "the files of k and k (2) are the same [same-file]" in told
    assert "[sides-exchanged]" not in run("agree", key, gold).err
    told = run("agree", key, lost).err
    assert "the document contains no mentions by b, unlike by k [no-mention]" in told
    assert "few mentions by k and c are the same" in run("agree", key, late).err


def test_two_fields_of_one_file_are_not_the_same(tmp_path: Path) -> None:
    """Also where the system is perfect."""
    rows = [json.loads(line) for line in damages.jsonl(damages.key()).splitlines()]
    path = tmp_path / "both.jsonl"
    both = [{**row, "predicted_clusters": row["clusters"]} for row in rows]
    path.write_text("".join(json.dumps(row) + "\n" for row in both))
    assert corefkit.score(path, path).conll == 1
    assert found(path, path) == {}
    done = run("score", path, path, "--read", "response:clusters=clusters")
    assert "[same-file]" in done.err


@pytest.mark.parametrize("ending", ["conll", "conllu", "csv"])
def test_the_gold_carried_along(tmp_path: Path, ending: str) -> None:
    """In another column or attribute than the prediction, which no reader looks at."""
    ours = written(tmp_path, f"k.{ending}", damages.key())
    theirs = tmp_path / f"r.{ending}"
    theirs.write_text(damages.beside_the_gold(ending), encoding="utf-8")
    assert corefkit.score(ours, theirs).conll == 1
    assert found(ours, theirs)["same-file"].message.startswith("all 57 mentions")
    assert "[same-file]" in run("check", theirs, "--against", ours).out
    if ending == "csv":
        told = run("score", ours, theirs, "--engine", "duckdb").err
        assert "all 57 mentions and their entities are those of the key" in told


def test_a_converted_key_is_the_key(tmp_path: Path) -> None:
    ours = written(tmp_path, "k.conll", damages.key())
    corefkit.write(corefkit.read(ours), tmp_path / "r.conllu")
    assert set(found(ours, tmp_path / "r.conllu")) == {"same-file"}


def test_one_response_under_two_names(key: Path, tmp_path: Path) -> None:
    """A system, or a run of one, that was copied by accident."""
    one, two, other = (tmp_path / f"{name}.conll" for name in ("one", "two", "other"))
    for path, corpus in ((one, damages.response()), (two, damages.response())):
        path.write_text(WRITERS["conll"](corpus))
    other.write_text(WRITERS["conll"](damages.other()))
    told = "two.conll: warning: the response of two is the same as that of one [same-file]"
    assert told in run("score", key, one, two, other).err
    assert told in run("compare", key, one, two, other, "--samples", "10").err
    assert (
        "is the same as that of a@"
        in run("score", key, "--runs", f"a={two}", "--runs", f"a={one}").err
    )
    assert "same-file" not in run("score", key, one, other).err


def test_a_tiny_perfect_response_is_no_mistake(tmp_path: Path) -> None:
    few: Clusters = {"doc0": [[(0, 0), (3, 4), (9, 9)]]}
    ours = written(tmp_path, "k.conll", few)
    assert found(ours, written(tmp_path, "r.conll", few)) == {}
    assert set(found(ours, ours)) == {"same-file"}


def test_key_and_response_exchanged(tmp_path: Path) -> None:
    singletons = {
        name: [*entities, *([(at, at)] for at in range(1, 21, 3))]
        for name, entities in damages.key().items()
    }
    ours = written(tmp_path, "k.conll", singletons)
    theirs = written(tmp_path, "r.conll", {n: e[:4] for n, e in damages.response().items()})
    assert set(found(ours, theirs)) == {"sides-exchanged"}
    assert found(theirs, ours) == {}


@pytest.mark.parametrize("ending", ["conll", "conllu", "jsonl"])
def test_a_document_that_lost_its_mentions(tmp_path: Path, ending: str) -> None:
    ours = written(tmp_path, f"k.{ending}", damages.key())
    theirs = written(tmp_path, f"r.{ending}", {**damages.response(), "doc1": []})
    (incident,) = found(ours, theirs).values()
    assert (incident.id, incident.severity) == ("no-mention", "warning")
    assert "doc1" in str(incident.document)
    number = sum(map(len, damages.key()["doc1"]))
    assert incident.expected == f"{number} mentions, as in the key"


@pytest.mark.parametrize("documents", [NAMES, NAMES[1:2]])
@pytest.mark.parametrize("ending", ["conll", "jsonl", "csv"])
@pytest.mark.parametrize(
    "shift",
    [
        (1, 1, "began and ended one token earlier"),
        (0, 1, "ended one token earlier"),
        (0, -1, "ended one token later"),
    ],
)
def test_spans_counted_in_another_way(
    tmp_path: Path, ending: str, shift: tuple[int, int, str], documents: tuple[str, ...]
) -> None:
    start, end, said = shift
    longer = moved(damages.key(), 0, 1, *documents) if end < 0 else damages.key()
    response = moved(longer, start, end, *documents)
    response["doc3"] = damages.response()["doc3"] if documents != NAMES else response["doc3"]
    ours = written(tmp_path, f"k.{ending}", longer)
    incident = found(ours, written(tmp_path, f"r.{ending}", response))["mentions-shifted"]
    assert said in incident.message
    assert (incident.document is None) == (documents == NAMES)
    way = "--read response:ends=" in str(incident.hint)
    assert way == (ending == "jsonl" and start == 0)


@pytest.mark.parametrize("ending", ["conll", "jsonl", "csv"])
def test_a_document_of_which_nothing_matches(tmp_path: Path, ending: str) -> None:
    """Its spans are two tokens later, which is no usual shift."""
    response = moved(damages.response(), 2, 2, "doc1")
    ours = written(tmp_path, f"k.{ending}", damages.key())
    (incident,) = found(ours, written(tmp_path, f"r.{ending}", response)).values()
    assert (incident.id, incident.severity) == ("mentions-unmatched", "warning")
    assert "doc1" in str(incident.document)


def test_a_text_of_the_crac_tasks_that_is_not_read_as_they_do(tmp_path: Path) -> None:
    """Its empty nodes stand after their parents: zeros match nothing, even with the key's text."""
    drawer, text = EXAMPLES / "drawer.conllu", tmp_path / "drawer.txt"
    text.write_text(to_text(corefkit.read(drawer)), encoding="utf-8")
    for profile in ("standard", "corefud"):
        scores = corefkit.score(drawer, text, profile=profile)
        (incident,) = (i for i in scores.incidents if i.id == "zeros-elsewhere")
        assert "--align crac" in str(incident.hint)
        assert scores.conll < 1
    assert corefkit.score(drawer, text, profile="corefud", align="crac").incidents == ()
    ours = written(tmp_path, "k.conllu", damages.key())
    text.write_text(to_text(corefkit.read(ours)), encoding="utf-8")
    assert set(found(ours, text)) == {"same-file"}, "a text without zeros"


@cache
def _key_of(path: Path) -> Side:
    return scorer_for(make_options()).read(str(path))


def _seen() -> Iterator[tuple[Path, Path, str]]:
    scorer = scorer_for(make_options())
    shared = (pair for pair in shared_pairs() if "made" not in pair[0].parts)
    for key, response in dict.fromkeys([*shared, *example_pairs()]):
        comparison = scorer.compare(_key_of(key), scorer.read(str(response)))
        for incident in comparison.incidents:
            if _is_mistake(incident):
                yield key, response, incident.id


OWN: list[tuple[str, str, dict[str, Any]]] = [
    (".conllua", "ua", {}),
    (".conllua", "ua-1", {}),
    (".conllua", "ua-1", {"split": "drop"}),
    (".conllu", "corefud", {}),
    (".conllu", "corefud-1.1", {}),
    (".conll", "e2e", {}),
    ("key", "arrau", {}),
]
"""What the name of a key has, and profiles that such files are scored with."""


@needs_conformance
@pytest.mark.parametrize(("kind", "profile", "options"), OWN)
def test_no_shared_pair_looks_like_a_mistake_by_its_own_profile(
    kind: str, profile: str, options: dict[str, Any]
) -> None:
    """Where zeros are tokens, all mentions after one more zero are one token later."""
    scorer = scorer_for(make_options(None, profile, **options))
    seen = []
    for key, response in dict.fromkeys(shared_pairs()):
        fits = key.name == kind if kind == "key" else kind in key.suffixes
        if fits and "made" not in key.parts:
            comparison = scorer.compare(scorer.read(str(key)), scorer.read(str(response)))
            seen.append((key, response, [i.id for i in comparison.incidents if _is_mistake(i)]))
    assert seen
    assert [pair for pair in seen if pair[2]] == []


@needs_conformance
def test_no_shared_pair_looks_like_a_mistake() -> None:
    """Some of them are perfect responses of a few mentions, or lose a document of seven."""
    assert list(_seen()) == []


def test_a_response_without_any_mention(tmp_path: Path) -> None:
    """Also where the reader says nothing of an empty layer."""
    nothing: Clusters = {name: [] for name in NAMES}
    for name, corpus in (("k", damages.key()), ("r", nothing)):
        source = written(tmp_path, f"{name}.conll", corpus)
        corefkit.write(corefkit.read(source), tmp_path / f"{name}.conllua")
    scores = corefkit.score(tmp_path / "k.conllua", tmp_path / "r.conllua")
    assert [i.id for i in scores.incidents] == ["no-mention"]
    assert scores.conll == 0
