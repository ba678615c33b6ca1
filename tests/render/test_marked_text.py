"""The marked text says of every mention what the errors say."""

import re

import pytest

import corefkit
from corefkit import Corpus, UsageError
from corefkit.analysis.marks import MentionMarks
from corefkit.core.style import styled
from corefkit.core.texts import width
from corefkit.render.marked_text import BracketedText, render_marked_text
from tests.support import EXAMPLES, run

KEY, HASTY, CAREFUL = (EXAMPLES / f"{name}.conll" for name in ("key", "hasty", "careful"))
HARBOUR = "(nw/harbour/00/harbour_0001); part 000"


def test_interleaved() -> None:
    text = run("errors", KEY, HASTY, "--marked", "--document", HARBOUR).out
    assert text.startswith(f"{HARBOUR}\n\nkey    [1 The sea wall of [2 Port Ellery]]1 broke on")
    assert "One of [11 them] reached [6! Calder] on [12~ the day after [5! the flood]] ." in text
    assert (
        "[a+ One of] [11 them] reached [6! Calder] on [12~ the day] after [5! the flood] ." in text
    )
    assert str(corefkit.errors(KEY, HASTY).document(HARBOUR)) == text.removesuffix("\n")


def test_side_by_side() -> None:
    lines = run("errors", KEY, HASTY, "--marked", "side", "--document", HARBOUR).out.splitlines()
    rows = lines[2:-2]
    assert {line.index("|") for line in rows} == {49} and max(map(width, rows)) <= 100


def test_every_mention_is_marked_once() -> None:
    errors = corefkit.errors(KEY, HASTY)
    wrong = {"key": 0, "response": 0, "boundary": 0}
    for number, name in enumerate(errors.joint.key.names):
        listed, text = MentionMarks(errors).of(number), BracketedText(errors, number)
        for side, corpus in enumerate((errors.joint.key, errors.joint.response)):
            marks = [mark for mark in listed if mark.spans[side]]
            spans = sorted(span[:2] for mark in marks if (span := mark.spans[side]))
            assert spans == sorted(span for e in corpus.clusters()[name] for span in e)
            words = [w for a, b in text.sentences for w, _ in text.words(side, a, b)]
            assert sum(word.startswith("[") and word.endswith("\0") for word in words) == len(marks)
            assert sum(word.startswith("\0]") for word in words) == len(marks)
            for mark in marks:
                if mark.state in wrong:
                    wrong[mark.state] += 1
    assert wrong["boundary"] == 2 * errors.counts["span"]
    joint = errors.joint
    assert wrong["key"] == ((joint.key_entity >= 0) & (joint.response_entity < 0)).sum()
    assert wrong["response"] == ((joint.key_entity < 0) & (joint.response_entity >= 0)).sum()


def test_what_is_alike_stands_once() -> None:
    text = run("errors", KEY, KEY, "--marked").out
    assert "\nkey " not in text and re.search(r"(?m)^=  +\[1 ", text)


def test_several_responses_and_the_worst_document() -> None:
    errors = corefkit.errors(KEY, CAREFUL)
    worst = max(errors.losses(), key=lambda name: errors.losses()[name])
    text = run("errors", KEY, CAREFUL, HASTY, "--marked").out
    assert text.startswith(worst) and "\ncareful  [" in text and "\nhasty    [" in text
    with styled(bold=True):
        assert "\x1b[31m" in render_marked_text([errors])


def test_what_is_refused() -> None:
    assert run("errors", KEY, HASTY, "--marked", "--document", "nowhere").status == 2
    assert run("errors", KEY, HASTY, "--marked", "-f", "json").status == 2
    one = Corpus.from_clusters({"a": [[(0, 0), (1, 1)]]})
    with pytest.raises(UsageError, match="no words"):
        render_marked_text([corefkit.errors(one, one)])


def test_ids_do_not_choose_between_equally_good_alignments() -> None:
    """Any pair of these entities shares one mention; the first mentions decide, not the order."""
    key, response = [[(0, 0), (1, 1)], [(2, 2), (3, 3)]], [[(0, 0), (2, 2)], [(1, 1), (3, 3)]]
    labels = set()
    for key_entities in (key, key[::-1]):
        for response_entities in (response, response[::-1]):
            sides = [Corpus.from_clusters({"d": e}) for e in (key_entities, response_entities)]
            errors = corefkit.errors(sides[0], sides[1])
            words = [word for word, _ in BracketedText(errors, 0).words(1, 0, 20)]
            labels.add(tuple(word.strip("[!\0") for word in words if word.startswith("[")))
    assert labels == {("1", "2", "1", "2")}
