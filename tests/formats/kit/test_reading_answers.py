"""Folders of answers, some of which are broken."""

from pathlib import Path

import pytest

import corefkit
from corefkit import DataError
from tests.support import run

KEY = """#begin document (a); part 000
a 0 0 Emma (1)
a 0 1 sold -
a 0 2 her (1)
a 0 3 boat (2)
a 0 4 and -
a 0 5 missed -
a 0 6 it (2)
a 0 7 . -
#end document
#begin document (b); part 000
b 0 0 Tom (1)
b 0 1 read -
b 0 2 his (1)
b 0 3 book -
b 0 4 . -
#end document
"""
GOOD = "[Tom](#1) read [his](#1) book."
WHOLE = "[Emma](#1) sold [her](#1) [boat](#2) and missed [it](#2)."


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "key.conll"
    path.write_text(KEY, encoding="utf-8")
    return path


def folder(tmp_path: Path, **answers: str) -> Path:
    path = tmp_path / "answers"
    path.mkdir()
    for name, text in answers.items():
        (path / f"{name}.md").write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "answer",
    [
        "[Emma](#1) sold [her](#1) [boat and missed it.",
        "I am sorry, but I cannot help you with that request.",
        '{"error": "rate limit"}',
        "",
    ],
)
def test_a_broken_answer_counts_as_empty(answer: str, key: Path, tmp_path: Path) -> None:
    path = folder(tmp_path, a=answer, b=GOOD)
    scores = corefkit.score(key, path)
    assert scores["mentions"].counts == {"recall": [2, 6], "precision": [2, 2]}
    told = [i for i in scores.incidents if i.id == "answer-broken"]
    assert [Path(i.file or "").name for i in told] == ["a.md"]
    shown = run("score", key, path, "-m", "muc")
    assert (shown.status, "answer-broken" in shown.err, "100.00" in shown.out) == (1, True, True)
    assert run("score", key, path, "-m", "muc", "--allow-broken").status == 0
    assert run("errors", key, path).status == 1


def test_lenient_keeps_the_other_marks(key: Path, tmp_path: Path) -> None:
    path = folder(tmp_path, a="[Emma](#1) sold [her](#1) [boat and missed it.", b=GOOD)
    shown = run("score", key, path, "-m", "mentions", "--read", "lenient=yes")
    assert (shown.status, "66.67" in shown.out) == (0, True)


def test_a_beginning_is_scored(key: Path, tmp_path: Path) -> None:
    path = folder(tmp_path, a="[Emma](#1) sold", b=GOOD)
    scores = corefkit.score(key, path)
    assert scores["mentions"].counts == {"recall": [3, 6], "precision": [3, 3]}
    assert [i.id for i in scores.incidents if i.id.startswith("text-")] == ["text-truncated"]
    assert run("score", key, path).status == 0


def test_where_all_are_broken_nothing_is_scored(key: Path, tmp_path: Path) -> None:
    path = folder(tmp_path, a="[Emma](#1) sold [her", b="[Tom](#1) read [his")
    with pytest.raises(DataError, match="never closed"):
        corefkit.score(key, path)
    assert run("score", key, path).status == 1


def test_a_broken_key_is_an_error(tmp_path: Path) -> None:
    path = folder(tmp_path, a="[Emma](#1) sold [her", b=GOOD)
    with pytest.raises(DataError, match="never closed"):
        corefkit.read(path)


def test_other_formats_do_not_become_answers(key: Path, tmp_path: Path) -> None:
    path = folder(tmp_path, a=KEY, b=GOOD)
    with pytest.raises(DataError, match="different formats"):
        corefkit.score(key, path)


def test_several_whole_answers(key: Path, tmp_path: Path) -> None:
    scores = corefkit.score(key, folder(tmp_path, a=WHOLE, b=GOOD))
    assert scores["conll"].f1 == 1


@pytest.mark.parametrize(
    ("format", "good", "broken"),
    [
        (
            "seq2seq",
            "<m> Tom | 1 </m> read <m> his | 1 </m> book .",
            "<m> Emma | 1 </m> sold <m> her",
        ),
        ("text2text", "Tom|[e1] read his|[e1] book .", "Emma|[e1] sold her|[e2 boat"),
    ],
)
def test_a_broken_line_does_not_stop_the_others(
    format: str, good: str, broken: str, key: Path, tmp_path: Path
) -> None:
    path = tmp_path / "answers.txt"
    path.write_text(f"{broken}\n{good}\n", encoding="utf-8")
    scores = corefkit.score(key, path, response_format=format)
    assert scores["mentions"].counts == {"recall": [2, 6], "precision": [2, 2]}
    assert [i.line for i in scores.incidents if i.id == "answer-broken"] == [1]
    assert run("score", key, path).status == 1
    assert run("score", key, path, "--allow-broken").status == 0
    lenient = corefkit.score(key, path, lenient=True)
    assert lenient["mentions"].counts["recall"] == [3, 6]
    with pytest.raises(DataError):
        corefkit.read(path)
    path.write_text(f"{broken}\n{broken}\n", encoding="utf-8")
    with pytest.raises(DataError, match="never closed"):
        corefkit.score(key, path, response_format=format)


def test_every_broken_line_is_found(tmp_path: Path) -> None:
    """Also where there are more of them than are listed."""
    path, key = tmp_path / "answers.txt", tmp_path / "key.txt"
    good = "<m> Tom | 1 </m> read <m> his | 1 </m> book"
    key.write_text(f"{good}\n" * 300, encoding="utf-8")
    path.write_text(f"{good} <m> x\n" * 299 + f"{good}\n", encoding="utf-8")
    scores = corefkit.score(key, path)
    assert scores["mentions"].counts == {"recall": [2, 600], "precision": [2, 2]}
