"""The minimum span of each mention of a corpus, as `corefkit stats --minimum` lists them."""

from typing import Any, NamedTuple

from corefkit.data.corpus import Corpus
from corefkit.mentions.minimum import Minima


class Words(NamedTuple):
    """Some words of a document: the first and the last token, from 0 in it, and their text."""

    start: int
    end: int
    text: str


class Minimum(NamedTuple):
    """A mention and the runs of words that are its minimum; sentences are counted from 0."""

    document: str
    sentence: int
    mention: Words
    minimum: tuple[Words, ...]

    def to_dict(self) -> dict[str, Any]:
        """The mention as it stands in the JSON of `corefkit stats --minimum`."""
        return {
            "document": self.document,
            "sentence": self.sentence,
            **self.mention._asdict(),
            "minimum": [words._asdict() for words in self.minimum],
        }


def list_minima(corpus: Corpus) -> list[Minimum]:
    """The minima of all mentions in text order, by the trees of the corpus itself.

    Raises DataError where it has no trees.

    >>> import corefkit
    >>> first = list_minima(corefkit.read("examples/key.conll"))[0]
    >>> first.mention.text, [words.text for words in first.minimum]
    ('The sea wall of Port Ellery', ['The sea wall'])
    """
    minima = Minima(corpus)
    words = minima.words.to_list()
    offset = corpus.first_token.tolist()
    sentences = minima.sentence.tolist()

    def cut(document: int, first: int, last: int) -> Words:
        text = " ".join(words[first : last + 1])
        return Words(first - offset[document], last - offset[document], text)

    found = []
    for row in corpus.text_order.tolist():
        document = int(corpus.document[row])
        first, last = (offset[document] + int(c[row]) for c in (corpus.start, corpus.end))
        runs = minima.find(first, last)
        ends = [(first, last)] if runs is None else [(first + a, first + b) for a, b, _ in runs]
        sentence = sentences[first] - sentences[offset[document]]
        minimum = tuple(cut(document, *pair) for pair in sorted(ends))
        mention = cut(document, first, last)
        found.append(Minimum(corpus.names[document], sentence, mention, minimum))
    return found
