"""What is written reads back as the same, zeros, gaps, Min, links and words included."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import corefkit
from corefkit import Corpus, DataError
from corefkit.core.corpus import BEFORE_SENTENCE
from corefkit.formats.conllua import reader
from corefkit.formats.conllua.writer import to_bytes
from tests.conformance.test_anaphora import FOLDER, content
from tests.support import EXAMPLES, needs_conformance


def again(corpus: Corpus, layer: str = "identity") -> Corpus:
    return reader.parse(to_bytes(corpus)[0], "again", layer).checked()


def said(corpus: Corpus) -> list[Any]:
    """All that a corpus says; the order of links means nothing."""
    links = corpus.links
    columns = [] if links is None else [links.kind, links.source, links.target]
    rows = zip(*(c.tolist() for c in columns), () if links is None else links.label, strict=True)
    whole = content(corpus)
    return [*whole[:6], sorted(rows) if links is not None else [], *whole[8:]]


@pytest.mark.parametrize("layer", ["identity", "deixis"])
@pytest.mark.parametrize("name", ["picnic", "picnic-system"])
def test_round_trip(name: str, layer: str) -> None:
    corpus = corefkit.read(EXAMPLES / f"{name}.conllua", layer=layer)
    assert said(again(corpus, layer)) == said(corpus)


@needs_conformance
@pytest.mark.parametrize("layer", ["identity", "deixis"])
@pytest.mark.parametrize("name", ["variants/base.conllua", "light.key.conllua.gz"])
def test_real_files(name: str, layer: str) -> None:
    corpus = corefkit.read(FOLDER / name, layer=layer)
    assert said(again(corpus, layer)) == said(corpus)


def test_made_in_python() -> None:
    corpus = Corpus.from_clusters({"tale": [[(0, 1), (4, 4)], [(1, 1)]]})
    found = again(corpus)
    assert found.clusters() == corpus.clusters()


def test_zeros_before_and_behind_the_end_of_a_sentence_stay_apart() -> None:
    """In CorefUD files one is 9.1, the other 0.1 of the next sentence."""
    corpus = Corpus.from_clusters({"tale": [[(0, 0), (1, 1)], [(1, 1), (3, 3)]]})
    corpus = replace(corpus, zero=np.array([0, 1, BEFORE_SENTENCE + 1, 0]))
    found = again(corpus)
    assert found.clusters() == corpus.clusters()
    assert found.zero is not None
    assert sorted(found.zero.tolist()) == [0, 0, 1, 2]


def test_crossing_is_refused() -> None:
    with pytest.raises(DataError) as error:
        to_bytes(Corpus.from_clusters({"tale": [[(0, 2)], [(1, 3)]]}))
    assert [i.id for i in error.value.incidents] == ["mentions-cross"]


def test_a_document_without_a_name_can_be_read_again() -> None:
    assert again(Corpus.from_clusters({"": []})).names == ("_",)


def test_a_name_with_a_line_break_can_be_read_again() -> None:
    assert again(Corpus.from_clusters({"a\n b": []})).names == ("a b",)
