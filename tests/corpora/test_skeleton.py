"""Skeletons: masked and filled again, every byte as it was."""

import gzip
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit import DataError
from corefkit.core.tokens import Tokens
from corefkit.corpora.layers import write_layer
from corefkit.corpora.skeleton import WordList, fill, mask, read_words
from corefkit.formats.conll.lines import token_lines
from corefkit.formats.conll.reader import parse
from tests.strategies import some_of
from tests.support import CONFORMANCE, EXAMPLES, ROOT, needs_conformance, run


def words_of(data: bytes) -> list[list[str]]:
    sentences: list[list[str]] = []
    for line in token_lines(data):
        if line.begins_sentence:
            sentences.append([])
        sentences[-1].append(line.fields[3])
    return sentences


def check(data: bytes) -> None:
    skeleton = mask(data)
    assert {word for sentence in words_of(skeleton) for word in sentence} == {"[WORD]"}
    assert fill(skeleton, WordList("-", words_of(data))) == data
    assert mask(skeleton) == skeleton


@pytest.mark.parametrize("name", ["key", "careful", "hasty", "baseline"])
def test_examples(name: str) -> None:
    check((EXAMPLES / f"{name}.conll").read_bytes())


@needs_conformance
@pytest.mark.more
def test_annotators() -> None:
    for path in some_of(sorted((CONFORMANCE / "annotators").glob("*.gz"))):
        check(gzip.decompress(path.read_bytes()))


@needs_conformance
def test_a_skeleton_of_the_task() -> None:
    data = gzip.decompress((CONFORMANCE / "ontonotes-dev" / "key.conll.gz").read_bytes())
    head = data[: data.index(b"#end document")]
    assert mask(head) == head


@given(
    st.lists(st.lists(st.text("aé指", min_size=1, max_size=9), min_size=1, max_size=4), min_size=1),
    st.sampled_from(["\t", " "]),
    st.sampled_from(["\n", "\r\n"]),
)
def test_anything(sentences: list[list[str]], separator: str, end: str) -> None:
    blocks = [
        end.join(separator.join(["a", "0", str(i), w, "-"]) for i, w in enumerate(s)) + end
        for s in sentences
    ]
    check((f"#begin document a{end}" + end.join(blocks)).encode())


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The example key as OntoNotes has it: one file for each document."""
    text = (EXAMPLES / "key.conll").read_text(encoding="utf-8")
    blocks: dict[str, str] = {}
    for block in text.split("#begin document (")[1:]:
        name = block.partition(")")[0]
        blocks[name] = blocks.get(name, "") + "#begin document (" + block
    for name, block in blocks.items():
        file = tmp_path / "data" / "english" / "annotations" / f"{name}.conll"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(block, encoding="utf-8")
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {str(f.relative_to(folder)): f.read_bytes() for f in folder.rglob("*") if f.is_file()}


def test_whole_trees(tree: Path) -> None:
    data = tree / "data"
    assert run("corpus", "layers", data, "--layer", "parse", "-o", tree / "parses").status == 0
    result = run("corpus", "skeleton", "mask", data, "-o", tree / "skeletons")
    assert result.err.count("\n") == 1  # no progress bar where there is no terminal
    assert (result.status, result.out) == (0, "")
    assert "7 files written" in result.err
    skeletons = contents(tree / "skeletons")
    assert set(skeletons) == {f.replace(".conll", ".skel") for f in contents(data)}
    result = run(
        "corpus",
        "skeleton",
        "fill",
        tree / "skeletons",
        "--words",
        tree / "parses",
        "-o",
        tree / "again",
    )
    assert result.status == 0
    assert contents(tree / "again") == contents(data)


def test_all_or_nothing(tree: Path) -> None:
    run("corpus", "skeleton", "mask", tree / "data", "-o", tree / "skeletons")
    run("corpus", "layers", tree / "data", "--layer", "parse", "-o", tree / "parses")
    last = sorted((tree / "parses").rglob("*.parse"))[-1]
    last.write_text("(TOP (NN a))", encoding="utf-8")
    arguments = ("corpus", "skeleton", "fill", tree / "skeletons", "--words", tree / "parses", "-o")
    result = run(*arguments, tree / "again")
    assert result.status == 1
    assert "words-mismatch" in result.err
    assert contents(tree / "again") == {}
    before = contents(tree / "data")
    assert run(*arguments, tree / "data").status == 2  # files that are there need --force
    assert run(*arguments, tree / "data", "--force").status == 1
    assert contents(tree / "data") == before
    last.unlink()
    assert "words-missing" in run(*arguments, tree / "again").err


def test_sources_of_words(tmp_path: Path) -> None:
    data = (EXAMPLES / "key.conll").read_bytes()
    sentences = words_of(data)
    skeleton = tmp_path / "key.skel"
    skeleton.write_bytes(mask(data))
    trees = "".join(write_layer(Tokens(parse(data, "-")), "parse"))
    sources = {
        "key.parse": trees,
        "trees.txt": trees,
        "sentences.txt": "\n\n".join("\n".join(s) for s in sentences),
        "tokens.txt": "\n".join(word for s in sentences for word in s),
    }
    for name, text in sources.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        result = run(
            "corpus",
            "skeleton",
            "fill",
            skeleton,
            "--words",
            tmp_path / name,
            "-o",
            tmp_path / "out",
        )
        assert result.status == 0, result.err
        assert (tmp_path / "out").read_bytes() == data
    packed = run(
        "corpus", "skeleton", "mask", EXAMPLES / "key.conll", "-o", tmp_path / "key.skel.gz"
    )
    assert packed.status == 0
    assert gzip.decompress((tmp_path / "key.skel.gz").read_bytes()) == mask(data)


def test_traces_and_disfluencies(tmp_path: Path) -> None:
    source = tmp_path / "a.parse"
    source.write_text(
        "(TOP (S (EDITED (NP (PRP I)) (, ,)) (NP (PRP we)) (VP (VBD slept) (NP (-NONE- *)))))\n"
        "(TOP (EDITED (NP (NN oh))))\n(TOP (INTJ (UH yes)))\n"
    )
    assert read_words(str(source)).sentences == [["I", ",", "we", "slept"], ["oh"], ["yes"]]
    assert read_words(str(source), drop_edited=True).sentences == [["we", "slept"], ["yes"]]


@pytest.mark.parametrize(
    ("sentences", "told"),
    [
        ([["a"], ["c"]], "sentence 1 of 2 has 2 tokens, but the source has 1 word"),
        ([["a", "b"], ["c", "d"]], "sentence 2 of 2 has 1 token, but the source has 2 words"),
        (
            [["a", "b"]],
            "sentence 2 of 2 (the source has 1) has 1 token, but the source has 0 words",
        ),
        (
            [["a", "b"], ["c"], ["d"]],
            "sentence 3 of 2 (the source has 3) has 0 tokens, but the source has 1 word",
        ),
    ],
)
def test_mismatches(sentences: list[list[str]], told: str) -> None:
    skeleton = b"#begin document a\na 0 0 [WORD] -\na 0 1 [WORD] -\n\na 0 0 [WORD] -\n"
    with pytest.raises(DataError) as caught:
        fill(skeleton, WordList("w.txt", sentences), "a.skel")
    (incident,) = caught.value.incidents
    assert incident.message == told
    assert incident.file == "a.skel"


def test_another_word(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="word-not-masked"):
        fill(b"#begin document a\na 0 0 Hello -\n", WordList("w", [["Bye"]]))
    with pytest.raises(DataError, match="no word column"):
        mask(b"#begin document a\na 0 0 -\n")
    with pytest.raises(DataError, match="no-document"):
        mask((ROOT / "LICENSE").read_bytes())
    broken = tmp_path / "broken.parse"
    broken.write_text("(TOP (S (NN a))\n")
    with pytest.raises(DataError, match="ends inside a tree"):
        read_words(str(broken))
    many = tmp_path / "many.txt"
    many.write_text("two words\n")
    with pytest.raises(DataError, match="more than one token"):
        read_words(str(many))


@pytest.mark.parametrize("source", ["words/data", "words"])
def test_languages_do_not_mix(tmp_path: Path, source: str) -> None:
    for language, word in (("chinese", "ni"), ("english", "you")):
        inside = Path("data", language, "annotations", "nw", "aa", "00")
        for root in ("skels", "words"):
            (tmp_path / root / inside).mkdir(parents=True)
        skeleton = b"#begin document (nw/aa/00/aa_0001); part 000\na\t0\t0\t[WORD]\t-\n"
        (tmp_path / "skels" / inside / "aa_0001.skel").write_bytes(skeleton)
        (tmp_path / "words" / inside / "aa_0001.parse").write_text(f"(TOP (NN {word}))\n")
        (tmp_path / "words" / inside / "aa_0001.name").write_text("no words\n")
    skels, words, out = tmp_path / "skels", tmp_path / source, tmp_path / "out"
    assert run("corpus", "skeleton", "fill", skels, "--words", words, "-o", out).status == 0
    for language, word in (("chinese", "ni"), ("english", "you")):
        (file,) = (out / "data" / language).rglob("*.conll")
        assert words_of(file.read_bytes()) == [[word]]


@pytest.mark.parametrize(
    ("skeletons", "words", "kind"),
    [
        # One skeleton, and the words of two languages; then the other way round.
        (["nw"], ["en/annotations/nw", "zh/annotations/nw"], "words-ambiguous"),
        (["en/annotations/nw", "zh/annotations/nw"], ["nw"], "words-ambiguous"),
        (["en/annotations/nw"], ["zh/annotations/nw"], "words-missing"),
    ],
)
def test_whose_words(tmp_path: Path, skeletons: list[str], words: list[str], kind: str) -> None:
    for root, folders in (("skels", skeletons), ("words", words)):
        for folder in folders:
            (tmp_path / root / folder).mkdir(parents=True)
    for folder in skeletons:
        skeleton = b"#begin document a\na\t0\t0\t[WORD]\t-\n"
        (tmp_path / "skels" / folder / "a.skel").write_bytes(skeleton)
    for folder in words:
        (tmp_path / "words" / folder / "a.parse").write_text("(TOP (NN word))\n")
    out = tmp_path / "out"
    done = run(
        "corpus", "skeleton", "fill", tmp_path / "skels", "--words", tmp_path / "words", "-o", out
    )
    assert (done.status, [path for path in out.rglob("*") if path.is_file()]) == (1, [])
    assert f"[{kind}]" in done.err
    if kind == "words-missing":
        assert str(tmp_path / "words" / skeletons[0] / "a.parse") in done.err


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.parse", b"(TOP (NN caf\xe9))\n"),
        ("a.txt", b"caf\xe9\n"),
        ("a.conll", b"#begin document a\na\t0\t0\tcaf\xe9\t-\n"),
    ],
)
def test_bytes_that_are_not_utf8(tmp_path: Path, name: str, text: bytes) -> None:
    data = b"#begin document a\na   0    0    caf\xe9   -\n"
    (tmp_path / name).write_bytes(text)
    (tmp_path / "a.skel").write_bytes(mask(data))
    out = tmp_path / "out.conll"
    done = run(
        "corpus", "skeleton", "fill", tmp_path / "a.skel", "--words", tmp_path / name, "-o", out
    )
    assert (done.status, out.read_bytes()) == (0, data)


ODD_WORDS = ["\r", "w\rx", "\rw", "\u00a0"]


@pytest.mark.parametrize(
    ("separator", "word"),
    [
        *product(("\t", " ", "   "), ODD_WORDS),
        *product(("\t",), (" ", "w ", "")),  # which columns between blanks cannot hold
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_odd_words_are_kept(tmp_path: Path, word: str, separator: str, end: str) -> None:
    rows = [["a", "0", "0", word, "NN", "-"], ["a", "0", "1", "word", "NN", "(1)"]]
    text = end.join(["#begin document a", *map(separator.join, rows), "", "#end document", ""])
    data, path = text.encode(), tmp_path / "a.conll"
    path.write_bytes(data)
    if separator == "   ":
        with pytest.raises(DataError, match="not aligned"):
            mask(data)
        return
    masked = mask(data)
    assert word not in ("w\rx", "\rw") or word.encode() not in masked
    assert fill(masked, read_words(str(path))) == data
