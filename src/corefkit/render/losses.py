"""What detection and linking cost, and what each could reach: a table, and JSON."""

from collections.abc import Mapping
from typing import Any

from corefkit.analysis.losses import LostPoints, RepairCorners
from corefkit.render.table import Heading, Table, make_block, make_table, plain_headings
from corefkit.stats.lost_points import loss_intervals

_TITLES = {
    "detection": Heading("detection", "detection", "lost by", "score"),
    "linking": Heading("linking", "linking", "lost by", "score"),
    "perfect_mentions": Heading("perfect_mentions", "mentions", "with perfect", "score"),
    "perfect_linking": Heading("perfect_linking", "linking", "with perfect", "score"),
}
NOTE = "The two losses add up. With perfect mentions: what this linking would make of them."


def losses_table(systems: Mapping[str, RepairCorners]) -> Table:
    """A line for each metric: F1, the two losses and the two ceilings; a block for each system."""
    headings = [*plain_headings("metric"), Heading("f1", "F1", kind="score"), *_TITLES.values()]
    blocks = [
        make_block(
            [
                (metric, losses.f1(metric)[0], *(getattr(loss, name) for name in _TITLES))
                for metric, loss in losses.by_metric().items()
            ],
            system if len(systems) > 1 else "",
        )
        for system, losses in systems.items()
    ]
    return make_table("losses", "Detection or linking", headings, blocks, note=NOTE)


def losses_dict(losses: RepairCorners, *, intervals: bool = True) -> dict[str, Any]:
    """The losses as they stand in the JSON output, with their intervals over documents."""
    ends = loss_intervals(losses) if intervals else {}
    return {
        metric: {**loss._asdict(), **({"intervals": ends[metric]} if metric in ends else {})}
        for metric, loss in losses.by_metric().items()
    }


COLUMNS = LostPoints._fields
"""The columns of losses in tables for programs."""
