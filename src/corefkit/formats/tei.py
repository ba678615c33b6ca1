"""TEI: `<rs ref="#x">` in the text of `<text>`; each `ref` names an entity."""

import re
from collections import Counter

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.formats.kit import building
from corefkit.formats.kit.building import RawDocument, RawMention
from corefkit.formats.kit.xml import ElementListener, walk
from corefkit.formats.registry import IN_TEXT, Format

_WRAPPER = re.compile(rb"(\xef\xbb\xbf)?\s*<#root>\s*")
_READ = frozenset({"ref", "http://www.w3.org/XML/1998/namespace}id"})
_WRAPPER_END = re.compile(rb"</#root>\s*\Z")


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The document of one file."""
    collector = Collector(path)
    plain = _unwrapped(data)
    if plain is not data:
        collector.note("xml-wrapped", at=1)
    reader = _TeiReader()
    if not walk(plain, reader, collector):
        return building.nothing(collector)
    if not reader.mentions:
        expected = '<rs ref="#entity"> in <text>'
        building.note_no_coreference(collector, "no <rs> with a ref", expected)
    name, text = building.file_name(path), "".join(reader.pieces)
    document = RawDocument(name, reader.mentions, text=text, paragraphs=reader.paragraphs or None)
    return building.make_corpus("tei", data, [document], collector, "character")


def _unwrapped(data: bytes) -> bytes:
    """The file without the wrapper element that some tools add; the data itself if it has none."""
    wrapper = _WRAPPER.match(data)
    return _WRAPPER_END.sub(b"", data[wrapper.end() :]) if wrapper else data


def count_unread(data: bytes, path: str, reading: Reading) -> dict[str, int]:
    """How many attributes mentions have besides `ref` and `xml:id`."""
    del reading
    reader = _TeiReader()
    walk(_unwrapped(data), reader, Collector(path))
    return dict(reader.unread)


class _TeiReader(ElementListener):
    """Collects the text, its paragraphs and the mentions."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.mentions: list[RawMention] = []
        self.paragraphs: list[int] = []
        self._size = 0
        self._open: list[tuple[int, int, str]] = []
        self.unread: Counter[str] = Counter()

    def start(self, path: list[str], attributes: dict[str, str]) -> None:
        if path[-1] == "rs" and "text" in path[:-1]:
            self._open.append((self._size, self.line, attributes.get("ref", "")))
            self.unread.update(name for name in attributes if name not in _READ)
        elif path[-1] == "p" and "text" in path[:-1]:
            self.paragraphs.append(self._size)

    def end(self, path: list[str], text: str) -> None:
        if path[-1] == "rs" and "text" in path[:-1]:
            start, line, reference = self._open.pop()
            entities = dict.fromkeys(name.removeprefix("#") for name in reference.split())
            if self._size > start:
                self.mentions += [RawMention(start, self._size - 1, e, line) for e in entities]

    def text(self, path: list[str], piece: str) -> None:
        if "text" in path:
            self.pieces.append(piece)
            self._size += len(piece)


FORMAT = Format(
    "tei",
    'TEI with <rs ref="#entity">',
    parse,
    unit="character",
    holds=IN_TEXT,
    suffixes=(".xml",),
    count_unread=count_unread,
)
