"""What two corpora must have in common to be compared."""

import json
from pathlib import Path
from typing import Any

import pytest

import corefkit
from corefkit import Corpus, DataError, Incident, check
from corefkit.core.incidents import errors
from corefkit.core.nodes import crossing_mentions

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


@pytest.mark.parametrize("key_form", ["e2e", "conll"])
@pytest.mark.parametrize("form", ["e2e", "conll"])
def test_lengths_differ_at_a_word_in_any_format(tmp_path: Path, key_form: str, form: str) -> None:
    """Words, beginnings of sentences and lines are those that the format of each file tells."""
    texts = [["Ada", "slept", "."], ["She", "woke", "."]], [["Ada", "slept", "."], ["She", "."]]
    files = []
    for name, sentences, wanted in zip(("k", "r"), texts, (key_form, form), strict=True):
        row = {"doc_key": "(d); part 000", "sentences": sentences, "clusters": [[[0, 0], [3, 3]]]}
        columns = "\n".join(
            "".join(f"d 0 {i} {word} -\n" for i, word in enumerate(words)) for words in sentences
        )
        files.append(tmp_path / f"{name}.{wanted}")
        files[-1].write_text(json.dumps(row) if wanted == "e2e" else HEADER + columns)
    found = refusal(*files)
    assert (found.id, found.file) == ("length-differs", str(files[1]))
    assert found.line == (1 if form == "e2e" else 7)
    assert found.found == "token 5: '.'"
    place = f"{files[0]}" if key_form == "e2e" else f"{files[0]}, line 7"
    assert found.expected == f"token 5: 'woke' ({place})"


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
    assert refusal(key, response, strict=True).id == "document-missing"


def test_extra_document(write: Writer) -> None:
    key = write("key", "#begin document a\nx 0 0 w (1)\n")
    response = write("response", "#begin document b\nx 0 0 w (1)\n#begin document a\nx 0 0 w (1)\n")
    scores = corefkit.score(key, response)
    assert scores["mentions"].counts == {"recall": [1, 1], "precision": [1, 1]}
    (warning,) = scores.incidents
    assert (warning.id, warning.document, warning.line) == ("document-extra", "b", 1)
    assert refusal(key, response, strict=True).id == "document-extra"


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


@pytest.mark.parametrize(("end", "fits"), [(6, True), (7, False), (8, False)])
def test_a_span_one_past_the_end(write: Writer, end: int, fits: bool) -> None:
    key = corefkit.read(write("key", "#begin document a\n" + "x (1)\n" * 7))
    response = Corpus.from_clusters({key.names[0]: [[(0, 0), (5, end)]]})
    if fits:
        assert corefkit.score(key, response)["mentions"].precision is not None
        return
    with pytest.raises(DataError) as error:
        corefkit.score(key, response)
    assert [i.id for i in errors(error.value.incidents)] == ["span-outside"]


def test_a_span_in_a_document_without_tokens(write: Writer) -> None:
    key = corefkit.read(
        write("key", "#begin document a\n#end document\n#begin document b\nx (1)\n")
    )
    response = Corpus.from_clusters({name: [[(0, 0)]] for name in key.names})
    with pytest.raises(DataError) as error:
        corefkit.score(key, response)
    assert [i.id for i in errors(error.value.incidents)] == ["span-outside"]


def test_no_document_in_common_is_an_error(write: Writer) -> None:
    one, other = (write(n, f"#begin document {n}\nx (1)\n") for n in ("a", "b"))
    with pytest.raises(DataError) as error:
        corefkit.score(one, other)
    assert [i.id for i in errors(error.value.incidents)] == ["no-common-document"]
    reference = corefkit.score(one, other, "muc", "conll-8.01")
    assert reference["muc"].f1 == 0
    assert "no-common-document" in {i.id for i in reference.incidents}


def test_warnings_of_pooled_files_name_the_response(tmp_path: Path) -> None:
    key, runs = tmp_path / "key.conll", tmp_path / "runs"
    runs.mkdir()
    texts = {n: f"#begin document {n}\nx (1)\n\n#end document\n" for n in "abc"}
    key.write_text("".join(texts.values()))
    for name in "ab":
        (runs / f"{name}.conll").write_text(texts[name])
    scores = corefkit.score(key, runs)
    (missing,) = (i for i in scores.incidents if i.id == "document-missing")
    assert (missing.file, missing.document) == (str(runs), "c")
    (missing,) = (i for i in check(runs, against=key) if i.id == "document-missing")
    assert missing.file == str(runs)


def test_a_directory_of_responses_is_told_in_one_line(tmp_path: Path) -> None:
    texts = [f"#begin document {n}\nx (1)\n\n#end document\n" for n in range(50)]
    for name in ("one", "two", "three"):
        (tmp_path / f"{name}.conll").write_text("".join(texts))
    with pytest.raises(DataError) as error:
        corefkit.score(tmp_path / "one.conll", tmp_path)
    (told,) = error.value.incidents
    assert told.id == "document-twice"
    assert told.message.startswith(
        "50 documents, this one among them, occur in more than one of the 3 files"
    )
    assert "name the files, not their directory" in str(told.hint)


def test_what_is_read_keeps_its_warnings(tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    path.write_bytes(b"#begin document a\nx y (1)\nx (1)\n\xff (1)\n")
    assert {i.id for i in corefkit.read(path).incidents} == {"columns-vary", "not-utf8"}
    assert {i.id for i in corefkit.score(path, path).incidents} == {"not-utf8", "same-file"}


def speakers(*cells: str) -> str:
    """A sentence of one token for each speaker."""
    rows = (f"d 0 {i} w NN (S*) - - - {cell} * -\n" for i, cell in enumerate(cells))
    return "".join(rows) + "\n"


def test_two_speakers_in_one_sentence(write: Writer) -> None:
    """Counted as the sentences of several: in their tokens, or in a cell that lists them."""
    sentences = [("A", "A"), ("A", "-", "B"), ("A,B", "A,B"), ("-", "B", "B"), ("A,A",)]
    path = write("a.conll", HEADER + "".join(speakers(*cells) for cells in sentences))
    for incidents in (check(path), corefkit.statistics(path).incidents):
        (told,) = (i for i in incidents if i.id == "speakers-several")
        assert (told.severity, told.count, told.line) == ("warning", 2, 5)
        assert told.found == "A, -, B"
    sound = write("b.conll", HEADER + "".join(speakers(*cells) for cells in sentences[:1]))
    assert "speakers-several" not in {incident.id for incident in check(sound)}
