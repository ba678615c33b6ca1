"""Shapes that once took quadratic time: how time grows when they double."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from bench.measure import fastest
from bench.table import Row, at_most
from corefkit.scoring.explain import explain
from corefkit.scoring.outcomes import outcomes

_SIZE = 4_000
_GROWTH = 3.0
"""Twice as much should take twice as long; quadratic time would be 4."""


def rows(scratch: Path) -> Iterator[Row]:
    """Nested, long crossing and repeated mentions."""
    for shape in ("nested", "crossing", "one token"):
        files = [write_shape(scratch, shape, size) for size in (_SIZE, 2 * _SIZE)]
        yield _growth(f"outcomes, {shape} mentions", [partial(_outcomes, f) for f in files])
        if shape == "crossing":
            tasks = [partial(explain, f, f, "standard", "conll-8.01") for f in files]
            yield _growth(f"explain with conll-8.01, {shape} mentions", tasks)


def write_shape(folder: Path, shape: str, size: int) -> Path:
    """A document with so many mentions, two to an entity."""
    cells: list[list[str]] = [[] for _ in range(2 * size)]
    for i in range(size):
        start, end = {
            "nested": (i, 2 * size - 1 - i),
            "crossing": (i, i + size),
            "one token": (0, 0),
        }[shape]
        if start == end:
            cells[start].append(f"({i // 2})")
        else:
            cells[start].append(f"({i // 2}")
            cells[end].append(f"{i // 2})")
    lines = [f"a 0 {i} w{i} NN * - - - - * {'|'.join(c) or '-'}" for i, c in enumerate(cells)]
    path = folder / f"{shape.replace(' ', '-')}-{size}.conll"
    path.write_text("\n".join(["#begin document (nw/a)", *lines, "#end document"]) + "\n")
    return path


def _outcomes(path: Path) -> None:
    for _ in outcomes(path, path).rows():
        pass


def _growth(what: str, tasks: Sequence[Callable[[], object]]) -> Row:
    times = fastest({str(n): task for n, task in enumerate(tasks)}, 3)
    grown = times["1"] / times["0"]
    return at_most(f"growth when doubled: {what}", grown, _GROWTH, detail=f"{times['1']:.2f} s")
