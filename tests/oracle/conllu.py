"""A slow and obvious reader of sound CorefUD files: mentions as sets of ids, line by line."""

import re
from dataclasses import dataclass, field

_BRACKET = re.compile(r"\(([^()]+)(\))?|([^()]+)\)")
_ID = re.compile(r"([^\[\]]+)(?:\[(\d+)/(\d+)\])?")


@dataclass
class OracleMention:
    """A mention: its entity, the ids of its nodes in order, and which of them is the head."""

    document: str
    sentence: int
    entity: str
    nodes: list[str] = field(default_factory=list)
    head: str = ""
    deps: frozenset[tuple[str, str]] = frozenset()


def read_conllu(text: str) -> list[OracleMention]:
    """All mentions of a file."""
    found: list[OracleMention] = []
    document, sentence, documents = "", -1, 0
    names: list[str] = []
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        rows = []
        for line in block.split("\n"):
            if line.startswith("# newdoc"):
                documents += 1
                document = line.partition("=")[2].strip() or str(documents)
                sentence = -1
            elif line.startswith("# global.Entity"):
                names = line.partition("=")[2].strip().split("-")
            elif line and not line.startswith("#"):
                rows.append(line.split("\t"))
        sentence += 1
        found += _sentence(document, sentence, rows, names)
    return found


def _sentence(
    document: str, sentence: int, rows: list[list[str]], names: list[str]
) -> list[OracleMention]:
    rows = [row for row in rows if "-" not in row[0]]
    ids = [row[0] for row in rows]
    spans: list[tuple[int, int, list[str], str]] = []
    still_open: list[tuple[int, list[str]]] = []
    for at, row in enumerate(rows):
        cell = next((m[7:] for m in row[9].split("|") if m.startswith("Entity=")), "")
        for opening, single, closing in _BRACKET.findall(cell):
            if opening:
                values = opening.split("-")
                if single:
                    spans.append((at, at, values, values[0]))
                else:
                    still_open.append((at, values))
            else:
                one = max(i for i, (_, v) in enumerate(still_open) if v[0] == closing)
                first, values = still_open.pop(one)
                spans.append((first, at, values, closing))
    deps = {row[0]: _deps(row[8]) for row in rows}
    whole = []
    parts: dict[tuple[str, str], list[tuple[int, int, list[str]]]] = {}
    for first, last, values, name in sorted(spans, key=lambda span: (span[0], span[1])):
        matched = _ID.fullmatch(name)
        assert matched
        entity, part, total = matched.groups()
        if part is None:
            whole.append((entity, list(range(first, last + 1)), values))
            continue
        listed = parts.setdefault((entity, total), [])
        listed.append((first, last, values))
        if int(part) == int(total):
            nodes = [n for a, b, _ in listed for n in range(a, b + 1)]
            whole.append((entity, nodes, values))
            del parts[entity, total]
    return [
        OracleMention(document, sentence, entity, [ids[n] for n in nodes], head, deps[head])
        for entity, nodes, values in whole
        for head in [ids[nodes[_head(values, names) - 1]]]
    ]


def _head(values: list[str], names: list[str]) -> int:
    place = names.index("head") if "head" in names else len(values)
    return int(values[place]) if place < len(values) and values[place] else 1


def _deps(cell: str) -> frozenset[tuple[str, str]]:
    if cell == "_":
        return frozenset()
    pairs = (piece.split(":", 1) for piece in cell.split("|"))
    return frozenset((parent, relation) for parent, relation in pairs)
