"""Evaluators fed with Python lists, as in a training loop, on the 342 documents of OntoNotes."""

from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

from bench import data
from bench.measure import fastest
from bench.plain_evaluator import Mention, PlainEvaluator
from bench.table import Row, at_most, below, not_measured, seconds
from corefkit import Evaluator, read

_ROUNDS = 9
_THREE = "muc,bcub,ceafe"
_SEVEN = "mentions,muc,bcub,ceafm,ceafe,blanc,lea"
_PLAIN = "Evaluator / dict-and-loop evaluator, muc bcub ceafe"
_SCORCH = "Evaluator / scorch, muc bcub ceafe"
_METRICS = "Evaluator, seven metrics / muc bcub ceafe"
_NEW = "a new Evaluator, one small document, scores() / dict-and-loop evaluator"
_AGAIN = "Evaluator, scores() after each of 4,000 small documents / of 400, a document"
_BATCH = "update_batch of 2,000 small documents / update, a document"
_NO_SCORCH = "scorch is not installed; make bench installs it"

Clusters = list[list[Mention]]
Documents = list[tuple[Clusters, Clusters]]


def rows(scratch: Path) -> Iterator[Row]:
    """Ours against the others; they must agree before they are timed."""
    yield from _small_rows()
    files = data.packed(scratch)
    if files is None:
        yield from (not_measured(what, data.MISSING) for what in (_PLAIN, _SCORCH, _METRICS))
        return
    documents = _documents(files)
    tasks: dict[str, Callable[[], Mapping[str, float]]] = {
        "three": lambda: _corefkit(documents, _THREE),
        "seven": lambda: _corefkit(documents, _SEVEN),
        "plain": lambda: _plain(documents),
    }
    if find_spec("scorch"):
        from bench import scorch_evaluator as scorch

        sets = [(scorch.as_sets(key), scorch.as_sets(response)) for key, response in documents]
        tasks["scorch"] = lambda: scorch.f1(sets)
    expected = tasks["three"]()
    for name, task in tasks.items():
        _assert_same(name, task(), expected)

    times = fastest(tasks, _ROUNDS)
    three = times["three"]
    for what, name in ((_PLAIN, "plain"), (_SCORCH, "scorch")):
        if name in times:
            detail = f"{seconds(three)} / {seconds(times[name])}"
            yield below(what, three / times[name], 1, detail=detail)
        else:
            yield not_measured(what, _NO_SCORCH)
    detail = f"{seconds(times['seven'])} / {seconds(three)}"
    yield at_most(_METRICS, times["seven"] / three, 2, detail=detail)


def _small_rows() -> Iterator[Row]:
    """Small documents, one by one, as rewards in training are: seven mentions on each side."""
    key: Clusters = [[(0, 1), (4, 4)], [(6, 6), (8, 9)], [(11, 12), (14, 14), (18, 18)]]
    response: Clusters = [[(0, 1), (4, 4), (8, 9)], [(6, 6), (11, 12)], [(14, 14), (18, 18)]]
    document = [(key, response)]
    many = 2000
    times = fastest(
        {
            "new": lambda: [_corefkit(document, _THREE) for _ in range(400)],
            "plain": lambda: [_plain(document) for _ in range(400)],
            "few": lambda: _scores_each_time(document * 400),
            "many": lambda: _scores_each_time(document * 4000),
            "update": lambda: [_updated(document * many)],
            "batch": lambda: Evaluator(_THREE).update_batch([key] * many, [response] * many),
        },
        _ROUNDS,
    )
    detail = f"{1e6 * times['new'] / 400:.0f} / {1e6 * times['plain'] / 400:.0f} µs"
    yield at_most(_NEW, times["new"] / times["plain"], 3, detail=detail)
    detail = f"{1e6 * times['many'] / 4000:.0f} / {1e6 * times['few'] / 400:.0f} µs"
    yield at_most(_AGAIN, times["many"] / times["few"] / 10, 1.3, detail=detail)
    detail = f"{1e6 * times['batch'] / many:.1f} / {1e6 * times['update'] / many:.1f} µs"
    yield at_most(_BATCH, times["batch"] / times["update"], 0.6, detail=detail)


def _scores_each_time(documents: Documents) -> float:
    evaluator, total = Evaluator(_THREE), 0.0
    for key, response in documents:
        total += evaluator.update(key, response).scores()["muc"].f1
    return total


def _updated(documents: Documents) -> Evaluator:
    evaluator = Evaluator(_THREE)
    for key, response in documents:
        evaluator.update(key, response)
    return evaluator


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


def _corefkit(documents: Documents, metrics: str) -> dict[str, float]:
    evaluator = Evaluator(metrics)
    for key, response in documents:
        evaluator.update(key, response)
    return {name: score.f1 for name, score in evaluator.scores().items()}


def _plain(documents: Documents) -> dict[str, float]:
    evaluator = PlainEvaluator()
    for key, response in documents:
        evaluator.update(key, response)
    return evaluator.f1()


def _assert_same(name: str, found: Mapping[str, float], expected: Mapping[str, float]) -> None:
    for metric, value in expected.items():
        assert abs(found[metric] - value) < 1e-9, (
            f"{name} and corefkit disagree on {metric}: {found[metric]} and {value}"
        )
