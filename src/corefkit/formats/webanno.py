"""WebAnno TSV 3: one token per line, and layers of annotation in columns that a header declares.

X.tsv:
    #FORMAT=WebAnno TSV 3.3
    #T_SP=webanno.custom.Referent|entity|infstat
    #T_RL=webanno.custom.Coref|type|BT_webanno.custom.Referent

    #Text=Ada saw her
    1-1	0-3	Ada	person[1]	new[1]	coref	1-3[2_1]
    1-2	4-7	saw	_	_	_	_
    1-3	8-11	her	person[2]	giv[2]	_	_

The number of an annotation is in brackets; a relation has its source and its target. In a layer of
chains (T_CH) a value such as *->3-1 is the first link of chain 3.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.core.texts import shorten
from corefkit.formats.format import IN_WORDS, Format, Look, WrittenFiles
from corefkit.formats.kit.building import (
    encode_lines,
    file_places,
    lines_of,
    note_no_coreference,
    reader,
    stem,
)
from corefkit.formats.kit.content import Content, contents
from corefkit.formats.kit.draft import Draft, corpus_of
from corefkit.formats.kit.files import refuse_output
from corefkit.formats.options import LAYER, TYPES

_UNIT = re.compile(r"((\d+)-\d+)(?:\.\d+)?")
_ITEM = re.compile(r"(?:\\.|[^|\\])+")
_NUMBERED = re.compile(r"(.*?)(?:->\d+-\d+|(?<!\\)\[(\d{1,18})\])?", re.DOTALL)
_LINK = re.compile(r".*->(\d{1,18})-(\d{1,18})")
_TARGET = re.compile(r"(\d+-\d+(?:\.\d+)?)(?:\[(\d{1,18})_(\d{1,18})\])?")
_ESCAPED = re.compile(r"\\(.)")
_BRIDGE = "bridge"
"""The beginning of bridging relations in GUM; all others are identity."""
CHAINS = "de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink"


class _Layer(NamedTuple):
    """A layer: its kind (SP spans, CH chains, RL relations), its type, the columns it has from
    `first` to `last`, the names of its features, and the span layer of a relation layer.
    """

    kind: str
    name: str
    first: int
    last: int
    features: list[str]
    base: str


class _Token(NamedTuple):
    """A row: its line, its id, its cells, and its number in the document."""

    line: int
    id: str
    cells: list[str]
    number: int


@reader
def parse(data: bytes, path: str, reading: Reading, collector: Collector) -> Corpus:
    """The document of one file."""
    lines = lines_of(data)
    layers = [*_layers(lines)]
    layer = _choose(layers, reading, collector)
    if layer is None:
        listed = ", ".join(declared.name for declared in layers) or "none"
        expected = 'a chain layer, or a relation layer with "coref" in its name'
        note_no_coreference(collector, f"the layers {listed}", expected)
    needed = 3 if layer is None else max((declared.last + 1 for declared in layers), default=3)
    words, lengths, tokens, sentence = [], [0] * 0, [], ""
    for line, content in enumerate(lines, 1):
        cells = content.split("\t")
        if not content[:1].isdigit() or not (unit := _UNIT.fullmatch(cells[0])):
            continue
        if cells[-1] == "":
            cells.pop()
        if len(cells) < needed:
            found, expected = f"{len(cells)} columns", f"{needed} columns"
            collector.note("columns-differ", "header", at=line, found=found, expected=expected)
            continue
        if unit[1] == cells[0]:
            words.append(cells[2])
            lengths += [0] * (unit[2] != sentence)
            lengths[-1], sentence = lengths[-1] + 1, unit[2]
        if words:
            tokens.append(_Token(line, cells[0], cells, len(words) - 1))
    draft = Draft(stem(path, ".tsv"), collector, words=words, lengths=lengths)
    base = next(
        (one for one in layers if layer and one.kind == "SP" and one.name == layer.base), None
    )
    if layer is not None and layer.kind == "CH":
        _add_chains(draft, tokens, layer)
    elif layer is not None:
        if base is not None:
            _add_spans(draft, tokens, base)
        _add_relations(draft, tokens, layer, reading, collector)
    for other in layers:
        if base is None or other.name != base.name or other.kind != "SP":
            _count_unread(draft, tokens, other)
    return corpus_of("webanno", data, [draft], collector)


def _layers(lines: Sequence[str]) -> Iterator[_Layer]:
    """The layers that the header declares, in the order of their columns."""
    column = 3
    for line in lines:
        if line.startswith("#Text="):
            return
        if line.startswith("#T_"):
            kind, _, declared = line[3:].partition("=")
            name, *listed = declared.split("|")
            features = [f for f in listed if not f.startswith("BT_")]
            base = next((f[3:] for f in listed if f.startswith("BT_")), "")
            width = max(len(features), 1) + (kind == "RL")
            yield _Layer(kind, name, column, column + width - 1, features, base)
            column += width


def _choose(layers: list[_Layer], reading: Reading, collector: Collector) -> _Layer | None:
    """The coreference layer: that of the reading, or one with coref in its name, or chains."""
    usable = [layer for layer in layers if layer.kind in ("CH", "RL")]
    if reading.get("layer"):
        return next((layer for layer in usable if layer.name.endswith(reading.get("layer"))), None)
    chains = [layer for layer in usable if layer.kind == "CH"]
    coref = [layer for layer in (*chains, *usable) if "coref" in layer.name.lower()]
    if not coref and len(chains) > 1:
        names = ", ".join(layer.name for layer in chains)
        collector.note("layer-chosen", found=shorten(names, 120))
    return next(iter((*coref, *chains)), None)


class _Mention(NamedTuple):
    """A mention while it is read: its line, its entity if it has a chain, tokens and labels."""

    line: int
    entity: str | None
    tokens: list[int]
    labels: dict[str, str]


def _add_chains(draft: Draft, tokens: list[_Token], layer: _Layer) -> None:
    """Add the links of the chains."""
    mentions: dict[str, _Mention] = {}
    for token in tokens:
        for item in _items(token.cells[layer.first]):
            if link := _LINK.fullmatch(item):
                made = _Mention(token.line, link[1], [], {})
                mentions.setdefault(f"{link[1]}-{link[2]}", made).tokens.append(token.number)
    _add_mentions(draft, mentions)


def _add_spans(draft: Draft, tokens: list[_Token], base: _Layer) -> None:
    """Add the annotations of a span layer, with their features as labels."""
    mentions: dict[str, _Mention] = {}
    for token in tokens:
        for number, item in enumerate(_items(token.cells[base.first])):
            id = _id(_value(item)[1], token.id)
            if id not in mentions:
                mentions[id] = _Mention(token.line, None, [], _labels(base, number, token.cells))
            mentions[id].tokens.append(token.number)
    _add_mentions(draft, mentions)


def _add_mentions(draft: Draft, mentions: dict[str, _Mention]) -> None:
    """Add mentions, each a run of tokens."""
    for id, (line, entity, tokens, labels) in mentions.items():
        if tokens[-1] - tokens[0] + 1 > len({*tokens}):
            expected = "tokens that follow one another"
            draft.refuse(id, line, "mention-gap", f"mention {id}", expected)
        else:
            run = tokens[0], tokens[-1] + 1
            draft.mention(id, [run], line, entity=entity, labels=labels)


def _add_relations(
    draft: Draft, tokens: list[_Token], layer: _Layer, reading: Reading, collector: Collector
) -> None:
    """Add the links of identity, and bridging."""
    identity = reading.listed("types")
    for token in tokens:
        if token.cells[layer.first] == token.cells[layer.last] == "_":
            continue
        values, targets = _items(token.cells[layer.first]), _items(token.cells[layer.last])
        if len(values) != len(targets):
            found = f"{len(values)} values, {len(targets)} targets"
            expected = "one target for each value"
            collector.note("lists-differ", at=token.line, found=found, expected=expected)
            continue
        for value, target in zip(values, targets, strict=True):
            if (match := _TARGET.fullmatch(target)) is None:
                continue
            ends = [_id(match[2], match[1]), _id(match[3], token.id)]
            if value in identity if identity else not value.startswith(_BRIDGE):
                draft.link(ends, token.line)
            elif value.startswith(_BRIDGE):
                label = value.removeprefix(_BRIDGE).removeprefix(":")
                draft.bridge(ends, token.line, label)


def _id(number: str | None, token: str) -> str:
    """The id of an annotation: its number, or the token of one without."""
    return number if number and number.strip("0") else token


def _items(cell: str) -> list[str]:
    """The values of a cell, which bars separate unless they are escaped; none for `_`."""
    items = _ITEM.findall(cell) if "\\" in cell else cell.split("|")
    return [item for item in items if item and item != "_"]


def _value(item: str) -> tuple[str, str]:
    """The value of an item, and the number of its annotation, "" if it has none."""
    match = _NUMBERED.fullmatch(item)
    assert match is not None
    return match[1], match[2] or ""


def _labels(base: _Layer, number: int, cells: list[str]) -> dict[str, str]:
    """The features of a mention, whose values are at this place in their cells."""
    labels = {}
    for feature, cell in zip(base.features, cells[base.first :], strict=False):
        items = _items(cell)
        value = _value(items[number])[0] if number < len(items) else "*"
        if value != "*":
            labels["etype" if feature == "entity" else feature] = _ESCAPED.sub(r"\1", value)
    return labels


def _count_unread(draft: Draft, tokens: list[_Token], layer: _Layer) -> None:
    """Count the values of the features of a layer, each annotation once, whatever tokens it has.

    Bridging relations are read. A feature without a name has that of its layer.
    """
    for column, feature in enumerate(layer.features, layer.first):
        found = set()
        for token in tokens:
            for index, item in enumerate(_items("".join(token.cells[column : column + 1]))):
                value, number = _value(item)
                if value != "*" and not (layer.kind == "RL" and value.startswith(_BRIDGE)):
                    span = layer.kind == "SP" and number.strip("0") and number
                    found.add(span or f"{token.id} {index}")
        draft.unread[feature or layer.name or "(no name)"] += len(found)


def write(corpus: Corpus, path: str) -> WrittenFiles:
    """The chain layer, which every installation has; several files are put into a folder."""
    listed = list(contents(corpus))
    _refuse_large(listed)
    names = file_places(path, corpus.names, (".tsv",))
    written = zip(names, (encode_lines(_lines(content)) for content in listed), strict=True)
    return WrittenFiles(dict(written), [])


def _refuse_large(documents: Sequence[Content]) -> None:
    """Raise DataError if the links, which are repeated at each of their tokens, are too many."""
    size = 0
    for content in documents:
        for chain, (_, spans) in enumerate(content.entities, 1):
            for link, (start, end) in enumerate(spans, 1):
                size += (end - start + 1) * len(f"*->{chain}-{link}|*[{chain}]|")
    refuse_output("WebAnno TSV", size)


def _lines(content: Content) -> Iterator[str]:
    yield "#FORMAT=WebAnno TSV 3.3\n"
    yield f"#T_CH={CHAINS}|referenceRelation|referenceType\n\n"
    begins: dict[int, list[tuple[int, int]]] = {}
    ends: dict[int, list[tuple[int, int]]] = {}
    for chain, (_, spans) in enumerate(content.entities, 1):
        for link, (start, end) in enumerate(spans, 1):
            begins.setdefault(start, []).append((chain, link))
            ends.setdefault(end + 1, []).append((chain, link))
    links: list[tuple[int, int]] = []  # those that are open, in order, and their two cells
    relations: list[str] = []
    types: list[str] = []
    token = at = 0
    for number, sentence in enumerate(content.sentences, 1):
        words = [" ".join(word.split()) for word in sentence]
        yield f"\n#Text={' '.join(words)}\n"
        for index, word in enumerate(words, 1):
            end = at + len(word.encode("utf-16-le", "surrogatepass")) // 2
            for pair in ends.get(token, ()):
                where = bisect_left(links, pair)
                del links[where], relations[where], types[where]
            for pair in begins.get(token, ()):
                where = bisect_left(links, pair)
                links.insert(where, pair)
                relations.insert(where, f"*->{pair[0]}-{pair[1]}")
                types.insert(where, f"*[{pair[0]}]")
            relation, type = "|".join(relations) or "_", "|".join(types) or "_"
            yield f"{number}-{index}\t{at}-{end}\t{word}\t{relation}\t{type}\t\n"
            token, at = token + 1, end + 1


FORMAT = Format(
    name="webanno",
    title="WebAnno TSV 3 (WebAnno, INCEpTION, GUM)",
    parse=parse,
    write=write,
    holds=IN_WORDS | {"crossing"},
    options=(LAYER, TYPES),
    looks=(Look(begins=rb"#FORMAT=WebAnno TSV 3"),),
    suffixes=(".tsv",),
)
