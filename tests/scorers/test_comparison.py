"""A Comparison: made by a Scorer, matched once, and what everything else starts from."""

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

import corefkit
from corefkit import Corpus
from corefkit.core.directed import Pairs
from corefkit.core.options import Options
from corefkit.plugins.task import read_manifest, score_task
from corefkit.plugins.task.error_pages import ErrorPages
from corefkit.scorers import PROFILES, make_options, scorer_class, scorer_for
from corefkit.scorers.comparison import Comparison
from corefkit.scorers.counting import count_comparison
from corefkit.scorers.scorer import Scorer
from corefkit.scoring.errors import find_errors
from tests.plugins.task.support import MANIFEST, write_task
from tests.support import EXAMPLES, run

KEY, CAREFUL, BASELINE = (
    str(EXAMPLES / f"{name}.conll") for name in ("key", "careful", "baseline")
)


@pytest.fixture
def matched(monkeypatch: pytest.MonkeyPatch) -> list[Options]:
    """The options of each matching that any scorer makes, in order."""
    made: list[Options] = []
    nested: list[Options] = []

    def counted(match: Callable[[Scorer, Corpus, Corpus], Pairs]) -> Callable[..., Pairs]:
        def counting(scorer: Scorer, key: Corpus, response: Corpus) -> Pairs:
            made.extend([] if nested else [scorer.options])  # a scorer may ask the one it is
            nested.append(scorer.options)
            try:
                return match(scorer, key, response)
            finally:
                nested.pop()

        return counting

    classes = {base for name in PROFILES for base in scorer_class(name).__mro__}
    for scorer in classes:
        if "match" in vars(scorer):
            monkeypatch.setattr(scorer, "match", counted(vars(scorer)["match"]))
    return made


@pytest.mark.parametrize("profile", PROFILES)
def test_all_scorers_match_each_pair_once(matched: list[Options], profile: str) -> None:
    corefkit.score(KEY, CAREFUL, profile=profile)
    assert len(matched) == 1
    assert corefkit.errors(KEY, CAREFUL, profile=profile).shares()
    assert len(matched) == 2
    corefkit.report(KEY, CAREFUL, BASELINE, profile=profile)
    assert len(matched) == 4


def test_score_matches_each_pair_once(matched: list[Options]) -> None:
    corefkit.score(KEY, CAREFUL).by("class")
    assert len(matched) == 1


def test_errors_match_each_pair_once(matched: list[Options]) -> None:
    found = corefkit.errors(KEY, CAREFUL)
    assert found.shares() and found.counts and found.repaired()
    assert len(matched) == 1
    del matched[:]
    find_errors(KEY, [CAREFUL, BASELINE], make_options("conll"))
    assert len(matched) == 2


@pytest.mark.parametrize("documents", ["all", "common"])
def test_a_report_matches_each_pair_once(
    matched: list[Options], documents: Literal["all", "common"]
) -> None:
    """Errors, scores and changes of outcomes come from the same two comparisons."""
    corefkit.report(KEY, CAREFUL, BASELINE, documents=documents)
    assert len(matched) == 2


@pytest.mark.parametrize("documents", ["all", "common"])
def test_outcomes_match_each_pair_once(
    matched: list[Options], documents: Literal["all", "common"]
) -> None:
    corefkit.outcomes(KEY, CAREFUL, BASELINE, documents=documents).rows()
    assert len(matched) == 2


def test_explain_matches_once_for_each_way_to_match(matched: list[Options]) -> None:
    """Rules that only change what is counted need no other matching."""
    corefkit.explain(KEY, CAREFUL, "standard", "e2e", "conll")
    assert len(matched) == 2
    del matched[:]
    found = corefkit.explain(KEY, CAREFUL, "standard", "conll-8.01", "conll")
    assert [rule.policy for rule in found.rules] == ["scorer", "ids", "lengths"]
    assert len(matched) == len(set(matched)) == 2**3


@pytest.mark.parametrize("profile", [name for name in PROFILES if name != "standard"])
def test_explain_matches_no_mixture_twice(matched: list[Options], profile: str) -> None:
    """At most once for each mixture of the rules that are not of counting alone."""
    explanation = corefkit.explain(KEY, CAREFUL, "standard", profile, "conll")
    rules = {rule.policy for rule in explanation.rules} - {"blanc"}
    if profile.startswith("e2e"):  # their singletons are counted otherwise, and not dropped
        rules -= {"singletons"}
    assert len(matched) == len(set(matched)) == 2 ** len(rules)


def test_checking_matches_nothing(matched: list[Options]) -> None:
    assert corefkit.check(CAREFUL, against=KEY) == []
    assert matched == []


@pytest.mark.parametrize("reports", [False, True])
def test_a_task_matches_each_pair_once(
    matched: list[Options], tmp_path: Path, reports: bool
) -> None:
    manifest = write_task(tmp_path, MANIFEST + '"english/open/NB" = "two.conll"\n')
    (tmp_path / "two.conll").write_bytes((tmp_path / "one.conll").read_bytes())
    task, folder = read_manifest(manifest), tmp_path / "out"
    pages = ErrorPages.of(task, folder) if reports else None
    score_task(task, folder, jobs=1, pages=pages)
    assert len(matched) == 2
    assert len([*folder.rglob("*.html")]) == (2 if reports else 0)


def test_some_documents_of_a_comparison_stay_matched(matched: list[Options]) -> None:
    scorer = scorer_for(make_options("mentions,conll"))
    key, response = scorer.read(KEY), scorer.read(CAREFUL)
    comparison = scorer.compare(key, response)
    chosen = set(key.corpus.names[1:3])
    some, again = comparison.within(chosen), scorer.compare(key, response, chosen)
    assert count_comparison(scorer, some) == count_comparison(scorer, again)
    assert [np.array_equal(a, b) for a, b in zip(some.pairs, again.pairs, strict=True)] == [
        True,
        True,
    ]
    assert len(matched) == 2
    assert comparison.size.documents == len(key.corpus.names)


@pytest.mark.parametrize("profile", PROFILES)
def test_a_scorer_says_what_it_is(profile: str) -> None:
    """Its docstring, its metrics, the policies that it wants, the rules of matching that it has."""
    scorer = scorer_class(profile)
    options = make_options(profile=profile)
    assert scorer.__doc__ and scorer.metrics == options.metrics
    assert {**options.policies, **scorer.policies} == options.policies
    assert all(getattr(options, rule.name) == rule.value and rule.words for rule in scorer.rules)
    assert type(scorer_for(options)) is (scorer if scorer.keeps_copies else Scorer)
    assert "duplicates" not in scorer.policies
    if scorer.matches is not None:
        assert options.match in scorer.matches
        for rule in {"head", "semeval"} - {*scorer.matches}:
            with pytest.raises(corefkit.UsageError, match=f"the profile {profile} has no {rule}"):
                scorer_for(make_options(profile=profile, match=rule)).check_matching()
            assert run("score", KEY, CAREFUL, "--profile", profile, "--match", rule).status == 2


def test_only_the_scorer_that_is_asked_for_is_loaded() -> None:
    import subprocess
    import sys

    code = (
        "import corefkit, sys; "
        f"corefkit.score({KEY!r}, {CAREFUL!r}); "
        "print(sorted(m for m in sys.modules if m.startswith('corefkit.scorers.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    scorers = {f"corefkit.scorers.{p.module}" for p in PROFILES.values()}
    assert {name for name in scorers if name in done.stdout} == {"corefkit.scorers.scorer"}


def test_a_comparison_of_corpora() -> None:
    """By hand, as metrics of other packages may be tested."""
    key = Corpus.from_clusters({"d": [[(0, 0), (1, 1)]]})
    response = Corpus.from_clusters({"d": [[(0, 0), (2, 2)]]})
    comparison = Comparison(key, response, Scorer(Options()).match)
    assert comparison.partner.tolist() == [0, -1]
    assert comparison.pairs is comparison.pairs
    assert comparison.whole == (key, response)
    assert not comparison.failed and comparison.coverage is None


@pytest.mark.parametrize("profile", ["conll-8.01", "corefud-1.1", "standard"])
def test_a_pair_has_the_mentions_that_are_compared(tmp_path: Path, profile: str) -> None:
    """Also where a scorer removes repeated mentions of the response once it sees the key."""
    cells = {"key": "(1)(2) (1) (2) -", "response": "(7)(8) (8) (7) (8)"}
    for name, row in cells.items():
        lines = (f"d 0 {i} w - {cell}" for i, cell in enumerate(row.replace(")(", ")|(").split()))
        text = "\n".join(["#begin document (d); part 000", *lines, "#end document", ""])
        (tmp_path / name).write_text(text)
    scorer = scorer_for(make_options("muc", profile))
    key, response = (scorer.read(str(tmp_path / name)) for name in cells)
    comparison = scorer.compare(key, response)
    compared = comparison.chains("auto")
    spans = [
        list(zip(corpus.start.tolist(), corpus.entity.tolist(), strict=True))
        for corpus in (compared.response_corpus, comparison.response)
    ]
    assert spans[0] == spans[1]
