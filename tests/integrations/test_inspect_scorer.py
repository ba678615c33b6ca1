"""The scorer inside the real Inspect, with a model that is made up: nothing is downloaded."""

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
from tests.integrations.support import needed
from tests.integrations.test_answer_scores import KEY, flawed_answers

METRICS = "mentions,muc,bcub,ceafe,conll"


def run(folder: Path, *, epochs: int = 1, **options: Any) -> Any:
    """The log of the task with the answers, whose order is that of the prompts."""
    inspect_ai, model = needed("inspect_ai"), needed("inspect_ai.model")
    module = needed("corefkit.integrations.inspect_scorer")
    prompts = [question["prompt"] for question in questions(KEY)]
    answers = dict(zip(prompts, flawed_answers(), strict=True))

    def reply(messages: list[Any], *_: Any) -> Any:
        output = model.ModelOutput.from_content("made-up", answers[messages[-1].text])
        output.usage = model.ModelUsage()  # else a tokeniser is downloaded
        return output

    (log,) = inspect_ai.eval(
        module.coreference_task(str(KEY), metrics=METRICS, **options),
        model=model.get_model("mockllm/model", custom_outputs=reply),
        log_dir=str(folder),
        display="none",
        epochs=epochs,
    )
    assert log.status == "success", log.error
    return log


def expected(**options: Any) -> list[ScoredAnswer]:
    scorer = AnswerScorer(METRICS, **options)
    pairs = zip(questions(KEY), flawed_answers(), strict=True)
    return [scorer.score(question["key"], answer) for question, answer in pairs]


def test_the_log_has_corpus_scores_and_the_losses(tmp_path: Path) -> None:
    log = run(tmp_path)
    (scores,) = log.results.scores
    assert {name: metric.value for name, metric in scores.metrics.items()} == figures(expected())
    assert scores.metrics["failures"].value == 2
    stored = needed("inspect_ai.log").read_eval_log(log.location)
    samples = [sample.scores["coreference"] for sample in stored.samples]
    answers = [ScoredAnswer.from_dict(score.metadata) for score in samples]
    assert total(answers) == total(expected())
    failed = [score for score in samples if score.metadata["failure"]]
    assert [score.reason for score in failed] == ["invalid_response_format"] * 2
    assert all(score.explanation == score.metadata["failure"] for score in failed)
    assert all(0 <= score.metadata["coverage"] <= 1 for score in samples)
    assert samples[0].value == answers[0].f1()


def test_epochs_are_added_and_options_passed_on(tmp_path: Path) -> None:
    (scores,) = run(tmp_path, epochs=2, lenient=True, singletons="drop").results.scores
    once = expected(lenient=True, singletons="drop")
    values = {name: metric.value for name, metric in scores.metrics.items()}
    assert values == figures([*once, *once])
    assert values["failures"] == 2
    assert values["conll/f1"] == pytest.approx(total(once).conll, abs=1e-15)


def test_a_wrong_option_is_reported_at_once() -> None:
    needed("inspect_ai")
    module = needed("corefkit.integrations.inspect_scorer")
    with pytest.raises(corefkit.UsageError, match="unknown value 'b4'"):
        module.coreference("b4")
