"""What is written is read again, with the same clusters, words and sentences."""

import pytest
from hypothesis import given, settings

from corefkit import Corpus, DataError
from corefkit.data.columns import sentence_numbers
from corefkit.formats import PLAIN, registry
from corefkit.formats.registry import Format
from tests.formats.strategies import canonical, rows

OTHER = ("conllu", "parquet", "brat", "booknlp", "text2text")
"""Formats of several files, or with tests of their own."""
ONE = ("webanno",)
"""Formats in which a file is a document and is called by it."""
WRITTEN = [n for n in registry.names() if registry.get(n).write and n not in OTHER]
TOKENS = [n for n in WRITTEN if registry.get(n).unit == "token"]


def again(corpus: Corpus, format: Format) -> Corpus:
    assert format.write is not None
    (data,) = format.write(corpus, "file").files.values()
    return format.parse(data, "file", PLAIN)


@pytest.mark.parametrize("name", TOKENS)
@given(made=rows(nested=True, fewest=1))
@settings(max_examples=40, deadline=None)
def test_round_trip(name: str, made: list[dict[str, object]]) -> None:
    made = [{**row, "doc_key": "file"} for row in made[:1]] if name in ONE else made
    corpus = Corpus.from_records(made)
    try:
        read = again(corpus, registry.get(name))
    except DataError as error:
        # Brackets of CoNLL-UA close the mention opened last, of whatever entity.
        assert name == "conllua"
        assert [i.id for i in error.incidents] == ["mentions-cross"]
        return
    assert not [i for i in read.incidents if i.severity == "error"]
    assert canonical(read) == canonical(corpus)
    assert read.tokens.tolist() == corpus.tokens.tolist()
    if made and "words" in registry.get(name).holds:
        assert read.column("word") == corpus.column("word")
    if made and name in ("conll", "e2e", "wl-coref"):
        assert sentence_numbers(read).tolist() == sentence_numbers(corpus).tolist()


@pytest.mark.parametrize("name", ["e2e", "wl-coref", "maverick", "preco", "indiscrim"])
@given(made=rows())
@settings(max_examples=40, deadline=None)
def test_crossing_mentions_of_one_entity(name: str, made: list[dict[str, object]]) -> None:
    corpus = Corpus.from_records(made)
    assert canonical(again(corpus, registry.get(name))) == canonical(corpus)
