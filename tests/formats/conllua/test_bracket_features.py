"""Names are compared by their bytes, whatever their hashes say and however long they are."""

import numpy as np
import pytest

from corefkit.formats.columns import interning
from corefkit.formats.columns.interning import number_by_occurrence
from corefkit.formats.conllua import reader
from corefkit.formats.conllua.bracket_features import MarkableNames
from corefkit.formats.conllua.rows import TextBounds

WORDS = [b"a", b"b", b"a", b"", b"nine-long", b"nine-lonG", b"nine-long", b"x" * 65, b"x" * 65]
GROUP = [0, 0, 1, 0, 0, 0, 0, 0, 0]


def placed(words: list[bytes]) -> tuple[np.ndarray, TextBounds]:
    """A buffer of these words, one per line, and where they stand."""
    length = np.array([len(word) for word in words])
    begin = np.cumsum(length + 1) - length - 1
    buffer = np.frombuffer(b"\n".join(words) + b"\n", dtype=np.uint8)
    return buffer, TextBounds(begin, begin + length)


@pytest.fixture(params=[False, True], ids=["hashed", "colliding"])
def _collide(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param:
        monkeypatch.setattr(interning, "_PRIME", np.uint64(0))


@pytest.mark.usefixtures("_collide")
@pytest.mark.parametrize("size", [len(WORDS) - 2, len(WORDS)])
def test_number_by_occurrence(size: int) -> None:
    words, group = WORDS[:size], np.array(GROUP[:size])
    known = list(dict.fromkeys(zip(group.tolist(), words, strict=True)))
    buffer, texts = placed(words)
    wanted = [known.index(one) for one in zip(group.tolist(), words, strict=True)]
    assert number_by_occurrence(buffer, texts.begin, texts.length, group).tolist() == wanted


@pytest.mark.usefixtures("_collide")
@pytest.mark.parametrize("size", [len(WORDS) - 2, len(WORDS)])
def test_names(size: int) -> None:
    words, group = WORDS[:size], np.array(GROUP[:size])
    buffer, texts = placed([*words, b"c", b"x" * 66])
    known = MarkableNames(buffer, group, texts.take(np.arange(size)))
    assert known.repeated() == ([[4, 6], [7, 8]] if size == len(WORDS) else [[4, 6]])
    own = list(zip(group.tolist(), words, strict=True))
    asked = [*own, (0, b"c"), (0, b"x" * 66)]
    found = known.find(np.array([number for number, _ in asked]), texts)
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
