"""Token columns on demand: the words, tags and so on that scoring never looks at."""

from corefkit.corpus import Corpus
from corefkit.formats.conll import token_lines
from corefkit.incidents import DataError, Incident

NAMES = {
    "document": 0,
    "part": 1,
    "number": 2,
    "word": 3,
    "pos": 4,
    "parse": 5,
    "lemma": 6,
    "frameset": 7,
    "sense": 8,
    "speaker": 9,
    "ne": 10,
    "coreference": -1,
}
"""The columns of the CoNLL-2012 format (Table 12 of its paper), less the predicate arguments."""


def read_column(corpus: Corpus, name: str | int) -> list[str]:
    """One column of every token of the corpus, in the order of the documents."""
    if isinstance(name, str) and name not in NAMES:
        raise ValueError(f"unknown column {name!r}; there are: {', '.join(NAMES)}")
    number = NAMES[name] if isinstance(name, str) else name
    if not corpus.sources and len(corpus.names):
        raise DataError(
            [
                Incident(
                    "column-missing",
                    "error",
                    "the corpus has no token columns",
                    hint="token columns exist only where a corpus is read from files",
                )
            ]
        )
    values: list[str] = []
    for source in corpus.sources:
        for line, _, fields in token_lines(source.data):
            # The word is never the coreference column: a file of four columns has no word.
            if number != -1 and number >= len(fields) - 1:
                raise DataError([_missing(source.path, line, name, len(fields))])
            values.append(fields[number])
    return values


def _missing(path: str, line: int, name: str | int, columns: int) -> Incident:
    return Incident(
        "column-missing",
        "error",
        f"the file has no column {name!r}",
        file=path,
        line=line,
        found=f"{columns} columns, the last being coreference",
        expected=f"at least {(NAMES[name] if isinstance(name, str) else name) + 2} columns",
        hint="use the full CoNLL-2012 format (12 columns and more)",
    )
