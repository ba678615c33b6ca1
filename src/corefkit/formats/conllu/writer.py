"""Writing CorefUD: into the lines of its own files, of which only MISC changes, or into new ones.

    1   The   the   DET   …   Entity=(e1-person-2-
    2   dog   dog   NOUN  …   Entity=e1)|SplitAnte=e2<e7

A cell that says the same as before stays as it is. A new file is one without mentions, into which
they are written in the same way.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from corefkit.core.arrays import IntArray, tuples
from corefkit.core.carriers import frozen
from corefkit.core.columns import MASKS
from corefkit.core.corpus import BEFORE_SENTENCE, Corpus
from corefkit.core.incidents import DataError, Incident, errors, make_incident
from corefkit.core.links import KINDS, ROOT, Links
from corefkit.core.names import on_one_line
from corefkit.core.nodes import Node, head_columns, node_runs, span_of
from corefkit.core.source import Source
from corefkit.formats.conllu.mentions import ETYPES
from corefkit.formats.conllu.nodes import MentionNodes, NodeRuns
from corefkit.formats.conllu.reader import BRIDGE, SPLIT, parse
from corefkit.formats.conllu.rows import (
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
from corefkit.formats.conllu.source import ConlluSource, file_of
from corefkit.formats.kit.content import (
    file_columns,
    known_column,
    known_sentences,
    zero_cells,
)
from corefkit.formats.kit.convert import empty_documents, features_dropped
from corefkit.formats.kit.files import AS_THEY_ARE, refuse_output
from corefkit.formats.registry import keeps_columns

_BRACKET = re.compile(rb"\(([^()|\s]*)")
_PIECE = re.compile(r"\([^()]*\)?|[^()]*\)")
_VALUE = re.compile(r"[^()|\s\[\]<>:,=-][^()|\s-]*")
_ATTRIBUTE = re.compile(r"\w+")
_ID = re.compile(r"[^()|\s\[\]<>:,=-]+")
_UNKNOWN = -2
_MEMORY = 64
"""How many bytes of memory each written byte of a part takes, since the file is read again."""


def to_bytes(corpus: Corpus) -> tuple[bytes, list[Incident]]:
    """The file, and what it cannot express; DataError if mentions of one entity cross.

    CorefUD files keep everything that does not change. Other corpora get the columns ID, FORM, XPOS
    (their tags), DEPS (of zeros) and MISC, from CoNLL-UA also LEMMA, UPOS and FEATS; the others
    are empty.
    """
    documents = len(corpus.names)
    told: list[Incident] = []
    lost = 0
    if corpus.sources and all(isinstance(s, ConlluSource) for s in corpus.sources):
        files = [rewrite(corpus, source) for source in corpus.sources]
        data = files[0] if len(files) == 1 else b"".join(file.rstrip() + b"\n\n" for file in files)
    else:
        made = _NewFile(corpus)
        data, told, lost, corpus = made.data, made.told, made.lost, made.whole
    again = parse(data, "the file to be written")
    if incidents := errors(again.incidents) or _crossing(corpus, again, lost):
        raise DataError(incidents)
    return data, told + empty_documents(documents - len(corpus.names))


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


@frozen
class WrittenMention:
    """A mention to be written.

    Attributes:
        runs: its nodes, in order, as runs of node numbers.
        values: its values in the order of the declaration; the id is without parts.
        order: breaks ties between brackets with equally many nodes; the first to open closes last.
    """

    runs: Sequence[tuple[int, int]]
    values: Sequence[str]
    order: tuple[int, ...] = ()


def values_at(data: bytes, byte: int) -> list[str]:
    """The values of the opening bracket at a byte of a file; [] if there is none."""
    match = _BRACKET.match(data, byte) if byte >= 0 else None
    return match[1].decode("utf-8", AS_THEY_ARE).split("-") if match else []


def with_head(values: Sequence[str], place: int, head: int) -> list[str]:
    """The values with this head, counted from 1; unchanged if they have it already.

    >>> with_head(["e1", "person"], 2, 1), with_head(["e1"], 2, 3)
    (['e1', 'person'], ['e1', '', '3'])
    """
    new = list(values)
    if place < 0 or (new[place : place + 1] or [""])[0] == ("" if head == 1 else str(head)):
        return new
    if head == 1 and len(new) <= place:
        return new
    new += [""] * (place + 1 - len(new))
    new[place] = str(head)
    return new


def cells(mentions: Iterable[WrittenMention], declaration: Declaration) -> dict[int, str]:
    """Node → the value of its Entity, for nodes that have one.

    A cell has closing brackets first, then opening ones, then single nodes; if nothing opens, the
    single nodes come first. Larger mentions open before smaller ones and close after them; for a
    discontinuous mention, the size of the part counts.
    """
    of_node = defaultdict[int, list[tuple[int, tuple[int, ...], str]]](list)
    for mention in mentions:
        parts = mention.runs
        for number, (first, last) in enumerate(parts, 1):
            size = last - first + 1
            outer, inner = (-size, *mention.order), (size, *(-x for x in mention.order))
            part = f"[{number}/{len(parts)}]" if len(parts) > 1 else ""
            text = bracket(mention.values, declaration.entity, part)
            if first == last:
                of_node[first].append((_SINGLE, outer, f"{text})"))
            else:
                name = mention.values[declaration.entity]
                of_node[first].append((_OPENS, outer, text))
                of_node[last].append((_CLOSES, inner, f"{name}{part})"))
    return {node: _joined(brackets) for node, brackets in of_node.items()}


_CLOSES, _OPENS, _SINGLE = 1, 2, 3


def _joined(brackets: list[tuple[int, tuple[int, ...], str]]) -> str:
    """The brackets of a node, given by kind and order, as one text."""
    sign = 1 if any(kind == _OPENS for kind, *_ in brackets) else -1
    ordered = sorted((sign * kind, order, text) for kind, order, text in brackets)
    return "".join(text for *_, text in ordered)


def bracket(values: Sequence[str], place: int, part: str) -> str:
    """An opening bracket, without empty values at its end.

    >>> bracket(["e1", "", ""], 0, "[1/2]")
    '(e1[1/2]'
    """
    shown = [*values[:place], values[place] + part, *values[place + 1 :]]
    return "(" + "-".join(shown).rstrip("-")


def in_misc(misc: str, name: str, value: str | None) -> str:
    """A MISC cell with a new value of one attribute, or without the attribute.

    >>> in_misc("SpaceAfter=No", "Entity", "(e1)"), in_misc("Entity=(e1)|Z=1", "Entity", None)
    ('Entity=(e1)|SpaceAfter=No', 'Z=1')
    """
    items = [] if misc == "_" else misc.split("|")
    present = [i for i, item in enumerate(items) if item.startswith(f"{name}=")]
    at = present[0] if present else next((i for i, x in enumerate(items) if x > name), len(items))
    items = [item for i, item in enumerate(items) if i not in present]
    if value:
        items.insert(at, f"{name}={value}")
    return "|".join(items) or "_"


def node_position(runs: Sequence[tuple[int, int]], node: int) -> int:
    """The position of a node in its mention, counted from 1.

    >>> node_position([(3, 5), (8, 9)], 8)
    4
    """
    return sum(min(last, node) - first + 1 for first, last in runs if first <= node)


def _with_head(names: tuple[str, ...]) -> tuple[str, ...]:
    """The declared names with the head, which is added at its usual place if it is missing."""
    return names if "head" in names else (*names[:2], "head", *names[2:])


def rewrite(corpus: Corpus, source: Source, *, declare_head: bool = False) -> bytes:
    """The file with the mentions of the corpus; cells that say the same stay as they are.

    With `declare_head`, a declaration without heads gets them, and so do all brackets.
    """
    file = file_of(source)
    declared = file.declaration
    wanted = Declaration(_with_head(declared.names), declared.line) if declare_head else declared
    placed = len(corpus.byte) == corpus.mentions
    types = corpus.mention_labels.columns.get("etype") if corpus.mention_labels else None

    def values_of(row: int, head: int) -> list[str]:
        values = values_at(source.data, int(corpus.byte[row])) if placed else []
        values += [""] * (declared.entity + 1 - len(values))
        values[declared.entity] = corpus.labels[int(corpus.entity[row])]
        if types is not None and declared.etype >= 0:
            values += [""] * (declared.etype + 1 - len(values))
            values[declared.etype] = types.values[types.code[row]]
        if len(wanted.names) > len(declared.names):
            values += [""] * (wanted.head - len(values))
            values.insert(wanted.head, "")
        return with_head(values, wanted.head, head)

    return _filled(corpus, source, wanted, values_of)


def _filled(
    corpus: Corpus,
    source: Source,
    wanted: Declaration,
    values_of: Callable[[int, int], Sequence[str]],
) -> bytes:
    """The file with the mentions and the relations of the corpus.

    `values_of` gives the values of a mention, from its row and the position of its head.
    """
    file = file_of(source)
    places = MentionNodes(corpus, source, file)
    refuse_output("CorefUD", places.pieces * len("(e1[10/10])"), _MEMORY)
    runs = {row: places.runs_of(row) for row in places.rows}
    byte = corpus.byte if len(corpus.byte) == corpus.mentions else np.full(corpus.mentions, -1)
    mentions = [
        WrittenMention(
            own,
            values_of(row, node_position(own, places.head_of(row, own))),
            (int(corpus.entity[row]), int(byte[row]), row),
        )
        for row, own in runs.items()
    ]
    entity, relations = cells(mentions, wanted), _relations(corpus, runs)
    lines = [*file.lines]
    for row in file.nodes:
        misc = row.misc
        items = dict(item.partition("=")[::2] for item in misc.split("|"))
        for name, values, pieces in (
            ("Entity", entity, _brackets),
            (BRIDGE, relations[BRIDGE], _listed),
            (SPLIT, relations[SPLIT], _listed),
        ):
            before, value = items.get(name, ""), values.get(row.node, "")
            if before != value and sorted(pieces(before)) != sorted(pieces(value)):
                misc = in_misc(misc, name, value)
        if misc != row.misc:
            lines[row.line] = file.with_cell(row, MISC, misc)
    if wanted.names != file.declaration.names:
        for line, text in enumerate(lines):
            if text.startswith("# global.Entity"):
                lines[line] = f"# global.Entity = {'-'.join(wanted.names)}"
    return file.joined(lines)


def _brackets(value: str) -> list[str]:
    """The brackets of a value, without empty values at their ends.

    >>> _brackets("(e1-person-1-(e2--)e3)")
    ['(e1-person-1', '(e2)', 'e3)']
    """
    return [piece.rstrip("-)") + ")" * piece.endswith(")") for piece in _PIECE.findall(value)]


def _listed(value: str) -> list[str]:
    return value.split(",") if value else []


def _relations(corpus: Corpus, runs: Mapping[int, NodeRuns]) -> dict[str, dict[int, str]]:
    """Bridge and SplitAnte, each node → value; `runs` are those of each mention in the file."""
    values: dict[str, dict[int, str]] = {BRIDGE: {}, SPLIT: {}}
    if corpus.links is None:
        return values
    first = _first_mentions(corpus, corpus.text_order.tolist())
    for kind, source, target, label in _links(corpus):
        row = first[source] if kind == "split" else source
        if row in runs and kind in ("split", "bridging-entity"):
            anaphor = corpus.labels[int(corpus.entity[row])]
            text = f"{corpus.labels[target]}<{anaphor}" + (f":{label}" if label else "")
            of_nodes, node = values[SPLIT if kind == "split" else BRIDGE], runs[row][0][0]
            of_nodes[node] = f"{of_nodes[node]},{text}" if node in of_nodes else text
    return values


def _links(corpus: Corpus) -> Iterator[tuple[str, int, int, str]]:
    """The kind, source, target and label of each link."""
    if corpus.links is not None:
        ends = tuples(corpus.links.kind, corpus.links.source, corpus.links.target)
        for (kind, source, target), label in zip(ends, corpus.links.label, strict=True):
            yield KINDS[kind], source, target, label


def _first_mentions(corpus: Corpus, rows: Iterable[int]) -> dict[int, int]:
    """The first of these rows for each entity."""
    first: dict[int, int] = {}
    for row in rows:
        first.setdefault(int(corpus.entity[row]), row)
    return first


def _with_links(corpus: Corpus, kept: set[int]) -> tuple[Corpus, Counter[str]]:
    """The corpus with the links that CorefUD has, each once, between mentions that are kept.

    Bridging is to an entity, and a plural and its elements are different entities. Also how many
    links of each kind there were besides.
    """
    first = _first_mentions(corpus, (row for row in corpus.text_order.tolist() if row in kept))
    seen: set[tuple[int, Node, int, int]] = set()
    listed: list[tuple[int, int, int, str]] = []
    dropped: Counter[str] = Counter()
    for kind, source, end, label in _links(corpus):
        plural = kind in ("split", "element")
        target = int(corpus.entity[end]) if kind == "bridging" else end
        row = first.get(source, -1) if plural else source
        anaphor = int(corpus.entity[row])
        if row not in kept or anaphor == target or target not in first:
            dropped[kind] += 1
            continue
        (begin, _), *_ = node_runs(corpus, row)
        key = int(corpus.document[row]), begin, anaphor, target
        if key in seen:
            dropped[kind] += 1
            continue
        seen.add(key)
        shown = label if _VALUE.fullmatch(label) and not plural else ""
        listed.append(
            (KINDS.index("split" if plural else "bridging-entity"), source, target, shown)
        )
    if not listed:
        return replace(corpus, links=None), dropped
    kinds, sources, targets = np.array([link[:3] for link in listed], np.int64).T
    links = Links(kinds, sources, targets, tuple(label for *_, label in listed))
    return replace(corpus, links=links), dropped


class _NewFile:
    """A new file for a corpus of another format.

    Attributes:
        data: the file.
        whole: the corpus without documents that have no tokens, which a file cannot express.
        lost: how many mentions were not written.
        told: incidents about what was not written.
    """

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus = _zeros_at_top(corpus)
        self._unfit: Counter[str] = Counter()
        self._declaration, self._labels = self._read_labels()
        self._words, self._tags = known_column(corpus, "word"), known_column(corpus, "pos")
        self._sentences = known_sentences(corpus)
        kept = bool(corpus.sources) and all(map(keeps_columns, corpus.sources))
        self._copied = range(LEMMA, FEATS + 1) if kept else range(0)
        self._columns = file_columns(corpus, self._copied)
        self._zeros = [_nodes_at_top(c) for c in zero_cells(corpus, (FORM, *self._copied))]
        self._heads = head_columns(corpus)
        self._kept: list[int] = []
        self.told: list[Incident] = []
        lines = [f"{line}\n" for line in self._lines()]
        self.lost = len(self.told)
        self._kept.sort()
        named = _with_ids(corpus)
        self._ids = [named.labels[entity] for entity in corpus.entity[self._kept].tolist()]
        linked, dropped = _with_links(named, {*self._kept})
        self.told += [
            make_incident("layer-dropped", number=n, links=kind) for kind, n in dropped.items()
        ]
        self.told += features_dropped(self._unfit)
        filled = np.flatnonzero(corpus.lengths).tolist()
        places = {old: new for new, old in enumerate(filled)}
        names = [corpus.names[number] for number in filled]
        self.whole = (
            corpus if len(places) == len(corpus.names) else corpus.with_documents(names, places)
        )
        written = linked.take(np.array(self._kept, np.int64)).with_documents(names, places)
        source = ConlluSource("", "".join(lines).encode("utf-8", AS_THEY_ARE), 0, len(names))
        self.data = _filled(written, source, self._declaration, self._values)

    def _values(self, number: int, head: int) -> list[str]:
        """The values of a mention that is written, from its number and the position of its head."""
        row, corpus = self._kept[number], self._corpus
        known = corpus.head is not None and corpus.head[row] != _UNKNOWN
        etype, *labels = (column[row] for column in self._labels)
        return [self._ids[number], etype, str(head) if known else "", *labels]

    def _lines(self) -> Iterator[str]:
        """All lines, without mentions."""
        before = 0
        corpus = self._corpus
        for number, rows in enumerate(corpus.rows_of_documents()):
            tokens, name = int(corpus.lengths[number]), on_one_line(corpus.names[number])
            if not tokens:
                continue
            yield f"# newdoc id = {name}" if name else "# newdoc"
            if not before:
                yield f"# global.Entity = {'-'.join(self._declaration.names)}"
            yield from self._document(number, name, rows.tolist(), before, tokens)
            before += tokens

    def _document(
        self, document: int, name: str, rows: Sequence[int], before: int, tokens: int
    ) -> Iterator[str]:
        """The lines of a document; `before` is the number of tokens before it."""
        runs = {row: node_runs(self._corpus, row) for row in rows}
        if self._sentences is not None:
            sentence = self._sentences[before : before + tokens]
        else:
            # Without sentences, empty nodes before a sentence still show where one begins.
            begins = {t + 1 for own in runs.values() for (t, z), _ in own if z > BEFORE_SENTENCE}
            sentence = np.cumsum([token in begins for token in range(tokens)])
        kept = [row for row in rows if self._is_inside(document, runs[row], sentence)]
        self._kept += kept
        known = self._corpus.dependencies
        arcs = {
            self._head(row, runs[row]): known.arcs(row) for row in kept if known and known.arcs(row)
        }
        listed = {first for row in kept for first, _ in runs[row]}
        listed |= {parent for own in arcs.values() for parent, _ in own if parent != ROOT}
        nodes = _nodes(tokens, listed)
        if dropped := self._zeros[document].keys() - {*nodes}:
            self._unfit["zeros without mentions"] += len(dropped)
        last, place, begin = -1, 0, 0
        for node in nodes:
            if (here := _sentence(node, sentence)) != last:
                if place:
                    yield ""
                last, place = here, place + 1
                yield f"# sent_id = {name or document + 1}-{place}"
                begin = node[0] + 1 if node[1] else node[0]
            cells = self._known_cells(document, node, before)
            cells[ID] = _id(node, begin)
            deps = (f"{_id(parent, begin)}:{label}" for parent, label in arcs.get(node, ()))
            cells[DEPS] = "|".join(deps) or "_"
            yield "\t".join(cells)
        yield ""

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
            self.told.append(incident)
        return len(sentences) == 1

    def _head(self, row: int, runs: list[tuple[Node, Node]]) -> Node:
        """The head of a mention; its first node if the head is not in it."""
        head = int(self._heads[0][row]), int(self._heads[1][row])
        inside = any(
            head == first if first[1] or head[1] else first <= head <= last for first, last in runs
        )
        return head if inside else runs[0][0]

    def _read_labels(self) -> tuple[Declaration, list[list[str]]]:
        """The attributes that are declared, and the values of all but id and head."""
        labels = self._corpus.mention_labels
        columns = {} if labels is None else {n: labels.values(n) for n in labels.columns}
        for name in ("SemType", "type"):  # the names in CoNLL-UA and other formats
            if "etype" not in columns and all(v in ETYPES for v in columns.get(name, "-")):
                columns["etype"] = columns.pop(name)
        empty = [""] * self._corpus.mentions
        others = {name: values for name, values in columns.items() if name != "etype"}
        fitting = [name for name in others if _ATTRIBUTE.fullmatch(name)]
        self._unfit.update({n: sum(map(bool, v)) for n, v in others.items() if n not in fitting})
        listed = [("etype", columns.get("etype", empty)), *((n, others[n]) for n in fitting)]
        if not fitting:
            listed.append(("other", empty))
        for name, values in listed:
            unfit = sum(bool(value) and not _VALUE.fullmatch(value) for value in values)
            self._unfit.update({name: unfit} if unfit else {})
        fit = [[v if _VALUE.fullmatch(v) else "" for v in values] for _, values in listed]
        return Declaration(("eid", "etype", "head", *(n for n, _ in listed[1:])), 0), fit


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


def _with_ids(corpus: Corpus) -> Corpus:
    """The corpus with ids that CorefUD can express, and that are not shared by entities."""
    labels = corpus.labels
    if len({*labels}) == corpus.entities and all(map(_ID.fullmatch, labels)):
        return corpus
    return replace(corpus, labels=tuple(f"e{n}" for n in range(1, corpus.entities + 1)))


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


def _nodes(tokens: int, listed: set[Node]) -> list[Node]:
    """The nodes of a document in order; empty nodes are added to fill gaps."""
    most: dict[Node, int] = {}
    for token, zero in listed:
        if zero:
            base = BEFORE_SENTENCE if zero > BEFORE_SENTENCE else 0
            most[token, base] = max(most.get((token, base), 0), zero - base)
    empty = [(t, base + n) for (t, base), top in most.items() for n in range(1, top + 1)]
    return sorted([*((token, 0) for token in range(tokens)), *empty])


def _sentence(node: Node, sentence: IntArray) -> int:
    """The sentence of a node, given that of each token of its document."""
    token, zero = node
    return int(sentence[token + 1 if zero > BEFORE_SENTENCE else token])
