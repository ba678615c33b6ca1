"""UIMA CAS: XMI, JSON, and the archives that INCEpTION exports.

A chain names its first link, a link its span and the next link. Offsets count UTF-16 units. The
type system is not needed: types are recognised by their names, which end in Chain and Link.
"""

import io
import zipfile
import zlib
from bisect import bisect_left
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate
from typing import Any

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.formats._kit import building
from corefkit.formats._kit.building import RawDocument, RawMention
from corefkit.formats._kit.compression import max_size
from corefkit.formats._kit.json import ShapeError, decode, note_shape
from corefkit.formats._kit.xml import ElementListener, walk
from corefkit.formats.registry import IN_TEXT, Format

_CasLink = tuple[int, int, str | None]
"""Begin, end (not included) in UTF-16 units, and the id of the next link."""


@dataclass
class _CasContent:
    """What a file holds: texts, links by id, and chains as (type, first link), with lines."""

    texts: list[str] = field(default_factory=list)
    links: dict[str, _CasLink] = field(default_factory=dict)
    chains: list[tuple[str, str, int]] = field(default_factory=list)

    def add(self, type: str, id: str, values: dict[str, Any], line: int = 1) -> None:
        """An element of the file, if it is a text, a chain or a link."""
        if type == "Sofa" and isinstance(values.get("sofaString"), str):
            self.texts.append(values["sofaString"])
        elif type.endswith("Chain") and values.get("first") not in (None, ""):
            self.chains.append((type, str(values["first"]), line))
        elif type.endswith("Link") and "begin" in values:
            begin, end = (building.whole_number(str(values.get(x))) for x in ("begin", "end"))
            following = None if values.get("next") is None else str(values["next"])
            place = -1 if begin is None else begin, -1 if end is None else end
            self.links[id] = *place, following


class _CasReader(ElementListener):
    """Gathers the content of XMI."""

    def __init__(self) -> None:
        self.content = _CasContent()

    def start(self, path: list[str], attributes: dict[str, str]) -> None:
        id = attributes.get("http://www.omg.org/XMI}id", "")
        self.content.add(path[-1], id, attributes, self.line)


def parse_xmi(data: bytes, path: str, reading: Reading) -> Corpus:
    """The document of one XMI file."""
    found = Collector(path)
    reader = _CasReader()
    if not walk(data, reader, found):
        return building.nothing(found)
    return _corpus(reader.content, data, reading, found)


def parse_json(data: bytes, path: str, reading: Reading) -> Corpus:
    """The document of one JSON file."""
    found = Collector(path)
    first = next((value.content for value in [*decode(data, found)]), None)
    listed = first.get("%FEATURE_STRUCTURES") if isinstance(first, dict) else None
    if not isinstance(listed, list):
        error = ShapeError("$.%FEATURE_STRUCTURES", "a list of feature structures", listed)
        note_shape(found, 1, error)
        return building.nothing(found)
    content = _CasContent()
    for entry in listed:
        if isinstance(entry, dict):
            type = str(entry.get("%TYPE", "")).rpartition(".")[2]
            fields = {name.removeprefix("@"): value for name, value in entry.items()}
            content.add(type, str(entry.get("%ID")), fields)
    return _corpus(content, data, reading, found)


def parse_zip(data: bytes, path: str, reading: Reading) -> Corpus:
    """The document in an archive: its XMI or JSON."""
    found = Collector(path)
    most = max_size(reading.max_size)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            inside = [i for i in archive.infolist() if i.filename.endswith((".xmi", ".json"))]
            if not inside:
                found.note("file-unreadable", "archive-empty")
                return building.nothing(found)
            with archive.open(inside[0]) as member:
                content = member.read(most + 1)
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, RuntimeError, ValueError) as error:
        found.note("file-unreadable", "archive", reason=str(error))
        return building.nothing(found)
    if len(content) > most:
        found.note("file-unreadable", "archive-large", most=most)
        return building.nothing(found)
    parse = parse_xmi if inside[0].filename.endswith(".xmi") else parse_json
    return parse(content, path, reading)


def _corpus(content: _CasContent, data: bytes, reading: Reading, found: Collector) -> Corpus:
    if not content.texts:
        found.note("text-missing", expected="a Sofa with its text beside it")
        return building.nothing(found)
    text = content.texts[0]
    layer = _layer([type for type, _, _ in content.chains], reading, found)
    places = _places(text)
    mentions: list[RawMention] = []
    taken: set[str] = set()
    for number, (type, first, line) in enumerate(content.chains):
        link: str | None = first
        while type == layer and link is not None and link not in taken:
            taken.add(link)
            if link not in content.links:
                building.note_unknown(found, line, f"link {link}")
                break
            begin, end, link = content.links[link]
            if not 0 <= begin < end <= places[-1]:
                where = f"{begin} to {end}, in UTF-16 units"
                building.note_outside(found, line, where, len(text), "characters")
                continue
            start, last = bisect_left(places, begin), bisect_left(places, end) - 1
            mentions.append(RawMention(start, last, str(number), line))
    document = RawDocument(building.file_name(str(found.file)), mentions, text=text)
    return building.make_corpus("cas", data, [document], found, "character")


def _places(text: str) -> list[int]:
    """The UTF-16 unit at which each character begins, and where the last one ends."""
    return list(accumulate((1 + (ord(character) > 0xFFFF) for character in text), initial=0))


def _layer(types: list[str], reading: Reading, found: Collector) -> str | None:
    """The type of the chains that are read: the one asked for, else one with coref in its name."""
    listed = list(dict.fromkeys(types))
    if reading.layer:
        chosen = [type for type in listed if type == reading.layer]
    else:
        chosen = [type for type in listed if "coref" in type.lower()] or listed
        if len(chosen) > 1:
            found.note("layer-chosen", "cas", layer=chosen[0], found=", ".join(chosen))
    if not chosen:
        wanted = "chains, types whose names end in Chain"
        building.note_no_coreference(found, ", ".join(listed or ["none"]), wanted)
    return next(iter(chosen), None)


_cas = partial(Format, unit="character", holds=IN_TEXT | {"crossing"}, options=("layer",))
XMI = _cas("xmi", "UIMA CAS XMI", parse_xmi, suffixes=(".xmi",))
JSON = _cas("cas-json", "UIMA CAS JSON", parse_json, suffixes=(".json",))
ZIP = _cas("cas-zip", "UIMA CAS archives", parse_zip, suffixes=(".zip",))
