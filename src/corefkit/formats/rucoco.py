"""RuCoCo 2023: one JSON object per file, with a text, entities, and the entities each includes.

Spans count characters, ends excluded. An entity that includes others has them as split antecedents.
"""

import json
from collections import Counter
from typing import Any

from corefkit.core.arrays import tuples
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.links import KINDS
from corefkit.core.options import Reading
from corefkit.formats.kit import building
from corefkit.formats.kit.building import RawDocument, RawMention
from corefkit.formats.kit.content import RunningText, running_texts
from corefkit.formats.kit.json import JsonValue, ShapeError, decode, field_of, note_shape
from corefkit.formats.registry import IN_TEXT, Format, WrittenFiles

_READ = frozenset({"text", "entities", "includes"})


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The document of one file."""
    del reading
    collector = Collector(path)
    values = list(decode(data, collector))
    if len(values) > 1:
        error = ShapeError("$", "one object; several documents belong in several files")
        note_shape(collector, values[1].line, error)
    if not values:
        return building.nothing(collector)
    try:
        document = _document(values[0], building.file_name(path), collector)
    except ShapeError as error:
        note_shape(collector, values[0].line, error)
        return building.nothing(collector)
    return building.make_corpus("rucoco", data, [document], collector, "character")


def _document(value: JsonValue, name: str, collector: Collector) -> RawDocument:
    row, line = value.content, value.line
    text = field_of(row, "text", str)
    entities = field_of(row, "entities", list, expected="a list of entities, lists of spans")
    includes = field_of(row, "includes", list, expected="for each entity a list of entities")
    if len(entities) != len(includes):
        shown = f"{len(entities):,} entities, {len(includes):,} lists of entities they include"
        collector.note("lists-differ", "includes", at=line, found=shown, expected="as many of both")
        includes = []
    mentions: list[RawMention] = []
    size = len(text)
    for number, spans in enumerate(entities):
        if not isinstance(spans, list):
            raise ShapeError(f"$.entities[{number}]", "a list of spans", spans)
        label = str(number)
        for place, span in enumerate(spans):
            if not (
                isinstance(span, list) and len(span) == 2 and type(span[0]) is type(span[1]) is int
            ):
                raise ShapeError(f"$.entities[{number}][{place}]", "[begin, end]", span)
            begin, end = span
            if 0 <= begin < end <= size:
                mentions.append(RawMention(begin, end - 1, label, line))
            else:
                _note_span(collector, line, f"$.entities[{number}][{place}]", span, size)
    groups = _groups(entities, includes, line, collector)
    return RawDocument(name, mentions, line, text, groups=groups)


def _note_span(collector: Collector, line: int, path: str, span: list[int], size: int) -> None:
    place = f"{span} at {path}"
    if 0 <= span[0] <= size and span[1] <= span[0]:
        collector.note("span-empty", "text", at=line, found=place, expected="begin < end")
    else:
        building.note_outside(collector, line, place, size, "characters")


def _groups(
    entities: list[Any], includes: list[Any], line: int, collector: Collector
) -> list[tuple[str, str]]:
    """The pairs of an entity and one that it includes; problems are reported."""
    groups: dict[tuple[str, str], None] = {}
    for number, members in enumerate(includes):
        if not isinstance(members, list):
            raise ShapeError(f"$.includes[{number}]", "a list of numbers of entities", members)
        for member in members:
            if type(member) is not int:
                raise ShapeError(f"$.includes[{number}]", "numbers of entities", member)
            if not 0 <= member < len(entities) or not entities[member]:
                shown = f"entity {member} at $.includes[{number}]"
                expected = f"an entity with mentions, from 0 to {len(entities) - 1}"
                collector.note("entity-unknown", at=line, found=shown, expected=expected)
            else:
                groups[str(number), str(member)] = None
    return list(groups)


def write(corpus: Corpus, path: str) -> WrittenFiles:
    """One file per document; several files are put into a folder."""
    from corefkit.formats.kit.convert import links_dropped, reduce

    reduced, incidents = reduce(corpus, FORMAT.holds | {"characters"})
    incidents += links_dropped(reduced, ("split",))
    places = building.file_places(path, reduced.names, (".gz", ".json"))
    written = {
        place: json.dumps(_row(reduced, document), ensure_ascii=False).encode("utf-8", "replace")
        for place, document in zip(places, running_texts(reduced), strict=True)
    }
    return WrittenFiles(written, incidents)


def _row(corpus: Corpus, document: RunningText) -> dict[str, Any]:
    """The object of one document."""
    spans: dict[int, list[list[int]]] = {}
    for mention in document.mentions:
        spans.setdefault(mention.entity, []).append([*mention.parts[0]])
    number = {entity: place for place, entity in enumerate(spans)}
    includes: list[list[int]] = [[] for _ in spans]
    if corpus.links is not None:
        split = corpus.links.kind == KINDS.index("split")
        for group, member in tuples(corpus.links.source[split], corpus.links.target[split]):
            if group in number and member in number:
                includes[number[group]].append(number[member])
    return {"entities": list(spans.values()), "includes": includes, "text": document.text}


def count_unread(data: bytes, path: str, reading: Reading) -> dict[str, int]:
    """How many other fields a file has."""
    del reading
    values = [value.content for value in decode(data, Collector(path))]
    rows = [value for value in values if isinstance(value, dict)]
    return dict(Counter(name for row in rows for name in row if name not in _READ))


FORMAT = Format(
    name="rucoco",
    title="RuCoCo JSON",
    parse=parse,
    write=write,
    unit="character",
    holds=IN_TEXT | {"crossing", "links"},
    suffixes=(".json",),
    count_unread=count_unread,
)
