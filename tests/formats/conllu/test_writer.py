"""Writing CorefUD: bytes stay, what is written is read again, what cannot be said is told."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from corefkit import Corpus, DataError, read
from corefkit.core.arrays import EMPTY
from corefkit.core.corpus import BEFORE_SENTENCE
from corefkit.core.nodes import span_of
from corefkit.formats.conllu import FORMAT
from corefkit.formats.conllu.dependency_trees import tree_heads
from corefkit.formats.conllu.reader import parse
from corefkit.formats.conllu.writer import rewrite, to_bytes
from corefkit.formats.kit.reading import read_all
from tests.formats.conllu.strategies import files
from tests.strategies import TIMES, examples, some_of
from tests.support import CONFORMANCE, EXAMPLES, needs_conformance

FOLDER = CONFORMANCE / "corefud"
SAID = tuple[object, str, int, int]


def said(corpus: Corpus) -> list[SAID]:
    """What a corpus says, whatever the order of its mentions."""
    assert corpus.head is not None
    assert corpus.head_zero is not None
    heads = zip(corpus.head.tolist(), corpus.head_zero.tolist(), strict=True)
    return sorted(
        (span_of(corpus, row), corpus.labels[int(corpus.entity[row])], *head)
        for row, head in enumerate(heads)
    )


@needs_conformance
@pytest.mark.more
@pytest.mark.parametrize("folder", ["keys", "cases"])
def test_files_of_the_conformance_data(folder: str) -> None:
    paths = sorted((FOLDER / folder).iterdir())
    for number, path in enumerate(paths if folder == "cases" else some_of(paths)):
        corpus = read_all(path)
        (source,) = corpus.sources
        assert rewrite(corpus, source) == source.data
        if folder == "keys" and not path.name.startswith("la_"):
            continue  # the Latin one has zeros and many parts
        changed = (corpus.drop_singletons(), tree_heads(corpus), replace(corpus, byte=EMPTY))
        for other in (changed[number % 3],) if TIMES == 1 else changed:
            data = rewrite(other, source, declare_head=True)
            assert said(parse(data, "-")) == said(other), path
        anew, told = to_bytes(replace(corpus, sources=()))
        assert told == []
        if len(set(corpus.labels)) == corpus.entities:
            assert said(parse(anew, "-")) == said(corpus), path


@given(files())
@examples(20)
def test_round_trip(data: bytes) -> None:
    corpus = parse(data, "-")
    assert corpus.checked() is corpus
    (source,) = corpus.sources
    assert rewrite(corpus, source) == data
    assert said(parse(rewrite(replace(corpus, byte=EMPTY), source), "-")) == said(corpus)
    half = corpus.take(np.arange(corpus.mentions) % 2 == 0)
    assert said(parse(rewrite(half, source), "-")) == said(half)


def test_a_corpus_of_another_format() -> None:
    corpus = read(EXAMPLES / "key.conll")
    data, told = to_bytes(corpus)
    assert told == []
    again = parse(data, "-")
    assert again.names == corpus.names
    for name, clusters in corpus.clusters().items():
        assert sorted(map(sorted, again.clusters()[name])) == sorted(map(sorted, clusters))
    assert again.column("word") == corpus.column("word")


def test_a_corpus_made_in_python_with_zeros_and_parts() -> None:
    text = (
        "# newdoc id = tale\n# global.Entity = eid-etype-head-other\n# sent_id = tale-1\n"
        "0.1\t_\t_\t_\t_\t_\t_\t_\t1:nsubj\tEntity=(e1--1)\n"
        "1\tslept\t_\t_\t_\t_\t_\t_\t_\tEntity=(e2[1/2]--2)\n"
        "1.1\t_\t_\t_\t_\t_\t_\t_\t0:root\tEntity=(e1--1)\n"
        "2\twell\t_\t_\t_\t_\t_\t_\t_\tEntity=(e2[2/2]--2)\n\n"
    )
    corpus = parse(text.encode(), "-")
    assert corpus.zero is not None
    assert corpus.zero.max() == BEFORE_SENTENCE + 1
    assert to_bytes(corpus)[0] == text.encode()
    anew = to_bytes(replace(corpus, sources=()))[0].decode()
    assert anew == text.replace("slept", "_").replace("well", "_")


def test_a_name_with_a_line_break_can_be_read_again() -> None:
    record = {"doc_key": "a\n b", "sentences": [["x"]], "clusters": []}
    data, _ = to_bytes(Corpus.from_records([record]))
    assert parse(data, "").names == ("a b",)


def test_mentions_over_the_end_of_a_sentence_are_told() -> None:
    corpus = read(EXAMPLES / "key.conll")
    longest = int(np.argmax(corpus.start))
    wide = replace(corpus, start=np.where(np.arange(corpus.mentions) == longest, 0, corpus.start))
    data, told = to_bytes(wide)
    assert [i.id for i in told] == ["mention-across-sentences"]
    assert parse(data, "-").mentions == corpus.mentions - 1


def test_crossing_mentions_of_one_entity_are_refused() -> None:
    with pytest.raises(DataError):
        to_bytes(Corpus.from_clusters({"a": [[(0, 2), (1, 3)]]}))


def test_the_format_writes() -> None:
    corpus = Corpus.from_clusters({"a": [[(0, 0), (2, 3)]]})
    assert FORMAT.write is not None
    (data,) = FORMAT.write(corpus, "a.conllu").files.values()
    assert parse(data, "-").clusters() == corpus.clusters()
