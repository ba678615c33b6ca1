"""Single annotation layers in the formats of OntoNotes, written from CoNLL files.

Propositions, senses and speakers are stand-off annotation: each line names the document (with its
part after an @), the sentence and the token, from 0. `merging` puts layers into CoNLL files.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

import numpy as np

from corefkit.core.incidents import Collector
from corefkit.core.texts import quote
from corefkit.core.tokens import Tokens
from corefkit.corpora.inline_tags import InlineDocument, read_inline, write_inline
from corefkit.corpora.objects import Document, Proposition, documents
from corefkit.corpora.syntax import VERB, tag_category
from corefkit.corpora.trees import (
    EMPTY_ELEMENT,
    LabelledSpan,
    Tree,
    in_file,
    plain_labels,
    read_trees,
)

READABLE = ("parse", "name", "coref")
_NEEDS = {
    "parse": ("word", "pos", "parse"),
    "name": ("word", "ne"),
    "coref": ("word",),
    "prop": ("pos", "parse", "lemma", "frameset"),
    "sense": ("pos", "lemma", "sense"),
    "speaker": ("speaker",),
}


def write_layer(tokens: Tokens, layer: str, *, functions: bool = True) -> Iterator[str]:
    """The lines of a layer, document by document; trees have function tags only with `functions`.

    Raises DataError where the files lack it, or have tokens that it cannot express.
    """
    tokens.load(*_NEEDS[layer])
    if layer in READABLE:
        _check_sayable(tokens, layer)
    for document in documents(tokens):
        if layer == "parse":
            yield from _trees(document, functions)
        else:
            yield from _WRITERS[layer](document)


def _check_sayable(tokens: Tokens, layer: str) -> None:
    """Raise DataError for tokens that would be lost or changed when the layer is read."""
    collector = Collector()
    for name in ("pos", "word") if layer == "parse" else ("word",):
        column = tokens.column(name)
        reasons = [_unsayable(name, value, layer) for value in column.values]
        wrong = np.array([bool(reason) for reason in reasons], dtype=bool)
        for token in np.flatnonzero(wrong[column.code]).tolist() if wrong.any() else ():
            code = int(column.code[token])
            collector.note(
                "layer-unsayable",
                reasons[code],
                what="word" if name == "word" else "tag",
                at=partial(tokens.place, token),
                found=quote(column.values[code]),
                expected="a word, and in trees a tag, without blanks; no empty elements",
            )
    collector.check()


def _unsayable(name: str, value: str, layer: str) -> str:
    """The variant of `layer-unsayable` that says why a layer cannot express a value, or ""."""
    if not value:
        return "empty"
    if layer == "parse" and value.split() != [value]:
        return "blank"
    if name == "pos" and value == EMPTY_ELEMENT:
        return "element"
    return ""


def _trees(document: Document, functions: bool) -> Iterator[str]:
    for sentence in document:
        yield f"{sentence.tree if functions else plain_labels(sentence.tree)}\n"


def _inline(document: Document, spans: Iterable[LabelledSpan], kind: str) -> Iterator[str]:
    return write_inline(document.name, [sentence.words for sentence in document], spans, kind)


def read_parse(text: str, drop_edited: bool = False, path: str = "-") -> list[Tree]:
    """The trees of a `.parse` file, without empty elements; DataError where it is broken."""
    with in_file(path, "layer-broken"):
        return list(read_trees(text, drop_edited))


def read_name(text: str, path: str = "-") -> list[InlineDocument]:
    """The documents of a `.name` file with their names; DataError where it is broken."""
    with in_file(path, "layer-broken"):
        return read_inline(text, "ENAMEX")


def read_coref(text: str, path: str = "-") -> list[InlineDocument]:
    """The documents of a `.coref` file with their mentions; DataError where it is broken."""
    with in_file(path, "layer-broken"):
        return read_inline(text, "COREF")


_NONE = frozenset({"-", "_", ""})


def write_propositions(document: Document) -> Iterator[str]:
    """The lines of OntoNotes `.prop`: predicates with arguments, `word:height-LABEL`.

    An argument is a node of the tree. A span that is not a constituent is written as the nodes that
    make it up, joined by commas.
    """
    for number, sentence in enumerate(document):
        propositions = sentence.propositions
        if not propositions:
            continue
        nodes = _TreebankNodes(sentence.constituents, len(sentence))
        tags = sentence.column("pos")
        for proposition in propositions:
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
    """The lines of OntoNotes `.sense`: the sense of each word that has one."""
    for number, sentence in enumerate(document):
        columns = (sentence.column(name) for name in ("sense", "lemma", "pos"))
        for token, (sense, lemma, tag) in enumerate(zip(*columns, strict=True)):
            if sense not in _NONE:
                yield f"{where(document)} {number} {token} {lemma}-{_kind(tag)} {sense}\n"


def write_speakers(document: Document) -> Iterator[str]:
    """The speakers: a line for each sentence with a speaker, and one per change within it."""
    for number, sentence in enumerate(document):
        before = None
        for token, speaker in enumerate(sentence.column("speaker")):
            if speaker != before and not {speaker, before or "-"} <= _NONE:
                shown = "-" if speaker in _NONE else speaker
                yield f"{where(document)} {number} {token} {shown}\n"
            before = speaker


def where(document: Document) -> str:
    """The name of a document in a stand-off line, without blanks, which would split the line."""
    name = document.id if document.part is None else f"{document.id}@{document.part}"
    return "_".join(name.split())


def _roles(proposition: Proposition, nodes: "_TreebankNodes") -> Iterator[str]:
    for span in proposition.arguments:
        yield f"{nodes.cover(span)}-{'rel' if span.label == 'V' else span.label}"


def _kind(tag: str) -> str:
    return "v" if tag_category(tag) == VERB else "n"


class _TreebankNodes:
    """The nodes of a tree as PropBank names them: by their first word and the height above it."""

    def __init__(self, constituents: list[LabelledSpan], words: int) -> None:
        self._ends: list[list[int]] = [[] for _ in range(words)]
        for span in reversed(constituents):
            self._ends[span.start].append(span.end)

    def cover(self, span: LabelledSpan) -> str:
        """The fewest nodes that make up the span, from left to right."""
        parts = []
        word = span.start
        while word <= span.end:
            inside = [end for end in self._ends[word] if end <= span.end]
            parts.append(f"{word}:{len(inside)}")
            word = inside[-1] + 1 if inside else word + 1
        return ",".join(parts)


_WRITERS: dict[str, Callable[[Document], Iterable[str]]] = {
    "name": lambda document: _inline(document, document.names, "ENAMEX"),
    "coref": lambda document: _inline(document, document.mentions, "COREF"),
    "prop": write_propositions,
    "sense": write_senses,
    "speaker": write_speakers,
}
