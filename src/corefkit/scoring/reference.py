"""What the reference scorer lists of every document when it is not told to be brief."""

import re
from collections.abc import Sequence

from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus, Span
from corefkit.scorers.comparison import Comparison

_HEADER = re.compile(rb"#\s*begin document (.*)")


@frozen
class Block:
    """One document: entities as lists of spans, all copies included.

    `response` is None where the response lacks the document.
    """

    name: str
    key: Sequence[Sequence[Span]]
    response: Sequence[Sequence[Span]] | None


def make_blocks(comparison: Comparison) -> list[Block]:
    """The documents of the key, each under the name that is written in its file."""
    key, response = comparison.key_side, comparison.response_side
    ours, theirs = key.scored.clusters(), response.scored.clusters()
    there = set(response.corpus.names)
    return [
        Block(_written(key.corpus, number), ours[name], theirs[name] if name in there else None)
        for number, name in enumerate(key.scored.names)
    ]


def _written(corpus: Corpus, document: int) -> str:
    """The name of a document with the blanks around it, as the original prints it."""
    where = corpus._document_bytes(document)
    if where is not None:
        source, begin, _ = where
        line = source.data[begin : source.data.find(b"\n", begin) % (len(source.data) + 1)]
        if header := _HEADER.match(line.removesuffix(b"\r")):
            return header[1].decode("utf-8", "replace")
    return corpus.names[document]
