"""The stand-in for e2e-coref's evaluator: against the oracle, LitBank's figures, and misuse."""

import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from threading import Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit.compat import e2e
from corefkit.compat.e2e import CorefEvaluator, Evaluator, MentionEvaluator
from tests.oracle.other_scorers import e2e_count
from tests.support import CONFORMANCE, needs_conformance

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # figures without mentions

CLUSTERS = st.lists(st.text("abcdefg", min_size=1, max_size=5), max_size=4)
DOCUMENTS = st.lists(st.tuples(CLUSTERS, CLUSTERS), min_size=1, max_size=3)
NAMES: dict[Callable[..., Any], str] = {
    e2e.muc: "muc",
    e2e.b_cubed: "bcub",
    e2e.ceafe: "ceafe",
    e2e.lea: "lea",
}


def owners(clusters: list[str]) -> dict[str, tuple[str, ...]]:
    """As all systems of this family make them."""
    return {mention: tuple(cluster) for cluster in clusters for mention in cluster}


def ratios(metric: str, documents: list[tuple[list[str], list[str]]]) -> list[Fraction]:
    """Numerator and denominator of precision, then of recall, by the oracle."""
    lists: Any = [tuple([list(c) for c in side] for side in pair) for pair in documents]
    counts = e2e_count(metric, lists)
    return [*counts["precision"], *counts["recall"]]


@given(DOCUMENTS)
def test_all_figures(documents: list[tuple[list[str], list[str]]]) -> None:
    """Also where mentions are repeated; dictionaries given or not."""
    whole, parts = CorefEvaluator(), [Evaluator(function) for function in NAMES]
    updates = [whole.update, *(part.update for part in parts)]
    for number, (key, response) in enumerate(documents):
        given_too = (owners(response), owners(key)) if number % 2 else ()
        for update in updates:
            update(response, key, *given_too)
    expected = {name: ratios(name, documents) for name in NAMES.values()}
    for part in (*parts, *whole.evaluators):
        exact = [float(number) for number in expected[NAMES[part.metric]]]
        assert part.get_counts() == pytest.approx(exact, abs=1e-12)
        assert part.get_f1() == pytest.approx(e2e.f1(*exact), abs=1e-12)
        assert part.get_prf() == (part.get_precision(), part.get_recall(), part.get_f1())
    three = [part.get_prf() for part in whole.evaluators]
    means = [sum(values) / 3 for values in zip(*three, strict=True)]
    assert whole.get_prf() == pytest.approx(means, abs=1e-12)
    assert whole.get_f1() == whole.get_prf()[2]
    assert (whole.get_precision(), whole.get_recall()) == whole.get_prf()[:2]


@given(CLUSTERS, CLUSTERS)
def test_functions(key: list[str], response: list[str]) -> None:
    for function, name in NAMES.items():
        exact = [float(number) for number in ratios(name, [(key, response)])]
        if name == "ceafe":
            found = function(response, key)
        else:
            found = (*function(response, owners(key)), *function(key, owners(response)))
        assert found == pytest.approx(exact, abs=1e-12)


@needs_conformance
@pytest.mark.parametrize("name", ["response-good", "response-fair", "response-poor"])
def test_litbank_document_by_document(name: str) -> None:
    """Through the class the figures are those of the original evaluator."""
    folder = CONFORMANCE / "litbank"
    files = folder / "key.conll.gz", folder / f"{name}.conll.gz"
    key, response = (corefkit.read(file).clusters() for file in files)
    whole, lea = CorefEvaluator(), Evaluator(e2e.lea)
    for document, clusters in key.items():
        for one in (whole, lea):
            one.update(response.get(document, []), clusters)
    figures = json.loads((folder / "expected-profiles.json").read_text())[name]["e2e"]
    for part in (*whole.evaluators, lea):
        counts = figures[NAMES[part.metric]]
        expected = [*counts["precision"], *counts["recall"]]
        assert part.get_counts() == pytest.approx(expected, abs=1e-9)
    signature = whole.corefkit.scores().signature
    again = corefkit.score(*files, "conll", profile="e2e")
    assert whole.get_f1() == pytest.approx(again.conll, abs=1e-12)
    assert "|profile:e2e|" in signature and "|singletons:e2e|" in signature


def test_beta() -> None:
    for beta, expected in ((1, 2 / 3), (2, 5 * 0.5 / (4 * 1 + 0.5)), (0.5, 1.25 * 0.5 / 0.75)):
        evaluator = Evaluator(e2e.muc, beta)
        evaluator.update([["a", "b"]], [["a", "b", "c"]])
        assert evaluator.get_f1() == pytest.approx(expected, abs=1e-15)
        assert e2e.f1(1, 1, 1, 2, beta) == pytest.approx(expected, abs=1e-15)
        documents = [([["a", "b"]], [["a", "b", "c"]])]
        assert e2e.evaluate_documents(documents, e2e.muc, beta) == evaluator.get_prf()


def test_mentions() -> None:
    evaluator = MentionEvaluator()
    assert evaluator.get_prf() == (0, 0, 0)
    evaluator.update([(0, 1), [4, 4], (4, 4)], [(0, 1), (2, 2), (6, 6)])
    assert evaluator.get_prf() == pytest.approx((1 / 2, 1 / 3, 2 / 5))
    assert (evaluator.get_precision(), evaluator.get_recall()) == (1 / 2, 1 / 3)
    assert evaluator.get_f1() == evaluator.get_prf()[2]


def test_before_any_update() -> None:
    assert CorefEvaluator().get_prf() == (0, 0, 0)
    assert Evaluator(e2e.ceafe).get_counts() == (0, 0, 0, 0)


def test_other_profiles() -> None:
    key, response = ["ab", "c"], ["ab", "c"]
    for profile in ("standard", "e2e-singletons", "coval"):
        evaluator = CorefEvaluator(profile=profile)
        evaluator.update(response, key)
        assert evaluator.evaluators[1].get_counts() == (3, 3, 3, 3)
        assert f"|profile:{profile}|" in evaluator.corefkit.scores().signature
        assert Evaluator(e2e.lea, profile=profile).corefkit.scores()["lea"].f1 == 0


def test_lists_as_mentions() -> None:
    evaluator = CorefEvaluator()
    evaluator.update(
        [[[0, 1], [4, 4]]], [[(0, 1), (4, 4)]], {(0, 1): [[0, 1], [4, 4]], (4, 4): ((0, 1), (4, 4))}
    )
    assert evaluator.get_f1() == 1


@pytest.mark.parametrize(
    ("predicted", "gold", "message"),
    [
        ({"a": "ab"}, None, "mention_to_predicted .* 'b' is missing there"),
        ({"a": "ab", "b": "ab", "z": "z"}, None, "mention_to_predicted .* 'z' is in none of them"),
        (None, {"a": "abc", "b": "ab", "c": "abc"}, "mention_to_gold .* 'b' belongs to"),
        (None, {}, "mention_to_gold .* 'a' is missing"),
    ],
)
def test_dictionaries_that_contradict(
    predicted: dict[str, str] | None, gold: dict[str, str] | None, message: str
) -> None:
    for evaluator in (CorefEvaluator(), Evaluator(e2e.muc)):
        with pytest.raises(ValueError, match=message):
            evaluator.update(["ab"], ["abc"], predicted, gold)
        assert len(evaluator.corefkit) == 0


@pytest.mark.parametrize(
    "call",
    [
        lambda: Evaluator(len),
        lambda: Evaluator("muc"),  # type: ignore[arg-type]
        lambda: CorefEvaluator().update(3, []),  # type: ignore[arg-type]
        lambda: CorefEvaluator().update("ab", []),
        lambda: CorefEvaluator().update({"a": "ab"}, []),
        lambda: CorefEvaluator().update([[{"a": 1}]], []),
        lambda: CorefEvaluator().update([3], []),  # type: ignore[list-item]
    ],
)
def test_misuse(call: Callable[[], object]) -> None:
    with pytest.raises(TypeError):
        call()


def test_a_part_is_not_updated_alone() -> None:
    whole = CorefEvaluator()
    with pytest.raises(RuntimeError, match="update the CorefEvaluator"):
        whole.evaluators[0].update(["ab"], ["ab"])


def test_pickling_and_threads() -> None:
    whole = CorefEvaluator()

    def work() -> None:
        for _ in range(50):
            whole.update(["ab"], ["abc"])

    workers = [Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    again = pickle.loads(pickle.dumps(whole))
    again.update(["xy"], ["xy"])
    assert whole.evaluators[0].get_counts() == (200, 200, 200, 400)
    assert again.evaluators[0].get_counts() == (201, 201, 201, 401)


def test_the_import_does_not_load_numpy() -> None:
    modules = ", ".join(f"corefkit.compat.{name}" for name in corefkit.compat.MODULES)
    code = f"import sys, {modules}; assert 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
