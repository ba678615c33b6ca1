"""The text of the Perl reference scorer, to the letter, for scripts that read it."""

from collections.abc import Iterable, Sequence

from corefkit._version import __version__
from corefkit.metrics import blanc
from corefkit.metrics.base import Column, Number
from corefkit.profiles.conll801 import MOST_REPEATS
from corefkit.scoring.run import Report, System
from corefkit.scoring.scores import Scores

METRICS = ("muc", "bcub", "ceafm", "ceafe", "blanc")
"""What the reference scorer knows, in the order of its `all`."""

REFUSAL = (
    "Found too many repeated mentions (> 10) in the response, so refusing to score. "
    "Please fix the output."
)

_RULE = "-" * 74
_Line = tuple[Number, Number, Number, Number]


def render_conll(report: Report, by: str | None, bold: bool) -> str:
    """What `scorer.pl all KEY RESPONSE none` prints of the one system of the report."""
    del by, bold
    return scorer_text(report.systems[0], _metrics(report), headings=True)[0]


def refused(report: Report) -> bool:
    """Whether the text stops short because of too many repeated mentions."""
    return scorer_text(report.systems[0], _metrics(report), headings=True)[1]


def _metrics(report: Report) -> list[str]:
    return [m for m in METRICS if m in report.options.metrics]


def scorer_text(system: System, metrics: Sequence[str], *, headings: bool) -> tuple[str, bool]:
    """The text, and whether it stops short because of too many repeated mentions.

    Each metric of a run counts the repeated mentions again, and they add up.
    """
    repeats = [i.message for i in system.incidents if i.id == "mention-repeated"]
    lines = [f"version: 8.01 corefkit {__version__}"]
    so_far = 0
    if system.scores is None and not repeats:
        return "", False
    for metric in metrics:
        if headings:
            lines += ["", f"METRIC {metric}:"]
        for line in repeats:
            lines.append(line)
            so_far += 1
            if so_far > MOST_REPEATS:
                return "\n".join(lines) + "\n", True
        if system.scores is not None:
            lines += _totals(metric, system.scores)
    return "\n".join(lines) + "\n", False


def _totals(metric: str, scores: Scores) -> Iterable[str]:
    yield from ("", "====== TOTALS =======")
    yield from _ratios("Identification of Mentions", _sums(scores, "mentions"))
    if metric != "blanc":
        yield from _ratios("Coreference", _sums(scores, metric))
        return
    sums = _sums(scores, metric)
    kinds = blanc.kinds(sums)
    yield from ("", "Coreference:")
    yield from _ratios("Coreference links", kinds["coreference"])
    yield from _ratios("Non-coreference links", kinds["noncoreference"])
    used = [_values(kinds[name]) for name in blanc.counting_kinds(sums)]
    recall, precision, f1 = (sum(v[i] for v in used) / max(len(used), 1) for i in range(3))
    yield from _line("BLANC", (recall, 1, precision, 1), recall, precision, f1)


def _sums(scores: Scores, metric: str) -> list[Number]:
    """The sums in the order of the documents, as the original adds."""
    return [_in_order(column) for column in scores.counts.tables[metric]]


def _in_order(column: Column) -> Number:
    total: Number = 0
    for value in column.tolist():
        total += value
    return total


def _values(sums: Sequence[Number]) -> tuple[float, float, float]:
    """Recall, precision and F1 by the operations of the original: where a percentage is cut
    depends on the last digit.
    """
    recall = sums[0] / sums[1] if sums[1] else 0.0
    precision = sums[2] / sums[3] if sums[3] else 0.0
    f1 = 2 * recall * precision / (recall + precision) if recall + precision else 0.0
    return recall, precision, f1


def _ratios(name: str, sums: Sequence[Number]) -> Iterable[str]:
    return _line(name, sums, *_values(sums))


def _line(
    name: str, sums: Sequence[Number], recall: float, precision: float, f1: float
) -> Iterable[str]:
    yield (
        f"{name}: Recall: ({sums[0]:.15g} / {sums[1]:.15g}) {_cut(recall)}%"
        f"\tPrecision: ({sums[2]:.15g} / {sums[3]:.15g}) {_cut(precision)}%\tF1: {_cut(f1)}%"
    )
    yield _RULE


def _cut(value: float) -> str:
    """A percentage, cut after two digits."""
    return f"{int(value * 10000) / 100:.15g}"
