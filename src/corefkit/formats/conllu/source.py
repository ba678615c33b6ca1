"""CorefUD files as sources: their words, tags, sentences and figures, read on demand."""

import re
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from corefkit.core.arrays import IntArray, tuples
from corefkit.core.carriers import frozen
from corefkit.core.columns import Column
from corefkit.core.corpus import Corpus
from corefkit.core.links import KINDS
from corefkit.core.source import EmptyNodeTable, HeadWord, Source
from corefkit.core.text_pieces import Sentences, TextPieces
from corefkit.formats.conll.lines import decoded_column
from corefkit.formats.conllu.lines import (
    DEPS,
    FORM,
    HEAD,
    ID,
    LEMMA,
    UPOS,
    ConlluLines,
    Headers,
)
from corefkit.formats.conllu.nodes import MentionNodes, Nodes
from corefkit.formats.kit.files import AS_THEY_ARE

_OTHER_COLUMNS = ("LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS")
"""The columns between FORM and MISC."""
_VALUES = re.compile(rb"[^()|\s]*")
"""The values of an opening bracket, after it."""

_SENT_ID = b"# sent_id ="
_NEWPAR = re.compile(rb"#\s*newpar\b")
FIGURES = (
    "words",
    "empty_nodes",
    "multiword_tokens",
    "zeros",
    "mentions_with_empty_nodes",
    "discontinuous",
    "bridges",
    "entities_with_split_antecedent",
)
"""The counts of `file_figures`, which only CorefUD files have."""


@frozen(eq=False)
class ConlluLayout:
    """The lines, documents and nodes of a file."""

    lines: ConlluLines
    headers: Headers
    nodes: Nodes


@frozen(eq=False)
class ConlluSource(Source):
    """A CorefUD file: its words, UPOS tags, lemmas, sentences and trees."""

    format: str = "conllu"

    title: ClassVar = "CorefUD"
    numbers: ClassVar = {"word": FORM, "pos": UPOS, "lemma": LEMMA}

    def find_column(self, number: int, errors: str) -> Column:
        """A column with a value per word; empty nodes and multiword tokens are not words."""
        lines, nodes = layout_of(self).lines, layout_of(self).nodes
        return decoded_column(lines.cells(number, nodes.row[nodes.word_node]), errors)

    def sentences(self) -> IntArray:
        """int64 (words,): the sentence of each word."""
        nodes = layout_of(self).nodes
        words = np.diff(nodes.first_word)
        return np.repeat(np.cumsum(words > 0) - 1, words)

    def paragraphs(self) -> tuple[IntArray, IntArray] | None:
        """The document and the first word of each sentence with `# newpar`; None if none has it."""
        lines, nodes = layout_of(self).lines, layout_of(self).nodes
        at = zip(
            lines.start[lines.comments].tolist(), lines.end[lines.comments].tolist(), strict=True
        )
        marked = [bool(_NEWPAR.match(lines.data, start, end)) for start, end in at]
        if not any(marked):
            return None
        block = np.unique(lines.block[lines.comments[np.array(marked, dtype=bool)]])
        document = nodes.block_document[block]
        return document, nodes.first_word[block] - nodes.document_word[document]

    def heads(self, begin: IntArray, end: IntArray) -> IntArray:
        """The head of each span of words, by HEAD and DEPS; its first word if there is none."""
        from corefkit.formats.conllu.dependency_trees import Trees

        layout = layout_of(self)
        trees, word = Trees(layout.lines, layout.nodes), layout.nodes.word_node
        rank = np.cumsum(layout.nodes.zero == 0) - 1
        head_nodes = [
            trees.head_of(word[first : last + 1].tolist(), int(word[first]))
            for first, last in zip(begin.tolist(), end.tolist(), strict=True)
        ]
        return rank[np.array(head_nodes, dtype=np.int64)]

    def empty_nodes(self) -> EmptyNodeTable:
        """The empty nodes of all documents, in order."""
        layout = layout_of(self)
        lines, nodes = layout.lines, layout.nodes
        empty = np.flatnonzero(nodes.zero > 0)
        if not len(empty):
            return super().empty_nodes()
        line, document = lines.rows[nodes.row[empty]], nodes.document[empty]
        first_block = np.searchsorted(nodes.block_document, np.arange(self.documents))
        bounds = tuples(lines.start[line], lines.end[line])
        text = b"\n".join([lines.data[start:end] for start, end in bounds])
        rows = [row.split("\t") for row in text.decode("utf-8", "replace").split("\n")]
        cells = list(zip(*rows, strict=True))
        arcs = [deps.partition("|")[0].partition(":") for deps in cells[DEPS]]
        parent, _, relation = zip(*arcs, strict=True)
        return EmptyNodeTable(
            document=document,
            sentence=nodes.block[empty] - first_block[document],
            line=line + 1,
            parent=parent,
            relation=relation,
            before=[number.partition(".")[0] for number in cells[ID]],
            columns=cells[FORM:HEAD],
        )

    def zero_cells(self, numbers: Sequence[int]) -> dict[tuple[int, int, int], list[str]]:
        """The cells of all empty nodes, whether in mentions or not."""
        lines, nodes = layout_of(self).lines, layout_of(self).nodes
        return {
            (int(nodes.document[node]), *nodes.place(node)): [
                lines.field(int(nodes.row[node]), at).decode("utf-8", AS_THEY_ARE) for at in numbers
            ]
            for node in np.flatnonzero(nodes.zero > 0).tolist()
        }

    def head_word(self, tokens: Sequence[int]) -> HeadWord:
        """The head of some words by HEAD and DEPS; the first if several are possible."""
        from corefkit.formats.conllu.dependency_trees import WordTrees

        layout = layout_of(self)
        trees = self.once("word trees", lambda: WordTrees(layout.lines, layout.nodes))
        return trees.head_word(tokens)

    def mention_types(self, byte: IntArray) -> list[str] | None:
        """The etype of each opening bracket; None if the file does not declare it."""
        place = layout_of(self).headers.declaration.etype
        if place < 0:
            return None
        matches = (_VALUES.match(self.data, at + 1) for at in byte.tolist())
        listed = (match[0].split(b"-") if match else [] for match in matches)
        return [
            values[place].decode("utf-8", "replace") if len(values) > place else ""
            for values in listed
        ]

    def mention_labels(self, byte: IntArray) -> dict[str, list[str]]:
        """The declared attributes other than id and head, one value per bracket.

        The attribute `entity` is called `etype`.
        """
        names = layout_of(self).headers.declaration.names
        matches = (_VALUES.match(self.data, at + 1) for at in byte.tolist())
        rows = [
            match[0].decode("utf-8", AS_THEY_ARE).split("-") if match else [] for match in matches
        ]
        return {
            "etype" if name == "entity" else name: [r[at] if at < len(r) else "" for r in rows]
            for at, name in enumerate(names)
            if name not in ("eid", "GRP", "head")
        }

    def token_lines(self) -> IntArray:
        """int64 (words,): the line of each word."""
        layout = layout_of(self)
        return layout.lines.rows[layout.nodes.row[layout.nodes.word_node]] + 1

    def words(self) -> TextPieces:
        """The words as pieces of the file."""
        return self.sentence_list().words

    def sentence_list(self) -> Sentences:
        """The sentences, named by their sent_id."""
        return self.once("sentences", lambda: _sentences(layout_of(self), self.token_lines()))


def _sentences(layout: ConlluLayout, token_line: IntArray) -> Sentences:
    lines, nodes = layout.lines, layout.nodes
    block = np.flatnonzero(np.diff(nodes.first_word) > 0)
    first_line = np.searchsorted(lines.block, np.arange(len(nodes.first_word)))
    # Blank lines belong to the block before them, so only the first block may begin with some.
    if len(first_line) > 1:
        first_line[0] = np.flatnonzero(lines.block == 0)[0]
    line, start, end = (np.array(first_line[:-1]) for _ in range(3))
    start, end = lines.start[start], lines.start[end]
    named = lines.comments[lines.end[lines.comments] - lines.start[lines.comments] > len(_SENT_ID)]
    for place, byte in enumerate(_SENT_ID):
        named = named[lines.buffer[lines.start[named] + place] == byte]
    named = named[::-1]  # if a block has several, the first counts
    named_block = lines.block[named]
    line[named_block] = named
    start[named_block], end[named_block] = lines.start[named] + len(_SENT_ID), lines.end[named]
    rows = nodes.row[nodes.word_node]
    words = TextPieces(lines.buffer, *lines.bounds(FORM, rows))
    names = TextPieces(lines.buffer, start[block], end[block])
    first = np.append(nodes.first_word[block], nodes.words)
    document = nodes.block_document[block]
    return Sentences(document, first, line[block] + 1, names, words, token_line)


def count_columns(data: bytes) -> dict[str, int]:
    """How many values each column of words and empty nodes has: name → number."""
    from corefkit.formats.conllu.reader import find_layout

    layout = find_layout(data, "")[0]
    lines, rows = layout.lines, layout.nodes.row
    numbers = {
        name: sum(cell not in (b"", b"_") for cell in lines.cells(at, rows))
        for at, name in enumerate(_OTHER_COLUMNS, LEMMA)
    }
    return {name: number for name, number in numbers.items() if number}


def layout_of(source: Source) -> ConlluLayout:
    """The layout of a file, computed once."""
    from corefkit.formats.conllu.reader import find_layout

    return source.once("layout", lambda: find_layout(source.data, source.path)[0])


def file_figures(corpus: Corpus) -> dict[str, int] | None:
    """The FIGURES of a corpus; None unless all its files are CorefUD."""
    if not corpus.sources or not all(isinstance(s, ConlluSource) for s in corpus.sources):
        return None
    layouts = [layout_of(source) for source in corpus.sources]
    links = corpus.links
    mixed = [row for row, nodes in corpus.parts or () if any(zero for _, zero in nodes)]
    figures = (
        sum(layout.nodes.words for layout in layouts),
        sum(len(layout.nodes.empty_ids) for layout in layouts),
        sum(len(layout.nodes.ranges) for layout in layouts),
        0 if corpus.head_zero is None else int((corpus.head_zero > 0).sum()),
        len(mixed) + (0 if corpus.zero is None else int((corpus.zero > 0).sum())),
        _discontinuous(corpus),
        0 if links is None else int((links.kind == KINDS.index("bridging-entity")).sum()),
        0 if links is None else len(np.unique(links.source[links.kind == KINDS.index("split")])),
    )
    return dict(zip(FIGURES, figures, strict=True))


def _discontinuous(corpus: Corpus) -> int:
    """How many mentions lack a node, word or empty node, between their first and last one."""
    listed = set() if corpus.parts is None else set(corpus.parts.row.tolist())
    number = 0
    for source in corpus.sources:
        nodes = layout_of(source).nodes
        places = MentionNodes(corpus, source, nodes)
        in_parts = listed.intersection(places.rows.tolist())
        number += sum(len(places.runs_of(row)) > 1 for row in in_parts)
        words = places.rows[(corpus.start < corpus.end)[places.rows]]
        words = words[~np.isin(words, np.array(sorted(in_parts), dtype=np.int64))]
        offset = nodes.document_word[corpus.document[words] - source.first_document]
        first, last = (nodes.word_node[c[words] + offset] for c in (corpus.start, corpus.end))
        number += int((last - first != (corpus.end - corpus.start)[words]).sum())
    return number
