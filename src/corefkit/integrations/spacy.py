"""A scorer for spaCy: `corefkit.Scorer.v1`, for `nlp.evaluate` and the configuration of a pipe.

Clusters are the span groups `coref_clusters_1`, … (spacy-experimental), or `doc._.coref_clusters`
with character offsets (fastcoref). Mentions are compared by their characters, so the two sides of
an example may be cut into tokens differently.
"""

from collections.abc import Callable, Iterable
from typing import Any, Literal

from corefkit.core.options import UsageError
from corefkit.scoring.evaluator import Evaluator

__all__ = ["register"]

SCORER = "corefkit.Scorer.v1"
COMPONENT = "corefkit_scorer"
PREFIX = "coref_clusters"
_SHORT = {"recall": "r", "precision": "p", "f1": "f"}


def make_scorer(
    metrics: str | list[str] | None = None,
    span_prefix: str = PREFIX,
    singletons: Literal["keep", "drop"] | None = None,
) -> Callable[..., dict[str, float]]:
    """A function from spaCy's examples to scores, named as in spaCy: `coref_conll_f`, …

    It is registered as `corefkit.Scorer.v1` among spaCy's scorers; spaCy is not needed to call it.
    """
    Evaluator(metrics, singletons=singletons)  # Reports a wrong option now, not after training.

    def score(examples: Iterable[Any], **_: Any) -> dict[str, float]:
        evaluator = Evaluator(metrics, singletons=singletons)
        for example in examples:
            key, response = (
                _clusters(doc, span_prefix) for doc in (example.reference, example.predicted)
            )
            evaluator.update(key, response)
        return {
            f"coref_{metric}_{short}": float(value)
            for metric, figures in evaluator.scores().items()
            for part, short in _SHORT.items()
            if (value := getattr(figures, part)) is not None
        }

    return score


class ScorerPipe:
    """A pipe that does not change documents and adds scores to `nlp.evaluate`."""

    def __init__(self, scorer: Callable[..., dict[str, float]]) -> None:
        self.scorer = scorer

    def __call__(self, doc: Any) -> Any:
        """The document, unchanged."""
        return doc

    def score(self, examples: Iterable[Any], **_: Any) -> dict[str, float]:
        """The scores of the clusters."""
        return self.scorer(examples)


def register() -> None:
    """Make `corefkit.Scorer.v1` and the pipe `corefkit_scorer` known to spaCy.

    An installed corefkit has an entry point for the scorer, so only the pipe needs this.
    """
    try:
        from spacy.language import Language
        from spacy.util import registry
    except ImportError:
        raise UsageError("the scorer needs spaCy: pip install 'corefkit[spacy]'") from None
    registry.scorers.register(SCORER, func=make_scorer)
    Language.factory(COMPONENT, default_config={"scorer": {"@scorers": SCORER}}, func=_make_pipe)


def _make_pipe(nlp: Any, name: str, scorer: Callable[..., dict[str, float]]) -> ScorerPipe:
    return ScorerPipe(scorer)


def _clusters(doc: Any, prefix: str) -> list[list[tuple[int, int]]]:
    """The clusters of a document, with mentions as (start, end) in characters."""
    groups = [doc.spans[name] for name in doc.spans if name.startswith(f"{prefix}_")]
    if groups:
        return [[(span.start_char, span.end_char) for span in group] for group in groups]
    if doc.has_extension(prefix):
        spans_of_clusters = getattr(doc._, prefix) or []
        return [[(int(start), int(end)) for start, end in cluster] for cluster in spans_of_clusters]
    return []
