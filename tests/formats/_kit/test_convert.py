"""WrittenFiles files that are larger than what they are made of: no more memory than they need."""

import tracemalloc
from pathlib import Path

import pytest

import corefkit
from corefkit import DataError
from corefkit.core.options import PLAIN
from corefkit.formats import MAX_SIZE_VARIABLE
from corefkit.formats._kit.convert import Losses, convert, write_as
from tests.support import run

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
    write_as(corpus, "-", form, Losses())  # imports
    tracemalloc.start()
    made = write_as(corpus, "-", form, Losses())
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
    assert "bytes and more" in incident.message
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
    assert "CorefUD needs 39,600 bytes and more" in done.err
    monkeypatch.setenv(MAX_SIZE_VARIABLE, "4M")
    assert run("convert", str(file), "-", "--to", "conllu").status == 0


COLUMNS = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY"
BLANK = "\t_" * 8


def test_spelt_mentions_are_counted_in_characters() -> None:
    from corefkit.formats._kit.content import Content

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
