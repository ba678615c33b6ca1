"""The formats corefkit knows, each in a module of its own that loads when it is used."""

from collections.abc import Callable

from corefkit.data.corpus import Corpus
from corefkit.data.incidents import Incident


def parse(data: bytes, path: str, ids: str = "any") -> tuple[Corpus, list[Incident]]:
    """Read the bytes of one file; for now everything is CoNLL."""
    from corefkit.formats.conll import reader

    return reader.parse(data, path, ids)


def convert(
    data: bytes,
    path: str,
    *,
    columns: str = "keep",
    separator: str | None = None,
    tell: Callable[[list[Incident]], None] | None = None,
) -> bytes:
    """The bytes of one file in another flavour; for now everything is CoNLL, in and out.

    `tell` is called with the warnings.
    """
    from corefkit.formats.conll import flavours

    return flavours.convert(data, path, columns, separator, tell)
