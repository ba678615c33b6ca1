"""CorefUD files by chance: empty nodes, nested, crossing and discontinuous mentions."""

from hypothesis import strategies as st

from corefkit.core.mention_columns import runs_of
from corefkit.formats.conllu.rows import Declaration
from corefkit.formats.conllu.writer import WrittenMention, cells
from tests.strategies import choice

NAMES = ("eid", "etype", "head", "other")


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """A valid file of one or two documents; entities keep apart by document."""
    text = ""
    for document in range(draw(st.integers(1, 2))):
        text += f"# newdoc id = d{document}\n# global.Entity = {'-'.join(NAMES)}\n"
        for number in range(draw(st.integers(1, 3))):
            text += f"# sent_id = d{document}-{number}\n" + draw(sentences(document)) + "\n"
    return text.encode()


@st.composite
def sentences(draw: st.DrawFn, document: int) -> str:
    ids: list[str] = []
    for word in range(draw(st.integers(1, 6)) + 1):
        ids += [str(word)] if word else []
        ids += [f"{word}.{minor}" for minor in range(1, draw(choice(0, 0, 0, 1, 2)) + 1)]
    taken: dict[int, list[set[int]]] = {}
    mentions: list[WrittenMention] = []
    for _ in range(draw(st.integers(0, 5))):
        entity = draw(st.integers(0, 3))
        nodes = sorted(draw(st.sets(st.integers(0, len(ids) - 1), min_size=1, max_size=4)))
        if draw(st.booleans()):
            nodes = list(range(nodes[0], nodes[-1] + 1))
        own = set(nodes)
        # One discontinuous mention an entity and sentence: two might not be told apart again.
        split = len(own) <= nodes[-1] - nodes[0]
        others = taken.setdefault(entity, [])
        apart = all(max(o) < nodes[0] or min(o) > nodes[-1] for o in others)
        if (split or any(len(o) <= max(o) - min(o) for o in others)) and not apart:
            continue
        if any(own & o and not (own <= o or o <= own) for o in others):
            continue
        others.append(own)
        head = draw(st.integers(1, len(nodes)))
        values = [f"d{document}e{entity}", draw(choice("", "person")), str(head)]
        mentions.append(WrittenMention(runs_of(nodes), values, (entity, len(mentions))))
    written = cells(mentions, Declaration(NAMES))
    rows = []
    for node, name in enumerate(ids):
        misc = draw(choice("_", "Z=1"))
        entity_text = written.get(node)
        if entity_text:
            misc = f"Entity={entity_text}" if misc == "_" else f"Entity={entity_text}|{misc}"
        deps = "1:dep" if "." in name else "_"
        head_text = "_" if "." in name else "0"
        rows.append(f"{name}\tw{node}\t_\tX\t_\t_\t{head_text}\t_\t{deps}\t{misc}\n")
    return "".join(rows)
