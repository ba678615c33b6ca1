"""Writing CorefUD: into the files a corpus was read from, or a file made anew.

Into a file only what changes is written: `Entity`, whose brackets stand in the usual order, and
Bridge and SplitAnte.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from corefkit.core.arrays import IntArray, tuples
from corefkit.core.carriers import frozen
from corefkit.core.corpus import BEFORE_SENTENCE, Corpus
from corefkit.core.incidents import DataError, Incident, errors, make_incident
from corefkit.core.links import KINDS, ROOT
from corefkit.core.names import on_one_line
from corefkit.core.nodes import Node, head_columns, node_runs, span_of
from corefkit.core.source import MASKS, Source
from corefkit.formats._kit.content import (
    file_columns,
    known_column,
    known_sentences,
    zero_cells,
)
from corefkit.formats._kit.convert import empty_documents, features_dropped
from corefkit.formats._kit.files import AS_THEY_ARE, refuse_output
from corefkit.formats.columns.rewriting import splice
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
from corefkit.formats.conllu.nodes import MentionNodes, cut_runs
from corefkit.formats.conllu.reader import parse
from corefkit.formats.conllu.source import ConlluSource, layout_of

_BRACKET = re.compile(rb"\(([^()|\s]*)")
_PART = re.compile(r"\[\d+/\d+\]$")


@frozen
class WrittenMention:
    """A mention to be written.

    Attributes:
        runs: its nodes in order, as runs of numbers that follow one another.
        values: its values in the order of the declaration; the id is without parts.
        order: what decides between brackets of as many nodes; those that come first close last.
    """

    runs: Sequence[tuple[int, int]]
    values: Sequence[str]
    order: tuple[int, ...] = ()


def values_at(data: bytes, byte: int, declaration: Declaration) -> list[str] | None:
    """The values of the opening bracket at a byte of a file; None where there is none."""
    found = _BRACKET.match(data, byte)
    if not found:
        return None
    values = found[1].decode("utf-8", "surrogateescape").split("-")
    place = declaration.entity
    values += [""] * (place + 1 - len(values))
    values[place] = _PART.sub("", values[place])
    return values


def with_head(values: Sequence[str], place: int, head: int) -> list[str]:
    """The values with this head, counted from 1; unchanged where they say so already.

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
    """For each node the value of its Entity, where it has one.

    A cell begins with what closes, goes on with what opens and ends with single nodes; if nothing
    opens, the single nodes precede what closes. Larger mentions open before smaller ones and
    close after them; a discontinuous mention is as large as the part in question.
    """
    opening: dict[int, list[tuple[tuple[int, ...], str]]] = {}
    single: dict[int, list[tuple[tuple[int, ...], str]]] = {}
    closing: dict[int, list[tuple[tuple[int, ...], str]]] = {}
    for mention in mentions:
        parts = mention.runs
        for number, (first, last) in enumerate(parts, 1):
            size = last - first + 1
            outer, inner = (-size, *mention.order), (size, *(-x for x in mention.order))
            part = f"[{number}/{len(parts)}]" if len(parts) > 1 else ""
            text = bracket(mention.values, declaration.entity, part)
            if first == last:
                single.setdefault(first, []).append((outer, f"{text})"))
            else:
                opening.setdefault(first, []).append((outer, text))
                name = mention.values[declaration.entity]
                closing.setdefault(last, []).append((inner, f"{name}{part})"))
    return {
        node: _joined(opening.get(node), single.get(node), closing.get(node))
        for node in opening.keys() | single.keys() | closing.keys()
    }


def _joined(*lists: list[tuple[tuple[int, ...], str]] | None) -> str:
    opening, single, closing = ("".join(text for _, text in sorted(x or [])) for x in lists)
    return closing + opening + single if opening else single + closing


def bracket(values: Sequence[str], place: int, part: str) -> str:
    """An opening bracket; what is empty at its end is left out.

    >>> bracket(["e1", "", ""], 0, "[1/2]")
    '(e1[1/2]'
    """
    own = [*values[:place], values[place] + part, *values[place + 1 :]]
    return "(" + "-".join(own).rstrip("-")


def in_misc(misc: str, name: str, value: str | None) -> str:
    """A MISC cell with another value of one attribute, or without it.

    >>> in_misc("SpaceAfter=No", "Entity", "(e1)"), in_misc("Entity=(e1)|Z=1", "Entity", None)
    ('Entity=(e1)|SpaceAfter=No', 'Z=1')
    """
    items = [] if misc == "_" else misc.split("|")
    own = [i for i, item in enumerate(items) if item.startswith(f"{name}=")]
    at = own[0] if own else next((i for i, x in enumerate(items) if x > name), len(items))
    items = [item for i, item in enumerate(items) if i not in own]
    if value:
        items.insert(at, f"{name}={value}")
    return "|".join(items) or "_"


_Known = tuple[int, str, tuple[tuple[int, int], ...], int]
"""What a mention is to its file: opening byte (−1: none), id, runs of nodes, head."""


def rewrite(corpus: Corpus, source: Source, *, declare_head: bool = False) -> bytes:
    """The file with the mentions of the corpus; cells that say the same stay as they are.

    With `declare_head` a declaration without heads gets them, and so do all brackets.
    """
    layout = layout_of(source)
    nodes, lines, declared = layout.nodes, layout.lines, layout.headers.declaration
    before = parse(source.data, source.path)
    places = MentionNodes(corpus, source, nodes)
    new = dict(_known(corpus, places, source.first_document))
    old = dict(_known(before, MentionNodes(before, before.sources[0], nodes), 0))
    kept = set(new.values()) & set(old.values())
    changed = [known for known in (*new.values(), *old.values()) if known not in kept]
    wanted = Declaration(_with_head(declared.names), declared.line) if declare_head else declared
    if wanted.names != declared.names:
        changed = [*new.values(), *old.values()]
    touched = {n for _, _, runs, _ in changed for run in runs for n in run}
    written = cells(_mentions(corpus, source.data, new, touched, (declared, wanted)), wanted)
    spliced: dict[tuple[int, int], str] = {}
    relations = _relations(corpus, before, places)
    for node in touched | {n for values in relations.values() for n in values}:
        row = int(nodes.row[node])
        misc = lines.field(row, MISC).decode("utf-8", AS_THEY_ARE)
        if node in touched:
            misc = in_misc(misc, "Entity", written.get(node))
        for name, values in relations.items():
            if node in values:
                misc = in_misc(misc, name, values[node])
        start = int(lines.tabs[row, MISC - 1]) + 1
        spliced[start, int(lines.end[lines.rows[row]])] = misc
    if wanted.names != declared.names:
        for line in lines.comments.tolist():
            start, end = int(lines.start[line]), int(lines.end[line])
            if lines.data.startswith(b"# global.Entity", start):
                spliced[start, end] = f"# global.Entity = {'-'.join(wanted.names)}"
    return splice(lines.data, spliced)


def _known(corpus: Corpus, places: MentionNodes, first: int) -> Iterator[tuple[int, _Known]]:
    entity = corpus.entity.tolist()
    placed = len(corpus._byte) == corpus.mentions
    for row in places.rows.tolist():
        runs = places.runs_of(row)
        byte = int(corpus._byte[row]) if placed else -1
        head = places.head_of(row, runs)
        yield row, (byte, corpus.labels[entity[row]], tuple(runs), head)


def _mentions(
    corpus: Corpus,
    data: bytes,
    new: dict[int, _Known],
    touched: set[int],
    declarations: tuple[Declaration, Declaration],
) -> Iterator[WrittenMention]:
    """The mentions with a bracket at one of the nodes that are touched."""
    declared, wanted = declarations
    entity = corpus.entity.tolist()
    types = corpus.mention_labels.columns.get("etype") if corpus.mention_labels else None
    for row, (byte, label, runs, head) in new.items():
        if not any(n in touched for run in runs for n in run):
            continue
        values = (values_at(data, byte, declared) if byte >= 0 else None) or []
        values += [""] * (declared.entity + 1 - len(values))
        values[declared.entity] = label
        if types is not None and declared.etype >= 0:
            values += [""] * (declared.etype + 1 - len(values))
            values[declared.etype] = types.values[types.code[row]]
        if len(wanted.names) > len(declared.names):
            values += [""] * (wanted.head - len(values))
            values.insert(wanted.head, "")
        values = with_head(values, wanted.head, _position(runs, head))
        yield WrittenMention(runs, values, (entity[row], byte, row))


def _position(runs: Sequence[tuple[int, int]], node: int) -> int:
    """Which node of a mention it is, counted from 1.

    >>> _position([(3, 5), (8, 9)], 8)
    4
    """
    return sum(min(last, node) - first + 1 for first, last in runs if first <= node)


def _with_head(names: tuple[str, ...]) -> tuple[str, ...]:
    """The declaration with heads, at their usual place."""
    return names if "head" in names else (*names[:2], "head", *names[2:])


def _relations(
    corpus: Corpus, before: Corpus, places: MentionNodes
) -> dict[str, dict[int, str | None]]:
    """The values of Bridge and SplitAnte at all nodes that have one, if any is to change."""
    if before.links is None:
        return {}
    left = 0 if corpus.links is None else len(corpus.links.kind)
    if left == len(before.links.kind) and corpus.mentions == before.mentions:
        return {}
    old = MentionNodes(before, before.sources[0], layout_of(before.sources[0]).nodes)
    found: dict[str, dict[int, str | None]] = {"Bridge": {}, "SplitAnte": {}}
    for name, node, _ in _listed(before, old):
        found[name][node] = None
    for name, node, text in _listed(corpus, places):
        so_far = found[name].get(node)
        found[name][node] = f"{so_far},{text}" if so_far else text
    return found


def _listed(corpus: Corpus, places: MentionNodes) -> Iterator[tuple[str, int, str]]:
    """Each relation: the attribute, the node it stands at, and its text."""
    if corpus.links is None:
        return
    first: dict[int, int] = {}
    own = set(places.rows.tolist())
    for row in corpus.text_order.tolist():
        first.setdefault(int(corpus.entity[row]), row)
    ends = tuples(corpus.links.kind, corpus.links.source, corpus.links.target)
    for (kind, source, target), label in zip(ends, corpus.links.label, strict=True):
        split = KINDS[kind] == "split"
        row = first[source] if split else source
        if row in own and KINDS[kind] in {"split", "bridging-entity"}:
            anaphor = corpus.labels[int(corpus.entity[row])]
            text = f"{corpus.labels[target]}<{anaphor}" + (f":{label}" if label else "")
            yield "SplitAnte" if split else "Bridge", places.runs_of(row)[0][0], text


_VALUE = re.compile(r"[^()|\s\[\]<>:,=-][^()|\s-]*")
_ATTRIBUTE = re.compile(r"\w+")
_UNKNOWN = -2
_MEMORY = 64
"""How many bytes of memory one byte of a part of a mention takes, since the file is read again."""
_ID = re.compile(r"[^()|\s\[\]<>:,=-]+")


def to_bytes(corpus: Corpus) -> tuple[bytes, list[Incident]]:
    """The file, and what it cannot say; DataError where mentions of one entity cross.

    Files in this format keep everything but what is changed. Other corpora get the columns ID,
    FORM, XPOS (their tags), DEPS (of zeros) and MISC; the rest is not known.
    """
    documents = len(corpus.names)
    lost: list[Incident] = []
    unsaid: list[Incident] = []
    if corpus.sources and all(isinstance(s, ConlluSource) for s in corpus.sources):
        files = [rewrite(corpus, source) for source in corpus.sources]
        data = files[0] if len(files) == 1 else b"".join(file.rstrip() + b"\n\n" for file in files)
    else:
        corpus = _zeros_at_top(corpus)
        maker = _Maker(corpus)
        data = "".join(maker.lines()).encode("utf-8", AS_THEY_ARE)
        lost = maker.lost
        unsaid = [
            *(make_incident("layer-dropped", number=n, links=k) for k, n in maker.links.items()),
            *features_dropped(maker.unfit),
        ]
        corpus = maker.without_empty_documents()
    again = parse(data, "the file to be written")
    if incidents := errors(again.incidents) or _crossing(corpus, again, len(lost)):
        raise DataError(incidents)
    return data, lost + unsaid + empty_documents(documents - len(corpus.names))


def _zeros_at_top(corpus: Corpus) -> Corpus:
    """The corpus with all zeros before the first word of a document before that of its sentence.

    Formats without sentences number them as if they stood after a word.
    """
    zero = corpus.zero
    if zero is None or not (corpus.start < 0).any():
        return corpus
    low = (corpus.start < 0) & (zero < BEFORE_SENTENCE)
    return replace(corpus, zero=np.where(low, zero + BEFORE_SENTENCE, zero))


def _nodes_at_top(cells: Mapping[Node, list[str]]) -> dict[Node, list[str]]:
    """The cells of zeros at the places that `_zeros_at_top` gives them."""
    low = {(t, z) for t, z in cells if t < 0 and z < BEFORE_SENTENCE}
    return {(t, z + BEFORE_SENTENCE if (t, z) in low else z): own for (t, z), own in cells.items()}


def _crossing(corpus: Corpus, again: Corpus, dropped: int) -> list[Incident]:
    """Mentions that brackets cannot tell apart: those of one entity that cross."""
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
    """The columns that are those of the files: LEMMA, UPOS, XPOS and FEATS of CoNLL-UA files."""
    formats = {source.format for source in corpus.sources}
    return range(LEMMA, FEATS + 1) if formats == {"conllua"} else ()


class _Maker:
    """Makes the lines of a file from a corpus that was read from another format, or from none."""

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
        known = zero_cells(corpus, (FORM, *self._copied))
        self._zeros = [_nodes_at_top(own) for own in known]
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
        """The corpus without the documents that have no tokens, which no file can say."""
        kept = np.flatnonzero(self._corpus.lengths).tolist()
        if len(kept) == len(self._corpus.names):
            return self._corpus
        names = [self._corpus.names[number] for number in kept]
        return self._corpus._renumbered(names, {old: new for new, old in enumerate(kept)})

    def _document(self, document: int, before: int, tokens: int) -> Iterator[str]:
        runs = {row: node_runs(self._corpus, row) for row in self._rows[document]}
        if self._sentences is not None:
            sentence = self._sentences[before : before + tokens]
        else:
            # Where nothing tells sentences, empty nodes before the first word of one still do.
            begins = {t + 1 for own in runs.values() for (t, z), _ in own if z > BEFORE_SENTENCE}
            sentence = np.cumsum([token in begins for token in range(tokens)])
        runs = {row: own for row, own in runs.items() if self._sayable(document, own, sentence)}
        known = self._corpus.dependencies
        arcs = {row: known.arcs(row) if known else [] for row in runs}
        listed = {first for own in runs.values() for first, _ in own}
        listed |= {p for own in arcs.values() for p, _ in own if p != ROOT}
        order = _numbered(tokens, listed)
        unsaid = self._zeros[document].keys() - order.keys()
        self.unfit.update({"zeros without mentions": len(unsaid)} if unsaid else {})
        empties = [number for (_, zero), number in order.items() if zero]
        self._refuse_large([(order[a], order[b]) for own in runs.values() for a, b in own], empties)
        mentions = [self._mention(row, own, order, empties) for row, own in runs.items()]
        written = cells(mentions, self._declaration)
        first = {row: mention.runs[0][0] for row, mention in zip(runs, mentions, strict=True)}
        relations = self._misc(document, first)
        deps = {self._head(row, runs[row]): own for row, own in arcs.items() if own}
        last, place, begin = -1, 0, 0
        for node, number in order.items():
            own = _sentence(node, sentence)
            if own != last:
                name = on_one_line(self._corpus.names[document]) or str(document + 1)
                yield ("\n" if place else "") + f"# sent_id = {name}-{place + 1}\n"
                last, place = own, place + 1
                begin = node[0] + 1 if node[1] else node[0]
            misc = {**relations.get(number, {}), "Entity": written.get(number, "")}
            said = self._said(document, node, before)
            yield self._row(node, begin, said, misc, deps.get(node))
        yield "\n"

    def _said(self, document: int, node: Node, before: int) -> list[str]:
        """The cells of a node from FORM on that the files of the corpus have; `_` for others.

        `before` is the first token of the document.
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

    def _sayable(self, document: int, runs: list[tuple[Node, Node]], sentence: IntArray) -> bool:
        """Whether the mention is within one sentence."""
        of_node = {_sentence(node, sentence) for run in runs for node in run}
        if len(of_node) > 1:
            incident = make_incident(
                "mention-across-sentences",
                document=self._corpus.names[document],
                found=f"tokens {runs[0][0][0]} to {runs[-1][1][0]} of the document, from 0",
                expected="mentions within one sentence",
            )
            self.lost.append(incident)
        return len(of_node) == 1

    def _refuse_large(self, runs: list[tuple[int, int]], empties: list[int]) -> None:
        """DataError where empty nodes, which are in no mention, cut these into too many parts."""
        first, last = np.array(runs, dtype=np.int64).reshape(-1, 2).T
        self._parts += int(np.subtract(*(np.searchsorted(empties, x) for x in (last, first))).sum())
        refuse_output("CorefUD", self._parts * len("(e1[10/10])"), _MEMORY)

    def _head(self, row: int, runs: list[tuple[Node, Node]]) -> Node:
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
        head = _position(numbers, order[self._head(row, runs)])
        known = self._corpus.head is not None and self._corpus.head[row] != _UNKNOWN
        etype, *labels = (column[row] for column in self._labels)
        values = [self._ids[entity], etype, str(head) if known else "", *labels]
        return WrittenMention(numbers, values, (entity, row))

    def _read_labels(self) -> tuple[Declaration, list[list[str]]]:
        """The attributes that are declared, and the values of all but id and head."""
        labels = self._corpus.mention_labels
        columns = {} if labels is None else {n: labels.values(n) for n in labels.columns}
        for name in ("SemType", "type"):  # as CoNLL-UA and others call it
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
            odd = sum(bool(value) and not _VALUE.fullmatch(value) for value in values)
            self.unfit.update({name: odd} if odd else {})
        fit = [[v if _VALUE.fullmatch(v) else "" for v in values] for _, values in listed]
        return Declaration(("eid", "etype", "head", *(n for n, _ in listed[1:])), 0), fit

    def _read_links(self) -> list[list[tuple[str, int, int, str]]]:
        """The links of each document: kind, anaphor (a mention or a plural), antecedent, label."""
        corpus = self._corpus
        found: list[list[tuple[str, int, int, str]]] = [[] for _ in corpus.names]
        if corpus.links is None:
            return found
        ends = tuples(corpus.links.kind, corpus.links.source, corpus.links.target)
        for (kind, source, target), label in zip(ends, corpus.links.label, strict=True):
            name = KINDS[kind]
            antecedent = int(corpus.entity[target]) if name == "bridging" else target
            document = corpus.entity_document[antecedent]
            found[int(document)].append((name, source, antecedent, label))
        return found

    def _misc(self, document: int, first: Mapping[int, int]) -> dict[int, dict[str, str]]:
        """Bridge and SplitAnte by nodes; `first` is the first node of each mention that is said."""
        entity = self._corpus.entity
        said: dict[int, int] = {}
        for row in self._corpus.text_order.tolist():
            if row in first:
                said.setdefault(int(entity[row]), row)
        found: dict[int, dict[str, str]] = {}
        seen: set[tuple[int, int, int]] = set()
        for kind, source, antecedent, label in self._relations[document]:
            plural = kind in ("split", "element")
            row = said.get(source, -1) if plural else source
            anaphor = int(entity[row])
            node = first.get(row, -1)
            known = (node, anaphor, antecedent) not in seen and antecedent in said
            if node < 0 or anaphor == antecedent or not known:
                self.links[kind] += 1
                continue
            seen.add((node, anaphor, antecedent))
            name = "SplitAnte" if plural else "Bridge"
            text = f"{self._ids[antecedent]}<{self._ids[anaphor]}"
            text += f":{label}" if _VALUE.fullmatch(label) and not plural else ""
            own = found.setdefault(node, {})
            own[name] = f"{own[name]},{text}" if name in own else text
        return found


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
