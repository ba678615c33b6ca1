"""Annotation layers, written and merged back."""

import gzip
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit import Corpus, DataError
from corefkit.core.tokens import Tokens
from corefkit.corpora.inline_tags import read_inline, write_inline
from corefkit.corpora.layers import (
    READABLE,
    read_coref,
    read_name,
    read_parse,
    write_layer,
)
from corefkit.corpora.merging import merge
from corefkit.corpora.trees import LabelledSpan
from corefkit.formats.conll.cells import same_cells
from corefkit.formats.conll.lines import token_lines
from corefkit.formats.conll.reader import parse
from corefkit.formats.conll.rewriting import Row, SentenceRows, rewrite
from tests.corpora.samples import conll
from tests.strategies import TIMES
from tests.support import CONFORMANCE, EXAMPLES, needs_conformance, run

KEY = EXAMPLES / "key.conll"
COLUMN = {"parse": 5, "name": 10, "coref": -1}


def layer_of(data: bytes, layer: str) -> str:
    return "".join(write_layer(Tokens(parse(data, "-")), layer))


def without(data: bytes, column: int) -> bytes:
    def change(sentence: SentenceRows) -> list[Row]:
        rows = [list(row) for row in sentence.rows]
        for row in rows:
            row[column] = "-" if column == -1 else "*"
        return rows

    return rewrite(data, change)


def check(data: bytes, layer: str) -> None:
    """A layer merged into its own file changes no byte; merged into an emptied one, restores it."""
    text = layer_of(data, layer)
    assert merge(data, layer, text) == (data, ())
    column = COLUMN[layer]
    emptied = without(data, column)
    assert emptied != data
    before, after = (list(token_lines(d)) for d in (data, merge(emptied, layer, text).data))
    for old, new in zip(before, after, strict=True):
        assert old.fields[:column] == new.fields[:column]
        assert same_cells(old.fields[column], new.fields[column])


@pytest.mark.parametrize("layer", READABLE)
@pytest.mark.parametrize("name", ["key", "careful"])
def test_examples(name: str, layer: str) -> None:
    check((EXAMPLES / f"{name}.conll").read_bytes(), layer)


@needs_conformance
@pytest.mark.parametrize("layer", ["parse", "coref"])
def test_plays(layer: str) -> None:
    check(gzip.decompress((CONFORMANCE / "annotators/Sara_Act2.AS.conll.gz").read_bytes()), layer)


@needs_conformance
@pytest.mark.more
@pytest.mark.parametrize("layer", READABLE)
def test_ontonotes(layer: str) -> None:
    data = gzip.decompress((CONFORMANCE / "ontonotes-dev" / "key.conll.gz").read_bytes())
    check(data[: data.index(b"#end document", len(data) * min(TIMES, 2) // 40)], layer)


spans = st.tuples(st.integers(0, 9), st.integers(0, 5), st.sampled_from(["1", "2", "a b"]))


@given(st.lists(spans, max_size=8), st.lists(st.text(min_size=1, alphabet='a<>&" é'), min_size=15))
def test_inline_loses_nothing(drawn: list[tuple[int, int, str]], words: list[str]) -> None:
    listed = sorted(
        (LabelledSpan(s, s + length, label) for s, length, label in drawn),
        key=lambda s: (s[0], -s[1]),
    )
    sentences = [words[:4], words[4:]]
    for kind in ("COREF", "ENAMEX"):
        text = "".join(write_inline("(a/b/00/c_0001); part 003", sentences, listed, kind))
        (document,) = read_inline(text, kind)
        assert document.name == "(a/b/00/c_0001); part 003"
        assert document.sentences == sentences
        assert sorted(document.spans) == sorted(listed)


def test_crossing_mentions_survive() -> None:
    corpus = Corpus.from_clusters({"a": [[(0, 2)], [(1, 3)]]})
    mentions = [LabelledSpan(0, 2, "0"), LabelledSpan(1, 3, "1")]
    text = "".join(write_inline("a", [["w"] * 4], mentions, "COREF"))
    assert '<COREF ID="1" TYPE="IDENT" TOKENS="3"/>w' in text
    assert read_coref(text)[0].spans == mentions
    assert corpus.mentions == 2


def test_zeros_and_parts_of_other_formats_are_told() -> None:
    """A zero was written as a mention of the word before it."""
    done = run("corpus", "layers", EXAMPLES / "drawer.conllu", "--layer", "coref")
    assert done.status == 0
    assert "</COREF> .\nCleaned" in done.out
    assert "1 mention of empty nodes cannot be expressed" in done.err
    assert "1 discontinuous mention cannot be expressed" in done.err


def test_coref_of_ontonotes() -> None:
    text = """<DOC DOCNO="nw/a/00/a_0001@0001@a@nw@en@on">
<TEXT PARTNO="000">
<COREF ID="4" TYPE="IDENT">She</COREF> saw
<COREF ID="x" TYPE="APPOS" SUBTYPE="HEAD">Bo</COREF> , pro-<COREF ID="5" TYPE="IDENT" S_OFF="4">x
</COREF>
</TEXT>
<TEXT PARTNO="001">
Hi
</TEXT>
</DOC>
"""
    first, second = read_coref(text)
    assert (first.name, second.name) == (
        "(nw/a/00/a_0001); part 000",
        "(nw/a/00/a_0001); part 001",
    )
    assert first.spans == [LabelledSpan(0, 0, "4")]
    assert [line for line, _ in first.ignored] == [4, 5]
    assert second.sentences == [["Hi"]]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("<DOC DOCNO='a'>", "stray"),
        (
            '<DOC DOCNO="a">\n<ENAMEX TYPE="ORG">x\n</DOC>',
            "a.name:2: error: <ENAMEX> is never closed",
        ),
        ('<DOC DOCNO="a">\nx</ENAMEX>\n</DOC>', "closes nothing"),
        ("word", "outside any document"),
        ('<DOC DOCNO="a">\n<B>x</B>', "an element B"),
        ('<DOC DOCNO="a">\n<ENAMEX>x</ENAMEX>', "has no TYPE"),
    ],
)
def test_broken_inline(text: str, told: str) -> None:
    with pytest.raises(DataError, match="layer-broken") as caught:
        read_name(text, "a.name")
    assert told in str(caught.value)


def test_broken_trees() -> None:
    with pytest.raises(DataError) as caught:
        read_parse("(S (NN a)\n", path="a.parse")
    assert (caught.value.incidents[0].file, caught.value.incidents[0].line) == ("a.parse", 2)


def test_stand_off_lines() -> None:
    prop = run("corpus", "layers", KEY, "--layer", "prop").out.splitlines()
    assert prop[0] == (
        "nw/harbour/00/harbour_0001@000 0 6 gold break-v break.01 ----- "
        "0:2-ARG1 6:0-rel 7:1-ARGM-TMP"
    )
    sense = run("corpus", "layers", KEY, "--layer", "sense").out.splitlines()
    assert sense[0] == "nw/harbour/00/harbour_0001@000 0 2 wall-n 1"
    speaker = run("corpus", "layers", KEY, "--layer", "speaker").out.splitlines()
    assert all(re.fullmatch(r"\S+@\d+ \d+ \d+ \S+", line) for line in speaker)


def test_merge_changes_what_differs(tmp_path: Path) -> None:
    text = run("corpus", "layers", KEY, "--layer", "coref").out
    layer = tmp_path / "key.coref"
    layer.write_text(
        text.replace('<COREF ID="2" TYPE="IDENT">Tuesday night</COREF>', "Tuesday night")
    )
    out = tmp_path / "new.conll"
    assert run("corpus", "layers", KEY, "--layer", "coref", "--merge", layer, "-o", out).status == 0
    old, new = KEY.read_text().splitlines(), out.read_text().splitlines()
    changed = [(a, b) for a, b in zip(old, new, strict=True) if a.split() != b.split()]
    assert [(a.split()[-1], b.split()[-1]) for a, b in changed] == [("(2", "-"), ("2)", "-")]


def test_mismatches(tmp_path: Path) -> None:
    for name, layer, found in (
        ("key", "parse", "layer-mismatch"),
        ("hasty", "name", "column-missing"),
        ("key", "coref", "layer-mismatch"),
    ):
        text = run("corpus", "layers", KEY, "--layer", layer).out
        file = tmp_path / f"a.{layer}"
        file.write_text(text.replace("sea", "see") if name == "key" else text, encoding="utf-8")
        result = run(
            "corpus", "layers", EXAMPLES / f"{name}.conll", "--layer", layer, "--merge", file
        )
        assert (result.status, result.out) == (1, "")
        assert found in result.err
    trees = run("corpus", "layers", KEY, "--layer", "parse").out
    (tmp_path / "a.parse").write_text(trees + "(TOP (NN a))", encoding="utf-8")
    result = run("corpus", "layers", KEY, "--layer", "parse", "--merge", tmp_path / "a.parse")
    assert "more trees than" in result.err
    assert run("corpus", "layers", EXAMPLES / "hasty.conll", "--layer", "parse").status == 1


def test_no_layer_overwrites_another(tmp_path: Path) -> None:
    for name in ("a.v4_gold_conll", "a.v4_auto_conll", "b.conll"):
        (tmp_path / name).write_bytes(KEY.read_bytes())
    done = run("corpus", "layers", tmp_path, "--layer", "coref", "-o", tmp_path / "out")
    assert (done.status, (tmp_path / "out").exists()) == (1, False)
    assert "[target-twice]" in done.err
    assert "a.v4_gold_conll" in done.err
    (tmp_path / "a.v4_auto_conll").unlink()
    assert run("corpus", "layers", tmp_path, "--layer", "coref", "-o", tmp_path / "out").status == 0
    assert sorted(f.name for f in (tmp_path / "out").iterdir()) == ["a.coref", "b.coref"]


@pytest.mark.parametrize("layer", READABLE)
def test_bytes_that_are_not_utf8(tmp_path: Path, layer: str) -> None:
    data = conll(["caf\N{COPYRIGHT SIGN} NN (TOP*) - - - - (ORG) (1)"]).replace(
        b"\xc2\xa9", b"\xe9"
    )
    path, emptied, target = (tmp_path / name for name in ("a.conll", "b.conll", f"a.{layer}"))
    path.write_bytes(data)
    emptied.write_bytes(without(data, COLUMN[layer]))
    done = run("corpus", "layers", path, "--layer", layer, "-o", target)
    assert done.status == 0
    assert "[not-utf8]" in done.err
    assert b"caf\xe9" in target.read_bytes()
    merged = tmp_path / "merged.conll"
    assert (
        run("corpus", "layers", emptied, "--layer", layer, "--merge", target, "-o", merged).status
        == 0
    )
    assert merged.read_bytes() == data


@pytest.mark.parametrize(
    ("cells", "layers", "told"),
    [
        ("*T*-1\t-NONE-", ["parse"], "the tag -NONE- marks empty elements"),
        ("\tNN", ["parse", "name", "coref"], "the word is empty"),
        ("w\t", ["parse"], "the tag is empty"),
        ("a b\tNN", ["parse"], "the word contains a blank"),
    ],
)
def test_tokens_that_layers_cannot_say(cells: str, layers: list[str], told: str) -> None:
    data = f"#begin document a\na\t0\t0\t{cells}\t(TOP*)\t-\t-\t-\t-\t(ORG)\t(1)\n".encode()
    for layer in READABLE:
        if layer in layers:
            with pytest.raises(DataError, match=told) as raised:
                layer_of(data, layer)
            assert [(i.id, i.line) for i in raised.value.incidents] == [("layer-unsayable", 2)]
        else:
            check(data, layer)


@pytest.mark.parametrize("layer", ["name", "coref", "parse"])
@pytest.mark.parametrize("word", ["\r", " ", "w\rx", "x", "\r\r"])
@pytest.mark.parametrize("name", ["*", " ", "\r"])
def test_layers_keep_odd_cells_or_refuse_them(layer: str, word: str, name: str) -> None:
    rows = [
        f"a\t0\t0\t{word}\tNN\t(TOP*\t-\t-\t-\t-\t{name}\t(1)",
        "a\t0\t1\ty\tNN\t*)\t-\t-\t-\t-\t(ORG)\t(2)",
    ]
    data = "\n".join(["#begin document a", *rows, "", "#end document", ""]).encode()
    corpus = parse(data, "a.conll")
    try:
        text = "".join(write_layer(Tokens(corpus), layer))
    except DataError as error:
        assert {i.id for i in error.incidents} <= {"layer-unsayable", "brackets-malformed"}
        return
    assert merge(data, layer, text) == (data, ())
