"""Texts are compared by their bytes, whatever their hashes say and however long they are."""

import numpy as np
import pytest

from corefkit.formats.conllua import reader, texts
from corefkit.formats.conllua.rows import find_rows
from corefkit.formats.conllua.texts import Names, TextReader, Texts

WORDS = [b"a", b"b", b"a", b"", b"nine-long", b"nine-lonG", b"nine-long", b"x" * 65, b"x" * 65]
GROUP = [0, 0, 1, 0, 0, 0, 0, 0, 0]


def placed(words: list[bytes]) -> tuple[TextReader, Texts]:
    """A file of these words, one a line."""
    length = np.array([len(word) for word in words])
    begin = np.cumsum(length + 1) - length - 1
    return TextReader(find_rows(b"\n".join(words) + b"\n")), Texts(begin, begin + length)


@pytest.mark.parametrize("collide", [False, True])
@pytest.mark.parametrize("size", [len(WORDS) - 2, len(WORDS)])
def test_number(size: int, collide: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if collide:
        monkeypatch.setattr(texts, "_mixed", lambda columns: np.zeros(len(columns[0]), np.int64))
    words, group = WORDS[:size], np.array(GROUP[:size])
    known = list(dict.fromkeys(zip(group.tolist(), words, strict=True)))
    file, places = placed(words)
    wanted = [known.index(one) for one in zip(group.tolist(), words, strict=True)]
    assert file.number(group, places).tolist() == wanted


@pytest.mark.parametrize("collide", [False, True])
@pytest.mark.parametrize("size", [len(WORDS) - 2, len(WORDS)])
def test_names(size: int, collide: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if collide:
        monkeypatch.setattr(texts, "_mixed", lambda columns: np.zeros(len(columns[0]), np.int64))
    words, group = WORDS[:size], np.array(GROUP[:size])
    file, places = placed([*words, b"c", b"x" * 66])
    known = Names(file, group, places.take(np.arange(size)))
    assert known.repeated() == ([[4, 6], [7, 8]] if size == len(WORDS) else [[4, 6]])
    own = list(zip(group.tolist(), words, strict=True))
    asked = [*own, (0, b"c"), (0, b"x" * 66)]
    found = known.find(np.array([number for number, _ in asked]), places)
    assert found.tolist() == [own.index(one) if one in own else -1 for one in asked]


def test_a_document_may_be_called_newdoc() -> None:
    row = "\t".join(["1", "newdoc", *["_"] * 8, "(EntityID=1)", "_", "_"])
    text = f"# newdoc id = newdoc\n# text = newdoc\n{row}\n"
    assert reader.parse(text.encode(), "tale", "identity").checked().names == ("newdoc",)


def test_long_runs_of_blanks() -> None:
    """A line of a million blanks is no line at all, and takes no million steps."""
    row = "\t".join(["1", "w", *["_"] * 8, "(EntityID=1)", "_", "_"])
    text = f"# newdoc id = a\n{' ' * 1_000_000}\n{' ' * 100_000}{row}{' ' * 100_000}\n"
    corpus = reader.parse(text.encode(), "tale", "identity").checked()
    assert (corpus.mentions, corpus.tokens.tolist()) == (1, [1])
