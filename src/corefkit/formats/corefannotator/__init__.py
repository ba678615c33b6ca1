"""CorefAnnotator XMI: mentions that refer to their entity, in three versions of a type system.

The namespace of an element shows its version: `api`, `api/v1` or `api/v2`. Up to v1 a mention has a
span and perhaps one more part; in v2 it refers to its surfaces. Only elements that a View lists
count: a mention that was deleted in the tool stays in the file as long as something refers to it.
Offsets count UTF-16 units. We write v1, the version of all published corpora, which the tool
converts.
"""

from corefkit.core.corpus import Corpus
from corefkit.core.options import Reading
from corefkit.formats.registry import IN_TEXT, Format, WrittenFiles


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The document of one file."""
    from corefkit.formats.corefannotator.reader import read_document

    del reading
    return read_document(data, path)


def write(corpus: Corpus, path: str) -> WrittenFiles:
    """One file per document; several files are put into a folder."""
    from corefkit.formats.corefannotator.writer import write_documents

    return write_documents(corpus, path, FORMAT.holds)


def count_unread(data: bytes, path: str, reading: Reading) -> dict[str, int]:
    """How many labels, keys and flags of entities, comments, segments and lines a file has."""
    from corefkit.formats.corefannotator.reader import count_elements

    del reading
    return count_elements(data, path)


FORMAT = Format(
    name="corefannotator",
    title="CorefAnnotator XMI",
    parse=parse,
    write=write,
    unit="character",
    holds=IN_TEXT | {"crossing", "parts", "links", "flags"},
    suffixes=(".xmi", ".ca2"),
    count_unread=count_unread,
)
