"""From the names of files to a Corpus."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from os import PathLike, fspath

from corefkit.data.corpus import Corpus, concat
from corefkit.data.incidents import Incident
from corefkit.formats import ahead, files, registry
from corefkit.formats.conll.diagnosis import repeated
from corefkit.formats.registry import Reading

_PLAIN = Reading()
_TOGETHER = 1 << 21
"""Small files are parsed together, up to so many bytes."""
_PARTS = 8
"""Files that cannot be parsed together are tried again in so many parts, then one by one."""


def read(path: str | PathLike[str], reading: Reading = _PLAIN) -> Corpus:
    """The corpus in a file (also `.gz`), `-`, a directory or a glob; several files are pooled.

    Its `incidents` are the warnings. Raises DataError if a file cannot be read or is broken.
    """
    return read_all(path, reading).checked()


def read_all(path: str | PathLike[str], reading: Reading = _PLAIN) -> Corpus:
    """Like `read`, but errors stand among the incidents: the corpus may then be incomplete.

    Raises DataError only where there is nothing to read.
    """
    names = files.expand(fspath(path))
    corpus = concat([c for batch in _batches(names, reading) for c in _parse(batch, reading)])
    if len(names) > 1 and (found := _in_two_files(corpus, corpus.incidents)):
        return replace(corpus, incidents=(*corpus.incidents, *found))
    return corpus


_File = tuple[str, bytes]


def _batches(names: Sequence[str], reading: Reading) -> Iterator[list[_File]]:
    """The files in order, each large one alone, small ones together."""
    batch: list[_File] = []
    size = 0
    for name in names:
        data = ahead.load(name, reading.max_size)
        if batch and size + len(data) > _TOGETHER:
            yield batch
            batch, size = [], 0
        batch.append((name, data))
        size += len(data)
    yield batch


def _parse(batch: list[_File], reading: Reading) -> list[Corpus]:
    """The corpora of some files, together as far as their format can; the others one by one."""
    if len(batch) == 1:
        return [_parse_one(*batch[0], reading)]
    together = _parse_together(batch, reading)
    if together is not None:
        return [together]
    size = -(-len(batch) // _PARTS) if len(batch) > _PARTS else 1
    parts = [batch[at : at + size] for at in range(0, len(batch), size)]
    return [corpus for part in parts for corpus in _parse(part, reading)]


def _parse_together(batch: list[_File], reading: Reading) -> Corpus | None:
    try:
        return registry.parse_together(batch, reading)
    except MemoryError:
        return None


def _parse_one(name: str, data: bytes, reading: Reading) -> Corpus:
    try:
        return registry.parse(data, name, reading)
    except MemoryError:
        raise files.out_of_memory(name) from None


def _in_two_files(corpus: Corpus, incidents: Sequence[Incident]) -> list[Incident]:
    told = {i.document for i in incidents if i.id == "document-twice"}
    return [
        Incident(
            "document-twice",
            "error",
            "the document is in two files of one corpus",
            file=_file_of(corpus, again),
            document=name,
            found=f"also in {_file_of(corpus, first)}",
            expected="each document once; names are compared whole, parts included",
            hint="remove one of the two, or give it another name or part number",
        )
        for name, first, again in repeated(corpus.names)
        if name not in told
    ]


def _file_of(corpus: Corpus, document: int) -> str:
    return next(
        s.path
        for s in corpus.sources
        if s.first_document <= document < s.first_document + s.documents
    )
