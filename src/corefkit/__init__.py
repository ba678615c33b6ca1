"""corefkit scores who-refers-to-whom annotations: every coreference metric, exact and fast.

>>> import corefkit
>>> scores = corefkit.score("examples/key.conll", "examples/careful.conll")
>>> round(100 * scores.conll, 2)
88.98

Importing the package loads nothing heavy; each name below is loaded when it is first used.
"""

from typing import TYPE_CHECKING

from corefkit._lazy import attach
from corefkit._version import __version__

if TYPE_CHECKING:
    from corefkit.data.corpus import Corpus
    from corefkit.data.incidents import DataError, Incident
    from corefkit.data.options import UsageError
    from corefkit.data.tagsets import Tagset
    from corefkit.formats import read
    from corefkit.formats.conll.writer import write
    from corefkit.mentions.features import Feature
    from corefkit.metrics.base import Score
    from corefkit.ontonotes.stats import statistics
    from corefkit.render.pages.report import report
    from corefkit.scoring.aligning import align
    from corefkit.scoring.checking import check, check_files
    from corefkit.scoring.errors import errors
    from corefkit.scoring.evaluator import Evaluator
    from corefkit.scoring.explain import explain
    from corefkit.scoring.outcomes import outcomes
    from corefkit.scoring.run import score
    from corefkit.scoring.scores import Scores
    from corefkit.stats.interface import agree, compare

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
    "agree",
    "align",
    "check",
    "check_files",
    "compare",
    "errors",
    "explain",
    "outcomes",
    "read",
    "report",
    "score",
    "statistics",
    "write",
]

_HOMES = {
    "data.corpus": ["Corpus"],
    "data.incidents": ["DataError", "Incident"],
    "data.options": ["UsageError"],
    "data.tagsets": ["Tagset"],
    "formats": ["read"],
    "formats.conll.writer": ["write"],
    "mentions.features": ["Feature"],
    "metrics.base": ["Score"],
    "ontonotes.stats": ["statistics"],
    "render.pages.report": ["report"],
    "scoring.aligning": ["align"],
    "scoring.checking": ["check", "check_files"],
    "scoring.errors": ["errors"],
    "scoring.evaluator": ["Evaluator"],
    "scoring.explain": ["explain"],
    "scoring.outcomes": ["outcomes"],
    "scoring.run": ["score"],
    "scoring.scores": ["Scores"],
    "stats.interface": ["agree", "compare"],
}

__getattr__, __dir__ = attach(__name__, _HOMES)
