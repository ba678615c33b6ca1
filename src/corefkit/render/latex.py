"""LaTeX: a tabular with booktabs rules, ready for a paper."""

from corefkit.data.groups import BREAKDOWNS
from corefkit.profiles.signature import signature
from corefkit.render.table import best, has_outcomes, percent, rows, values_of
from corefkit.scoring.run import Report

_SHORT = {"recall": "R", "precision": "P", "f1": "F\\textsubscript{1}"}
_TITLES = {"muc": "MUC", "bcub": "B\\textsuperscript{3}", "ceafm": "CEAF\\textsubscript{m}"}
_TITLES |= {"ceafe": "CEAF\\textsubscript{e}", "blanc": "BLANC", "lea": "LEA", "conll": "CoNLL"}
_SPECIAL = {c: "\\" + c for c in "&%$#_{}"} | {"\\": "\\textbackslash{}"}
_SPECIAL |= {"~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "φ": "$\\phi$"}


def render_latex(report: Report, by: str | None, bold: bool) -> str:
    """A table with the metrics side by side; the best of several systems is bold.

    Application scores by class, and break-downs, follow in tables of their own.
    """
    del bold
    tables = _outcome_tables(report, by)
    by = None if by in BREAKDOWNS else by
    table = rows(report, by)
    lines = ["% needs \\usepackage{booktabs}", f"% {signature(report.options)}"]
    if not table:
        return "\n".join(lines) + "\n"
    marked, labels = best(table), 2 if by else 1
    metrics = {name: values_of(score) for name, score in table[0].flat.items()}
    columns = "".join(" " + "r" * len(values) for values in metrics.values())
    lines += [f"\\begin{{tabular}}{{{'l' * labels}{columns}}}", "\\toprule"]
    heads = [f"\\multicolumn{{{len(v)}}}{{c}}{{{title(m)}}}" for m, v in metrics.items()]
    lines.append(_line([*[""] * labels, *heads]))
    shown = [(m, v) for m, values in metrics.items() for v in values]
    names = ["System", *(["Group"] if by else [])]
    lines += [_line([*names, *(_SHORT[v] for _, v in shown)]), "\\midrule"]
    for row in table:
        cells = [escape(row.system), *([escape(row.group)] if by else [])]
        for metric, value in shown:
            text = percent(row.value(metric, value))
            strong = (row.system, row.group, metric, value) in marked
            cells.append(f"\\textbf{{{text}}}" if strong else text)
        lines.append(_line(cells))
    return "\n".join([*lines, "\\bottomrule", "\\end{tabular}", *tables]) + "\n"


def _outcome_tables(report: Report, by: str | None) -> list[str]:
    if not has_outcomes(report, by):
        return []
    from corefkit.render.outcomes import render_break_down

    found = render_break_down(report.scores, by if by in BREAKDOWNS else None, "latex")
    return ["", *(text.rstrip("\n") for text in found)]


def title(metric: str) -> str:
    """How papers write the name of a metric."""
    return _TITLES.get(metric, escape(metric.capitalize()))


def escape(text: str) -> str:
    """Text that LaTeX prints as it stands.

    >>> escape("a_b & c")
    'a\\\\_b \\\\& c'
    """
    return "".join(_SPECIAL.get(c, c) for c in text)


def _line(cells: list[str]) -> str:
    return " & ".join(cells) + " \\\\"
