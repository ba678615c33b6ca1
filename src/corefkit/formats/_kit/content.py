"""Content: what writers need of a document: its words, sentences, speakers and entities.

Writers of standoff formats need a running text, with mentions as its parts (`RunningText`).
`take_documents` makes an excerpt: some documents with their files, into which other mentions are
written.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import EMPTY, IntArray, tuples
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus, Span, concat
from corefkit.core.incidents import DataError, errors
from corefkit.core.mention_columns import runs_of
from corefkit.core.options import PLAIN
from corefkit.core.source import ListedSource, Source, TokenTable, no_columns, run_lengths
from corefkit.core.tokens import document_text, read_columns, sentence_numbers
from corefkit.formats import registry

MASK = "___"
"""Stands for the words of a corpus that has none."""


@frozen
class Content:
    """One document as writers see it.

    Attributes:
        name: the name; None where the document has none.
        words: one a token.
        lengths: the lengths of the sentences.
        speakers: one a token, or None.
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
        """How many characters the words of all mentions have, for writers that spell them out."""
        ends = np.cumsum([0, *(len(word) + 1 for word in self.words)])
        spans = np.array([span for _, own in self.entities for span in own], dtype=np.int64)
        start, end = spans.reshape(-1, 2).T
        return int((ends[end + 1] - ends[start]).sum())


def by_sentence(values: list[str], lengths: list[int]) -> list[list[str]]:
    """Values of tokens, cut into sentences."""
    ends = np.cumsum([0, *lengths]).tolist()
    return [values[a:b] for a, b in pairwise(ends)]


def contents(corpus: Corpus) -> Iterator[Content]:
    """The documents of a corpus, in order. Spans are hulls; zeros and parts are ignored."""
    words, speakers = known_column(corpus, "word"), known_column(corpus, "speaker")
    sentence = known_sentences(corpus)
    rows = corpus.rows_of_documents(corpus.text_order)
    ends = np.cumsum([0, *corpus.tokens.clip(0).tolist()]).tolist()
    nameless = corpus._unnamed
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
        own = [MASK] * size if words is None else words[first:last]
        lengths = [size] * (size > 0)
        if sentence is not None:
            lengths = run_lengths(sentence[first:last].tolist())
        said = None if speakers is None else speakers[first:last]
        listed = [(corpus.labels[entity], spans) for entity, spans in entities.items()]
        yield Content(None if number in nameless else name, own, lengths, said, listed)


def mention_texts(corpus: Corpus) -> list[str]:
    """The text of each mention from its first word to its last; MASK where it is not known."""
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
    """Columns of all tokens by their numbers in the files, which have columns of one kind."""
    from corefkit.formats._kit.files import AS_THEY_ARE

    if not _has_tokens(corpus) or not all(source.numbers for source in corpus.sources):
        return {}
    found = {}
    for at in numbers:
        columns = [source.find_column(at, AS_THEY_ARE) for source in corpus.sources]
        found[at] = [value for column in columns for value in column.to_list()]
    return found


def zero_cells(corpus: Corpus, numbers: Sequence[int]) -> list[dict[tuple[int, int], list[str]]]:
    """For each document the cells of its empty nodes in these columns, as its file has them."""
    found: list[dict[tuple[int, int], list[str]]] = [{} for _ in corpus.names]
    if _has_tokens(corpus):
        for source in corpus.sources:
            for (document, *node), cells in source.zero_cells(numbers).items():
                found[source.first_document + document][node[0], node[1]] = cells
    return found


def known_column(corpus: Corpus, name: str) -> list[str] | None:
    """A column of all tokens; None where the corpus lacks it."""
    try:
        return read_columns(corpus, name)[0].to_list() if _has_tokens(corpus) else None
    except DataError:
        return None


def known_sentences(corpus: Corpus) -> IntArray | None:
    """The sentence of every token; None where the corpus does not tell it."""
    try:
        return sentence_numbers(corpus) if _has_tokens(corpus) else None
    except DataError:
        return None


def _has_tokens(corpus: Corpus) -> bool:
    return bool(corpus.sources) and bool((corpus.tokens >= 0).all())


class TextMention(NamedTuple):
    """A mention: its row in the corpus, its entity, its parts of the text, ends not included."""

    row: int
    entity: int
    parts: list[tuple[int, int]]


class RunningText(NamedTuple):
    """A document: its name, its text, its mentions in the order of the text."""

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
        behind: Sequence[int]
        if words is not None:
            text, begin, behind = _spelt(words[number])
        elif (known := document_text(corpus, number)) is not None:
            text, begin, behind = known, range(len(known)), range(1, len(known) + 1)
        else:
            raise no_columns()
        mentions = []
        for row in rows.tolist():
            nodes = corpus.parts.nodes(row) if corpus.parts else None
            runs = runs_of(t for t, _ in nodes or ())
            parts = runs or [(int(corpus.start[row]), int(corpus.end[row]))]
            spans = [(begin[a], behind[b]) for a, b in parts]
            mentions.append(TextMention(row, int(corpus.entity[row]), spans))
        yield RunningText(corpus.names[number], text, mentions)


def _spelt(sentences: list[list[str]]) -> tuple[str, list[int], list[int]]:
    """Words as a text, one sentence per line, and the places at which each begins and ends.

    An empty word is a `_`: a span of nothing could not be read again.
    """
    plain = [[" ".join(word.split()) or "_" for word in words] for words in sentences]
    behind = list(accumulate(len(word) + 1 for words in plain for word in words))
    text = "\n".join(map(" ".join, plain))
    return text, [0, *behind[:-1]], [place - 1 for place in behind]


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
