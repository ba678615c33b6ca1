"""Entities over documents: equal to files put end to end by hand, and links counted one by one."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import Corpus, DataError, Evaluator, Scores, UsageError
from corefkit.scorers.levels import parse_levels
from corefkit.scoring.parts import Part
from tests.oracle.cross_document import concatenated, count_links
from tests.strategies import choice, examples
from tests.support import EXAMPLES, run

METRICS = "mentions,muc,bcub,ceafm,ceafe,blanc,lea,links,pairs,clusters,conll"
KEY, SYSTEM = (str(EXAMPLES / "topics" / f"{name}.conll") for name in ("key", "system"))
TOPIC = "^([0-9]+)_"
GROUPS: dict[str, Callable[[str], str]] = {
    "none": str,
    "topic": lambda name: name.partition("_")[0],
    "corpus": lambda name: "corpus",
}

Spans = list[tuple[int, int]]
IdSide = dict[str, dict[str, Spans]]


@st.composite
def id_sides(draw: st.DrawFn) -> tuple[IdSide, IdSide]:
    """Key and response over a few documents of three topics; ids hold over documents."""
    names = draw(st.permutations(["1_1", "1_2", "1_3", "2_1", "2_2", "3_1"]))
    names = names[: draw(st.integers(1, 6))]
    sides: tuple[IdSide, IdSide] = ({}, {})
    for name in names:
        for side in sides:
            side[name] = {}
            ids = st.none() | st.integers(5, 9)
            for place, label in enumerate(draw(st.lists(ids, max_size=6))):
                if label is not None:
                    # Starts at 0 in every document; some mentions within others.
                    span = (3 * (place // 2), 3 * (place // 2) + place % 2)
                    side[name].setdefault(str(label), []).append(span)
    return sides


def figures(scores: Scores) -> dict[str, Any]:
    """F1, recall and precision; sums of fractions in another order differ in their last digit."""
    return {
        name: [round(n, 12) for n in (score.f1, score.recall or 0, score.precision or 0)]
        for name, score in scores.items()
    }


def reached(part: Part[Any]) -> list[int]:
    """The links of the key, of the response, and of both."""
    counts = part.scores["pairs"].counts
    common, key = counts["recall"]
    assert counts["precision"][0] == common
    return [key, counts["precision"][1], common]


@given(
    id_sides(),
    choice("topic", "corpus"),
    choice(
        ("standard", "keep"), ("standard", "drop"), ("standard", "e2e"), ("standard", "lea"),
        ("conll-8.01", "keep"), ("coval", "keep"), ("coval", "drop"), ("e2e", None),
        ("e2e-singletons", None), ("corefud", None), ("ua", "keep"),
    ),
)  # fmt: skip
@examples(150)
def test_a_group_is_scored_as_its_documents_end_to_end(
    sides: tuple[IdSide, IdSide], level: str, how: tuple[str, str | None]
) -> None:
    profile, singletons = how
    metrics = METRICS if profile == "standard" else "mentions,muc,bcub,ceafe,lea"
    if profile == "conll-8.01":
        metrics = "mentions,muc,bcub,ceafm,ceafe,blanc"
    given: dict[str, Any] = {"metrics": metrics, "profile": profile, "singletons": singletons}
    if profile == "corefud":
        given["match"] = "exact"
    ours, theirs = map(Corpus.from_clusters, sides)
    key, response = (Corpus.from_clusters(concatenated(side, GROUPS[level])) for side in sides)
    across = corefkit.score(ours, theirs, **given, across=level, topic=TOPIC)
    assert figures(across) == figures(corefkit.score(key, response, **given))


@given(id_sides())
@examples(100)
def test_links_are_counted_by_their_reach(sides: tuple[IdSide, IdSide]) -> None:
    """As by loops over all pairs of mentions; together they are what `pairs` counts."""
    ours, theirs = map(Corpus.from_clusters, sides)
    scores = corefkit.score(ours, theirs, "pairs", across="corpus", topic=TOPIC)
    expected = count_links(*sides, GROUPS["topic"])
    found = {row.label: reached(row) for row in scores.reaches}
    if len({GROUPS["topic"](name) for name in sides[0]}) == 1:  # it is the corpus then
        found |= {"topic": found["corpus"], "corpus": [0, 0, 0]}
    assert found == expected
    key, response, common = map(sum, zip(*expected.values(), strict=True))
    assert scores["pairs"].counts == {"recall": [common, key], "precision": [common, response]}
    topic = corefkit.score(ours, theirs, "pairs", across="topic", topic=TOPIC)
    assert [reached(row) for row in topic.reaches] == [expected["document"], expected["topic"]]
    plain = corefkit.score(ours, theirs, "pairs", across="corpus")
    assert [row.label for row in plain.reaches] == ["document", "corpus"]
    wide = map(sum, zip(expected["topic"], expected["corpus"], strict=True))
    assert reached(plain.reaches[1]) == [*wide]


@given(id_sides(), choice("keep", "drop"), st.randoms(use_true_random=False))
@examples(60)
def test_levels_of_one_run_are_those_of_single_runs(
    sides: tuple[IdSide, IdSide], singletons: Any, random: Any
) -> None:
    """And `none` is what is scored without the option; the order of documents changes nothing."""
    ours, theirs = map(Corpus.from_clusters, sides)
    how: dict[str, Any] = {"metrics": METRICS, "singletons": singletons}
    scores = corefkit.score(ours, theirs, **how, across="all", topic=TOPIC)
    none, topic, corpus = scores.levels
    assert none.scores.counts == corefkit.score(ours, theirs, **how).counts
    one = corefkit.score(ours, theirs, **how, across="topic", topic=TOPIC)
    assert topic.scores.counts == one.counts == one.levels[0].scores.counts
    one = corefkit.score(ours, theirs, **how, across="corpus")
    assert corpus.scores.counts == scores.counts == one.counts
    shuffled = []
    for side in sides:
        names = list(side)
        random.shuffle(names)
        shuffled.append(Corpus.from_clusters({name: side[name] for name in names}))
    again = corefkit.score(shuffled[0], shuffled[1], **how, across="all", topic=TOPIC)
    for row, other in zip(scores.levels, again.levels, strict=True):
        assert (row.label, row.key, row.response) == (other.label, other.key, other.response)
        assert row.scores.counts == other.scores.counts


def test_levels_are_read_as_people_write_them() -> None:
    assert parse_levels(["topic", "none", "topic"]) == ("none", "topic")
    assert parse_levels("none") == parse_levels("") == ()
    assert parse_levels(("all", "topic")) == ("none", "topic", "corpus")
    with pytest.raises(UsageError, match=r"unknown value 'topics'.*Did you mean topic"):
        parse_levels("topics")


def test_a_signature_names_levels_and_topics_and_restores_them() -> None:
    pattern = r"^(\d+)_\d+|(ecb %)"
    scores = corefkit.score(KEY, SYSTEM, "muc", across="all", topic=pattern)
    assert "|across:none+topic+corpus|topic:" in scores.signature
    options, _ = corefkit.scorers.signature.parse_signature(scores.signature)
    assert options == scores.options
    assert options.topic == pattern
    done = run("score", KEY, SYSTEM, "--signature", scores.signature, "-f", "json")
    assert len(json.loads(done.out)["systems"][0]["parts"]) == 6
    assert "across" not in corefkit.score(KEY, SYSTEM, "muc", across="none").signature


def test_the_groups_of_a_pattern_are_the_topic() -> None:
    side = {
        name: {"a": [(0, 0)], "b": [(2, 2)]}
        for name in ("1_1ecb.xml", "1_2ecbplus.xml", "1_3ecbplus.xml")
    }
    corpus = Corpus.from_clusters(side)
    for pattern, names in (
        (r"^(\d+)_\d+(ecb\w*)", ("1_ecb", "1_ecbplus")),
        (r"^\d+_", ("1_",)),
    ):
        scores = corefkit.score(corpus, corpus, "muc", across="topic", topic=pattern)
        assert scores.counts.documents == names


def test_mentions_of_several_kinds_are_joined(tmp_path: Path) -> None:
    """Parts, empty nodes and identifiers, which stand nowhere."""
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    sides: dict[str, dict[str, dict[str, Any]]] = {}
    for name, last in (("key", "Bo"), ("response", "Al")):
        rows = [
            ("1_1", "1,4", "Al"), ("1_1", "-1.1", "Bo"), ("1_1", "Q42", "Al"), ("1_2", "1,4", "Bo"),
            ("1_2", "-1.1", "Al"), ("1_2", "Q42", "Bo"), ("1_2", "7", last), ("2_1", "Q42", "Al"),
        ]  # fmt: skip
        names = ("document", "mention", "entity")
        table = {column: [row[place] for row in rows] for place, column in enumerate(names)}
        parquet.write_table(arrow.table(table), tmp_path / f"{name}.parquet")
        for document, mention, entity in rows:
            entities = sides.setdefault(name, {}).setdefault(document, {})
            entities.setdefault(entity, []).append(mention)
    key, response = (tmp_path / f"{name}.parquet" for name in sides)
    scores = corefkit.score(key, response, "mentions,pairs", across="corpus", topic="^[0-9]")
    assert scores["mentions"].counts["recall"] == [8, 8]
    expected = count_links(sides["key"], sides["response"], GROUPS["topic"])
    assert {row.label: reached(row) for row in scores.reaches} == expected
    assert expected == {"document": [4, 3, 2], "topic": [5, 6, 4], "corpus": [3, 4, 3]}


def test_entities_that_lose_documents_lose_mentions(tmp_path: Path) -> None:
    """What is not scored counts for no entity: an entity of one mention then is a singleton."""
    key = Corpus.from_clusters(
        {"1_1": {"a": [(0, 0)], "b": [(1, 1), (2, 2)]}, "1_2": {"a": [(0, 0)]}}
    )
    extra = {"1_1": {"a": [(0, 0)], "b": [(1, 1), (2, 2)]}, "1_3": {"a": [(0, 0)]}}
    for documents in ("common", ["1_1"]):
        scores = corefkit.score(
            key, Corpus.from_clusters(extra), "mentions,pairs", across="corpus",
            singletons="drop", documents=documents,
        )  # fmt: skip
        assert scores["mentions"].counts == {"recall": [2, 2], "precision": [2, 2]}
        assert scores.levels[-1].key.entities == 1
    scores = corefkit.score(key, Corpus.from_clusters(extra), "mentions", across="corpus")
    assert scores["mentions"].counts == {"recall": [3, 4], "precision": [3, 3]}


ECB = """<?xml version="1.0"?>
<Document doc_name="{name}.xml"><token t_id="1" sentence="0" number="0">Ada</token>
<token t_id="2" sentence="0" number="1">won</token>
<Markables><HUMAN_PART_PER m_id="1"><token_anchor t_id="1"/></HUMAN_PART_PER>
<ACTION_OCCURRENCE m_id="2"><token_anchor t_id="2"/></ACTION_OCCURRENCE>
<ACTION_OCCURRENCE m_id="9" TAG_DESCRIPTOR="t" instance_id="{note}"/></Markables>
<Relations><CROSS_DOC_COREF r_id="3" note="{note}"><source m_id="2"/><target m_id="9"/>
</CROSS_DOC_COREF></Relations></Document>
"""


def test_ecbplus_has_its_topics(tmp_path: Path) -> None:
    notes = {"key": ["A", "A", "B", "A"], "response": ["A", "B", "B", "A"]}
    for side, own in notes.items():
        (tmp_path / side).mkdir()
        for name, note in zip(("1_1ecb", "1_2ecbplus", "1_3ecb", "2_1ecb"), own, strict=True):
            text = ECB.format(name=name, note=f"ACT{note}")
            (tmp_path / side / f"{name}.xml").write_text(text, encoding="utf-8")
    key, response = tmp_path / "key", tmp_path / "response"
    scores = corefkit.score(key, response, "muc", across="all")
    assert [row.scores["muc"].counts["recall"] for row in scores.levels] == [[0, 0], [0, 1], [1, 2]]
    assert [row.key.documents for row in scores.levels] == [4, 2, 1]
    assert [(row.label, *reached(row)) for row in scores.reaches] == [
        ("document", 0, 0, 0),
        ("topic", 1, 1, 0),
        ("corpus", 2, 1, 1),
    ]
    assert scores.reaches[0].scores["pairs"].recall is None
    done = run("score", key, response, "--across", "topic", "-m", "muc")
    assert done.status == 0
    assert "cross-document" not in done.err
    assert "--across topic" in run("score", key, response, "-m", "muc").err
    one = corefkit.score(key, response, "muc", across="corpus", topic="xml")
    assert [row.label for row in one.reaches] == ["document", "corpus"]
    subtopics = corefkit.score(key, response, "muc", across="topic", topic=r"^(\d+)_\d+(ecb\w*)\.")
    assert subtopics.counts.documents == ("1_ecb", "1_ecbplus", "2_ecb")


def test_ids_that_hold_nowhere_are_refused_or_reported(tmp_path: Path) -> None:
    lists = Corpus.from_clusters({"1": [[(0, 0), (2, 2)]], "2": [[(0, 0)], [(2, 2)]]})
    with pytest.raises(DataError, match="all 2 documents number their own entities from 0"):
        corefkit.score(lists, lists, across="corpus")
    text = '{{"doc_key": "{}", "sentences": [["a", "b", "c"]], "clusters": {}}}\n'
    listed, named = tmp_path / "listed.jsonl", tmp_path / "named.jsonl"
    listed.write_text(text.format(1, "[[[0, 0], [2, 2]]]") + text.format(2, "[[[0, 0]]]"))
    named.write_text(
        text.format(1, '{"Ada": [[0, 0], [2, 2]]}') + text.format(2, '{"Bob": [], "Ada": [[0, 0]]}')
    )
    done = run("score", listed, named, "--across", "corpus")
    assert done.status == 1
    assert "[ids-local]" in done.err
    assert "Traceback" not in done.err
    scores = corefkit.score(named, named, "pairs", across="corpus")
    assert scores["pairs"].counts["recall"] == [3, 3]
    assert [i.id for i in scores.incidents] == ["same-file"]
    done = run("score", named, listed, "--across", "corpus")
    assert (done.status, "listed.jsonl: error" in done.err) == (1, True)
    example = str(EXAMPLES / "key.conll")
    done = run("score", example, example, "--across", "corpus", "-m", "muc")
    assert done.status == 0
    assert "warning: 8 of 8 documents number their entities from 0" in done.err
    assert not run("score", KEY, SYSTEM, "--across", "corpus").err
    for ids, number in ((("0", "1"), 1), (("0", "5"), 0), (("3", "4"), 0)):
        spans = dict(zip(ids, ([(0, 0)], [(1, 1)]), strict=True))
        corpus = Corpus.from_clusters({"1": spans, "2": spans})
        scores = corefkit.score(corpus, corpus, "pairs", across="corpus")
        assert [incident.id for incident in scores.incidents] == ["ids-local"] * (2 * number)
        assert scores["pairs"].counts["recall"] == [2, 2]


def test_frames_and_mappings_have_ids() -> None:
    frame = {
        "document": ["1_1", "1_2"], "entity": ["Ada", "Ada"], "start": [0, 0], "end": [1, 1]
    }  # fmt: skip
    corpus = Corpus.from_frame(frame)
    assert corpus.labels == ("Ada", "Ada")
    assert corefkit.score(corpus, corpus, "pairs", across="corpus")["pairs"].recall == 1


@pytest.mark.parametrize(
    ("given", "status", "message"),
    [
        (["--across", "topic"], 1, "[topics-unknown]"),
        (["--across", "topic", "--topic", "^9"], 1, "5 of 5 documents"),
        (["--across", "topic", "--topic", "^1_"], 1, "e.g. '(2_1); part 000'"),
        (["--across", "corpus", "--topic", "("], 2, "topic: '(' is not a pattern"),
        (["--topic", "x"], 2, "--topic needs --across"),
        (["--across", "corpus", "--window", "10"], 2, "documents are cut or joined"),
        (["--across", "corpus", "--by", "entity:size"], 2, "strata are of single documents"),
        (["--across", "corpus", "--by", "class"], 2, "strata are of single documents"),
        (["--across", "corpus", "-m", "immediate"], 2, "immediate is defined for single documents"),
        (["--across", "corpus", "--losses"], 2, "--across cannot be combined with"),
        (["--across", "corpus", "--entities", "x.tsv"], 2, "--across cannot be combined with"),
        (["--across", "corpus", "-f", "conll"], 2, "-f conll cannot be combined with --across"),
        (["--across", "corpus", "--profile", "corefud-1.1"], 2, "pairs no mentions"),
    ],
)
def test_what_cannot_be_done_is_explained(given: list[str], status: int, message: str) -> None:
    done = run("score", KEY, SYSTEM, *given)
    assert (done.status, "Traceback" in done.err) == (status, False)
    assert message in done.err


def test_python_refuses_what_is_of_single_documents() -> None:
    scores = corefkit.score(KEY, SYSTEM, across="corpus")
    for ask in (
        lambda: scores.by("entity:size"),
        lambda: scores.losses,
        lambda: scores.by("class"),
    ):
        with pytest.raises(UsageError, match="single documents; leave out across"):
            ask()
    with pytest.raises(UsageError, match="across"):
        corefkit.errors(KEY, SYSTEM, across="corpus")
    with pytest.raises(TypeError, match="across"):
        Evaluator("muc", across="corpus")  # type: ignore[call-arg]


def test_split_antecedents_are_refused() -> None:
    picnic = str(EXAMPLES / "picnic.conllua")
    one = corefkit.score(picnic, picnic, "muc", across="corpus", split="drop")
    assert one["muc"].f1 == 1
    with pytest.raises(DataError, match="split antecedents are not scored") as error:
        corefkit.score(picnic, picnic, "muc", across="corpus")
    assert [incident.id for incident in error.value.incidents][-1] == "across-split"


def test_differences_are_tested_by_topic() -> None:
    how: dict[str, Any] = {"metrics": "conll", "samples": 50, "topic": TOPIC}
    compared = corefkit.compare(KEY, SYSTEM, KEY, across="topic", **how)
    assert repr(compared).startswith("Significance(system, key: 2 documents")
    one = corefkit.compare(KEY, SYSTEM, KEY, across="corpus", **how)
    assert any("nothing to resample" in note for note in one.notes)
    with pytest.raises(UsageError, match="one level"):
        corefkit.compare(KEY, SYSTEM, KEY, across="all", **how)
    done = run(
        "compare", KEY, SYSTEM, KEY, "--across", "topic", "--topic", TOPIC, "--samples", "50"
    )
    assert done.status == 0
    assert "across:topic" in done.out


def test_runs_are_scored_at_a_level() -> None:
    runs = [f"mine@{n}={path}" for n, path in enumerate((SYSTEM, KEY))]
    done = run("score", KEY, *runs, "--across", "corpus", "-m", "pairs", "-f", "tsv")
    expected = (corefkit.score(KEY, SYSTEM, "pairs", across="corpus")["pairs"].f1 + 1) / 2
    assert str(expected) in done.out.split()
    assert "name one level" in run("score", KEY, *runs, "--across", "none,corpus").err


def test_a_task_is_ranked_at_a_level(tmp_path: Path) -> None:
    text = f"""
name = "Topics"
outside = true
[scoring]
across = "topic"
topic = "{TOPIC}"
[languages.english]
key = '{KEY}'
[systems.ours]
responses = {{ "english/closed/NB" = '{SYSTEM}' }}
"""
    manifest = tmp_path / "task.toml"
    manifest.write_text(text, encoding="utf-8")
    done = run("task", "run", manifest, "-o", tmp_path / "out", "--no-plots")
    expected = corefkit.score(KEY, SYSTEM, "conll", across="topic", topic=TOPIC).conll
    assert f"{100 * expected:.2f}" in done.out
    for more, reason in (
        ('[subsets.x]\nlanguage = "english"\ndocuments = ["1_1"]\n', "subsets are of single"),
        ('[tables.size]\nby = "entity:size"\n', "strata are defined for single"),
    ):
        manifest.write_text(text + more, encoding="utf-8")
        assert reason in run("task", "check", manifest).err
    manifest.write_text(text.replace('"topic"', '"all"'), encoding="utf-8")
    assert "a task is ranked at one level" in run("task", "check", manifest).err


def test_a_result_is_repeated(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    run("score", KEY, SYSTEM, "--across", "all", "--topic", TOPIC, "-f", "json", "-o", path)
    done = run("verify", path)
    assert (done.status, "same:" in done.out + done.err) == (0, True)


def test_what_programs_read() -> None:
    done = run(
        "score", KEY, SYSTEM, "--across", "all", "--topic", TOPIC, "-f", "tsv", "-m", "muc,pairs"
    )
    lines = [line.split("\t") for line in done.out.splitlines()]
    rows = {(line[1], line[2]): dict(zip(lines[0], line, strict=True)) for line in lines[1:]}
    assert rows["all", "muc"]["f1"] == rows["across:corpus", "muc"]["f1"]
    assert rows["reach:topic", "pairs"]["recall_denominator"] == "18"
    assert {group for group, _ in rows} == {
        "all",
        "across:none",
        "across:topic",
        "across:corpus",
        "reach:document",
        "reach:topic",
        "reach:corpus",
    }
    for form in ("markdown", "latex", "html"):
        assert (
            "between topics"
            in run("score", KEY, SYSTEM, "--across", "corpus", "--topic", TOPIC, "-f", form).out
        )
    assert "between documents" in run("score", KEY, SYSTEM, SYSTEM, "--across", "corpus").out


def test_large_groups_are_counted_without_loops() -> None:
    """A link count of 10⁹ is a sum, not a walk."""
    number = 50_000
    spans = [(n, n) for n in range(number)]
    corpus = Corpus.from_clusters({"1_1": {"a": spans}, "1_2": {"a": spans}})
    scores = corefkit.score(corpus, corpus, "pairs", across="corpus")
    assert reached(scores.reaches[0])[0] == number * (number - 1)
    assert reached(scores.reaches[1])[2] == number * number
    assert np.int64(scores["pairs"].counts["recall"][0]) == number * (2 * number - 1)


def test_lists_in_one_document_number_nothing_twice() -> None:
    lists = Corpus.from_clusters({"1": [[(0, 0), (2, 2)]], "2": []})
    assert not corefkit.score(lists, lists, "pairs", across="corpus").incidents


@pytest.mark.parametrize(("documents", "reported"), [(9, 0), (10, 2)])
def test_many_documents_that_begin_with_the_same_id(documents: int, reported: int) -> None:
    """Where there are ten of them, gaps between the ids do not matter."""
    clusters = {"0": [(0, 0)], "5": [(1, 1)]}
    corpus = Corpus.from_clusters({str(n): clusters for n in range(documents)})
    incidents = corefkit.score(corpus, corpus, "pairs", across="corpus").incidents
    assert [incident.id for incident in incidents] == ["ids-local"] * reported


@pytest.mark.parametrize(("others", "reported"), [(2, 2), (3, 0)])
def test_half_of_the_documents_number_their_own_entities(others: int, reported: int) -> None:
    numbered = {"0": [(0, 0)], "1": [(1, 1)]}
    named = {f"m{n}": {f"{7 + n}": [(0, 0)]} for n in range(others)}
    corpus = Corpus.from_clusters({"a": numbered, "b": numbered, **named})
    incidents = corefkit.score(corpus, corpus, "pairs", across="corpus").incidents
    assert [incident.id for incident in incidents] == ["ids-local"] * reported
