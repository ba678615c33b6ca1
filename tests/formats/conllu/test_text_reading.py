"""Texts of language models read back: those of the conformance data, every repair, round trips."""

import json
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corefkit import Corpus, DataError
from corefkit.core.incidents import errors
from corefkit.core.nodes import span_of
from corefkit.formats.conllu import text_reading
from corefkit.formats.conllu.dependency_trees import tree_heads
from corefkit.formats.conllu.model_texts import to_objects, to_text
from corefkit.formats.conllu.reader import parse
from corefkit.formats.conllu.text_reading import ReadBack, read_back
from tests.strategies import some_of
from tests.support import CONFORMANCE, EXAMPLES, kinds_of, needs_conformance, run

FOLDER = CONFORMANCE / "corefud" / "plaintext"
DRAWER = (EXAMPLES / "drawer.conllu").read_bytes()


def entities(corpus: Corpus) -> set[frozenset[tuple[object, ...]]]:
    """The entities as sets of mentions with heads; their ids play no part."""
    assert corpus.head is not None and corpus.head_zero is not None
    found = defaultdict(set)
    for row in range(corpus.mentions):
        head = int(corpus.head[row]), int(corpus.head_zero[row])
        found[int(corpus.entity[row])].add((span_of(corpus, row), head))
    return {frozenset(mentions) for mentions in found.values()}


def lines(rows: str, more: str = "") -> bytes:
    """A document; each row is ID FORM and perhaps HEAD DEPS MISC."""
    text = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"
    for row in rows.split(";"):
        if not row.strip():
            text += "\n"
            continue
        id, form, head, deps, misc = (row.split() + ["_"] * 3)[:5]
        text += f"{id}\t{form}\t_\t_\t_\t_\t{head}\t_\t{deps}\t{misc}\n"
    return (text + "\n" + more).encode()


ABC = lines("1 a;2 b;3 c;;1 d;2 e")


def spans(found: ReadBack) -> list[tuple[int, ...]]:
    """The mentions as (first, last, zero) in order."""
    corpus = parse(found.data, "-")
    zero = [0] * corpus.mentions if corpus.zero is None else corpus.zero.tolist()
    return sorted(zip(corpus.start.tolist(), corpus.end.tolist(), zero, strict=True))


@needs_conformance
@pytest.mark.parametrize("name", ["key.txt", "key.json"])
def test_the_texts_of_the_shared_task(name: str) -> None:
    text = (FOLDER / name).read_text(encoding="utf-8")
    found = read_back(text, (FOLDER / "key.conllu").read_bytes())
    assert found.incidents == ()
    expected = parse((FOLDER / "back.conllu").read_bytes(), "back")
    assert entities(parse(found.data, "-")) == entities(expected)


@needs_conformance
def test_new_empty_nodes() -> None:
    text = (FOLDER / "key.txt").read_text(encoding="utf-8")
    found = read_back(text, (FOLDER / "key.conllu").read_bytes(), empty_nodes="new")
    assert found.repairs == {"text-empty-node": text.count(" ##")}
    again = parse(found.data, "-")
    assert to_text(again) == text
    assert not errors(again.incidents)


@needs_conformance
@pytest.mark.more
@pytest.mark.parametrize("name", some_of(["la_aetheria", "no_nynorsk", "en_gentle", "hu_korkor"]))
def test_real_files_come_back(name: str) -> None:
    """Text written, read, and written again is the same; so are mentions that are continuous."""
    from corefkit.formats.kit.files import load

    data = load(str(CONFORMANCE / "corefud" / "keys" / f"{name}.conllu.gz"))
    text = to_text(parse(data, name))
    found = read_back(text, data)
    assert found.repairs == {}
    assert to_text(parse(found.data, "-")) == text


def test_the_command(tmp_path: Path) -> None:
    text, out = tmp_path / "answer.txt", tmp_path / "response.conllu"
    text.write_text(to_text(parse(DRAWER, "-")), encoding="utf-8")
    done = run("corpus", "text", EXAMPLES / "drawer.conllu", "--read", text, "-o", out)
    assert (done.status, done.err) == (0, "0 repairs\n")
    assert out.read_bytes() == read_back(text.read_text(encoding="utf-8"), DRAWER).data
    text.write_text("Nela|[e1", encoding="utf-8")
    done = run("corpus", "text", EXAMPLES / "drawer.conllu", "--read", text)
    assert "answer.txt:1:1: warning: e1 is still open" in done.err
    assert "1 text-mark-unclosed" in done.err


def test_json_and_plain_text_say_the_same() -> None:
    corpus = parse(DRAWER, "-")
    plain = read_back(to_text(corpus), DRAWER)
    assert plain.incidents == ()
    again = read_back(json.dumps(to_objects(corpus)), DRAWER)
    assert entities(parse(again.data, "-")) == entities(parse(plain.data, "-"))
    heads = tree_heads(parse(plain.data, "-"))
    assert entities(heads) == entities(parse(plain.data, "-"))


def test_words_that_differ() -> None:
    found = read_back("a|[e1 x|[e2] b|e1] d|[e1] E|[e2]", ABC)
    assert spans(found) == [(0, 1, 0), (3, 3, 0)]
    assert found.repairs == {"text-word-differs": 3, "text-mark-lost": 2}
    place = next(i for i in found.incidents if i.id == "text-mark-lost")
    assert (place.line, place.column, place.document) == (1, 7, "d")
    assert place.found == "word 2: x"


def test_open_at_the_end_of_a_sentence_and_closed_without_being_open() -> None:
    found = read_back("a b|[e1 c d e|e1]", ABC)
    assert spans(found) == [(1, 1, 0), (4, 4, 0)]
    assert found.repairs == {"text-mark-unopened": 1, "text-mark-unclosed": 1}


def test_marks_that_cannot_be_read() -> None:
    found = read_back("a|[e1],e2 b|, c| d|[e1] e", ABC)
    assert found.repairs == {"text-mark-bad": 1, "text-word-differs": 2}
    assert spans(found) == [(0, 0, 0), (3, 3, 0)]


def test_a_bar_in_a_word() -> None:
    file = lines("1 |;2 a|b")
    found = read_back("||[e1] a|b|[e1]", file)
    assert (found.repairs, spans(found)) == ({}, [(0, 0, 0), (1, 1, 0)])


def test_documents_in_order() -> None:
    two = ABC + b"# newdoc id = d2\n1\tz\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    assert read_back("a b c d e", two).repairs == {"text-documents-differ": 1}
    found = read_back("\nz|[e1]\nq", two)
    assert found.repairs == {"text-documents-differ": 1, "text-word-differs": 5}
    assert parse(found.data, "-").document.tolist() == [1]


def test_empty_nodes_are_made_behind_the_word_before() -> None:
    found = read_back("##|[e1] a ##it|[e1] ## b|[e2 ##|e2] c d e ##|[e2]", ABC)
    rows = [line.split("\t") for line in found.data.decode().split("\n") if "." in line[:3]]
    assert [(row[0], row[1], row[8]) for row in rows] == [
        ("0.1", "_", "_"),
        ("1.1", "it", "1:_"),
        ("1.2", "_", "1:_"),
        ("2.1", "_", "2:_"),
        ("2.1", "_", "2:_"),
    ]
    assert found.repairs == {"text-empty-node": 5}
    assert not errors(parse(found.data, "-").incidents)


def test_empty_nodes_of_the_file() -> None:
    file = lines("1 a 0 0:root;1.1 he _ 3:nsubj;2 b 1 1:x;3 c 1 1.1:y;3.1 she _ 3:obj")
    # Both depend on c and stand behind it in the text; a third one is new.
    found = read_back("a b c ##he ##she|[e1] ##it|[e1]", file)
    data = found.data.decode()
    assert "3.1\tshe" in data and "3.2\tit\t" in data and "1.1\the\t" in data
    assert found.repairs == {"text-empty-node": 1}
    # One of the two is not said: forms decide which.
    assert "3.1\tshe\t_\t_\t_\t_\t_\t_\t3:obj\tEntity=(e1)" in (
        read_back("a b c ##she|[e1]", file).data.decode()
    )
    new = read_back("a b c ##she|[e1]", file, empty_nodes="new").data.decode()
    assert "1.1" not in new and "3.1\tshe\t_\t_\t_\t_\t_\t_\t3:_\tEntity=(e1)" in new
    assert "3\tc\t_\t_\t_\t_\t1\t_\t1:_\t_" in new


def test_an_empty_node_inside_a_mention_that_the_text_shows_elsewhere() -> None:
    file = lines("1 a 2 2:x;1.1 _ _ 3:nsubj;2 b 3 3:x;3 c 0 0:root")
    found = read_back("a|[e1 b|e1] c ##|[e1]", file)
    assert "1\ta\t_\t_\t_\t_\t2\t_\t2:x\tEntity=(e1--2" in found.data.decode()
    assert found.repairs == {}


def test_json() -> None:
    item = {
        "doc_id": "other",
        "tokens": ["a", "b", "c", "d", "e"],
        "clusters_token_offsets": [[[0, 1], [1, 2], [4, 9], [0, 4], "x"]],
    }
    found = read_back(json.dumps([item]), ABC)
    assert found.repairs == {
        "text-mark-bad": 2,
        "text-mentions-cross": 1,
        "text-documents-differ": 1,
        "text-mark-unopened": 1,
        "text-mark-unclosed": 1,
    }
    assert spans(found) == [(0, 0, 0), (0, 1, 0), (4, 4, 0)]


@pytest.mark.parametrize("text", ["[{", '[{"tokens": 1}]', "[{}]"])
def test_unreadable_json(text: str) -> None:
    with pytest.raises(DataError) as error:
        read_back(text, ABC)
    assert [i.id for i in error.value.incidents] == ["text-unreadable"]


def test_nothing_in_common(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_reading, "_MOST_STEPS", 3)
    with pytest.raises(DataError) as error:
        read_back("p q r s t", ABC)
    assert errors(error.value.incidents)[0].id == "text-unreadable"


def test_broken_files_are_refused() -> None:
    with pytest.raises(DataError):
        read_back("a", lines("1 a;3 b"))
    assert (
        run("corpus", "text", EXAMPLES / "drawer.conllu", "--json", "--read", "x.txt").status == 2
    )


def test_a_file_without_annotation_gets_a_declaration() -> None:
    file = "# newdoc id = d\n1\ta\t_\t_\t_\t_\t_\t_\t_\tBridge=e1<e2|X=1\n"
    data = read_back("a|[e9]", file.encode()).data.decode()
    assert data == (
        "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"
        "1\ta\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1)|X=1\n\n"
    )


def test_every_kind_has_a_test_here() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    kinds = {kind for kind in kinds_of("formats/conllu") if kind.startswith("text-")}
    assert [kind for kind in kinds if f'"{kind}"' not in source] == []


WORD = st.sampled_from(["a", "b", "c", "d", "e", "##", "##x", "z"])
MARK = st.sampled_from(["", "", "|[e1", "|e1]", "|[e2],e1]", "|[e2,[e1", "|e2],[e1]", "|e1],e1]"])


@example(["a", "a", "a", "##", "##|[e1", "##", "d|e1]"], False)
@example(["a|[e1", "c|[e1", "##x|e1]", "##|e1]", "##"], False)
@given(st.lists(st.tuples(WORD, MARK).map("".join), max_size=14), st.booleans())
def test_anything_gives_a_sound_file(words: list[str], new: bool) -> None:
    file = lines("1 a 0 0:root;1.1 _ _ 3:nsubj;2-3 bc;2 b 1 1:x;3 c 1 1:y;;0.1 x _ _;1 d;2 e")
    found = read_back(" ".join(words), file, empty_nodes="new" if new else "file")
    corpus = parse(found.data, "-")
    assert not errors(corpus.incidents)
    assert read_back(to_text(corpus), found.data).incidents == ()


def test_repairs_of_one_kind_are_folded(tmp_path: Path) -> None:
    file, text = EXAMPLES / "drawer.conllu", tmp_path / "text.txt"
    words = run("corpus", "text", file).out.split()
    text.write_text(" ".join(words[:-15]), encoding="utf-8")
    shown = run("corpus", "text", file, "--read", text).err
    answer = read_back(text.read_text(encoding="utf-8"), file.read_bytes())
    (kind, number), *_ = Counter(i.id for i in answer.incidents).most_common()
    assert number > 10
    assert shown.count(f"[{kind}]") == 10
    assert f"… and {number - 10} more of this kind" in shown
