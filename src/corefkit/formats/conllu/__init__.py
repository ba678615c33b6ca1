"""CorefUD, the format of the CRAC shared tasks: CoNLL-U with coreference in the MISC column.

# global.Entity = eid-etype-head-other
# newdoc id = x
1	Ada	Ada	PROPN	_	_	2	nsubj	_	Entity=(e1-person-1-)
2	said	say	VERB	_	_	0	root	_	_
3	her	she	PRON	_	_	4	det	_	Entity=(e2-abstract-2-(e1-person-1-)
4	say	say	NOUN	_	_	2	obj	_	Entity=e2)
"""

from typing import TYPE_CHECKING, Any

from corefkit.core.corpus import Corpus
from corefkit.core.options import Reading
from corefkit.core.source import Source
from corefkit.formats.format import LINE_BEGINS, Format, FormNode, Look, WrittenFiles, are_written
from corefkit.formats.kit.files import AS_THEY_ARE

if TYPE_CHECKING:
    from corefkit.formats.conllu.text_reading import ReadBack


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The corpus in the bytes of one file."""
    from corefkit.formats.conllu import reader

    return reader.parse(data, path)


def write(corpus: Corpus, path: str) -> WrittenFiles:
    """The corpus as CorefUD: its own CorefUD files with its mentions, or else a new file."""
    from corefkit.formats.conllu.writer import to_bytes

    data, incidents = to_bytes(corpus)
    return WrittenFiles({path: data}, incidents)


def nodes(source: Source) -> list[list[FormNode]]:
    """The nodes of each document, with their forms."""
    from corefkit.formats.conllu.rows import FORM
    from corefkit.formats.conllu.source import file_of

    documents: list[list[FormNode]] = [[] for _ in range(source.documents)]
    file = file_of(source)
    for row in file.nodes:
        form, sentence = row.cells[FORM].encode("utf-8", AS_THEY_ARE), file.sentences[row.sentence]
        documents[row.document].append(FormNode(sentence.number, form, row.zero))
    return documents


def figures(corpus: Corpus) -> dict[str, int] | None:
    """How many words, empty nodes, multiword tokens and so on there are; see `source.FIGURES`."""
    from corefkit.formats.conllu.source import file_figures

    return file_figures(corpus)


def conllu_document_names(data: bytes, path: str) -> list[str]:
    """The names of the documents of a file."""
    from corefkit.formats.conllu.rows import ConlluFile

    return ConlluFile(data, path).names


def fill_in(text: str, file: bytes, **how: Any) -> "ReadBack":
    """The file with the mentions of a text of the CRAC tasks; see `text_reading.read_back`."""
    from corefkit.formats.conllu.text_reading import read_back

    return read_back(text, file, **how)


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
    nodes=nodes,
    figures=figures,
    fill_in=fill_in,
    usual_profile=("corefud", "the CRAC tasks"),
    shared_ids=are_written,
)
