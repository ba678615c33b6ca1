"""Excerpts: some documents of a corpus with their files, into which other mentions are written."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from corefkit.core.arrays import EMPTY, IntArray
from corefkit.core.corpus import Corpus, concat
from corefkit.core.incidents import DataError, errors
from corefkit.core.options import PLAIN
from corefkit.core.source import ListedSource, Source, TokenTable
from corefkit.core.tokens import document_text, read_columns, sentence_numbers
from corefkit.formats import registry


def take_documents(corpus: Corpus, numbers: Sequence[int]) -> Corpus:
    """These documents, in the order of the corpus, without mentions and with what their files say.

    A file of which all documents are taken stays as it is. One of which some are taken is cut where
    its format allows it: the bytes of these documents make a file. Where not, words, sentences and
    speakers are kept, or the text.
    """
    chosen = {*numbers}
    pieces = []
    for source in corpus.sources:
        own = range(source.first_document, source.first_document + source.documents)
        some = [number for number in own if number in chosen]
        if len(some) == len(own):
            begin = corpus._begin[some] if len(corpus._begin) else EMPTY
            moved = replace(source, first_document=0)
            pieces.append(_frame(corpus, some, moved, begin))
        elif some:
            pieces.append(_cut(corpus, some, source) or _listed(corpus, some, source))
    if not corpus.sources:
        return _frame(corpus, sorted(chosen), None)
    return concat(pieces)


def _frame(
    corpus: Corpus, numbers: Sequence[int], source: Source | None, begin: IntArray = EMPTY
) -> Corpus:
    """Documents of a corpus, without mentions."""
    made = Corpus.from_clusters({corpus.names[number]: [] for number in numbers})
    return replace(
        made,
        tokens=corpus.tokens[[*numbers]],
        sources=() if source is None else (source,),
        unit=corpus.unit,
        _begin=begin,
    )


_DECLARATION = b"# global.Entity"
"""What stands once in a CorefUD file, and is meant for all of its documents."""


def _cut(corpus: Corpus, numbers: Sequence[int], source: Source) -> Corpus | None:
    """The documents in a file of their own bytes; None where that is not the same documents."""
    form = registry.format_of(source)
    if len(corpus._begin) != len(corpus.names):
        return None
    pieces = [found[1:] for n in numbers if (found := corpus._document_bytes(n)) is not None]
    data = b"".join(source.data[begin:end] for begin, end in pieces)
    at = source.data.find(_DECLARATION)
    if at >= 0 and _DECLARATION not in data:
        declared = source.data[at : source.data.find(b"\n", at) + 1]
        first, line_end, rest = data.partition(b"\n")
        data = first + line_end + declared + rest
    try:
        again = form.parse(data, source.path, PLAIN)
    except DataError:
        return None
    if errors(again.incidents) or again.unit != corpus.unit or len(again.sources) != 1:
        return None
    if again.tokens.tolist() != corpus.tokens[[*numbers]].tolist():
        return None
    if any(_words(again, n) != _words(corpus, number) for n, number in enumerate(numbers)):
        return None
    return _frame(corpus, numbers, again.sources[0], again._begin)


def _words(corpus: Corpus, document: int) -> list[str] | str | None:
    """The words of a document, or its text."""
    if corpus.unit == "character":
        return document_text(corpus, document)
    first = int(corpus.first_token[document])
    try:
        (column,) = read_columns(corpus, "word")
    except DataError:
        return None
    codes = column.code[first : first + int(corpus.tokens[document])].tolist()
    return [column.values[code] for code in codes]


def _listed(corpus: Corpus, numbers: Sequence[int], source: Source) -> Corpus:
    """The documents as a list of their words, or their texts."""
    known = [_words(corpus, number) for number in numbers]
    texts = [text for text in known if isinstance(text, str)]
    words = [word for own in known if isinstance(own, list) for word in own]
    if corpus.unit == "character":
        table = TokenTable((), texts=texts)
    else:
        table = TokenTable(words or None, _sentences(corpus, numbers))
    made = ListedSource(source.path, b"", 0, len(numbers), source.format, listed=table)
    return _frame(corpus, numbers, made, np.zeros(len(numbers), dtype=np.int64))


def _sentences(corpus: Corpus, numbers: Sequence[int]) -> IntArray | None:
    try:
        whole = sentence_numbers(corpus)
    except DataError:
        return None
    spans = [(int(corpus.first_token[n]), int(corpus.tokens[n])) for n in numbers]
    return np.concatenate([whole[first : first + size] for first, size in spans])
