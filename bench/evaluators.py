"""Evaluators fed with Python lists, as in a training loop, on the 342 documents of OntoNotes."""

from collections.abc import Iterator
from pathlib import Path
from time import process_time

from bench import data
from bench.measure import fastest
from bench.plain_evaluator import Mention, PlainEvaluator
from bench.table import Row, below, not_measured, seconds
from corefkit import Evaluator, read

_ROUNDS = 5
_THREE = "muc,bcub,ceafe"
_CORPUS = "Evaluator, a corpus at once / dictionaries and loops"
_TINY = "Evaluator, one small document and its scores"
_MILLISECOND = 1e-3

Clusters = list[list[Mention]]
Documents = list[tuple[Clusters, Clusters]]


def rows(scratch: Path) -> Iterator[Row]:
    """Ours against the plain one; they must agree before they are timed."""
    key: Clusters = [[(0, 1), (4, 4)], [(6, 6), (8, 9)], [(11, 12), (14, 14), (18, 18)]]
    response: Clusters = [[(0, 1), (4, 4), (8, 9)], [(6, 6), (11, 12)], [(14, 14), (18, 18)]]
    tiny = fastest(
        {"one": lambda: [_corefkit([(key, response)]) for _ in range(200)]},
        _ROUNDS,
        clock=process_time,
    )
    each = tiny["one"] / 200
    yield Row(_TINY, seconds(each), "≤ 1 ms", each <= _MILLISECOND)
    files = data.packed(scratch)
    if files is None:
        yield not_measured(_CORPUS, data.MISSING)
        return
    documents = _documents(files)
    ours, plain = _corefkit(documents), _plain(documents)
    assert all(abs(ours[name] - plain[name]) < 1e-9 for name in plain), (ours, plain)
    times = fastest(
        {"ours": lambda: _corefkit(documents), "plain": lambda: _plain(documents)}, _ROUNDS
    )
    detail = f"{seconds(times['ours'])} / {seconds(times['plain'])}"
    yield below(_CORPUS, times["ours"] / times["plain"], 1, detail=detail)


def _documents(files: data.Files) -> Documents:
    """Key and response clusters of each document, every mention once.

    One document has a span in two entities, for which evaluators have different rules.
    """
    response = read(files.response).clusters()
    return [
        (_once(clusters), _once(response[name]))
        for name, clusters in read(files.key).clusters().items()
    ]


def _once(clusters: Clusters) -> Clusters:
    seen: set[Mention] = set()
    kept = []
    for cluster in clusters:
        kept.append([mention for mention in cluster if mention not in seen])
        seen.update(cluster)
    return [cluster for cluster in kept if cluster]


def _corefkit(documents: Documents) -> dict[str, float]:
    evaluator = Evaluator(_THREE)
    for key, response in documents:
        evaluator.update(key, response)
    return {name: score.f1 for name, score in evaluator.scores().items()}


def _plain(documents: Documents) -> dict[str, float]:
    evaluator = PlainEvaluator()
    for key, response in documents:
        evaluator.update(key, response)
    return evaluator.f1()
