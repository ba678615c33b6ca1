"""CoNLL columns: the format of the shared tasks of 2011 and 2012, and of its descendants.

conll, X.conll:
    #begin document (x); part 000
    x   0   0   Ada    NNP  (TOP(S(NP*)      -  -  -  -  *  (0)
    x   0   1   said   VBD      (VP*         -  -  -  -  *  -
    x   0   2   her    PRP$  (NP*            -  -  -  -  *  (1|(0)
    x   0   3   say    NN        *))))       -  -  -  -  *  1)

    #end document
semeval2010, X.txt:
    #begin document x
    1	Ada	_	_	_	_	_	_	_	_	_	_	(1)
    2	said	_	_	_	_	_	_	_	_	_	_	_
    3	her	_	_	_	_	_	_	_	_	_	_	(1)

    #end document x
"""

from corefkit.core.corpus import Corpus
from corefkit.core.options import Reading
from corefkit.formats.format import IN_WORDS, LINE_BEGINS, Format, Look, WrittenFiles
from corefkit.formats.options import ReadOption

WORD_COLUMN = ReadOption(
    "word_column",
    "the column of the words, counted from 1.",
    "4",
    "number",
    formats="Columns",
    metavar="N",
)


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The corpus in the bytes of one file."""
    from corefkit.formats.conll import reader

    return reader.parse(data, path, reading)


def parse_number_first(data: bytes, path: str, reading: Reading) -> Corpus:
    """The corpus in the bytes of one file whose columns begin with the number of the token."""
    from corefkit.formats.conll import reader

    return reader.parse_number_first(data, path, reading)


def write(corpus: Corpus, path: str) -> WrittenFiles:
    """The corpus in columns: those of its files, or as few as possible."""
    from corefkit.formats.conll.writer import to_bytes

    return WrittenFiles({path: to_bytes(corpus)}, [])


_HEADER = LINE_BEGINS + rb"[ \t]*begin[ \t]+document\b"
# The first row after the header begins with 1, and the second does not: a document may be called 1.
_NUMBERED_ROWS = (
    rb"[^\n]*\s*\n(?:#[^\n]*\n|\s*\n)*1(?:[\t ]+[^\s]+[\t ]*\r?$(?!\n1[\t ])|"
    rb"(?:\t[^\t\n]*){11,}\r?$(?!\n1[\t ])|(?: +[^ \t\n]+){11,} *\r?$(?!\n1[\t ]))"
)

SEMEVAL2010 = Format(
    name="semeval2010",
    title="SemEval-2010 columns, the number of the token first",
    parse=parse_number_first,
    holds=IN_WORDS,
    options=(WORD_COLUMN,),
    looks=(Look(near=rb"(?m)" + _HEADER + _NUMBERED_ROWS),),
    suffixes=(".txt",),
    mixes_with="conll",
)
FORMAT = Format(
    name="conll",
    title="CoNLL-2012 columns",
    parse=parse,
    write=write,
    holds=IN_WORDS | {"speakers"},
    options=(WORD_COLUMN,),
    looks=(Look(near=_HEADER),),
    suffixes=(".conll", "_conll"),
    one_name=True,
    columns=True,
)
