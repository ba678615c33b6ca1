"""CoNLL-UA: the exploded columns of Universal Anaphora, of the CODI-CRAC shared tasks."""

from corefkit.core.corpus import Corpus
from corefkit.core.options import Reading
from corefkit.formats.registry import Format, WrittenFiles


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """One layer of the bytes of one file, identity unless the reading says deixis."""
    from corefkit.formats.conllua import reader

    return reader.parse(data, path, reading.layer or "identity")


def write(corpus: Corpus, path: str) -> WrittenFiles:
    """The corpus as a CoNLL-UA file made anew; empty nodes are mentions of their own only."""
    from corefkit.formats._kit.convert import links_dropped, without_zeros_inside
    from corefkit.formats.conllua.writer import LINKS, bridges_repeated, to_bytes, zeros_moved

    plain, incidents = without_zeros_inside(corpus)
    incidents += [*zeros_moved(plain), *bridges_repeated(plain)]
    return WrittenFiles({path: to_bytes(plain)}, [*incidents, *links_dropped(plain, LINKS)])


FORMAT = Format(
    name="conllua",
    title="CoNLL-UA",
    parse=parse,
    write=write,
    holds=frozenset(
        {"zeros", "parts", "minimum", "singletons", "words", "sentences", "links", "referring"}
    ),
    options=("layer",),
    layers=("identity", "deixis"),
    suffixes=(".conllua", ".CONLLUA"),
)
