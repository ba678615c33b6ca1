"""Writing CorefUD: new files for corpora of other formats.

Corpora that were read from CorefUD are written into their files (see `rewriting`).
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from corefkit.core.arrays import IntArray, tuples
from corefkit.core.columns import MASKS
from corefkit.core.corpus import BEFORE_SENTENCE, Corpus
from corefkit.core.incidents import DataError, Incident, errors, make_incident
from corefkit.core.links import KINDS, ROOT
from corefkit.core.names import on_one_line
from corefkit.core.nodes import Node, head_columns, node_runs, span_of
from corefkit.formats.conllu.incidents import ETYPES
from corefkit.formats.conllu.lines import (
    COLUMNS,
    DEPS,
    FEATS,
    FORM,
    ID,
    LEMMA,
    MISC,
    XPOS,
    Declaration,
)
from corefkit.formats.conllu.nodes import cut_runs
from corefkit.formats.conllu.reader import parse
from corefkit.formats.conllu.rewriting import WrittenMention, cells, node_position, rewrite
from corefkit.formats.conllu.source import ConlluSource
from corefkit.formats.kit.content import (
    file_columns,
    known_column,
    known_sentences,
    zero_cells,
)
from corefkit.formats.kit.convert import empty_documents, features_dropped
from corefkit.formats.kit.files import AS_THEY_ARE, refuse_output

_VALUE = re.compile(r"[^()|\s\[\]<>:,=-][^()|\s-]*")
_ATTRIBUTE = re.compile(r"\w+")
_UNKNOWN = -2
_MEMORY = 64
"""How many bytes of memory each written byte of a part takes, since the file is read again."""
_ID = re.compile(r"[^()|\s\[\]<>:,=-]+")


def to_bytes(corpus: Corpus) -> tuple[bytes, list[Incident]]:
    """The file, and what it cannot express; DataError if mentions of one entity cross.

    CorefUD files keep everything that does not change. Other corpora get the columns ID, FORM, XPOS
    (their tags), DEPS (of zeros) and MISC, from CoNLL-UA also LEMMA, UPOS and FEATS; the others
    are empty.
    """
    documents = len(corpus.names)
    lost: list[Incident] = []
    dropped: list[Incident] = []
    if corpus.sources and all(isinstance(s, ConlluSource) for s in corpus.sources):
        files = [rewrite(corpus, source) for source in corpus.sources]
        data = files[0] if len(files) == 1 else b"".join(file.rstrip() + b"\n\n" for file in files)
    else:
        corpus = _zeros_at_top(corpus)
        maker = _Maker(corpus)
        data = "".join(maker.lines()).encode("utf-8", AS_THEY_ARE)
        lost = maker.lost
        dropped = [
            *(make_incident("layer-dropped", number=n, links=k) for k, n in maker.links.items()),
            *features_dropped(maker.unfit),
        ]
        corpus = maker.without_empty_documents()
    again = parse(data, "the file to be written")
    if incidents := errors(again.incidents) or _crossing(corpus, again, len(lost)):
        raise DataError(incidents)
    return data, lost + dropped + empty_documents(documents - len(corpus.names))


def _zeros_at_top(corpus: Corpus) -> Corpus:
    """The corpus with zeros before the first word of a document numbered as before a sentence.

    Formats without sentences number them like zeros after a word.
    """
    zero = corpus.zero
    if zero is None or not (corpus.start < 0).any():
        return corpus
    low = (corpus.start < 0) & (zero < BEFORE_SENTENCE)
    return replace(corpus, zero=np.where(low, zero + BEFORE_SENTENCE, zero))


def _nodes_at_top(cells: Mapping[Node, list[str]]) -> dict[Node, list[str]]:
    """The cells of zeros, at the places that `_zeros_at_top` gives them."""
    return {
        (t, z + BEFORE_SENTENCE if t < 0 and z < BEFORE_SENTENCE else z): texts
        for (t, z), texts in cells.items()
    }


def _crossing(corpus: Corpus, again: Corpus, dropped: int) -> list[Incident]:
    """An incident if mentions are lost when the file is read again: those of an entity that cross.

    `dropped` is how many mentions were not written.
    """
    meant, written = (
        Counter(span_of(c, row) for row in range(c.mentions)) for c in (corpus, again)
    )
    lost = meant - written
    if lost.total() == dropped:
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


def _copied(corpus: Corpus) -> Sequence[int]:
    """The columns copied from the files: LEMMA, UPOS, XPOS and FEATS if they are CoNLL-UA."""
    formats = {source.format for source in corpus.sources}
    return range(LEMMA, FEATS + 1) if formats == {"conllua"} else ()


class _Maker:
    """Makes the lines of a new file from a corpus.

    Attributes:
        lost: an incident for each mention that was not written.
        links: how many links of each kind were not written.
        unfit: how many values of each label were not written.
    """

    def __init__(self, corpus: Corpus) -> None:
        self.lost: list[Incident] = []
        self._parts = 0
        self.links: Counter[str] = Counter()
        self.unfit: Counter[str] = Counter()
        self._corpus = corpus
        self._words, self._tags = known_column(corpus, "word"), known_column(corpus, "pos")
        self._sentences = known_sentences(corpus)
        plain = len(set(corpus.labels)) == corpus.entities and all(
            _ID.fullmatch(label) for label in corpus.labels
        )
        self._ids = corpus.labels if plain else [f"e{n}" for n in range(1, corpus.entities + 1)]
        self._heads = head_columns(corpus)
        self._declaration, self._labels = self._read_labels()
        self._copied = _copied(corpus)
        self._columns = file_columns(corpus, self._copied)
        self._zeros = [_nodes_at_top(c) for c in zero_cells(corpus, (FORM, *self._copied))]
        self._relations = self._read_links()
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
                yield f"# global.Entity = {'-'.join(self._declaration.names)}\n"
            yield from self._document(number, before, tokens)
            before += tokens

    def without_empty_documents(self) -> Corpus:
        """The corpus without documents that have no tokens, which a file cannot express."""
        kept = np.flatnonzero(self._corpus.lengths).tolist()
        if len(kept) == len(self._corpus.names):
            return self._corpus
        names = [self._corpus.names[number] for number in kept]
        return self._corpus.with_documents(names, {old: new for new, old in enumerate(kept)})

    def _document(self, document: int, before: int, tokens: int) -> Iterator[str]:
        runs = {row: node_runs(self._corpus, row) for row in self._rows[document]}
        if self._sentences is not None:
            sentence = self._sentences[before : before + tokens]
        else:
            # Without sentences, empty nodes before a sentence still show where one begins.
            begins = {t + 1 for own in runs.values() for (t, z), _ in own if z > BEFORE_SENTENCE}
            sentence = np.cumsum([token in begins for token in range(tokens)])
        runs = {row: own for row, own in runs.items() if self._is_inside(document, own, sentence)}
        known = self._corpus.dependencies
        arcs = {row: known.arcs(row) if known else [] for row in runs}
        listed = {first for own in runs.values() for first, _ in own}
        listed |= {p for own in arcs.values() for p, _ in own if p != ROOT}
        order = _numbered(tokens, listed)
        dropped = self._zeros[document].keys() - order.keys()
        self.unfit.update({"zeros without mentions": len(dropped)} if dropped else {})
        empties = [number for (_, zero), number in order.items() if zero]
        self._refuse_large([(order[a], order[b]) for own in runs.values() for a, b in own], empties)
        mentions = [self._mention(row, own, order, empties) for row, own in runs.items()]
        written = cells(mentions, self._declaration)
        first = {row: mention.runs[0][0] for row, mention in zip(runs, mentions, strict=True)}
        relations = self._misc(document, first)
        deps = {self._head(row, runs[row]): own for row, own in arcs.items() if own}
        last, place, begin = -1, 0, 0
        for node, number in order.items():
            number_of_sentence = _sentence(node, sentence)
            if number_of_sentence != last:
                name = on_one_line(self._corpus.names[document]) or str(document + 1)
                yield ("\n" if place else "") + f"# sent_id = {name}-{place + 1}\n"
                last, place = number_of_sentence, place + 1
                begin = node[0] + 1 if node[1] else node[0]
            misc = {**relations.get(number, {}), "Entity": written.get(number, "")}
            columns = self._known_cells(document, node, before)
            yield self._row(node, begin, columns, misc, deps.get(node))
        yield "\n"

    def _known_cells(self, document: int, node: Node, before: int) -> list[str]:
        """The cells of a node that are known from the files of the corpus; `_` for the others.

        `before` is the number of tokens before the document.
        """
        token, zero = node
        cells = ["_"] * COLUMNS
        if zero:
            known = self._zeros[document].get(node, [])
            for at, cell in zip((FORM, *self._copied), known, strict=False):
                cells[at] = cell or "_"
            return cells
        word = self._words[before + token] if self._words else "_"
        cells[FORM] = "_" if word in MASKS else word or "_"
        for at, column in self._columns.items():
            cells[at] = column[before + token] or "_"
        if self._tags and not self._columns:
            cells[XPOS] = self._tags[before + token] or "_"
        return cells

    def _row(
        self,
        node: Node,
        first: int,
        columns: list[str],
        misc: Mapping[str, str],
        arcs: list[tuple[Node, str]] | None,
    ) -> str:
        """The line of a node; `first` is the first token of its sentence."""
        columns[ID] = _id(node, first)
        deps = "|".join(f"{_id(parent, first)}:{relation}" for parent, relation in arcs or ())
        columns[DEPS] = deps or "_"
        columns[MISC] = (
            "|".join(f"{k}={value}" for k, value in sorted(misc.items()) if value) or "_"
        )
        return "\t".join(columns) + "\n"

    def _is_inside(self, document: int, runs: list[tuple[Node, Node]], sentence: IntArray) -> bool:
        """Whether a mention is inside one sentence; others are reported."""
        sentences = {_sentence(node, sentence) for run in runs for node in run}
        if len(sentences) > 1:
            incident = make_incident(
                "mention-across-sentences",
                document=self._corpus.names[document],
                found=f"tokens {runs[0][0][0]} to {runs[-1][1][0]} of the document, from 0",
                expected="mentions within one sentence",
            )
            self.lost.append(incident)
        return len(sentences) == 1

    def _refuse_large(self, runs: list[tuple[int, int]], empties: list[int]) -> None:
        """Raise DataError if empty nodes outside of mentions cut these into too many parts."""
        first, last = np.array(runs, dtype=np.int64).reshape(-1, 2).T
        self._parts += int(np.subtract(*(np.searchsorted(empties, x) for x in (last, first))).sum())
        refuse_output("CorefUD", self._parts * len("(e1[10/10])"), _MEMORY)

    def _head(self, row: int, runs: list[tuple[Node, Node]]) -> Node:
        """The head of a mention; its first node if the head is not in it."""
        head = int(self._heads[0][row]), int(self._heads[1][row])
        inside = any(
            head == first if first[1] or head[1] else first <= head <= last for first, last in runs
        )
        return head if inside else runs[0][0]

    def _mention(
        self,
        row: int,
        runs: list[tuple[Node, Node]],
        order: dict[Node, int],
        empties: list[int],
    ) -> WrittenMention:
        entity = int(self._corpus.entity[row])
        numbers = cut_runs(((order[first], order[last]) for first, last in runs), empties)
        head = node_position(numbers, order[self._head(row, runs)])
        known = self._corpus.head is not None and self._corpus.head[row] != _UNKNOWN
        etype, *labels = (column[row] for column in self._labels)
        values = [self._ids[entity], etype, str(head) if known else "", *labels]
        return WrittenMention(numbers, values, (entity, row))

    def _read_labels(self) -> tuple[Declaration, list[list[str]]]:
        """The attributes that are declared, and the values of all but id and head."""
        labels = self._corpus.mention_labels
        columns = {} if labels is None else {n: labels.values(n) for n in labels.columns}
        for name in ("SemType", "type"):  # the names in CoNLL-UA and other formats
            if "etype" not in columns and all(v.encode() in ETYPES for v in columns.get(name, "-")):
                columns["etype"] = columns.pop(name)
        empty = [""] * self._corpus.mentions
        others = {name: values for name, values in columns.items() if name != "etype"}
        fitting = [name for name in others if _ATTRIBUTE.fullmatch(name)]
        self.unfit.update({n: sum(map(bool, v)) for n, v in others.items() if n not in fitting})
        listed = [("etype", columns.get("etype", empty)), *((n, others[n]) for n in fitting)]
        if not fitting:
            listed.append(("other", empty))
        for name, values in listed:
            unfit = sum(bool(value) and not _VALUE.fullmatch(value) for value in values)
            self.unfit.update({name: unfit} if unfit else {})
        fit = [[v if _VALUE.fullmatch(v) else "" for v in values] for _, values in listed]
        return Declaration(("eid", "etype", "head", *(n for n, _ in listed[1:])), 0), fit

    def _read_links(self) -> list[list[tuple[str, int, int, str]]]:
        """The links of each document: kind, anaphor (a mention or a plural), antecedent, label."""
        corpus = self._corpus
        links: list[list[tuple[str, int, int, str]]] = [[] for _ in corpus.names]
        if corpus.links is None:
            return links
        ends = tuples(corpus.links.kind, corpus.links.source, corpus.links.target)
        for (kind, source, target), label in zip(ends, corpus.links.label, strict=True):
            name = KINDS[kind]
            antecedent = int(corpus.entity[target]) if name == "bridging" else target
            document = corpus.entity_document[antecedent]
            links[int(document)].append((name, source, antecedent, label))
        return links

    def _misc(self, document: int, first: Mapping[int, int]) -> dict[int, dict[str, str]]:
        """Node → Bridge and SplitAnte; `first` is the first node of each written mention."""
        entity = self._corpus.entity
        first_mention: dict[int, int] = {}
        for row in self._corpus.text_order.tolist():
            if row in first:
                first_mention.setdefault(int(entity[row]), row)
        misc: dict[int, dict[str, str]] = {}
        seen: set[tuple[int, int, int]] = set()
        for kind, source, antecedent, label in self._relations[document]:
            plural = kind in ("split", "element")
            row = first_mention.get(source, -1) if plural else source
            anaphor = int(entity[row])
            node = first.get(row, -1)
            is_new = (node, anaphor, antecedent) not in seen and antecedent in first_mention
            if node < 0 or anaphor == antecedent or not is_new:
                self.links[kind] += 1
                continue
            seen.add((node, anaphor, antecedent))
            name = "SplitAnte" if plural else "Bridge"
            text = f"{self._ids[antecedent]}<{self._ids[anaphor]}"
            text += f":{label}" if _VALUE.fullmatch(label) and not plural else ""
            attributes = misc.setdefault(node, {})
            attributes[name] = f"{attributes[name]},{text}" if name in attributes else text
        return misc


def _id(node: Node, first: int) -> str:
    """The id of a node in a sentence that begins with the token `first`."""
    token, zero = node
    if node == ROOT:
        return "0"
    if not zero:
        return str(token - first + 1)
    if zero > BEFORE_SENTENCE:
        return f"0.{zero - BEFORE_SENTENCE}"
    return f"{token - first + 1}.{zero}"


def _numbered(tokens: int, listed: set[Node]) -> dict[Node, int]:
    """The nodes of a document in order → their numbers; empty nodes are added to fill gaps."""
    most: dict[Node, int] = {}
    for token, zero in listed:
        if zero:
            base = BEFORE_SENTENCE if zero > BEFORE_SENTENCE else 0
            most[token, base] = max(most.get((token, base), 0), zero - base)
    empty = [(t, base + n) for (t, base), top in most.items() for n in range(1, top + 1)]
    nodes = sorted([*((token, 0) for token in range(tokens)), *empty])
    return {node: number for number, node in enumerate(nodes)}


def _sentence(node: Node, sentence: IntArray) -> int:
    """The sentence of a node, given that of each token of its document."""
    token, zero = node
    return int(sentence[token + 1 if zero > BEFORE_SENTENCE else token])
