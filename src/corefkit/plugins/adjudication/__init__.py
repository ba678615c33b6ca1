"""Adjudication: from several annotations of a text to one, decided where they differ."""

from typing import TYPE_CHECKING

from corefkit._lazy import attach
from corefkit.core.entry_points import PluginCommand, ResultType

if TYPE_CHECKING:
    from corefkit.plugins.adjudication.decisions import Decision, DecisionFile, read_decisions
    from corefkit.plugins.adjudication.draft import (
        DisputedItem,
        DocumentDraft,
        Draft,
        page_data,
    )
    from corefkit.plugins.adjudication.replay import Contradiction, Implied, Replay
    from corefkit.plugins.adjudication.result import Adjudication, adjudicate
    from corefkit.plugins.adjudication.units import Certainty, MentionUnit, Variant

ADJUDICATE = PluginCommand(
    "Score and check",
    "Merge several annotations into one.",
    f"{__name__}.command:command",
    sought=["curate"],
)

RESULT = ResultType(
    tables=f"{__name__}.tables:adjudication_tables", text=f"{__name__}.tables:render_adjudication"
)

_HOMES = {
    "plugins.adjudication.decisions": ["Decision", "DecisionFile", "read_decisions"],
    "plugins.adjudication.draft": [
        "DocumentDraft",
        "Draft",
        "DisputedItem",
        "page_data",
    ],
    "plugins.adjudication.replay": ["Contradiction", "Implied", "Replay"],
    "plugins.adjudication.result": ["Adjudication", "adjudicate"],
    "plugins.adjudication.units": ["Certainty", "MentionUnit", "Variant"],
}
__all__ = [
    "Adjudication",
    "Certainty",
    "Contradiction",
    "Decision",
    "DecisionFile",
    "DisputedItem",
    "DocumentDraft",
    "Draft",
    "Implied",
    "MentionUnit",
    "Replay",
    "Variant",
    "adjudicate",
    "page_data",
    "read_decisions",
]

__getattr__, __dir__ = attach(__name__, _HOMES)
