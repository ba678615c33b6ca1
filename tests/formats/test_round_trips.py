"""What is written is read again, with the same clusters, words and sentences: for every writer."""

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import example, given

import corefkit
from corefkit import Corpus, DataError
from corefkit.core.tokens import sentence_numbers
from corefkit.formats import registry
from corefkit.formats.kit.building import file_names
from corefkit.formats.kit.convert import Losses, write_as
from corefkit.formats.kit.text import to_tokens
from tests.formats.strategies import canonical, rows
from tests.strategies import examples

WRITTEN = [n for n in registry.format_names() if registry.get_format(n).write]
EXTRAS = {"spacy": "spacy", "parquet": "pyarrow"}
"""The packages that some writers need."""
FILES = ("brat", "booknlp", "webanno", "rucoco", "corefannotator", "markdown", "tags")
"""Formats in which a file is a document and is called by it."""
UNNAMED = ("text2text",)
"""Formats that give documents no names: they are told by their place."""
WORDLESS = ("parquet", "tbf", "links")
"""Formats without words: nothing tells how long a document is, or that there is an empty one."""

EMPTY_UNSAID = ("conllu", "text2text")
"""Formats that cannot say a document without words, and tell it."""

SENTENCES = [["The", "crew", "of", "😀", "slept"], ["They", "snored", "."]]


def row(*clusters: list[list[int]], **other: Any) -> dict[str, Any]:
    return {"doc_key": "tale", "sentences": SENTENCES, "clusters": list(clusters), **other}


SHAPES: dict[str, list[dict[str, Any]]] = {
    "nested": [row([[0, 4], [5, 5]], [[0, 1], [1, 1], [3, 3]])],
    "nested in its own entity": [row([[0, 4], [0, 1], [1, 1]])],
    "crossing another entity": [row([[0, 2], [6, 6]], [[1, 4]])],
    "crossing its own entity": [row([[0, 2], [1, 4]])],
    "repeated in its entity": [row([[0, 1], [0, 1], [5, 5]])],
    "in two entities": [row([[0, 1]], [[0, 1], [5, 5]])],
    "one token": [row([[0, 0]], [[7, 7], [3, 3]])],
    "document-long": [row([[0, 7]])],
    "over the end of a sentence": [row([[3, 6], [7, 7]])],
    "astral characters": [row([[3, 3], [2, 4]], sentences=[["😀", "𝔄", "c", "漢", "é"]])],
    "no mention": [row()],
    "empty document": [row([[0, 0]]), row(doc_key="nothing", sentences=[]), row(doc_key="last")],
}
"""One corpus for each shape that the issue names, and some more."""

LOSSES = {
    # Brackets of one entity nest; those of CoNLL-UA close what was opened last, of any entity.
    ("conll", "crossing its own entity"): "mentions-cross",
    ("conllu", "crossing its own entity"): "mentions-cross",
    ("conllua", "crossing its own entity"): "mentions-cross",
    ("conllua", "crossing another entity"): "mentions-cross",
    **{
        (name, f"crossing {whose} entity"): "mentions-cross"
        for name in ("markdown", "tags")
        for whose in ("its own", "another")
    },
    ("text2text", "crossing its own entity"): "mentions-cross",
    # A mention of CorefUD is within one sentence.
    ("conllu", "document-long"): "mention-across-sentences",
    # Links through a span would join its two entities.
    ("links", "in two entities"): "span-in-two-entities",
    ("conllu", "over the end of a sentence"): "mention-across-sentences",
}
"""What a format cannot say, and the incident that tells it."""


def skip_without(name: str) -> None:
    if name in EXTRAS and find_spec(EXTRAS[name]) is None:
        pytest.skip(f"{EXTRAS[name]} is not installed")


def written(corpus: Corpus, name: str, folder: Path) -> tuple[Corpus, list[str]]:
    """The corpus as it is read from the files that were written, and what was told."""
    suffix = {"brat": ".ann", "booknlp": ".entities"}.get(name, "")
    files, told, *_ = write_as(corpus, str(folder / f"file{suffix}"), name, Losses())
    for path, data in files.items():
        Path(path).parent.mkdir(exist_ok=True)
        Path(path).write_bytes(data)
    one = len(corpus.names) == 1
    where = folder / f"file{suffix}" if one or name not in FILES else folder / "file"
    read = corefkit.read(where, format=name)
    return read, [incident.id for incident in told]


def clusters(corpus: Corpus, names: tuple[str, ...]) -> dict[str, Any]:
    """The clusters by the names of the corpus that was written, where there are any."""
    found = canonical(corpus)
    return {name: own for name, own in zip(names, found.values(), strict=False) if own}


def same(read: Corpus, corpus: Corpus, name: str) -> None:
    """AssertionError where the clusters, the documents or their words are others."""
    names = corpus.names
    if name in FILES:
        files = file_names(names)
        names = tuple(names[n] for n in sorted(range(len(names)), key=files.__getitem__))
    elif name in UNNAMED:
        names = tuple(n for n, size in zip(names, corpus.tokens.tolist(), strict=True) if size)
    else:
        assert set(read.names) <= set(names)
        names = read.names
    if read.unit == "character" and read.mentions:
        read, found = to_tokens(replace(read, names=names), corpus)
        assert not found
    assert clusters(read, names) == {n: own for n, own in canonical(corpus).items() if own}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", WRITTEN)
def test_every_shape_of_every_writer(name: str, shape: str, tmp_path: Path) -> None:
    skip_without(name)
    corpus = Corpus.from_records(SHAPES[shape])
    loss = LOSSES.get((name, shape))
    try:
        read, told = written(corpus, name, tmp_path)
    except DataError as error:
        assert {i.id for i in error.incidents} == {loss}
        return
    if loss:
        assert loss in told
    else:
        assert set(told) <= {"sentences-joined", "span-in-two-entities", "document-empty"}
        same(read, corpus, name)
    if shape == "empty document" and name in EMPTY_UNSAID:
        assert "document-empty" in told
    elif name not in WORDLESS:
        assert "document-empty" not in told
        assert len(read.names) == len(corpus.names)


@pytest.mark.parametrize("name", WRITTEN)
def test_a_mention_of_an_empty_word(name: str, tmp_path: Path) -> None:
    """It is written so that it can be read, or refused."""
    skip_without(name)
    corpus = Corpus.from_records([row([[1, 1], [0, 0]], sentences=[["a", "", "b"]])])
    try:
        read, _ = written(corpus, name, tmp_path)
    except DataError as error:
        assert [i.id for i in error.incidents] == ["cell-needs-tabs"]
    else:
        assert read.mentions == 2


@pytest.mark.parametrize("name", [n for n in WRITTEN if n != "spacy"])
@given(made=rows(fewest=1))
@example(made=[{"doc_key": "a", "sentences": [], "clusters": []}])
@examples(10)
def test_random_corpora(name: str, made: list[dict[str, object]]) -> None:
    skip_without(name)
    corpus = Corpus.from_records(made)
    with TemporaryDirectory() as folder:
        try:
            read, told = written(corpus, name, Path(folder))
        except DataError as error:
            ids = {i.id for i in error.incidents}
            if name == "conllu" and not corpus.tokens.any():  # there is nothing to be written
                assert ids == {"no-document"}
                return
            allowed = {loss for (format, _), loss in LOSSES.items() if format == name}
            assert ids <= allowed | ({"annotation-shape"} if name == "text2text" else set())
            return
        joined = name == "links" and "span-in-two-entities" in told
        if not joined and not {"mention-across-sentences", "mentions-cross"} & {*told}:
            same(read, corpus, name)
        format = registry.get_format(name)
        if "words" in format.holds and "document-empty" not in told and name not in FILES:
            assert read.tokens.tolist() == corpus.tokens.tolist()
            assert read.column("word") == corpus.column("word")
        if "sentences" in format.holds and name in ("conll", "e2e", "wl-coref"):
            assert sentence_numbers(read).tolist() == sentence_numbers(corpus).tolist()
