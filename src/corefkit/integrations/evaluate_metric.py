"""Coreference scores for Hugging Face `evaluate`, which copies this file and loads the copy.

>>> import corefkit.integrations, evaluate
>>> coreference = evaluate.load(corefkit.integrations.EVALUATE)
>>> coreference.compute(predictions=[[[[0, 1], [4, 4]]]], references=[[[[0, 1], [4, 4]]]])
"""

from typing import Any

import datasets
import evaluate

import corefkit

_DESCRIPTION = """\
Coreference: mention detection, MUC, B³, CEAF, BLANC, LEA and the CoNLL average, by corefkit. A
document is a list of clusters, a cluster a list of mentions, a mention [start, end].
"""

_INPUTS = """\
predictions, references: one document each: a list of clusters of [start, end].
metrics: names of metrics, e.g. "muc,bcub,ceafe,conll"; all default ones if not given.
profile, singletons: as in corefkit.Evaluator.
Returns recall, precision and F1 of each metric, e.g. "muc/f1", and the signature.
"""

_CITATION = """\
@software{corefkit, title = {corefkit: coreference scores, exact, fast and reproducible},
  author = {{The corefkit developers}}}
"""


class Coreference(evaluate.Metric):
    """The metric. `evaluate` collects the documents; their counts are summed."""

    def _info(self) -> evaluate.MetricInfo:
        document = datasets.Sequence(datasets.Sequence(datasets.Sequence(datasets.Value("int64"))))
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=datasets.Features({"predictions": document, "references": document}),
        )

    def _compute(self, predictions: Any, references: Any, **options: Any) -> dict[str, Any]:
        evaluator = corefkit.Evaluator(**options)
        for predicted, reference in zip(predictions, references, strict=True):
            evaluator.update(_clusters(reference), _clusters(predicted))
        scores = evaluator.scores()
        return {**scores.flat(), "signature": scores.signature}


def _clusters(document: Any) -> list[list[tuple[int, ...]]]:
    return [[tuple(mention) for mention in cluster] for cluster in document]
