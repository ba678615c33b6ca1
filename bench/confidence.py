"""Links with probabilities and known errors, against what they are made of."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import corefkit
from bench import data
from bench.measure import Task, fastest
from bench.table import Row, at_most, not_measured, seconds

_ROUNDS = 5
_READ = "read a link list, OntoNotes dev / read columns"
_CURVE = "curve of 100 points, OntoNotes dev / score at one threshold"
_DEGRADE = "degrade, OntoNotes dev / reading and writing the key"


def rows(scratch: Path) -> Iterator[Row]:
    """All unpacked, in one process."""
    packed = data.packed(scratch)
    if packed is None:
        for what in (_READ, _CURVE, _DEGRADE):
            yield not_measured(what, data.MISSING)
        return
    files = data.unpacked(packed, scratch)
    links, written = scratch / "links.tsv", scratch / "written.conll"
    links.write_text(_with_probabilities(files.response), encoding="utf-8")
    listed = scratch / "key.links"
    corefkit.write(corefkit.read(files.response), listed)
    tasks: dict[str, Task] = {
        "read": lambda: corefkit.read(listed),
        "columns": lambda: corefkit.read(files.response),
    }
    yield _compared(_READ, tasks, 3)
    tasks = {
        "curve": lambda: corefkit.curve(files.key, links, samples=1000),
        "score": lambda: corefkit.score(files.key, links, threshold=0.5, unlinked="drop"),
    }
    yield _compared(_CURVE, tasks, 5)

    def degrade() -> None:
        made = corefkit.degrade(files.key, split=0.1, merge=0.1, drop=0.1, span=0.1, invent=0.1)
        corefkit.write(made.corpus, written)

    tasks = {
        "degrade": degrade,
        "copy": lambda: corefkit.write(corefkit.read(files.key), written),
    }
    yield _compared(_DEGRADE, tasks, 3)


def _with_probabilities(response: Path) -> str:
    """Each mention with the two before it in its entity, and one before it in the text."""
    lines = ["doc\tstart\tend\tante_start\tante_end\tp"]
    for name, clusters in corefkit.read(response).clusters().items():
        pairs = []
        for spans in map(sorted, clusters):
            pairs += [(span, other) for n, span in enumerate(spans) for other in spans[n - 2 : n]]
            pairs += [(span, spans[n - 1]) for n, span in enumerate(spans[1:2], 1)]
        flat = sorted(span for spans in clusters for span in spans)
        pairs += [(span, flat[n - 1]) for n, span in enumerate(flat) if n]
        for span, other in dict.fromkeys(pairs):
            chance = int.from_bytes(sha256(repr((name, span, other)).encode()).digest()[:2])
            lines.append("\t".join(map(str, (name, *span, *other, chance / 65536))))
    return "\n".join(lines) + "\n"


def _compared(what: str, tasks: dict[str, Task], limit: float) -> Row:
    times = fastest(tasks, _ROUNDS)
    one, other = times.values()
    return at_most(what, one / other, limit, detail=f"{seconds(one)} / {seconds(other)}")
