"""Writing a corpus back into the CorefUD file it was read from: what does not change stays."""

from collections.abc import Iterator

from corefkit.data.arrays import tuples
from corefkit.data.corpus import Corpus
from corefkit.data.links import KINDS
from corefkit.data.ragged import runs_of
from corefkit.data.source import Source
from corefkit.formats.conllu.headers import Declaration
from corefkit.formats.conllu.lines import MISC
from corefkit.formats.conllu.places import Places
from corefkit.formats.conllu.reader import parse
from corefkit.formats.conllu.tokens import layout_of
from corefkit.formats.conllu.written import WrittenMention, cells, in_misc, values_at, with_head
from corefkit.formats.files import AS_THEY_ARE

_Known = tuple[int, str, tuple[int, ...], int]
"""What a mention is to its file: opening byte (−1: none), id, nodes, head."""


def rewrite(corpus: Corpus, source: Source, *, declare_head: bool = False) -> bytes:
    """The file with the mentions of the corpus; cells that say the same stay as they are.

    With `declare_head` a declaration without heads gets them, and so do all brackets.
    """
    layout = layout_of(source)
    nodes, lines, declared = layout.nodes, layout.lines, layout.headers.declaration
    before = parse(source.data, source.path)
    places = Places(corpus, source, nodes)
    new = dict(_known(corpus, places, source.first_document))
    old = dict(_known(before, Places(before, before.sources[0], nodes), 0))
    kept = set(new.values()) & set(old.values())
    changed = [known for known in (*new.values(), *old.values()) if known not in kept]
    wanted = Declaration(_with_head(declared.names), declared.line) if declare_head else declared
    if wanted.names != declared.names:
        changed = [*new.values(), *old.values()]
    touched = {n for _, _, mention, _ in changed for run in runs_of(mention) for n in run}
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


def splice(data: bytes, pieces: dict[tuple[int, int], str]) -> bytes:
    """The bytes with pieces, given from where to where, replaced by texts."""
    found, at = [], 0
    for (start, end), text in sorted(pieces.items()):
        found += [data[at:start], text.encode("utf-8", AS_THEY_ARE)]
        at = end
    return b"".join([*found, data[at:]])


def _known(corpus: Corpus, places: Places, first: int) -> Iterator[tuple[int, _Known]]:
    entity = corpus.entity.tolist()
    placed = len(corpus.byte) == corpus.mentions
    for row in places.rows.tolist():
        mention = places.nodes_of(row)
        byte = int(corpus.byte[row]) if placed else -1
        head = places.head_of(row, mention)
        yield row, (byte, corpus.labels[entity[row]], tuple(mention), head)


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
    for row, (byte, label, mention, head) in new.items():
        if not any(n in touched for run in runs_of(mention) for n in run):
            continue
        values = (values_at(data, byte, declared) if byte >= 0 else None) or []
        values += [""] * (declared.entity + 1 - len(values))
        values[declared.entity] = label
        if len(wanted.names) > len(declared.names):
            values += [""] * (wanted.head - len(values))
            values.insert(wanted.head, "")
        values = with_head(values, wanted.head, mention.index(head) + 1)
        yield WrittenMention(mention, values, (entity[row], byte, row))


def _with_head(names: tuple[str, ...]) -> tuple[str, ...]:
    """The declaration with heads, at their usual place."""
    return names if "head" in names else (*names[:2], "head", *names[2:])


def _relations(corpus: Corpus, before: Corpus, places: Places) -> dict[str, dict[int, str | None]]:
    """The values of Bridge and SplitAnte at all nodes that have one, if any is to change."""
    if before.links is None:
        return {}
    left = 0 if corpus.links is None else len(corpus.links.kind)
    if left == len(before.links.kind) and corpus.mentions == before.mentions:
        return {}
    old = Places(before, before.sources[0], layout_of(before.sources[0]).nodes)
    found: dict[str, dict[int, str | None]] = {"Bridge": {}, "SplitAnte": {}}
    for name, node, _ in _listed(before, old):
        found[name][node] = None
    for name, node, text in _listed(corpus, places):
        so_far = found[name].get(node)
        found[name][node] = f"{so_far},{text}" if so_far else text
    return found


def _listed(corpus: Corpus, places: Places) -> Iterator[tuple[str, int, str]]:
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
            yield "SplitAnte" if split else "Bridge", places.nodes_of(row)[0], text
