"""RuCoCo 2023: one JSON object per file, with a text, entities, and the entities each includes.

X.json:
    {"text": "Ada saw Bea; they left", "entities": [[[0, 3]], [[8, 11]], [[13, 17]]],
     "includes": [[], [], [0, 1]]}

Spans count characters, ends excluded. An entity that includes others has them as split antecedents.
"""

import json
from typing import Any

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.formats.format import IN_TEXT, Format, Look, WrittenFiles
from corefkit.formats.kit.building import file_name, file_places, reader
from corefkit.formats.kit.content import RunningText, running_texts, split_members
from corefkit.formats.kit.draft import Draft, corpus_of
from corefkit.formats.kit.json import JsonValue, ShapeError, decode_one, field_of, shape_told

_READ = frozenset({"text", "entities", "includes"})


@reader
def parse(data: bytes, path: str, reading: Reading, collector: Collector) -> Corpus:
    """The document of one file."""
    value = decode_one(data, collector)
    with shape_told(collector, value.line):
        draft = _document(value, file_name(path), collector)
    return corpus_of("rucoco", data, [draft], collector)


def _document(value: JsonValue, name: str, collector: Collector) -> Draft:
    row, line = value.content, value.line
    text = field_of(row, "text", str)
    entities = field_of(row, "entities", list, expected="a list of entities, lists of spans")
    includes = field_of(row, "includes", list, expected="for each entity a list of entities")
    if len(entities) != len(includes):
        shown = f"{len(entities):,} entities, {len(includes):,} lists of entities they include"
        collector.note("lists-differ", "includes", at=line, found=shown, expected="as many of both")
        includes = []
    draft = Draft(name, collector, line, text=text)
    draft.unread.update(name for name in row if name not in _READ)
    for number, spans in enumerate(entities):
        if not isinstance(spans, list):
            raise ShapeError(f"$.entities[{number}]", "a list of spans", spans)
        for at, span in enumerate(spans):
            where = f"$.entities[{number}][{at}]"
            if not (isinstance(span, list) and [*map(type, span)] == [int, int]):
                raise ShapeError(where, "[begin, end]", span)
            shown = f"{span} at {where}"
            draft.mention(None, [(span[0], span[1])], line, entity=str(number), shown=shown)
    for number, members in enumerate(includes):
        where = f"$.includes[{number}]"
        if not isinstance(members, list):
            raise ShapeError(where, "a list of numbers of entities", members)
        for member in members:
            if type(member) is not int:
                raise ShapeError(where, "numbers of entities", member)
            if not 0 <= member < len(entities) or not entities[member]:
                shown = f"entity {member} at {where}"
                expected = f"an entity with mentions, from 0 to {len(entities) - 1}"
                collector.note("entity-unknown", at=line, found=shown, expected=expected)
            else:
                draft.group(str(number), str(member))
    return draft


def write(corpus: Corpus, path: str) -> WrittenFiles:
    """One file per document; several files are put into a folder."""
    from corefkit.formats.kit.convert import links_dropped

    paths = file_places(path, corpus.names, (".gz", ".json"))
    written = {
        file: json.dumps(_row(corpus, document), ensure_ascii=False).encode("utf-8", "replace")
        for file, document in zip(paths, running_texts(corpus), strict=True)
    }
    return WrittenFiles(written, links_dropped(corpus, ("split",)))


def _row(corpus: Corpus, document: RunningText) -> dict[str, Any]:
    """The object of one document."""
    spans: dict[int, list[list[int]]] = {}
    for mention in document.mentions:
        spans.setdefault(mention.entity, []).append([*mention.parts[0]])
    number = {entity: index for index, entity in enumerate(spans)}
    includes: list[list[int]] = [[] for _ in spans]
    for group, member in split_members(corpus):
        if group in number and member in number:
            includes[number[group]].append(number[member])
    return {"entities": list(spans.values()), "includes": includes, "text": document.text}


FORMAT = Format(
    name="rucoco",
    title="RuCoCo JSON",
    parse=parse,
    write=write,
    unit="character",
    holds=IN_TEXT | {"crossing", "links"},
    looks=(Look(keys="text entities includes"),),
    suffixes=(".json",),
)
