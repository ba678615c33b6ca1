"""CorefUD: CoNLL-U files with coreference in the MISC column, of the CRAC shared tasks."""

from corefkit.data.corpus import Corpus
from corefkit.formats.registry import Format, Reading


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The corpus in the bytes of one file."""
    from corefkit.formats.conllu import reader

    return reader.parse(data, path)


FORMAT = Format(
    name="conllu",
    title="CorefUD",
    parse=parse,
    holds=frozenset(
        {"zeros", "parts", "heads", "crossing", "singletons", "words", "sentences", "links"}
    ),
    suffixes=(".conllu",),
)
