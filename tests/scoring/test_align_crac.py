"""--align crac: texts of language models, read as the CRAC tasks read them."""

from pathlib import Path

import pytest

import corefkit
from corefkit import UsageError
from corefkit.formats.conllu.model_texts import to_text
from tests.support import CONFORMANCE, EXAMPLES, needs_conformance

KEY = EXAMPLES / "drawer.conllu"


def answer(folder: Path, old: str = "", new: str = "") -> Path:
    """What a model would write that knew the key, with something replaced."""
    path = folder / "answer.txt"
    path.write_text(to_text(corefkit.read(KEY)).replace(old, new), encoding="utf-8")
    return path


def test_a_text_of_the_key_has_all_its_mentions(tmp_path: Path) -> None:
    # By heads: of a discontinuous mention the text has only the part with the head.
    scores = corefkit.score(KEY, answer(tmp_path), "conll", "corefud", align="crac")
    assert scores["conll"].f1 == 1
    assert "|align:crac|" in scores.signature
    assert scores.incidents == ()


def test_repairs(tmp_path: Path) -> None:
    # "the old key" is not closed: left out. "rusty" for "old" is told. e9 is closed, never opened.
    path = tmp_path / "broken.txt"
    answer(tmp_path, "the|[e2 old key|e2] in a", "the|[e2 rusty key|e9] in a").rename(path)
    scores = corefkit.score(KEY, path, "mentions", align="crac")
    found = sorted(i.id for i in scores.incidents)
    assert found == ["text-mark-unclosed", "text-mark-unopened", "text-word-differs"]
    sound = corefkit.score(KEY, answer(tmp_path), "mentions", align="crac")
    for ratio in ("recall", "precision"):
        (right, of), (wanted, size) = (x["mentions"].counts[ratio] for x in (scores, sound))
        assert (right, of) == (wanted - 1, size)
    with pytest.raises(corefkit.DataError, match="tag-unclosed"):
        corefkit.score(KEY, path, "mentions")


def test_what_cannot_be_read_so(tmp_path: Path) -> None:
    for key, response in [(EXAMPLES / "key.conll", answer(tmp_path)), (KEY, KEY)]:
        with pytest.raises(UsageError, match="CRAC tasks"):
            corefkit.score(key, response, align="crac")


@needs_conformance
@pytest.mark.parametrize("name", ["key.txt", "key.json"])
def test_the_texts_of_the_task(name: str) -> None:
    """Against the file that the task's own converter makes of its text."""
    folder = CONFORMANCE / "corefud" / "plaintext"
    key = folder / "key.conllu"
    ours = corefkit.score(key, folder / name, profile="corefud", match="exact", align="crac")
    theirs = corefkit.score(key, folder / "back.conllu", profile="corefud", match="exact")
    assert {n: s.f1 for n, s in ours.items()} == {n: s.f1 for n, s in theirs.items()}
