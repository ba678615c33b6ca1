"""Alignment of changed texts: against a full table, and what must hold of any."""

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corefkit.alignment import letters
from corefkit.alignment.letters import align_letters, common_blocks, letters_of
from corefkit.alignment.words import align_words
from tests.oracle import alignment as oracle
from tests.strategies import choice, examples

WORD = st.sampled_from(
    ["the", "crew", "Ann", "a", "ab", "n't", ",", "“", "slept", "É", "😀", "lamp"]
)
WORDS = st.lists(WORD, max_size=8)


@st.composite
def changed(draw: st.DrawFn) -> tuple[list[str], str, list[tuple[int, int]]]:
    """Words, a text made of them with words dropped, added and changed, and spans of it."""
    words = draw(WORDS)
    pieces: list[str] = []
    for word in words:
        how = draw(choice(*["keep"] * 4, "drop", "add", "upper", "cut", "swap"))
        if how == "add":
            pieces.append(draw(WORD))
        if how != "drop":
            cut = {"upper": word.upper(), "cut": word[:-1], "swap": word[:1] + "x" + word[2:]}
            pieces.append(cut.get(how, word))
    text = draw(choice(" ", "", "\n ")).join(pieces)
    place = st.integers(0, len(text) - 1) if text else st.nothing()
    ends = st.tuples(place, place).map(lambda two: (min(two), max(two)))
    return words, text, draw(st.lists(ends, max_size=5)) if text else []


@given(changed())
@example((["slept", "the"], "slept n't the", [(2, 4)]))
@examples(60)
def test_as_the_table_says(made: tuple[list[str], str, list[tuple[int, int]]]) -> None:
    words, text, spans = made
    wanted = oracle.place(words, text, [(a, b + 1) for a, b in spans])
    found = align_words(words, text)
    start, end = (np.array([s[i] for s in spans], dtype=np.int64) for i in (0, 1))
    first, last = (x.tolist() for x in found.covered(start, end))
    assert [None if a < 0 else (a, b) for a, b in zip(first, last, strict=True)] == wanted.spans
    assert found.coverage == pytest.approx(wanted.coverage, abs=1e-12)


@given(WORDS)
@examples(30)
def test_a_copy_is_covered(words: list[str]) -> None:
    for text in (" ".join(words), "".join(words), " ".join(words).upper().replace("“", '"')):
        found = align_words(words, text)
        assert (found.coverage, found.changes) == (1.0, [])


@given(st.lists(st.text("abcdefgh", min_size=1, max_size=6), min_size=1, max_size=60), st.data())
@examples(30)
def test_words_dropped_and_added(words: list[str], data: st.DataObject) -> None:
    """Text that is marked off by signs of its own cannot be mistaken for another's."""
    keys = [f"{word}{chr(0x4E00 + i)}" for i, word in enumerate(words)]
    gone = data.draw(st.sets(st.integers(0, len(keys) - 1)))
    new = data.draw(st.sets(st.integers(0, len(keys) - 1)))
    text = " ".join(
        piece
        for i, key in enumerate(keys)
        for piece in (["ZZZZZ"] if i in new else []) + ([] if i in gone else [key])
    )
    found = align_words(keys, text)
    kept = sum(len(key) for i, key in enumerate(keys) if i not in gone)
    assert found.coverage <= kept / sum(map(len, keys))
    dropped, added, replaced = (
        sum(getattr(change, name) for change in found.changes)
        for name in ("dropped", "added", "replaced")
    )
    assert dropped + replaced >= len(gone)
    assert dropped - added == len(gone) - len(new)


def test_letters() -> None:
    assert letters_of("e\u0301 É").text == "éé"
    assert letters_of("ﬁ … 𝔸").origin.tolist() == [0, 0, 2, 2, 2, 4]
    assert letters_of("it’s – “so”").text == 'it\'s-"so"'
    assert letters_of("\u1112\u1161\u11ab").text == "한"
    assert letters_of("").text == ""


def long_text(size: int, seed: int = 0) -> list[str]:
    made = np.random.default_rng(seed)
    words = ["".join(map(chr, made.integers(97, 123, n))) for n in made.integers(1, 9, 3000)]
    return [words[i] for i in made.integers(0, len(words), size)]


def test_long_texts_are_cut_at_anchors(monkeypatch: pytest.MonkeyPatch) -> None:
    words = long_text(1500)
    text = [w for i, w in enumerate(words) if i % 37] + ["more", "words"]
    text[400:400] = ["something", "else", "entirely"]
    whole = align_letters("".join(words), "".join(text))
    monkeypatch.setattr(letters, "EXACT", 4000)
    cut = align_letters("".join(words), "".join(text))
    assert np.mean(whole == cut) > 0.999
    assert (cut >= 0).sum() >= (whole >= 0).sum() - 3


def test_what_has_no_anchors_is_cut_in_the_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(letters, "EXACT", 4000)
    assert (align_letters("ab" * 500, "ba" * 500 + "c") >= 0).mean() > 0.9


def test_moved_blocks_keep_the_heavier_chain() -> None:
    one = np.arange(100)
    other = np.concatenate((np.arange(60, 100), np.arange(60)))
    assert common_blocks(one, other, 8) == [(0, 40, 60)]
    assert common_blocks(one[:5], other, 8) == []


def test_what_was_added_behind_takes_no_letters() -> None:
    found = align_words(
        ["light", "it", "."], "light it. The wind rose and the tired captain slept."
    )
    assert found.coverage == 1
    assert found.word_before(8) == 2
    assert [change.added for change in found.changes] == [8]


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("Ada saw the blue sea .", [((3, 3), "blue", (0, 1, 0))]),
        ("Ada saw the very blue sea .", [((3, 3), "very blue", (0, 2, 0))]),
        ("Ada saw the seea .", [((3, 4), "seea", (1, 0, 0))]),
        ("Ada saw these . The sea .", [((2, 2), "these .", (0, 2, 0))]),
    ],
)
def test_what_was_added_is_told_between_words(text: str, changes: list[Any]) -> None:
    """Least cost alone may tear a word apart around what was added, and nothing would be told."""
    found = align_words(["Ada", "saw", "the", "sea", "."], text)
    assert found.coverage == 1
    told = [
        (c.words, found.text[slice(*c.characters)], (c.replaced, c.added, c.dropped))
        for c in found.changes
    ]
    assert told == changes


def test_half_a_word_inside_a_span_is_covered() -> None:
    """The ends of the span hold a fifth of their words, and the word between them half of it."""
    alignment = align_words(["slept", "ab", "slept"], "slept a slept")
    first, last = alignment.covered(np.array([4]), np.array([8]))
    assert (first.tolist(), last.tolist()) == ([1], [1])


@pytest.mark.parametrize(("text", "coverage"), [("ax", 0.5), ("axy", 0.0)])
def test_words_that_share_half_of_their_letters_are_aligned(text: str, coverage: float) -> None:
    assert align_words(["ab"], text).coverage == coverage


@pytest.mark.parametrize(("text", "truncated"), [("Ann xyz", False), ("Ann", True)])
def test_as_many_words_dropped_as_others_put_there_is_no_end(text: str, truncated: bool) -> None:
    assert align_words(["Ann", "slept", "soundly"], text).truncated == truncated


@pytest.mark.parametrize(("text", "differs"), [("abc y", False), ("abc yz", True)])
def test_three_quarters_of_a_text_that_breaks_off(text: str, differs: bool) -> None:
    alignment = align_words(["abc", "defg", "hijk", "lmno"], text)
    assert alignment.truncated
    assert alignment.differs == differs
