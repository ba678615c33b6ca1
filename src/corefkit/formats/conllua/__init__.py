"""CoNLL-UA, the format of Universal Anaphora and of the CODI-CRAC shared tasks.

X.CONLLUA:
    # global.columns = ID FORM IDENTITY
    # newdoc id = x
    1	Ada	(EntityID=1|MarkableID=m1|Min=1)
    2	said	_
    3	her	(EntityID=2|MarkableID=m2|Min=4(EntityID=1|MarkableID=m3|Min=3)
    4	say	)
"""

from corefkit.core.corpus import Corpus
from corefkit.core.options import Reading
from corefkit.formats.conllu import BEGINS
from corefkit.formats.format import LINE_BEGINS, Format, Look, WrittenFiles
from corefkit.formats.options import LAYER


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The corpus in one layer of a file: identity, unless the reading says deixis."""
    from corefkit.formats.conllua import reader

    return reader.parse(data, path, reading.get("layer") or "identity")


def write(corpus: Corpus, path: str) -> WrittenFiles:
    """The corpus as a new CoNLL-UA file; empty nodes inside longer mentions are lost."""
    from corefkit.formats.conllua.writer import bridges_repeated, to_bytes, zeros_moved
    from corefkit.formats.kit.convert import without_zeros_inside

    plain, incidents = without_zeros_inside(corpus)
    data, unfit = to_bytes(plain)
    incidents += [*zeros_moved(plain), *bridges_repeated(plain), *unfit]
    return WrittenFiles({path: data}, incidents)


_ENTITY_ID = rb"(?i)[(|]EntityID="
_COREFUD = (b"# global.Entity",)

FORMAT = Format(
    name="conllua",
    title="CoNLL-UA",
    one_name=True,
    parse=parse,
    write=write,
    holds=frozenset(
        {"zeros", "parts", "minimum", "singletons", "words", "sentences", "links", "referring"}
        | {"labels", "LEMMA", "UPOS", "XPOS", "FEATS"}
    ),
    options=(LAYER,),
    looks=(
        Look(begins=rb"#", near=LINE_BEGINS + rb" global\.columns", without=_COREFUD),
        Look(begins=BEGINS, near=_ENTITY_ID, without=_COREFUD),
    ),
    suffixes=(".conllua", ".CONLLUA"),
    usual_profile=("ua", "Universal Anaphora"),
)
