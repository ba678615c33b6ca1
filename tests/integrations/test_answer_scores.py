"""Answers scored one at a time and added up: the scores of a folder with the same answers."""

import json
from pathlib import Path
from typing import Any

import pytest

import corefkit
from corefkit.integrations.answer_scores import (
    AnswerScorer,
    ScoredAnswer,
    figures,
    questions,
    total,
)
from tests.support import EXAMPLES

KEY, CAREFUL = EXAMPLES / "key.conll", EXAMPLES / "careful.conll"
FERRY = EXAMPLES / "language-model"
METRICS = "mentions,muc,bcub,ceafe,blanc,lea,conll"


def flawed_answers() -> list[str]:
    """Those of a good system: with a greeting, cut off, refused, broken, and three as they are."""
    said = [question["gold"] for question in questions(CAREFUL)]
    said[0] = f"Here it is, dear [you](#99):\n\n{said[0]}"
    said[1] = said[1][: said[1].index("\n")]
    said[2] = "I am sorry, but I cannot help with that."
    said[3] = said[3].replace("](#1)", "", 1)
    return said


def score_all(answers: list[str], **how: Any) -> list[ScoredAnswer]:
    scorer = AnswerScorer(METRICS, **how)
    asked = questions(KEY)
    return [scorer.score(q["key"], a) for q, a in zip(asked, answers, strict=True)]


def folder_scores(folder: Path, answers: list[str], **how: Any) -> corefkit.Scores:
    """The scores of one file per answer, paired with the documents by their order."""
    for number, answer in enumerate(answers):
        (folder / f"{number}.md").write_text(answer, encoding="utf-8")
    records = corefkit.read(KEY).to_records()
    key = [{**record, "doc_key": str(n)} for n, record in enumerate(records)]
    (folder / "key.jsonlines").write_text("\n".join(map(json.dumps, key)), encoding="utf-8")
    return corefkit.score(folder / "key.jsonlines", folder / "*.md", METRICS, **how)


@pytest.mark.parametrize(
    "policies",
    [{}, {"singletons": "drop"}, {"unaligned": "drop"}, {"average": "documents"}],
    ids=str,
)
def test_sums_are_the_scores_of_a_folder(tmp_path: Path, policies: dict[str, Any]) -> None:
    answers = flawed_answers()
    scored = score_all(answers, **policies)
    whole, expected = total(scored), folder_scores(tmp_path, answers, **policies)
    assert whole.to_dict() == expected.to_dict()
    assert whole.signature == expected.signature
    assert whole.coverage == expected.coverage


def test_what_the_log_has_of_losses() -> None:
    scored = score_all(flawed_answers())
    assert [bool(answer.failure) for answer in scored] == [False, False, True, True, *[False] * 4]
    assert [answer.truncated for answer in scored] == [False, True, *[False] * 6]
    assert scored[0].unaligned == ("you",)
    assert (scored[2].mentions, scored[2].failure) == (
        0,
        "text-differs: the text is not that of the key: it covers 1.8 % of its characters",
    )
    assert (scored[3].failure or "").startswith("tag-unclosed: ")
    assert scored[3].coverage > 0.99
    assert total(scored).counts.documents == corefkit.read(KEY).names
    flat = figures(scored)
    assert [flat[name] for name in ("failures", "truncated", "unaligned")] == [2, 1, 1]
    assert flat["conll/f1"] == total(scored).conll
    assert flat["conll/f1"] != pytest.approx(sum(a.f1()["conll"] for a in scored) / len(scored))


def test_a_failure_counts_as_a_document_without_mentions() -> None:
    first = questions(KEY)[0]
    scorer = AnswerScorer(METRICS)
    for bad in ("", " \n", "No.", "[open", "\ud800\0"):
        answer = scorer.score(first["key"], bad)
        assert answer.failure
        assert answer.counts == scorer.score(first["key"], first["text"]).counts
        assert answer.counts["mentions"] == [0, 28, 0, 0]
    assert scorer.score(first["key"], " \n").failure == (
        "text-differs: the answer is empty, or it has several documents"
    )
    cut_off = scorer.score(first["key"], "[The sea wall of [Port Ellery](#2")
    assert (cut_off.truncated, cut_off.unaligned) == (False, ())
    assert (cut_off.failure or "").startswith(("tag-unclosed", "entity-missing"))


def test_lenient_drops_a_broken_mark_only() -> None:
    broken = score_all(flawed_answers(), lenient=True)[3]
    assert broken.failure is None
    assert broken.counts["mentions"][0] > 10
    assert any(warning.startswith("tag-unclosed: ") for warning in broken.warnings)


@pytest.mark.parametrize("format", ["markdown", "tags"])
def test_the_gold_answer_is_right(format: str) -> None:
    scorer = AnswerScorer("conll", format=format)
    for question in questions(KEY, format):
        answer = scorer.score(question["key"], question["gold"])
        assert (answer.f1(), answer.coverage, answer.warnings) == ({"conll": 1.0}, 1.0, ())
        assert question["prompt"].endswith(question["text"])


def test_crossing_mentions_have_no_gold_answer() -> None:
    record = {"doc_key": "a", "sentences": [["b", "c", "d"]], "clusters": [[[0, 1]], [[1, 2]]]}
    (question,) = questions(corefkit.Corpus.from_records([record]))
    assert question["gold"] == ""
    assert json.loads(question["key"]) == record


ELSEWHERE = {
    "seq2seq": "<m> Mrs. Okafor | 1 </m> sold\n<m> the old ferry | 2 </m>",
    "text2text": "Mrs.|[e1 Okafor|e1] sold\nthe|[e2 old ferry|e2]",
    "json-answers": '{"response": "[Mrs. Okafor](#1) sold [the old ferry](#2)"}',
}


@pytest.mark.parametrize("format", ELSEWHERE)
def test_other_formats(format: str) -> None:
    (question,) = questions(FERRY / "key.conll")
    scorer = AnswerScorer("mentions", format=format)
    answer = scorer.score(question["key"], ELSEWHERE[format])
    assert (answer.failure, answer.counts["mentions"]) == (None, [2, 10, 2, 2])
    assert answer.truncated
    assert scorer.score(question["key"], "").failure


def test_clusters_of_strings_are_placed() -> None:
    (question,) = questions(FERRY / "key.conll")
    scorer = AnswerScorer("mentions", format="json-answers")
    answer = scorer.score(question["key"], '```json\n[["Mrs. Okafor", "She"], ["a whale"]]\n```')
    assert answer.failure is None
    assert answer.counts["mentions"][:3] == [2, 10, 2]


def test_a_log_can_be_read_back() -> None:
    scored = score_all(flawed_answers())
    rows = json.loads(json.dumps([answer.to_dict() for answer in scored]))
    assert total(map(ScoredAnswer.from_dict, rows)) == total(scored)
    with pytest.raises(corefkit.UsageError, match="not an answer that corefkit scored"):
        ScoredAnswer.from_dict({"document": "a"})


def test_a_wrong_key_is_not_the_fault_of_the_answer() -> None:
    record = {"doc_key": "a", "sentences": [["b", "c"]], "clusters": [[[0, 7]]]}
    with pytest.raises(corefkit.DataError):
        AnswerScorer().score(record, "[b](#1) c")


def test_misuse() -> None:
    with pytest.raises(
        corefkit.UsageError, match="'conll' is not a format of answers; choose from json"
    ):
        AnswerScorer(format="conll")
    with pytest.raises(corefkit.UsageError, match="needs tags"):
        AnswerScorer("immediate")
    with pytest.raises(corefkit.UsageError, match="unknown value 'b4'"):
        AnswerScorer("b4")
    with pytest.raises(corefkit.UsageError, match="there are prompts for markdown, tags"):
        questions(KEY, "seq2seq")
    with pytest.raises(corefkit.UsageError, match="at least one"):
        total([])
    (question,) = questions(FERRY / "key.conll")
    different = [AnswerScorer(m).score(question["key"], "") for m in ("muc", "lea")]
    with pytest.raises(corefkit.UsageError, match="not all scored in the same way"):
        total(different)
