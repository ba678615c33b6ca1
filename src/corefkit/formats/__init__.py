"""Reading and writing: from the names of files to a Corpus, and back."""

from typing import TYPE_CHECKING

from corefkit._lazy import attach

if TYPE_CHECKING:
    from corefkit.formats._kit.reading import Readings, make_reading, read, read_all, split_readings
    from corefkit.formats.registry import PLAIN, Reading

__all__ = ["PLAIN", "Reading", "Readings", "make_reading", "read", "read_all", "split_readings"]

_HOMES = {
    "formats._kit.reading": ["Readings", "make_reading", "read", "read_all", "split_readings"],
    "formats.registry": ["PLAIN", "Reading"],
}

__getattr__, __dir__ = attach(__name__, _HOMES)
