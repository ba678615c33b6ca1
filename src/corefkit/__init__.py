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
    from corefkit.analysis.error import Error
    from corefkit.analysis.errors import Errors
    from corefkit.core.corpus import Corpus
    from corefkit.core.incidents import DataError, Incident
    from corefkit.core.languages import Tagset
    from corefkit.core.options import UsageError
    from corefkit.corpora.stats import Statistics, statistics
    from corefkit.features.entity_labels import EntityLabel
    from corefkit.features.features import Feature
    from corefkit.formats.kit.convert import write
    from corefkit.formats.kit.reading import read
    from corefkit.metrics.base import Score
    from corefkit.plugins.adjudication.result import Adjudication, adjudicate
    from corefkit.plugins.audit.audit_result import Audit
    from corefkit.plugins.audit.run import audit
    from corefkit.plugins.study.calibration import Calibration
    from corefkit.plugins.study.curve import Curve, curve
    from corefkit.plugins.study.degrade import Degraded, degrade
    from corefkit.plugins.study.known_errors import KnownError
    from corefkit.plugins.study.power import Power, PowerEstimate, power
    from corefkit.plugins.verify.verification import Verification, verify
    from corefkit.scoring.align import TextFit, align
    from corefkit.scoring.check import check
    from corefkit.scoring.errors import errors
    from corefkit.scoring.evaluator import Evaluator
    from corefkit.scoring.explain import Explanation, explain
    from corefkit.scoring.outcomes import Listing, outcomes
    from corefkit.scoring.parts import Part
    from corefkit.scoring.run import score
    from corefkit.scoring.scores import Scores
    from corefkit.stats.agreement import Agreement, agree
    from corefkit.stats.compare import Significance, compare
    from corefkit.stats.error_pages import report
    from corefkit.stats.run_scores import RunsReport, score_runs

__all__ = [
    "Adjudication",
    "Agreement",
    "Audit",
    "Calibration",
    "Corpus",
    "Curve",
    "DataError",
    "Degraded",
    "EntityLabel",
    "Error",
    "Errors",
    "Evaluator",
    "Explanation",
    "Feature",
    "Incident",
    "KnownError",
    "Listing",
    "Part",
    "Power",
    "PowerEstimate",
    "RunsReport",
    "Score",
    "Scores",
    "Significance",
    "Statistics",
    "Tagset",
    "TextFit",
    "UsageError",
    "Verification",
    "__version__",
    "adjudicate",
    "agree",
    "align",
    "audit",
    "check",
    "compare",
    "curve",
    "degrade",
    "errors",
    "explain",
    "outcomes",
    "power",
    "read",
    "report",
    "score",
    "score_runs",
    "statistics",
    "verify",
    "write",
]

_HOMES = {
    "core.corpus": ["Corpus"],
    "core.incidents": ["DataError", "Incident"],
    "core.options": ["UsageError"],
    "core.languages": ["Tagset"],
    "formats": ["read"],
    "formats.kit.convert": ["write"],
    "features.entity_labels": ["EntityLabel"],
    "features.features": ["Feature"],
    "plugins.adjudication.result": ["Adjudication", "adjudicate"],
    "analysis.error": ["Error"],
    "plugins.audit.audit_result": ["Audit"],
    "plugins.audit.run": ["audit"],
    "analysis.errors": ["Errors"],
    "metrics.base": ["Score"],
    "plugins.study.degrade": ["Degraded", "degrade"],
    "plugins.study.known_errors": ["KnownError"],
    "corpora.stats": ["Statistics", "statistics"],
    "stats.error_pages": ["report"],
    "plugins.verify.verification": ["Verification", "verify"],
    "scoring.align": ["TextFit", "align"],
    "scoring.check": ["check"],
    "scoring.errors": ["errors"],
    "scoring.evaluator": ["Evaluator"],
    "scoring.explain": ["Explanation", "explain"],
    "scoring.outcomes": ["Listing", "outcomes"],
    "scoring.run": ["score"],
    "scoring.parts": ["Part"],
    "scoring.scores": ["Scores"],
    "stats.agreement": ["Agreement", "agree"],
    "plugins.study.calibration": ["Calibration"],
    "plugins.study.curve": ["Curve", "curve"],
    "plugins.study.power": ["Power", "PowerEstimate", "power"],
    "stats.run_scores": ["RunsReport", "score_runs"],
    "stats.compare": ["Significance", "compare"],
}

__getattr__, __dir__ = attach(__name__, _HOMES)
