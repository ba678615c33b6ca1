"""Mark-up in running text: what is read, what is refused, what is dropped with lenient."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit import Corpus, DataError, score
from corefkit.core.options import PLAIN
from corefkit.formats import registry
from corefkit.formats.kit.convert import write_as
from corefkit.formats.kit.reading import read_all
from corefkit.formats.options import make_reading
from tests.formats.strategies import canonical, rows
from tests.strategies import examples
from tests.support import run


def read(folder: Path, text: str, **how: Any) -> Corpus:
    path = folder / "a.txt"
    path.write_text(text, encoding="utf-8")
    return read_all(path, make_reading(**how))


def spoken(corpus: Corpus) -> str | None:
    return corpus.sources[0].text(0)


@pytest.mark.parametrize("format", ["markdown", "tags"])
def test_of_mentions_that_cross_the_first_is_written(format: str, tmp_path: Path) -> None:
    """Two of the 29,103 mentions of LitBank do, and stopped its conversion."""
    row = {"sentences": [["a", "b", "c", "d"]], "clusters": [[[0, 2], [3, 3]], [[1, 3], [0, 0]]]}
    written, told, *_ = write_as(Corpus.from_records([row]), str(tmp_path / "a"), format)
    assert [(i.id, i.severity, i.found) for i in told] == [("mentions-cross", "warning", "'b c d'")]
    (text,) = written.values()
    assert read(tmp_path, text.decode(), format=format).start.tolist() == [0, 0, 6]


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ("[[Her](#x) cat 😀](#y) saw [her](#x).", "markdown"),
        (
            '<coref id="y"><coref type="p" id=\'x\'>Her</coref> cat 😀</coref> saw '
            "<coref id=x>her</coref>.",
            "tags",
        ),
        ('{Cat:a="b \\"{c}\\" d",e="" {Her Her} cat 😀} saw {Her her}.\n#COLOR:Cat=red', "sacr"),
    ],
)
def test_characters(text: str, format: str, tmp_path: Path) -> None:
    corpus = read(tmp_path, text)
    assert corpus.sources[0].format == format
    assert (corpus.unit, spoken(corpus)) == ("character", "Her cat 😀 saw her.")
    assert [*canonical(corpus).values()] == [[[(0, 2), (14, 16)], [(0, 8)]]]
    assert not corpus.incidents


def test_entities_of_tags_are_decoded(tmp_path: Path) -> None:
    corpus = read(tmp_path, '&lt;b&gt; <coref id="1">A &amp;amp; B</coref>')
    assert spoken(corpus) == "<b> A &amp; B"
    assert [*canonical(corpus).values()] == [[[(4, 12)]]]


@pytest.mark.parametrize(
    "text",
    [
        "<m> <m> Her | 1 </m> cat | 2 </m> saw <m> her | 1 </m>",
        "<m><m>Her|1</m> cat|2</m> saw <m>her|1</m>",
        "<m> <m> Her </m1> cat </m2> saw <m> her </m1>",
        "<speaker> Ann Lee </speaker> <m> <m> Her <c1> </m> cat <c2> </m> saw <m> her <c1> </m>",
    ],
)
def test_seq2seq(text: str, tmp_path: Path) -> None:
    corpus = read(tmp_path, text)
    assert corpus.column("word") == ["Her", "cat", "saw", "her"]
    assert canonical(corpus) == {"1": [[(0, 0), (3, 3)], [(0, 1)]]}


def test_lines_or_paragraphs(tmp_path: Path) -> None:
    lines = "<m> A | 1 </m> b\n<m> C | 1 </m>\n"
    assert canonical(read(tmp_path, lines)) == {"1": [[(0, 0)]], "2": [[(0, 0)]]}
    apart = lines.replace("\n", "\n\n")
    assert canonical(read(tmp_path, apart)) == {"1": [[(0, 0), (2, 2)]]}


def test_text2text(tmp_path: Path) -> None:
    corpus = read(tmp_path, "A_b|[e1,[ex c|e1],[e1] ##|[ex] ##it d|ex]\n\n## e|[e1]\n")
    assert corpus.column("word") == ["A b", "c", "d", "e"]
    assert corpus.tokens.tolist() == [3, 1]
    assert corpus.zero is not None and corpus.nodes is not None
    assert sorted(corpus.zero.tolist()) == [0, 0, 0, 0, 1]
    ((_, nodes),) = list(corpus.nodes)
    assert nodes == [(0, 0), (1, 0), (1, 1), (1, 2), (2, 0)]


@pytest.mark.parametrize(("text", "end"), [("##|[e1 ##|e1] a", -1), ("##|[e1 a|e1] b", 0)])
def test_a_mention_that_begins_with_empty_nodes_before_the_first_word(text: str, end: int) -> None:
    """As in CorefUD, its hull begins before the document: so key and response match."""
    line = f"{text}|[e2]\n"
    json = b'{"doc_id": "a", "tokens": %s, "clusters_token_offsets": [[[0, 1]], [[2, 2]]]}'
    words = [word.partition("|")[0] for word in text.split()]
    for name, data in (("text2text", line.encode()), ("maverick", json % str(words).encode())):
        corpus = registry.get_format(name).parse(data.replace(b"'", b'"'), "a", PLAIN)
        assert (corpus.start.tolist()[0], corpus.end.tolist()[0]) == (-1, end)
        assert corpus.nodes is not None
        assert corpus.nodes.row.tolist() == [0]


@pytest.mark.parametrize(
    ("text", "kind", "place"),
    [
        ("[A](#1)\n[b", "tag-unclosed", (2, 1)),
        ("[A](#1) b](#2)", "tag-unopened", (1, 10)),
        ("[A](#1) [b]", "entity-missing", (1, 9)),
        ("[A](#1) [](#2)", "span-empty", (1, 9)),
        ('<coref id="1">A</coref>\n <coref>b</coref>', "entity-missing", (2, 2)),
        ('<coref id="1">A</coref></coref>', "tag-unopened", (1, 24)),
        ("<m> A | 1 </m> <speaker> b", "tag-unclosed", (1, 16)),
        ("<m> A | 1 </m> </speaker> b", "tag-unopened", (1, 16)),
        ("<m> A | 1 </m> <m> b | x </m>", "entity-missing", (1, 16)),
        ('{A:a="b" a} {B b', "tag-unclosed", (1, 13)),
        ("A|[e1] b|[e2 c", "tag-unclosed", (1, 8)),
        ("A|[e1] b|c|[e2]", "annotation-shape", (1, 8)),
        ("A|[e1] b|e2", "annotation-shape", (1, 8)),
        ("A|[e1] b|[]", "entity-missing", (1, 8)),
    ],
)
def test_broken(text: str, kind: str, place: tuple[int, int], tmp_path: Path) -> None:
    corpus = read(tmp_path, text)
    assert {i.severity for i in corpus.incidents} == {"error"}
    assert {(i.id, i.line, i.column) for i in corpus.incidents} >= {(kind, *place)}
    lenient = read(tmp_path, text, lenient=True)
    assert {i.severity for i in lenient.incidents} == {"warning"}
    assert lenient.mentions == 1


@pytest.mark.parametrize("name", ["markdown", "tags", "sacr", "winobias", "seq2seq", "text2text"])
@given(text=st.text(st.sampled_from('[](#1)<coref id="/m>|{}:e, \n😀a'), max_size=60))
@examples(25)
def test_anything_can_be_read(name: str, text: str) -> None:
    corpus = registry.get_format(name).parse(text.encode(), "a.txt", PLAIN)
    assert (corpus.start <= corpus.end).all()
    assert (corpus.end < corpus.tokens[corpus.document]).all()


@given(made=rows(nested=True, fewest=1))
@examples(30)
def test_text2text_is_written(made: list[dict[str, Any]]) -> None:
    kept = [row for row in made if row["sentences"]]
    corpus = Corpus.from_records(kept)
    if any("|" in word for row in kept for words in row["sentences"] for word in words):
        with pytest.raises(DataError, match="cannot express this word"):
            write_as(corpus, "a", "text2text")
        return
    data = write_as(corpus, "a", "text2text").files["a"]
    again = registry.get_format("text2text").parse(data, "a", PLAIN)
    assert [*canonical(again).values()] == [*canonical(corpus).values()]
    assert again.column("word") == corpus.column("word") if kept else not again.names


def test_text2text_writes_empty_nodes() -> None:
    text = b"Ana|[e1] dice que ##|[e1] viene con Luis|[e2] .\n##|[e1] B|[e1]\n"
    corpus = registry.get_format("text2text").parse(text, "a", PLAIN)
    assert write_as(corpus, "a", "text2text").files["a"] == text


def test_a_document_called_by_its_place_like_another_by_its_name() -> None:
    """The first sentence has no number and is the first; the second says that it is number 1."""
    text = b"[a] b (c) [d]\n1 [a] b (c) [d]\n"
    found = registry.get_format("winobias").parse(text, "x", PLAIN).incidents
    assert [(i.id, i.line) for i in found] == [("document-twice", 2)]


def test_an_answer_without_marks_is_told_how_it_is_read(tmp_path: Path) -> None:
    """It had no '#begin document' line, which no answer has."""
    key, answer = tmp_path / "key.conll", tmp_path / "tale.md"
    columns = "#begin document (a)\na 0 0 Once (1)\na 0 1 upon -\n#end document\n"
    key.write_text(columns, encoding="utf-8")
    answer.write_text("Once upon\n", encoding="utf-8")
    told = run("score", key, answer, "-m", "mentions").err
    assert "--response-format markdown" in told
    assert "#begin document" not in told
    assert score(key, answer, "mentions", response_format="markdown")["mentions"].recall == 0
    answer.write_text(columns, encoding="utf-8")
    assert run("score", key, answer).status == 0  # the content decides, not the name


def test_one_entity_opens_twice_at_a_word() -> None:
    """Two mentions of an entity that begin together are two, whichever is closed first."""
    corpus = registry.get_format("text2text").parse(b"a|[e1,[e1 b|e1] c|e1]\n", "x", PLAIN)
    assert corpus.end.tolist() == [2, 1]
    assert not corpus.incidents


@pytest.mark.parametrize("name", ["a.md", "a.txt"])
@pytest.mark.parametrize(
    "text",
    [
        "[Mary] saw [[her] brother].",
        "She slept.\n[Mary] saw [her] brother.",
        "1 [Mary] saw [[her] brother].",
        "[The girl] saw [her] brother and [him].",
    ],
)
def test_brackets_without_entities_are_not_winobias(text: str, name: str, tmp_path: Path) -> None:
    """All brackets of a line were read as one entity."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    (incident,) = read_all(path).incidents
    line = text.count("\n") + 1
    assert (incident.id, incident.line, incident.expected) == ("entity-missing", line, "[her](#1)")
    assert read_all(path, make_reading(format="winobias")).mentions >= 2


@pytest.mark.parametrize("text", ["1 [Ann] paid [her].", "[The pilot] paid (it) and [she] slept."])
def test_lines_of_winobias(text: str, tmp_path: Path) -> None:
    assert len(read(tmp_path, text).labels) == 1 + text.count("(")
