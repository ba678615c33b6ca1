"""The content of documents as writers need it: words, sentences, speakers and entities.

Writers of standoff formats need a running text with the places of mentions (`RunningText`).
`take_documents` makes an excerpt: some documents with their files, but without mentions, so that
others can be written into them.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import EMPTY, IntArray, tuples
from corefkit.core.carriers import frozen
from corefkit.core.columns import run_lengths
from corefkit.core.corpus import Corpus, Span, concat
from corefkit.core.incidents import DataError, errors
from corefkit.core.links import KINDS
from corefkit.core.mention_columns import runs_of
from corefkit.core.options import PLAIN
from corefkit.core.source import ListedSource, Source, TokenTable, no_columns
from corefkit.core.tokens import document_text, read_columns, sentence_numbers
from corefkit.formats import registry
from corefkit.formats.kit.files import AS_THEY_ARE, refuse_output

MASK = "___"
"""The word written for each token of a corpus without words."""
_MEMORY = 32
"""How many bytes of memory each letter of such a word takes while they are written."""


@frozen
class Content:
    """One document as writers see it.

    Attributes:
        name: the name; None where the document has none.
        words: one per token.
        lengths: the lengths of the sentences, in tokens.
        speakers: one per token, or None.
        entities: (label, spans) in the order of their first mentions, spans in text order.
    """

    name: str | None
    words: list[str]
    lengths: list[int]
    speakers: list[str] | None
    entities: list[tuple[str, list[Span]]]

    @property
    def sentences(self) -> list[list[str]]:
        """The words by sentence."""
        return by_sentence(self.words, self.lengths)

    @property
    def spelt_mentions(self) -> int:
        """How many characters it takes to write out the words of all mentions."""
        ends = np.cumsum([0, *(len(word) + 1 for word in self.words)])
        spans = np.array([s for _, spans in self.entities for s in spans], dtype=np.int64)
        start, end = spans.reshape(-1, 2).T
        return int((ends[end + 1] - ends[start]).sum())


def by_sentence(values: list[str], lengths: list[int]) -> list[list[str]]:
    """The values of tokens, grouped by sentence."""
    ends = np.cumsum([0, *lengths]).tolist()
    return [values[a:b] for a, b in pairwise(ends)]


def contents(corpus: Corpus) -> Iterator[Content]:
    """The documents of a corpus, in order. Spans are hulls; zeros and parts are ignored."""
    words, speakers = known_column(corpus, "word"), known_column(corpus, "speaker")
    sentence = known_sentences(corpus)
    rows = corpus.rows_of_documents(corpus.text_order)
    ends = np.cumsum([0, *corpus.tokens.clip(0).tolist()]).tolist()
    nameless = corpus.unnamed
    for number, name in enumerate(corpus.names):
        entities: dict[int, list[Span]] = {}
        for row in rows[number].tolist():
            span = int(corpus.start[row]), int(corpus.end[row])
            entities.setdefault(int(corpus.entity[row]), []).append(span)
        first, last = ends[number], ends[number + 1]
        size = last - first
        if words is None:
            reach = max((end + 1 for spans in entities.values() for _, end in spans), default=0)
            size = max(size, reach)
            refuse_output("A text of unknown words", size * len(MASK), _MEMORY)
        tokens = [MASK] * size if words is None else words[first:last]
        lengths = [size] * (size > 0)
        if sentence is not None:
            lengths = run_lengths(sentence[first:last].tolist())
        speaker = None if speakers is None else speakers[first:last]
        listed = [(corpus.labels[entity], spans) for entity, spans in entities.items()]
        yield Content(None if number in nameless else name, tokens, lengths, speaker, listed)


def mention_texts(corpus: Corpus) -> list[str]:
    """The text of each mention, from its first word to its last; MASK where it is not known."""
    words = known_column(corpus, "word") if corpus.unit == "token" else None
    texts = [MASK] * corpus.mentions
    first = corpus.first_token.tolist()
    for row, (document, start, end) in enumerate(tuples(corpus.document, corpus.start, corpus.end)):
        text: str | None = None
        if words is not None:
            text = " ".join(words[first[document] + start : first[document] + end + 1])
        elif corpus.unit == "character" and (known := document_text(corpus, document)) is not None:
            text = known[start : end + 1]
        texts[row] = " ".join((text or "").split()) or MASK
    return texts


def file_columns(corpus: Corpus, numbers: Iterable[int]) -> dict[int, list[str]]:
    """The columns with these numbers, each with a value per token of the corpus.

    Empty unless all files have numbered columns.
    """
    if not _has_tokens(corpus) or not all(source.numbers for source in corpus.sources):
        return {}
    columns = {}
    for number in numbers:
        pieces = [source.find_column(number, AS_THEY_ARE) for source in corpus.sources]
        columns[number] = [value for piece in pieces for value in piece.to_list()]
    return columns


def zero_cells(corpus: Corpus, numbers: Sequence[int]) -> list[dict[tuple[int, int], list[str]]]:
    """For each document, empty node → its cells in these columns, as its file has them."""
    nodes: list[dict[tuple[int, int], list[str]]] = [{} for _ in corpus.names]
    if _has_tokens(corpus):
        for source in corpus.sources:
            for (document, *node), cells in source.zero_cells(numbers).items():
                nodes[source.first_document + document][node[0], node[1]] = cells
    return nodes


def known_column(corpus: Corpus, name: str) -> list[str] | None:
    """A column, one value per token of the corpus; None if the corpus lacks it."""
    try:
        return read_columns(corpus, name)[0].to_list() if _has_tokens(corpus) else None
    except DataError:
        return None


def known_sentences(corpus: Corpus) -> IntArray | None:
    """int64 (tokens,): the sentence of each token; None if the corpus has no sentences."""
    try:
        return sentence_numbers(corpus) if _has_tokens(corpus) else None
    except DataError:
        return None


def _has_tokens(corpus: Corpus) -> bool:
    return bool(corpus.sources) and bool((corpus.tokens >= 0).all())


def split_members(corpus: Corpus) -> Iterator[tuple[int, int]]:
    """The pairs of an entity with split antecedents and one of these, in order."""
    if corpus.links is not None:
        split = corpus.links.kind == KINDS.index("split")
        yield from tuples(corpus.links.source[split], corpus.links.target[split])


class TextMention(NamedTuple):
    """A mention: its row in the corpus, its entity, and its parts in characters, ends excluded."""

    row: int
    entity: int
    parts: list[tuple[int, int]]


class RunningText(NamedTuple):
    """A document: its name, its text, and its mentions in text order."""

    name: str
    text: str
    mentions: list[TextMention]


def running_texts(corpus: Corpus) -> Iterator[RunningText]:
    """The documents of a corpus; words are joined by blanks, sentences by line ends.

    Raises DataError where the text is not known.
    """
    words = [c.sentences for c in contents(corpus)] if corpus.unit == "token" else None
    for number, rows in enumerate(corpus.rows_of_documents(corpus.text_order)):
        begin: Sequence[int]
        after: Sequence[int]
        if words is not None:
            text, begin, after = _spelt(words[number])
        elif (known := document_text(corpus, number)) is not None:
            text, begin, after = known, range(len(known)), range(1, len(known) + 1)
        else:
            raise no_columns()
        mentions = []
        for row in rows.tolist():
            nodes = corpus.nodes.at(row) if corpus.nodes else None
            runs = runs_of(t for t, _ in nodes or ())
            parts = runs or [(int(corpus.start[row]), int(corpus.end[row]))]
            spans = [(begin[a], after[b]) for a, b in parts]
            mentions.append(TextMention(row, int(corpus.entity[row]), spans))
        yield RunningText(corpus.names[number], text, mentions)


def _spelt(sentences: list[list[str]]) -> tuple[str, list[int], list[int]]:
    """The words as a text, one sentence per line, and where each word begins and ends.

    An empty word is written as `_`: an empty span could not be read again.
    """
    plain = [[" ".join(word.split()) or "_" for word in words] for words in sentences]
    ends = list(accumulate(len(word) + 1 for words in plain for word in words))
    text = "\n".join(map(" ".join, plain))
    return text, [0, *ends[:-1]], [end - 1 for end in ends]


def take_documents(corpus: Corpus, numbers: Sequence[int]) -> Corpus:
    """These documents, in the order of the corpus, with their files but without mentions.

    If all documents of a file are taken, it stays as it is. If only some are, the file is cut to
    their bytes where its format allows it; otherwise only words and sentences, or the text, are
    kept.
    """
    chosen = {*numbers}
    pieces = []
    for source in corpus.sources:
        first = source.first_document
        taken = [n for n in range(first, first + source.documents) if n in chosen]
        if len(taken) == source.documents:
            begin = corpus.document_byte[taken] if len(corpus.document_byte) else EMPTY
            moved = replace(source, first_document=0)
            pieces.append(_frame(corpus, taken, moved, begin))
        elif taken:
            pieces.append(_cut(corpus, taken, source) or _listed(corpus, taken, source))
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
        document_byte=begin,
    )


def _cut(corpus: Corpus, numbers: Sequence[int], source: Source) -> Corpus | None:
    """The documents, in a file cut to their bytes; None if that file would read differently."""
    form = registry.format_of(source)
    if len(corpus.document_byte) != len(corpus.names):
        return None
    pieces = [bytes_of[1:] for n in numbers if (bytes_of := corpus.document_bytes(n)) is not None]
    data = b"".join(source.data[begin:end] for begin, end in pieces)
    at = source.data.find(source.declaration)
    if at >= 0 and source.declaration not in data:
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
    return _frame(corpus, numbers, again.sources[0], again.document_byte)


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
    """The documents in a source of words and sentences, or of texts."""
    contents = [_words(corpus, number) for number in numbers]
    texts = [content for content in contents if isinstance(content, str)]
    words = [word for content in contents if isinstance(content, list) for word in content]
    if corpus.unit == "character":
        table = TokenTable((), texts=texts)
    else:
        table = TokenTable(words or None, _sentences(corpus, numbers))
    made = ListedSource(source.path, b"", 0, len(numbers), source.format, listed=table)
    return _frame(corpus, numbers, made, np.zeros(len(numbers), dtype=np.int64))


def _sentences(corpus: Corpus, numbers: Sequence[int]) -> IntArray | None:
    whole = known_sentences(corpus)
    if whole is None:
        return None
    spans = [(int(corpus.first_token[n]), int(corpus.tokens[n])) for n in numbers]
    return np.concatenate([whole[first : first + size] for first, size in spans])
