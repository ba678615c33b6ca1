"""What JSON dialects cannot say."""

from corefkit import Corpus
from corefkit.formats.registry import get_format


def test_sentences_are_joined_where_a_mention_goes_across() -> None:
    row = {"doc_key": "a", "sentences": [["Ada"], ["slept"]], "clusters": [[[0, 1]]]}
    write = get_format("preco").write
    assert write is not None
    (told,) = write(Corpus.from_records([row]), "a.jsonl").incidents
    assert told.id == "sentences-joined"
    assert told.message.startswith("1 sentence boundary that mentions cross is")
