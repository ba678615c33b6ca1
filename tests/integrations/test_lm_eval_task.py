"""The task inside the real lm-evaluation-harness, with a model that is made up."""

import json
from pathlib import Path
from typing import Any

import pytest

import corefkit
from corefkit.integrations.answer_scores import AnswerScorer, figures, questions
from tests.integrations.support import needed
from tests.integrations.test_answer_scores import KEY, flawed_answers
from tests.support import EXAMPLES

YAML = EXAMPLES / "language-model" / "tasks"
METRICS = "mentions,muc,conll"


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


def run(metadata: dict[str, Any]) -> Any:
    """What the harness makes of the task in examples/ with these options."""
    lm_eval = needed("lm_eval")
    prompts = [question["prompt"] for question in questions(KEY)]
    answers = dict(zip(prompts, flawed_answers(), strict=True))

    class MadeUp(needed("lm_eval.api.model").LM):  # type: ignore[misc]
        def generate_until(self, requests: list[Any], disable_tqdm: bool = False) -> list[str]:
            return [answers[request.args[0]] for request in requests]

        def loglikelihood(self, requests: list[Any], disable_tqdm: bool = False) -> Any:
            raise NotImplementedError

        loglikelihood_rolling = loglikelihood

    tasks = needed("lm_eval.tasks").TaskManager(
        include_path=str(YAML), include_defaults=False, metadata={"key": str(KEY), **metadata}
    )
    return lm_eval.simple_evaluate(
        MadeUp(), tasks=["coreference"], task_manager=tasks, bootstrap_iters=100, log_samples=True
    )


@pytest.mark.parametrize(
    "options",
    [{}, {"lenient": True, "policies": {"singletons": "drop"}}],
    ids=["standard", "lenient"],
)
def test_the_log_has_corpus_scores_and_the_losses(options: dict[str, Any]) -> None:
    result = run({"metrics": METRICS, **options})
    flat = {**options, **options.get("policies", {})}
    flat.pop("policies", None)
    scorer = AnswerScorer(METRICS, **flat)
    pairs = zip(questions(KEY), flawed_answers(), strict=True)
    answers = [scorer.score(question["key"], answer) for question, answer in pairs]
    wanted = figures(answers)
    found = result["results"]["coreference"]
    for name in ("mentions", "muc", "conll"):
        assert found[f"{name},none"] == wanted[f"{name}/f1"]
    for name in ("coverage", "failures", "truncated", "unaligned"):
        assert found[f"{name},none"] == wanted[name]
    samples = result["samples"]["coreference"]
    assert [sample["failures"] for sample in samples] == [answer.failure for answer in answers]
    assert [sample["coverage"] for sample in samples] == [[*a.characters] for a in answers]
    assert [sample["muc"]["muc"] for sample in samples] == [a.counts["muc"] for a in answers]
    assert samples[0]["target"] == questions(KEY)[0]["gold"]
    assert json.dumps(samples)


def test_a_wrong_option_is_reported_at_once(tmp_path: Path) -> None:
    needed("lm_eval")
    module = needed("corefkit.integrations.lm_eval_task")
    with pytest.raises(corefkit.UsageError, match="`key` must name the file"):
        module.CoreferenceTask({"task": "coreference"})
    with pytest.raises(corefkit.UsageError, match="unknown value 'b4'"):
        module.CoreferenceTask({"metadata": {"key": str(KEY), "metrics": "b4"}})
    with pytest.raises(corefkit.DataError):
        module.CoreferenceTask({"metadata": {"key": str(tmp_path / "none.conll")}})
