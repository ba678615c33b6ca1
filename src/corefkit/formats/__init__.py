"""Reading and writing: from the names of files to a Corpus, and back."""

from os import PathLike, fspath

from corefkit.data.corpus import Corpus, pool
from corefkit.formats import files, registry
from corefkit.formats.conll.diagnosis import repeated
from corefkit.data.incidents import DataError, Incident, errors

__all__ = ["read", "read_all"]


def read(path: str | PathLike[str]) -> Corpus:
    """The corpus in a file (also `.gz`), `-`, a directory or a glob; several files are pooled.

    Raises DataError if a file cannot be read or is broken.
    """
    corpus, incidents = read_all(path)
    if errors(incidents):
        raise DataError(incidents)
    return corpus


def read_all(path: str | PathLike[str], ids: str = "any") -> tuple[Corpus, list[Incident]]:
    """Like `read`, but with all incidents, errors too: the corpus may then be incomplete.

    With ids="digits", brackets with other ids are not seen.

    Raises DataError only where there is nothing to read.
    """
    names = files.expand(fspath(path))
    parsed = [registry.parse(files.load(name), name, ids) for name in names]
    corpus = pool([corpus for corpus, _ in parsed])
    incidents = [incident for _, found in parsed for incident in found]
    if len(parsed) > 1:
        incidents += _in_two_files(corpus, incidents)
    return corpus, incidents


def _in_two_files(corpus: Corpus, incidents: list[Incident]) -> list[Incident]:
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
