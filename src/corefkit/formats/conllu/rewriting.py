"""Rewriting CorefUD files: mentions and relations change in MISC, everything else stays.

Only cells that change are written: `Entity`, with its brackets in the usual order, Bridge and
SplitAnte.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from corefkit.core.arrays import tuples
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.links import KINDS
from corefkit.core.source import Source
from corefkit.formats.conll.rewriting import splice
from corefkit.formats.conllu.lines import (
    MISC,
    Declaration,
)
from corefkit.formats.conllu.nodes import MentionNodes
from corefkit.formats.conllu.reader import parse
from corefkit.formats.conllu.source import layout_of
from corefkit.formats.kit.files import AS_THEY_ARE

_BRACKET = re.compile(rb"\(([^()|\s]*)")
_PART = re.compile(r"\[\d+/\d+\]$")


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


def values_at(data: bytes, byte: int, declaration: Declaration) -> list[str] | None:
    """The values of the opening bracket at a byte of a file; None if there is none."""
    match = _BRACKET.match(data, byte)
    if not match:
        return None
    values = match[1].decode("utf-8", "surrogateescape").split("-")
    place = declaration.entity
    values += [""] * (place + 1 - len(values))
    values[place] = _PART.sub("", values[place])
    return values


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


_FileMention = tuple[int, str, tuple[tuple[int, int], ...], int]
"""A mention in its file: opening byte (−1: none), id, runs of nodes, head."""


def rewrite(corpus: Corpus, source: Source, *, declare_head: bool = False) -> bytes:
    """The file with the mentions of the corpus; cells that need no change stay as they are.

    With `declare_head`, a declaration without heads gets them, and so do all brackets.
    """
    layout = layout_of(source)
    nodes, lines, declared = layout.nodes, layout.lines, layout.headers.declaration
    before = parse(source.data, source.path)
    places = MentionNodes(corpus, source, nodes)
    old_places = MentionNodes(before, before.sources[0], nodes)
    new = dict(_file_mentions(corpus, places))
    old = dict(_file_mentions(before, old_places))
    kept = set(new.values()) & set(old.values())
    changed = [mention for mention in (*new.values(), *old.values()) if mention not in kept]
    wanted = Declaration(_with_head(declared.names), declared.line) if declare_head else declared
    if wanted.names != declared.names:
        changed = [*new.values(), *old.values()]
    touched = {n for _, _, runs, _ in changed for run in runs for n in run}
    written = cells(_mentions(corpus, source.data, new, touched, (declared, wanted)), wanted)
    spliced: dict[tuple[int, int], str] = {}
    relations = _changed_relations(_relations(corpus, places), _relations(before, old_places))
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


def _file_mentions(corpus: Corpus, places: MentionNodes) -> Iterator[tuple[int, _FileMention]]:
    """The row of each mention of a file, and the mention."""
    entity = corpus.entity.tolist()
    placed = len(corpus.byte) == corpus.mentions
    for row in places.rows.tolist():
        runs = places.runs_of(row)
        byte = int(corpus.byte[row]) if placed else -1
        head = places.head_of(row, runs)
        yield row, (byte, corpus.labels[entity[row]], tuple(runs), head)


def _mentions(
    corpus: Corpus,
    data: bytes,
    new: dict[int, _FileMention],
    touched: set[int],
    declarations: tuple[Declaration, Declaration],
) -> Iterator[WrittenMention]:
    """The mentions with a bracket at a touched node; `declarations` are the old and the new."""
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
        values = with_head(values, wanted.head, node_position(runs, head))
        yield WrittenMention(runs, values, (entity[row], byte, row))


def node_position(runs: Sequence[tuple[int, int]], node: int) -> int:
    """The position of a node in its mention, counted from 1.

    >>> node_position([(3, 5), (8, 9)], 8)
    4
    """
    return sum(min(last, node) - first + 1 for first, last in runs if first <= node)


def _with_head(names: tuple[str, ...]) -> tuple[str, ...]:
    """The declared names with the head, which is added at its usual place if it is missing."""
    return names if "head" in names else (*names[:2], "head", *names[2:])


def _changed_relations(
    new: dict[str, dict[int, str]], old: dict[str, dict[int, str]]
) -> dict[str, dict[int, str | None]]:
    """The new values of Bridge and SplitAnte at the nodes where they change; None: none."""
    return {
        name: {
            node: new[name].get(node)
            for node in new[name].keys() | old[name].keys()
            if new[name].get(node) != old[name].get(node)
        }
        for name in new
    }


def _relations(corpus: Corpus, places: MentionNodes) -> dict[str, dict[int, str]]:
    """Bridge and SplitAnte, each node → value, for the relations of a corpus in one file."""
    values: dict[str, dict[int, str]] = {"Bridge": {}, "SplitAnte": {}}
    for name, node, text in _listed(corpus, places):
        so_far = values[name].get(node)
        values[name][node] = f"{so_far},{text}" if so_far else text
    return values


def _listed(corpus: Corpus, places: MentionNodes) -> Iterator[tuple[str, int, str]]:
    """The attribute, the node and the text of each relation."""
    if corpus.links is None:
        return
    first: dict[int, int] = {}
    in_file = set(places.rows.tolist())
    for row in corpus.text_order.tolist():
        first.setdefault(int(corpus.entity[row]), row)
    ends = tuples(corpus.links.kind, corpus.links.source, corpus.links.target)
    for (kind, source, target), label in zip(ends, corpus.links.label, strict=True):
        split = KINDS[kind] == "split"
        row = first[source] if split else source
        if row in in_file and KINDS[kind] in {"split", "bridging-entity"}:
            anaphor = corpus.labels[int(corpus.entity[row])]
            text = f"{corpus.labels[target]}<{anaphor}" + (f":{label}" if label else "")
            yield "SplitAnte" if split else "Bridge", places.runs_of(row)[0][0], text
