"""Overlap and counts on database engines, for corpora that do not fit into memory.

`Setup` chooses the engine and its limits: `corefkit.score(…, engine=Setup(…))`.
"""

from typing import TYPE_CHECKING

from corefkit._lazy import attach

if TYPE_CHECKING:
    from corefkit.plugins.engines.base import Setup

__all__ = ["Setup"]
__getattr__, __dir__ = attach(__name__, {"plugins.engines.base": ("Setup",)})
