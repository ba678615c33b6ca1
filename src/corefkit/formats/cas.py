"""UIMA CAS: XMI, JSON, and the archives that INCEpTION exports.

A chain refers to its first link, a link has a span and refers to the next link. Offsets count
UTF-16 units. The type system is not needed: the names of types end in Chain and Link.
"""

import io
import zipfile
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from corefkit.core.corpus import Corpus, concat
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.core.texts import shorten
from corefkit.formats.kit import building
from corefkit.formats.kit.archives import DAMAGED, damage
from corefkit.formats.kit.building import RawDocument, RawMention
from corefkit.formats.kit.files import max_size
from corefkit.formats.kit.json import ShapeError, decode, note_shape
from corefkit.formats.kit.utf16 import UTF16, Segments, Utf16Offsets
from corefkit.formats.kit.xml import ElementListener, walk
from corefkit.formats.registry import IN_TEXT, Format

_CasLink = tuple[int, int, str | None, str]
"""Begin and end (excluded) in UTF-16 units, the id of the next link, and that of the Sofa."""


@dataclass
class _CasContent:
    """The content of a file.

    Attributes:
        collector: for its problems.
        texts: id of a Sofa → its text.
        links: id → link.
        chains: (type, id of the first link, line) of each chain.
        lines: id → line, of all elements.
        segments: tokens and sentences.
    """

    collector: Collector
    texts: dict[str, str] = field(default_factory=dict)
    links: dict[str, _CasLink] = field(default_factory=dict)
    chains: list[tuple[str, str, int]] = field(default_factory=list)
    lines: dict[str, int] = field(default_factory=dict)
    segments: Segments = field(default_factory=Segments)

    def add(self, type: str, id: str, values: dict[str, Any], line: int = 1) -> None:
        """Add an element of the file if it is a text, a chain or a link."""
        if id in self.lines:
            building.note_id_twice(self.collector, line, id, self.lines[id])
        elif id:
            self.lines[id] = line
        if type == "Sofa" and isinstance(values.get("sofaString"), str):
            self.texts[id] = values["sofaString"]
        elif type.endswith("Chain") and values.get("first") not in (None, ""):
            self.chains.append((type, str(values["first"]), line))
        elif type.endswith("Link") and "begin" in values:
            begin, end = (building.whole_number(str(values.get(x))) for x in ("begin", "end"))
            following = None if values.get("next") is None else str(values["next"])
            place = -1 if begin is None else begin, -1 if end is None else end
            self.links[id] = *place, following, str(values.get("sofa", ""))


class _CasReader(ElementListener):
    """Collects the content of XMI."""

    def __init__(self, collector: Collector) -> None:
        self.content = _CasContent(collector)

    def start(self, path: list[str], attributes: dict[str, str]) -> None:
        id = attributes.get("http://www.omg.org/XMI}id", "")
        self.content.add(path[-1], id, attributes, self.line)
        self.content.segments.add(path[-1], self.namespace, attributes)


def parse_xmi(data: bytes, path: str, reading: Reading) -> Corpus:
    """The document of one XMI file."""
    collector = Collector(path)
    reader = _CasReader(collector)
    if not walk(data, reader, collector):
        return building.nothing(collector)
    return _corpus("xmi", reader.content, data, reading, collector)


def parse_json(data: bytes, path: str, reading: Reading) -> Corpus:
    """The document of one JSON file."""
    collector = Collector(path)
    structures = _structures(data, collector)
    if structures is None:
        return building.nothing(collector)
    content = _CasContent(collector)
    for namespace, type, fields in structures:
        content.add(type, str(fields.get("%ID", "")), fields)
        content.segments.add(type, namespace, fields)
    return _corpus("cas-json", content, data, reading, collector)


def _structures(data: bytes, collector: Collector) -> list[tuple[str, str, dict[str, Any]]] | None:
    """Namespace, type and fields of the feature structures of a JSON file; None if it is broken."""
    values = [value.content for value in decode(data, collector)]
    if len(values) > 1:
        note_shape(
            collector, 1, ShapeError("$", "one object; several documents belong in several files")
        )
    first = next(iter(values), None)
    listed = first.get("%FEATURE_STRUCTURES") if isinstance(first, dict) else None
    if not isinstance(listed, list):
        error = ShapeError("$.%FEATURE_STRUCTURES", "a list of feature structures", listed)
        note_shape(collector, 1, error)
        return None
    structures = []
    for entry in listed:
        if isinstance(entry, dict):
            namespace, _, type = str(entry.get("%TYPE", "")).rpartition(".")
            fields = {name.removeprefix("@"): value for name, value in entry.items()}
            structures.append((namespace, type, fields))
    return structures


def parse_zip(data: bytes, path: str, reading: Reading) -> Corpus:
    """The documents in an archive, which are XMI or JSON files in one folder.

    A single document is named after the archive, several after their files. Files in several
    folders are a project with annotations by several people, which is refused.
    """
    collector = Collector(path)
    try:
        members = _members(data, max_size(reading.max_size), collector)
    except DAMAGED as error:
        collector.note("file-unreadable", "archive", reason=damage(error))
        members = {}
    corpora = []
    for name, content in members.items():
        parse = parse_xmi if name.endswith(".xmi") else parse_json
        corpus = parse(content, path, reading)
        if len(members) > 1:
            names = tuple(building.file_name(name).rpartition(".")[0] for _ in corpus.names)
            incidents = tuple(replace(i, document=i.document or name) for i in corpus.incidents)
            corpus = replace(corpus, names=names, incidents=incidents)
        corpora.append(corpus)
    if not corpora:
        return building.nothing(collector)
    corpus = concat(corpora) if len(corpora) > 1 else corpora[0]
    repetitions = Collector(path)
    building.note_repeated_names(repetitions, corpus.names, [1] * len(corpus.names))
    return replace(corpus, incidents=(*corpus.incidents, *repetitions))


def _members(data: bytes, most: int, collector: Collector) -> dict[str, bytes]:
    """The files with annotations in an archive; none, and an incident, if it is not read."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [i for i in archive.infolist() if _is_annotation(i.filename)]
        names = [i.filename for i in members]
        if not members:
            collector.note("file-unreadable", "archive-empty")
        elif len({name.rpartition("/")[0] for name in names}) > 1:
            shown = ", ".join(shorten(name, 40) for name in names[:5])
            collector.note("file-unreadable", "archive-project", found=shown)
        else:
            return _unpacked(archive, members, most, collector)
    return {}


def _is_annotation(name: str) -> bool:
    """Whether a file of an archive has annotations; hidden files and settings do not count."""
    hidden = any(step.startswith((".", "__MACOSX")) for step in name.split("/"))
    settings = building.file_name(name).startswith("exportedproject")
    return name.endswith((".xmi", ".json")) and not hidden and not settings


def _unpacked(
    archive: zipfile.ZipFile, members: list[zipfile.ZipInfo], most: int, collector: Collector
) -> dict[str, bytes]:
    """The bytes of the members; none, and an incident, if they have more than `most` in all."""
    contents, left = {}, most
    for info in members:
        with archive.open(info) as member:
            content = member.read(left + 1)
        left -= len(content)
        if left < 0:
            collector.note("file-unreadable", "archive-large", most=most)
            return {}
        contents[info.filename] = content
    return contents


def _corpus(
    format: str, content: _CasContent, data: bytes, reading: Reading, collector: Collector
) -> Corpus:
    if not content.texts:
        collector.note("text-missing", expected="a Sofa with its text beside it")
        return building.nothing(collector)
    sofa, text = next(iter(content.texts.items()))
    layer = _layer([type for type, _, _ in content.chains], reading, collector)
    offsets = Utf16Offsets(text)
    mentions: list[RawMention] = []
    taken: set[str] = set()
    for number, (type, first, line) in enumerate(content.chains):
        link: str | None = first
        while type == layer and link is not None:
            if link in taken:
                shown, expected = f"link {link}", "each link in one chain, once"
                collector.note("link-in-two-chains", at=line, found=shown, expected=expected)
                break
            taken.add(link)
            if link not in content.links:
                building.note_unknown(collector, line, f"link {link}")
                break
            begin, end, link, its_sofa = content.links[link]
            if its_sofa and sofa and its_sofa != sofa:
                expected = f"links of Sofa {sofa}, whose text is read"
                collector.note("sofa-differs", at=line, found=f"Sofa {its_sofa}", expected=expected)
                continue
            span = offsets.span(begin, end) if begin < end else None
            if span is None:
                building.note_outside(collector, line, f"{begin} to {end}", offsets.units, UTF16)
                continue
            mentions.append(RawMention(span[0], span[1] - 1, str(number), line))
    name, segments = building.file_name(str(collector.file)), content.segments.placed(text)
    document = RawDocument(name, mentions, text=text, segments=segments)
    return building.make_corpus(format, data, [document], collector, "character")


def _layer(types: list[str], reading: Reading, collector: Collector) -> str | None:
    """The type of chains to read: that of the reading, one with coref in its name, or the first."""
    listed = list(dict.fromkeys(types))
    if reading.get("layer"):
        chosen = [type for type in listed if type == reading.get("layer")]
    else:
        chosen = [type for type in listed if "coref" in type.lower()] or listed
        if len(chosen) > 1:
            collector.note("layer-chosen", "cas", layer=chosen[0], found=", ".join(chosen))
    if not chosen:
        expected = "chains, types whose names end in Chain"
        building.note_no_coreference(collector, ", ".join(listed or ["none"]), expected)
    return next(iter(chosen), None)


class _CasLister(ElementListener):
    """Lists the types and the attributes of all elements of XMI."""

    def __init__(self) -> None:
        self.elements: list[tuple[str, dict[str, Any]]] = []

    def start(self, path: list[str], attributes: dict[str, str]) -> None:
        self.elements.append((path[-1], attributes))


def count_xmi(data: bytes, path: str, reading: Reading) -> dict[str, int]:
    """How many annotations of other types, and features of links, XMI has."""
    lister = _CasLister()
    walk(data, lister, Collector(path))
    return _count_unread(lister.elements, reading)


def count_json(data: bytes, path: str, reading: Reading) -> dict[str, int]:
    """How many annotations of other types, and features of links, JSON has."""
    structures = _structures(data, Collector(path)) or []
    return _count_unread([(type, fields) for _, type, fields in structures], reading)


_READ = frozenset({"sofa", "begin", "end", "next"})
_TEXT_TYPES = frozenset({"Token", "Sentence", "DocumentAnnotation", "DocumentMetaData"})
"""The types of annotations that are read, or are not about the text."""


def _count_unread(elements: list[tuple[str, dict[str, Any]]], reading: Reading) -> dict[str, int]:
    chains = [type for type, fields in elements if type.endswith("Chain") and fields.get("first")]
    read = (_layer(chains, reading, Collector()) or "").removesuffix("Chain") + "Link"
    numbers: Counter[str] = Counter()
    for type, fields in elements:
        if type == read:
            features = [name for name in fields if fields[name] and name not in _READ]
            numbers.update(name for name in features if name[:1] not in "%^" and "}" not in name)
        elif fields.keys() >= {"begin", "end"} and type not in _TEXT_TYPES:
            numbers[type] += 1
    return dict(numbers)


_cas = partial(Format, unit="character", holds=IN_TEXT | {"crossing"}, options=("layer",))
XMI = _cas("xmi", "UIMA CAS XMI", parse_xmi, suffixes=(".xmi",), count_unread=count_xmi)
JSON = _cas("cas-json", "UIMA CAS JSON", parse_json, suffixes=(".json",), count_unread=count_json)
ZIP = _cas("cas-zip", "UIMA CAS archives", parse_zip, suffixes=(".zip",))
