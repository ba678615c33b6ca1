"""A task for lm-evaluation-harness (`lm-eval`): the answers of a language model as one corpus.

The YAML of a task has `class: !function FILE.CoreferenceTask`, where FILE.py imports the class from
here. Its `metadata` says what is scored; `--metadata` on the command line overrides it:

    key: key.conll
    metrics: muc,bcub,ceafe,conll
    format: markdown

The figures are those of the corpus, from the sums of all counts, not means over documents. Each
sample of the log has its counts, its coverage, and the reason if it is a failure.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import datasets
from lm_eval.api.task import ConfigurableTask

from corefkit.core.options import Options, UsageError
from corefkit.integrations.answer_scores import AnswerScorer, questions, sum_counts
from corefkit.metrics import counted
from corefkit.scoring.scores import Scores

__all__ = ["CoreferenceTask"]

_OPTIONS = ("profile", "format", "lenient")
_LOSSES = ("failures", "truncated", "unaligned")


class CoreferenceTask(ConfigurableTask):
    """Asks for the coreference of each document of a key, and scores the answers.

    `config` is that of lm-eval; only `task` and `metadata` are needed. `metadata` has `key`, a
    path, and the arguments of `AnswerScorer`: `metrics`, `profile`, `format`, `lenient`, and others
    such as `singletons` under `policies`. F1 of each metric is reported under its name, besides
    `coverage`, `failures`, `truncated` and `unaligned`.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        settings = {name: value for name, value in config.items() if name != "class"}
        metadata = settings.get("metadata") or {}
        if not metadata.get("key"):
            raise UsageError("metadata: `key` must name the file with the key")
        self.rules = AnswerScorer(
            metadata.get("metrics", "muc,bcub,ceafe,conll"),
            **{name: metadata[name] for name in _OPTIONS if name in metadata},
            **metadata.get("policies", {}),
        )
        super().__init__(config={**_DEFAULTS, **settings, **_measures(self.rules)})


def _measures(rules: AnswerScorer) -> dict[str, Any]:
    """What is counted and how it is summed. lm-eval copies it, so it must not refer to the task."""
    sums: dict[str, Callable[[Sequence[Any]], float]] = {
        **{name: partial(_f1, rules.options, name) for name in rules.options.metrics},
        "coverage": _coverage,
        "failures": _number,
        "truncated": _number,
        "unaligned": _length,
    }
    measures = [
        {"metric": name, "aggregation": function, "higher_is_better": name not in _LOSSES}
        for name, function in sums.items()
    ]
    return {"metric_list": measures, "process_results": partial(_sample, rules)}


def _sample(rules: AnswerScorer, doc: Mapping[str, str], results: Sequence[str]) -> dict[str, Any]:
    """The figures of one answer, for the log and for the sums."""
    answer = rules.score(doc["key"], results[0])
    return {
        **{
            name: {part: answer.counts[part] for part in counted((name,))}
            for name in rules.options.metrics
        },
        "coverage": list(answer.characters),
        "failures": answer.failure,
        "truncated": answer.truncated,
        "unaligned": list(answer.unaligned),
    }


def _f1(options: Options, name: str, rows: Sequence[Mapping[str, Any]]) -> float:
    return float(Scores(replace(options, metrics=(name,)), sum_counts(rows))[name].f1)


def _dataset(key: str, format: str = "markdown", **_: Any) -> dict[str, Any]:
    return {"test": datasets.Dataset.from_list(questions(key, format))}


_DEFAULTS: dict[str, Any] = {
    "task": "coreference",
    "custom_dataset": _dataset,
    "test_split": "test",
    "output_type": "generate_until",
    "doc_to_text": "{{prompt}}",
    "doc_to_target": "{{gold}}",
    "target_delimiter": "\n\n",
    "generation_kwargs": {"until": [], "do_sample": False, "max_gen_toks": 4096},
    "num_fewshot": 0,
}


def _coverage(rows: Sequence[Sequence[int]]) -> float:
    aligned, characters = (sum(row[side] for row in rows) for side in (0, 1))
    return aligned / characters if characters else 1.0


def _number(rows: Sequence[Any]) -> float:
    return float(sum(map(bool, rows)))


def _length(rows: Sequence[Sequence[str]]) -> float:
    return float(sum(map(len, rows)))
