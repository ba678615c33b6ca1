"""The formats corefkit knows: one module each, one line here, loaded when it is used."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Literal, NamedTuple

from corefkit.data.corpus import Corpus, Unit
from corefkit.data.incidents import Incident
from corefkit.data.options import UsageError

_MODULES = {
    "conll": "formats.conll",
    "conllu": "formats.conllu",
    "parquet": "formats.parquet",
}
"""Each format and the module that defines it, as a constant FORMAT."""

GROUP = "corefkit.formats"
"""The entry points by which other packages add formats; an entry point is a Format."""


@dataclass(frozen=True)
class Reading:
    """How a file is to be read, where that can be chosen. Every format ignores what is not its own.

    Attributes:
        format: the name of the format; None: told by the content.
        role: which side it is; JSON files may hold both.
        ids: "any", or "digits" where only brackets with ids of digits are seen (CoNLL).
        clusters: the field that holds the clusters (JSON).
        ends: whether the ends of spans are included, against the dialect (JSON).
        layer: the annotation layer (WebAnno, CoNLL-UA: "identity" or "deixis").
        relations, mentions, types: which of them count (brat, WebAnno, SGML).
        lenient: whether broken mark-up is dropped with a warning (mark-up of language models).
        word_column: the number of the column with the words, from 1 (columns).
        annotator: whose annotations (Label Studio).
        all_columns: whether lines of a sentence with different numbers of columns are told
            (CoNLL); scoring has no need to look.
        max_size: how many bytes a packed file may unpack to; None: `COREFKIT_MAX_SIZE`, or 2 GiB.
    """

    format: str | None = None
    role: Literal["key", "response"] = "key"
    ids: str = "any"
    clusters: str | None = None
    ends: Literal["inclusive", "exclusive"] | None = None
    layer: str | None = None
    relations: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    lenient: bool = False
    word_column: int | None = None
    annotator: str | None = None
    all_columns: bool = True
    max_size: int | None = None


class Written(NamedTuple):
    """What a writer made: the files (name → bytes), and what the format could not say."""

    files: dict[str, bytes]
    incidents: list[Incident]


@dataclass(frozen=True)
class Format:
    """A file format.

    Attributes:
        name: what it is called in options.
        title: what it is called in texts.
        parse: the bytes of one file, its path, and the reading → a Corpus whose incidents say
            what is wrong. It never raises for bad data.
        write: a corpus and the path to write to → the files; None where it is only read. It
            writes nothing itself.
        unit: what its spans count.
        holds: what it can say besides spans and entities: "zeros", "parts", "heads", "minimum",
            "crossing", "singletons", "words", "sentences", "speakers", "names", "links".
        suffixes: the usual ends of file names, for `convert` and for directories.
        parse_together: several files at once → one Corpus; None where they are better parsed one
            by one, e.g. because something is wrong with one of them. Only for speed.
    """

    name: str
    title: str
    parse: Callable[[bytes, str, Reading], Corpus]
    write: Callable[[Corpus, str], Written] | None = None
    unit: Unit = "token"
    holds: frozenset[str] = field(default_factory=frozenset)
    suffixes: Sequence[str] = ()
    parse_together: Callable[[Sequence[tuple[str, bytes]], Reading], Corpus | None] | None = None


def get(name: str) -> Format:
    """The format of that name; UsageError where there is none."""
    if name in _MODULES:
        found: Format = import_module(f"corefkit.{_MODULES[name]}").FORMAT
        return found
    if name not in _plugins():
        raise UsageError(f"format: unknown value {name!r}; choose from {', '.join(names())}")
    return _plugins()[name]


def names() -> list[str]:
    """All formats, those of other packages last."""
    return [*_MODULES, *(name for name in _plugins() if name not in _MODULES)]


@cache
def _plugins() -> dict[str, Format]:
    from importlib.metadata import entry_points

    return {point.name: point.load() for point in entry_points(group=GROUP)}


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """Read the bytes of one file, in the format named or else the one they look like."""
    if reading.format:
        return get(reading.format).parse(data, path, reading)
    from corefkit.formats.detection import detect

    return get(detect(data)).parse(data, path, reading)


def parse_together(batch: Sequence[tuple[str, bytes]], reading: Reading) -> Corpus | None:
    """Several files (path, bytes) of one format as one corpus; None: parse them one by one."""
    from corefkit.formats.detection import detect

    kinds = {reading.format} if reading.format else {detect(data) for _, data in batch}
    if len(kinds) > 1:
        return None
    together = get(kinds.pop()).parse_together
    return together(batch, reading) if together else None
