"""Reading and writing: from the names of files to a Corpus, and back."""

from typing import TYPE_CHECKING

from corefkit._lazy import attach

if TYPE_CHECKING:
    from corefkit.formats.reading import read, read_all
    from corefkit.formats.registry import Reading

__all__ = ["Reading", "read", "read_all"]

_HOMES = {
    "Reading": "formats.registry",
    "read": "formats.reading",
    "read_all": "formats.reading",
}

__getattr__, __dir__ = attach(__name__, _HOMES)
