"""A Corpus of one document, for formats in which a file is a document."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from corefkit.data.corpus import Corpus, Unit
from corefkit.data.incidents import Collector, Incident, make_incident
from corefkit.data.ragged import Ragged
from corefkit.data.source import Source, TokenReader
from corefkit.data.spans import crossing_mentions
from corefkit.data.texts import shorten


@dataclass(frozen=True)
class Mention:
    """A mention: its span, both ends included, its entity, its line in the file.

    `parts` are the ends of the parts of a discontinuous mention, both included.
    """

    start: int
    end: int
    entity: str
    line: int = 1
    parts: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class File:
    """A file that is one document; `name` is None where it has none."""

    path: str
    data: bytes
    name: str | None
    size: int
    tokens: TokenReader
    unit: Unit = "token"


def stem(path: str, *suffixes: str) -> str:
    """The name of a file without its folder and these suffixes, each taken away once.

    >>> stem("runs/emma.txt.json.gz", ".json", ".txt")
    'emma'
    """
    name = path.replace("\\", "/").rpartition("/")[2].removesuffix(".gz")
    for suffix in suffixes:
        name = name.removesuffix(suffix)
    return name


def file_names(names: Sequence[str]) -> list[str]:
    """File names for documents: what stands inside a file never becomes a path.

    >>> file_names(["../x/a", "b c", "b/c"])
    ['x_a', 'b_c', 'b_c_2']
    """
    made: dict[str, None] = {}
    for number, name in enumerate(names):
        safe = re.sub(r"[^\w.-]+", "_", name).strip("._") or str(number)
        made[safe if safe not in made else f"{safe}_{number}"] = None
    return list(made)


def one_document(file: File, mentions: Sequence[Mention], found: Collector) -> Corpus:
    """The corpus; crossing mentions of one entity are told."""
    number: dict[str, int] = {}
    rows = [(m.start, m.end, number.setdefault(m.entity, len(number)), m.line) for m in mentions]
    start, end, entity, line = np.array(rows, dtype=np.int64).reshape(-1, 4).T
    breaks = np.flatnonzero(np.frombuffer(file.data, dtype=np.uint8) == ord("\n")) + 1
    lines = np.concatenate((np.zeros(1, dtype=np.int64), breaks))
    parts = [
        (row, [(t, 0) for a, b in m.parts for t in range(a, b + 1)])
        for row, m in enumerate(mentions)
        if m.parts
    ]
    nameless = frozenset({0}) if file.name is None else frozenset[int]()
    corpus = Corpus(
        (file.name or "1",),
        np.array([file.size], dtype=np.int64),
        np.zeros(len(rows), dtype=np.int64),
        start,
        end,
        entity,
        tuple(number),
        (Source(file.path, file.data, 0, 1, file.tokens, nameless),),
        np.zeros(1, dtype=np.int64),
        lines[np.minimum(line - 1, len(lines) - 1)],
        line,
        parts=Ragged.of(parts),
        unit=file.unit,
    )
    return replace(corpus, incidents=(*found, *crossing_mentions(corpus, "warning")))


def nothing(found: Collector) -> Corpus:
    """A corpus without documents, for a file that cannot be read at all."""
    return replace(Corpus.from_clusters({}), incidents=tuple(found))


def outside(path: str, line: int | None, found: str, size: int, unit: str = "tokens") -> Incident:
    """A span that is not in the document."""
    return Incident(
        "span-outside",
        "error",
        "a span reaches beyond the document",
        file=path,
        line=line,
        found=found,
        expected=f"spans within {size:,} {unit}",
        hint="check that the text belongs to the annotation",
    )


def differs(path: str, line: int, text: str, said: str) -> Incident:
    """A mention whose text the file repeats, and it is another one."""
    return Incident(
        "mention-text-differs",
        "warning",
        "the text at a mention's place is not the one that the file repeats",
        file=path,
        line=line,
        found=f"{shorten(text)!r} at its place",
        expected=repr(shorten(said)),
        hint="the offsets stand; perhaps the text was changed afterwards",
    )


def unknown(path: str, line: int, name: str) -> Incident:
    """A link to a mention that there is none of."""
    return make_incident(
        "mention-unknown",
        "a link names a mention that the file does not have",
        file=path,
        line=line,
        found=shorten(name),
        expected="the id of a mention of the same file",
    )


def no_coreference(path: str, found: str, expected: str) -> Incident:
    """A file without anything that could be coreference."""
    return Incident(
        "no-coreference",
        "error",
        "the file has annotation, but none that is coreference",
        file=path,
        found=shorten(found, 120),
        expected=expected,
        hint="name what is coreference: --relations, --mentions, --layer or --types",
    )


def text_missing(path: str, beside: str) -> Incident:
    """The file with the text is not there."""
    return make_incident(
        "text-missing",
        "the text of the annotation is not there",
        file=path,
        expected=f"{beside} beside it",
    )


def same_text(one: str, other: str) -> bool:
    """Whether two texts are the same, blanks aside."""
    return one == other or "".join(one.split()) == "".join(other.split())
