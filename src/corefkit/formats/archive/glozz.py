"""Glozz: units, relations and schemas in an `.aa` file, beside the text in an `.ac` file.

X.aa:
    <annotations><unit id="ann_1">
    <metadata><author>ann</author><creation-date>1</creation-date></metadata>
    <characterisation><type>N</type><featureSet><feature name="REF">Ada</feature></featureSet>
    </characterisation><positioning><start><singlePosition index="0"/></start>
    <end><singlePosition index="3"/></end></positioning></unit>
    <unit id="ann_2"><characterisation><type>P</type></characterisation><positioning>
    <start><singlePosition index="9"/></start><end><singlePosition index="12"/></end>
    </positioning></unit>
    <relation id="r"><characterisation><type>DIRECTE</type></characterisation>
    <positioning><term id="ann_1"/><term id="ann_2"/></positioning></relation>
    <schema id="s"><characterisation><type>CHAINE</type></characterisation>
    <positioning><embedded-unit id="ann_1"/><embedded-unit id="ann_2"/></positioning></schema>
    </annotations>
X.ac:
    Ada said her say

Chains are schemas and relations of identity, or else units with equal features REF. Mentions are
all units of the types that occur in chains. Offsets count UTF-16 units.

It was never tried on a file of a corpus (see `formats.archive`).
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple
from xml.etree.ElementTree import Element

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.formats.format import IN_TEXT, Companions, Format, Look
from corefkit.formats.kit.building import (
    note_no_coreference,
    reader,
    stem,
    text_beside,
    whole_number,
)
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
        position = self.element.find(f"positioning/{end}/singlePosition")
        return None if position is None else whole_number(position.get("index"))


@reader
def parse(data: bytes, path: str, reading: Reading, collector: Collector) -> Corpus:
    """The document of one `.aa` file."""
    tree = read_tree(data, collector)
    text = text_beside(path, ".aa", ".ac", collector).decode("utf-8-sig", "replace")
    all_units, relations, schemas = (
        [*_annotations(tree, name)] for name in ("unit", "relation", "schema")
    )
    units = [unit for unit in all_units if unit.type.lower() not in _NO_MENTIONS]
    number = {_made(unit.element): n for n, unit in enumerate(units)}
    number |= {unit.element.get("id", ""): n for n, unit in enumerate(units)}
    identity = [r for r in relations if r.type in _IDENTITY] + schemas
    links = [(link.line, ends) for link in identity if (ends := _ends(link, number))]
    links.sort(key=lambda link: link[0])
    types = {units[end].type for _, ends in links for end in ends if isinstance(end, int)}
    if not links:
        types = {unit.type for unit in units if unit.reference is not None}
        first: dict[str, int] = {}
        links = [
            (unit.line, [first.setdefault(unit.reference, n), n])
            for n, unit in enumerate(units)
            if unit.reference
        ]
        if not types:
            shown = f"units of the types {', '.join(sorted({unit.type for unit in units}))}"
            expected = "schemas, relations DIRECTE, INDIRECTE or ANAPHORE, or features REF"
            raise note_no_coreference(collector, shown, expected)
    draft = Draft(stem(path, ".aa"), collector, text=text, utf16=True)
    for n, unit in enumerate(units):
        if unit.type in types:
            begin, end = unit.offset("start"), unit.offset("end")
            run = (-1 if begin is None else begin, -1 if end is None else end)
            shown = f"{begin} to {end}, unit {unit.element.get('id', '')}"
            draft.mention(n, [run], unit.line, shown=shown)
    for line, ends in links:
        draft.link(ends, line)
    for relation in relations:
        if relation.type in _BRIDGING:
            ends = _ends(relation, number)
            unmarked = any(isinstance(end, int) and end not in draft for end in ends)
            unknown = [end for end in ends if isinstance(end, str)]
            draft.bridge(unknown if unmarked else ends, relation.line)
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
            features = {
                feature.get("name", ""): text_of(feature).strip()
                for feature in e.iterfind("characterisation//feature")
            }
            type = text_of(e.find("characterisation/type")).strip()
            yield _Annotation(line, type, features, e)


def _made(unit: Element) -> str:
    """The author and the date of creation of a unit, by which the tool really knows it."""
    parts = ("author", "creation-date")
    return "_".join(text_of(unit.find(f"metadata/{part}")).strip() for part in parts)


def _ends(link: _Annotation, number: Mapping[str, int]) -> list[int | str]:
    """The units that a relation or a schema joins; the id of one that there is not."""
    tag = "embedded-unit" if link.element.tag == "schema" else "term"
    ids = (e.get("id", "") for e in link.element.iter(tag))
    return [number.get(id, id) for id in ids]


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
