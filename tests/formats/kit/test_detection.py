"""Which format a file is in, by its content alone."""

import json
import zlib
from pathlib import Path

import pytest

import corefkit
from corefkit import DataError
from corefkit.formats import registry
from corefkit.formats.kit.detection import detect, recognise
from tests.formats.conformance import FOLDER, known, load
from tests.support import needs_conformance

UNREAD = {f.name: (f.title, f.advice) for f in registry.unread_formats()}


@needs_conformance
def test_all_answers_of_the_conformance_data() -> None:
    answers = load("detect.json")
    assert len(answers) == 142
    found = {name: detect((FOLDER / name).read_bytes()) for name in answers}
    assert found == answers


@needs_conformance
def test_no_reader_is_added_without_being_checked() -> None:
    formats = set(load("detect.json").values())
    assert known() == formats


def test_every_answer_is_read_or_explained() -> None:
    for name in UNREAD:
        assert name not in registry.format_names(), f"{name} is read: take it out of UNREAD"


@pytest.mark.parametrize(
    ("data", "format"),
    [
        (b"\xef\xbb\xbf#begin document x\nx 0 0 w -\n", "conll"),
        (b"# a comment\n#begin document x\n1 w -\n", "conll"),
        (b"#begin document x\n1\t-\n2\t-\n", "semeval2010"),
        (b"#begin document 1\n" + b"1 0 0 w a b c d e f g -\n" * 2, "conll"),
        (b'[\n {"id": "a", "sentences": [], "mention_clusters": []}]', "preco"),
        (b'{"text": "cut off", "clusters": [[[0, ', "fastcoref"),
        (b"[The crew](#1) slept", "markdown"),
        (b"PAR1....", "parquet"),
        (b"TOKEN\tMARKABLE\tMIN_WORDS\tREFERENCE\nThe\n", "arrau"),
        (b"The B-markable_1=set_1\n", "arrau"),
        (zlib.compress(b"docs"), "spacy"),
        (b"#FORMAT=WebAnno TSV 2\n", "webanno-old"),
        (b"# global.Entity = eid-etype\n# newdoc id = a\n", "conllu"),
        (b"R1\tCoreference Arg1:T2 Arg2:T1\t\n", "brat"),
        (b"*\tEquiv T1 T2\n", "brat"),
        (b"She said so|[e1] .\n", "text2text"),
        (b"{M1 The crew} slept", "sacr"),
    ],
)
def test_small_files(data: bytes, format: str) -> None:
    assert detect(data) == format


@pytest.mark.parametrize(
    "data",
    [b"", b"Once upon a time", b'{"a": 1}', b"[1, 2]", b"<html></html>", b"{", b"\x78", b"x (1)\n"],
)
def test_nothing_that_is_known(data: bytes) -> None:
    assert recognise(data) is None
    assert detect(data) == "conll"


@pytest.mark.parametrize(
    "piece", [b"[", b"{", b"|", b"<coref ", b"<root ", b'"', b"#", b"(", b"#\n"]
)
def test_takes_linear_time(piece: bytes) -> None:
    detect(b"text " + piece * 40_000)
    detect(piece * 40_000)


UNREAD_FILES = {
    "webanno-old": b"#FORMAT=WebAnno TSV 2\n",
    "booknlp-tokens": b"paragraph_ID\tsentence_ID\ttoken_ID\n0\t0\t0\n",
    "docred": b'[{"title": "a", "sents": [["She"]], "vertexSet": [[{"pos": [0, 1]}]]}]',
    "corefi": b'{"tokens": [{"i": 0, "text": "She"}], "mentions": [{"start": 0, "clustId": 1}]}',
    "onf": b"-------------------------\n\nPlain sentence:\n---------------\n    She slept .\n",
    "ace": b'<?xml version="1.0"?>\n<!DOCTYPE source_file SYSTEM "apf.v5.1.1.dtd">\n<source_file/>',
    "rich-ere": b'<?xml version="1.0"?>\n<deft_ere kit_id="x" doc_id="y"><entities/></deft_ere>',
    "mas-xml": b'<text><ne ID="ne1">She</ne><anchor ID="a1" ante="ne1"/></text>',
    "catma": b'<TEI><text><ptr target="catma://x"/></text></TEI>',
    "urs": b'<TEI><standOff><annotationGrp type="Unit"/></standOff></TEI>',
    "knowtator": b"<knowtator-project><document /></knowtator-project>",
    "glozz": b'<annotations>\n<metadata corpusHashcode="1-2"/>\n<unit id="a_1"/></annotations>',
    "export": b"#FORMAT 4\n#BOT ORIGIN\n#BOS 1 1 1 1\nShe\tshe\tPPER\n",
    "tbf": b"#BeginOfDocument a\nbrat\ta\tE1\t0,3\tmet\tContact\tActual\n#EndOfDocument\n",
}


@pytest.mark.parametrize("name", UNREAD)
def test_unread_formats(name: str, tmp_path: Path) -> None:
    """Each is told by its content, called by its title, and something can be done."""
    assert detect(UNREAD_FILES[name]) == name
    path = tmp_path / "file"
    path.write_bytes(UNREAD_FILES[name])
    with pytest.raises(DataError) as error:
        corefkit.read(path)
    (incident,) = error.value.incidents
    title, advice = UNREAD[name]
    assert incident.id == "format-unread"
    assert title in incident.message
    assert incident.hint == advice


def test_an_unread_format_is_called_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "old.tsv"
    path.write_text("#FORMAT=WebAnno TSV 2\n")
    with pytest.raises(DataError) as error:
        corefkit.read(path)
    (incident,) = error.value.incidents
    assert incident.id == "format-unread"
    assert "WebAnno TSV 1 or 2" in incident.message
    assert "WebAnno TSV 3" in str(incident.hint)


def test_a_named_format_that_does_not_fit(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({"doc_key": "a", "sentences": [["w"]], "clusters": []}))
    with pytest.raises(DataError) as error:
        corefkit.read(path, format="conll")
    assert [i.id for i in error.value.incidents] == ["format-differs", "no-document"]
    assert "e2e" in error.value.incidents[0].message


@pytest.mark.parametrize(
    ("start", "kind"),
    [
        (b"BZh91AY&SY", "a bzip2 archive"),
        (b"\xfd7zXZ\x00", "an xz archive"),
        (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    ],
)
def test_archives_that_are_not_unpacked(tmp_path: Path, start: bytes, kind: str) -> None:
    """Their bytes may look like mark-up."""
    (tmp_path / "a.conll.x").write_bytes(start + b"[a](#1) [[b]] <a>" * 9)
    with pytest.raises(DataError) as caught:
        corefkit.score(tmp_path / "a.conll.x", tmp_path / "a.conll.x")
    assert caught.value.incidents[0].found == kind
