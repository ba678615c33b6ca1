"""WebAnno TSV 3: one token per line, and layers of annotation in columns that a header declares."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from corefkit.core.carriers import frozen
from corefkit.core.columns import run_lengths
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.links import KINDS, Links, components
from corefkit.core.options import Reading
from corefkit.core.texts import shorten
from corefkit.formats.kit import building
from corefkit.formats.kit.building import RawDocument, RawMention
from corefkit.formats.kit.content import Content, contents
from corefkit.formats.kit.files import refuse_output
from corefkit.formats.registry import IN_WORDS, Format, WrittenFiles

_ESCAPED = re.compile(r"\\(.)")
_UNIT = re.compile(r"((\d+)-\d+)(?:\.\d+)?")
_ITEM = re.compile(r"(?:\\.|[^|\\])+")
_NUMBER = re.compile(r"(?<!\\)\[(\d{1,18})\]$")
_VALUE = re.compile(r"(.*?)(?:->\d+-\d+|\[(\d{1,18})\])?", re.DOTALL)
_LINK = re.compile(r".*->(\d{1,18})-(\d{1,18})")
_TARGET = re.compile(r"(\d+-\d+(?:\.\d+)?)(?:\[(\d{1,18})_(\d{1,18})\])?")
_DIGITS = 18
"""The most digits of the number of an annotation."""
_BRIDGE = "bridge"
"""The beginning of bridging relations in GUM; all others are identity."""
CHAINS = "de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink"


@frozen
class _Layer:
    """A layer of annotation.

    Attributes:
        kind: SP (spans), CH (chains) or RL (relations).
        name: its type.
        first, columns: its first column, and how many it has.
        base: the span layer of a relation layer.
        features: the names of its features.
    """

    kind: str
    name: str
    first: int
    columns: int
    base: str = ""
    features: tuple[str, ...] = ()


@dataclass
class _TsvMentions:
    """The annotation of a file while it is read.

    Attributes:
        layer, base: the layer of coreference, and its span layer if it has relations.
        types: the relations that are identity; empty: all but bridging.
        tokens: mention → its tokens, ascending.
        lines: mention → its first line.
        rows: mention → its row in the corpus, for those that are in it.
        links: (mention, mention, line) of identity relations.
        bridges: (anaphor, anchor, relation, line).
        labels: feature → mention → value.
    """

    layer: _Layer
    base: _Layer | None
    types: tuple[str, ...] = ()
    tokens: dict[str, list[int]] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)
    links: list[tuple[str, str, int]] = field(default_factory=list)
    bridges: list[tuple[str, str, str, int]] = field(default_factory=list)
    labels: dict[str, dict[str, str]] = field(default_factory=dict)

    def add(self, mention: str, token: int, line: int) -> bool:
        """Add a token to a mention; return whether it is the first."""
        if mention in self.tokens:
            self.tokens[mention].append(token)
            return False
        self.tokens[mention] = [token]
        self.lines[mention] = line
        return True

    def add_labels(self, mention: str, place: int, cells: list[str]) -> None:
        """Add the features of a mention, whose values are at this place in their cells."""
        assert self.base is not None
        for feature, cell in zip(self.base.features, cells[self.base.first :], strict=False):
            items = _items(cell)
            value = _label(items[place]) if place < len(items) else "*"
            if value != "*":
                name = "etype" if feature == "entity" else feature
                self.labels.setdefault(name, {})[mention] = value


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The document of one file."""
    collector = Collector(path)
    lines = building.lines_of(data)
    layers = list(_layers(lines))
    layer = _choose(layers, reading, collector)
    if layer is None:
        listed = ", ".join(declared.name for declared in layers) or "none"
        expected = 'a chain layer, or a relation layer with "coref" in its name'
        building.note_no_coreference(collector, f"the layers {listed}", expected)
        return building.make_corpus("webanno", data, [_unannotated(lines, path)], collector)
    base = next((span for span in layers if span.kind == "SP" and span.name == layer.base), None)
    annotation = _TsvMentions(layer, base, reading.listed("types"))
    needed = 3 + sum(declared.columns for declared in layers)
    words, lengths = _read_tokens(lines, needed, annotation, collector)
    mentions = list(_mentions(annotation, collector))
    labels = {
        name: [values.get(mention, "") for mention in annotation.rows]
        for name, values in annotation.labels.items()
    }
    name = building.stem(path, ".tsv")
    document = RawDocument(name, mentions, words=words, lengths=lengths, labels=labels)
    corpus = building.make_corpus("webanno", data, [document], collector)
    return replace(corpus, links=_bridging(annotation))


def _unannotated(lines: Sequence[str], path: str) -> RawDocument:
    """The document of a file without a coreference layer: its words, without mentions."""
    cells = [line.split("\t") for line in lines if line[:1].isdigit()]
    tokens = [c for c in cells if len(c) > 2 and "." not in c[0]]
    lengths = run_lengths([c[0].partition("-")[0] for c in tokens])
    words = [c[2] for c in tokens]
    return RawDocument(building.stem(path, ".tsv"), [], words=words, lengths=lengths)


def _layers(lines: Sequence[str]) -> Iterator[_Layer]:
    """The layers that the header declares, in the order of their columns."""
    column = 3
    for line in lines:
        if line.startswith("#Text="):
            return
        if not line.startswith("#T_"):
            continue
        kind, _, declared = line[3:].partition("=")
        name, *features = declared.split("|")
        base = next((f[3:] for f in features if f.startswith("BT_")), "")
        features = [f for f in features if not f.startswith("BT_")]
        number = max(len(features), 1) + (kind == "RL")
        yield _Layer(kind, name, column, number, base, tuple(features))
        column += number


def _choose(layers: list[_Layer], reading: Reading, collector: Collector) -> _Layer | None:
    """The coreference layer: that of the reading, or one with coref in its name, or chains."""
    usable = [layer for layer in layers if layer.kind in ("CH", "RL")]
    if reading.get("layer"):
        return next((layer for layer in usable if layer.name.endswith(reading.get("layer"))), None)
    chains = [layer for layer in usable if layer.kind == "CH"]
    called_coref = [layer for layer in (*chains, *usable) if "coref" in layer.name.lower()]
    if not called_coref and len(chains) > 1:
        names = ", ".join(layer.name for layer in chains)
        collector.note("layer-chosen", found=shorten(names, 120))
    return next(iter((*called_coref, *chains)), None)


def _read_tokens(
    lines: Sequence[str], needed: int, annotation: _TsvMentions, collector: Collector
) -> tuple[list[str], list[int]]:
    """The words and the lengths of sentences; annotations are added on the way."""
    words: list[str] = []
    lengths: list[int] = []
    sentence = ""
    for number, content in enumerate(lines, 1):
        if not content[:1].isdigit():
            continue
        cells = content.split("\t")
        if not (unit := _UNIT.fullmatch(cells[0])):
            continue
        if cells[-1] == "":
            cells.pop()
        if len(cells) < needed:
            found, expected = f"{len(cells)} columns", f"{needed} columns"
            collector.note("columns-differ", "header", at=number, found=found, expected=expected)
            continue
        if unit[1] == cells[0]:
            words.append(cells[2])
            if unit[2] != sentence:
                lengths.append(0)
                sentence = unit[2]
            lengths[-1] += 1
        if words:
            _add_cells(cells, len(words) - 1, number, annotation, collector)
    return words, lengths


def _add_cells(
    cells: list[str], token: int, line: int, annotation: _TsvMentions, collector: Collector
) -> None:
    """Add the mentions and relations in the cells of one token."""
    layer, base = annotation.layer, annotation.base
    if layer.kind == "CH":
        for item in _items(cells[layer.first]):
            if link := _LINK.fullmatch(item):
                annotation.add(f"{link[1]}-{link[2]}", token, line)
        return
    if base is not None and cells[base.first] != "_":
        for order, number in enumerate(_numbers(cells[base.first])):
            mention = number or f"@{cells[0]}"
            if annotation.add(mention, token, line):
                annotation.add_labels(mention, order, cells)
    if cells[layer.first] == cells[layer.first + layer.columns - 1] == "_":
        return
    values = _items(cells[layer.first])
    targets = _items(cells[layer.first + layer.columns - 1])
    if len(values) != len(targets):
        both = f"{len(values)} values, {len(targets)} targets"
        collector.note("lists-differ", at=line, found=both, expected="one target for each value")
        return
    for value, target in zip(values, targets, strict=True):
        bridge = value.startswith(_BRIDGE)
        identity = value in annotation.types if annotation.types else not bridge
        place = _TARGET.fullmatch(target)
        if not place or not (identity or bridge):
            continue
        source = place[2] if place[2] and place[2] != "0" else f"@{place[1]}"
        here = place[3] if place[3] and place[3] != "0" else f"@{cells[0]}"
        if identity:
            annotation.links.append((source, here, line))
        else:
            relation = value.removeprefix(_BRIDGE).removeprefix(":")
            annotation.bridges.append((source, here, relation, line))


@lru_cache(maxsize=1 << 12)  # neighbours share cells
def _numbers(cell: str) -> list[str]:
    """The numbers of the mentions in a cell; "" for one without, which has one token."""
    matches = (_NUMBER.search(item) for item in _items(cell))
    return [number[1].strip("0") and number[1] if number else "" for number in matches]


def _items(cell: str) -> list[str]:
    """The values of a cell, which bars separate unless they are escaped; none for `_`."""
    items = _ITEM.findall(cell) if "\\" in cell else cell.split("|")
    return [item for item in items if item and item != "_"]


def _mentions(annotation: _TsvMentions, collector: Collector) -> Iterator[RawMention]:
    """The mentions, each a run of tokens; problems are reported."""
    links = [
        (source, target)
        for source, target, line in annotation.links
        if _are_known(source, target, line, annotation, collector)
    ]
    entity = components(annotation.tokens, links)
    for name, tokens in annotation.tokens.items():
        first, last = tokens[0], tokens[-1]
        if last - first + 1 != len(tokens) and last - first + 1 > len(set(tokens)):
            line, expected = annotation.lines[name], "tokens that follow one another"
            collector.note("mention-gap", at=line, found=f"mention {name}", expected=expected)
            continue
        label = name.partition("-")[0] if annotation.layer.kind == "CH" else str(entity[name])
        annotation.rows[name] = len(annotation.rows)
        yield RawMention(first, last, label, annotation.lines[name])
    annotation.bridges = [
        (anaphor, anchor, relation, line)
        for anaphor, anchor, relation, line in annotation.bridges
        if _are_known(anaphor, anchor, line, annotation, collector)
    ]


def _are_known(
    source: str, target: str, line: int, annotation: _TsvMentions, collector: Collector
) -> bool:
    """Whether both ends of a relation are mentions; the first that is not is reported."""
    missing = [name for name in (source, target) if name not in annotation.tokens]
    if missing:
        building.note_unknown(collector, line, missing[0].removeprefix("@"))
    return not missing


def _bridging(annotation: _TsvMentions) -> Links | None:
    """The bridging relations between mentions that were read."""
    rows = annotation.rows
    ends = [
        (rows[anaphor], rows[anchor], relation)
        for anaphor, anchor, relation, _ in annotation.bridges
        if anaphor in rows and anchor in rows
    ]
    if not ends:
        return None
    source, target, relations = zip(*ends, strict=True)
    kind = np.full(len(ends), KINDS.index("bridging"))
    return Links(kind, np.array(source), np.array(target), relations)


def count_unread(data: bytes, path: str, reading: Reading) -> dict[str, int]:
    """How many values of features of links and of other layers, which are not read, a file has.

    A value of an annotation with several tokens counts once. Bridging relations are read, and so
    are the features of mentions, as labels. A feature without a name has that of its layer.
    """
    lines = building.lines_of(data)
    layers = list(_layers(lines))
    chosen = _choose(layers, reading, Collector())
    if chosen is not None:
        layers = [layer for layer in layers if layer.kind != "SP" or layer.name != chosen.base]
    values: dict[str, set[str]] = {}
    for content in lines:
        cells = content.split("\t")
        if not content[:1].isdigit() or not _UNIT.fullmatch(cells[0]):
            continue
        for layer in layers:
            for feature, cell in zip(layer.features, cells[layer.first :], strict=False):
                for place, item in enumerate(_items(cell)):
                    value, number = _value(item)
                    if value == "*" or (layer.kind == "RL" and value.startswith(_BRIDGE)):
                        continue
                    span = number.strip("0") and layer.kind == "SP" and number
                    annotation = f"{layer.name} {span or f'{cells[0]} {place}'}"
                    values.setdefault(feature or layer.name or "(no name)", set()).add(annotation)
    return {feature: len(annotations) for feature, annotations in values.items()}


def _label(item: str) -> str:
    """The value of an item, without the number of its annotation and without escapes."""
    value, bracket, number = item.rpartition("[")
    digits = number[:-1]
    if not bracket or number[-1:] != "]" or not (digits.isdecimal() and digits.isascii()):
        value = _value(item)[0] if "->" in item or bracket else item
    elif len(digits) > _DIGITS:
        value = item
    return _ESCAPED.sub(r"\1", value) if "\\" in value else value


def _value(item: str) -> tuple[str, str]:
    """The value of an item, and the number of its annotation, "" if it has none."""
    match = _VALUE.fullmatch(item)
    assert match is not None
    return match[1], match[2] or ""


def write(corpus: Corpus, path: str) -> WrittenFiles:
    """The chain layer, which every installation has; several files are put into a folder."""
    from corefkit.formats.kit.convert import reduce

    reduced, incidents = reduce(corpus, frozenset({"crossing"}))
    places = [f"{place}.tsv" for place in building.places(path.removesuffix(".tsv"), reduced.names)]
    listed = list(contents(reduced))
    _refuse_large(listed)
    written = {}
    for place, content in zip([path] if len(places) == 1 else places, listed, strict=True):
        written[place] = building.encode_lines(_lines(content))
    return WrittenFiles(written, incidents)


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
        for place, word in enumerate(words, 1):
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
            yield f"{number}-{place}\t{at}-{end}\t{word}\t{relation}\t{type}\t\n"
            token, at = token + 1, end + 1


FORMAT = Format(
    name="webanno",
    title="WebAnno TSV 3 (WebAnno, INCEpTION, GUM)",
    parse=parse,
    write=write,
    holds=IN_WORDS | {"crossing"},
    options=("layer", "types"),
    suffixes=(".tsv",),
    count_unread=count_unread,
)
