"""Random documents with words and tags, as files that the tests read."""

from pathlib import Path
from typing import NamedTuple

from hypothesis import strategies as st

import corefkit
from corefkit import Corpus

Span = tuple[int, int]


class Document(NamedTuple):
    """The words, and the two sides."""

    words: list[str]
    key: list[list[Span]]
    response: list[list[Span]]


TAGS = {
    **dict.fromkeys(("he", "she", "it", "his"), "PRP"),
    **dict.fromkeys(("Ann", "Bob", "Cy"), "NNP"),
    **{"the": "DT", ",": ",", "'s": "POS", "dog": "NN", "cat": "NN", "ran": "VBD"},
}
WORDS = st.lists(st.sampled_from([*TAGS]), min_size=3, max_size=10)
LABELS = st.none() | st.integers(0, 3)


def _partition(mentions: list[Span], labels: list[int | None]) -> list[list[Span]]:
    entities: dict[int, list[Span]] = {}
    for span, label in zip(mentions, labels, strict=True):
        if label is not None:
            entities.setdefault(label, []).append(span)
    return list(entities.values())


@st.composite
def documents(draw: st.DrawFn, most: int = 9) -> Document:
    """Words, and two partitions of spans among them; many spans differ in little."""
    words = draw(WORDS)
    place = st.integers(0, len(words) - 1)
    spans = st.tuples(place, st.integers(0, 2)).map(
        lambda span: (span[0], min(span[0] + span[1], len(words) - 1))
    )
    mentions = draw(st.lists(spans, max_size=most, unique=True))
    labels = st.lists(LABELS, min_size=len(mentions), max_size=len(mentions))
    key, response = draw(labels), draw(labels)
    return Document(words, _partition(mentions, key), _partition(mentions, response))


def trees(words: list[str], spans: list[Span]) -> list[str]:
    """A column of parse trees: one sentence, with a constituent over each span that fits in."""
    fit: list[Span] = []
    for span in sorted(set(spans)):
        if not any(
            a[0] < b[0] <= a[1] < b[1] for one in fit for a, b in ((one, span), (span, one))
        ):
            fit.append(span)
    opened = ["(NP" * sum(a == place for a, _ in fit) for place in range(len(words))]
    closed = [")" * sum(b == place for _, b in fit) for place in range(len(words))]
    opened[0], closed[-1] = "(S" + opened[0], closed[-1] + ")"
    return [f"{before}*{behind}" for before, behind in zip(opened, closed, strict=True)]


def lines(documents: list[tuple[list[str], list[list[Span]]]], *, parsed: bool = False) -> str:
    """Words and entities of documents as a CoNLL file; if parsed, mentions are constituents."""
    text = []
    for number, (words, entities) in enumerate(documents):
        cells: list[list[str]] = [[] for _ in words]
        for label, entity in enumerate(entities):
            for start, end in entity:
                if start == end:
                    cells[start].append(f"({label})")
                else:
                    cells[start].insert(0, f"({label}")
                    cells[end].append(f"{label})")
        spans = [span for entity in entities for span in entity]
        parse = trees(words, spans) if parsed else ["*"] * len(words)
        text.append(f"#begin document (d{number}); part 000\n")
        for place, word in enumerate(words):
            cell = "|".join(cells[place]) or "-"
            text.append(f"d{number}\t0\t{place}\t{word}\t{TAGS[word]}\t{parse[place]}\t{cell}\n")
        text.append("\n#end document\n")
    return "".join(text)


def nests(document: Document) -> bool:
    """Whether no two mentions of an entity cross, so that files can say it."""
    return not any(
        a[0] < b[0] <= a[1] < b[1]
        for entity in (*document.key, *document.response)
        for a in entity
        for b in entity
    )


def read(
    documents: list[Document], folder: Path, *, lacking: bool = False, parsed: bool = False
) -> tuple[Corpus, Corpus]:
    """Key and response by way of files; the response may lack the last of several documents."""
    key, response = folder / "key.conll", folder / "response.conll"
    key.write_text(lines([(d.words, d.key) for d in documents], parsed=parsed), encoding="utf-8")
    answered = documents[:-1] if lacking and len(documents) > 1 else documents
    response.write_text(
        lines([(d.words, d.response) for d in answered], parsed=parsed), encoding="utf-8"
    )
    return corefkit.read(key), corefkit.read(response)
