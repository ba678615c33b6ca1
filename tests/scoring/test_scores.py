"""Scores as values: small, equal where they say the same, and refusing what makes no sense."""

import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import corefkit
from corefkit import Corpus, Evaluator, Scores, UsageError
from corefkit.core.counts import Cells, Counts, add_cells, make_cells
from tests.support import CONFORMANCE, EXAMPLES, needs_conformance

KEY, CAREFUL, HASTY = (EXAMPLES / f"{name}.conll" for name in ("key", "careful", "hasty"))


@pytest.fixture(scope="module")
def scores() -> Scores:
    return corefkit.score(KEY, CAREFUL)


@needs_conformance
def test_pickled_scores_are_small() -> None:
    folder = CONFORMANCE / "ontonotes-dev"
    found = corefkit.score(folder / "key.conll.gz", folder / "response-good.conll.gz")
    assert found.by("length")  # the two sides are there, and looked at
    pickled = pickle.dumps(found)
    assert len(pickled) < 200_000
    assert pickle.loads(pickled) == found


def test_pickled_scores_have_no_sides() -> None:
    found = corefkit.score(KEY, CAREFUL, "mentions,immediate")
    assert "NOUN" in found.by("class")
    back = pickle.loads(pickle.dumps(found))
    assert back == found
    assert back.to_dict() == found.to_dict()
    assert back.by("genre").keys() == found.by("genre").keys()
    assert back.incidents == found.incidents
    with pytest.raises(UsageError, match="where corpora are scored"):
        back.by("class")


def test_equality_is_of_counts_and_options(scores: Scores) -> None:
    assert scores == corefkit.score(KEY, CAREFUL)
    assert scores != corefkit.score(KEY, HASTY)
    assert scores != corefkit.score(KEY, CAREFUL, "muc")
    # The same figures by other rules are not the same scores.
    other = corefkit.score(KEY, CAREFUL, strict=True)
    assert other.to_dict() == scores.to_dict()
    assert other != scores
    # The same ratios of other counts are not, either.
    tables = {m: tuple(2 * column for column in t) for m, t in scores.counts.tables.items()}
    twice = Counts(scores.counts.documents, tables)
    assert replace(scores, counts=twice) != scores
    assert scores != scores.to_dict()
    with pytest.raises(TypeError, match="unhashable"):
        hash(scores)


def test_equality_does_not_depend_on_the_order_of_documents(scores: Scores) -> None:
    back = np.arange(len(scores.counts))[::-1]
    turned = replace(scores, counts=scores.counts.select(back))
    assert turned.counts.documents != scores.counts.documents
    assert turned == scores
    renamed = Counts(tuple(reversed(scores.counts.documents)), scores.counts.tables)
    assert replace(scores, counts=renamed) != scores


def test_equality_sees_cells() -> None:
    one = corefkit.score(KEY, CAREFUL, "immediate")
    assert one == corefkit.score(KEY, CAREFUL, "immediate")
    bare = replace(one, counts=Counts(one.counts.documents, one.counts.tables))
    assert bare != one
    cells = one.counts.by_class["immediate"]
    more = replace(cells, number=cells.number + (np.arange(len(cells.number)) == 0))
    changed = Counts(one.counts.documents, one.counts.tables, {"immediate": more})
    assert replace(one, counts=changed) != one


def test_cells_do_not_depend_on_their_order() -> None:
    """Pieces in another order, labels numbered otherwise: the same table, sums and selection."""
    rng = np.random.default_rng(4)
    document, label, column, number = rng.integers(0, 5, (4, 40))
    labels = ("a", "b", "c", "d", "e")
    one = make_cells(labels, 5, [(document, label, column, number)])
    order = rng.permutation(40)
    turn = np.array([3, 1, 4, 0, 2])
    named = tuple(labels[i] for i in np.argsort(turn))
    other = make_cells(
        named, 5, [(document[order], turn[label[order]], column[order], number[order])]
    )
    assert one == other
    assert one.totals() == other.totals()
    expected: dict[str, list[int]] = {name: [0] * 5 for name in labels}
    for name, place, n in zip(label.tolist(), column.tolist(), number.tolist(), strict=True):
        expected[labels[name]][place] += n
    assert one.totals() == expected
    rows = np.array([4, 1, 1])
    assert one.select(rows) == other.select(rows)
    twice = [document[i] == 1 for i in range(40)], [document[i] == 4 for i in range(40)]
    assert sum(map(sum, one.select(rows).totals().values())) == sum(
        int(n) * (2 * bool(x) + bool(y)) for n, x, y in zip(number, *twice, strict=True)
    )
    halves: list[Cells] = [one.select(np.array(some)) for some in ([0, 1], [2, 3, 4])]
    assert add_cells(halves, [2, 3]) == one
    # The labels of the second part are numbered in another way.
    parts = [one.select(np.array([0, 1])), other.select(np.array([2, 3, 4]))]
    assert add_cells(parts, [2, 3]) == one


def test_what_is_not_there_is_said(scores: Scores) -> None:
    with pytest.raises(KeyError, match=r"mucc.*muc"):
        scores["mucc"]
    with pytest.raises(KeyError, match="not scored"):
        corefkit.score(KEY, CAREFUL, "muc")["bcub"]
    assert "mucc" not in scores
    assert scores.get("mucc") is None
    with pytest.raises(UsageError, match="conll was not scored"):
        _ = Evaluator("muc").scores().conll
    assert not hasattr(Evaluator("muc").scores(), "conll")
    corpus = Corpus.from_clusters({"a": [[(0, 0), (1, 1)]]})
    assert corefkit.score(corpus, corpus).by("length")


def test_means_over_documents() -> None:
    """Those of the documents one by one; conll and groups follow; counts stay sums."""
    scores = corefkit.score(KEY, HASTY, average="documents")
    plain = corefkit.score(KEY, HASTY)
    documents = plain.by("document")
    assert len(documents) == 8
    for name in scores:
        for value in ("recall", "precision", "f1"):
            each = [getattr(part[name], value) for part in documents.values()]
            found = getattr(scores[name], value)
            assert found == (None if None in each else pytest.approx(np.mean(each), abs=1e-15))
        assert scores[name].counts == plain[name].counts
    assert documents["(wb/orchard/00/orchard_0002); part 000"]["conll"].f1 == 0  # it lacks that one
    assert scores.conll != pytest.approx(plain.conll, abs=1e-3)
    genre = scores.by("genre")["wb"]
    each = [part["conll"].f1 for name, part in documents.items() if name.startswith("(wb/")]
    assert genre["conll"].f1 == pytest.approx(np.mean(each), abs=1e-15)
    clock = "(lt/clock/00/clock_0001); part 000"
    assert scores.by("document")[clock]["conll"].f1 == pytest.approx(
        documents[clock]["conll"].f1, abs=1e-15
    )
    assert scores.signature.partition("|average:")[2].startswith("documents|version:")
    rows = {row["metric"]: row for row in scores.rows()}
    assert rows["blanc.coreference"]["f1"] is None  # only its counts are of all documents
    assert rows["blanc.coreference"]["recall_numerator"] > 0
    assert rows["muc"]["f1"] == scores["muc"].f1


def test_means_of_nothing_and_of_parts() -> None:
    assert Evaluator("muc", average="documents").scores()["muc"].f1 == 0
    bridging = Evaluator("bridging", average="documents")
    for anchor in "ab":
        bridging.update(["ab", "cx"], ["ab", "cx"], bridging=({"c": "a"}, {"c": anchor}))
    bridging.update([], [], bridging=({}, {}))  # 0/0 counts as 0
    levels = bridging.scores()["bridging"].levels
    assert levels is not None
    plain = [score.f1 for score in levels.values()]
    assert plain == pytest.approx([2 / 3, 1 / 3, 2 / 3])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: corefkit.score(KEY, HASTY, "immediate", average="documents"),
            "immediate: cannot be",
        ),
        (lambda: corefkit.errors(KEY, HASTY, average="documents"), "average documents: only micro"),
        (lambda: corefkit.agree(KEY, HASTY, average="documents"), "average documents: agreement"),
        (
            lambda: corefkit.score(KEY, HASTY, average="documents").by("class"),
            "average documents. cannot be split",
        ),
        (lambda: corefkit.score(KEY, HASTY, average="macro"), "choose from micro, documents"),  # type: ignore[arg-type]
    ],
)
def test_where_there_are_no_means(call: Callable[[], object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        call()


def test_a_break_down_of_listed_documents_is_that_part_of_the_whole() -> None:
    """It named other documents, or ended in an IndexError, where some were left out."""
    key, careful = EXAMPLES / "key.conll", EXAMPLES / "careful.conll"
    names = corefkit.read(key).names[5:3:-1]
    some = corefkit.score(key, careful, "immediate", documents=names).by("class")
    whole = corefkit.score(key, careful, "immediate").by("class")
    for label, part in whole.items():
        rows = [n for n, name in enumerate(part.scores.counts.documents) if name in names]
        expected = part.scores.counts.select(np.array(rows, dtype=np.int64))
        if rows:
            assert some[label].scores.counts == expected
        else:
            assert label not in some


@pytest.mark.parametrize("names", [("gold", "pred"), ("references", "predictions")])
def test_key_and_response_by_the_names_of_other_libraries(names: tuple[str, str]) -> None:
    """The two are told apart by name, so that nobody exchanges them."""
    sides = (EXAMPLES / "key.conll", EXAMPLES / "careful.conll")
    named: Any = dict(zip(names, sides, strict=True))
    assert corefkit.score(**named).flat() == corefkit.score(*sides).flat()
    with pytest.raises(TypeError, match="the key is given twice"):
        corefkit.score(sides[0], **named)
    with pytest.raises(TypeError, match="the response is missing"):
        corefkit.score(sides[0])
