"""Documents as writers of standoff formats need them: a running text, and mentions as its parts."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from corefkit.core.corpus import Corpus
from corefkit.core.mention_columns import runs_of
from corefkit.core.source import no_columns
from corefkit.core.tokens import document_text
from corefkit.formats._kit.content import contents


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
