"""Errors in a notebook: the figures, and the worst document with key and response side by side."""

from html import escape

from corefkit.analysis.errors import DocumentErrors, Errors
from corefkit.data.table import percent

_CELL = "vertical-align:top;text-align:left;white-space:normal;width:50%;padding:.5em"
_COLOURS = ("#0b6e99", "#a3480f", "#5a7d0a", "#8a3ffc", "#b5179e", "#0f766e", "#92400e", "#4f46e5")


def errors_html(errors: Errors) -> str:
    """The table of types, and the document that loses most, side by side."""
    losses = errors.losses()
    worst = max(losses, key=lambda name: losses[name], default=None)
    parts = [_table(errors)]
    if worst is not None and errors.details.texts.known:
        parts.append(document_html(errors, worst))
    return "".join(parts)


def document_errors_html(document: DocumentErrors) -> str:
    """One document side by side."""
    return document_html(document.errors, document.name)


def _table(errors: Errors) -> str:
    repaired = errors.repaired()
    head = f"<tr><th>type</th><th>errors</th><th>{escape(errors.metric)} if repaired</th></tr>"
    rows = "".join(
        f"<tr><td>{name}</td><td>{number:,}</td><td>{percent(repaired[name])}</td></tr>"
        for name, number in errors.counts.items()
    )
    f1 = f"{errors.metric} {percent(errors.f1())}"
    return f"<p>{escape(errors.name)}: {escape(f1)}</p><table>{head}{rows}</table>"


def document_html(errors: Errors, name: str) -> str:
    """One document: its key on the left, its response on the right, entities numbered.

    Everything that comes from files is escaped.
    """
    joint = errors.joint
    document = joint.key.names.index(name)
    key, response = joint.key, joint.response
    sides = []
    for title, corpus in (("key", key), ("response", response)):
        rows = [r for r in range(corpus.mentions) if corpus.document[r] == document]
        spans = [(int(corpus.start[r]), int(corpus.end[r]), int(corpus.entity[r])) for r in rows]
        sides.append((title, _text(errors, document, spans)))
    heads = "".join(f"<th style='text-align:left'>{title}</th>" for title, _ in sides)
    cells = "".join(f"<td style='{_CELL}'>{text}</td>" for _, text in sides)
    return (
        f"<h4>{escape(name)}</h4><table style='width:100%'><tr>{heads}</tr><tr>{cells}</tr></table>"
    )


def _text(errors: Errors, document: int, spans: list[tuple[int, int, int]]) -> str:
    """The words of a document with its mentions in brackets."""
    words = errors.details.texts.words(document, 0, int(errors.joint.key.tokens[document]) - 1)
    number = {entity: i for i, entity in enumerate(dict.fromkeys(e for *_, e in sorted(spans)))}
    opens: dict[int, str] = {}
    closes: dict[int, str] = {}
    for start, end, entity in sorted(spans, key=lambda span: (span[0], -span[1])):
        colour = _COLOURS[number[entity] % len(_COLOURS)]
        opens[start] = opens.get(start, "") + f"<b style='color:{colour}'>["
        closes[end] = f"<sub>{number[entity]}</sub>]</b>" + closes.get(end, "")
    return " ".join(
        opens.get(i, "") + escape(word) + closes.get(i, "") for i, word in enumerate(words)
    )
