"""Converting: files larger than what they are made of, and what is not read and so lost."""

import json
import tracemalloc
from pathlib import Path
from unittest.mock import Mock

import pytest

import corefkit
from corefkit import DataError
from corefkit.core.options import PLAIN
from corefkit.formats import registry
from corefkit.formats.conllua.rows import Rows
from corefkit.formats.kit.convert import Losses, convert, write_as
from corefkit.formats.kit.files import MAX_SIZE_VARIABLE
from corefkit.formats.options import make_reading
from tests.formats.samples import put, sample
from tests.support import EXAMPLES, run

MENTIONS = 400
SPELT = ["webanno", "brat", "booknlp", "maverick"]
"""Formats in which every token of a mention takes room."""


@pytest.fixture
def crossing(tmp_path: Path) -> Path:
    """Mentions that all cross, over sentences of 20 tokens."""
    cells = [f"({n}" for n in range(MENTIONS)] + [f"{n})" for n in range(MENTIONS)]
    lines = [f"d 0 0 w {cell}" + "\n" * (n % 20 == 19) for n, cell in enumerate(cells)]
    file = tmp_path / "crossing.conll"
    file.write_text("\n".join(["#begin document d", *lines, "", "#end document"]) + "\n")
    return file


@pytest.mark.parametrize("form", SPELT)
def test_crossing_mentions_take_the_memory_of_their_file(form: str, crossing: Path) -> None:
    corpus = corefkit.read(crossing)
    write_as(corpus, "x", form, Losses())  # imports
    tracemalloc.start()
    made = write_as(corpus, "x", form, Losses())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    size = sum(map(len, made.files.values()))
    assert size > 10 * crossing.stat().st_size
    assert peak < 4 * size + 2_000_000


@pytest.mark.parametrize("form", SPELT)
def test_a_file_that_would_be_too_large_is_refused(
    form: str, crossing: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(MAX_SIZE_VARIABLE, "100K")
    with pytest.raises(DataError) as error:
        convert(str(crossing), "-", form, PLAIN, Losses())
    (incident,) = error.value.incidents
    assert incident.id == "file-too-large"
    assert incident.expected == "at most 102,400 bytes"
    assert "would need at least" in incident.message
    assert "--max-size" in (incident.hint or "")


def test_the_size_that_is_refused_is_the_size_that_is_written(
    crossing: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = corefkit.read(crossing)
    (file,) = write_as(corpus, "-", "webanno", Losses()).files.values()
    monkeypatch.setenv(MAX_SIZE_VARIABLE, str(len(file)))
    write_as(corpus, "-", "webanno", Losses())
    links = file.count(b"*->") + file.count(b"*[")
    monkeypatch.setenv(MAX_SIZE_VARIABLE, str(5 * links))  # "*[12]" and a bar: more than 5
    with pytest.raises(DataError, match="file-too-large"):
        write_as(corpus, "-", "webanno", Losses())


def test_empty_nodes_that_cut_every_mention_into_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = 60
    rows = [f"{n + 1}\tw{BLANK}\t(EntityID=e{n}|MarkableID=m{n}" for n in range(size)]
    for n in range(size):
        rows += [f"{size + n + 1}\tw{BLANK}\t_", f"{size + n + 1}.1\t_{BLANK}\t(EntityID=z)"]
    rows += [f"{2 * size + n + 1}\tw{BLANK}\t)" for n in range(size)]
    file = tmp_path / "zeros.conllua"
    file.write_text("\n".join([f"# global.columns = {COLUMNS}", "# newdoc id = d", *rows, ""]))
    monkeypatch.setenv(MAX_SIZE_VARIABLE, "1M")
    done = run("convert", str(file), "-", "--to", "conllu")
    assert done.status == 1
    assert "CorefUD would need at least 39,600 bytes" in done.err
    monkeypatch.setenv(MAX_SIZE_VARIABLE, "4M")
    assert run("convert", str(file), "-", "--to", "conllu").status == 0


COLUMNS = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY"
BLANK = "\t_" * 8


def test_spelt_mentions_are_counted_in_characters() -> None:
    from corefkit.formats.kit.content import Content

    content = Content(
        "d", ["a", "bc", "def"], [3], None, [("x", [(0, 1), (2, 2)]), ("y", [(1, 2)])]
    )
    assert content.spelt_mentions == len("a bc ") + len("def ") + len("bc def ")
    assert Content("d", [], [], None, []).spelt_mentions == 0


def test_a_file_without_the_other_layer_is_converted(tmp_path: Path) -> None:
    rows = [f"1\tw{BLANK}\t(EntityID=1|MarkableID=m1)", f"2\tw{BLANK}\t(EntityID=1|MarkableID=m2)"]
    text = "\n".join([f"# global.columns = {COLUMNS}", "# newdoc id = d", *rows, ""])
    done = run("convert", "-", "-", "--to", "e2e", stdin=text)
    assert done.status == 0
    assert '"clusters": [[[0, 0], [1, 1]]]' in done.out


def test_no_file_is_read_again_for_what_it_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mentions of the other layer are counted in the rows that were read."""
    read = Mock(wraps=Rows)
    monkeypatch.setattr("corefkit.formats.conllua.reader.Rows", read)
    made = convert(str(EXAMPLES / "picnic.conllua"), "-", "tbf", PLAIN, Losses())
    layers = [i.message for i in made.incidents if "layer" in i.message]
    assert layers == ["2 mentions of the layer deixis are not converted"]
    assert read.call_count == 1


def _mark(name: str, old: str, new: str) -> bytes:
    """The sample of a format with more in it."""
    text = sample(name).decode()
    assert old in text
    return text.replace(old, new, 1).encode()


def _labels(*results: dict[str, object]) -> bytes:
    """The sample of Label Studio with more results, of which the mentions have labels."""
    (task,) = json.loads(sample("label-studio"))
    own = task["annotations"][0]["result"]
    for number, result in enumerate(own[:2]):
        result["value"]["labels"] = [f"L{number}"]
    return json.dumps(
        [{**task, "annotations": [{"completed_by": 1, "result": [*own, *results]}]}]
    ).encode()


RELATION: dict[str, object] = {
    "type": "relation",
    "from_id": "n",
    "to_id": "m",
    "labels": ["cause"],
}
CHOICE: dict[str, object] = {
    "type": "choices",
    "value": {"choices": ["good"]},
    "meta": {"text": ["sure"]},
}
UNREAD = [
    (
        "ecbplus",
        _mark("ecbplus", 'TAG_DESCRIPTOR="Ada"/>', 'RELATED_TO="" TAG_DESCRIPTOR="t"/>').replace(
            b"</Relations>", b"<CAUSE/></Relations>"
        ),
        "2 type, 1 TAG_DESCRIPTOR, 1 relation",
    ),
    (
        "arrau",
        b"TOKEN MARKABLE MIN GENDER POS REFERENCE\na B-m=s word_1 fem D new\n"
        b"b I-m=s@B-n=t word_1@word_2 fem@_ N new@non_referring\nc _ _ _ V _\n",
        "1 GENDER, 3 POS, 1 REFERENCE",
    ),
    ("label-studio", _labels(RELATION, CHOICE), "1 meta, 1 relation, 1 choices, 2 label"),
    (
        "doccano",
        _mark(
            "doccano",
            '"type": "coref"}',
            '"type": "coref"}, {"from_id": 11, "to_id": 10, "type": "x"}',
        ),
        "1 relation",
    ),
    ("litbank-tsv", sample("litbank-tsv"), "1 type, 1 category"),
    ("booknlp", b"COREF\tstart_token\tend_token\tprop\tcat\n1\t0\t0\tPROP\t_\n", "1 prop"),
    ("corenlp-xml", _mark("corenlp-xml", "</word>", "</word><NER>O</NER><POS>N</POS>"), "1 POS"),
    (
        "corenlp-json",
        b'{"sentences": [{"tokens": [{"word": "a", "pos": "N", "ner": "O"}]}], "corefs": {"1": '
        b'[{"sentNum": 1, "startIndex": 1, "endIndex": 2, "gender": "FEMALE"}]}}',
        "1 pos, 1 gender",
    ),
    ("tei", _mark("tei", '"#ada #her"', '"#ada #her" type="person"'), "1 type"),
    ("ontonotes", _mark("ontonotes", 'ID="1" TYPE', 'ID="1" SPEAKER="x" TYPE'), "1 SPEAKER"),
    (
        "glozz",
        _mark(
            "glozz",
            "<type>P</type>",
            '<type>P</type><featureSet><feature name="GENRE">F</feature></featureSet>',
        ),
        "1 GENRE",
    ),
    (
        "ancor-tei",
        _mark("ancor-tei", "</standOff>", '<fs><f name="GENRE"/></fs></standOff>'),
        "1 GENRE",
    ),
    (
        "ace",
        _mark("ace", "<entity ", '<entity CLASS="SPC" '),
        "1 CLASS, 1 SUBTYPE, 1 event_mention",
    ),
    (
        "rich-ere",
        _mark("rich-ere", "<entity ", '<entity specificity="specific" '),
        "1 specificity, 1 noun_type, 1 event_mention",
    ),
    (
        "xmi",
        _mark("xmi", 'end="3" next', 'end="3" referenceType="pro" next').replace(
            b"<x:Sofa", b'<x:PersonLink begin="0" end="1"/><x:Ner begin="0" end="1"/><x:Sofa'
        ),
        "1 PersonLink, 1 Ner, 1 referenceType",
    ),
    ("cas-json", _mark("cas-json", '"end": 12}', '"end": 12, "type": "pro"}'), "1 type"),
    (
        "muc",
        _mark("muc", 'ID="1"', 'ID="1" STATUS="OPT"').replace(
            b"slept", b'<COREF ID="3" REF="2" TYPE="PART">c</COREF>'
        ),
        "1 STATUS, 1 PART",
    ),
    ("rucoco", _mark("rucoco", '{"text"', '{"genre": "news", "text"'), "1 genre"),
    ("gap", sample("gap"), "1 URL"),
    ("tbf", _mark("tbf", "Actual\n", "Actual\tmore\n"), "2 text, 1 column 8"),
    ("tac-edl", sample("tac-edl"), "1 text, 1 confidence"),
    ("tac-queries", sample("tac-queries"), "1 name, 1 confidence"),
    ("i2b2", _mark("i2b2", "coref person", "coref test"), "1 type of a concept"),
    (
        "corefannotator",
        _mark(
            "corefannotator",
            "<cas:Sofa",
            '<v1:Segment/><v1:Entity Key="k" Hidden="true" Flags="7 8"/><cas:Sofa',
        ),
        "2 Label, 1 Hidden, 2 flags of entities, 1 Segment, 1 Key",
    ),
]


@pytest.mark.parametrize(("name", "data", "lost"), UNREAD, ids=[name for name, _, _ in UNREAD])
def test_what_is_not_read_is_counted(name: str, data: bytes, lost: str, tmp_path: Path) -> None:
    old = put(name, tmp_path)
    old.write_bytes(data)
    made = convert(str(old), "-", "tbf", make_reading(format=name), Losses())
    told = [i.message for i in made.incidents if "features" in i.message]
    assert told[0] == f"features that the new format cannot express: {lost}"


def test_attributes_and_levels_of_mmax2_are_counted(tmp_path: Path) -> None:
    put("mmax2", tmp_path)
    level = tmp_path / "a_coref_level.xml"
    more = b'<markable type="np" form="none" '
    level.write_bytes(level.read_bytes().replace(b"<markable ", more, 1))
    words = tmp_path / "a_words.xml"
    words.write_bytes(words.read_bytes().replace(b"<word ", b'<word pos="DT" ', 1))
    (tmp_path / "a_chunk_level.xml").write_bytes(b'<markables><markable span="w1"/></markables>')
    made = convert(str(tmp_path / "a.mmax"), "-", "tbf", PLAIN, Losses())
    assert [i.message.partition(": ")[2] for i in made.incidents if "features" in i.message] == [
        "1 pos, 1 type, 1 chunk markable"
    ]


def test_a_format_made_anew_loses_what_is_not_read(tmp_path: Path) -> None:
    """brat to brat: attributes are not in the new file, though the format could say them."""
    (tmp_path / "a.txt").write_text("Ada slept. She woke.")
    lines = ["T1\tMention 0 3\tAda", "A1\tGender T1 female", ""]
    (tmp_path / "a.ann").write_text("\n".join(lines))
    made = convert(str(tmp_path / "a.ann"), str(tmp_path / "b.ann"), "brat", PLAIN, Losses())
    assert [i.message.partition(": ")[2] for i in made.incidents] == ["1 attribute"]


def test_minimum_spans_are_lost_and_counted(tmp_path: Path) -> None:
    (tmp_path / "a.sgm").write_bytes(_mark("muc", 'ID="1"', 'ID="1" MIN="a"'))
    for form, lost in (("tbf", ["1 minimum span"]), ("conllua", [])):
        made = convert(str(tmp_path / "a.sgm"), "-", form, PLAIN, Losses())
        told = [i.message for i in made.incidents if "features" in i.message]
        assert [text.partition(": ")[2] for text in told] == lost


ZEROS = """# newdoc id = a
# global.Entity = eid-etype-head-other
# sent_id = a-1
0.1	#Cor	#Cor	PRON	X1	Case=Nom	_	_	1:dep	Entity=(e1--1)
1	runs	run	VERB	V	Num=Sg	0	root	0:root	_
1.1	#Pers	#PersPron	PRON	X	Person=3	_	_	1:nsubj	Entity=(e1--1)
1.2	#Gen	#Gen	PRON	X	_	_	_	1:nsubj	_
2	home	home	NOUN	N	Num=Sg	1	obl	1:obl	Entity=(e2--1)

"""


def test_zeros_keep_their_columns(tmp_path: Path) -> None:
    """CorefUD to CoNLL-UA and back, and CoNLL-UA to itself."""
    old, ua, back, again = (
        tmp_path / n for n in ("a.conllu", "a.conllua", "b.conllu", "b.conllua")
    )
    old.write_text(ZEROS)
    assert "2 HEAD, 2 DEPREL, 5 DEPS" in run("convert", str(old), str(ua)).err
    rows = [line.split("\t")[:6] for line in ua.read_text().splitlines() if line[1:2] == "."]
    assert rows == [line.split("\t")[:6] for line in ZEROS.splitlines() if line[1:2] == "."]
    told = run("convert", str(ua), str(back)).err
    assert "cannot express: 1 zeros without mentions" in told
    assert "1.2" not in back.read_text()
    assert [line.split("\t")[:6] for line in back.read_text().splitlines() if ".1\t" in line] == [
        line.split("\t")[:6] for line in ZEROS.splitlines() if ".1\t" in line
    ]
    assert "warning" not in run("convert", str(ua), str(again)).err
    assert again.read_bytes() == ua.read_bytes()


def test_one_of_several_annotators_is_never_converted_unasked(tmp_path: Path) -> None:
    """Not even the curation: OUT would not say whose annotation it is."""
    (task,) = json.loads(sample("label-studio"))
    own = task["annotations"][0]["result"]
    two = [{"completed_by": n, "ground_truth": n == 1, "result": own} for n in (1, 2)]
    file, out = tmp_path / "a.json", tmp_path / "a.jsonl"
    file.write_text(json.dumps([{**task, "annotations": two}]))
    done = run("convert", str(file), str(out))
    assert (done.status, out.exists()) == (1, False)
    assert "annotator-missing" in done.err
    assert run("convert", f"{file}#curation", str(out)).status == 0


def test_tasks_without_predictions_are_left_out() -> None:
    (task,) = json.loads(sample("label-studio"))
    one = {**task, "id": 8, "predictions": task["annotations"]}
    reading = make_reading(format="label-studio", annotator="predictions")
    data = json.dumps([task, one]).encode()
    corpus = registry.parse(data, "a.json", reading)
    assert (corpus.names, corpus.incidents) == (("8",), ())


def test_a_column_without_a_name_is_lost_by_some_name(tmp_path: Path) -> None:
    (tmp_path / "a.entities").write_text(
        "COREF\tstart_token\tend_token\t\tprop\tcat\ttext\n12\t0\t1\tx\tPROP\tPER\tAda Byron\n"
    )
    corpus = corefkit.read(tmp_path / "a.entities")
    assert corpus.mentions == 1
    lost = {"(without a name)": 1, "prop": 1, "cat": 1}
    assert corpus.sources[0].count_unread() == lost
