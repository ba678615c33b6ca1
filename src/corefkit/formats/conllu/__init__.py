"""CorefUD, the format of the CRAC shared tasks: CoNLL-U with coreference in the MISC column.

X.conllu:
    # global.Entity = eid-etype-head-other
    # newdoc id = x
    1	Ada	Ada	PROPN	_	_	2	nsubj	_	Entity=(e1-person-1-)
    2	said	say	VERB	_	_	0	root	_	_
    3	her	she	PRON	_	_	4	det	_	Entity=(e2-abstract-2-(e1-person-1-)
    4	say	say	NOUN	_	_	2	obj	_	Entity=e2)
"""

from corefkit.core.corpus import Corpus
from corefkit.core.options import Reading
from corefkit.formats.format import LINE_BEGINS, Format, Look, WrittenFiles


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The corpus in the bytes of one file."""
    from corefkit.formats.conllu import reader

    return reader.parse(data, path)


def write(corpus: Corpus, path: str) -> WrittenFiles:
    """The corpus as CorefUD: its own CorefUD files with its mentions, or else a new file."""
    from corefkit.formats.conllu.writer import to_bytes

    data, incidents = to_bytes(corpus)
    return WrittenFiles({path: data}, incidents)


def conllu_document_names(data: bytes, path: str) -> list[str]:
    """The names of the documents of a file."""
    from corefkit.formats.conllu.rows import ConlluFile

    return ConlluFile(data, path).names


BEGINS = (
    rb"(?:#(?!\s*begin document|FORMAT=)[^\n]*\n\s*)*?"
    rb"(?:#\s*(?:newdoc|newpar|sent_id|text\s*=|global\.Entity)"
    rb"|(?:1|1-\d+|0\.1)\t(?:[^\t\n]*\t){8}[^\t\n]*(?:\n|\Z))"
)
"""How CoNLL-U begins: with one of its comments, or ten columns."""


def is_conllu(data: bytes) -> bool:
    """Whether the bytes are CoNLL-U.

    >>> is_conllu(b"# newdoc id = tale"), is_conllu(b"#begin document (a)")
    (True, False)
    """
    from corefkit.formats.kit.detection import recognise

    return recognise(data) == FORMAT.name


FORMAT = Format(
    name="conllu",
    title="CorefUD",
    parse=parse,
    write=write,
    holds=frozenset(
        {"zeros", "parts", "heads", "crossing", "singletons", "words", "sentences", "links"}
        | {"labels", "LEMMA", "UPOS", "XPOS", "FEATS"}
    ),
    looks=(
        Look(begins=rb"#", near=LINE_BEGINS + rb" global\.Entity"),
        Look(begins=BEGINS),
    ),
    suffixes=(".conllu",),
    one_name=True,
    usual_profile=("corefud", "the CRAC tasks"),
)
