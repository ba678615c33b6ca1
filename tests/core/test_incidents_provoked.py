"""Kinds of incidents that no test of their own module names: each is provoked once."""

import json
from pathlib import Path

import pytest

import corefkit
from corefkit import DataError, Incident
from corefkit.corpora.disagreements import read_labels
from corefkit.corpora.folders import plan
from corefkit.corpora.merging import merge
from corefkit.corpora.skeleton import read_words
from corefkit.corpora.split import partition, read_ids
from corefkit.plugins.task.init import find
from corefkit.plugins.task.manifest import read_manifest
from corefkit.scoring.check import check
from tests.support import ROOT, run_scorer

FIXTURES = ROOT / "tests" / "fixtures"


def ids(incidents: list[Incident] | tuple[Incident, ...]) -> set[str]:
    return {incident.id for incident in incidents}


RELATIONS = "#T_SP=custom.Span|entity\n#T_RL=custom.Coref|type|BT_custom.Span\n"
CHAINS = "#T_CH=custom.One|relation|type\n#T_CH=custom.Two|relation|type\n"


@pytest.mark.parametrize(
    ("kind", "layers", "cells"),
    [
        ("lists-differ", RELATIONS, ["x[1]\ta|b\t1-1", "_\t_\t_", "_\t_\t_"]),
        ("mention-gap", RELATIONS, ["x[1]\t_\t_", "_\t_\t_", "x[1]\t_\t_"]),
        ("layer-chosen", CHAINS, ["*\t*->1-1\t_\t_", "_\t_\t_\t_", "_\t_\t_\t_"]),
    ],
)
def test_webanno(kind: str, layers: str, cells: list[str], tmp_path: Path) -> None:
    words = zip(("Ada", "slept", "."), ("0-3", "4-9", "10-11"), cells, strict=True)
    rows = [f"1-{n}\t{place}\t{word}\t{cell}\t\n" for n, (word, place, cell) in enumerate(words, 1)]
    content = f"#FORMAT=WebAnno TSV 3.2\n{layers}\n\n#Text=Ada slept .\n" + "".join(rows)
    (tmp_path / "a.tsv").write_text(content, encoding="utf-8")
    assert kind in ids(check(tmp_path / "a.tsv"))


def test_text_truncated(tmp_path: Path) -> None:
    key, answer = tmp_path / "key.jsonlines", tmp_path / "answer.md"
    words = ["Ada", "slept", "in", "her", "own", "bed", "."]
    key.write_text(
        json.dumps({"doc_key": "a", "sentences": [words], "clusters": [[[0, 0], [3, 3]]]})
    )
    answer.write_text("[Ada](#1) slept in [her](#1) own")
    assert "text-truncated" in ids(corefkit.score(key, answer).incidents)


def test_value_missing(tmp_path: Path) -> None:
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    columns = {"document": ["a"], "start": [0], "end": [None], "entity": ["x"]}
    parquet.write_table(pa.table(columns), tmp_path / "a.parquet")
    assert "value-missing" in ids(check(tmp_path / "a.parquet"))


def test_too_many_mentions(monkeypatch: pytest.MonkeyPatch) -> None:
    pa, duckdb = pytest.importorskip("pyarrow"), pytest.importorskip("duckdb")
    monkeypatch.setattr("corefkit.plugins.engines.counting.MOST_MENTIONS", 1)
    table = pa.table({"document": ["a", "a"], "mention": [0, 1], "entity": ["x", "x"]})
    with pytest.raises(DataError) as error:
        corefkit.score(table, table, engine=duckdb.connect())
    assert ids(error.value.incidents) == {"too-many-mentions"}


def test_document_unknown() -> None:
    key = FIXTURES / "key.conll"
    assert "[document-unknown]" in run_scorer("muc", key, key, "(z)").err


def test_words_unreadable(tmp_path: Path) -> None:
    (tmp_path / "a.parse").write_text("(TOP (S (NN a))\n")
    with pytest.raises(DataError) as error:
        read_words(str(tmp_path / "a.parse"))
    assert ids(error.value.incidents) == {"words-unreadable"}


def test_no_files(tmp_path: Path) -> None:
    with pytest.raises(DataError) as error:
        plan(str(tmp_path), None, "_conll", str)
    assert ids(error.value.incidents) == {"no-files"}


def test_splits(tmp_path: Path) -> None:
    (tmp_path / "ids.txt").write_text("\n")
    with pytest.raises(DataError) as error:
        read_ids(str(tmp_path / "ids.txt"))
    assert ids(error.value.incidents) == {"no-ids"}
    with pytest.raises(DataError) as error:
        partition(["nobody/knows"])
    assert ids(error.value.incidents) == {"split-unknown"}


def test_labels_missing(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("number\tlabel\n1\t\n")
    with pytest.raises(DataError) as error:
        read_labels(str(tmp_path / "a.tsv"))
    assert ids(error.value.incidents) == {"labels-missing"}


def test_layer_ignored() -> None:
    text = '<DOC DOCNO="a">\n<TEXT>\n<COREF ID="4" TYPE="APPOS">She</COREF>\n</TEXT>\n</DOC>\n'
    file = b"#begin document a\na 0 0 She NN (S*) - - - - * -\n"
    assert ids(merge(file, "coref", text).incidents) == {"layer-ignored"}


@pytest.mark.parametrize(
    ("kind", "content"),
    [("manifest-unreadable", b"name = '\xff'"), ("manifest-syntax", b"name =")],
)
def test_manifests(kind: str, content: bytes, tmp_path: Path) -> None:
    (tmp_path / "task.toml").write_bytes(content)
    with pytest.raises(DataError) as error:
        read_manifest(tmp_path / "task.toml")
    assert ids(error.value.incidents) == {kind}


def test_file_unplaced(tmp_path: Path) -> None:
    (tmp_path / "keys").mkdir()
    for name in ("english.conll", "notes.md"):
        (tmp_path / "keys" / name).write_text("")
    assert ids(find(tmp_path).unplaced) == {"file-unplaced"}
