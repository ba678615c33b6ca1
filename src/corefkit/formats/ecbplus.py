"""ECB+: tokens, markables anchored to tokens, and relations that join markables."""

from collections import Counter

from corefkit.core.columns import run_lengths
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.links import components
from corefkit.core.mention_columns import runs_of
from corefkit.core.options import Reading, UsageError
from corefkit.formats.kit import building
from corefkit.formats.kit.building import RawDocument, mention_of_runs
from corefkit.formats.kit.xml import ElementListener, walk
from corefkit.formats.registry import IN_WORDS, Format, are_written

_LAYERS = ("events", "entities")
_RELATIONS = ("INTRA_DOC_COREF", "CROSS_DOC_COREF")


class _EcbMarkable:
    """A markable: its type, attributes and line, and the ids of its tokens (`anchors`)."""

    def __init__(self, type: str, attributes: dict[str, str], line: int) -> None:
        self.type, self.attributes, self.line = type, attributes, line
        self.anchors: list[str] = []


class _EcbReader(ElementListener):
    """Collects tokens, markables and relations."""

    def __init__(self) -> None:
        self.name: str | None = None
        self.words: list[str] = []
        self.sentence: list[str] = []
        self.number: dict[str, int] = {}
        self.markables: dict[str, _EcbMarkable] = {}
        self.twice: list[tuple[int, str, int]] = []
        self.relations: list[tuple[str, str, int, list[str]]] = []
        self._last: _EcbMarkable | None = None

    def start(self, path: list[str], attributes: dict[str, str]) -> None:
        if path[-1] == "Document":
            self.name = attributes.get("doc_name")
        elif path[-1] == "token":
            self.number.setdefault(attributes.get("t_id", ""), len(self.words))
            self.sentence.append(attributes.get("sentence", ""))
        elif path[-2:-1] == ["Markables"]:
            name = attributes.get("m_id", "")
            self._last = _EcbMarkable(path[-1], attributes, self.line)
            if name in self.markables:
                self.twice.append((self.line, name, self.markables[name].line))
            self.markables.setdefault(name, self._last)
        elif path[-1] == "token_anchor" and self._last:
            self._last.anchors.append(attributes.get("t_id", ""))
        elif path[-2:-1] == ["Relations"]:
            note = attributes.get("note", "")
            self.relations.append((path[-1], note, self.line, []))
        elif path[-1] in ("source", "target") and self.relations:
            self.relations[-1][3].append(attributes.get("m_id", ""))

    def end(self, path: list[str], text: str) -> None:
        if path[-1] == "token":
            self.words.append(text)


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The document of one file: events and entities, or one of the two with `layer`."""
    if reading.get("layer") not in (None, *_LAYERS):
        raise UsageError(f"layer: ECB+ has {' and '.join(_LAYERS)}, not {reading.get('layer')!r}")
    collector = Collector(path)
    reader = _EcbReader()
    if not walk(data, reader, collector):
        return building.nothing(collector)
    for line, name, first in reader.twice:
        building.note_id_twice(collector, line, name, first)
    labels, links = _links(reader, collector)
    entity = components(reader.markables, links)
    names = {entity[name]: label for name, label in labels.items()}
    mentions = []
    for name, markable in reader.markables.items():
        if reading.get("layer") and reading.get("layer") != _layer(markable):
            continue
        unknown = [anchor for anchor in markable.anchors if anchor not in reader.number]
        if unknown:
            place = f"token {unknown[0]}"
            building.note_outside(collector, markable.line, place, len(reader.words))
        elif markable.anchors:
            runs = runs_of(sorted({reader.number[a] for a in markable.anchors}))
            label = names.get(entity[name], f"{reader.name} {entity[name]}")
            mentions.append(mention_of_runs(runs, label, markable.line))
    if labels:
        collector.note("cross-document", number=len(labels))
    lengths = run_lengths(reader.sentence)
    document = RawDocument(reader.name, mentions, words=reader.words, lengths=lengths)
    return building.make_corpus("ecbplus", data, [document], collector)


def _layer(markable: _EcbMarkable) -> str:
    return "events" if markable.type.removeprefix("NEG_").startswith("ACTION") else "entities"


def _links(
    reader: _EcbReader, collector: Collector
) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """The names of entities that span documents, by one of their markables; and all links."""
    labels: dict[str, str] = {}
    links: list[tuple[str, str]] = []
    first: dict[str, str] = {}
    for type, note, line, ends in reader.relations:
        if type not in _RELATIONS:
            continue
        for name in ends:
            if name not in reader.markables:
                building.note_unknown(collector, line, name)
        known = [name for name in ends if name in reader.markables]
        links += [(known[0], other) for other in known[1:]]
        if known and note:
            links.append((first.setdefault(note, known[0]), known[0]))
            labels[known[0]] = note
    return labels, links


_PLACE = "m_id"
_NAME = "instance_id"


def topic_of(name: str) -> str:
    """The topic of a document: the part of its name before the first `_`."""
    return name.partition("_")[0]


def count_unread(data: bytes, path: str, reading: Reading) -> dict[str, int]:
    """How many types and attributes of markables, and other relations, a Corpus cannot hold.

    The name of an instance is held if it is that of an entity.
    """
    reader = _EcbReader()
    walk(data, reader, Collector(path))
    numbers: Counter[str] = Counter()
    names = {note for type, note, _, _ in reader.relations if type in _RELATIONS}
    for markable in reader.markables.values():
        if reading.get("layer") and reading.get("layer") != _layer(markable):
            continue
        numbers["type"] += bool(markable.anchors)
        for name, value in markable.attributes.items():
            held = name == _PLACE or (name == _NAME and value in names)
            numbers[name] += bool(value.strip()) and not held
    numbers["relation"] += sum(type not in _RELATIONS for type, _, _, _ in reader.relations)
    return dict(+numbers)


FORMAT = Format(
    "ecbplus",
    "ECB+ XML",
    parse,
    holds=IN_WORDS | {"crossing", "parts"},
    options=("layer",),
    suffixes=(".xml",),
    count_unread=count_unread,
    topic=topic_of,
    shared_ids=are_written,
)
