"""What two corpora must have in common to be compared."""

from pathlib import Path
from typing import Any

import pytest

import corefkit
from corefkit import Corpus, DataError, Incident
from corefkit.data.incidents import errors
from corefkit.data.spans import crossing_mentions

HEADER = "#begin document (d); part 000\n"


@pytest.fixture
def write(tmp_path: Path) -> "Writer":
    return Writer(tmp_path)


class Writer:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, name: str, text: str) -> Path:
        (self.folder / name).write_text(text)
        return self.folder / name


def refusal(key: Path | Corpus, response: Path | Corpus, **policies: Any) -> Incident:
    with pytest.raises(DataError) as error:
        corefkit.score(key, response, **policies)
    (incident,) = errors(error.value.incidents)
    return incident


def words(*sentences: str) -> str:
    return HEADER + "\n".join(
        "".join(f"d 0 {i} {word} -\n" for i, word in enumerate(s.split())) for s in sentences
    )


def test_lengths_differ_at_a_word(write: Writer) -> None:
    key = write("key", words("Ada saw the sea .", "It was calm ."))
    response = write("response", words("Ada saw sea .", "It was calm ."))
    found = refusal(key, response)
    assert (found.id, found.file, found.line) == ("length-differs", str(response), 4)
    assert found.message == "the document has 9 tokens in the key and 8 in the response"
    assert found.found == "token 3: 'sea'"
    assert found.expected == f"token 3: 'the' ({key}, line 4)"
    assert found.document == "(d); part 000"


def test_lengths_differ_at_the_end(write: Writer) -> None:
    key = write("key", words("Ada saw the sea ."))
    response = write("response", words("Ada saw the sea"))
    assert refusal(key, response).line == 5
    assert refusal(key, response).found == "token 5: the document is over"
    longer = refusal(response, key)
    assert (longer.line, longer.expected) == (6, f"token 5: the document is over ({response})")


def test_lengths_differ_where_words_are_masked(write: Writer) -> None:
    key = write("key", words("___ ___ ___ ___", "___ ___"))
    response = write("response", words("[WORD] [WORD] [WORD]", "[WORD] [WORD]"))
    found = refusal(key, response)
    assert (found.line, found.found) == (6, "token 4: a token, which begins a sentence")


def test_lengths_differ_without_words(write: Writer) -> None:
    found = refusal(write("key", HEADER + "d -\n" * 3), write("response", HEADER + "d -\n" * 2))
    assert (found.line, found.found) == (3, "token 3: the document is over")


def test_an_empty_document_is_shorter(write: Writer) -> None:
    found = refusal(write("key", HEADER + "d -\n"), write("response", HEADER))
    assert found.line == 1


def test_missing_document(write: Writer) -> None:
    key = write("key", "#begin document a\nx 0 0 w (1)\n#begin document b\nx 0 0 w (1)\n")
    response = write("response", "#begin document a\nx 0 0 w (1)\n")
    scores = corefkit.score(key, response)
    assert scores["mentions"].counts == {"recall": [1, 2], "precision": [1, 1]}
    (warning,) = scores.incidents
    assert (warning.id, warning.severity) == ("document-missing", "warning")
    assert (warning.document, warning.file, warning.line) == ("b", str(response), None)
    assert refusal(key, response, missing="error").id == "document-missing"


def test_extra_document(write: Writer) -> None:
    key = write("key", "#begin document a\nx 0 0 w (1)\n")
    response = write("response", "#begin document b\nx 0 0 w (1)\n#begin document a\nx 0 0 w (1)\n")
    scores = corefkit.score(key, response)
    assert scores["mentions"].counts == {"recall": [1, 1], "precision": [1, 1]}
    (warning,) = scores.incidents
    assert (warning.id, warning.document, warning.line) == ("document-extra", "b", 1)
    assert refusal(key, response, extra="error").id == "document-extra"


def test_crossing_mentions_of_one_entity() -> None:
    fine = Corpus.from_clusters({"d": [[(0, 4), (1, 2), (3, 4), (4, 4), (6, 7), (6, 7)]]})
    assert crossing_mentions(fine) == []
    crossing = Corpus.from_clusters({"d": [[(0, 2), (2, 4)]]})
    assert refusal(crossing, fine).id == "mentions-cross"
    apart = Corpus.from_clusters({"d": [[(0, 2)], [(2, 4)]]})
    assert corefkit.score(apart, apart)["bcub"].f1 == 1


def test_lengths_of_corpora_made_in_python_are_not_known() -> None:
    one = Corpus.from_clusters({"d": [[(0, 2)]]})
    other = Corpus.from_clusters({"d": [[(0, 9)]]})
    assert corefkit.score(one, other)["mentions"].f1 == 0
