"""Building a Corpus from the mentions of a file, and reporting their usual problems."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import wraps
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from corefkit.core.arrays import BoolArray, IntArray
from corefkit.core.carriers import frozen
from corefkit.core.columns import Column, means_none, sentence_of
from corefkit.core.corpus import Corpus, Unit
from corefkit.core.incidents import Collector, DataError
from corefkit.core.links import KINDS, Links
from corefkit.core.mention_columns import NONE, MentionLabels, Ragged
from corefkit.core.names import file_form, repeated
from corefkit.core.nodes import crossing_mentions
from corefkit.core.options import Reading
from corefkit.core.source import ListedSource, Segmentation, Source, TokenTable
from corefkit.core.texts import count_of, shorten
from corefkit.formats.kit.files import companion


class RawMention(NamedTuple):
    """A mention: its span, both ends included, its entity, its line in the file.

    `minimum` is its minimum span, if the file gives one. `zero` is the number of the empty node for
    a mention that consists of one. `nodes` are listed for a mention that is neither that nor one
    run of tokens.
    """

    start: int
    end: int
    entity: str
    line: int = 1
    minimum: tuple[int, int] | None = None
    zero: int = 0
    nodes: Sequence[tuple[int, int]] = ()


@frozen
class RawDocument:
    """One document of a file.

    Attributes:
        name: None if it has none.
        line: its first line.
        text, words: spans count the characters of the text, or else the words; both are None if
            the file has neither.
        lengths: how many tokens each sentence has.
        paragraphs: where each paragraph begins.
        labels: name of a label → its value for each mention.
        groups: pairs of an entity with several members and one of these.
        bridging: pairs of mentions, anaphor and anchor, as indices into `mentions`.
        bridging_labels: the relation of each of these, if the file names it.
        referring: whether each mention refers.
        segments: the tokens of the text, if the file has both.
        unread: what the file has and a corpus cannot hold: name → how many.
        speakers: the speaker of each word.
        tokens: how many tokens it has, if it has neither text nor words; −1 if that is unknown.
    """

    name: str | None
    mentions: Sequence[RawMention]
    line: int = 1
    text: str | None = None
    words: Sequence[str] | None = None
    lengths: Sequence[int] | None = None
    paragraphs: Sequence[int] | None = None
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    groups: Sequence[tuple[str, str]] = ()
    bridging: Sequence[tuple[int, int]] = ()
    bridging_labels: Sequence[str] = ()
    referring: Sequence[bool] | None = None
    segments: Segmentation | None = None
    unread: Mapping[str, int] = field(default_factory=dict)
    speakers: Sequence[str] | None = None
    tokens: int = -1

    @property
    def size(self) -> int:
        """How many characters or words it has; −1 if they are not known."""
        units = self.words if self.text is None else self.text
        return self.tokens if units is None else len(units)


def lines_of(data: bytes) -> list[str]:
    """The lines of a text file, without their line ends."""
    return [line.rstrip("\r") for line in data.decode("utf-8-sig", "replace").split("\n")]


def note_too_few(
    collector: Collector, line: int, cells: Sequence[str], least: int, **file: str
) -> None:
    """Report a row with too few cells."""
    found, expected = count_of(len(cells), "cell"), f"{least} or more, separated by tabs"
    collector.note("columns-differ", "too-few", at=line, found=found, expected=expected, **file)


def encode_lines(lines: Iterable[str]) -> bytes:
    """The bytes of a file of these lines, which have line ends; encoded one by one."""
    from io import BytesIO

    file = BytesIO()
    for line in lines:
        file.write(line.encode("utf-8", "replace"))
    return file.getvalue()


def mention_of_runs(
    runs: Sequence[tuple[int, int]], entity: str, line: int, minimum: tuple[int, int] | None
) -> RawMention:
    """A mention of one or more runs of tokens, both ends included."""
    nodes = [(t, 0) for a, b in runs for t in range(a, b + 1)] if len(runs) > 1 else []
    return RawMention(runs[0][0], runs[-1][1], entity, line, minimum, nodes=nodes)


def joined_runs(runs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The runs, both ends included, in order; those that overlap or touch are joined.

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
    """File names for documents; a document's name never becomes a path.

    >>> file_names(["../x/a", "b c", "b/c"])
    ['x_a', 'b_c', 'b_c_2']
    """
    made: dict[str, None] = {}
    for number, name in enumerate(names):
        safe = file_form(name) or str(number)
        made[safe if safe not in made else f"{safe}_{number}"] = None
    return list(made)


def places(base: str, names: Sequence[str]) -> list[str]:
    """The paths of written documents: `base` for a single one, else files in a folder `base`."""
    return [base] if len(names) == 1 else [f"{base}/{name}" for name in file_names(names)]


def file_places(path: str, names: Sequence[str], suffixes: Sequence[str]) -> list[str]:
    """The paths of documents written to one file each: a single one at the path, else in a folder.

    The name of the folder is the path without these suffixes, removed in this order; the files in
    it keep them.

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


def whole_number(text: str | None) -> int | None:
    """The number in a text of at most 18 ASCII digits; None for any other text."""
    if text is not None and text.isdecimal() and text.isascii() and len(text) < 19:
        return int(text)
    return None


def make_corpus(  # noqa: PLR0913 (what a file is)
    format: str,
    data: bytes,
    documents: Sequence[RawDocument],
    collector: Collector,
    unit: Unit = "token",
    *,
    has_ids: bool = False,
) -> Corpus:
    """The corpus of a file; repeated names and crossing mentions of one entity are reported."""
    names = [d.name or str(index) for index, d in enumerate(documents, 1)]
    first = np.array([d.line for d in documents], dtype=np.int64)
    note_repeated_names(collector, names, first.tolist())
    mentions = [mention for d in documents for mention in d.mentions]
    of_document = np.repeat(np.arange(len(names)), [len(d.mentions) for d in documents])
    of_mention = [*zip(of_document.tolist(), (m.entity for m in mentions), strict=True)]
    entity = {each: number for number, each in enumerate(dict.fromkeys(of_mention))}
    line, start, end, zero = (
        np.array([getattr(m, name) for m in mentions], dtype=np.int64)
        for name in ("line", "start", "end", "zero")
    )
    breaks = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == ord("\n")) + 1
    lines = np.append(0, breaks)
    unnamed = frozenset(index for index, d in enumerate(documents) if d.name is None)
    known = all(d.size >= 0 for d in documents)
    source = Source(str(collector.file), data, 0, len(names), format, unnamed)
    if known:
        own = source.path, data, 0, len(names), format, unnamed
        source = ListedSource(*own, listed=_table(documents, unit))
    unread = Counter[str]()
    for document in documents:
        for name, number in document.unread.items():
            unread[name or "(without a name)"] += number
    unread = +unread  # only what there is
    source = replace(source, unread=unread, has_ids=has_ids)
    corpus = Corpus(
        names=tuple(names),
        tokens=np.array([d.size for d in documents], dtype=np.int64),
        document=of_document,
        start=start,
        end=end,
        entity=np.array([entity[each] for each in of_mention], dtype=np.int64),
        labels=tuple(name for _, name in entity),
        sources=(source,),
        document_byte=lines[np.minimum(first - 1, len(breaks))],
        byte=lines[np.minimum(line - 1, len(breaks))],
        line=line,
        zero=zero if zero.any() else None,
        nodes=Ragged.of([(row, m.nodes) for row, m in enumerate(mentions) if m.nodes]),
        minimum=_minima([m.minimum for m in mentions]),
        referring=_referring(documents),
        links=_links(documents, entity),
        mention_labels=_mention_labels(documents),
        unit=unit,
    )
    corpus = replace(corpus, incidents=(*collector, *crossing_mentions(corpus, "warning")))
    return with_marks_named(corpus)


def with_marks_named(corpus: Corpus) -> Corpus:
    """The corpus with a warning for each id that looks like a mark of "no entity", such as NA."""
    collector = Collector(corpus.path)
    for mark in sorted(filter(means_none, {*corpus.labels})):
        entities = [number for number, label in enumerate(corpus.labels) if label == mark]
        if len(rows := np.flatnonzero(np.isin(corpus.entity, entities))):
            at = corpus.mention_place(int(rows[0]))
            collector.note("id-like-none", "mentions", at=at, mark=mark, number=len(rows))
    return replace(corpus, incidents=(*corpus.incidents, *collector))


def _table(documents: Sequence[RawDocument], unit: Unit) -> TokenTable:
    """The tokens of all documents; sentences and paragraphs only if every document has them."""
    has_paragraphs = all(d.paragraphs is not None for d in documents)
    starts = [(n, start) for n, d in enumerate(documents) for start in d.paragraphs or ()]
    paragraphs = starts if has_paragraphs else None
    if unit == "character":
        texts = [d.text or "" for d in documents]
        return TokenTable(
            texts=texts, paragraphs=paragraphs, segments=[d.segments for d in documents]
        )
    if any(d.words is None for d in documents):
        return TokenTable(None)
    words = [d.words or () for d in documents]
    lengths = [d.lengths for d in documents if d.lengths is not None]
    has_sentences = len(lengths) == len(documents)
    sentences = sentence_of([*chain.from_iterable(lengths)]) if has_sentences else None
    tokens = words[0] if len(words) == 1 else [*chain.from_iterable(words)]
    spoken = bool(documents) and all(d.speakers is not None for d in documents)
    speakers = [*chain.from_iterable(d.speakers or () for d in documents)] if spoken else None
    return TokenTable(tokens, sentences, speakers or None, paragraphs=paragraphs)


def _minima(spans: Sequence[tuple[int, int] | None]) -> IntArray | None:
    """int64 (mentions, 2), −1 for mentions without a minimum; None if no mention has one."""
    if not any(spans):
        return None
    return np.array([span or (-1, -1) for span in spans], dtype=np.int64)


def _referring(documents: Sequence[RawDocument]) -> BoolArray | None:
    """bool (mentions,): which mentions refer; None if no document says so."""
    if all(d.referring is None for d in documents):
        return None
    return np.array(
        [refers for d in documents for refers in d.referring or [True] * len(d.mentions)],
        dtype=bool,
    )


def _links(documents: Sequence[RawDocument], entity: Mapping[tuple[int, str], int]) -> Links | None:
    """The groups and bridging links of all documents, without members that have no mentions."""
    rows: list[tuple[int, int, int]] = []
    labels: list[str] = []
    before = 0
    for number, document in enumerate(documents):
        for group, member in document.groups:
            if (number, group) in entity and (number, member) in entity:
                rows.append((_SPLIT, entity[number, group], entity[number, member]))
                labels.append("")
        rows += [(_BRIDGING, before + a, before + b) for a, b in document.bridging]
        labels += document.bridging_labels or [""] * len(document.bridging)
        before += len(document.mentions)
    if not rows:
        return None
    kind, source, target = np.array(rows, dtype=np.int64).T
    return Links(kind, source, target, tuple(labels))


_SPLIT, _BRIDGING = KINDS.index("split"), KINDS.index("bridging")


def _mention_labels(documents: Sequence[RawDocument]) -> MentionLabels | None:
    """The labels of all mentions; NONE if a document lacks a label that another one has."""
    columns = {
        name: Column.of(
            [v for d in documents for v in d.labels.get(name) or [NONE] * len(d.mentions)]
        )
        for name in dict.fromkeys(name for d in documents for name in d.labels)
    }
    return MentionLabels(columns) if columns else None


Parse = Callable[[bytes, str, Reading], Corpus]
"""The bytes of a file, its path, and the reading → its corpus, whatever is wrong with it."""


def reader(parse: Callable[[bytes, str, Reading, Collector], Corpus]) -> Parse:
    """A reader that gets a collector; for a file that it refuses, a corpus without documents."""

    @wraps(parse)
    def read(data: bytes, path: str, reading: Reading) -> Corpus:
        collector = Collector(path)
        try:
            return parse(data, path, reading, collector)
        except DataError as error:
            told = tuple(collector)
            others = (incident for incident in error.incidents if incident not in told)
            return replace(Corpus.from_clusters({}), incidents=(*told, *others))

    return read


def refused(collector: Collector, kind: str, variant: str = "", **details: Any) -> DataError:
    """The error for a file that cannot be read at all, and why."""
    collector.note(kind, variant, **details)
    return DataError(collector)


def text_beside(path: str, ending: str, other: str, collector: Collector) -> bytes:
    """The text of a file, in one with another ending beside it; DataError if there is none."""
    beside, data = companion(path, ending, other)
    if data is None:
        raise refused(collector, "text-missing", expected=f"{beside} beside it")
    return data


def note_repeated_names(collector: Collector, names: Sequence[str], lines: Sequence[int]) -> None:
    """Report documents of one file that have the same name."""
    for name, first, again in repeated(names):
        also = f"also on line {lines[first]}"
        expected = "each document once"
        collector.note(
            "document-twice", at=lines[again], document=name, found=also, expected=expected
        )


def judge_texts(differing: int, mentions: int, collector: Collector) -> None:
    """Turn the warnings about differing texts into errors if more than one in ten differs."""
    if 10 * differing > mentions:
        collector.escalate("mention-text-differs", "many")


def note_no_coreference(collector: Collector, instead: str, expected: str) -> DataError:
    """Report a file that has no coreference; `instead` is what it has."""
    return refused(collector, "no-coreference", found=shorten(instead, 120), expected=expected)


def note_id_twice(
    collector: Collector, line: int | None, name: str, first: int | None, **file: str
) -> None:
    """Report an annotation that repeats an id; `first` is the line of the other one."""
    also = f"{shorten(name)}, also on line {first}"
    collector.note("id-twice", at=line, found=also, expected="each id once", **file)


def same_text(one: str, other: str) -> bool:
    """Whether two texts are equal, apart from white space."""
    return one == other or "".join(one.split()) == "".join(other.split())
