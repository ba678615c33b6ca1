"""A scorer for Inspect (`inspect-ai`): the answers of a language model, scored as one corpus.

    inspect eval corefkit/coreference_task -T key=key.conll --model …

The value of a sample has the scores of its document. Its metadata has what is needed to add it to
the others: counts, coverage, unaligned mentions, and the reason if it is a failure. The figures of
the log are those of the corpus, from the sums of all counts, not means over documents.
"""

from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    Value,
    metric,
    scorer,
)
from inspect_ai.solver import TaskState, generate

from corefkit.integrations.answer_scores import AnswerScorer, ScoredAnswer, figures, questions

__all__ = ["coreference", "coreference_task", "corpus_scores", "dataset"]


@metric(scores="unreduced")
def corpus_scores() -> Metric:
    """The figures of all answers together: `conll/f1`, `muc/recall`, …, `coverage`, `failures`.

    With several epochs, the counts of all epochs are added.
    """

    def compute(scores: list[SampleScore]) -> Value:
        return figures(ScoredAnswer.from_dict(sample.score.metadata or {}) for sample in scores)

    return compute


@scorer(metrics=[corpus_scores()])
def coreference(
    metrics: str = "muc,bcub,ceafe,conll",
    profile: str = "standard",
    format: str = "markdown",
    lenient: bool = False,
    **policies: Any,
) -> Scorer:
    """Score the marked mentions in an answer; options are those of `corefkit.score`.

    `format` is that of the answers: markdown, tags, seq2seq or text2text. The target of a sample is
    the document of the key, as `dataset` makes it. An answer that cannot be read counts as a
    document without mentions; its metadata and its explanation say why.
    """
    rules = AnswerScorer(metrics, profile, format=format, lenient=lenient, **policies)

    async def score(state: TaskState, target: Target) -> Score:
        answer = rules.score(target.text, state.output.completion)
        return Score(
            value=answer.f1(),
            answer=state.output.completion,
            explanation=answer.failure or "\n".join(answer.warnings) or None,
            reason="invalid_response_format" if answer.failure else None,
            metadata=answer.to_dict(),
        )

    return score


def dataset(key: Any, format: str = "markdown") -> MemoryDataset:
    """One sample per document of a key, a path or a Corpus, with a prompt for the format."""
    return MemoryDataset(
        [
            Sample(
                id=question["document"],
                input=question["prompt"],
                target=question["key"],
                metadata={"document": question["document"]},
            )
            for question in questions(key, format)
        ]
    )


@task
def coreference_task(key: str, format: str = "markdown", **options: Any) -> Task:
    """Ask for the coreference of each document of a key, and score the answers."""
    return Task(
        dataset=dataset(key, format),
        solver=generate(),
        scorer=coreference(format=format, **options),
    )
