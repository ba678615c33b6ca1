"""A Corpus from the mentions of a file, and what can be wrong with them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from corefkit.data.arrays import IntArray
from corefkit.data.corpus import Corpus, Unit
from corefkit.data.incidents import Collector, Incident, make_incident
from corefkit.data.names import file_form
from corefkit.data.ragged import Ragged
from corefkit.data.source import Source, TokenReader
from corefkit.data.spans import crossing_mentions
from corefkit.data.texts import quote, shorten


class Mention(NamedTuple):
    """A mention: its span, both ends included, its entity, its line in the file.

    `parts` are the ends of the parts of a discontinuous mention, both included; `minimum` is the
    smallest span that stands for it, where the file names one.
    """

    start: int
    end: int
    entity: str
    line: int = 1
    parts: tuple[tuple[int, int], ...] = ()
    minimum: tuple[int, int] | None = None


@dataclass(frozen=True)
class File:
    """A file that is one document; `name` is None where it has none."""

    path: str
    data: bytes
    name: str | None
    size: int
    tokens: TokenReader
    unit: Unit = "token"


@dataclass(frozen=True)
class Origin:
    """A file of several documents: where it is, and what answers questions about its tokens."""

    path: str
    data: bytes
    tokens: TokenReader
    unit: Unit = "token"


@dataclass(frozen=True)
class Document:
    """One document of a file; `name` is None where it has none, `size` −1 where it is unknown."""

    name: str | None
    size: int
    mentions: Sequence[Mention]
    line: int = 1


def runs_of(tokens: Iterable[int]) -> list[tuple[int, int]]:
    """The runs of neighbours among tokens in rising order, both ends included.

    >>> runs_of([2, 3, 7])
    [(2, 3), (7, 7)]
    """
    runs: list[tuple[int, int]] = []
    for token in tokens:
        if runs and token == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], token)
        else:
            runs.append((token, token))
    return runs


def file_name(path: str) -> str:
    """The name of a file without its folder and `.gz`.

    >>> file_name("plays/emilia.xml.gz")
    'emilia.xml'
    """
    return path.replace("\\", "/").rpartition("/")[2].removesuffix(".gz")


def stem(path: str, *suffixes: str) -> str:
    """The name of a file without its folder and these suffixes, each taken away once.

    >>> stem("runs/emma.txt.json.gz", ".json", ".txt")
    'emma'
    """
    name = file_name(path)
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
        safe = file_form(name) or str(number)
        made[safe if safe not in made else f"{safe}_{number}"] = None
    return list(made)


def one_document(file: File, mentions: Sequence[Mention], found: Collector) -> Corpus:
    """The corpus; crossing mentions of one entity are reported."""
    origin = Origin(file.path, file.data, file.tokens, file.unit)
    return several_documents(origin, [Document(file.name, file.size, mentions)], found)


def several_documents(origin: Origin, documents: Sequence[Document], found: Collector) -> Corpus:
    """The corpus of a file; repeated names and crossing mentions of one entity are reported."""
    names = [d.name or str(place) for place, d in enumerate(documents, 1)]
    lines_of = [d.line for d in documents]
    for incident in repeated_names(origin.path, zip(names, lines_of, strict=True)):
        found.add(incident)
    number: dict[tuple[int, str], int] = {}
    rows = [
        (m.start, m.end, number.setdefault((place, m.entity), len(number)), m.line, place)
        for place, document in enumerate(documents)
        for m in document.mentions
    ]
    start, end, entity, line, document = np.array(rows, dtype=np.int64).reshape(-1, 5).T
    breaks = np.flatnonzero(np.frombuffer(origin.data, dtype=np.uint8) == ord("\n")) + 1
    lines = np.concatenate((np.zeros(1, dtype=np.int64), breaks))
    first = np.array([d.line for d in documents], dtype=np.int64)
    corpus = Corpus(
        tuple(names),
        np.array([d.size for d in documents], dtype=np.int64),
        document,
        start,
        end,
        entity,
        tuple(label for _, label in number),
        (_source(origin, documents),),
        lines[np.minimum(first - 1, len(lines) - 1)],
        lines[np.minimum(line - 1, len(lines) - 1)],
        line,
        parts=Ragged.of(_parts(m for d in documents for m in d.mentions)),
        minimum=_minima([m.minimum for d in documents for m in d.mentions]),
        unit=origin.unit,
    )
    return replace(corpus, incidents=(*found, *crossing_mentions(corpus, "warning")))


def _source(origin: Origin, documents: Sequence[Document]) -> Source:
    nameless = frozenset(n for n, document in enumerate(documents) if document.name is None)
    return Source(origin.path, origin.data, 0, len(documents), origin.tokens, nameless)


def _parts(mentions: Iterable[Mention]) -> list[tuple[int, list[tuple[int, int]]]]:
    """The nodes of the mentions that have several parts, by row."""
    return [
        (row, [(t, 0) for a, b in m.parts for t in range(a, b + 1)])
        for row, m in enumerate(mentions)
        if m.parts
    ]


def _minima(spans: Sequence[tuple[int, int] | None]) -> IntArray | None:
    """int64 (mentions, 2), −1 for mentions without a minimum; None where no mention has one."""
    if not any(spans):
        return None
    return np.array([span or (-1, -1) for span in spans], dtype=np.int64)


def repeated_names(
    path: str | None, documents: Iterable[tuple[str | None, int]]
) -> Iterator[Incident]:
    """Documents of one file that have the same name; each is given as its name and its line."""
    first: dict[str, int] = {}
    for name, line in documents:
        if name is None:
            continue
        if name in first:
            yield make_incident(
                "document-twice",
                file=path,
                line=line,
                document=name,
                found=f"also on line {first[name]}",
                expected="each document once",
            )
        first.setdefault(name, line)


def nothing(found: Collector) -> Corpus:
    """A corpus without documents, for a file that cannot be read at all."""
    return replace(Corpus.from_clusters({}), incidents=tuple(found))


def outside(path: str, line: int | None, found: str, size: int, unit: str = "tokens") -> Incident:
    """A span that is not in the document."""
    return make_incident(
        "span-outside",
        "text",
        file=path,
        line=line,
        found=found,
        expected=f"spans within {size:,} {unit}",
    )


def differs(path: str, line: int, text: str, said: str) -> Incident:
    """A mention whose text the file repeats, and it is another one."""
    return make_incident(
        "mention-text-differs",
        file=path,
        line=line,
        found=f"{quote(text)} at its place",
        expected=quote(said),
    )


def judge_texts(differing: int, mentions: int, found: Collector) -> None:
    """Make the texts that differ errors, where more than one mention in ten has one."""
    if 10 * differing > mentions:
        found.escalate("mention-text-differs", "many")


def unknown(path: str, line: int, name: str) -> Incident:
    """A link to a mention that there is none of."""
    return make_incident(
        "mention-unknown",
        file=path,
        line=line,
        found=shorten(name),
        expected="the id of a mention of the same file",
    )


def column_missing(path: str, title: str, name: str | int, known: Iterable[str]) -> Incident:
    """A token column that files of a format do not have."""
    return make_incident(
        "column-missing",
        "format",
        format=title,
        name=name,
        file=path,
        expected=f"one of {', '.join(known)}",
    )


def no_coreference(path: str, found: str, expected: str) -> Incident:
    """A file without anything that could be coreference."""
    return make_incident(
        "no-coreference",
        file=path,
        found=shorten(found, 120),
        expected=expected,
    )


def text_missing(path: str, beside: str) -> Incident:
    """The file with the text is not there."""
    return make_incident(
        "text-missing",
        file=path,
        expected=f"{beside} beside it",
    )


def same_text(one: str, other: str) -> bool:
    """Whether two texts are the same, blanks aside."""
    return one == other or "".join(one.split()) == "".join(other.split())


def id_twice(path: str | None, line: int, name: str, first: int | str) -> Incident:
    """Two annotations with the same id; `first` is the line of the other one."""
    return make_incident(
        "id-twice",
        file=path,
        line=line,
        found=f"{shorten(name)}, also on line {first}",
        expected="each id once",
    )
