"""Results as HTML for notebooks: small tables.

Errors also show a document with key and response side by side, like the document view of the error
page, but without scripts and style sheets: inline styles work in every notebook, light or dark.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape as escape_text

from corefkit.analysis.errors import DocumentErrors, Errors
from corefkit.analysis.marks import STATES, MarkedSpan, MentionMarks
from corefkit.core.carriers import frozen
from corefkit.core.tokens import EMPTY_NODE
from corefkit.metrics import title_of
from corefkit.render.errors import types_table
from corefkit.render.markup import escape_html, render_html
from corefkit.render.pages.report import DocumentTexts
from corefkit.render.runs import runs_tables
from corefkit.render.scores import scores_table
from corefkit.render.significance import comparison_tables
from corefkit.render.table import Table, percent
from corefkit.scoring.scores import Scores
from corefkit.stats.compare import Significance
from corefkit.stats.run_scores import RunsReport


def scores_html(scores: Scores) -> str:
    """F1 as bars, then one row per metric, then the signature."""
    return _bars(scores) + _html([scores_table(scores)], small=scores.signature)


_BAR, _NAMES, _FULL = 18, 110, 300
"""The height of a bar with its gap, the room for names, and the width of 100 percent, in pixels."""


def _bars(scores: Scores) -> str:
    """The F1 of the metrics as a bar chart, with text in the colour of the page."""
    rows = []
    for number, (name, score) in enumerate(scores.items()):
        if score.f1 is None:
            continue
        top, width = number * _BAR, max(0.0, min(float(score.f1), 1.0)) * _FULL
        rows.append(
            f"<text x='{_NAMES - 6}' y='{top + 13}' text-anchor='end'>{escape_text(name)}</text>"
            f"<rect x='{_NAMES}' y='{top + 3}' width='{width:.1f}' height='{_BAR - 5}' "
            "fill='#4477aa'/>"
            f"<text x='{_NAMES + width + 5:.1f}' y='{top + 13}'>{percent(score.f1)}</text>"
        )
    size = f"width='{_NAMES + _FULL + 50}' height='{len(scores) * _BAR + 2}'"
    style = "font:12px sans-serif;fill:currentColor"
    return f"<svg role='img' aria-label='F1' {size} style='{style}'>{''.join(rows)}</svg>\n"


def comparison_html(comparison: Significance) -> str:
    """Intervals, pairs and groups, and the notes on them."""
    return _html(comparison_tables(comparison), comparison.notes, comparison.signature)


def runs_html(report: RunsReport) -> str:
    """The tables of `corefkit score` for several runs."""
    return _html(runs_tables(report), report.notes, report.report.signature)


_SMALL = "<small style='overflow-wrap:anywhere'>"
"""The tag for a signature, which is long and without blanks."""


def _html(tables: Iterable[Table], notes: Iterable[str] = (), small: str = "") -> str:
    parts = [render_html(table) for table in tables]
    parts += [f"<p>{escape_html(note)}</p>\n" for note in notes]
    return "".join(parts) + (f"{_SMALL}{escape_html(small)}</small>" if small else "")


MOST_SENTENCES = 200
"""Longer documents are cut, because a notebook stores everything that it shows."""

_BOX = "max-height:30em;overflow:auto"
_CELL = "vertical-align:top;text-align:start;white-space:normal;width:50%;padding:.3em .6em"
_LINES = dict(zip(STATES, ("solid", "dashed", "dotted", "double", "wavy"), strict=True))
"""The line under a mention, by its state."""
_LEGEND = (
    "Underlined: in both; dashed: only in the key; dotted: only in the response; double: wrong "
    "boundary; wavy: found, but linked wrongly. One colour is one entity, the same on both "
    "sides where the two are aligned."
)


def errors_html(errors: Errors) -> str:
    """The table of types, and the document that loses most with key and response side by side."""
    losses = errors.losses()
    worst = max(losses, key=lambda name: losses[name], default=None)
    heading = f"{errors.name}: {title_of(errors.metric)} {percent(errors.f1())}"
    parts = [f"<p>{escape_text(heading)}</p>", render_html(types_table(errors, shares=True))]
    if worst is not None and errors.details.texts.has("word"):
        parts.append(document_html(errors, worst))
    return "".join(parts)


def document_errors_html(document: DocumentErrors) -> str:
    """One document with key and response side by side."""
    return document_html(document.errors, document.name)


def document_html(errors: Errors, name: str) -> str:
    """One document, sentence by sentence, with the key on the left and the response on the right.

    Everything that comes from files is escaped.
    """
    names = errors.joint.key.names
    number = names.index(name)
    shown = frozenset([number])
    text = DocumentTexts(errors.details.texts, names, shown).document(number)
    sides = _sides(MentionMarks(errors), number)
    words, starts = text.get("words", []), text.get("sentences", [])
    rows = []
    for number, (first, end) in enumerate(zip(starts, [*starts[1:], len(words)], strict=True)):
        if number == MOST_SENTENCES:
            more = f"… {len(starts) - number:,} more sentences; corefkit.report shows them all"
            rows.append(f"<tr><td colspan='2'>{more}</td></tr>")
            break
        head = f"<small>{number + 1}</small> "
        if (speakers := text.get("speakers")) and speakers[number] != "-":
            head += f"<b>{escape_text(speakers[number])}:</b> "
        cells = (head + " ".join(side.words(words, first, end)) for side in sides)
        rows.append("<tr>" + "".join(f"<td style='{_CELL}'>{c}</td>" for c in cells) + "</tr>")
    heads = "".join(
        f"<th style='text-align:start'>{t}</th>" for t in ("key", escape_text(errors.name))
    )
    direction = "rtl" if text.get("rtl") else "ltr"
    return (
        f"<h4>{escape_text(name)}</h4><p><small>{_LEGEND}</small></p>"
        f"<div style='{_BOX}'>"
        f"<table dir='{direction}' style='width:100%'><tr>{heads}</tr>{''.join(rows)}</table></div>"
    )


@frozen
class _Underline:
    """A mention on one side: its tokens, the tokens before its empty nodes, entity and look."""

    tokens: Sequence[int]
    empties: Sequence[int]
    entity: str
    colour: str
    line: str

    def style(self) -> str:
        """The CSS of the underline; borders cannot be wavy, so two slanted gradients make waves."""
        if self.line != "wavy":
            return f"border-bottom:3px {self.line} {self.colour}"
        line = f"transparent 34%,{self.colour} 34% 64%,transparent 64%"
        return (
            f"padding-bottom:5px;background:linear-gradient(45deg,{line}) 0 100%/8px 5px repeat-x,"
            f"linear-gradient(-45deg,{line}) 4px 100%/8px 5px repeat-x"
        )

    def label(self) -> str:
        """The id of the entity as a superscript."""
        style = f"color:{self.colour};font-size:.65em;margin:0 .1em"
        return f"<sup style='{style}'>{escape_text(self.entity)}</sup>"


class _Levels:
    """The mentions of one side; overlapping ones are underlined at different levels."""

    def __init__(self, marks: Sequence[_Underline]) -> None:
        self._levels: dict[int, dict[int, _Underline]] = {}
        self._empties: dict[int, list[_Underline]] = {}
        for mark in sorted(marks, key=lambda mark: len(mark.tokens)):
            used = {n for token in mark.tokens for n in self._levels.get(token, {})}
            level = next(n for n in range(len(used) + 1) if n not in used)
            for token in mark.tokens:
                self._levels.setdefault(token, {})[level] = mark
            for token in mark.empties:
                self._empties.setdefault(token, []).append(mark)

    def words(self, words: Sequence[str], first: int, end: int) -> Iterator[str]:
        """The tokens of a sentence and the empty nodes between them, as HTML."""
        if not first:
            yield from self._zeros(-1)
        for token in range(first, end):
            yield self._word(token, escape_text(words[token]))
            yield from self._zeros(token)

    def _word(self, token: int, text: str) -> str:
        marks = self._levels.get(token, {})
        if not marks:
            return text
        for level in range(max(marks) + 1):
            line = marks[level].style() if level in marks else "border-bottom:3px solid transparent"
            text = f"<span style='display:inline-block;padding-bottom:1px;{line}'>{text}</span>"
        begun = [mark for _, mark in sorted(marks.items()) if mark.tokens[0] == token]
        return "".join(mark.label() for mark in reversed(begun)) + text

    def _zeros(self, token: int) -> Iterable[str]:
        for mark in self._empties.get(token, []):
            yield f"{mark.label()}<span style='{mark.style()}'>{EMPTY_NODE}</span>"


def _sides(marks: MentionMarks, document: int) -> list[_Levels]:
    """Both sides of a document; aligned entities have the same colour."""
    joint, listed = marks.errors.joint, marks.of(document)
    used = [sorted({m.entities[side] for m in listed if m.spans[side]}) for side in (0, 1)]
    colour = {(0, entity): number for number, entity in enumerate(used[0])}
    colour |= {(1, marks.aligned[e]): colour[0, e] for e in used[0] if e in marks.aligned}
    for entity in used[1]:
        colour.setdefault((1, entity), len(colour))
    lines: list[list[_Underline]] = [[], []]
    for mark in listed:
        labels = joint.key.labels, joint.response.labels
        for side, (entity, span) in enumerate(zip(mark.entities, mark.spans, strict=True)):
            if span is not None:
                shade = f"hsl({colour[side, entity] * 137.508 % 360:.0f} 70% 45%)"
                look = labels[side][entity], shade, _LINES[mark.state]
                lines[side].append(_Underline(*_nodes(span), *look))
    return [_Levels(of_side) for of_side in lines]


def _nodes(span: MarkedSpan) -> tuple[Sequence[int], Sequence[int]]:
    """The tokens of a span, and the tokens before its empty nodes."""
    tokens = range(max(span.start, 0), span.end + 1)
    return span.gaps or (([], [span.start]) if span.zero else (tokens, []))
