"""Where a default may surprise, one line says so: how many, what it costs, which option."""

import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

import corefkit
from tests.support import EXAMPLES, run

KEY = EXAMPLES / "key.conll"
CAREFUL = EXAMPLES / "careful.conll"


def notes(*arguments: str | Path) -> list[str]:
    """The notes of a command, which are the same in JSON."""
    shown = run(*arguments)
    assert shown.status == 0, shown.err
    lines = [line for line in shown.err.splitlines() if line.startswith("note: ")]
    if arguments[0] == "score":
        asked = json.loads(run(*arguments, "-f", "json").out)["notes"]
        assert lines == [f"note: {note}" for note in asked]
    return lines


def conll(name: str, *entities: str, words: Sequence[str] = "abcdefgh") -> str:
    """A document of one-word mentions: the entities are strings of words."""
    rows = []
    for at, word in enumerate("abcdefgh"):
        ids = [number for number, entity in enumerate(entities) if word in entity]
        rows.append(f"{name} 0 {at} {words[at]} {'|'.join(f'({n})' for n in ids) or '-'}")
    return f"#begin document ({name}); part 000\n" + "\n".join(rows) + "\n#end document\n"


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    key, response = tmp_path / "key.conll", tmp_path / "mine.conll"
    key.write_text(conll("x", "abc", "defg"))
    response.write_text(conll("x", "abc", "def", "g", "h"))
    return key, response


def test_examples_need_no_note() -> None:
    assert notes("score", KEY, CAREFUL) == []


def test_singletons_and_what_they_cost(pair: tuple[Path, Path]) -> None:
    (note,) = notes("score", *pair)
    cost = 100 * (corefkit.score(*pair, singletons="drop").conll - corefkit.score(*pair).conll)
    assert note == (
        f"note: the key has no singletons; mine has 2, which cost {cost:.2f} points of conll: "
        "--singletons drop leaves them out"
    )
    assert notes("score", *pair, "--singletons", "drop") == []
    (without,) = notes("score", *pair, "-m", "muc")
    assert without == (
        "note: the key has no singletons; mine has 2: --singletons drop leaves them out"
    )
    assert notes("score", pair[1], pair[0]) == [], "a key with singletons wants them"


@pytest.mark.parametrize(
    ("entities", "verb"), [(("abc", "g"), "gains"), (("abc", "defg", "h"), "costs")]
)
def test_a_single_singleton_costs_or_gains(
    pair: tuple[Path, Path], entities: tuple[str, ...], verb: str
) -> None:
    pair[1].write_text(conll("x", *entities))
    (note,) = notes("score", *pair)
    assert f"mine has 1, which {verb} " in note


def test_many_systems_share_a_note(pair: tuple[Path, Path]) -> None:
    systems = [f"s{number}={pair[1]}" for number in range(5)]
    (note,) = notes("score", pair[0], *systems)
    assert [f"s{n} has 2" in note for n in range(5)] == [True, True, True, False, False]
    assert ", 2 more: --singletons drop" in note


def test_words_that_differ(tmp_path: Path, pair: tuple[Path, Path]) -> None:
    key, other = pair[0], tmp_path / "other.conll"
    other.write_text(conll("x", "abc", "defg", words="abXdeYgh"))
    assert notes("score", key, other) == [
        "note: words differ from the key's: 2 in other; check --against lists them"
    ]
    other.write_text(conll("x", "abc", "defg", words=["___"] * 8))
    assert notes("score", key, other) == [], "masked words are equal to all"


def test_all_words_of_large_files_are_compared(tmp_path: Path) -> None:
    """Not only those of the beginning."""
    names = [f"d{number:04}" for number in range(400)]
    rng = random.Random(1)
    key, response = tmp_path / "key.conll", tmp_path / "mine.conll"
    key.write_text("".join(conll(name, "abc", "defg") for name in names))
    changed = rng.sample(names[350:], 20)
    response.write_text(
        "".join(
            conll(n, "abc", "defg", words="Xbcdefgh" if n in changed else "abcdefgh") for n in names
        )
    )
    assert key.stat().st_size > 1 << 16
    (note,) = notes("score", key, response)
    assert "20 in mine" in note


@pytest.mark.parametrize(
    ("format", "profile", "task"),
    [("corefud", "corefud", "CRAC"), ("conllua", "ua", "Universal Anaphora")],
)
def test_files_of_a_task(tmp_path: Path, format: str, profile: str, task: str) -> None:
    path = tmp_path / {"corefud": "key.conllu", "conllua": "key.conllua"}[format]
    assert run("convert", KEY, path).status == 0
    (note,) = notes("score", path, path)
    assert task in note
    assert note.endswith(f": --profile {profile}")
    assert len(note) <= 100
    assert notes("score", path, path, "--profile", profile) == []


def test_masked_words_where_texts_are_shown(tmp_path: Path) -> None:
    masked = tmp_path / "key.skel"
    assert run("corpus", "skeleton", "mask", KEY, "-o", masked).status == 0
    expected = [
        "note: the words of the key are masked: corefkit corpus skeleton fill puts them back"
    ]
    assert notes("errors", masked, CAREFUL, "--list") == expected
    assert notes("outcomes", masked, CAREFUL) == expected
    assert notes("report", masked, CAREFUL, "-o", tmp_path / "r.html") == expected
    assert notes("errors", masked, CAREFUL) == []
    assert notes("errors", KEY, CAREFUL, "--list") == []


def test_datasets_that_are_scored_together(tmp_path: Path) -> None:
    """The official score of CRAC is a mean over files, not that of all documents."""
    text = (EXAMPLES / "drawer.conllu").read_text(encoding="utf-8")
    for side in ("keys", "mine"):
        (tmp_path / side).mkdir()
        for number in range(2):
            named = text.replace("newdoc id = ", f"newdoc id = {number}-")
            (tmp_path / side / f"{number}.conllu").write_text(named, encoding="utf-8")
    folders = tmp_path / "keys", tmp_path / "mine"
    (note,) = notes("score", *folders, "--profile", "corefud")
    assert "the 2 files of the key are scored as one; the official score is the mean" in note
    files = tmp_path / "keys" / "0.conllu", tmp_path / "mine" / "0.conllu"
    assert notes("score", *files, "--profile", "corefud") == []


def test_metrics_that_have_nothing_to_count() -> None:
    (note,) = notes("score", KEY, CAREFUL, "-m", "muc,bridging,empty-nodes")
    assert note == (
        "note: bridging, empty-nodes are 0 because neither the key nor a response has anything to "
        "count"
    )
    (one,) = notes("score", KEY, CAREFUL, "-m", "bridging")
    assert one.startswith("note: bridging is 0 because")
    assert notes("score", KEY, CAREFUL, "-m", "anchor,immediate,blanc") == []
    picnic = EXAMPLES / "picnic.conllua", EXAMPLES / "picnic-system.conllua"
    assert not any("bridging" in note for note in notes("score", *picnic, "-m", "bridging"))


def test_a_perfect_score_without_counts_is_not_called_0(tmp_path: Path) -> None:
    lines = "#begin document (a); part 000\na 0 0 w N (1)\na 0 1 w N (2)\n\n#end document\n"
    (file := tmp_path / "singletons.conll").write_text(lines, encoding="utf-8")
    (note,) = notes("score", file, file, "-m", "links,ari,vi")
    assert note.startswith("note: links is 0 because"), "ari and vi are 100"
