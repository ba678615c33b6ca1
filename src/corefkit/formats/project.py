"""Exports of INCEpTION and WebAnno: all documents of all annotators, in an archive or a folder.

X.zip/annotation/tale.txt/anna.tsv:
    #FORMAT=WebAnno TSV 3.3
    #T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceType

    #Text=Ada slept
    1-1	0-3	Ada	*->1-1
    1-2	4-9	slept	_

Folders that hold everything are ignored. Then `annotation/DOC/USER.zip` and `curation/DOC/…` are a
project, `USER/DOC.xmi` is one by annotator, and files in one folder are a corpus without
annotators. Members are XMI, CAS JSON or WebAnno TSV 3, each perhaps in its own archive; only the
requested ones are unpacked.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from corefkit.core.corpus import Corpus, concat
from corefkit.core.incidents import (
    Collector,
    DataError,
    Incident,
    data_error,
    errors,
    make_incident,
)
from corefkit.core.options import PLAIN, Reading
from corefkit.core.texts import shorten
from corefkit.formats.format import IN_TEXT, Format, Look
from corefkit.formats.kit.annotators import (
    ANNOTATOR,
    CURATION,
    UNFINISHED,
    Annotation,
    choose_annotator,
    named,
    nothing_marked,
)
from corefkit.formats.kit.archives import FolderMembers, Members, failure_told, is_hidden, open_zip
from corefkit.formats.kit.files import max_size
from corefkit.formats.options import LAYER, TYPES
from corefkit.formats.registry import get_format, is_known
from corefkit.formats.registry import parse as parse_any

_LAYOUT = frozenset({"annotation", "curation", "annotation_ser", "curation_ser"})
_OTHER_FOLDERS = frozenset({"source", "log", "guideline", "annotation_ser", "curation_ser"})
_UNNAMED = re.compile(r"webanno\d+export")
_SETTINGS = "exportedproject"
_BEFORE = "INITIAL_CAS"
_CURATOR = "CURATION_USER"
_TSV = b"#FORMAT=WebAnno TSV 3"
_LEFT_OUT = frozenset({"NEW", "IGNORE"})
_UNFINISHED = "IN_PROGRESS"
_ZIP = b"PK\x03\x04"
_ENDINGS = (".zip", ".xmi", ".json", ".tsv")
_IN_LAYOUT = re.compile(r"(?:^|/)(?:annotation|curation)/.+/[^/]+\.(?:zip|xmi|json|tsv)$")


class ProjectMember(NamedTuple):
    """A file of an export with a document of an annotator, or of nobody in particular."""

    file: str
    document: str
    annotator: str | None


class Project:
    """An export: who annotated what, and the corpus of each annotator.

    Attributes:
        path: where it is.
        incidents: what is wrong with it as a whole.
    """

    def __init__(self, members: Members, reading: Reading) -> None:
        self.path, self._members, self._reading = members.path, members, reading
        self._collector = Collector(self.path)
        self._inner: dict[str, tuple[str, bytes]] = {}
        files = [name for name in members.names if not is_hidden(name)]
        size = _wrapping(files)
        self._names = {name[size:]: name for name in files}

    @property
    def incidents(self) -> list[Incident]:
        """What is wrong with the export as a whole."""
        return list(self._collector) if self._files is not None else []

    @property
    def annotations(self) -> list[Annotation]:
        """Who annotated which document, with the state, by document and annotator."""
        return [
            Annotation(m.document, m.annotator, self._states.get((m.document, m.annotator)))
            for m in self._files
        ]

    @cached_property
    def _states(self) -> dict[tuple[str, str | None], str]:
        """(document, annotator) → the state of the annotation, if the export has it."""
        settings = [name for name in self._names if name.startswith(_SETTINGS)]
        states: dict[tuple[str, str | None], str] = {}
        for name in sorted(settings):
            try:
                value = json.loads(self._members.read(self._names[name]))
            except ValueError:
                continue
            listed = value.get("annotation_documents") if isinstance(value, dict) else None
            for entry in listed if isinstance(listed, list) else ():
                if isinstance(entry, dict):
                    document, user = str(entry.get("name")), str(entry.get("user"))
                    states[document, user] = str(entry.get("state"))
        return states

    @cached_property
    def _files(self) -> list[ProjectMember]:
        """The annotations that count, sorted; what is wrong with others is noted."""
        found: dict[tuple[str, str], ProjectMember] = {}
        for member in self._laid_out():
            if self._states.get((member.document, member.annotator)) in _LEFT_OUT:
                continue
            identity = member.document, member.annotator or ""
            if identity in found:
                self._note_twice(member, f"{found[identity].file} and {member.file}")
            elif self._names[member.file] in self._members.repeated:
                self._note_twice(member, f"two files called {member.file}")
            found.setdefault(identity, member)
        if not found and not errors(self._collector):
            self._note_nothing()
        self._members.refuse_large({self._names[member.file] for member in found.values()})
        return [found[identity] for identity in sorted(found)]

    def _laid_out(self) -> Iterator[ProjectMember]:
        """The files with annotations, by the layout of the export."""
        names = [name for name in self._names if name.endswith(_ENDINGS)]
        if any(name.partition("/")[0] in _LAYOUT for name in self._names):
            yield from self._by_document(names)
            return
        names = [name for name in names if self._is_annotation(name)]
        depths = {name.count("/") for name in names}
        for name in names:
            stem = name.rpartition("/")[2].rpartition(".")[0]
            folder = name.partition("/")[0]
            if depths == {1}:
                yield ProjectMember(name, stem, CURATION if folder == _CURATOR else folder)
            elif depths == {0}:
                yield ProjectMember(name, stem, None)
            else:
                self._note_unknown(name)

    def _is_annotation(self, name: str) -> bool:
        """Whether a file in an export without the layout of a project is an annotation."""
        if name.partition("/")[0] in _OTHER_FOLDERS or name.endswith(".json"):
            return False
        return not name.endswith(".tsv") or self._members.head(self._names[name]).startswith(_TSV)

    def _by_document(self, names: Sequence[str]) -> Iterator[ProjectMember]:
        for name in names:
            folder, *steps = name.split("/")
            if folder not in ("annotation", "curation") or len(steps) < 2:
                continue
            document, stem = "/".join(steps[:-1]), steps[-1].rpartition(".")[0]
            if stem == _BEFORE:
                continue
            user = self._user(name, document, stem) if folder == "annotation" else CURATION
            if user is not None and user != _BEFORE:
                yield ProjectMember(name, document, user)

    def _user(self, name: str, document: str, stem: str) -> str | None:
        """The annotator of a file of the layout; None, and an incident, where nothing tells it."""
        if not _UNNAMED.fullmatch(stem):
            return stem
        if name.endswith(".zip"):
            return self._inner_user(name)
        folder = f"annotation_ser/{document}/"
        users = {
            other.removeprefix(folder).removesuffix(".ser")
            for other in self._names
            if other.startswith(folder)
        }
        users -= {_BEFORE}
        if len(users) == 1:
            return users.pop()
        self._note_unknown(name)
        return None

    def _inner_user(self, name: str) -> str | None:
        """The name of the one file in an inner archive; None, and an incident, without."""
        try:
            inner, _ = self._open_inner(name)
        except DataError as error:
            for incident in error.incidents:
                self._collector.add(incident)
            return None
        return inner.rpartition("/")[2].rpartition(".")[0]

    def _note_twice(self, member: ProjectMember, found: str) -> None:
        self._collector.note(
            "document-twice",
            "annotator",
            document=member.document,
            annotator=member.annotator or "nobody",
            found=found,
            expected="one file for a document and an annotator",
        )

    def _note_unknown(self, name: str) -> None:
        if not any(i.id == "annotator-unknown" for i in self._collector):
            expected = "USER.xmi or USER.zip in the folder of the document"
            self._collector.note("annotator-unknown", found=shorten(name), expected=expected)

    def _note_nothing(self) -> None:
        others = [name for name in self._names if not name.startswith(_SETTINGS)]
        first = (others or list(self._names))[:5]
        kind = "a folder" if isinstance(self._members, FolderMembers) else "a zip archive"
        packed = any(name.endswith(".ser") for name in self._names)
        self._collector.note(
            "no-document",
            "serialised" if packed else "project",
            found=f"{kind} with {shorten(', '.join(first), 200) or 'no files'}",
        )

    def corpus(self, annotator: str | None) -> Corpus:
        """The documents of one annotator, or of nobody in particular.

        What is wrong stands among the incidents; documents without annotation have no mentions.
        """
        incidents = list(self.incidents)
        read: list[tuple[str, Corpus]] = []
        for member in self._files:
            if member.annotator != annotator:
                continue
            state = self._states.get((member.document, member.annotator))
            if state == _UNFINISHED and self._reading.get("unfinished") in ("drop", "error"):
                if self._reading.get("unfinished") == "error":
                    incidents.append(self._unfinished(member, refused=True))
                continue
            if state == _UNFINISHED:
                incidents.append(self._unfinished(member))
            read.append((member.file, self._read(member)))
        if len(files := {corpus.unit: file for file, corpus in read if corpus.names}) > 1:
            found = "; ".join(f"{unit}s: {file}" for unit, file in sorted(files.items()))
            expected = "one format for all documents of an annotator"
            incidents.append(
                make_incident("format-mixed", file=self.path, found=found, expected=expected)
            )
            read = []
        corpus = concat([one for _, one in read]) if read else Corpus.from_clusters({})
        return replace(corpus, incidents=(*incidents, *corpus.incidents))

    def _unfinished(self, member: ProjectMember, *, refused: bool = False) -> Incident:
        return make_incident(
            "annotation-unfinished",
            "refused" if refused else "",
            severity="error" if refused else None,
            annotator=member.annotator,
            document=member.document,
            file=self.path,
        )

    def _read(self, member: ProjectMember) -> Corpus:
        """The document of a member, named as the project names it."""
        from corefkit.formats.kit.detection import recognise

        where = f"{self.path}/{member.file}"
        try:
            data = self._content(member)
        except DataError as error:
            return replace(Corpus.from_clusters({}), incidents=error.incidents)
        plain = replace(self._reading.with_options(annotator=None), format=None)
        kind = recognise(data)
        if kind is not None and is_known(kind):
            corpus = get_format(kind).parse(data, where, plain)
        else:
            corpus = parse_any(data, where, PLAIN)
        # Who marked nothing has an empty document.
        told = tuple(i for i in corpus.incidents if i.id != "no-coreference")
        corpus = replace(corpus, incidents=told)
        if not corpus.names:
            return corpus
        sources = tuple(replace(source, path=self.path) for source in corpus.sources)
        return named(replace(corpus, sources=sources), member.document)

    def _content(self, member: ProjectMember) -> bytes:
        if not member.file.endswith(".zip"):
            return self._members.read(self._names[member.file])
        return self._open_inner(member.file)[1]

    def _open_inner(self, name: str) -> tuple[str, bytes]:
        """The one file of an inner archive; DataError where there is not one."""
        if name not in self._inner:
            members = self._members.inner(self._names[name])
            real = [n for n in members.names if not is_hidden(n)]
            files = [n for n in real if not n.endswith("TypeSystem.xml")]
            if len(files) != 1:
                shown = shorten(", ".join(files), 120) or "no files"
                expected = "one file beside TypeSystem.xml"
                raise self._bad_member(f"{shorten(name)}: {shown}", expected)
            content = members.read(files[0])
            if content.startswith(_ZIP):
                shown = f"{shorten(name)}: {shorten(files[0])} is an archive, too"
                raise self._bad_member(shown, "an annotation in the inner archive")
            self._inner[name] = files[0], content
        return self._inner[name]

    def _bad_member(self, found: str, expected: str) -> DataError:
        return data_error("project-member", file=self.path, found=found, expected=expected)


def _wrapping(names: Sequence[str]) -> int:
    """How many characters at the beginning of all names are folders that hold everything."""
    size = 0
    while names:
        tops = {name[size:].partition("/")[:2] for name in names}
        top, slash = next(iter(tops))
        if len(tops) > 1 or not slash or top in _LAYOUT:
            return size
        size += len(top) + 1
    return 0


def open_folder(path: str, reading: Reading) -> Project | None:
    """The export in a folder; None if the folder is an ordinary corpus of files.

    It is an export if it has the settings or the layout of one, or if the folders of several people
    have documents with the same name.
    """
    members = FolderMembers(path, max_size(reading.max_size))
    files = [name for name in members.names if not is_hidden(name)]
    size = _wrapping(files)
    names = [name[size:] for name in files]
    if any(name.startswith(_SETTINGS) and name.endswith(".json") for name in names):
        return Project(members, reading)
    layout = any(name.startswith(("annotation/", "curation/")) for name in names)
    documents = [name.rpartition("/")[2] for name in names if name.endswith((".xmi", ".tsv"))]
    people = all(name.count("/") == 1 for name in names) and len({*documents}) < len(documents)
    return Project(members, reading) if layout or people else None


def _is_project(data: bytes) -> bool:
    """Whether an archive is an export, by its files."""
    try:
        members = open_zip(data, "", PLAIN)
        names = [name for name in members.names if not is_hidden(name)]
        if any(n.rpartition("/")[2].startswith(_SETTINGS) and n.endswith(".json") for n in names):
            return True
        if any(_IN_LAYOUT.search(name) for name in names):
            return True
        texts = [n for n in names if n.endswith((".xmi", ".zip"))]
        with failure_told(""):
            tables = [n for n in names if n.endswith(".tsv") and members.head(n).startswith(_TSV)]
    except DataError:
        return False
    return len(texts) > 1 or bool(tables) or any(n.endswith(".zip") for n in texts)


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The documents of one annotator of an archive, or of nobody in particular."""
    try:
        return read_project(Project(open_zip(data, path, reading), reading), reading)
    except DataError as error:
        return replace(Corpus.from_clusters({}), incidents=error.incidents)


def read_project(project: Project, reading: Reading) -> Corpus:
    """The documents of the annotator to be read, see `choose_annotator`."""
    annotations = project.annotations
    if errors(project.incidents):
        return replace(Corpus.from_clusters({}), incidents=tuple(project.incidents))
    annotator = choose_annotator(annotations, reading, project.path)
    corpus = project.corpus(annotator)
    if annotator is None and corpus.names and not corpus.mentions and not errors(corpus.incidents):
        raise nothing_marked(project.path)
    return corpus


def list_annotations(data: bytes, path: str, reading: Reading) -> list[Annotation]:
    """Who annotated which documents of an archive; none where it cannot be read."""
    try:
        project = Project(open_zip(data, path, reading), reading)
        annotations = project.annotations
    except DataError:  # said when it is read
        return []
    return [] if errors(project.incidents) else annotations


FORMAT = Format(
    name="project",
    title="exports of INCEpTION and WebAnno",
    parse=parse,
    unit="character",
    holds=IN_TEXT | {"crossing"},
    options=(LAYER, ANNOTATOR, UNFINISHED, TYPES),
    looks=(Look(begins=rb"PK\x03\x04", test=_is_project),),
    suffixes=(".zip",),
    annotations=list_annotations,
)
