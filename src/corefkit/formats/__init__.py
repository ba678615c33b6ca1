"""Reading and writing: from the names of files to a Corpus, and back."""

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike, fspath

from corefkit.data.corpus import Corpus, concat
from corefkit.data.incidents import Incident
from corefkit.formats import files, registry
from corefkit.formats.conll.diagnosis import repeated
from corefkit.formats.registry import Reading

_PLAIN = Reading()

__all__ = ["Reading", "read", "read_all"]


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
    corpus = concat([registry.parse(files.load(name), name, reading) for name in names])
    if len(names) > 1 and (found := _in_two_files(corpus, corpus.incidents)):
        return replace(corpus, incidents=(*corpus.incidents, *found))
    return corpus


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
