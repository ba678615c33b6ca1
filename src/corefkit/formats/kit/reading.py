"""From the names of files to a Corpus, according to the options of a `Reading`.

Among several answers of language models, a bad one counts as a document without mentions.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Literal, Unpack

import numpy as np

from corefkit.core import progress
from corefkit.core.corpus import Corpus, concat
from corefkit.core.incidents import (
    Collector,
    DataError,
    Incident,
    Place,
    data_error,
    errors,
    failure_as_incident,
    make_incident,
)
from corefkit.core.names import file_stem, path_name, repeated
from corefkit.core.options import (
    PLAIN,
    FileChoices,
    Reading,
)
from corefkit.formats import registry
from corefkit.formats.kit import files
from corefkit.formats.options import make_reading
from corefkit.formats.table import ANYTHING

if TYPE_CHECKING:
    from corefkit.formats.kit.building import RawDocument
    from corefkit.formats.kit.link_lists import LinkList


_LONG = 10_000_000
"""Bytes of a file that takes a while to read."""


def read(
    path: str | PathLike[str],
    *,
    role: Literal["key", "response"] = "key",
    columns: str | Iterable[str] | Mapping[str, str] = (),
    missing: str | Iterable[str] = (),
    **how: Unpack[FileChoices],
) -> Corpus:
    """The corpus in a file (also `.gz`), `-`, a directory or a glob; several files are pooled.

    The format is detected from the content. Keywords are those of the command line: format="e2e",
    clusters="predicted_clusters", ends="exclusive", layer=…, relations=…, types=…; `role` says
    which side to take from a JSON file that holds both.

    The `incidents` of the corpus are the warnings. Raises DataError if a file cannot be read or is
    broken, UsageError for a keyword or a format that does not exist.
    """
    return read_all(
        path, make_reading(role=role, columns=columns, missing=missing, **how)
    ).checked()


def read_all(
    path: str | PathLike[str], reading: Reading = PLAIN, loaded: Mapping[str, bytes] | None = None
) -> Corpus:
    """Like `read`, but errors are among the incidents, and the corpus may then be incomplete.

    `loaded` maps the files that the path stands for to their unpacked bytes, if the caller has
    read them already. Raises DataError only if there is nothing to read or the files differ in
    format.
    """
    with files.failure_to_read(path_name(path)):
        return _read_all(path, reading, loaded)


def _read_all(
    path: str | PathLike[str], reading: Reading, loaded: Mapping[str, bytes] | None
) -> Corpus:
    if loaded is None and (corpus := _of_annotator(path_name(path), reading)) is not None:
        return corpus
    if loaded is None:
        listed = files.expand(path_name(path))
        files.refuse_what_does_not_fit(listed)
        loaded = {name: files.load(name, reading.max_size) for name in listed}
    names, kind = [*loaded], reading.format
    if len(names) > 1 and not kind:
        kind = _common_kind(loaded, reading)
        if kind != ANYTHING and registry.is_known(kind):  # an empty file has no annotations
            reading = replace(reading, format=kind)
    told = progress.told(loaded.items(), "files", len(names))
    corpora = [_parse(name, data, reading) for name, data in told]
    if len(names) == 1:
        return corpora[0]
    if reading.role == "response" and any(errors(corpus.incidents) for corpus in corpora):
        corpora = without_broken(corpora)
    if len({corpus.unit for corpus in corpora if corpus.names}) > 1:
        raise _mixed({c.unit: c.sources[0].path for c in corpora if c.sources})
    corpus = concat([_named_by_file(corpus) for corpus in corpora])
    if kind and registry.is_known(kind) and registry.get_format(kind).continues:
        from corefkit.formats.kit.mention_values import as_one_table

        corpus = as_one_table(corpus)
    return replace(corpus, incidents=(*corpus.incidents, *_in_two_files(corpus)))


def _of_annotator(path: str, reading: Reading) -> Corpus | None:
    """The corpus of the annotator that a path names, or of a folder or pattern with annotators.

    None if the path means ordinary files.
    """
    if "#" not in path and "{" not in path and not os.path.isdir(path):
        return None
    from corefkit.formats.kit import annotators

    base, name = annotators.split_annotator(path)
    how = reading if name is None else reading.with_options(annotator=name)
    if annotators.is_pattern(base):
        return annotators.read_pattern(base, how)
    if os.path.isdir(base):
        from corefkit.formats.project import open_folder, read_project

        project = open_folder(base, how)
        if project is not None:
            return read_project(project, how)
    if name is None:
        return None
    corpus = read_all(base, how)
    if any(i.id == "option-unused" and "annotator" in i.message for i in corpus.incidents):
        raise annotators.unknown_annotator(base, name)
    return corpus


def read_links(path: str | PathLike[str], reading: Reading = PLAIN) -> "list[LinkList]":
    """The links of files with their scores, one LinkList per file in a format that has links.

    Their problems are among the incidents of the lists.
    """
    from corefkit.formats.kit.detection import detect

    lists = []
    for name in files.expand(path_name(path)):
        data = files.load(name, reading.max_size)
        with failure_as_incident(name):
            kind = reading.format or detect(data)
            find = registry.get_format(kind).find_links if registry.is_known(kind) else None
            links = find(data, name, reading) if find else None
        if links is not None:
            lists.append(links)
    return lists


def _common_kind(loaded: Mapping[str, bytes], reading: Reading) -> str:
    """The format of several files; DataError if there are several.

    Among answers of language models, a file of any other kind is also an answer.
    """
    from corefkit.formats.kit.detection import recognise

    files: dict[str, list[str]] = {}
    for name, data in loaded.items():
        if data.strip(b" \t\r\n"):
            with failure_as_incident(name):
                kind = recognise(data) or ""
            if registry.is_known(kind):
                kind = registry.get_format(kind).mixes_with or kind
            files.setdefault(kind, []).append(name)
    if len(files) > 1 and reading.role == "response":
        files = only_answers(files)
    kinds = {kind or ANYTHING: names[0] for kind, names in files.items()}
    if len(kinds) > 1:
        raise _mixed(kinds)
    return next(iter(kinds), ANYTHING)


def _mixed(formats: dict[str, str]) -> DataError:
    listed = "; ".join(f"{name}: {file}" for name, file in sorted(formats.items()))
    return data_error("format-mixed", found=listed, expected="one format")


def _named_by_file(corpus: Corpus) -> Corpus:
    """The corpus in which documents without a name are named after their files."""
    if not any(source.unnamed for source in corpus.sources):
        return corpus
    names = list(corpus.names)
    for source in corpus.sources:
        stem = file_stem(source.path)
        for number in source.unnamed:
            alone = source.documents == 1
            names[source.first_document + number] = stem if alone else f"{stem}_{number}"
    sources = tuple(replace(source, unnamed=frozenset()) for source in corpus.sources)
    return replace(corpus, names=tuple(names), sources=sources)


def _parse(name: str, data: bytes, reading: Reading) -> Corpus:
    """The corpus of a file."""
    if len(data) > _LONG:
        progress.at(f"reading {name}")
    try:
        with failure_as_incident(name):
            return registry.parse(data, name, reading)
    except MemoryError:
        raise files.out_of_memory(name) from None


def _in_two_files(corpus: Corpus) -> list[Incident]:
    """One incident for all documents that are in several files: often each file is a response."""
    reported = {i.document for i in corpus.incidents if i.id == "document-twice"}
    repetitions = [twice for twice in repeated(corpus.names) if twice[0] not in reported]
    if not repetitions:
        return []
    name, first, again = repetitions[0]
    here, there = (corpus.document_place(at).file for at in (again, first))
    number = len({name for name, _, _ in repetitions})
    return [
        make_incident(
            "document-twice",
            "files" if number > 1 else "file",
            number=number,
            files=len(corpus.sources),
            file=here,
            document=name,
            found=f"also in {there}",
            expected="each document once; names must match in full, parts included",
            count=len(repetitions),
        )
    ]


def only_answers(files: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Only the commonest format, if its files are answers and more than all other known ones.

    Otherwise all files by format. A model that refuses to answer marks nothing, so that the format
    is unknown (""); other answers may look like anything.
    """
    known = [kind for kind in files if kind and registry.is_known(kind)]
    most = max(known, key=lambda kind: len(files[kind]), default="")
    others = sum(len(names) for kind, names in files.items() if kind not in ("", most))
    if not most or not registry.get_format(most).answers or others >= len(files[most]):
        return {**files}
    return {most: files[most]}


def without_broken(corpora: Sequence[Corpus]) -> list[Corpus]:
    """The corpora of several files; answers with errors lose all mentions.

    If all have errors, they stay as they are.
    """
    broken = [bool(errors(corpus.incidents)) and _has_answers(corpus) for corpus in corpora]
    if all(broken):
        return [*corpora]
    return [
        without_mentions(corpus) if bad else corpus
        for corpus, bad in zip(corpora, broken, strict=True)
    ]


def _has_answers(corpus: Corpus) -> bool:
    return any(registry.format_of(source).answers for source in corpus.sources)


def without_mentions(corpus: Corpus) -> Corpus:
    """The corpus without mentions, and with one incident instead of its errors."""
    none = corpus.take(np.zeros(corpus.mentions, dtype=bool))
    return replace(none, incidents=(broken_answer(errors(corpus.incidents)),))


def settle_answers(
    answers: "Iterable[tuple[RawDocument, Sequence[Incident]]]",
    reading: Reading,
    collector: Collector,
) -> "list[RawDocument]":
    """The documents of one file; in a response, answers with errors lose all mentions.

    If all have errors, they stay as they are. The incidents are added to the collector.
    """
    listed = list(answers)
    broken = [bool(errors(incidents)) for _, incidents in listed]
    forgiving = reading.role == "response" and not all(broken)
    documents = []
    for (document, incidents), bad in zip(listed, broken, strict=True):
        if bad and forgiving:
            collector.add(replace(broken_answer(errors(incidents)), document=document.name))
            documents.append(replace(document, mentions=[]))
            continue
        for incident in incidents:
            collector.add(incident)
        documents.append(document)
    return documents


def broken_answer(incidents: Sequence[Incident]) -> Incident:
    """The incident for an answer with these errors, at the place of the first one."""
    first = incidents[0]
    place = Place(first.file, first.line, first.column, first.document)
    number = sum(incident.count for incident in incidents)
    more = f" (and {number - 1:,} more)" if number > 1 else ""
    return make_incident("answer-broken", at=place, found=f"{first.message}{more}")
