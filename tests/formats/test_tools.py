"""What annotation tools and older tasks write: defects, and what can be chosen."""

import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import corefkit
from corefkit import Corpus, UsageError
from corefkit.core.incidents import errors
from corefkit.core.options import PLAIN
from corefkit.formats import registry
from corefkit.formats.kit.convert import write_as
from corefkit.formats.kit.text import split_tokens, to_tokens
from corefkit.formats.options import make_reading
from tests.formats.conformance import FOLDER
from tests.formats.samples import files, put, sample
from tests.formats.strategies import canonical, rows
from tests.strategies import examples
from tests.support import needs_conformance, run


def problems(name: str, data: bytes | str, **how: Any) -> list[tuple[str, int | None]]:
    raw = data.encode() if isinstance(data, str) else data
    found = registry.get_format(name).parse(raw, "a", make_reading(**how)).incidents
    return [(incident.id, incident.line) for incident in errors(found)]


def read(name: str, data: bytes | str, **how: Any) -> Corpus:
    raw = data.encode() if isinstance(data, str) else data
    return registry.get_format(name).parse(raw, "a", make_reading(**how)).checked()


def test_ontonotes() -> None:
    text = sample("ontonotes").decode()
    corpus = read("ontonotes", text)
    assert canonical(corpus) == {"(bc/x); part 000": [[(0, 1), (3, 3)]]}
    assert corpus.column("word") == ["The", "mayor", "said", "he", "slept"]
    assert problems("ontonotes", text.replace("</COREF>", "", 1)) == [("tag-unclosed", 3)]
    assert problems("ontonotes", text.replace('ID="1" ', "", 1)) == [("entity-missing", 3)]
    assert problems("ontonotes", text.replace(" slept", " slept </COREF>")) == [("tag-unopened", 4)]
    other = text.replace("IDENT", "APPOS")
    assert read("ontonotes", other).mentions == 0
    assert read("ontonotes", other, types="APPOS").mentions == 2


INSIDE = """<DOC DOCNO="x@1"><TEXT PARTNO="001">
<COREF ID="1">WalMart</COREF> met the pro-<COREF ID="1">WalMart</COREF> crew , <COREF ID="2">who
</COREF> saw <COREF ID="2">Bo</COREF> and <COREF ID="2" S_OFF="4" E_OFF="6">anti-Bo-ers</COREF>
<COREF ID="3">pro-</COREF>Bo
</TEXT></DOC>
"""


def test_mentions_inside_a_token_are_left_out_and_counted() -> None:
    corpus = read("ontonotes", INSIDE)
    assert canonical(corpus) == {"(x); part 001": [[(0, 0)], [(6, 6), (8, 8)]]}
    assert corpus.column("word")[3] == "pro-WalMart"
    (told,) = corpus.incidents
    assert (told.id, told.severity, told.count) == ("mention-inside-token", "warning", 3)
    assert told.found == "1 entity with one mention left, 1 entity with none left"


@pytest.mark.parametrize("trace", ["*pro*", "*pro*-1", "*"])
def test_dropped_pronouns_are_left_out_with_their_links_and_counted(
    tmp_path: Path, trace: str
) -> None:
    text = f"""<DOC DOCNO="x@1"><TEXT PARTNO="001">
<COREF ID="1">{trace}</COREF> saw <COREF ID="1">him</COREF> and <COREF ID="2">her</COREF>
<COREF ID="2">{trace}</COREF> saw {trace} <COREF ID="2">the {trace} crew</COREF>
</TEXT></DOC>
"""
    path = tmp_path / "a.coref"
    path.write_text(text)
    corpus = corefkit.read(path)
    assert canonical(corpus) == {"(x); part 001": [[(1, 1)], [(3, 3), (5, 6)]]}
    (told,) = corpus.incidents
    assert (told.id, told.count, told.found) == (
        "dropped-pronoun",
        2,
        "1 entity with one mention left",
    )
    shown = run("stats", path)
    assert re.search(r"dropped pronouns +2 +40.0", shown.out), "of 5 mentions, as in Table 4"
    assert json.loads(run("stats", path, "-f", "json").out)["categories"] == {"dropped pronouns": 2}
    out = tmp_path / "a.conll"
    for command in (("check", path), ("convert", path, out), ("score", path, path)):
        assert "[dropped-pronoun]" in run(*command).shown


def test_an_asterisk_is_a_word_where_it_is_no_mention() -> None:
    text = '<DOC DOCNO="x"><TEXT PARTNO="001"><COREF ID="1">An *</COREF> * note</TEXT></DOC>'
    assert read("ontonotes", text).column("word") == ["An", "*", "*", "note"]


def test_muc() -> None:
    text = sample("muc").decode()
    assert canonical(read("muc", text)) == {"x": [[(1, 9), (16, 17)]]}
    assert canonical(read("muc", text, types="BRIDGE")) == {"x": [[(1, 9)], [(16, 17)]]}
    assert problems("muc", text.replace('"2"', '"1"')) == [("id-twice", 2)]
    assert problems("muc", text.replace('REF="1"', 'REF="7"')) == [("mention-unknown", 2)]


MUC = """<DOC><TXT>
<COREF ID="1" MIN="Ruiz">Ana Ruiz, <COREF ID="2" REF="1" MIN="Sr.|mayor">the  mayor</COREF></COREF>
<COREF ID="4" REF="3" TYPE="IDENT">her</COREF> &amp; <COREF ID="3" REF="1" STATUS="OPT">she</COREF>
<COREF ID="5" MIN="the old man">the old
man of Vigo</COREF> <COREF ID="6" MIN="men">the man</COREF>
</TXT></DOC>
"""


def test_muc_minimum() -> None:
    corpus = read("muc", MUC)
    text = corpus.sources[0].text(0)
    assert text is not None
    assert corpus.minimum is not None
    words = [text[a : b + 1] if a >= 0 else None for a, b in corpus.minimum.tolist()]
    assert words == ["Ruiz", "mayor", None, None, "the old\nman", None]
    assert [(i.id, i.severity, i.line) for i in corpus.incidents] == [("min-outside", "warning", 5)]
    assert read("muc", MUC.replace("MIN", "MAX")).minimum is None


def test_muc_minimum_matches_partially() -> None:
    key = read("muc", MUC)
    shorter = replace(key, start=key.start.copy(), minimum=None)
    shorter.start[0] += 4  # Ruiz, …, without Ana
    for match, recall in (("exact", [5, 6]), ("partial", [6, 6])):
        scores = corefkit.score(key, shorter, "mentions", match=match)  # type: ignore[arg-type]
        assert scores["mentions"].counts["recall"] == recall


def test_muc_minimum_on_tokens() -> None:
    corpus = split_tokens(read("muc", MUC))
    assert corpus.minimum is not None
    words = corpus.column("word")
    assert [words[a] for a, _ in corpus.minimum.tolist() if a >= 0] == ["Ruiz,", "mayor", "the"]
    moved, _ = to_tokens(read("muc", MUC), corpus)
    assert moved.minimum is not None
    assert moved.minimum.tolist() == corpus.minimum.tolist()


def test_muc_optional() -> None:
    assert read("muc", MUC).mentions == 6
    # What an optional mention links stays linked: her and Ana Ruiz.
    clusters = read("muc", MUC, optional="drop").clusters()["1"]
    assert [len(cluster) for cluster in clusters] == [3, 1, 1]
    with pytest.raises(UsageError, match="keep, drop"):
        read("muc", MUC, optional="maybe")


def test_muc_headlines_only_link() -> None:
    text = (
        '<DOC><HL><COREF ID="1">Ana</COREF></HL><TXT><COREF ID="2" REF="1">she</COREF> saw '
        '<COREF ID="3" REF="1">her</COREF></TXT></DOC>'
    )
    assert canonical(read("muc", text)) == {"1": [[(0, 2), (8, 10)]]}


def test_doccano() -> None:
    row = json.loads(sample("doccano"))
    row["entities"].append({"id": 12, "label": "Place", "start_offset": 4, "end_offset": 5})
    assert canonical(read("doccano", json.dumps(row))) == {"1": [[(0, 2), (9, 11)]]}
    both = read("doccano", json.dumps(row), mentions="M,Place")
    assert canonical(both) == {"1": [[(0, 2), (9, 11)], [(4, 4)]]}
    assert problems("doccano", json.dumps(row), relations="same") == [("no-coreference", None)]
    row["relations"][0]["to_id"] = 99
    assert problems("doccano", json.dumps(row)) == [("mention-unknown", 1)]
    row["entities"][0]["end_offset"] = 100
    assert ("span-outside", 1) in problems("doccano", json.dumps(row))
    del row["text"]
    assert problems("doccano", json.dumps(row)) == [("json-shape", 1)]


def test_label_studio() -> None:
    (task,) = json.loads(sample("label-studio"))
    other = {**task["annotations"][0], "completed_by": {"id": 2, "email": "bo@example.org"}}
    other["result"] = other["result"][:1]
    task["annotations"].append(other)
    assert problems("label-studio", json.dumps([task])) == [("annotator-missing", None)]
    first = read("label-studio", json.dumps([task]), annotator="1")
    assert canonical(first) == {"7": [[(0, 2), (9, 11)]]}
    for name in ("2", "bo@example.org"):
        chosen = read("label-studio", json.dumps([task]), annotator=name)
        assert canonical(chosen) == {"7": [[(0, 2)]]}
    task["annotations"][0]["was_cancelled"] = True
    assert canonical(read("label-studio", json.dumps(task))) == {"7": [[(0, 2)]]}
    missing = problems("label-studio", json.dumps(task), annotator="3")
    assert missing == [("annotator-missing", None)]
    task["annotations"][1]["result"][0]["value"]["text"] = "z"
    assert problems("label-studio", json.dumps(task)) == [("mention-text-differs", 1)]


def test_tei() -> None:
    text = sample("tei").decode()
    assert canonical(read("tei", text)) == {"a": [[(0, 2), (9, 11)], [(9, 11)]]}
    wrapped = registry.get_format("tei").parse(f"<#root>{text}</#root>\n".encode(), "a", PLAIN)
    assert [i.id for i in wrapped.incidents] == ["xml-wrapped"]
    assert wrapped.mentions == 3
    assert problems("tei", "<TEI><text>a</text></TEI>") == [("no-coreference", None)]
    assert problems("tei", "<TEI><text>a</text>") == [("xml-syntax", 1)]


def project(folder: Path, **changed: bytes) -> Path:
    path = put("mmax2", folder)
    for name, data in changed.items():
        (folder / f"{name}.xml").write_bytes(data)
    return path


def test_mmax2(tmp_path: Path) -> None:
    path = project(tmp_path)
    assert canonical(corefkit.read(path)) == {"a": [[(0, 1)]]}
    assert corefkit.read(path).column("word") == ["Ada", "slept"]
    level = files("mmax2")["X_coref_level.xml"]
    project(tmp_path, a_coref_level=level.replace(b"word_2", b"word_9"))
    with pytest.raises(corefkit.DataError) as error:
        corefkit.read(path)
    (found,) = error.value.incidents
    assert (found.id, found.line) == ("span-outside", 1)
    assert Path(str(found.file)).name == "a_coref_level.xml"
    with pytest.raises(UsageError, match="cannot be the name of a level"):
        corefkit.read(path, layer="../secret")
    with pytest.raises(corefkit.DataError, match="no-coreference"):
        corefkit.read(path, layer="phrase")
    (tmp_path / "a_words.xml").unlink()
    with pytest.raises(corefkit.DataError, match="text-missing"):
        corefkit.read(path)


def test_ecbplus() -> None:
    text = sample("ecbplus").decode()
    corpus = read("ecbplus", text)
    assert canonical(corpus) == {"1_1ecb.xml": [[(0, 0)], [(1, 1)]]}
    assert corpus.labels[0] == "HUM1"
    assert [i.id for i in corpus.incidents] == ["cross-document"]
    assert read("ecbplus", text, layer="entities").mentions == 1
    assert read("ecbplus", text, layer="events").mentions == 1
    with pytest.raises(UsageError, match="events and entities"):
        read("ecbplus", text, layer="other")
    wrong = text.replace('<source m_id="1"/>', '<source m_id="8"/>')
    assert problems("ecbplus", wrong) == [("mention-unknown", 6)]
    assert ("id-twice", 4) in problems("ecbplus", text.replace('m_id="2"', 'm_id="1"', 1))


@pytest.mark.parametrize("name", ["xmi", "cas-json", "cas-zip"])
def test_cas(name: str) -> None:
    assert canonical(read(name, sample(name))) == {"a": [[(0, 2), (9, 11)]]}


def test_cas_counts_utf16() -> None:
    text = sample("xmi").replace(b'"Ada', '"😀da'.encode())
    text = text.replace(b'end="3"', b'end="4"').replace(
        b'begin="9" end="12"', b'begin="10" end="13"'
    )
    assert canonical(read("xmi", text)) == {"a": [[(0, 2), (9, 11)]]}


def test_cas_defects() -> None:
    text = sample("xmi")
    circle = problems("xmi", text.replace(b'next="4"', b'next="3"'))
    assert circle == [("link-in-two-chains", 3)]
    assert problems("xmi", text.replace(b'next="4"', b'next="9"')) == [("mention-unknown", 3)]
    assert problems("xmi", text.replace(b'end="12"', b'end="99"')) == [("span-outside", 3)]
    assert problems("xmi", text, layer="Other") == [("no-coreference", None)]
    assert problems("cas-zip", sample("cas-zip")[:-30]) == [("file-unreadable", None)]


@needs_conformance
def test_parquet_rows_are_the_json_lines() -> None:
    rows = corefkit.read(FOLDER / "more/litbank.indiscrim.parquet")
    lines = corefkit.read(FOLDER / "jsonlines/litbank.indiscrim.jsonl")
    assert canonical(rows) == canonical(lines)
    assert rows.column("word") == lines.column("word")


def test_a_missing_spacy_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    data = sample("spacy")
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(UsageError, match=r"pip install 'corefkit\[spacy\]'"):
        read("spacy", data)


def test_spacy_unpacks_no_more_than_is_allowed() -> None:
    assert problems("spacy", sample("spacy"), max_size=10) == [("file-unreadable", None)]


@given(made=rows(fewest=1))
@examples(8)
def test_spacy_round_trip(made: list[dict[str, object]]) -> None:
    corpus = Corpus.from_records(made)
    (data,) = write_as(corpus, "a", "spacy").files.values()
    assert canonical(read("spacy", data)) == canonical(corpus)


@pytest.mark.parametrize(
    "row",
    [
        {"own": [[[0, 50], [6, 6]]], "body": "too short", "done": True},
        {"own": [[[0, 50], [6, 6]]]},  # nothing but lists, as in predictions of s2e-coref
    ],
)
def test_clusters_without_words_are_read_where_their_field_is_named(
    row: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(row))
    (told,) = corefkit.check(path)
    if len(row) > 1:
        assert (told.id, told.hint) == ("format-unknown", "Read it with --read clusters=own")
    corpus = corefkit.read(path, clusters="own")
    assert (corpus.clusters(), corpus.incidents) == ({"1": [[(0, 50), (6, 6)]]}, ())
    shorter = corefkit.read(path, clusters="own", ends="inclusive", role="response")
    assert corefkit.score(corpus, shorter, "muc")["muc"].f1 == 1
    path.write_text(json.dumps({**row, "own": [[[3, 2]], [[0, 1]]]}))
    assert "span-empty" in [i.id for i in corefkit.check(path, clusters="own")]


@pytest.mark.parametrize(
    ("data", "kind", "words"),
    [
        ('<TEI><text><ptr target="catma://x"/></text></TEI>', "format-unread", "link list"),
        ('<TEI><standOff><annotationGrp type="Unit"/></standOff></TEI>', "format-unread", "SACR"),
        ("a;b;c\n1;2;3\n", "format-unknown", "delimiter semicolon"),
        ("{}", "format-unknown", "JSON without fields"),
        (
            "docname,start,end,ante_start,ante_end\na,3,3,0,1\n",
            "format-unknown",
            "a list of links lacks the columns document",
        ),
        (
            '{"docname": "a", "start": 3, "end": 3, "antecedent_start": 0, "antecedent_end": 1}',
            "json-shape",
            "document, doc, doc_id or doc_key",
        ),
        ("a,b\n1,2\n", "format-unknown", "columns=document=…,start=…,end=…,entity=…"),
        (
            "doc,start,end\na,0,1\n",
            "format-unknown",
            "lacks the columns entity; or entity, mention",
        ),
    ],
)
def test_what_is_not_read_is_said(data: str, kind: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text(data)
    (told,) = corefkit.check(path)
    assert told.id == kind
    assert words in f"{told.message} {told.found} {told.expected} {told.hint}"
