"""Parts of the page of a task: passages of keys, and tables as they are laid out."""

from pathlib import Path

import corefkit
from corefkit.plugins.task.page_html import KeyExcerpt, passages
from corefkit.plugins.task.page_layout import on_page
from corefkit.render.table import Heading, make_table
from tests.plugins.task.support import KEY, TASK


def shown(path: Path, most: int = 1000) -> list[str]:
    """Each sentence with its brackets."""
    return [
        " ".join(
            "".join(f"({e} " for e in t.opens) + t.word + "".join(f" {e})" for e in t.closes)
            for t in sentence
        )
        for sentences in passages(corefkit.read(path), most).values()
        for sentence in sentences
    ]


def test_brackets_nest() -> None:
    text = shown(TASK.parent / "keys" / "english.conll")
    assert text[0] == "(1 The bridge over (2 the river 2) 1) was closed on Monday ."


def test_only_so_many_tokens() -> None:
    assert len(shown(TASK.parent / "keys" / "english.conll", most=5)) == 1


def test_right_to_left() -> None:
    for language, expected in (("arabic", "rtl"), ("chinese", "ltr"), ("english", "ltr")):
        corpus = corefkit.read(TASK.parent / "keys" / f"{language}.conll")
        assert KeyExcerpt("", "", passages(corpus, 100)).direction == expected
    separators = [KeyExcerpt("", code, {}).separator for code in ("zh-Hans", "ar")]
    assert separators == ["", " "]


def test_masked_words_and_crossing_mentions(tmp_path: Path) -> None:
    file = tmp_path / "a.conll"
    file.write_text(KEY.replace("x", "[WORD]").replace("y", "[WORD]").replace("z", "[WORD]"))
    assert shown(file) == []
    crossing = KEY.replace("x\t(1)", "x\t(1").replace("y\t(1)", "y\t(2|1)").replace("z\t-", "z\t2)")
    file.write_text(crossing)
    assert shown(file) == ["(1 x y 1) z"]


def test_what_leads_on_the_page() -> None:
    headings = [
        Heading("language", "Language"),
        Heading("genre", "Genre"),
        Heading("muc.f1", "F", "MUC", "score"),
        Heading("official", "CoNLL", kind="score"),
    ]
    lines = [("English", "nw", 0.4, 0.5), ("English", "bc", 0.3, 0.6)]
    shown = on_page(make_table("t", "t", headings, [lines]))
    assert [h.name for h in shown.headings] == ["genre", "official", "muc.f1"]
    assert shown.note == "In all rows Language: English."
    assert [cell.value for cell in next(shown.lines)] == ["nw", 0.5, 0.4]
    headings.append(Heading("system", "System"))
    with_system = on_page(make_table("t", "t", headings, [[(*lines[0], "heron")]]))
    leading = ["system", "official", "language", "genre", "muc.f1"]
    assert [h.name for h in with_system.headings] == leading
