"""A Corpus from the mentions of a file, and what can be wrong with them."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, NamedTuple

import numpy as np

from corefkit.core.arrays import EMPTY, BoolArray, IntArray, tuples
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus, Unit
from corefkit.core.incidents import Collector
from corefkit.core.links import KINDS, Links
from corefkit.core.mention_columns import NONE, MentionLabels, Ragged
from corefkit.core.names import file_form, repeated
from corefkit.core.nodes import crossing_mentions
from corefkit.core.source import (
    Column,
    ListedSource,
    Segmentation,
    Source,
    TokenTable,
    join_columns,
    sentence_of,
)
from corefkit.core.texts import quote, shorten
from corefkit.formats.columns.buffer import find_byte


class RawMention(NamedTuple):
    """A mention: its span, both ends included, its entity, its line in the file.

    `minimum` is the smallest span that stands for it, where the file names one. A mention of one
    empty node has its number in `zero`; `nodes` are listed where it is neither this nor one run of
    tokens.
    """

    start: int
    end: int
    entity: str
    line: int = 1
    minimum: tuple[int, int] | None = None
    zero: int = 0
    nodes: Sequence[tuple[int, int]] = ()


@frozen(eq=False)
class MentionColumns:
    """The mentions of a document in columns, for readers that find all of them at once.

    Attributes:
        start, end: int64 (mentions,), the span, both ends included.
        entity: the name of the entity; names are numbered by their first mention.
        line: int64 (mentions,), where each stands in the file.
        minimum: int64 (mentions, 2), −1 for mentions without one; None where no mention has one.
        zero: int64 (mentions,), the number of its empty node; None where no mention is one.
        nodes: the rows of mentions that are neither this nor one run of tokens, and their nodes.
    """

    start: IntArray
    end: IntArray
    entity: Column
    line: IntArray
    minimum: IntArray | None = None
    zero: IntArray | None = None
    nodes: Sequence[tuple[int, Sequence[tuple[int, int]]]] = ()

    def __len__(self) -> int:
        """How many mentions there are."""
        return len(self.start)

    @classmethod
    def of(cls, mentions: Sequence[RawMention]) -> "MentionColumns":
        """From a list of mentions."""
        starts, ends, names, lines, minima, zeros, nodes = (
            zip(*mentions, strict=True) if mentions else ((),) * len(RawMention._fields)
        )
        start, end, line, zero = (
            np.array(column, dtype=np.int64) for column in (starts, ends, lines, zeros)
        )
        return cls(
            start,
            end,
            Column.of(names),
            line,
            _minima(minima),
            zero if zero.any() else None,
            [(row, own) for row, own in enumerate(nodes) if own] if any(nodes) else (),
        )

    @classmethod
    def concat(cls, parts: "Sequence[MentionColumns]") -> "MentionColumns":
        """Those of several documents, entities of which are never the same."""
        if len(parts) == 1:
            return parts[0]
        names, codes, nodes, before = list[str](), [EMPTY], list[tuple[int, Any]](), 0
        for part in parts:
            codes.append(part.entity.code + len(names))
            names += part.entity.values
            nodes += [(before + row, own) for row, own in part.nodes]
            before += len(part)
        start, end, line = (
            (
                np.concatenate([EMPTY, *columns])
                for columns in zip(*((p.start, p.end, p.line) for p in parts), strict=True)
            )
            if parts
            else (EMPTY, EMPTY, EMPTY)
        )
        minimum = zero = None
        if any(part.minimum is not None for part in parts):
            minimum = np.concatenate(
                [np.full((len(p), 2), -1) if p.minimum is None else p.minimum for p in parts]
            )
        if any(part.zero is not None for part in parts):
            zeros = [np.zeros_like(p.start) if p.zero is None else p.zero for p in parts]
            zero = np.concatenate(zeros)
        entity = Column(np.concatenate(codes), tuple(names))
        return cls(start, end, entity, line, minimum, zero, nodes)


@frozen
class RawDocument:
    """One document of a file; `name` is None where it has none.

    Spans count the characters of its `text`, or else its `words`; both are None where a file does
    not tell them, and so are the `lengths` of its sentences and the places at which its
    `paragraphs` begin.

    `labels` have one value per mention under the name of each label, `referring` whether each
    refers. `groups` are pairs of entities, one that has several members and a member of it;
    `bridging` are pairs of mentions, anaphor and anchor, by their numbers in `mentions`.
    `segments` are the tokens of a text, where a file has both. Where there are `columns`, they are
    the mentions, and the list of them is empty.
    """

    name: str | None
    mentions: Sequence[RawMention]
    line: int = 1
    text: str | None = None
    words: Sequence[str] | None = None
    lengths: Sequence[int] | None = None
    paragraphs: Sequence[int] | None = None
    labels: Mapping[str, Sequence[str] | Column] = field(default_factory=dict)
    groups: Sequence[tuple[str, str]] = ()
    bridging: Sequence[tuple[int, int]] = ()
    referring: Sequence[bool] | None = None
    segments: Segmentation | None = None
    columns: MentionColumns | None = None

    @property
    def size(self) -> int:
        """How many characters or words it has; −1 where they are not known."""
        units = self.words if self.text is None else self.text
        return -1 if units is None else len(units)


def lines_of(data: bytes) -> list[str]:
    """The lines of a text file, without their line ends."""
    return [line.rstrip("\r") for line in data.decode("utf-8-sig", "replace").split("\n")]


def encode_lines(lines: Iterable[str]) -> bytes:
    """The lines, with their line ends, as the bytes of a file, without all of them as texts."""
    from io import BytesIO

    file = BytesIO()
    for line in lines:
        file.write(line.encode("utf-8", "replace"))
    return file.getvalue()


def mention_of_runs(runs: Sequence[tuple[int, int]], entity: str, line: int = 1) -> RawMention:
    """A mention of one or more runs of tokens, given by their ends, both included."""
    nodes = [(t, 0) for a, b in runs for t in range(a, b + 1)] if len(runs) > 1 else []
    return RawMention(runs[0][0], runs[-1][1], entity, line, nodes=nodes)


def joined_runs(runs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Runs, both ends included, in order, those that overlap or touch joined.

    >>> joined_runs([(6, 7), (0, 1), (2, 3)])
    [(0, 3), (6, 7)]
    """
    joined: list[tuple[int, int]] = []
    for first, last in sorted(runs):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = joined[-1][0], max(joined[-1][1], last)
        else:
            joined.append((first, last))
    return joined


def bridging_pairs(row: IntArray, first: IntArray) -> list[tuple[int, int]]:
    """The first two mentions of each link that has two or more and lacks none.

    Args:
        row: int64 (ends,), the mentions that links name, link by link; −1 for what is none.
        first: int64 (ends,), where the ends of the same link begin.

    >>> bridging_pairs(np.array([4, 2, 7, -1, 5]), np.array([0, 0, 2, 2, 4]))
    [(4, 2)]
    """
    second = np.flatnonzero(np.arange(len(first)) == first + 1)
    lacking = np.zeros(len(row), dtype=bool)
    lacking[first[row < 0]] = True
    second = second[~lacking[second - 1]]
    return [*tuples(row[second - 1], row[second])]


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


def places(base: str, names: Sequence[str]) -> list[str]:
    """Where documents are written: one at `base`, several in a folder of that name."""
    return [base] if len(names) == 1 else [f"{base}/{name}" for name in file_names(names)]


def file_places(path: str, names: Sequence[str], suffixes: Sequence[str]) -> list[str]:
    """Where documents are written, each a file: one at the path, several in a folder.

    The folder is called by the path without these suffixes, in the order in which they are taken
    away; the files in it have them.

    >>> file_places("plays.xmi.gz", ["a", "b"], (".gz", ".xmi"))
    ['plays/a.xmi.gz', 'plays/b.xmi.gz']
    """
    if len(names) == 1:
        return [path]
    base = path
    for suffix in suffixes:
        base = base.removesuffix(suffix)
    ending = path[len(base) :] or suffixes[-1]
    return [f"{base}/{name}{ending}" for name in file_names(names)]


def is_identity(types: Sequence[str], chosen: Sequence[str]) -> bool:
    """Whether a link of these types is coreference: one of those chosen, else called coref….

    A link without any type is, unless some are chosen.
    """
    if chosen:
        return any(type in chosen for type in types)
    return not types or any(type.lower().startswith("coref") for type in types)


def whole_number(text: str | None) -> int | None:
    """A whole number from 0 of at most 18 ASCII digits; None where the text is none."""
    if text is not None and text.isdecimal() and text.isascii() and len(text) < 19:
        return int(text)
    return None


def whole_numbers(texts: Sequence[str | None]) -> list[int | None]:
    """Whole numbers, as `whole_number` reads each; quick where all texts are some."""
    known = [text for text in texts if text]
    sound = all(map(str.isdecimal, known)) and "".join(known).isascii()
    if sound and max(map(len, known), default=0) < 19:
        if len(known) == len(texts):
            return list(map(int, known))
        return [int(text) if text else None for text in texts]
    return [whole_number(text) for text in texts]


def make_corpus(
    format: str,
    data: bytes,
    documents: Sequence[RawDocument],
    collector: Collector,
    unit: Unit = "token",
) -> Corpus:
    """The corpus of a file; repeated names and crossing mentions of one entity are reported."""
    names = [d.name or str(place) for place, d in enumerate(documents, 1)]
    first = np.array([d.line for d in documents], dtype=np.int64)
    note_repeated_names(collector, names, first.tolist())
    columns = [MentionColumns.of(d.mentions) if d.columns is None else d.columns for d in documents]
    of_document = np.repeat(np.arange(len(names)), list(map(len, columns)))
    mentions = MentionColumns.concat(columns)
    breaks = find_byte(np.frombuffer(data, dtype=np.uint8), ord("\n")) + 1
    lines = np.append(0, breaks)
    unnamed = frozenset(place for place, d in enumerate(documents) if d.name is None)
    known = all(d.size >= 0 for d in documents)
    source = Source(str(collector.file), data, 0, len(names), format, unnamed)
    if known:
        source = ListedSource(
            source.path,
            data,
            0,
            len(names),
            format,
            unnamed,
            listed=_table(documents, unit),
        )
    corpus = Corpus(
        tuple(names),
        np.array([d.size for d in documents], dtype=np.int64),
        of_document,
        mentions.start,
        mentions.end,
        mentions.entity.code,
        mentions.entity.values,
        (source,),
        lines[np.minimum(first - 1, len(breaks))],
        lines[np.minimum(mentions.line - 1, len(breaks))],
        mentions.line,
        zero=mentions.zero,
        parts=Ragged.of(mentions.nodes),
        minimum=mentions.minimum,
        referring=_referring(documents, list(map(len, columns))),
        links=_links(documents, columns),
        mention_labels=_mention_labels(documents, list(map(len, columns))),
        unit=unit,
    )
    return replace(corpus, incidents=(*collector, *crossing_mentions(corpus, "warning")))


def _table(documents: Sequence[RawDocument], unit: Unit) -> TokenTable:
    """The tokens of all documents; their sentences, too, where each document tells its own."""
    marked = all(d.paragraphs is not None for d in documents)
    starts = [(n, start) for n, d in enumerate(documents) for start in d.paragraphs or ()]
    paragraphs = starts if marked else None
    if unit == "character":
        texts = [d.text or "" for d in documents]
        return TokenTable(
            texts=texts, paragraphs=paragraphs, segments=[d.segments for d in documents]
        )
    words = [d.words or () for d in documents]
    lengths = [d.lengths for d in documents if d.lengths is not None]
    told = len(lengths) == len(documents)
    sentences = sentence_of([n for own in lengths for n in own]) if told else None
    listed = words[0] if len(words) == 1 else [word for own in words for word in own]
    return TokenTable(listed, sentences, paragraphs=paragraphs)


def _minima(spans: Sequence[tuple[int, int] | None]) -> IntArray | None:
    """int64 (mentions, 2), −1 for mentions without a minimum; None where no mention has one."""
    if not any(spans):
        return None
    return np.array([span or (-1, -1) for span in spans], dtype=np.int64)


def _referring(documents: Sequence[RawDocument], mentions: Sequence[int]) -> BoolArray | None:
    """bool (mentions,): which mentions refer; None where all do."""
    if all(d.referring is None for d in documents):
        return None
    numbers = zip(documents, mentions, strict=True)
    return np.array([one for d, n in numbers for one in d.referring or [True] * n], dtype=bool)


def _links(documents: Sequence[RawDocument], mentions: Sequence[MentionColumns]) -> Links | None:
    """The groups and the bridging of all documents; members without mentions are left out."""
    rows: list[tuple[int, int, int]] = []
    before = entities = 0
    for document, columns in zip(documents, mentions, strict=True):
        names = columns.entity.values
        number = {name: entities + n for n, name in enumerate(names)} if document.groups else {}
        for group, member in document.groups:
            if group in number and member in number:
                rows.append((_SPLIT, number[group], number[member]))
        rows += [(_BRIDGING, before + one, before + other) for one, other in document.bridging]
        before += len(columns)
        entities += len(names)
    if not rows:
        return None
    kind, source, target = np.array(rows, dtype=np.int64).T
    return Links(kind, source, target, ("",) * len(rows))


_SPLIT, _BRIDGING = KINDS.index("split"), KINDS.index("bridging")


def _mention_labels(
    documents: Sequence[RawDocument], mentions: Sequence[int]
) -> MentionLabels | None:
    """The labels of all mentions; NONE where a document lacks a label that another one has."""
    names = dict.fromkeys(name for d in documents for name in d.labels)
    numbers = [*zip(documents, mentions, strict=True)]
    columns = {
        name: join_columns([_label(d.labels.get(name), number) for d, number in numbers])
        for name in names
    }
    return MentionLabels(columns) if columns else None


def _label(values: Sequence[str] | Column | None, mentions: int) -> Column:
    """The values of a label in one document."""
    if isinstance(values, Column):
        return values
    return Column.of(values or [NONE] * mentions)


def nothing(collector: Collector) -> Corpus:
    """A corpus without documents, for a file that cannot be read at all."""
    return replace(Corpus.from_clusters({}), incidents=tuple(collector))


def note_repeated_names(collector: Collector, names: Sequence[str], lines: Sequence[int]) -> None:
    """Report documents of one file that have the same name."""
    for name, first, again in repeated(names):
        also = f"also on line {lines[first]}"
        expected = "each document once"
        collector.note(
            "document-twice", at=lines[again], document=name, found=also, expected=expected
        )


def note_outside(
    collector: Collector, line: int | None, place: str, size: int, unit: str = "tokens", **more: str
) -> None:
    """Report a span that is not in the document; `more` may name another file."""
    expected = f"spans within {size:,} {unit}"
    collector.note("span-outside", "text", at=line, found=place, expected=expected, **more)


def note_difference(collector: Collector, line: int, text: str, said: str) -> bool:
    """Report a mention whose text is not what the file says, and return whether it is not."""
    if differs := not same_text(text, said):
        there = f"{quote(text)} at its place"
        collector.note("mention-text-differs", at=line, found=there, expected=quote(said))
    return differs


def judge_texts(differing: int, mentions: int, collector: Collector) -> None:
    """Make the texts that differ errors, where more than one mention in ten has one."""
    if 10 * differing > mentions:
        collector.escalate("mention-text-differs", "many")


def note_unknown(collector: Collector, line: int, name: str) -> None:
    """Report a link to a mention that does not exist."""
    expected = "the id of a mention of the same file"
    collector.note("mention-unknown", at=line, found=shorten(name), expected=expected)


def note_no_coreference(collector: Collector, instead: str, expected: str) -> None:
    """Report a file without anything that could be coreference."""
    collector.note("no-coreference", found=shorten(instead, 120), expected=expected)


def note_id_twice(collector: Collector, line: int, name: str, first: int) -> None:
    """Report two annotations with the same id; `first` is the line of the other one."""
    also = f"{shorten(name)}, also on line {first}"
    collector.note("id-twice", at=line, found=also, expected="each id once")


def known_links(
    links: Iterable[tuple[str, str, int]], names: Container[str], collector: Collector
) -> list[tuple[str, str]]:
    """The links, each with its line, between mentions that there are; the others are reported."""
    known = []
    for one, other, line in links:
        missing = [name for name in (one, other) if name not in names]
        for name in missing:
            note_unknown(collector, line, name)
        if not missing:
            known.append((one, other))
    return known


def same_text(one: str, other: str) -> bool:
    """Whether two texts are the same, blanks aside."""
    return one == other or "".join(one.split()) == "".join(other.split())
