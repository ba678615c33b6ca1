"""Mentions of changed texts on the tokens of a key, and how they are scored."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import corefkit
from corefkit import Corpus, DataError
from corefkit.alignment.placement import is_unplaced, place, report_changes, report_lost
from corefkit.alignment.words import align_words
from corefkit.core.incidents import Collector, errors
from corefkit.core.nodes import nodes_of
from corefkit.core.options import Options
from corefkit.scorers.documents import same_names, same_unit
from corefkit.scorers.signature import parse_signature
from tests.formats.conformance import FOLDER, load
from tests.support import needs_conformance, run

KEY = """#begin document (tale)
tale 0 0 Captain (1
tale 0 1 Ann 1)
tale 0 2 hid -
tale 0 3 the (2
tale 0 4 lamp 2)
tale 0 5 . -

tale 0 0 She (1)
tale 0 1 did -
tale 0 2 n't -
tale 0 3 light -
tale 0 4 it (2)
tale 0 5 . -
#end document
"""


WHOLE_BEGINNING = {"truncated.seq2seq.txt": 45 / 73}
"""The table has 42/73: "out", with which the answer ends, counts as scattered over later words
there. That is of least cost, too, but a beginning of the key is aligned with the beginning."""


@pytest.fixture
def key(tmp_path: Path) -> Path:
    return write(tmp_path, "key.conll", KEY)


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def clusters(corpus: Corpus) -> list[list[tuple[int, int]]]:
    placed = corpus.take(~is_unplaced(corpus))
    return sorted(sorted(c) for d in placed.clusters().values() for c in d)


@needs_conformance
@pytest.mark.parametrize(
    ("name", "wanted"),
    load("markup/expected.json").get("aligned with harbour.conll", {}).items(),
)
def test_expected(name: str, wanted: dict[str, Any]) -> None:
    ours = corefkit.read(FOLDER / "markup" / "harbour.conll")
    theirs, _ = same_names(ours, corefkit.read(FOLDER / "markup" / name), Options())
    placed = place(theirs, ours)
    assert clusters(placed.corpus) == [[(a, b) for a, b in c] for c in wanted["clusters"]]
    assert len(placed.lost) == int(is_unplaced(placed.corpus).sum()) == wanted["lost"]
    coverage = WHOLE_BEGINNING.get(name, wanted["coverage"])
    assert placed.coverage == pytest.approx(coverage, abs=0.0001)
    kinds = {i.id for i in errors(placed.incidents)}
    assert kinds == ({"text-differs"} if wanted["coverage"] < 0.5 else set())


CHANGED = (
    "Sure, here it is:\n[Captain Ann](#1) hid [a lamp](#2). [She](#1) didn’t light [it](#2). "
    "[The wind](#3) rose and [the captain](#1) slept."
)


def test_a_wrong_mention_counts(key: Path, tmp_path: Path) -> None:
    """Inventing mentions must not pay: two of six stand in text that the key does not have."""
    response = write(tmp_path, "answer.md", CHANGED)
    counted = corefkit.score(key, response)
    dropped = corefkit.score(key, response, unaligned="drop")
    assert counted["mentions"].counts == {"recall": [3, 4], "precision": [3, 6]}
    assert dropped["mentions"].counts == {"recall": [3, 4], "precision": [3, 4]}
    # one of the two made up mentions is in an entity of the key, the other alone
    assert counted["muc"].counts == {"recall": [1, 2], "precision": [1, 3]}
    assert [i.id for i in counted.incidents] == ["text-changed"] + 2 * ["mention-unaligned"]
    assert counted.incidents[1].found == "'The wind' of entity 3"


def test_the_command_simply_works(key: Path, tmp_path: Path) -> None:
    response = write(tmp_path, "answer.md", CHANGED)
    done = run("score", key, response, "-m", "mentions")
    assert done.status == 0
    assert "75.00      50.00  60.00" in done.out
    assert "|align:characters|coverage:0.921|" in done.out
    assert "1 word replaced, 11 added, 0 dropped" in done.err
    refused = run("score", key, response, "--strict")
    assert refused.status == 1
    assert "[no-common-document]" in refused.err
    for command in ("errors", "outcomes", "check"):
        more = ["--against", key, response] if command == "check" else [key, response]
        assert run(command, *more).status == 0


def test_signature(key: Path, tmp_path: Path) -> None:
    scores = corefkit.score(key, write(tmp_path, "answer.md", CHANGED), unaligned="drop")
    options, _ = parse_signature(scores.signature)
    assert (options.align, options.unaligned) == ("characters", "drop")
    again = corefkit.score(
        key, tmp_path / "answer.md", align="characters", unaligned="drop", metrics=options.metrics
    )
    assert again.counts == scores.counts
    same = write(tmp_path, "same.md", "[Captain Ann](#1) hid the lamp. She did n't light it.")
    assert "|align:auto|" in corefkit.score(key, same).signature


def test_marked_words(key: Path, tmp_path: Path) -> None:
    text = "<m> Captain Ann | 1 </m> hid <m> the lamp | 2 </m> . <m> She | 1 </m> didn't light it !"
    scores = corefkit.score(key, write(tmp_path, "a.txt", text))
    assert scores["mentions"].counts == {"recall": [3, 4], "precision": [3, 3]}
    assert scores.coverage is not None and 0.9 < scores.coverage < 1


def test_other_tokens_are_aligned_on_demand(key: Path, tmp_path: Path) -> None:
    other = KEY.replace("tale 0 1 did -\ntale 0 2 n't -\n", "tale 0 1 didn't -\n")
    response = write(tmp_path, "other.conll", other)
    with pytest.raises(DataError, match="tokens in the key"):
        corefkit.score(key, response)
    scores = corefkit.score(key, response, align="characters")
    assert (scores["mentions"].f1, scores.coverage) == (1.0, 1.0)


def test_a_key_of_characters(tmp_path: Path) -> None:
    key = write(tmp_path, "key.md", "[Captain Ann](#1) hid [the lamp](#2). [She](#1) hid [it](#2).")
    response = write(tmp_path, "answer.md", "Well: [Captain Ann](#1) hid the lamp. [She](#1) hid.")
    for other in (response, write(tmp_path, "a.txt", "<m> Captain Ann | 1 </m> slept")):
        scores = corefkit.score(key, other, align="auto") if other is response else None
        if scores:
            assert scores["mentions"].counts == {"recall": [2, 4], "precision": [2, 2]}
    with pytest.raises(DataError, match="is not that of the key"):
        corefkit.score(key, tmp_path / "a.txt")


def test_empty_nodes(tmp_path: Path) -> None:
    key = write(tmp_path, "key.txt", "Ana|[e1] dice que ##|[e1] viene con el|[e2 perro|e2] .\n")
    response = write(
        tmp_path, "answer.txt", "Ana|[e1] dijo : que ##|[e1] viene ya con el|[e2 ## perro|e2] .\n"
    )
    ours, theirs = corefkit.read(key), corefkit.read(response)
    met = same_unit(ours, theirs)
    assert met.coverage is not None and not errors(met.incidents)
    scores = corefkit.score(key, response)
    assert scores["mentions"].counts == {"recall": [2, 3], "precision": [2, 3]}
    assert met.response.nodes is not None
    ((_, nodes),) = list(met.response.nodes)
    assert nodes == [(5, 0), (5, 1), (6, 0)]


def test_documents_without_text(key: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"it covers 0\.0 % of its characters"):
        corefkit.score(key, write(tmp_path, "a.md", "[](#1)"), lenient=True)


@pytest.mark.parametrize(
    ("missing", "wanted"),
    [
        ("hid", "text-truncated"),  # three letters of six are there, half of them
        ("lies", "text-truncated"),  # three of seven, but it is the beginning
        ("Anna", "text-truncated"),
        ("is", "text-truncated"),
    ],
)
def test_half_of_a_text_is_enough(missing: str, wanted: str, tmp_path: Path) -> None:
    text = f"#begin document (tale)\ntale 0 0 Ann (1)\ntale 0 1 {missing} -\n#end document\n"
    ours = corefkit.read(write(tmp_path, "key.conll", text))
    theirs = corefkit.read(write(tmp_path, "tale.md", "[Ann](#1)"))
    placed = place(same_names(ours, theirs, Options())[0], ours)
    assert [i.id for i in placed.incidents] == [wanted]


@pytest.mark.parametrize(("word", "told"), [("hid", True), ("lies", False)])
def test_mentions_are_missed_in_the_same_text_only(word: str, told: bool, tmp_path: Path) -> None:
    """Half of the text is there: what cannot be placed is reported. Less: it is another text."""
    text = f"#begin document (tale)\ntale 0 0 Ann (1)\ntale 0 1 {word} -\n#end document\n"
    ours = corefkit.read(write(tmp_path, "key.conll", text))
    theirs = corefkit.read(write(tmp_path, "tale.md", "[Ann](#1) [QQQQ](#2)"))
    placed = place(same_names(ours, theirs, Options())[0], ours)
    assert placed.coverage == pytest.approx(3 / (3 + len(word)))
    assert len(placed.lost) == 1
    assert any(i.id == "mention-unaligned" for i in placed.incidents) is told


@pytest.mark.parametrize("cut", range(1, 38))
def test_every_beginning_is_a_text_that_breaks_off(cut: int, key: Path, tmp_path: Path) -> None:
    """Also one that ends in mid-word, and one of a single letter."""
    text = "Captain Ann hid the lamp. She didn't light it."[:cut]
    corpus = corefkit.read(key)
    answer = corefkit.read(write(tmp_path, "tale.md", text + " "), format="markdown")
    (incident,) = place(same_names(corpus, answer, Options())[0], corpus).incidents
    assert incident.id == "text-truncated"


def test_the_last_word_of_a_beginning_stays_where_it_is() -> None:
    """Not at the end of the key, where it stands again, nor scattered over later words."""
    sentence = "Captain Ann hid the lamp . She lit it . Then nobody found it ."
    words = sentence.split()
    for number in range(1, len(words)):
        text = " ".join(words[:number])
        last = np.array([len(text) - 1])
        first, end = align_words(words, text).covered(last - len(words[number - 1]) + 1, last)
        assert (first.tolist(), end.tolist()) == ([number - 1], [number - 1])


def test_what_breaks_off_early_may_be_changed_a_little() -> None:
    sentence = "the old ferry sank in march and nobody wept or called for help that day"
    words = sentence.split()
    assert align_words(words, "the old ferry sank").coverage < 0.5
    assert not align_words(words, "the old fery sank").differs
    assert align_words(words, "I cannot help").differs
    assert align_words(words, "the weather is bad").differs
    assert align_words(words, "").differs


def test_what_is_shown_of_lost_mentions_is_harmless_and_short() -> None:
    """Words and ids come from files of strangers."""
    corpus = Corpus.from_clusters({"d": [[(0, 0)], [(1, 1)]]})
    corpus = replace(corpus, labels=("\x1b[31m", "e" * 100))
    collector = Collector("f")
    report_lost(corpus, {0: "a\rb" + "w" * 100, 1: "it's"}, collector)
    first, second = (incident.found or "" for incident in collector)
    assert first.isprintable() and len(first) < 100
    assert first.startswith("'a\\rbww") and first.endswith(" of entity \\x1b[31m")
    assert second == f"'it's' of entity {'e' * 59}…"


def test_the_first_changes_are_shown() -> None:
    """Each with its words; a text with more of them shows the first three."""
    words = [f"word{letter}" for letter in "abcdefgh"]
    said = [word if place % 2 == 0 else "x\x1b" for place, word in enumerate(words)]
    corpus, collector = Corpus.from_clusters({"d": []}), Collector("f")
    report_changes(corpus, 0, align_words(words, " ".join(said)), collector)
    (incident,) = collector
    assert incident.id == "text-changed"
    shown = (incident.found or "").split("; ")
    assert shown == [f"token {at}: 'x\\x1b' for {words[at]!r}" for at in (1, 3, 5)]


def test_parts_at_the_first_word(tmp_path: Path) -> None:
    """A mention of two parts, the first of which is the first word."""
    text = "#begin document (tale)\ntale 0 0 Ann (1)\ntale 0 1 saw -\ntale 0 2 him (1)\n"
    key = corefkit.read(write(tmp_path, "key.conll", f"{text}#end document\n"))
    write(tmp_path, "tale.txt", "Ann saw hym")
    marks = "T1\tX 0 3;8 11\tAnn hym\nT2\tX 4 7\tsaw\nR1\tCoref Arg1:T1 Arg2:T2\n"
    response = corefkit.read(write(tmp_path, "tale.ann", marks))
    placed = place(same_names(key, response, Options())[0], key).corpus
    assert [nodes_of(placed, row) for row in range(placed.mentions)] == [[(0, 0), (2, 0)], [(1, 0)]]


def test_an_empty_node_behind_the_first_word(tmp_path: Path) -> None:
    """It is part of a mention and keeps its place; so does one before the first word."""
    files = []
    for name, words in (("key", "Ann saw him"), ("response", "Ann saw hym")):
        ids = ("0.1", "1", "1.1", "2", "3")
        cells = {"0.1": "Entity=(e1-1", "2": "Entity=e1)"}
        forms = dict(zip(("1", "2", "3"), words.split(), strict=True))
        rows = (f"{i}\t{forms.get(i, '_')}" + "\t_" * 7 + f"\t{cells.get(i, '_')}\n" for i in ids)
        top = "# global.Entity = eid-head\n# newdoc id = tale\n# sent_id = 1\n"
        files.append(corefkit.read(write(tmp_path, f"{name}.conllu", f"{top}{''.join(rows)}\n")))
    key, response = files
    placed = place(response, key).corpus
    assert nodes_of(placed, 0) == nodes_of(response, 0)
    assert [token for token, _ in nodes_of(placed, 0)] == [-1, 0, 0, 1]


def test_a_text_that_is_changed_and_cut_off() -> None:
    """Both are said; a text that is only cut off has an incident of its own."""
    words = ["the", "old", "man", "saw", "the", "sea", "and", "went", "home"]
    for said, expected in (
        ("the old man saw the sea and", "text-truncated"),
        ("the old dog saw the sea and", "text-changed"),
    ):
        collector = Collector("f")
        corpus = Corpus.from_clusters({"d": []})
        report_changes(corpus, 0, align_words(words, said), collector)
        (incident,) = collector
        assert incident.id == expected
        assert ("ends early" in incident.message) and ("1 word replaced" in incident.message) is (
            expected == "text-changed"
        )
