"""CoNLL columns: the files of the shared tasks of 2011 and 2012, and all that descend from them."""

from corefkit.data.corpus import Corpus
from corefkit.formats.registry import Format, Reading, Written


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The corpus in the bytes of one file."""
    from corefkit.formats.conll import reader

    return reader.parse(data, path, reading.ids)


def write(corpus: Corpus, path: str) -> Written:
    """The corpus as columns: the columns of its files, or as few as possible."""
    from corefkit.formats.conll.writer import to_bytes

    return Written({path: to_bytes(corpus)}, [])


FORMAT = Format(
    name="conll",
    title="CoNLL-2012 columns",
    parse=parse,
    write=write,
    holds=frozenset({"singletons", "words", "sentences", "speakers", "names"}),
    suffixes=(".conll",),
)
