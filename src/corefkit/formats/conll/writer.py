"""Writing CoNLL: a corpus as a file that every tool of the family reads."""

import sys
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, islice
from os import PathLike

from corefkit.data.corpus import Corpus
from corefkit.data.incidents import DataError
from corefkit.data.spans import crossing_mentions
from corefkit.formats.conll.cells import join_brackets
from corefkit.formats.conll.from_content import content_lines
from corefkit.formats.conll.reader import TokenLine, token_lines
from corefkit.formats.conll.rewriting import Row, Sentence, rewrite
from corefkit.formats.files import AS_THEY_ARE, path_name
from corefkit.formats.writing import packed, write_atomically

MASK = "___"
"""Stands for the words of a corpus that has none."""


def write(corpus: Corpus, path: str | PathLike[str]) -> None:
    """Write a corpus as CoNLL, columns split by tabs; `-` is standard output, `.gz` is packed.

    A corpus that was read from files keeps all its token columns; one made in Python gets five:
    document, part, number, a mask for the word, coreference. The file is complete or not there.

    Raises DataError where two mentions of one entity cross, which brackets cannot say.
    """
    if not isinstance(corpus, Corpus):
        raise TypeError(f"only a Corpus can be written, not {corpus!r:.60}")
    name = path_name(path)
    data = to_bytes(corpus)
    if name == "-":
        sys.stdout.buffer.write(data)
    else:
        write_atomically(name, packed(name, data))


def to_bytes(corpus: Corpus) -> bytes:
    """The file; DataError where two mentions of one entity cross."""
    if found := crossing_mentions(corpus):
        raise DataError(found)
    others = any(source.format.name != "conll" for source in corpus.sources)
    text = content_lines(corpus) if others else lines(corpus)
    return "".join(text).encode("utf-8", AS_THEY_ARE)


def with_mentions(corpus: Corpus) -> bytes:
    """The one file that the corpus was made from, with the corpus's mentions for its own.

    Comments, line ends and separators stay as they are.
    """
    (source,) = corpus.sources
    rows = corpus.rows_of_documents()

    @lru_cache(1)
    def cells_of(document: int) -> dict[int, str]:
        return _cells(corpus, rows[document].tolist())

    def change(sentence: Sentence) -> list[Row]:
        cells = cells_of(sentence.document)
        return [
            [*row[:-1], cells.get(place, "-")]
            for place, row in enumerate(sentence.rows, sentence.start)
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
    """For each token its openings, one-token mentions and closings, in this order.

    Within each, they stand so that reading them again numbers entities and mentions alike.
    """
    spans = [(int(corpus.start[m]), int(corpus.end[m]), int(corpus.entity[m])) for m in mentions]
    long, label = [span for span in spans if span[0] < span[1]], corpus.labels
    brackets = [(start, f"({label[e]}") for start, _, e in sorted(long, key=lambda span: span[2])]
    brackets += [(start, f"({label[e]})") for start, end, e in spans if start == end]
    brackets += [(end, f"{label[e]})") for _, end, e in long]
    return join_brackets(brackets)
