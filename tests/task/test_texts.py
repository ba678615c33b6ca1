"""Passages of a key with their mentions."""

from pathlib import Path

import corefkit
from corefkit.task.page import direction, passages, separator
from tests.task.support import KEY, TASK


def shown(path: Path, most: int = 1000) -> list[str]:
    """Each sentence with its brackets."""
    return [
        " ".join(
            "".join(f"({e} " for e in t.opens) + t.word + "".join(f" {e})" for e in t.closes)
            for t in sentence
        )
        for passage in passages(corefkit.read(path), most)
        for sentence in passage.sentences
    ]


def test_brackets_nest() -> None:
    text = shown(TASK.parent / "keys" / "english.conll")
    assert text[0] == "(1 The bridge over (2 the river 2) 1) was closed on Monday ."


def test_only_so_many_tokens() -> None:
    assert len(shown(TASK.parent / "keys" / "english.conll", most=5)) == 1


def test_right_to_left() -> None:
    for language, expected in (("arabic", "rtl"), ("chinese", "ltr"), ("english", "ltr")):
        corpus = corefkit.read(TASK.parent / "keys" / f"{language}.conll")
        assert direction(list(passages(corpus, 100))) == expected
    assert (separator("zh-Hans"), separator("ar")) == ("", " ")


def test_masked_words_and_crossing_mentions(tmp_path: Path) -> None:
    file = tmp_path / "a.conll"
    file.write_text(KEY.replace("x", "[WORD]").replace("y", "[WORD]").replace("z", "[WORD]"))
    assert shown(file) == []
    crossing = KEY.replace("x\t(1)", "x\t(1").replace("y\t(1)", "y\t(2|1)").replace("z\t-", "z\t2)")
    file.write_text(crossing)
    assert shown(file) == ["(1 x y 1) z"]
