"""The report: every item with its passage, the votes, and its state after the decisions."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from corefkit.plugins.adjudication.annotations import DocumentText
from corefkit.plugins.adjudication.draft import (
    DocumentDraft,
    Draft,
    Votes,
    listed_votes,
)
from corefkit.plugins.adjudication.replay import Replay
from corefkit.plugins.adjudication.units import PositionRuns

AROUND = 10
"""The number of words shown before and after a mention."""

_CHARACTERS = 200
"""The number of characters searched for these words where positions are characters."""

STATES = ("open", "decided", "implied", "waiting", "outvoted")
"""The states of items, in the order of the report."""


class ReportRow(NamedTuple):
    """One item of the report.

    Attributes:
        document, kind, id: those of the item.
        place: file and line of the first span; the spans where lines are unknown.
        text: the passages of the spans, with each mention in brackets.
        options: the possible choices.
        votes_for: the annotators in favour; for a boundary, span → annotators.
        votes_against: the annotators against it.
        choice: the decided or implied choice; empty where there is none.
        was: the default of the draft.
        by: who decided; empty where that is unknown.
        discuss: whether the item is marked for discussion.
        state: one of `STATES`.
    """

    document: str
    kind: str
    id: str
    place: str
    text: str
    options: tuple[str, ...]
    votes_for: Votes
    votes_against: tuple[str, ...]
    choice: str
    was: str
    by: str
    discuss: bool
    state: str

    def to_dict(self) -> dict[str, Any]:
        """The row in a JSON report."""
        fields = self._asdict()
        votes, against = listed_votes(fields.pop("votes_for")), [*fields.pop("votes_against")]
        return {**fields, "options": [*self.options], "for": votes, "against": against}


def report_rows(draft: Draft, replays: Iterable[Replay]) -> list[ReportRow]:
    """The rows of all documents, ordered by state: open items first, outvoted ones last."""
    rows = [
        row
        for document, replayed in zip(draft.documents, replays, strict=True)
        for row in _document_rows(draft, document, replayed)
    ]
    return sorted(rows, key=lambda row: STATES.index(row.state))


def _document_rows(draft: Draft, document: DocumentDraft, replayed: Replay) -> Iterator[ReportRow]:
    if not document.items and not document.outvoted:
        return
    text, number = draft.text(document.name), draft.source.index[document.name]
    implied = {decision.item: decision.choice for decision in replayed.implied}
    states = dict.fromkeys(replayed.void, "waiting") | dict.fromkeys(implied, "implied")
    states |= dict.fromkeys(replayed.open, "open")
    states |= {e.id: "outvoted" for e in document.outvoted if e.id not in replayed.decided}
    for item in (*document.items, *document.outvoted):
        decision = replayed.decided.get(item.id)
        spans = [runs for runs in map(document.positions.parse, item.spans) if runs]
        shown = spans[:1] if item.kind == "boundary" else spans
        yield ReportRow(
            item.document,
            item.kind,
            item.id,
            draft.source.place(number, spans[0]) or " ".join(item.spans),
            " … ".join(_passage(text, runs) for runs in shown),
            item.options,
            item.votes_for,
            item.votes_against or (),
            (decision.choice if decision else implied.get(item.id)) or "",
            item.default,
            decision.by if decision else "",
            item.id in replayed.discussed,
            states.get(item.id, "decided"),
        )


def _passage(text: DocumentText, runs: PositionRuns) -> str:
    """A mention with its context, each of its parts in brackets."""
    first, last = runs[0][0], runs[-1][1]
    pieces = [_before(text, first)]
    position = first
    for begin, end in runs:
        pieces.append(text.words(position, begin - 1) if begin > position else "")
        pieces.append(f"[{text.words(begin, end)}]")
        position = end + 1
    return " ".join(" ".join([*pieces, _after(text, last + 1)]).split())


def _before(text: DocumentText, end: int) -> str:
    """The words before a position; where positions are characters, only whole words."""
    if text.unit == "token":
        return text.words(end - AROUND, end - 1) if end else ""
    begin = max(end - _CHARACTERS, 0)
    words = text.words(begin, end - 1).split() if end else []
    return " ".join(words[bool(begin) :][-AROUND:])


def _after(text: DocumentText, begin: int) -> str:
    """The words from a position on."""
    if text.unit == "token":
        return text.words(begin, begin + AROUND - 1)
    words = text.words(begin, begin + _CHARACTERS - 1).split()
    return " ".join(words[:AROUND])
