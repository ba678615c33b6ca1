"""A document while it is read: what a reader says of mentions and links, and what is wrong in it.

Every check of a mention, a link, a place or a text stands here, so that a reader of a format knows
only the syntax of its files.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from corefkit.core.corpus import Corpus, Unit
from corefkit.core.incidents import Collector
from corefkit.core.links import components
from corefkit.core.source import Segmentation
from corefkit.core.texts import quote, shorten
from corefkit.formats.kit.building import (
    RawDocument,
    joined_runs,
    judge_texts,
    make_corpus,
    mention_of_runs,
    note_id_twice,
    same_text,
)
from corefkit.formats.kit.utf16 import UTF16, Utf16Offsets

Run = tuple[int, int]


class _Row(NamedTuple):
    """A mention: its runs, both ends included, and what else the file says of it."""

    runs: list[Run]
    line: int | None
    entity: str | None
    minimum: Run | None
    referring: bool
    labels: Mapping[str, str]


class Draft:
    """A document while it is read.

    Spans are runs as the file gives them: with ends that are excluded, or `inclusive`; counting
    tokens where there are `words` (or neither), characters where there is a `text`, or its UTF-16
    units with `utf16`. Where there is neither, `size` is how many tokens there are, if it is known.
    Ids are whatever the links of the file name; None for a mention without one.

    Attributes:
        unread: what the file has and a corpus cannot hold: name → how many; `convert` reports them.
        paragraphs, segments: as in RawDocument.
        same: whether a text, and the one that the file gives for a mention, count as equal.
        differing: how many texts differ.
        linked: the mentions at the ends of links.
        prefix: the beginning of the names of entities that the file does not name.
        reference: what messages say before an id that a link gives, e.g. the name of an attribute.
        file: the file that lines belong to, if it is another one than the corpus has.
        variants: the variants of messages that the format has of its own: kind → variant.
    """

    def __init__(  # noqa: PLR0913 (what a document may have)
        self,
        name: str | None,
        collector: Collector,
        line: int = 1,
        *,
        text: str | None = None,
        words: Sequence[str] | None = None,
        lengths: Sequence[int] | None = None,
        unit: Unit | None = None,
        size: int = -1,
        utf16: bool = False,
        inclusive: bool = False,
        same: Callable[[str, str], bool] = same_text,
        file: str | None = None,
    ) -> None:
        self.name, self.line, self.prefix, self.reference = name, line, "", ""
        self.variants: Mapping[str, str] = {}
        self.text, self.words, self.lengths = text, words, lengths
        self.paragraphs: Sequence[int] | None = None
        self.segments: Segmentation | None = None
        self.unread: Counter[str] = Counter()
        self.unit: Unit = unit or ("token" if text is None else "character")
        self.same, self.differing = same, 0
        self._collector, self.inclusive, self.file = collector, inclusive, file
        self._offsets = Utf16Offsets(text) if utf16 and text is not None else None
        units = words if text is None else text
        self._size = size if units is None else len(units)
        if self._offsets is not None:
            self._size = self._offsets.units
        self._declared: dict[Hashable, int | None] = {}
        self._rows: dict[Hashable, _Row] = {}
        self._links: list[tuple[Hashable, Hashable]] = []
        self._bridges: list[tuple[Hashable, Hashable, str]] = []
        self._groups: dict[tuple[str, str], None] = {}
        self._names: dict[Hashable, str] = {}

    def __len__(self) -> int:
        """How many mentions the file declares, sound or not."""
        return len(self._declared)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._declared)

    def __contains__(self, id: Hashable) -> bool:
        return id in self._declared

    def mention(  # noqa: PLR0913 (what a mention may have)
        self,
        id: Hashable,
        runs: Iterable[Run],
        line: int | None,
        *,
        entity: str | None = None,
        text: str | None = None,
        minimum: Run | None = None,
        referring: bool = True,
        shown: str = "",
        labels: Mapping[str, str] = {},
    ) -> bool:
        """Add a mention; False, and an incident, if its id is there already or its place is none.

        `entity` is its entity, if the file names it; `text` the text that the file repeats; `shown`
        its place in the words of the file, where these are not begin and end.
        """
        if id is None:
            id = (len(self._declared),)
        if not self.declare(id, line):
            return False
        placed = self.placed(runs, line, shown, id)
        if placed is None:
            return False
        if text is not None:
            self._compare(text, placed, id, line)
        if minimum is not None and not self.inclusive:
            minimum = minimum[0], minimum[1] - 1
        here = line if self.file is None else None
        self._rows[id] = _Row(placed, here, entity, minimum, referring, labels)
        return True

    def refuse(self, id: Hashable, line: int, kind: str, found: str, expected: str) -> None:
        """Report a mention whose place cannot be read; it only links others."""
        self._note(kind, line, found, expected)
        if id is not None:
            self.declare(id, line)

    def declare(self, id: Hashable, line: int | None) -> bool:
        """Declare a mention without a place: it only links others.

        False, and an incident, if there is one of this id.
        """
        if id in self._declared:
            note_id_twice(self._collector, line, str(id), self._declared[id], **self._in_file)
            return False
        self._declared[id] = line
        return True

    def link(self, ids: Sequence[Hashable], line: int | None) -> None:
        """Say that these mentions are one entity; ids of no mention are reported."""
        if known := self.known(ids, line):
            self._links += [(known[0], other) for other in known[1:]]

    def call(self, id: Hashable, name: str, line: int) -> None:
        """Say how the entity of a mention is called; the last name counts."""
        if self.known([id], line):
            self._names[id] = name

    def keep(self, entities: Mapping[Hashable, str | None]) -> None:
        """Keep these mentions, with their entities if they are named, and drop the others."""
        self._declared = {id: self._declared[id] for id in entities}
        self._rows = {
            id: self._rows[id]._replace(entity=entity)
            for id, entity in entities.items()
            if id in self._rows
        }
        self._links = [link for link in self._links if entities.keys() >= {*link}]
        self._bridges = [bridge for bridge in self._bridges if entities.keys() >= {*bridge[:2]}]
        self._names = {id: name for id, name in self._names.items() if id in entities}
        named = {*entities.values()}
        self._groups = {pair: None for pair in self._groups if pair[1] in named}

    @property
    def linked(self) -> set[Hashable]:  # noqa: D102 (an attribute)
        return {id for link in self._links for id in link}

    def bridge(self, ids: Sequence[Hashable], line: int | None, label: str = "") -> None:
        """Say that the first of these mentions is bridged to the second."""
        known = self.known(ids, line)
        if len(known) == len(ids) > 1:
            self._bridges.append((known[0], known[1], label))

    def group(self, entity: str, member: str) -> None:
        """Say that an entity has another as a member."""
        self._groups[entity, member] = None

    def known(self, ids: Sequence[Hashable], line: int | None) -> list[Hashable]:
        """Those of these ids that are mentions; the others are reported."""
        known = [id for id in ids if id in self._declared]
        if len(known) < len(ids):
            for id in ids:
                if id not in self._declared:
                    expected = "the id of a mention of the same file"
                    self._note("mention-unknown", line, shorten(f"{self.reference}{id}"), expected)
        return known

    def _note(
        self, kind: str, line: int | None, found: str, expected: str, variant: str = ""
    ) -> None:
        variant = self.variants.get(kind, variant)
        values = {"found": found, "expected": expected, **self._in_file}
        self._collector.note(kind, variant, at=line, **values)

    @property
    def _in_file(self) -> dict[str, str]:
        return {} if self.file is None else {"file": self.file}

    def token(self, sentence: int, number: int) -> int:
        """A token by its number in its sentence, both from 0; −1, which is no place, without."""
        lengths = self.lengths or ()
        if not 0 <= sentence < len(lengths) or not 0 <= number < lengths[sentence]:
            return -1
        return self._sentence_begins[sentence] + number

    @cached_property
    def _sentence_begins(self) -> list[int]:
        return [*accumulate(self.lengths or (), initial=0)]

    def placed(
        self, runs: Iterable[Run], line: int | None, shown: str = "", id: Hashable = None
    ) -> list[Run] | None:
        """The runs in the unit of the document, both ends included.

        None, and an incident, if they are outside of it or empty.
        """
        runs = sorted(runs)
        placed = self._in_units(runs)
        if isinstance(placed, str):
            self._note_place(placed, id, runs, line, shown)
            return None
        return placed

    def _in_units(self, runs: list[Run]) -> list[Run] | str:
        """The runs in the unit of the document, ends included; else the kind of incident."""
        after = int(self.inclusive)
        size = self._size
        placed = []
        for begin, end in runs:
            last = end + after
            if begin < 0 or end < 0 or (size >= 0 and max(begin, last) > size):
                return "span-outside"
            span: Run | None = (begin, last)
            if self._offsets is not None and begin <= last:
                span = self._offsets.span(begin, last)
            if span is None:
                return "span-outside"
            if span[0] >= span[1]:
                return "span-empty"
            placed.append((span[0], span[1] - 1))
        if not placed:
            return "span-empty"
        return placed if len(placed) == 1 else joined_runs(placed)

    def _note_place(
        self, kind: str, id: Hashable, runs: Sequence[Run], line: int | None, shown: str
    ) -> None:
        if not shown:
            named = f", {shorten(id)}" if isinstance(id, str) and id else ""
            shown = ", ".join(f"{begin} to {end}" for begin, end in runs) + named
        if kind == "span-empty":
            expected = "begin ≤ end: both belong to the span" if self.inclusive else "begin < end"
        else:
            words = "tokens" if self.unit == "token" else "characters"
            expected = f"spans within {self._size:,} {words}"
            if self._offsets is not None:
                shown += _inside(runs, self._offsets)
                expected = f"spans within {self._size:,} {UTF16}"
        self._note(kind, line, shown, expected, "text")

    def _compare(self, given: str, runs: Sequence[Run], id: Hashable, line: int | None) -> None:
        """Report a mention whose text is not the one that the file gives."""
        if self.text is not None:
            there = " ".join([self.text[begin : end + 1] for begin, end in runs])
        elif self.words is not None:
            there = " ".join([word for a, b in runs for word in self.words[a : b + 1]])
        else:
            return
        if not self.same(there, given):
            self.differing += 1
            self._note_text(id, there, given, line)

    def _note_text(self, id: Hashable, there: str, given: str, line: int | None) -> None:
        del id
        self._note("mention-text-differs", line, f"{quote(there)} at its place", quote(given))

    def document(self) -> RawDocument:
        """The document."""
        unnamed = self._names or any(row.entity is None for row in self._rows.values())
        number = components(self._declared, self._links) if unnamed else {}
        names = {number[id]: name for id, name in self._names.items()}
        entity = {
            id: names.get(number[id], f"{self.prefix}{number[id]}")
            if row.entity is None
            else row.entity
            for id, row in self._rows.items()
        }
        row_of = {id: row for row, id in enumerate(self._rows)}
        rows = self._rows.values()
        labels = dict.fromkeys(name for row in rows for name in row.labels)
        bridges = [b for b in self._bridges if b[0] in row_of and b[1] in row_of]
        return RawDocument(
            self.name,
            [
                mention_of_runs(row.runs, entity[id], row.line or 1, row.minimum)
                for id, row in self._rows.items()
            ],
            self.line,
            self.text,
            self.words,
            self.lengths,
            self.paragraphs,
            labels={name: [row.labels.get(name, "") for row in rows] for name in labels},
            groups=[*self._groups],
            bridging=[(row_of[a], row_of[b]) for a, b, _ in bridges],
            bridging_labels=[label for *_, label in bridges],
            referring=None if all(row.referring for row in rows) else [r.referring for r in rows],
            segments=self.segments,
            unread=self.unread,
            tokens=self._size,
        )


def _inside(runs: Sequence[Run], offsets: Utf16Offsets) -> str:
    """What to say of an offset that is inside a character; "" if there is none."""
    ends = (end for run in runs for end in run if 0 <= end <= offsets.units)
    split = next((end for end in ends if offsets.character(end) is None), None)
    return "" if split is None else f"; {split} is inside a character of two units"


def corpus_of(  # noqa: PLR0913 (as make_corpus)
    format: str,
    data: bytes,
    drafts: Sequence[Draft],
    collector: Collector,
    unit: Unit | None = None,
    *,
    has_ids: bool = False,
) -> Corpus:
    """The corpus of a file; if many texts of mentions differ, these warnings become errors."""
    judge_texts(sum(d.differing for d in drafts), sum(map(len, drafts)), collector)
    unit = unit or (drafts[0].unit if drafts else "token")
    documents = [d.document() for d in drafts]
    return make_corpus(format, data, documents, collector, unit, has_ids=has_ids)
