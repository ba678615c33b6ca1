"""corefkit scores who-refers-to-whom annotations: every coreference metric, exact and fast.

>>> import corefkit
>>> scores = corefkit.score("examples/key.conll", "examples/careful.conll")
>>> round(100 * scores.conll, 2)
88.98

Importing the package loads nothing heavy; each name below is loaded when it is first used.
"""

from typing import TYPE_CHECKING

from corefkit._version import __version__

if TYPE_CHECKING:
    from corefkit.applications.compare import outcomes
    from corefkit.applications.features import Feature
    from corefkit.applications.tagsets import Tagset
    from corefkit.checking import check_files
    from corefkit.corpus import Corpus
    from corefkit.evaluator import Evaluator
    from corefkit.formats import read
    from corefkit.formats.writer import write
    from corefkit.incidents import DataError, Incident
    from corefkit.metrics.base import Score
    from corefkit.options import UsageError
    from corefkit.scores import Scores
    from corefkit.scoring import score

__all__ = [
    "Corpus",
    "DataError",
    "Evaluator",
    "Feature",
    "Incident",
    "Score",
    "Scores",
    "Tagset",
    "UsageError",
    "__version__",
    "check_files",
    "outcomes",
    "read",
    "score",
    "write",
]

_HOMES = {
    "Corpus": "corpus",
    "DataError": "incidents",
    "Evaluator": "evaluator",
    "Feature": "applications.features",
    "Incident": "incidents",
    "Score": "metrics.base",
    "Scores": "scores",
    "Tagset": "applications.tagsets",
    "UsageError": "options",
    "check_files": "checking",
    "outcomes": "applications.compare",
    "read": "formats",
    "score": "scoring",
    "write": "formats.writer",
}


def __getattr__(name: str) -> object:
    from importlib import import_module  # noqa: PLC0415

    if name not in _HOMES:
        raise AttributeError(f"module 'corefkit' has no attribute {name!r}")
    value = getattr(import_module(f"corefkit.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
