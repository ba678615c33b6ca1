"""Layers that have traces and disfluencies, in files that have not: section 4.4.1 of the paper."""

from pathlib import Path

import pytest

from corefkit import DataError
from corefkit.core.tokens import Tokens
from corefkit.corpora.layers import write_layer
from corefkit.corpora.merging import merge, remaining
from corefkit.corpora.objects import documents
from corefkit.formats.conll.reader import parse
from corefkit.formats.conll.rewriting import Row, SentenceRows, rewrite
from tests.support import EXAMPLES, run

KEY = EXAMPLES / "key.conll"

WORDS = "I saw the man who slept ."
TREE = """
(TOP (S (EDITED (NP (PRP I)))
        (NP-SBJ-1 (PRP I))
        (VP (VBD saw)
            (NP (NP (DT the) (NN man))
                (SBAR (WHNP-2 (WP who))
                      (S (NP-SBJ (-NONE- *T*-2)) (VP (VBD slept))))))
        (. .)))
"""
PLAIN = (
    "(TOP (S (NP (PRP I)) (VP (VBD saw) (NP (NP (DT the) (NN man)) "
    "(SBAR (WHNP (WP who)) (S (VP (VBD slept)))))) (. .)))"
)


def file(words: str = WORDS, name: str = "(tc/a/00/a_0001); part 000") -> bytes:
    rows = (f"a 0 {at} {word} XX * - - - - * -\n" for at, word in enumerate(words.split()))
    return (f"#begin document {name}\n" + "".join(rows) + "\n#end document\n").encode()


def column(data: bytes, number: int) -> list[str]:
    lines = data.decode().splitlines()[1:]
    return [line.split()[number] for line in lines if line[:1] not in ("", "#")]


def remapped(layer: str, text: str, trees: str | None = None) -> tuple[bytes, str]:
    """The merged file, and what is said of the words that it lacks."""
    data, incidents = merge(file(), layer, text, trees=trees)
    (told,) = (i for i in incidents if i.id == "layer-remapped")
    assert told.severity == "warning"
    return data, str(told.found)


def inline(kind: str, body: str) -> str:
    text = body if kind == "ENAMEX" else f'<TEXT PARTNO="000">\n{body}\n</TEXT>'
    return f'<DOC DOCNO="tc/a/00/a_0001@1@a@tc@en@on">\n{text}\n</DOC>\n'


def test_coreference() -> None:
    body = (
        '<COREF ID="1">I</COREF> <COREF ID="1">I</COREF> saw <COREF ID="2">the man '
        '<COREF ID="2">who</COREF> <COREF ID="2">*T*-2</COREF></COREF> slept .'
    )
    data, found = remapped("coref", inline("COREF", body))
    assert column(data, -1) == ["(1)", "-", "(2", "-", "(2)|2)", "-", "-"]
    assert found == "1 trace, 1 other word, 1 moved, 1 lost"


@pytest.mark.parametrize("trace", ["*pro*", "*"])
def test_dropped_pronouns_are_counted(trace: str) -> None:
    body = f'<COREF ID="1">{trace}</COREF> I saw <COREF ID="1">the man</COREF> who slept .'
    _, incidents = merge(file(), "coref", inline("COREF", body))
    dropped, remapping = incidents
    assert (dropped.id, dropped.count) == ("dropped-pronoun", 1)
    assert dropped.found == "1 entity with one mention left"
    assert remapping.found == "1 trace"


def test_names_whose_documents_have_no_parts() -> None:
    two = file() + file("Ada slept", "(tc/a/00/a_0001); part 001")
    body = (
        'I I saw <ENAMEX TYPE="PERSON">the *T* man</ENAMEX> who slept .\n'
        '<ENAMEX TYPE="PERSON">Ada</ENAMEX> *T* slept'
    )
    data, (told,) = merge(two, "name", inline("ENAMEX", body))
    assert column(data, 10)[2:4] == ["(PERSON*", "*)"]
    assert column(data, 10)[7] == "(PERSON)"
    assert told.found == "2 traces, 1 other word, 1 moved"


def test_trees_without_function_tags() -> None:
    data, found = remapped("parse", TREE)
    assert found == "1 trace, 1 other word"
    assert column(data, 4) == ["PRP", "VBD", "DT", "NN", "WP", "VBD", "."]
    (document,) = documents(Tokens(parse(data, "-")))
    assert "NP-SBJ-1" in str(document[0].tree)
    data = merge(file(), "parse", TREE, functions=False).data
    (document,) = documents(Tokens(parse(data, "-")))
    assert str(document[0].tree) == PLAIN
    text = "".join(write_layer(Tokens(parse(merge(file(), "parse", TREE).data, "-")), "parse"))
    assert "NP-SBJ-1" in text
    layer = write_layer(Tokens(parse(data, "-")), "parse", functions=False)
    assert "".join(layer) == f"{PLAIN}\n"


def test_a_sentence_of_disfluencies_is_no_sentence() -> None:
    trees = "(TOP (EDITED (UH uh)))\n" + TREE + "(TOP (EDITED (UH uh) (NP (-NONE- *))))\n"
    data, found = remapped("parse", trees)
    assert data == merge(file(), "parse", TREE).data
    assert found == "2 traces, 3 other words"


ROLES = "tc/a/00/a_0001@1@a@tc@en@on 0 7 gold sleep-v sleep.02 ----- 7:0-rel "


@pytest.mark.parametrize(
    ("roles", "cells", "found"),
    [
        (
            "6:1-ARG0 6:1*5:1-LINK-SLC 5:1*3:1-LINK-SLC",
            "* * (ARG0* *) (R-ARG0*) (V*) *",
            ", 1 unfolded",
        ),
        ("6:1*5:1-ARG0", "* * * * (ARG0*) (V*) *", ""),
        ("6:1-ARG0", "* * * * * (V*) *", ", 1 lost"),
        ("6:1-ARG0 6:1*1:1-LINK-PCR", "(ARG0*) * * * * (V*) *", ", 1 unfolded"),
        ("0:2-ARG1 1:1,8:0-ARG2", "(ARG2*) * * * * (V*) (C-ARG2*)", ", 1 lost"),
        ("3:2-ARGM-TMP", "* * (ARGM-TMP* * * (V*)) *", ", 1 moved"),
    ],
)
def test_propositions(roles: str, cells: str, found: str) -> None:
    """Node 6:1 is the trace, 5:1 who, 3:1 the man; LINKs are unfolded as in PropBank 1.0."""
    data, told = remapped("prop", ROLES + roles, trees=TREE)
    assert column(data, 11) == cells.split()
    assert column(data, 7) == ["-"] * 5 + ["02", "-"]
    assert column(data, 6)[5] == "sleep"
    assert told == f"1 trace, 1 other word{found}"


def test_senses_and_speakers() -> None:
    senses = "tc/a/00/a_0001@000 0 7 sleep-v 3\ntc/a/00/a_0001 0 0 i-n 1\n"
    data, found = remapped("sense", senses, trees=TREE)
    assert column(data, 8) == ["-"] * 5 + ["3", "-"]
    assert column(data, 6)[5] == "sleep"
    assert found.endswith("1 lost")
    lines = "tc/a/00/a_0001@000 0 0 Bo\ntc/a/00/a_0001@000 0 6 Ada\n"
    data, _ = remapped("speaker", lines, trees=TREE)
    assert column(data, 9) == ["Bo"] * 5 + ["Ada"] * 2


@pytest.mark.parametrize(
    ("layer", "text", "told"),
    [
        ("sense", "tc/a/00/a_0001 0 7 sleep-v 3", "no word 7 in sentence 0"),
        ("sense", "tc/b/00/b_0001 0 0 sleep-v 3", "no document tc/b/00/b_0001"),
        ("sense", "tc/a/00/a_0001 0 sleep-v 3", "without the fields"),
        ("prop", "tc/a/00/a_0001 0 5 gold sleep-v sleep.02 ----- 9:0-ARG0", "no node 9:0"),
        ("prop", "tc/a/00/a_0001 0 5 gold sleep-v sleep.02 ----- 1:0", "without the fields"),
        ("coref", inline("COREF", "I saw the man who slept !"), "different words"),
        ("coref", inline("COREF", f"uh so I mean {WORDS} and so on and so on"), "different words"),
        ("parse", TREE + TREE, "more trees than"),
        ("parse", TREE.replace("who", "that"), "different words"),
    ],
)
def test_other_words_and_numbers_are_refused(layer: str, text: str, told: str) -> None:
    with pytest.raises(DataError, match=told):
        merge(file(), layer, text)


def without(data: bytes, layer: str) -> bytes:
    def change(sentence: SentenceRows) -> list[Row]:
        rows = [list(row) for row in sentence.rows]
        for row in rows:
            if layer == "prop":
                row[7], row[11:-1] = "-", []
            else:
                row[{"sense": 8, "speaker": 9}[layer]] = "-"
        return rows

    return rewrite(data, change)


@pytest.mark.parametrize("layer", ["prop", "sense", "speaker"])
def test_stand_off_layers_come_back(tmp_path: Path, layer: str) -> None:
    data = KEY.read_bytes()
    text = "".join(write_layer(Tokens(parse(data, "-")), layer))
    assert merge(data, layer, text) == (data, ())
    emptied = without(data, layer)
    assert emptied != data
    merged = merge(emptied, layer, text).data
    before, after = (list(documents(Tokens(parse(one, "-")))) for one in (data, merged))
    for old, new in zip(before, after, strict=True):
        for a, b in zip(old, new, strict=True):
            assert (a.propositions, a.column(layer) if layer != "prop" else "") == (
                b.propositions,
                b.column(layer) if layer != "prop" else "",
            )
    (tmp_path / "a.layer").write_text(text)
    out = tmp_path / "b.conll"
    (tmp_path / "a.conll").write_bytes(emptied)
    options = ("--layer", layer, "--merge", tmp_path / "a.layer", "-o", out)
    assert run("corpus", "layers", tmp_path / "a.conll", *options).status == 0
    assert out.read_bytes() == merged


def test_of_repeated_words_the_last_remains() -> None:
    assert remaining(["a", "b", "a", "b", "c"], ["a", "b", "c"]) == [-1, -1, 0, 1, 2]
    assert remaining(["a", "b"], ["b", "a"]) is None


def test_options_of_layers() -> None:
    for options in (("--trees", KEY), ("--layer", "coref", "--merge", KEY, "--trees", KEY)):
        assert run("corpus", "layers", KEY, "--layer", "prop", *options).status == 2
    assert run("corpus", "layers", KEY, "--layer", "prop", "--no-functions").status == 2
