"""UIMA CAS: XMI, JSON, and the archives that INCEpTION exports.

cas-zip, X.zip/TypeSystem.xml:
    <typeSystemDescription/>
X.zip/X.xmi:
    <xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:x="http:///x.ecore">
    <x:Sofa xmi:id="1" sofaString="Ada said her say"/>
    <x:CoreferenceChain xmi:id="2" first="3"/>
    <x:CoreferenceLink xmi:id="3" sofa="1" begin="0" end="3" next="4"/>
    <x:CoreferenceLink xmi:id="4" sofa="1" begin="9" end="12"/></xmi:XMI>
cas-json, X.json:
    {"%TYPES": {}, "%FEATURE_STRUCTURES": [
     {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaString": "Ada said her say"},
     {"%ID": 2, "%TYPE": "x.CoreferenceChain", "@first": 3},
     {"%ID": 3, "%TYPE": "x.CoreferenceLink", "@sofa": 1, "begin": 0, "end": 3, "@next": 4},
     {"%ID": 4, "%TYPE": "x.CoreferenceLink", "@sofa": 1, "begin": 9, "end": 12}]}

A chain refers to its first link, a link has a span and refers to the next link. Offsets count
UTF-16 units. The type system is not needed: the names of types end in Chain and Link.
"""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from corefkit.core.corpus import Corpus, concat
from corefkit.core.incidents import Collector, DataError, data_error
from corefkit.core.options import PLAIN, Reading
from corefkit.core.texts import shorten
from corefkit.formats.format import IN_TEXT, Format, Look
from corefkit.formats.kit.archives import ZipMembers, is_hidden, open_zip
from corefkit.formats.kit.building import (
    file_name,
    note_id_twice,
    note_no_coreference,
    note_repeated_names,
    reader,
    refused,
    whole_number,
)
from corefkit.formats.kit.draft import Draft, corpus_of
from corefkit.formats.kit.json import ShapeError, decode_one, note_shape
from corefkit.formats.kit.tree import read_tree
from corefkit.formats.kit.utf16 import Segments, note_sofa
from corefkit.formats.options import LAYER

_ID = "{http://www.omg.org/XMI}id"
_READ = frozenset({"sofa", "begin", "end", "next"})
_TEXT_TYPES = frozenset({"Token", "Sentence", "DocumentAnnotation", "DocumentMetaData"})
"""The types of annotations that are read, or are not about the text."""


class _Structure(NamedTuple):
    """A feature structure: its line, the namespace and name of its type, its id, its features."""

    line: int
    namespace: str
    type: str
    id: str
    values: dict[str, Any]

    @property
    def first(self) -> str:
        """The id of the first link of a chain; "" for anything else."""
        first = self.values.get("first") if self.type.endswith("Chain") else None
        return "" if first is None else str(first)


@reader
def parse_xmi(data: bytes, path: str, reading: Reading, collector: Collector) -> Corpus:
    """The document of one XMI file."""
    tree = read_tree(data, collector)
    structures = [
        _Structure(line, namespace, e.tag, e.get(_ID, ""), e.attrib)
        for (line, e), namespace in zip(tree, tree.namespaces, strict=True)
    ]
    return _corpus("xmi", structures, data, reading, collector)


@reader
def parse_json(data: bytes, path: str, reading: Reading, collector: Collector) -> Corpus:
    """The document of one JSON file."""
    row = decode_one(data, collector).content
    listed = row.get("%FEATURE_STRUCTURES") if isinstance(row, dict) else None
    if not isinstance(listed, list):
        error = ShapeError("$.%FEATURE_STRUCTURES", "a list of feature structures", listed)
        note_shape(collector, 1, error)
        raise DataError(collector)
    structures = []
    for entry in listed:
        if isinstance(entry, dict):
            namespace, _, type = str(entry.get("%TYPE", "")).rpartition(".")
            values = {name.removeprefix("@"): value for name, value in entry.items()}
            structures.append(_Structure(1, namespace, type, str(entry.get("%ID", "")), values))
    return _corpus("cas-json", structures, data, reading, collector)


def _corpus(
    format: str,
    structures: list[_Structure],
    data: bytes,
    reading: Reading,
    collector: Collector,
) -> Corpus:
    known: dict[str, _Structure] = {}
    segments = Segments()
    for e in structures:
        if e.id in known:
            note_id_twice(collector, e.line, e.id, known[e.id].line)
        if e.id:
            known[e.id] = e
        segments.add(e.type, e.namespace, e.values)
    sofas = {e.id: e.values.get("sofaString") for e in structures if e.type == "Sofa"}
    texts = {id: text for id, text in sofas.items() if isinstance(text, str)}
    if not texts:
        raise refused(collector, "text-missing", expected="a Sofa with its text beside it")
    sofa, text = next(iter(texts.items()))
    chains = [e for e in structures if e.first]
    layer = _layer([e.type for e in chains], reading, collector)
    draft = Draft(file_name(str(collector.file)), collector, text=text, utf16=True)
    draft.segments, draft.reference = segments.placed(text), "link "
    for number, chain in enumerate(chains):
        if chain.type == layer:
            _add_chain(draft, chain, str(number), known, sofa, collector)
    _count_unread(draft, structures, f"{(layer or '').removesuffix('Chain')}Link")
    return corpus_of(format, data, [draft], collector)


def _add_chain(  # noqa: PLR0913, PLR0917 (what a chain refers to)
    draft: Draft,
    chain: _Structure,
    entity: str,
    known: dict[str, _Structure],
    sofa: str,
    collector: Collector,
) -> None:
    """Add the mentions of a chain, link by link."""
    id, line = chain.first, chain.line
    while id:
        if id in draft:
            found, expected = f"link {id}", "each link in one chain, once"
            collector.note("link-in-two-chains", at=line, found=found, expected=expected)
            return
        link = known.get(id)
        if link is None or not link.type.endswith("Link") or "begin" not in link.values:
            draft.known([id], line)
            return
        its_sofa = str(link.values.get("sofa", ""))
        begin, end = (whole_number(str(link.values.get(name))) for name in ("begin", "end"))
        if its_sofa and sofa and its_sofa != sofa:
            note_sofa(collector, line, its_sofa, sofa)
            draft.declare(id, line)
        else:
            run = -1 if begin is None else begin, -1 if end is None else end
            draft.mention(id, [run], line, entity=entity)
        following = link.values.get("next")
        id = "" if following is None else str(following)


def _count_unread(draft: Draft, structures: Iterable[_Structure], read: str) -> None:
    """Count annotations of other types, and features of the links that are read."""
    for e in structures:
        if e.type == read:
            names = [name for name, value in e.values.items() if value and name not in _READ]
            draft.unread.update(n for n in names if n[:1] not in "%^" and "}" not in n)
        elif e.values.keys() >= {"begin", "end"} and e.type not in _TEXT_TYPES:
            draft.unread[e.type] += 1


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
        note_no_coreference(collector, ", ".join(listed or ["none"]), expected)
    return next(iter(chosen), None)


@reader
def parse_zip(data: bytes, path: str, reading: Reading, collector: Collector) -> Corpus:
    """The documents in an archive, which are XMI or JSON files in one folder.

    A single document is named after the archive, several after their files. Files in several
    folders are a project with annotations by several people, which is refused.
    """
    members = _members(open_zip(data, path, reading))
    corpora = []
    for name, content in members.items():
        parse = parse_xmi if name.endswith(".xmi") else parse_json
        corpus = parse(content, path, reading)
        if len(members) > 1:
            names = tuple(file_name(name).rpartition(".")[0] for _ in corpus.names)
            incidents = tuple(replace(i, document=i.document or name) for i in corpus.incidents)
            corpus = replace(corpus, names=names, incidents=incidents)
        corpora.append(corpus)
    corpus = concat(corpora) if len(corpora) > 1 else corpora[0]
    note_repeated_names(collector, corpus.names, [1] * len(corpus.names))
    return replace(corpus, incidents=(*corpus.incidents, *collector))


def _members(archive: ZipMembers) -> dict[str, bytes]:
    """The files with annotations in an archive; DataError if there are none, or in many folders."""
    names = [name for name in archive.names if _is_annotation(name)]
    if not names:
        raise data_error("file-unreadable", "archive-empty", file=archive.path)
    if len({name.rpartition("/")[0] for name in names}) > 1:
        shown = ", ".join(shorten(name, 40) for name in names[:5])
        raise data_error("file-unreadable", "archive-project", file=archive.path, found=shown)
    archive.refuse_large(names)
    return {name: archive.read(name) for name in names}


def _is_annotation(name: str) -> bool:
    """Whether a file of an archive has annotations; hidden files and settings do not count."""
    settings = file_name(name).startswith("exportedproject")
    return name.endswith((".xmi", ".json")) and not is_hidden(name) and not settings


def _has_annotations(data: bytes) -> bool:
    """Whether an archive, perhaps a damaged one, has an annotation beside its type system."""
    try:
        names = [n for n in open_zip(data, "", PLAIN).names if not is_hidden(n)]
    except DataError:
        return b"TypeSystem.xml" in data
    beside = any(name.endswith("TypeSystem.xml") for name in names)
    return any(n.endswith(".xmi") or (n.endswith(".json") and beside) for n in names)


_cas = partial(Format, unit="character", holds=IN_TEXT | {"crossing"}, options=(LAYER,))
XMI = _cas(
    "xmi",
    "UIMA CAS XMI",
    parse_xmi,
    looks=(Look(begins=rb"<", near=rb"<xmi:XMI\b"),),
    suffixes=(".xmi",),
)
JSON = _cas(
    "cas-json",
    "UIMA CAS JSON",
    parse_json,
    looks=(Look(keys="%TYPES"),),
    suffixes=(".json",),
)
ZIP = _cas(
    "cas-zip",
    "UIMA CAS archives",
    parse_zip,
    looks=(Look(begins=rb"PK\x03\x04", test=_has_annotations),),
    suffixes=(".zip",),
)
