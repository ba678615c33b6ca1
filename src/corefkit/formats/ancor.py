"""ANCOR TEI, as URS exports it: words in the text, spans and links of them in the stand-off."""

from collections import Counter
from collections.abc import Container
from dataclasses import dataclass, field

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.links import components
from corefkit.core.options import Reading
from corefkit.core.ragged import runs_of
from corefkit.core.texts import shorten
from corefkit.formats._kit import building
from corefkit.formats._kit.building import RawDocument, RawMention, mention_of_runs
from corefkit.formats._kit.xml import ElementListener, walk
from corefkit.formats.registry import IN_WORDS, Format

_XML_ID = "http://www.w3.org/XML/1998/namespace}id"
_WORDS = frozenset({"w", "pc"})
_SENTENCES = frozenset({"u", "s"})
_RUNS, _LISTS, _EXPLETIVE = "mention", "mention.discontinuous", "expletive"
_MENTIONS = frozenset({_RUNS, _LISTS, _EXPLETIVE})
_CHAIN, _BRIDGING = "chain", "associative_anaphora"


@dataclass
class _AncorReader(ElementListener):
    """Gathers the words, the spans and the links.

    `spans` are (group, attributes, line) by id, `links` (group, ids, line), `features` are counted.
    """

    words: list[str] = field(default_factory=list)
    number: dict[str, int] = field(default_factory=dict)
    lengths: list[int] = field(default_factory=lambda: [0])
    spans: dict[str, tuple[str, dict[str, str], int]] = field(default_factory=dict)
    links: list[tuple[str, list[str], int]] = field(default_factory=list)
    features: Counter[str] = field(default_factory=Counter)
    _group: str = ""

    def start(self, path: list[str], attributes: dict[str, str]) -> None:
        kind = path[-1]
        if kind in _WORDS:
            self.number[attributes.get(_XML_ID, "")] = len(self.words)
            self.lengths[-1] += 1
        elif kind in _SENTENCES:
            self.lengths.append(0)
        elif kind in ("spanGrp", "linkGrp"):
            self._group = _plain(attributes).get("subtype", "")
        elif kind == "span":
            id = attributes.get(_XML_ID) or f"span on line {self.line}"
            self.spans[id] = self._group, _plain(attributes), self.line
        elif kind == "link":
            self.links.append((self._group, _ids(_plain(attributes).get("target")), self.line))
        elif kind == "f":
            self.features[_plain(attributes).get("name", "feature")] += 1

    def end(self, path: list[str], text: str) -> None:
        if path[-1] in _WORDS:
            self.words.append(text.strip())


def _plain(attributes: dict[str, str]) -> dict[str, str]:
    """The attributes without their namespaces."""
    return {name.rpartition("}")[2]: value for name, value in attributes.items()}


def _ids(text: str | None) -> list[str]:
    return [name.removeprefix("#") for name in (text or "").split()]


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The document of one file."""
    del reading
    found = Collector(path)
    reader = _AncorReader()
    if not walk(data, reader, found):
        return building.nothing(found)
    spans = {id: span for id, span in reader.spans.items() if span[0] in _MENTIONS}
    if not spans:
        wanted = f'<spanGrp subtype="{_RUNS}">'
        building.note_no_coreference(found, "no spans that are mentions", wanted)
        return building.nothing(found)
    chains = _known([link for link in reader.links if link[0] == _CHAIN], spans, found)
    entity = components(spans, [(chain[0], id) for chain in chains for id in chain])
    rows: dict[str, RawMention] = {}
    for id, (_, attributes, line) in spans.items():
        runs = _runs(attributes, line, reader.number, found)
        if runs:
            rows[id] = mention_of_runs(runs, str(entity[id]), line)
    bridges = _known([link for link in reader.links if link[0] == _BRIDGING], spans, found)
    row = {id: at for at, id in enumerate(rows)}
    bridging = [
        (row[ends[0]], row[ends[1]]) for ends in bridges if len(ends) > 1 and row.keys() >= {*ends}
    ]
    referring = [spans[id][0] != _EXPLETIVE for id in rows]
    document = RawDocument(
        building.stem(path, ".xml", ".tei"),
        list(rows.values()),
        words=reader.words,
        lengths=reader.lengths,
        bridging=bridging,
        referring=None if all(referring) else referring,
    )
    return building.make_corpus("ancor-tei", data, [document], found)


def _known(
    links: list[tuple[str, list[str], int]], spans: Container[str], found: Collector
) -> list[list[str]]:
    """The mentions that each link joins; those that are not there are reported."""
    known = []
    for _, ids, line in links:
        for id in ids:
            if id not in spans:
                building.note_unknown(found, line, id)
        if ends := [id for id in ids if id in spans]:
            known.append(ends)
    return known


def _runs(
    attributes: dict[str, str], line: int, number: dict[str, int], found: Collector
) -> list[tuple[int, int]]:
    """The runs of words of a span; none, and an incident, where a word is not there."""
    listed = _ids(attributes.get("target"))
    ends = listed or _ids(attributes.get("from")) + _ids(attributes.get("to"))
    for id in ends:
        if id not in number:
            expected = "the xml:id of a <w> or <pc>"
            found.note("token-unknown", at=line, found=shorten(id), expected=expected)
            return []
    if listed:
        return runs_of(sorted({number[id] for id in listed}))
    if len(ends) != 2 or number[ends[1]] < number[ends[0]]:
        shown = shorten(" ".join(ends) or "no words")
        found.note("span-empty", "text", at=line, found=shown, expected="from and to, in order")
        return []
    return [(number[ends[0]], number[ends[1]])]


def count_unread(data: bytes, path: str, reading: Reading) -> dict[str, int]:
    """How many features a file has, and spans and links of other kinds."""
    del reading
    reader = _AncorReader()
    walk(data, reader, Collector(path))
    groups = [*(span[0] for span in reader.spans.values()), *(link[0] for link in reader.links)]
    read = _MENTIONS | {_CHAIN, _BRIDGING}
    other = Counter(group or "span" for group in groups if group not in read)
    return dict(reader.features + other)


FORMAT = Format(
    name="ancor-tei",
    title="ANCOR TEI",
    parse=parse,
    holds=IN_WORDS | {"crossing", "parts", "links", "referring"},
    suffixes=(".tei",),
    count_unread=count_unread,
)
