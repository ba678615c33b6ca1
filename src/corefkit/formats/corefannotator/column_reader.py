"""The mentions of a CorefAnnotator file as columns, if all references in it can be resolved."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from corefkit.core.arrays import EMPTY, IntArray, distinct, ranks_of, tuples
from corefkit.core.incidents import Collector
from corefkit.core.source import Column
from corefkit.formats.kit import building
from corefkit.formats.kit.building import MentionColumns, RawDocument, mention_of_runs
from corefkit.formats.kit.byte_columns import ByteColumn, UnfitError
from corefkit.formats.kit.utf16 import Utf16Offsets
from corefkit.formats.kit.xml.finder import find_records
from corefkit.formats.kit.xml.record_tables import FieldColumn, RecordKind, RecordPieces

NAMESPACE = "/ims/coref/annotator/api"
FLAG_JOINT = "|"
"""Separates the flags of a mention in its label."""
NAMELESS = "mention "
"""The beginning of the name of an entity without an element; the id of its mention follows."""
_PREFIXED = frozenset({"@id"})
"""The only attribute that is read with a prefix, `xmi:id`."""
_ENTITY = RecordKind(("@id", "@Members"), table="entity", prefixed=_PREFIXED)
_PART = RecordKind(("@id", "@sofa", "@begin", "@end"), table="part", prefixed=_PREFIXED)
_SEGMENT = RecordKind((), lined=False, table="segment")
_KINDS = {
    "Mention": RecordKind(
        ("@id", "@sofa", "@begin", "@end", "@Entity", "@Discontinuous", "@Surface", "@Flags"),
        {"Flags": ("",)},
        table="mention",
        prefixed=_PREFIXED,
    ),
    "Entity": _ENTITY,
    "EntityGroup": _ENTITY,
    "DetachedMentionPart": _PART,
    "MentionSurface": _PART,
    "Flag": RecordKind(("@id", "@Label", "@Key"), lined=False, prefixed=_PREFIXED),
    "Sofa": RecordKind(("@id", "@sofaString"), prefixed=_PREFIXED),
    "View": RecordKind(("@members",), prefixed=_PREFIXED),
    "Token": _SEGMENT,
    "Sentence": _SEGMENT,
}
_DECLARED = b' xmlns:xmi="http://www.omg.org/XMI"'
_ID_BEFORE = b' xmi:id="'


class MentionTable:
    """The mentions of a file as columns.

    Places, flags and copies are found for all mentions at once; only mentions with several parts or
    with flags are processed one by one. UnfitError if anything is broken, or the file has tokens.
    """

    def __init__(self, data: bytes) -> None:
        tables = {n: t.pieces for n, t in find_records(data, _KINDS, ()).tables.items()}
        self._mentions, self._entities, self._parts = (
            tables[name] for name in ("mention", "entity", "part")
        )
        self._flags, sofa, view = (tables[name] for name in ("Flag", "Sofa", "View"))
        own = {*self._mentions.namespaces, *self._entities.namespaces, *self._parts.namespaces}
        others = {*sofa.namespaces, *view.namespaces}
        if not all(NAMESPACE in name for name in own) or any(NAMESPACE in name for name in others):
            raise UnfitError
        if _DECLARED not in data or len(tables["segment"].namespaces) or len(sofa.line) != 1:
            raise UnfitError
        (id,), (text,) = (column.values() for column in sofa.fields.values())
        if text is None:
            raise UnfitError
        _refuse_other_ids(_present(sofa.fields["@id"]))
        self._sofa, self.text = id, text
        ids = _IdTable(self._mentions)
        members, _ = view.fields["@members"].sound().split(ord(" "))
        self._rows = ids.among(members)
        if not len(self._rows):
            raise UnfitError
        self._ids = ids.texts.take(self._rows)
        self._fields = {n: c.take(self._rows) for n, c in self._mentions.fields.items()}
        self._find_entities()
        self._find_places()

    def _find_entities(self) -> None:
        """Find the entity of each mention; one without an entity gets its own."""
        named = self._fields["@Entity"]
        self._names = _IdTable(self._entities)
        self._alone = named.start < 0
        self._entity = len(self._names) + np.arange(len(named))
        rows = np.flatnonzero(~self._alone)
        self._entity[rows] = self._names.find(named.take(rows).sound())

    def _find_places(self) -> None:
        """Find the first and last character of each mention, and the runs of those with several."""
        surface = self._fields["@Surface"]
        whole = np.flatnonzero((surface.start < 0) & (self._fields["@begin"].start >= 0))
        ids, parts = _IdTable(self._parts), [EMPTY]
        mention = [whole]
        for column in (surface, self._fields["@Discontinuous"]):
            rows = np.flatnonzero(column.length)
            if len(rows):
                names, row = column.take(rows).sound().split(ord(" "))
                given = np.flatnonzero(names.length)
                parts.append(ids.find(names.take(given)))
                mention.append(rows[row[given]])
        part = np.concatenate(parts)
        row, offsets = np.concatenate(mention), Utf16Offsets(self.text)
        start, end = (
            offsets.characters(
                np.concatenate(
                    (
                        self._fields[name].take(whole).sound().numbers(),
                        self._parts.fields[name].take(part).sound().numbers(),
                    )
                )
            )
            for name in ("@begin", "@end")
        )
        if (start < 0).any() or (end < start).any():
            raise UnfitError
        for sofa in (self._fields["@sofa"].take(whole), self._parts.fields["@sofa"].take(part)):
            named = _present(sofa).sound()
            if len(named) and named.column().values != (self._sofa,):
                raise UnfitError
        filled = np.flatnonzero(end > start)
        row, start, end = row[filled], start[filled], end[filled] - 1
        pieces = np.bincount(row, minlength=len(self._rows))
        self._filled = pieces > 0
        self._start, self._end = np.zeros_like(self._entity), np.zeros_like(self._entity)
        self._start[row], self._end[row] = start, end
        self._runs: dict[int, list[tuple[int, int]]] = {}
        spans: dict[int, list[tuple[int, int]]] = {}
        several = np.flatnonzero(pieces[row] > 1)
        for place, first, last in tuples(row[several], start[several], end[several]):
            spans.setdefault(place, []).append((first, last))
        for place, listed in spans.items():
            runs = building.joined_runs(listed)
            self._start[place], self._end[place] = runs[0][0], runs[-1][1]
            if len(runs) > 1:
                self._runs[place] = runs

    def document(self, name: str, collector: Collector) -> RawDocument:
        """The document; the numbers of mentions that are left out or changed are reported."""
        flags = self._flags_of()
        first = self._first_copies()
        for row, original in first.items():
            if row in flags:
                flags.setdefault(original, set()).update(flags.pop(row))
        kept = self._filled.copy()
        kept[[*first]] = False
        rows = np.flatnonzero(kept)
        incidents = {
            "mention-without-entity": np.flatnonzero(self._alone),
            "span-empty": np.flatnonzero(~self._filled),
            "span-twice": np.array([*first], dtype=np.int64),
        }
        reported = [kind for kind, changed in incidents.items() if len(changed)]
        reported.sort(key=lambda kind: int(incidents[kind][0]))
        note_changed(collector, {kind: len(incidents[kind]) for kind in reported})
        row_of = {row: place for place, row in enumerate(rows.tolist())} if flags else {}
        labels = [""] * len(rows)
        for row, names in flags.items():
            if row in row_of:
                labels[row_of[row]] = FLAG_JOINT.join(sorted(names))
        line = self._mentions.line[self._rows[rows]]
        nodes = [
            (int(np.searchsorted(rows, row)), mention_of_runs(self._runs[row], "").nodes)
            for row in sorted(self._runs)
            if kept[row]
        ]
        columns = MentionColumns(
            self._start[rows], self._end[rows], self._entity_names(rows), line, nodes=nodes
        )
        return RawDocument(
            name,
            (),
            text=self.text,
            labels={"flags": labels} if any(labels) else {},
            groups=self._groups(),
            columns=columns,
        )

    def _flags_of(self) -> dict[int, set[str]]:
        """Number of a mention → the labels of its flags, if it has any."""
        label = self._flag_labels()
        flags: dict[int, set[str]] = {}
        bounds, values = self._mentions.lists["Flags"]
        names = values[""].values()
        begin, end = bounds[self._rows], bounds[self._rows + 1]
        rows = np.flatnonzero(end > begin)
        for row, first, last in tuples(rows, begin[rows], end[rows]):
            flags[row] = {(name or "").strip() for name in names[first:last]}
        listed = self._fields["@Flags"]
        rows = np.flatnonzero(listed.length)
        for row, text in zip(rows.tolist(), listed.take(rows).values(), strict=True):
            flags.setdefault(row, set()).update((text or "").split())
        return {
            row: {label.get(name, name) for name in listed if name} for row, listed in flags.items()
        }

    def _flag_labels(self) -> dict[str, str]:
        """The id and the key of each flag → its label."""
        id, label, key = (column.values() for column in self._flags.fields.values())
        _refuse_other_ids(_present(self._flags.fields["@id"]))
        labels: dict[str, str] = {}
        for row, namespace in enumerate(self._flags.namespaces):
            if NAMESPACE in namespace:
                flag, name = id[row] or "", key[row]
                labels |= {flag: label[row] or "", flag if name is None else name: label[row] or ""}
        return labels

    def _first_copies(self) -> dict[int, int]:
        """Mentions that repeat a span of their entity, ascending → the first with this span."""
        rows = np.flatnonzero(self._filled)
        columns = [column[rows] for column in (self._end, self._start, self._entity)]
        order = np.lexsort(columns)
        same = np.ones(max(len(order) - 1, 0), dtype=bool)
        for column in columns:
            same &= column[order[1:]] == column[order[:-1]]
        again = np.flatnonzero(same)
        alike = np.sort(rows[order[distinct(np.concatenate((again, again + 1))).values]])
        first: dict[tuple[Any, ...], int] = {}
        copies: dict[int, int] = {}
        places = tuples(alike, self._entity[alike], self._start[alike], self._end[alike])
        for row, *place in places:
            original = first.setdefault((*place, *self._runs.get(row, ())), row)
            if original != row:
                copies[row] = original
        return copies

    def _entity_names(self, rows: IntArray) -> Column:
        """The names of the entities of these mentions."""
        number = distinct(self._entity[rows])
        order = np.argsort(number.first)
        known = number.values[order]
        ids = self._names.texts.take(known[known < len(self._names)]).texts()
        if self._alone.any():
            mention_ids, entity_ids, named = self._ids.texts(), iter(ids), len(self._names)
            ids = [
                next(entity_ids) if n < named else NAMELESS + mention_ids[n - named]
                for n in known.tolist()
            ]
        return Column(ranks_of(order)[number.inverse], tuple(ids))

    def _groups(self) -> list[tuple[str, str]]:
        """The pairs of an entity that has members and one of these."""
        listed = self._entities.fields["@Members"]
        rows = np.flatnonzero(listed.length)
        ids, members = self._names.texts.take(rows).texts(), listed.take(rows).values()
        return [
            (id, member)
            for id, text in zip(ids, members, strict=True)
            for member in dict.fromkeys((text or "").split())
        ]


def note_changed(collector: Collector, numbers: Mapping[str, int]) -> None:
    """Note one warning per kind for all mentions that were changed or left out."""
    variants = {"span-empty": "dropped", "span-twice": "united", "mention-without-entity": "none"}
    for kind, number in numbers.items():
        collector.note(kind, variants[kind], severity="warning", number=number, count=number)


class _IdTable:
    """The ids of elements, which are numbers; UnfitError if one is missing or repeated."""

    def __init__(self, elements: RecordPieces) -> None:
        self.texts = elements.fields["@id"].sound()
        _refuse_other_ids(self.texts)
        self._ids = _numbers(self.texts)
        self._order = np.argsort(self._ids, kind="stable")
        self._ordered = self._ids[self._order]
        if (self._ordered[1:] == self._ordered[:-1]).any():
            raise UnfitError

    def __len__(self) -> int:
        return len(self.texts)

    def find(self, names: ByteColumn) -> IntArray:
        """int64 (names,): the element that each name is the id of; UnfitError where it is none."""
        if not len(names):
            return EMPTY
        if not len(self):
            raise UnfitError
        ids = _numbers(names)
        row = self._order.take(np.searchsorted(self._ordered, ids), mode="clip")
        if (self._ids[row] != ids).any():
            raise UnfitError
        return row

    def among(self, names: ByteColumn) -> IntArray:
        """The elements whose ids are among these names, in the order of elements."""
        ids = np.sort(_numbers(names.take(names.length > 0)))
        at = np.searchsorted(ids, self._ids)
        return np.flatnonzero(ids.take(at, mode="clip") == self._ids) if len(ids) else EMPTY


def _numbers(names: ByteColumn) -> IntArray:
    """int64 (names,): ids as numbers; UnfitError if one is not a number without leading zeros."""
    zero = names.buffer.take(names.start, mode="clip") == ord("0")
    if (zero & (names.length > 1)).any():
        raise UnfitError
    return names.numbers()


def _present(column: FieldColumn) -> FieldColumn:
    """The values that are not missing."""
    return column.take(column.start >= 0)


def _refuse_other_ids(ids: ByteColumn) -> None:
    """Raise UnfitError if an attribute `id` is not that of XMI."""
    before = ids.start - len(_ID_BEFORE)
    if not ByteColumn(ids.buffer, before, ids.start).has_at(before, _ID_BEFORE).all():
        raise UnfitError
