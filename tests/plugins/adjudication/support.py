"""What tests of adjudication share."""

from typing import Any

from corefkit.plugins.adjudication.draft import DocumentDraft
from corefkit.plugins.adjudication.replay import Replay


def outcome(draft: DocumentDraft, replay: Replay) -> dict[str, Any]:
    """A draft and what became of it, as plain data; without the entities."""
    return {
        "annotators": [*draft.annotators],
        "mentions": draft.states(),
        "blocks": len(draft.blocks),
        "items": [item.to_dict() for item in draft.items],
        "outvoted": [entry.to_dict() for entry in draft.outvoted],
        "undecided": len(replay.open),
        "void": sorted(replay.void),
        "implied": [{**one._asdict(), "chain": [*one.chain]} for one in replay.implied],
        "unused": [*replay.unused],
        "changed": [*replay.changed],
        "conflicts": [conflict.item for conflict in replay.conflicts],
    }
