"""Empty nodes as tokens, and documents of a topic as one."""

from pathlib import Path

import pytest

import corefkit
from corefkit import DataError, UsageError
from corefkit.core.incidents import errors
from corefkit.core.options import PLAIN
from corefkit.formats import registry
from corefkit.formats.kit.convert import Losses, write_as
from tests.formats.samples import sample
from tests.formats.strategies import canonical
from tests.support import EXAMPLES, run

TEXT = (
    "# global.Entity = eid-etype-head-other\n# newdoc id = x\n"
    "# sent_id = 1\n0.1\t_\t_\t_\t_\t_\t_\t_\t0:root\tEntity=(e1--1)\n"
    "1\ta\ta\tX\t_\t_\t0\troot\t_\tEntity=(e1--1)\n"
    "1.1\t_\t_\t_\t_\t_\t_\t_\t1:dep\tEntity=(e2--1)\n"
    "2\tb\tb\tX\t_\t_\t1\tdep\t_\tEntity=(e2--1)\n\n"
    "# sent_id = 2\n0.1\t_\t_\t_\t_\t_\t_\t_\t0:root\tEntity=(e1--1)\n"
    "1\tc\tc\tX\t_\t_\t0\troot\t_\tEntity=(e2--1)\n\n"
)

ECB = (
    b'<Document doc_name="x.xml"><token t_id="1" sentence="0">a</token>'
    b'<token t_id="2" sentence="1">b</token><Markables>'
    b'<HUMAN m_id="1"><token_anchor t_id="1"/></HUMAN>'
    b'<HUMAN m_id="2"><token_anchor t_id="2"/></HUMAN><HUMAN m_id="3"/></Markables>'
    b'<Relations><CROSS_DOC_COREF note="N1"><source m_id="1"/><source m_id="2"/>'
    b'<target m_id="3"/></CROSS_DOC_COREF></Relations></Document>'
)


def test_zeros_as_tokens(tmp_path: Path) -> None:
    path = tmp_path / "x.conllu"
    path.write_text(TEXT)
    corpus = corefkit.read(path)
    files, told, *_ = write_as(corpus, "x.conll", "conll", Losses(zeros="token"))
    (tmp_path / "x.conll").write_bytes(files["x.conll"])
    read = corefkit.read(tmp_path / "x.conll")
    assert read.column("word") == ["_", "a", "_", "b", "_", "c"]
    (clusters,) = canonical(read).values()
    assert clusters == [[(0, 0), (1, 1), (4, 4)], [(2, 2), (3, 3), (5, 5)]]
    assert b"b" in files["x.conll"].split(b"\n\n")[0]
    assert b"c" in files["x.conll"].split(b"\n\n")[1]
    assert [i.id for i in told] == []
    told = write_as(corpus, "x.conll", "conll", Losses()).incidents
    assert [i.id for i in told] == ["mention-zero"]


def test_all_mentions_of_an_example_are_kept() -> None:
    corpus = corefkit.read(EXAMPLES / "drawer.conllu")
    files, _, *_ = write_as(corpus, "x.jsonl", "e2e", Losses(zeros="token"))
    assert files["x.jsonl"].count(b"\n") == len(corpus.names)


def test_topics_are_pooled(tmp_path: Path) -> None:
    for name in (b"1_1", b"1_2", b"2_1"):
        changed = ECB.replace(b'"x.xml"', b'"' + name + b'.xml"')
        (tmp_path / f"{name.decode()}.xml").write_bytes(changed)
    corpus = corefkit.read(tmp_path)
    files, _, *_ = write_as(corpus, "x.jsonl", "e2e", Losses(cross="pool"))
    (tmp_path / "pooled.jsonl").write_bytes(files["x.jsonl"])
    pooled = corefkit.read(tmp_path / "pooled.jsonl")
    assert canonical(pooled) == {"1": [[(0, 0), (1, 1), (2, 2), (3, 3)]], "2": [[(0, 0), (1, 1)]]}
    assert pooled.column("word") == ["a", "b"] * 3
    with pytest.raises(UsageError, match="have no entities that span documents"):
        write_as(pooled, "x", "conll", Losses(cross="pool"))


@pytest.mark.parametrize("to", ["conllua", "brat", "e2e"])
def test_empty_nodes_among_the_tokens_of_mentions(to: str) -> None:
    """They are left out and counted; what is written is read again without an error."""
    text = b"a|[e1 b|e1] ##|[e2 c|e2] d ##|[e3 ##|e3]\n"
    corpus = registry.get_format("text2text").parse(text, "x", PLAIN)
    files, told, *_ = write_as(corpus, "x", to, Losses())
    assert [i.message.split()[0] for i in told if i.id == "mention-zero"] == ["2"]
    if len(files) == 1:
        read = registry.get_format(to).parse(next(iter(files.values())), "x", PLAIN)
        assert not errors(read.incidents)
        assert sorted(read.clusters()["1"]) == [[(0, 1)], [(2, 2)]]
    else:
        (lines,) = (data for name, data in files.items() if name.endswith(".ann"))
        assert lines.split() == b"T1 Mention 0 3 a b T2 Mention 4 5 c".split()
    with pytest.raises(DataError, match="mention-zero"):
        write_as(corpus, "x", "e2e", Losses(zeros="error"))


@pytest.mark.parametrize("to", ["conllu", "conllua", "conll", "webanno"])
def test_predictions_without_words_are_written_with_masks(to: str) -> None:
    corpus = registry.get_format("s2e-predictions").parse(sample("s2e-predictions"), "x", PLAIN)
    (data,) = write_as(corpus, "x", to, Losses())[0].values()
    read = registry.get_format(to).parse(data, "x", PLAIN)
    assert not errors(read.incidents)
    assert read.clusters() == corpus.clusters()


def test_topics_are_scored_as_one(tmp_path: Path) -> None:
    """Links between documents count; a document that only the response has is in its topic."""
    key, response = tmp_path / "key", tmp_path / "response"
    for folder, names in ((key, ("1_1", "1_2", "2_1")), (response, ("1_1", "1_3", "2_1"))):
        folder.mkdir()
        for name in names:
            data = ECB.replace(b'"x.xml"', f'"{name}.xml"'.encode())
            data = data.replace(b">a<", f">{name}<".encode())
            (folder / f"{name}.xml").write_bytes(data)
    report = corefkit.score(key, response, "mentions,muc", across="topic", documents="union")
    assert report["muc"].counts["recall"] == [2, 4]
    assert report["muc"].counts["precision"] == [2, 4]
    assert report["mentions"].counts["recall"] == [4, 6]
    assert corefkit.score(key, response, "mentions")["mentions"].counts["precision"] == [4, 4]
    done = run("score", key, response, "--across", "topic", "--documents", "union", "-m", "muc")
    assert done.status == 0
    assert "cross-document" not in done.err
    assert "document-extra" not in done.err
    assert "(3 documents, 6 mentions, 2 entities)" in done.out
    assert "--across topic" in run("score", str(key), str(response), "-m", "muc").err
