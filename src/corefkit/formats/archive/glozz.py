"""Glozz: units, relations and schemas in an `.aa` file, beside the text in an `.ac` file.

<annotations><unit id="ann_1">
<metadata><author>ann</author><creation-date>1</creation-date></metadata>
<characterisation><type>N</type><featureSet><feature name="REF">Ada</feature></featureSet>
</characterisation><positioning><start><singlePosition index="0"/></start>
<end><singlePosition index="3"/></end></positioning></unit>
<relation id="r"><characterisation><type>DIRECTE</type></characterisation>
<positioning><term id="ann_1"/><term id="ann_2"/></positioning></relation>
<schema id="s"><characterisation><type>CHAINE</type></characterisation>
<positioning><embedded-unit id="ann_1"/><embedded-unit id="ann_2"/></positioning></schema>
</annotations>

Chains are schemas and relations of identity, or else units with equal features REF. Mentions are
all units of the types that occur in chains. Offsets count UTF-16 units.

It was never tried on a file of a corpus (see `formats.archive`).
"""

from collections.abc import Iterator
from typing import NamedTuple
from xml.etree.ElementTree import Element

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.formats.format import IN_TEXT, Companions, Format, Look
from corefkit.formats.kit import files
from corefkit.formats.kit.building import note_no_coreference, nothing, stem, whole_number
from corefkit.formats.kit.draft import Draft, corpus_of
from corefkit.formats.kit.tree import XmlTree, read_tree, text_of

_IDENTITY = frozenset({"DIRECTE", "INDIRECTE", "ANAPHORE"})
_BRIDGING = frozenset({"ASSOC", "ASSOC_PRONOM"})
_REFERENCES = ("REF", "REFNAME")
_NO_MENTIONS = frozenset({"paragraph", "turn"})


class _Annotation(NamedTuple):
    """A unit, a relation or a schema: its line, its type, its features and its element."""

    line: int
    type: str
    features: dict[str, str]
    element: Element

    @property
    def reference(self) -> str | None:
        """The feature that names the entity of a unit; None if it has none."""
        return next((self.features[name] for name in _REFERENCES if name in self.features), None)

    def offset(self, end: str) -> int | None:
        """Where a unit starts or ends."""
        inner: Element | None = self.element
        for name in ("positioning", end, "singlePosition"):
            inner = None if inner is None else inner.find(name)
        return None if inner is None else whole_number(inner.get("index"))


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The document of one `.aa` file."""
    del reading
    collector = Collector(path)
    tree = read_tree(data, collector)
    if tree is None:
        return nothing(collector)
    beside, raw = files.companion(path, ".aa", ".ac")
    if raw is None:
        collector.note("text-missing", expected=f"{beside} beside it")
        return nothing(collector)
    all_units, relations, schemas = (
        [*_annotations(tree, name)] for name in ("unit", "relation", "schema")
    )
    units = [unit for unit in all_units if unit.type.lower() not in _NO_MENTIONS]
    find = _UnitIds(units)
    identity = [
        (link.line, ends)
        for link in (*(r for r in relations if r.type in _IDENTITY), *schemas)
        if (ends := find.ends(link))
    ]
    identity.sort(key=lambda link: link[0])
    if identity:
        linked = (end for _, ends in identity for end in ends if isinstance(end, int))
        types = {units[unit].type for unit in linked}
    else:
        types = {unit.type for unit in units if unit.reference is not None}
        if not types:
            shown = f"units of the types {', '.join(sorted({unit.type for unit in units}))}"
            expected = "schemas, relations DIRECTE, INDIRECTE or ANAPHORE, or features REF"
            note_no_coreference(collector, shown, expected)
            return nothing(collector)
        first: dict[str, int] = {}
        identity = [
            (unit.line, [first.setdefault(unit.reference, number), number])
            for number, unit in enumerate(units)
            if unit.type in types and unit.reference
        ]
    text = raw.decode("utf-8-sig", "replace")
    draft = Draft(stem(path, ".aa"), collector, text=text, utf16=True)
    for number, unit in enumerate(units):
        if unit.type in types:
            begin, end = unit.offset("start"), unit.offset("end")
            run = (-1 if begin is None else begin, -1 if end is None else end)
            shown = f"{begin} to {end}, unit {unit.element.get('id', '')}"
            draft.mention(number, [run], unit.line, shown=shown)
    for line, ends in identity:
        draft.link(ends, line)
    for relation in relations:
        if relation.type in _BRIDGING:
            ends = find.ends(relation)
            unmarked = any(isinstance(end, int) and end not in draft for end in ends)
            draft.bridge([e for e in ends if e not in find] if unmarked else ends, relation.line)
        elif relation.type not in _IDENTITY:
            draft.unread["relation"] += 1
    for annotation in (*all_units, *relations, *schemas):
        draft.unread.update(
            name for name, text in annotation.features.items() if text and name not in _REFERENCES
        )
    return corpus_of("glozz", data, [draft], collector)


def _annotations(tree: XmlTree, kind: str) -> Iterator[_Annotation]:
    """The annotations of a kind."""
    for line, e in tree:
        if e.tag == kind:
            inside = e.find("characterisation")
            if inside is None:
                yield _Annotation(line, "", {}, e)
                continue
            features = {f.get("name", ""): text_of(f).strip() for f in inside.iter("feature")}
            yield _Annotation(line, text_of(inside.find("type")).strip(), features, e)


class _UnitIds:
    """The numbers of units by their ids, or by those that the tool really compares."""

    def __init__(self, units: list[_Annotation]) -> None:
        self._number = {unit.element.get("id", ""): n for n, unit in enumerate(units)}
        self._units = units
        self._made: dict[str, int] = {}

    def __contains__(self, end: int | str) -> bool:
        return isinstance(end, int)

    def ends(self, link: _Annotation) -> list[int | str]:
        """The units that a relation or a schema joins; the id of one that there is not."""
        tag = "embedded-unit" if link.element.tag == "schema" else "term"
        ids = [e.get("id", "") for e in link.element.iter(tag)]
        return [self._number.get(id, self._other(id)) for id in ids]

    def _other(self, id: str) -> int | str:
        """A unit by author and date of creation; the id if there is none."""
        if not self._made:
            for number, unit in enumerate(self._units):
                metadata = unit.element.find("metadata")
                parts = ("author", "creation-date")
                texts = ["" if metadata is None else text_of(metadata.find(p)) for p in parts]
                self._made["_".join(text.strip() for text in texts)] = number
        return self._made.get(id, id)


FORMAT = Format(
    name="glozz",
    title="Glozz",
    parse=parse,
    unit="character",
    holds=IN_TEXT | {"crossing", "links"},
    looks=(Look(begins=rb"<", near=rb"<annotations\b", has=(b"<characterisation>",)),),
    companions=(Companions(".aa", ("{}.ac",)),),
    suffixes=(".aa",),
    untried=True,
)
