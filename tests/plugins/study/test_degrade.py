"""Responses with known errors: the figures of the conformance data, and what chance must keep."""

import hashlib
import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import Corpus, UsageError
from corefkit.core.nodes import span_of
from corefkit.plugins.study.degrade import degrade, parse_rate
from tests.strategies import examples, some_of
from tests.support import CONFORMANCE, EXAMPLES, needs_conformance, run

STRATA = CONFORMANCE / "strata"
FIGURES: dict[str, dict[str, Any]] = (
    json.loads((STRATA / "degrade.json").read_text()) if STRATA.is_dir() else {}
)
SCORED = ("mentions", "muc", "bcub", "ceafm", "ceafe", "lea", "conll")

Clusters = list[list[tuple[int, int]]]


@cache
def read_key(name: str) -> Corpus:
    return corefkit.read(CONFORMANCE / name / "key.conll.gz")


def in_order(clusters: Any) -> Clusters:
    """Entities and mentions in text order."""
    entities = [sorted(((s, e) for s, e in entity), key=text_place) for entity in clusters]
    return sorted(entities, key=lambda entity: [*map(text_place, entity)])


def text_place(span: tuple[int, int]) -> tuple[int, int]:
    return span[0], -span[1]


def fingerprint(corpus: Corpus) -> str:
    lines = []
    for name, clusters in sorted(corpus.clusters().items()):
        lines.append(name)
        lines += [" ".join(f"{s}-{e}" for s, e in entity) for entity in in_order(clusters)]
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


@needs_conformance
@pytest.mark.more
@pytest.mark.parametrize("name", some_of([*FIGURES], 2))
def test_conformance(name: str) -> None:
    corpus, _, seed, *rates = name.split()
    named: dict[str, Any] = dict(zip(rates[::2], rates[1::2], strict=True))
    key = read_key(corpus)
    made = degrade(key, seed=int(seed), **named).corpus
    wanted = FIGURES[name]
    assert fingerprint(made) == wanted["fingerprint"]
    assert [made.entities, made.mentions] == wanted["response"]
    scores = corefkit.score(key, made, metrics=SCORED)
    for metric in SCORED:
        assert scores[metric].f1 == pytest.approx(wanted[metric], abs=1e-12)


@needs_conformance
@pytest.mark.parametrize("case", ["degrade", "degrade full"])
def test_cases(case: str) -> None:
    known = json.loads((STRATA / "cases.json").read_text())["others"][case]
    key = Corpus.from_clusters({known["document"]: known["key"]})
    key = replace(key, tokens=np.array([known["tokens"]]))
    for seed, wanted in known["seeds"].items():
        made = degrade(key, seed=int(seed), **known["rates"]).corpus
        assert in_order(made.clusters()[known["document"]]) == in_order(wanted)


def test_a_hit_is_exact() -> None:
    """The example of STRATA 6.1: x / 2⁶⁴ = 0.28288…, so that 0.29 hits and 0.28 does not."""
    key = Corpus.from_clusters({"d": [[(3, 3), (5, 5)]]})
    share = Fraction(5218377319939646473, 1 << 64)
    rates: list[Any] = ["0.28", share, "0.29", share + Fraction(1, 1 << 64), "29%", 0.29]
    left = [(3, 3) in degrade(key, drop=rate).corpus.clusters()["d"][0] for rate in rates]
    assert left == [True, True, False, False, False, False]


def span() -> st.SearchStrategy[tuple[int, int]]:
    return st.tuples(st.integers(0, 12), st.integers(0, 3)).map(lambda s: (s[0], s[0] + s[1]))


@st.composite
def keys(draw: st.DrawFn) -> Corpus:
    """One or two documents, entities of spans that occur once, nested and crossing ones too."""
    documents: dict[str, Clusters] = {}
    for name in ("a", "b")[: draw(st.integers(1, 2))]:
        spans = draw(st.lists(span(), unique=True, max_size=9))
        entities: dict[int, list[tuple[int, int]]] = {}
        for one in spans:
            entities.setdefault(draw(st.integers(0, 3)), []).append(one)
        documents[name] = [*entities.values()]
    return Corpus.from_clusters(documents)


RATE = st.sampled_from(["0", "0.2", "50%", "0.8", "1"])
RATES = st.fixed_dictionaries(dict.fromkeys(("split", "merge", "drop", "span", "invent"), RATE))


@examples(60)
@given(keys(), RATES, st.integers(1, 3))
def test_errors_are_what_the_list_says(key: Corpus, rates: dict[str, Any], seed: int) -> None:
    """Mentions come and go one by one, and each change of their number is listed."""
    made, errors = degrade(key, **rates, seed=seed)
    kinds = Counter(error.operation for error in errors)
    assert made.mentions == key.mentions - kinds["drop"] + kinds["invent"]
    assert degrade(key, seed=seed).corpus.clusters().keys() == key.clusters().keys()
    new = mention_set(made) - mention_set(key)
    assert len(new) == kinds["span"] + kinds["invent"]
    assert len(mention_set(made)) == made.mentions, "no span is made twice"


def mention_set(corpus: Corpus) -> set[tuple[str, int, int]]:
    return {
        (name, *one) for name, found in corpus.clusters().items() for own in found for one in own
    }


@examples(60)
@given(keys(), st.sampled_from(["drop", "split"]), st.integers(1, 5))
def test_low_rates_hit_what_higher_ones_hit(key: Corpus, operation: str, seed: int) -> None:
    hit: set[tuple[str, str, str]] = set()
    for rate in ("0.1", "0.3", "0.6", "1"):
        rates: dict[str, Any] = {operation: rate}
        errors = degrade(key, seed=seed, **rates).errors
        now = {(error.document, error.start, error.end) for error in errors}
        assert hit <= now
        hit = now
    if operation == "drop":
        assert len(hit) == key.mentions


@examples(40)
@given(keys(), RATES)
def test_neither_order_nor_ids_matter(key: Corpus, rates: dict[str, Any]) -> None:
    wanted = fingerprint(degrade(key, **rates).corpus)
    listed = [*reversed(key.clusters().items())]
    other = Corpus.from_clusters({n: [e[::-1] for e in reversed(own)] for n, own in listed})
    assert fingerprint(degrade(other, **rates).corpus) == wanted


def test_brackets_of_an_entity_never_cross(tmp_path: Path) -> None:
    """Or no CoNLL file could hold the result: entities of a key without crossing ones stay so."""
    key = corefkit.read(EXAMPLES / "key.conll")
    for seed in range(5):
        rates: dict[str, Any] = dict.fromkeys(("split", "merge", "drop", "span", "invent"), "0.5")
        made = degrade(key, seed=seed, **rates).corpus
        corefkit.write(made, tmp_path / f"{seed}.conll")
        again = corefkit.read(tmp_path / f"{seed}.conll")
        assert fingerprint(again) == fingerprint(made)
        assert again.column("word") == key.column("word")


def nodes_by_entity(corpus: Corpus) -> list[list[Any]]:
    """The mentions of all entities, empty nodes and parts included."""
    entities: dict[int, list[Any]] = {}
    for row in range(corpus.mentions):
        entities.setdefault(int(corpus.entity[row]), []).append(span_of(corpus, row))
    return sorted(sorted(entity) for entity in entities.values())


KEYS = sorted((CONFORMANCE / "corefud" / "keys").glob("*.conllu.gz"))


@needs_conformance
@pytest.mark.more
@pytest.mark.parametrize("file", some_of(KEYS, 3), ids=lambda file: file.name)
def test_corefud_files_hold_the_result(file: Path, tmp_path: Path) -> None:
    """Zeros and parts stay, nothing crosses or leaves its sentence, an entity has one type."""
    key = corefkit.read(file)
    rates: dict[str, Any] = {
        "split": "0.2",
        "merge": "0.3",
        "drop": "0.1",
        "span": 0.4,
        "invent": 1,
    }
    made = degrade(key, **rates)
    corefkit.write(made.corpus, tmp_path / "made.conllu")
    again = corefkit.read(tmp_path / "made.conllu")
    assert nodes_by_entity(again) == nodes_by_entity(made.corpus)
    told = {incident.id for incident in again.incidents}
    assert told <= {"relation-twice", "antecedent-alone"}
    assert again.column("word") == key.column("word")


CORPUS = """# newdoc id = t
# global.Entity = eid-etype-head-other
# sent_id = t-1
1	Ada	_	_	_	_	_	_	_	Entity=(e1-person-1)
1.1	_	_	_	_	_	_	_	1:dep	Entity=(e2-place-1)
2	saw	_	_	_	_	_	_	_	_
3	the	_	_	_	_	_	_	_	Entity=(e3-object-2-x
4	sea	_	_	_	_	_	_	_	Entity=e3)

# sent_id = t-2
1	She	_	_	_	_	_	_	_	Entity=(e1-person-1)
2	swam	_	_	_	_	_	_	_	_
3	there	_	_	_	_	_	_	_	Entity=(e2-place-1)

"""


def test_corefud_heads_types_and_sentences(tmp_path: Path) -> None:
    (tmp_path / "key.conllu").write_text(CORPUS)
    key = corefkit.read(tmp_path / "key.conllu")
    for seed in range(12):
        joined = degrade(key, merge=1, seed=seed)
        corefkit.write(joined.corpus, tmp_path / "joined.conllu")
        again = corefkit.read(tmp_path / "joined.conllu")
        assert (again.entities, again.incidents) == (1, ()), "one type, so nothing is told"
        assert "(e1-person-1)" in (tmp_path / "joined.conllu").read_text()
        assert "-x" in (tmp_path / "joined.conllu").read_text(), "other values stay"
    moved = degrade(key, span=1, seed=1).corpus
    assert moved.head is not None
    assert moved.zero is not None
    for start, end, head, zero in zip(moved.start, moved.end, moved.head, moved.zero, strict=True):
        assert zero or start <= head <= end
        assert (start <= 3) == (end <= 3), "within its sentence"
    names = {(error.start, error.end) for error in degrade(key, drop=1).errors}
    assert ("0.1", "0.1") in names, "a zero has the number of the word before it"
    added = degrade(key, invent=1, seed=3)
    corefkit.write(added.corpus, tmp_path / "added.conllu")
    again = corefkit.read(tmp_path / "added.conllu")
    assert not [i for i in again.incidents if i.id == "etype-differs"]
    assert again.mentions == added.corpus.mentions > key.mentions


@pytest.mark.parametrize("rate", ["1.01", "-0.1", "101%", "x", "nan", "inf", "", "%", "1e-400"])
def test_rates_that_are_none(rate: str) -> None:
    with pytest.raises(UsageError, match="not a rate from 0 to 1"):
        parse_rate(rate)
    made = run("study", "degrade", EXAMPLES / "key.conll", "-o", "-", "--drop", rate)
    assert made.status == 2
    assert "drop: " in made.err


def test_command(tmp_path: Path) -> None:
    key, out, log = EXAMPLES / "key.conll", tmp_path / "worse.conll", tmp_path / "log.tsv"
    made = run("study", "degrade", key, "-o", out, "--drop", "20%", "--invent", "0.1", "--log", log)
    assert made.status == 0
    rows = [line.split("\t") for line in log.read_text().splitlines()]
    assert rows[0] == ["operation", "document", "start", "end", "became"]
    drops = sum(row[0] == "drop" for row in rows)
    before, after = corefkit.read(key), corefkit.read(out)
    assert after.mentions == before.mentions - drops + sum(row[0] == "invent" for row in rows)
    assert f"{len(rows) - 1} errors" in made.err
    again = run("study", "degrade", key, "-o", out)
    assert (again.status, "--force" in again.err) == (2, True)
    assert run("study", "degrade", key, "-o", out, "--force").status == 0
    assert fingerprint(corefkit.read(out)) == fingerprint(before)


def test_command_without_output() -> None:
    made = run("study", "degrade", EXAMPLES / "key.conll", "--drop", "1")
    assert made.status == 2
    assert "-o" in made.err
