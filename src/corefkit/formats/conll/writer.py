"""Writing CoNLL: a corpus as a file that every tool of the family reads.

`with_mentions` and `lines` keep the columns of the files that a corpus was read from;
`content_lines` makes columns for a corpus whose files have none. `rewrite_columns` changes the
columns of a file to the twelve of CoNLL-2012 or to as few as possible, separated by tabs or aligned
with blanks. The files of 2011 and 2012 have the same columns.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from itertools import chain, islice

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import DataError, Incident, data_error
from corefkit.core.names import split_name
from corefkit.core.nodes import crossing_mentions
from corefkit.core.texts import quote
from corefkit.formats.conll.cells import coreference_cells, join_brackets
from corefkit.formats.conll.lines import TokenLine, token_lines
from corefkit.formats.conll.reader import parse
from corefkit.formats.conll.rewriting import Row, SentenceRows, rewrite
from corefkit.formats.kit.content import MASK, Content, contents
from corefkit.formats.kit.files import AS_THEY_ARE


def content_lines(corpus: Corpus) -> Iterator[str]:
    """The lines of the file: twelve columns if speakers are known, else five.

    Entities get new numbers, in text order. Raises DataError for words that a column cannot hold.
    """
    path = corpus.sources[0].path.rpartition("/")[2] if corpus.sources else "corpus"
    for number, content in enumerate(contents(corpus)):
        name = content.name if content.name is not None else f"({path}); part {number:03}"
        yield f"#begin document {' '.join(name.split())}\n"
        yield from _document(content, name)
        yield "\n#end document\n"


def _document(content: Content, name: str) -> Iterator[str]:
    parsed = split_name(name)
    document, part = "_".join(parsed.id.split()) or "_", parsed.part_number
    spans = [
        (start, end, str(number))
        for number, (_, mentions) in enumerate(content.entities)
        for start, end in mentions
    ]
    cells = coreference_cells(sorted(spans, key=lambda span: (span[0], -span[1])))
    at = 0
    for sentence, words in enumerate(content.sentences):
        if sentence:
            yield "\n"
        for index, word in enumerate(words):
            if not word.strip() or any(c in word for c in "\t\n\r"):
                expected = "words without tabs and line ends"
                shown = quote(word)
                raise data_error(
                    "cell-needs-tabs", "word", document=name, found=shown, expected=expected
                )
            row = [document, str(part), str(index), word]
            if content.speakers is not None:
                speaker = "_".join(content.speakers[at].split()) or "-"
                row += ["-", "*", "-", "-", "-", speaker, "*"]
            yield "\t".join([*row, cells.get(at, "-")]) + "\n"
            at += 1


def to_bytes(corpus: Corpus) -> bytes:
    """The bytes of the file; DataError if two mentions of one entity cross."""
    if crossing := crossing_mentions(corpus):
        raise DataError(crossing)
    others = any(source.format != "conll" for source in corpus.sources)
    text = content_lines(corpus) if others else lines(corpus)
    return "".join(text).encode("utf-8", AS_THEY_ARE)


def with_mentions(corpus: Corpus) -> bytes:
    """The single file of the corpus, with the corpus's mentions instead of its own.

    Comments, line ends and separators stay as they are.
    """
    (source,) = corpus.sources
    rows = corpus.rows_of_documents()

    @lru_cache(1)
    def cells_of(document: int) -> dict[int, str]:
        return _cells(corpus, rows[document].tolist())

    def change(sentence: SentenceRows) -> list[Row]:
        cells = cells_of(sentence.document)
        return [
            [*row[:-1], cells.get(token, "-")]
            for token, row in enumerate(sentence.rows, sentence.start)
        ]

    return rewrite(source.data, change, path=source.path)


def lines(corpus: Corpus) -> Iterator[str]:
    """The lines of the file, each with its line end."""
    written = chain.from_iterable(
        token_lines(source.data, errors=AS_THEY_ARE) for source in corpus.sources
    )
    for number, rows in enumerate(corpus.rows_of_documents()):
        name = corpus.names[number]
        if name != name.strip() or "\n" in name or "\r" in name:
            raise ValueError(f"{name!r} cannot be the name of a document in a CoNLL file")
        cells = _cells(corpus, rows.tolist())
        yield f"#begin document {name}\n"
        tokens = (
            islice(written, int(corpus.tokens[number]))
            if corpus.sources
            else _made_up(corpus, number, max(cells, default=-1) + 1)
        )
        for place, (_, begins_sentence, fields) in enumerate(tokens):
            if begins_sentence and place:
                yield "\n"
            yield "\t".join((*fields[:-1], cells.get(place, "-"))) + "\n"
        yield "\n#end document\n"


def _made_up(corpus: Corpus, document: int, at_least: int) -> Iterator[TokenLine]:
    """Token lines for a document that was made in Python."""
    name = "_".join(corpus.names[document].split()) or "_"
    for number in range(max(int(corpus.tokens[document]), at_least)):
        yield TokenLine(number + 1, False, [name, "0", str(number), MASK, "-"])


def _cells(corpus: Corpus, mentions: list[int]) -> dict[int, str]:
    """Token → its openings, one-token mentions and closings, in this order.

    Within each of these, the order ensures that a reader numbers entities and mentions alike.
    """
    spans = [(int(corpus.start[m]), int(corpus.end[m]), int(corpus.entity[m])) for m in mentions]
    long, label = [span for span in spans if span[0] < span[1]], corpus.labels
    brackets = [(start, f"({label[e]}") for start, _, e in sorted(long, key=lambda span: span[2])]
    brackets += [(start, f"({label[e]})") for start, end, e in spans if start == end]
    brackets += [(end, f"{label[e]})") for _, end, e in long]
    return join_brackets(brackets)


KEEP, FULL, MINIMAL = "keep", "full", "minimal"
COLUMNS = {
    KEEP: "the columns of the file",
    FULL: "12 or more columns, empty where the file lacks them",
    MINIMAL: "document, part, number, word and coreference",
}
_EMPTY = ("-", "-", "-", MASK, "-", "*", "-", "-", "-", "-", "*")
"""The first eleven columns of a token about which nothing is known."""

_WORD = 3


def rewrite_columns(
    data: bytes,
    path: str = "-",
    columns: str = KEEP,
    separator: str | None = None,
    tell: Callable[[list[Incident]], None] | None = None,
) -> bytes:
    """The file with other columns or separators, "tab" or "blank"; None keeps the separators.

    Raises DataError if the file is broken, if blanks cannot replace tabs, and, if columns are to
    change, if the lines of a sentence have different numbers of columns. `tell` is called with the
    warnings.

    >>> data = b"#begin document a\\na\\t0\\t0\\tHi\\tUH\\t-\\n"
    >>> rewrite_columns(data, columns="minimal", separator="blank")
    b'#begin document a\\na   0   0   Hi   -\\n'
    """
    warnings = parse(data, path).checked().incidents
    change = partial(_change, columns=columns, path=path) if columns != KEEP else None
    new = rewrite(data, change, separator, path)
    if tell:
        tell([*warnings])
    return new


def _change(sentence: SentenceRows, columns: str, path: str) -> list[Row]:
    """The rows with other columns; DataError if their numbers of columns differ."""
    rows, width = sentence.rows, len(sentence.rows[0])
    for index, row in enumerate(rows):
        if len(row) != width:
            raise data_error(
                "columns-differ",
                file=path,
                at=sentence.line + index,
                document=sentence.name,
                found=f"{len(row)} columns",
                expected=f"{width}, as in the first line of the sentence",
            )
    fits = width > len(_EMPTY) if columns == FULL else width == _WORD + 2
    if fits:
        return rows
    if width < _WORD + 2:  # files of few columns lack document, part, number and word
        name = "_".join(sentence.name.split()) or "_"
        rows = [[name, "0", str(index), _EMPTY[_WORD], row[-1]] for index, row in enumerate(rows)]
    if columns == FULL:
        return [[*row[:-1], *_EMPTY[len(row) - 1 :], row[-1]] for row in rows]
    return [[*row[: _WORD + 1], row[-1]] for row in rows]
