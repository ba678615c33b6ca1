"""Scores as a small HTML table, for notebooks."""

from html import escape

from corefkit.render.table import flat, percent
from corefkit.scoring.scores import Scores


def scores_html(scores: Scores) -> str:
    """A row for each metric, the signature below."""
    body = "".join(
        f"<tr><th>{escape(name)}</th>"
        + "".join(
            f'<td style="text-align:right">{percent(value)}</td>'
            for value in (score.recall, score.precision, score.f1)
        )
        + "</tr>"
        for name, score in flat(scores).items()
    )
    head = "<tr><th></th><th>Recall</th><th>Precision</th><th>F1</th></tr>"
    caption = f"<small>{escape(scores.signature)}</small>"
    return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>{caption}"
