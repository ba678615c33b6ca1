"""Reading and writing: from the names of files to a Corpus, and back."""

from typing import TYPE_CHECKING

from corefkit._lazy import attach

if TYPE_CHECKING:
    from corefkit.core.options import PLAIN, Reading, Readings
    from corefkit.formats._kit.reading import make_reading, read, read_all, split_readings

__all__ = ["PLAIN", "Reading", "Readings", "make_reading", "read", "read_all", "split_readings"]

_HOMES = {
    "core.options": ["PLAIN", "Reading", "Readings"],
    "formats._kit.reading": ["make_reading", "read", "read_all", "split_readings"],
}

__getattr__, __dir__ = attach(__name__, _HOMES)
