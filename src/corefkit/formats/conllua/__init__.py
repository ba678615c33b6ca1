"""CoNLL-UA: the exploded columns of Universal Anaphora, of the CODI-CRAC shared tasks."""

from corefkit.data.corpus import Corpus
from corefkit.formats.registry import Format, Reading


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """One layer of the bytes of one file, identity unless the reading says deixis."""
    from corefkit.formats.conllua import reader

    return reader.parse(data, path, reading.layer or "identity")


FORMAT = Format(
    name="conllua",
    title="CoNLL-UA",
    parse=parse,
    holds=frozenset(
        {"zeros", "parts", "minimum", "singletons", "words", "sentences", "links", "referring"}
    ),
    suffixes=(".conllua", ".CONLLUA"),
)
