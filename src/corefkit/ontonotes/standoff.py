"""Layers that stand apart from the text and point into it: propositions, senses, speakers.

Each line names the document (with its part behind an @), the sentence and the token, from 0.
"""

from collections.abc import Iterator

from corefkit.ontonotes.categories import VERB, tag_category
from corefkit.ontonotes.trees import LabelledSpan
from corefkit.ontonotes.views import Document, Proposition

_NONE = frozenset({"-", "_", ""})


def write_propositions(document: Document) -> Iterator[str]:
    """OntoNotes `.prop`: predicates with arguments as nodes of the tree, `word:height-LABEL`.

    A span that is no constituent is the sequence of those it is made of, joined by commas.
    """
    for number, sentence in enumerate(document):
        found = sentence.propositions
        if not found:
            continue
        nodes = _Nodes(sentence.constituents, len(sentence))
        tags = sentence.column("pos")
        for proposition in found:
            if proposition.token is None:
                continue
            kind = _kind(tags[proposition.token])
            roles = " ".join(_roles(proposition, nodes))
            yield (
                f"{where(document)} {number} {proposition.token} gold "
                f"{proposition.lemma}-{kind} {proposition.lemma}.{proposition.frameset} "
                f"----- {roles}\n"
            )


def write_senses(document: Document) -> Iterator[str]:
    """OntoNotes `.sense`: the sense of each word that has one."""
    for number, sentence in enumerate(document):
        columns = (sentence.column(name) for name in ("sense", "lemma", "pos"))
        for token, (sense, lemma, tag) in enumerate(zip(*columns, strict=True)):
            if sense not in _NONE:
                yield f"{where(document)} {number} {token} {lemma}-{_kind(tag)} {sense}\n"


def write_speakers(document: Document) -> Iterator[str]:
    """Who speaks: a line for each sentence, and one more where the speaker changes in it."""
    for number, sentence in enumerate(document):
        before = None
        for token, speaker in enumerate(sentence.column("speaker")):
            if speaker != before and speaker not in _NONE:
                yield f"{where(document)} {number} {token} {speaker}\n"
            before = speaker


def where(document: Document) -> str:
    """The document as a stand-off line names it; blanks would split the line."""
    name = document.id if document.part is None else f"{document.id}@{document.part}"
    return "_".join(name.split())


def _roles(proposition: Proposition, nodes: "_Nodes") -> Iterator[str]:
    for span in proposition.arguments:
        yield f"{nodes.cover(span)}-{'rel' if span.label == 'V' else span.label}"


def _kind(tag: str) -> str:
    return "v" if tag_category(tag) == VERB else "n"


class _Nodes:
    """The nodes of a tree as PropBank names them: first word and height above it."""

    def __init__(self, constituents: list[LabelledSpan], words: int) -> None:
        self._ends: list[list[int]] = [[] for _ in range(words)]
        for span in reversed(constituents):
            self._ends[span.start].append(span.end)

    def cover(self, span: LabelledSpan) -> str:
        """The fewest nodes that make up the span, from left to right."""
        parts = []
        place = span.start
        while place <= span.end:
            inside = [end for end in self._ends[place] if end <= span.end]
            parts.append(f"{place}:{len(inside)}")
            place = inside[-1] + 1 if inside else place + 1
        return ",".join(parts)
