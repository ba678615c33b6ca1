"""ECB+: tokens, markables with the tokens they anchor, and relations that join markables."""

import numpy as np

from corefkit.data.components import components
from corefkit.data.corpus import Corpus
from corefkit.data.incidents import Collector, Incident, make_incident
from corefkit.data.options import UsageError
from corefkit.data.tokens import ListedTokens, TokenTable
from corefkit.formats import building
from corefkit.formats.building import File, Mention
from corefkit.formats.registry import Format, Reading
from corefkit.formats.xml import Elements, walk

_LAYERS = ("events", "entities")
_RELATIONS = ("INTRA_DOC_COREF", "CROSS_DOC_COREF")


class _Markable:
    """A markable: its type, its tokens, its line."""

    def __init__(self, type: str, line: int) -> None:
        self.type, self.line = type, line
        self.anchors: list[str] = []


class _Reader(Elements):
    """Gathers tokens, markables and relations."""

    def __init__(self) -> None:
        self.name: str | None = None
        self.words: list[str] = []
        self.sentence: list[str] = []
        self.number: dict[str, int] = {}
        self.markables: dict[str, _Markable] = {}
        self.twice: list[tuple[int, str, int]] = []
        self.relations: list[tuple[str, str, int, list[str]]] = []
        self._last: _Markable | None = None

    def start(self, path: list[str], attributes: dict[str, str]) -> None:
        if path[-1] == "Document":
            self.name = attributes.get("doc_name")
        elif path[-1] == "token":
            self.number.setdefault(attributes.get("t_id", ""), len(self.words))
            self.sentence.append(attributes.get("sentence", ""))
        elif path[-2:-1] == ["Markables"]:
            name = attributes.get("m_id", "")
            self._last = _Markable(path[-1], self.line)
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
    if reading.layer not in (None, *_LAYERS):
        raise UsageError(f"layer: ECB+ has {' and '.join(_LAYERS)}, not {reading.layer!r}")
    found = Collector(path)
    reader = _Reader()
    if not walk(data, path, reader, found):
        return building.nothing(found)
    for line, name, first in reader.twice:
        found.add(building.id_twice(path, line, name, first))
    labels, links = _links(reader, path, found)
    entity = components(reader.markables, links)
    names = {entity[name]: label for name, label in labels.items()}
    mentions = []
    for name, markable in reader.markables.items():
        if reading.layer and reading.layer != _layer(markable):
            continue
        unknown = [anchor for anchor in markable.anchors if anchor not in reader.number]
        if unknown:
            size = len(reader.words)
            found.add(building.outside(path, markable.line, f"token {unknown[0]}", size))
        elif markable.anchors:
            parts = building.runs_of(sorted({reader.number[a] for a in markable.anchors}))
            several = tuple(parts) if len(parts) > 1 else ()
            label = names.get(entity[name], f"{reader.name} {entity[name]}")
            place = parts[0][0], parts[-1][1]
            mentions.append(Mention(*place, label, markable.line, several))
    if labels:
        found.add(_across(path, len(labels)))
    file = File(path, data, reader.name, len(reader.words), _tokens(reader))
    return building.one_document(file, mentions, found)


def _layer(markable: _Markable) -> str:
    return "events" if markable.type.removeprefix("NEG_").startswith("ACTION") else "entities"


def _links(
    reader: _Reader, path: str, found: Collector
) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """The names of entities over documents, by one of their markables; and all links."""
    labels: dict[str, str] = {}
    links: list[tuple[str, str]] = []
    same: dict[str, str] = {}
    for type, note, line, ends in reader.relations:
        if type not in _RELATIONS:
            continue
        for name in ends:
            if name not in reader.markables:
                found.add(building.unknown(path, line, name))
        known = [name for name in ends if name in reader.markables]
        links += [(known[0], other) for other in known[1:]]
        if known and note:
            links.append((same.setdefault(note, known[0]), known[0]))
            labels[known[0]] = note
    return labels, links


def _tokens(reader: _Reader) -> ListedTokens:
    before = reader.sentence[:1] + reader.sentence
    change = [a != b for a, b in zip(reader.sentence, before, strict=False)]
    table = TokenTable(reader.words, np.cumsum(change, dtype=np.int64))
    return ListedTokens("ecbplus", lambda _: table)


def _across(path: str, number: int) -> Incident:
    return make_incident(
        "cross-document",
        number=number,
        file=path,
    )


FORMAT = Format(
    name="ecbplus",
    title="ECB+ XML",
    parse=parse,
    holds=frozenset({"singletons", "crossing", "parts", "words", "sentences", "names"}),
    suffixes=(".xml",),
)
