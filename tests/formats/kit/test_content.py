"""Excerpts: some documents of a corpus, with what their files say."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

import corefkit
from corefkit import Corpus, DataError
from corefkit.core.tokens import document_text, document_words, sentence_numbers
from corefkit.formats.kit.content import contents, take_documents
from tests.support import EXAMPLES


@pytest.mark.parametrize("ending", ["conll", "conllu", "conllua", "jsonl"])
@pytest.mark.parametrize("numbers", [[1], [0, 3], [2, 5, 7]])
def test_words_and_sentences_stay(tmp_path: Path, ending: str, numbers: list[int]) -> None:
    path = tmp_path / f"key.{ending}"
    corefkit.write(corefkit.read(EXAMPLES / "key.conll"), path)
    corpus = corefkit.read(path)
    taken = take_documents(corpus, numbers)
    assert taken.names == tuple(corpus.names[number] for number in numbers)
    words = document_words(corpus)
    assert document_words(taken) == [words[number] for number in numbers]
    sentences = sentence_numbers(taken).tolist()
    whole = sentence_numbers(corpus).tolist()
    first = corpus.first_token.tolist()
    kept = [whole[first[n] + t] for n in numbers for t in range(int(corpus.tokens[n]))]
    assert [a != b for a, b in pairwise(sentences)] == [a != b for a, b in pairwise(kept)]


def test_columns_stay_where_files_are_cut() -> None:
    corpus = corefkit.read(EXAMPLES / "key.conll")
    taken = take_documents(corpus, [4])
    start = int(corpus.first_token[4])
    own = slice(start, start + int(corpus.tokens[4]))
    assert taken.column("pos") == corpus.column("pos")[own]
    assert taken.mentions == 0


def test_texts_stay_where_files_cannot_be_cut(tmp_path: Path) -> None:
    tasks = [
        {"id": n, "data": {"text": text}, "annotations": [{"completed_by": 1, "result": result}]}
        for n, text, result in (
            (1, "Ada slept.", []),
            (2, "Tom ran.", [{"id": "a", "type": "labels", "value": {"start": 0, "end": 3}}]),
        )
    ]
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps(tasks))
    corpus = corefkit.read(path, annotator="1")
    taken = take_documents(corpus, [1])
    assert document_text(taken, 0) == document_text(corpus, 1) == "Tom ran."


def test_all_documents_and_none_of_a_file() -> None:
    corpus = corefkit.read(EXAMPLES / "key.conll")
    whole = take_documents(corpus, range(len(corpus.names)))
    assert whole.sources[0].data == corpus.sources[0].data
    made = Corpus.from_clusters({"a": [[(0, 0)]], "b": [[(1, 1)]]})
    assert take_documents(made, [1]).names == ("b",)


def test_a_text_that_is_only_reached_by_a_huge_offset_is_refused() -> None:
    corpus = Corpus.from_clusters({"a": [[(0, 0), (2_000_000_000, 2_000_000_000)]]})
    with pytest.raises(DataError, match="file-too-large"):
        list(contents(corpus))
