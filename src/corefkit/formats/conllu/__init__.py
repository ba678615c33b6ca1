"""CorefUD: CoNLL-U files with coreference in the MISC column, of the CRAC shared tasks."""

from corefkit.core.corpus import Corpus
from corefkit.core.options import Reading
from corefkit.formats.registry import Format, Written


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The corpus in the bytes of one file."""
    from corefkit.formats.conllu import reader

    return reader.parse(data, path)


def write(corpus: Corpus, path: str) -> Written:
    """The corpus as CorefUD: the files it was read from with its mentions, or a file made anew."""
    from corefkit.formats.conllu.writer import to_bytes

    data, told = to_bytes(corpus)
    return Written({path: data}, told)


FORMAT = Format(
    name="conllu",
    title="CorefUD",
    parse=parse,
    write=write,
    holds=frozenset(
        {"zeros", "parts", "heads", "crossing", "singletons", "words", "sentences", "links"}
    ),
    suffixes=(".conllu",),
)
