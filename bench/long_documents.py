"""Documents cut and joined, links by distance, several runs: against what they are made of."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import corefkit
from bench import data
from bench.measure import Task, fastest
from bench.table import Row, at_most, not_measured, seconds
from corefkit.features.divisions import BOUNDS, count_bands

_ROUNDS = 9
_LONG_LIMIT = 2.2
"""It was 2 when score took 127 ms and five windows 233; now they take 90 and 180, because reading,
which both pay for once, has become faster than counting."""
_WINDOWS = "score with five windows, LitBank / score"
_LONG = "score with five windows, one document of 10⁶ tokens and 2·10⁵ mentions / score"
_ACROSS = "score --across corpus, 2,000 documents and 2·10⁵ mentions / score"
_LEVELS = "score --across all, with 200 topics of them / score"
_LINKS = "links by distance, OntoNotes dev / score"
_ENTITY = "links by distance of one entity of 10⁵ mentions, seconds"
_RUNS = "five runs, OntoNotes dev / five times score in one process"


def rows(scratch: Path) -> Iterator[Row]:
    """All unpacked, in one process."""
    yield from _joined(scratch)
    packed = data.packed(scratch)
    if packed is None or not data.LITBANK.is_file():
        for what in (_WINDOWS, _LONG, _LINKS, _ENTITY, _RUNS):
            yield not_measured(what, data.MISSING)
        return
    novels = data.unpacked(data.Files(data.LITBANK, (data.LITBANK_RESPONSE,)), scratch)
    yield _windows(_WINDOWS, novels.key, novels.response, "100,250,500,1000,2000", 2)
    yield _windows(_LONG, *_book(scratch), "500,1500,5000,20000,100000", _LONG_LIMIT)
    files = data.unpacked(packed, scratch)
    tasks: dict[str, Task] = {
        "links": lambda: corefkit.score(files.key, files.response).by("link:tokens"),
        "score": lambda: corefkit.score(files.key, files.response),
    }
    yield _compared(_LINKS, tasks, 1.5)
    mentions = np.sort(np.random.default_rng(2012).integers(0, 10**6, 10**5))
    nothing = np.zeros_like(mentions)
    took = fastest(
        {"count": lambda: count_bands(nothing, nothing, mentions, BOUNDS["tokens"], 1)}, _ROUNDS
    )["count"]
    yield at_most(_ENTITY, took, 1, detail=seconds(took))
    runs = [*files.responses, files.responses[0]][:5]
    tasks = {
        "runs": lambda: corefkit.score_runs(files.key, {"a": runs}),
        "score": lambda: [corefkit.score(files.key, run) for run in runs],
    }
    yield _compared(_RUNS, tasks, 1.1)


def _windows(what: str, key: Path, response: Path, widths: str, limit: float) -> Row:
    tasks: dict[str, Task] = {
        "windows": lambda: corefkit.score(key, response, window=widths),
        "score": lambda: corefkit.score(key, response),
    }
    return _compared(what, tasks, limit)


def _joined(scratch: Path) -> Iterator[Row]:
    """Documents of topics as one: at the widest level, and at all three."""
    key, response = _topics(scratch)
    for what, across, limit in ((_ACROSS, "corpus", 1.3), (_LEVELS, "all", 2.0)):
        how: Any = {"across": across, "topic": "^[0-9]+"}
        joined = partial(corefkit.score, key, response, **how)
        tasks: dict[str, Task] = {
            "joined": joined,
            "score": partial(corefkit.score, key, response),
        }
        yield _compared(what, tasks, limit)


def _topics(scratch: Path) -> tuple[Path, Path]:
    """A key and a response of 2,000 documents of 100 mentions, one in eight words as in
    OntoNotes, ten of each topic."""
    rng = np.random.default_rng(2012)
    documents, mentions, words = 2_000, 100, 8
    topic = np.repeat(np.arange(documents) // 10, mentions)
    entity = topic * 40 + rng.integers(0, 40, len(topic))
    wrong = rng.random(len(topic)) < 0.2
    other = np.where(wrong, rng.integers(0, 4 * documents, len(topic)), entity)
    paths = []
    for name, own in (("topics-key", entity), ("topics-response", other)):
        numbers, text = own.tolist(), []
        for document in range(documents):
            title = f"{document // 10}_{document}"
            text.append(f"#begin document ({title}); part 000\n")
            for place, number in enumerate(numbers[document * mentions :][:mentions]):
                cells = [f"({number})", *["-"] * (words - 1)]
                text += [f"{title}\t0\t{n}\tw\t{cell}\n" for n, cell in enumerate(cells)]
                text.append("\n" if place % 5 == 4 else "")
            text.append("#end document\n")
        path = scratch / f"{name}.conll"
        path.write_text("".join(text), encoding="utf-8")
        paths.append(path)
    return paths[0], paths[1]


def _book(scratch: Path) -> tuple[Path, Path]:
    """A key and a response of one long document: a mention at every fifth word."""
    rng = np.random.default_rng(2012)
    tokens, mentions = 10**6, 2 * 10**5
    start = np.arange(mentions) * 5
    entity = np.minimum(rng.geometric(0.0005, mentions), 5000)
    paths = []
    for name, moved in (("book-key", 0.0), ("book-response", 0.1)):
        chance = rng.random(mentions) < moved
        own = np.where(chance, rng.integers(1, 5000, mentions), entity)
        cells = ["-"] * tokens
        for place, number in zip(start.tolist(), own.tolist(), strict=True):
            cells[place] = f"({number})"
        lines = [f"b\t0\t{n % 20}\tw\t{cell}\n" for n, cell in enumerate(cells)]
        for first in range(0, tokens, 20):
            lines[first] = "\n" + lines[first] if first else lines[first]
        path = scratch / f"{name}.conll"
        path.write_text("#begin document (b); part 000\n" + "".join(lines) + "\n#end document\n")
        paths.append(path)
    return paths[0], paths[1]


def _compared(what: str, tasks: dict[str, Task], limit: float) -> Row:
    times = fastest(tasks, _ROUNDS)
    one, other = times.values()
    return at_most(what, one / other, limit, detail=f"{seconds(one)} / {seconds(other)}")
