"""The text of corefud-scorer, to the letter, for scripts that read it."""

from corefkit.metrics.conll import CONLL
from corefkit.scoring.report import Report

METRICS = ("muc", "bcub", "ceafe", "ceafm", "blanc", "lea", "mor", "zero")
"""What corefud-scorer knows, in the order of its default."""

_MATCH = {"partial": "partial-corefud"}


def render_report(report: Report) -> str:
    """What `corefud-scorer KEY RESPONSE` prints of the one system of the report."""
    scores = report.systems[0].scores
    if scores is None:
        return ""
    chosen = [name for name in report.options.metrics if name in METRICS]
    match = _MATCH.get(report.options.match, report.options.match)
    lines = [
        f"The scorer is evaluating {_scope(report, chosen)} using {match} match evaluation "
        "setting.",
        f"The following metrics will be evaluated: {', '.join(chosen)}",
        "",
    ]
    for name in chosen:
        score = scores[name]
        values = (("Recall", score.recall), ("Precision", score.precision), ("F1", score.f1))
        lines.append(name)
        lines.append("  ".join(f"{what}: {100 * (value or 0.0):.2f}" for what, value in values))
    if all(part in chosen for part in CONLL.parts):
        conll = sum(scores[part].f1 for part in CONLL.parts) / len(CONLL.parts)
        lines.append(f"CoNLL score: {100 * conll:.2f}")
    return "\n".join(lines) + "\n"


def _scope(report: Report, chosen: list[str]) -> str:
    """What is evaluated; nothing where only mentions are."""
    if chosen == ["mor"]:
        return ""
    parts = ["coreferential mentions"]
    if report.options.singletons == "keep":
        parts.append("singletons")
    if report.options.zeros != "drop":
        parts.append(f"zeros (using {report.options.zeros} match method)")
    return ", ".join(parts)
