"""Single annotation layers in the formats of OntoNotes: written from CoNLL files, merged into them.

Trees, names and coreference can be read and merged. A merged file has the annotation of the layer,
and the words and all other columns of the CoNLL file; unchanged sentences stay the same to the
byte. Propositions, senses and speakers are stand-off annotation: each line names the document (with
its part after an @), the sentence and the token, from 0.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

import numpy as np

from corefkit.core.columns import NAMES, NOTHING
from corefkit.core.incidents import Collector, Incident, data_error
from corefkit.core.texts import quote
from corefkit.core.tokens import Tokens
from corefkit.corpora.inline_tags import InlineDocument, read_inline, write_inline
from corefkit.corpora.objects import Document, Proposition, documents
from corefkit.corpora.syntax import VERB, tag_category
from corefkit.corpora.trees import EMPTY_ELEMENT, LabelledSpan, Tree, escape, in_file, read_trees
from corefkit.formats.conll.cells import coreference_cells, same_cells, star_cells
from corefkit.formats.conll.rewriting import Row, SentenceRows, rewrite

READABLE = ("parse", "name", "coref")
_NEEDS = {
    "parse": ("word", "pos", "parse"),
    "name": ("word", "ne"),
    "coref": ("word",),
    "prop": ("pos", "parse", "lemma", "frameset"),
    "sense": ("pos", "lemma", "sense"),
    "speaker": ("speaker",),
}


def write_layer(tokens: Tokens, layer: str) -> Iterator[str]:
    """The lines of a layer, document by document.

    Raises DataError where the files lack it, or have tokens that it cannot express.
    """
    tokens.load(*_NEEDS[layer])
    if layer in READABLE:
        _check_sayable(tokens, layer)
    for document in documents(tokens):
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


def _trees(document: Document) -> Iterator[str]:
    return (f"{sentence.tree}\n" for sentence in document)


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


def ignored(layer: str, text: str, path: str = "-") -> list[Incident]:
    """A warning for each annotation of a layer file that a CoNLL file cannot express."""
    documents = read_coref(text, path) if layer == "coref" else []
    collector = Collector(path)
    for document in documents:
        for line, kind in document.ignored:
            collector.note(
                "layer-ignored",
                "type" if kind else "parts",
                type=kind,
                at=line,
                document=document.name,
                expected="mentions of whole words, of type IDENT",
            )
    return list(collector)


def merge(data: bytes, layer: str, text: str, path: str = "-", layer_path: str = "-") -> bytes:
    """The CoNLL file with the annotation of this layer in place of its own.

    Raises DataError where the words or sentences of the two files differ.
    """
    if layer == "parse":
        return _merge_trees(data, read_parse(text, path=layer_path), path, layer_path)
    documents = (read_name if layer == "name" else read_coref)(text, layer_path)
    return _merge_spans(data, documents, layer, path, layer_path)


def _merge_trees(data: bytes, trees: Sequence[Tree], path: str, layer_path: str) -> bytes:
    waiting = iter(trees)

    def change(sentence: SentenceRows) -> list[Row]:
        tree = next(waiting, None)
        leaves = tree.leaves() if tree else []
        _same_words(sentence, [leaf.word for leaf in leaves], path, layer_path)
        _has_column(sentence, "parse", path)
        bits = tree.bits() if tree else []
        new = [
            [
                *row[:4],
                row[4] if escape(row[4]) == leaf.tag else leaf.tag,
                row[5] if bit == "*" and row[5] in NOTHING else bit,
                *row[6:],
            ]
            for row, leaf, bit in zip(sentence.rows, leaves, bits, strict=True)
        ]
        return sentence.rows if new == sentence.rows else new

    merged = rewrite(data, change, path=path)
    if (unused := sum(1 for _ in waiting)) > 0:
        raise data_error("layer-mismatch", "trees", number=unused, file=layer_path)
    return merged


def _merge_spans(
    data: bytes, documents: Sequence[InlineDocument], layer: str, path: str, layer_path: str
) -> bytes:
    words = [[word for sentence in d.sentences for word in sentence] for d in documents]
    make, column, nothing = coreference_cells, -1, "-"
    if layer == "name":
        make, column, nothing = star_cells, NAMES["ne"], "*"
    cells = [make(document.spans) for document in documents]
    seen = 0

    def change(sentence: SentenceRows) -> list[Row]:
        nonlocal seen
        number = sentence.document
        tokens = slice(sentence.start, sentence.start + len(sentence.rows))
        layer_words = words[number][tokens] if number < len(documents) else []
        _same_words(sentence, layer_words, path, layer_path, inline=True)
        if layer == "name":
            _has_column(sentence, "ne", path)
        seen = number + 1
        new = [list(row) for row in sentence.rows]
        for place, row in enumerate(new, sentence.start):
            cell = cells[number].get(place, nothing)
            if not same_cells(cell, row[column]):
                row[column] = cell
        return sentence.rows if new == sentence.rows else new

    merged = rewrite(data, change, path=path)
    if (unused := len(documents) - seen) > 0:
        raise data_error("layer-mismatch", "documents", number=unused, file=layer_path)
    return merged


def _same_words(
    sentence: SentenceRows, words: Sequence[str], path: str, layer_path: str, inline: bool = False
) -> None:
    """Raise DataError unless the words of a layer are those of the CoNLL file."""
    conll_words = [row[3] if len(row) > 4 else "" for row in sentence.rows]
    expected = conll_words if inline else [escape(word) for word in conll_words]
    if list(words) == expected:
        return
    pairs = enumerate(zip(expected, words, strict=False))
    at = next((i for i, (a, b) in pairs if a != b), min(len(expected), len(words)))
    raise data_error(
        "layer-mismatch",
        here=len(conll_words),
        there=len(words),
        file=path,
        at=sentence.line + min(at, len(conll_words) - 1),
        document=sentence.name,
        found=f"{quote(' '.join(words[at : at + 5]))} in {layer_path}",
        expected=quote(" ".join(expected[at : at + 5])),
    )


def _has_column(sentence: SentenceRows, name: str, path: str) -> None:
    """Raise DataError unless all rows of a sentence have this column, before coreference."""
    least = NAMES[name] + 2
    for place, row in enumerate(sentence.rows):
        if len(row) < least:
            raise data_error(
                "column-missing",
                "layer",
                name=name,
                file=path,
                at=sentence.line + place,
                found=f"{len(row)} columns, the last being coreference",
                expected=f"at least {least} columns",
            )


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
            if speaker != before and speaker not in _NONE:
                yield f"{where(document)} {number} {token} {speaker}\n"
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
        place = span.start
        while place <= span.end:
            inside = [end for end in self._ends[place] if end <= span.end]
            parts.append(f"{place}:{len(inside)}")
            place = inside[-1] + 1 if inside else place + 1
        return ",".join(parts)


_WRITERS: dict[str, Callable[[Document], Iterable[str]]] = {
    "parse": _trees,
    "name": lambda document: _inline(document, document.names, "ENAMEX"),
    "coref": lambda document: _inline(document, document.mentions, "COREF"),
    "prop": write_propositions,
    "sense": write_senses,
    "speaker": write_speakers,
}
