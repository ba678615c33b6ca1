"""Glozz: units, relations and schemas in an `.aa` file, beside the text, an `.ac` file.

Chains are schemas and relations of identity, or else equal features REF. Offsets count UTF-16
units. Mentions are all units of the types that chains join.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.links import components
from corefkit.core.options import Reading
from corefkit.formats._kit import building, files
from corefkit.formats._kit.building import RawDocument, RawMention
from corefkit.formats._kit.utf16 import UTF16, Utf16Offsets
from corefkit.formats._kit.xml import ElementListener, walk
from corefkit.formats.registry import IN_TEXT, Format

_IDENTITY = frozenset({"DIRECTE", "INDIRECTE", "ANAPHORE"})
_BRIDGING = frozenset({"ASSOC", "ASSOC_PRONOM"})
_REFERENCES = ("REF", "REFNAME")
_NO_MENTIONS = frozenset({"paragraph", "turn"})


@dataclass
class _GlozzAnnotation:
    """A unit with its places, or a relation or a schema with the ids that it joins, its ends."""

    kind: str
    id: str
    line: int
    type: str = ""
    author: str = ""
    created: str = ""
    features: dict[str, str] = field(default_factory=dict)
    places: list[int | None] = field(default_factory=list)
    ends: list[str] = field(default_factory=list)

    @property
    def names(self) -> tuple[str, str]:
        """Its id, and what the tool really compares."""
        return self.id, f"{self.author}_{self.created}"

    @property
    def reference(self) -> str | None:
        """The feature that names its entity; "" where it is empty, None where there is none."""
        return next((self.features[n] for n in _REFERENCES if n in self.features), None)


class _GlozzReader(ElementListener):
    """Gathers the annotations of a file."""

    def __init__(self) -> None:
        self.annotations: list[_GlozzAnnotation] = []
        self._feature = ""

    def start(self, path: list[str], attributes: dict[str, str]) -> None:
        kind = path[-1]
        if kind in ("unit", "relation", "schema"):
            self.annotations.append(_GlozzAnnotation(kind, attributes.get("id", ""), self.line))
        elif not self.annotations:
            return
        elif kind == "singlePosition":
            place = building.whole_number(attributes.get("index"))
            self.annotations[-1].places.append(place)
        elif kind in ("term", "embedded-unit"):
            self.annotations[-1].ends.append(attributes.get("id", ""))
        elif kind == "feature":
            self._feature = attributes.get("name", "")

    def end(self, path: list[str], text: str) -> None:
        kind = path[-1]
        if not self.annotations:
            return
        annotation = self.annotations[-1]
        if kind == "type":
            annotation.type = text.strip()
        elif kind == "author":
            annotation.author = text.strip()
        elif kind == "creation-date":
            annotation.created = text.strip()
        elif kind == "feature":
            annotation.features[self._feature] = text.strip()


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The document of one `.aa` file."""
    del reading
    found = Collector(path)
    reader = _GlozzReader()
    if not walk(data, reader, found):
        return building.nothing(found)
    beside, raw = files.companion(path, ".aa", ".ac")
    if raw is None:
        found.note("text-missing", expected=f"{beside} beside it")
        return building.nothing(found)
    text = raw.decode("utf-8-sig", "replace")
    document = _document(reader.annotations, text, building.stem(path, ".aa"), found)
    if document is None:
        return building.nothing(found)
    return building.make_corpus("glozz", data, [document], found, "character")


def _document(
    annotations: list[_GlozzAnnotation], text: str, name: str, found: Collector
) -> RawDocument | None:
    """The document; None where nothing in the file is coreference."""
    units = [a for a in annotations if a.kind == "unit" and a.type.lower() not in _NO_MENTIONS]
    number = {name: place for place, unit in enumerate(units) for name in reversed(unit.names)}
    identity = [a for a in annotations if a.kind == "schema" or a.type in _IDENTITY]
    identity = [a for a in identity if a.kind != "unit" and a.ends]
    links = [(ends[0], end) for ends in _known(identity, number, found) for end in ends]
    if identity:
        linked = {units[place].type for link in links for place in link}
        chosen = [place for place, unit in enumerate(units) if unit.type in linked]
    else:
        named = {unit.type for unit in units if unit.reference is not None}
        chosen = [place for place, unit in enumerate(units) if unit.type in named]
        links = _by_reference(units, chosen)
        if not chosen:
            types = ", ".join(sorted({unit.type for unit in units}))
            wanted = "schemas, relations DIRECTE, INDIRECTE or ANAPHORE, or features REF"
            building.note_no_coreference(found, f"units of the types {types}", wanted)
            return None
    entity = components(chosen, links)
    offsets = Utf16Offsets(text)
    rows: dict[int, RawMention] = {}
    for place in chosen:
        if (mention := _mention(units[place], str(entity[place]), offsets, found)) is not None:
            rows[place] = mention
    bridges = _known((a for a in annotations if a.type in _BRIDGING), number, found)
    row = {place: at for at, place in enumerate(rows)}
    bridging = [
        (row[ends[0]], row[ends[1]]) for ends in bridges if len(ends) > 1 and row.keys() >= {*ends}
    ]
    return RawDocument(name, list(rows.values()), text=text, bridging=bridging)


def _known(
    annotations: Iterable[_GlozzAnnotation], number: dict[str, int], found: Collector
) -> list[list[int]]:
    """The units that each annotation joins; those that are not there are reported."""
    known = []
    for annotation in annotations:
        for end in annotation.ends:
            if end not in number:
                building.note_unknown(found, annotation.line, end)
        if ends := [number[end] for end in annotation.ends if end in number]:
            known.append(ends)
    return known


def _by_reference(units: list[_GlozzAnnotation], chosen: list[int]) -> list[tuple[int, int]]:
    """Links between units of the same reference; those without one are alone."""
    first: dict[str, int] = {}
    return [
        (first.setdefault(reference, place), place)
        for place in chosen
        if (reference := units[place].reference)
    ]


def _mention(
    unit: _GlozzAnnotation, entity: str, offsets: Utf16Offsets, found: Collector
) -> RawMention | None:
    begin, end = unit.places if len(unit.places) == 2 else (None, None)
    span = None if begin is None or end is None else offsets.span(begin, end)
    if span is None:
        shown = f"{begin} to {end}, unit {unit.id}"
        building.note_outside(found, unit.line, shown, offsets.units, UTF16)
        return None
    if span[0] == span[1]:
        shown = f"{begin} to {end}, unit {unit.id}"
        found.note("span-empty", "text", at=unit.line, found=shown, expected="begin < end")
        return None
    return RawMention(span[0], span[1] - 1, entity, unit.line)


def count_unread(data: bytes, path: str, reading: Reading) -> dict[str, int]:
    """How many features the annotations of a file have, and relations of other types."""
    del reading
    reader = _GlozzReader()
    walk(data, reader, Collector(path))
    numbers: Counter[str] = Counter()
    for annotation in reader.annotations:
        numbers.update(n for n, v in annotation.features.items() if v and n not in _REFERENCES)
        other = annotation.type not in _IDENTITY | _BRIDGING
        numbers["relation"] += annotation.kind == "relation" and other
    return dict(+numbers)


FORMAT = Format(
    name="glozz",
    title="Glozz",
    parse=parse,
    unit="character",
    holds=IN_TEXT | {"crossing", "links"},
    suffixes=(".aa",),
    count_unread=count_unread,
)
