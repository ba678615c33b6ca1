"""Writing CorefUD: into the files a corpus was read from, or a file made anew."""

import re
from collections import Counter
from collections.abc import Iterator

import numpy as np

from corefkit.data.arrays import IntArray
from corefkit.data.columns import MASKS
from corefkit.data.corpus import BEFORE_SENTENCE, Corpus
from corefkit.data.dependencies import ROOT
from corefkit.data.document_names import on_one_line
from corefkit.data.incidents import DataError, Incident, errors, make_incident
from corefkit.data.matching.nodes import Node, head_columns, nodes_of
from corefkit.data.spans import span_of
from corefkit.formats.conllu.headers import DEFAULT, Declaration
from corefkit.formats.conllu.reader import parse
from corefkit.formats.conllu.rewriting import rewrite
from corefkit.formats.conllu.tokens import ConlluTokens
from corefkit.formats.conllu.written import WrittenMention, cells
from corefkit.formats.content import known_column, known_sentences
from corefkit.formats.files import AS_THEY_ARE
from corefkit.formats.losses import empty_documents, links_dropped

_DECLARATION = Declaration(tuple(DEFAULT.split("-")), 0)
_UNKNOWN = -2
_ID = re.compile(r"[^()|\s\[\]<>:,=-]+")


def to_bytes(corpus: Corpus) -> tuple[bytes, list[Incident]]:
    """The file, and what it cannot say; DataError where mentions of one entity cross.

    Files in this format keep everything but what is changed. Other corpora get the columns ID,
    FORM, XPOS (their tags), DEPS (of zeros) and MISC; the rest is not known.
    """
    before, unsaid = len(corpus.names), []
    if corpus.sources and all(isinstance(s.format, ConlluTokens) for s in corpus.sources):
        data, told = b"\n\n".join(rewrite(corpus, s).rstrip() for s in corpus.sources), []
        data = data + b"\n\n" if len(corpus.sources) > 1 else rewrite(corpus, corpus.sources[0])
    else:
        maker = _Maker(corpus)
        data = "".join(maker.lines()).encode("utf-8", AS_THEY_ARE)
        told = maker.told
        unsaid = links_dropped(corpus)
        corpus = maker.without_empty_documents()
    again = parse(data, "the file to be written")
    if found := errors(again.incidents) or _not_said(corpus, again, len(told)):
        raise DataError(found)
    return data, told + unsaid + empty_documents(before - len(corpus.names))


def _not_said(corpus: Corpus, again: Corpus, without: int) -> list[Incident]:
    """Mentions that brackets cannot tell apart: those of one entity that cross."""
    meant, said = (Counter(span_of(c, row) for row in range(c.mentions)) for c in (corpus, again))
    lost = meant - said
    if lost.total() == without:
        return []
    document, start, end, *_ = min(lost)
    return [
        make_incident(
            "mentions-cross",
            document=corpus.names[document],
            found=f"tokens {start} to {end} of the document, counted from 0",
            expected="mentions of one entity apart or one inside the other",
        )
    ]


class _Maker:
    """Makes the lines of a file from a corpus that was read from another format, or from none."""

    def __init__(self, corpus: Corpus) -> None:
        self.told: list[Incident] = []
        self._corpus = corpus
        self._words, self._tags = known_column(corpus, "word"), known_column(corpus, "pos")
        self._sentences = known_sentences(corpus)
        plain = len(set(corpus.labels)) == corpus.entities and all(
            _ID.fullmatch(label) for label in corpus.labels
        )
        self._ids = corpus.labels if plain else [f"e{n}" for n in range(1, corpus.entities + 1)]
        self._heads = head_columns(corpus)
        self._rows = [rows.tolist() for rows in corpus.rows_of_documents()]

    def lines(self) -> Iterator[str]:
        """All lines, with their line ends."""
        before = 0
        for number, name in enumerate(self._corpus.names):
            tokens = int(self._corpus.lengths[number])
            if not tokens:
                continue
            yield f"# newdoc id = {on_one_line(name)}\n" if name else "# newdoc\n"
            if not before:
                yield f"# global.Entity = {DEFAULT}\n"
            yield from self._document(number, before, tokens)
            before += tokens

    def without_empty_documents(self) -> Corpus:
        """The corpus without the documents that have no tokens, which no file can say."""
        kept = np.flatnonzero(self._corpus.lengths).tolist()
        if len(kept) == len(self._corpus.names):
            return self._corpus
        names = [self._corpus.names[number] for number in kept]
        return self._corpus.renumbered(names, {old: new for new, old in enumerate(kept)})

    def _document(self, document: int, before: int, tokens: int) -> Iterator[str]:
        nodes = {row: nodes_of(self._corpus, row) for row in self._rows[document]}
        if self._sentences is not None:
            sentence = self._sentences[before : before + tokens]
        else:
            # Where nothing tells sentences, empty nodes before the first word of one still do.
            begins = {t + 1 for own in nodes.values() for t, z in own if z > BEFORE_SENTENCE}
            sentence = np.cumsum([token in begins for token in range(tokens)])
        nodes = {row: own for row, own in nodes.items() if self._sayable(document, own, sentence)}
        known = self._corpus.dependencies
        arcs = {row: known.arcs(row) if known else [] for row in nodes}
        listed = {n for own in nodes.values() for n in own}
        listed |= {p for own in arcs.values() for p, _ in own if p != ROOT}
        order = _numbered(tokens, listed)
        written = cells((self._mention(r, own, order) for r, own in nodes.items()), _DECLARATION)
        deps = {self._head(row, nodes[row]): own for row, own in arcs.items() if own}
        last, place, first = -1, 0, 0
        for node, number in order.items():
            own = _sentence(node, sentence)
            if own != last:
                name = on_one_line(self._corpus.names[document]) or str(document + 1)
                yield ("\n" if place else "") + f"# sent_id = {name}-{place + 1}\n"
                last, place = own, place + 1
                first = node[0] + 1 if node[1] else node[0]
            yield self._row(node, (first, before), written.get(number), deps.get(node))
        yield "\n"

    def _row(
        self,
        node: Node,
        starts: tuple[int, int],
        entity: str | None,
        arcs: list[tuple[Node, str]] | None,
    ) -> str:
        """The line of a node; `starts` are the first token of its sentence and of its document."""
        token, zero = node
        first, before = starts
        form = self._words[before + token] if self._words and not zero else "_"
        tag = self._tags[before + token] if self._tags and not zero else "_"
        deps = "|".join(f"{_id(parent, first)}:{relation}" for parent, relation in arcs or ())
        columns = (
            *(_id(node, first), "_" if form in MASKS else form or "_", "_", "_", tag or "_"),
            *("_", "_", "_", deps or "_", f"Entity={entity}" if entity else "_"),
        )
        return "\t".join(columns) + "\n"

    def _sayable(self, document: int, nodes: list[Node], sentence: IntArray) -> bool:
        """Whether the mention is within one sentence."""
        of_node = {_sentence(node, sentence) for node in nodes}
        if len(of_node) > 1:
            incident = make_incident(
                "mention-across-sentences",
                document=self._corpus.names[document],
                found=f"tokens {nodes[0][0]} to {nodes[-1][0]} of the document, from 0",
                expected="mentions within one sentence",
            )
            self.told.append(incident)
        return len(of_node) == 1

    def _head(self, row: int, nodes: list[Node]) -> Node:
        head, zero = (int(column[row]) for column in self._heads)
        return (head, zero) if (head, zero) in nodes else nodes[0]

    def _mention(self, row: int, nodes: list[Node], order: dict[Node, int]) -> WrittenMention:
        entity = int(self._corpus.entity[row])
        head = nodes.index(self._head(row, nodes)) + 1
        known = self._corpus.head is not None and self._corpus.head[row] != _UNKNOWN
        values = [self._ids[entity], "", str(head) if known else ""]
        return WrittenMention([order[n] for n in nodes], values, (entity, row))


def _id(node: Node, first: int) -> str:
    """The id of a node in a sentence that begins with this token."""
    token, zero = node
    if node == ROOT:
        return "0"
    if not zero:
        return str(token - first + 1)
    if zero > BEFORE_SENTENCE:
        return f"0.{zero - BEFORE_SENTENCE}"
    return f"{token - first + 1}.{zero}"


def _numbered(tokens: int, listed: set[Node]) -> dict[Node, int]:
    """All nodes of a document in order, numbered; empty nodes without gaps."""
    most: dict[Node, int] = {}
    for token, zero in listed:
        if zero:
            base = BEFORE_SENTENCE if zero > BEFORE_SENTENCE else 0
            most[token, base] = max(most.get((token, base), 0), zero - base)
    empty = [(t, base + n) for (t, base), top in most.items() for n in range(1, top + 1)]
    nodes = sorted([*((token, 0) for token in range(tokens)), *empty])
    return {node: number for number, node in enumerate(nodes)}


def _sentence(node: Node, sentence: IntArray) -> int:
    """The sentence of a node, from those of the tokens of its document."""
    token, zero = node
    return int(sentence[token + 1 if zero > BEFORE_SENTENCE else token])
