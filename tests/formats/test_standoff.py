"""Formats that stand beside their text: brat, BookNLP, LitBank; and CoreNLP."""

import json
from pathlib import Path
from typing import Any

import pytest

import corefkit
from corefkit import Corpus
from corefkit.core.nodes import nodes_of
from corefkit.core.options import PLAIN
from corefkit.formats import registry, webanno
from corefkit.formats.kit.convert import write_as
from corefkit.formats.kit.reading import read_all
from tests.formats.strategies import canonical

TEXT = "The crew slept.\nThey snored."
LINKED = "T1\tP 0 8\tThe crew\nT2\tP 16 20\tThey\nT3\tP 9 14\tslept\nR1\tCoref Arg1:T2 Arg2:T1\t\n"


def put(folder: Path, **content: str) -> Path:
    """Files called `a`; the path of the first."""
    for kind, text in content.items():
        (folder / f"a.{kind}").write_text(text, encoding="utf-8")
    return folder / f"a.{next(iter(content))}"


def problems(path: Path, **how: Any) -> list[tuple[str, int | None]]:
    from corefkit.formats.options import make_reading

    found = read_all(path, make_reading(**how)).incidents
    return [(incident.id, incident.line) for incident in found]


def test_brat_links(tmp_path: Path) -> None:
    path = put(tmp_path, ann=LINKED.replace("\n", "\r\n"), txt=TEXT)
    corpus = corefkit.read(path)
    assert (corpus.names, corpus.unit) == (("a",), "character")
    assert canonical(corpus) == {"a": [[(0, 7), (16, 19)], [(9, 13)]]}
    assert corefkit.read(path, mentions="Q").mentions == 2
    assert problems(path, relations="Same") == [("no-coreference", None)]


@pytest.mark.parametrize(
    ("relation", "linked"),
    [("Equiv", True), ("COREF", True), ("Coreference", True), ("Similar", False)],
)
def test_brat_equivalences(relation: str, linked: bool, tmp_path: Path) -> None:
    """A line with a star links what it names, if it says that they are the same."""
    ann = f"T1\tMention 0 8\tThe crew\nT2\tMention 16 20\tThey\n*\t{relation} T1 T2\n"
    found = canonical(corefkit.read(put(tmp_path, ann=ann, txt=TEXT)))
    assert found == {"a": [[(0, 7), (16, 19)]] if linked else [[(0, 7)], [(16, 19)]]}


def test_brat_entities_as_types(tmp_path: Path) -> None:
    ann = (
        "T1\tcrew-1 0 8\tThe crew\nT2\tcrew-1 16 20\tThey\nT3\tX 9 14\tslept\nT4\tX 0 8\tThe crew\n"
    )
    path = put(tmp_path, ann=ann, txt=TEXT)
    assert canonical(corefkit.read(path)) == {"a": [[(0, 7), (16, 19)], [(9, 13)]]}


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("T1\tP 0 3\tThe", ("id-twice", 5)),
        ("T9\tP here", ("annotation-shape", 5)),
        ("T9\tP 5 3\tx", ("span-empty", 5)),
        (f"T9\tP 0 {'1' * 18}\tx", ("span-outside", 5)),
        (f"T9\tP 0 {'1' * 19}\tx", ("annotation-shape", 5)),
        (f"T9\tP {'1' * 19} 0\tx", ("annotation-shape", 5)),
        ("R2\tCoref Arg1:T2 Arg2:T7", ("mention-unknown", 5)),
        ("T9\tP 0 8\tA crew", ("mention-text-differs", 5)),
    ],
)
def test_brat_defects(tmp_path: Path, line: str, wanted: tuple[str, int]) -> None:
    assert problems(put(tmp_path, ann=f"{LINKED}{line}\n", txt=TEXT)) == [wanted]


def test_brat_text_that_differs_seldom_is_a_warning(tmp_path: Path) -> None:
    more = "".join(f"T{n}\tP 0 3\tThe\n" for n in range(10, 20))
    corpus = corefkit.read(put(tmp_path, ann=f"{LINKED}{more}T9\tP 0 8\tA crew\n", txt=TEXT))
    assert [i.severity for i in corpus.incidents] == ["warning"]


@pytest.mark.parametrize(("mentions", "severity"), [(9, "error"), (10, "warning"), (11, "warning")])
def test_more_than_one_brat_text_in_ten_is_an_error(
    mentions: int, severity: str, tmp_path: Path
) -> None:
    """LINKED has three mentions, and one more has another text."""
    more = "".join(f"T{n}\tP 0 3\tThe\n" for n in range(10, 6 + mentions))
    path = put(tmp_path, ann=f"{LINKED}{more}T9\tP 0 8\tA crew\n", txt=TEXT)
    found = read_all(path, PLAIN)
    assert found.mentions == mentions
    assert [(i.id, i.severity) for i in found.incidents] == [("mention-text-differs", severity)]


@pytest.mark.parametrize(
    ("parts", "tokens"),
    [
        ("0 3;4 8", [*range(3), *range(4, 8)]),
        ("0 3;3 8", [*range(8)]),  # they may touch
        ("0 3;9 14;16 28", [*range(3), *range(9, 14), *range(16, 28)]),  # to the end of the text
        ("0 3;2 8", None),  # overlap by one
        ("0 8;4 6", None),  # one inside the other
        ("0 3;0 3", None),
        ("9 14;0 8", None),  # backwards
        ("0 3;9 14;4 8", None),
        ("0 3;5 5", None),  # nothing in it
        ("0 3;8 5", None),
        ("0 3;16 29", None),  # one beyond the end
    ],
)
def test_brat_parts_are_in_order_and_apart(
    parts: str, tokens: list[int] | None, tmp_path: Path
) -> None:
    path = put(tmp_path, ann=f"{LINKED}T9\tP {parts}\n", txt=TEXT)
    found = [(i.id, i.line, i.found) for i in read_all(path, PLAIN).incidents]
    if tokens is None:
        assert found in [[(kind, 5, parts)] for kind in ("span-outside", "span-empty")]
        return
    assert found == []
    corpus = corefkit.read(path)
    row = corpus.mentions - 1
    assert [token for token, _ in nodes_of(corpus, row)] == tokens


def test_a_folder_of_brat_files(tmp_path: Path) -> None:
    put(tmp_path, ann=LINKED, txt=TEXT)
    (tmp_path / "b.ann").write_text("")
    (tmp_path / "b.txt").write_text("Nobody slept.")
    (tmp_path / "annotation.conf").write_text("[entities]\n")
    corpus = corefkit.read(tmp_path)
    assert corpus.names == ("a", "b")
    assert corpus.mentions == 3


def test_several_documents_become_a_folder() -> None:
    corpus = Corpus.from_clusters({"../x/a": [[(0, 1)]], "b c": []})
    assert sorted(write_as(corpus, "out", "brat").files) == [
        "out/b_c.ann",
        "out/b_c.txt",
        "out/x_a.ann",
        "out/x_a.txt",
    ]


HEADER = "COREF\tstart_token\tend_token\tprop\tcat\ttext\n"


def test_booknlp(tmp_path: Path) -> None:
    tokens = 'sentence_ID\tword\n0\tShe\n0\t"\n1\tran\n'
    path = put(
        tmp_path, entities=f'{HEADER}-1\t0\t0\t_\t_\tShe\n3\t1\t2\t_\t_\t" ran\n', tokens=tokens
    )
    corpus = corefkit.read(path)
    assert canonical(corpus) == {"a": [[(0, 0)], [(1, 2)]]}
    assert [i.id for i in corpus.incidents] == ["mention-without-entity"]
    assert problems(put(tmp_path, entities=f"{HEADER}1\tx\t0\n")) == [("number-expected", 2)]
    assert problems(put(tmp_path, entities=f"{HEADER}1\t0\t9\n")) == [("span-outside", 2)]


@pytest.mark.parametrize(
    ("place", "fine"),
    [
        ("0\t1\t1\t2", True),
        ("0\t0\t0\t2", False),
        ("1\t0\t1\t3", False),
        ("2\t0\t2\t0", False),
        ("0\t2\t1\t0", False),
    ],
)
def test_litbank_spans_one_past_the_end(tmp_path: Path, place: str, fine: bool) -> None:
    """Of the sentence that they name: the next one may have such a token."""
    ann = f"MENTION\tT1\t{place}\tb c d e\tPER\tNOM\nCOREF\tT1\tx-0\n"
    found = problems(put(tmp_path, ann=ann, txt="a b\nc d e"))
    assert found == ([] if fine else [("span-outside", 1)])


def test_litbank_tsv(tmp_path: Path) -> None:
    ann = "MENTION\tT1\t0\t0\t0\t1\tThe crew\tPER\tNOM\nCOREF\tT1\tcrew-0\nCOREF\tT8\tcrew-0\n"
    path = put(tmp_path, ann=ann, txt="The crew slept .\n")
    assert problems(path) == [("mention-unknown", 3)]
    (tmp_path / "a.txt").unlink()
    assert problems(path) == [("text-missing", None)]


def corenlp(**more: object) -> str:
    words = [{"word": "-LRB-", "originalText": "("}, {"word": "She", "originalText": "She"}]
    return json.dumps({"sentences": [{"tokens": words}], **more})


def test_corenlp_json(tmp_path: Path) -> None:
    mention = {"sentNum": 1, "startIndex": 2, "endIndex": 3}
    path = put(tmp_path, json=corenlp(corefs={"4": [mention]}, docId="x"))
    corpus = corefkit.read(path)
    assert canonical(corpus) == {"x": [[(1, 1)]]}
    assert corpus.column("word") == ["(", "She"]
    assert problems(put(tmp_path, json=corenlp(corefs=[1]))) == [("json-shape", 1)]
    assert problems(put(tmp_path, json=corenlp(corefs={"1": [{}]}))) == [("json-shape", 1)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("<root><document><sentences/></document></root>", ("clusters-missing", 1)),
        ('<!DOCTYPE root SYSTEM "http://x/y.dtd"><root><document>&z;', ("xml-entity", 1)),
        ("<root><document>\n</root>", ("xml-syntax", 2)),
        ("<root><document>" + "<a>" * 300, ("xml-syntax", 1)),
        ('<!DOCTYPE root [<!ENTITY a "b">]><root><document>&a;', ("xml-entity", 1)),
    ],
)
def test_corenlp_xml_defects(tmp_path: Path, text: str, wanted: tuple[str, int]) -> None:
    assert problems(put(tmp_path, xml=text)) == [wanted]


@pytest.mark.parametrize("name", registry.format_names())
def test_no_bytes_make_a_reader_fail(name: str, tmp_path: Path) -> None:
    put(tmp_path, ann="", txt=TEXT, tokens="word\nx\n", entities="")
    for data in (b"", b"\xff\x00\n\t\t", b"{", b"[[", b"<a>", b'{"sentences": 1, "corefs": 2}'):
        for kind in ("ann", "entities"):
            registry.get_format(name).parse(data, str(tmp_path / f"a.{kind}"), PLAIN)


def test_features_without_a_name_are_those_of_their_layer() -> None:
    """Found by fuzzing: an empty name in the report of `convert`."""
    for layer, shown in (("my.Layer", "my.Layer"), ("", "(no name)")):
        text = f"#FORMAT=WebAnno TSV 3.3\n#T_SP={layer}|\n\n#Text=a\n1-1\t0-1\ta\tvalue\n"
        assert webanno.parse(text.encode(), "x.tsv", PLAIN).sources[0].unread == {shown: 1}
