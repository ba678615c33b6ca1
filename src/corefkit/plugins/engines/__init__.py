"""Overlap and counts on database engines, for corpora that do not fit into memory.

`Setup` chooses the engine and its limits: `corefkit.score(…, engine=Setup(…))`.
"""

from typing import TYPE_CHECKING

from corefkit._lazy import attach

if TYPE_CHECKING:
    from corefkit.scoring.engines import Setup

__all__ = ["Setup"]
__getattr__, __dir__ = attach(__name__, {"scoring.engines": ("Setup",)})
