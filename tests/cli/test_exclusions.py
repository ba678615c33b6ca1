"""What excludes what in `corefkit score`, and what is told before anything is read."""

from pathlib import Path

import pytest

from corefkit.cli.exclusions import EXCLUSIONS
from tests.support import EXAMPLES, run

KEY, CAREFUL, HASTY = (EXAMPLES / f"{name}.conll" for name in ("key", "careful", "hasty"))
RUNS = f"a@1={CAREFUL}", f"a@2={HASTY}"


def test_pairs_are_listed_once() -> None:
    pairs = [{e.choice, other} for e in EXCLUSIONS for other in e.others]
    assert len({frozenset(pair) for pair in pairs}) == len(pairs)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((*RUNS, "-f", "model-index"), "-f model-index cannot be combined with several runs"),
        ((*RUNS, "--counts", "x.parquet"), "--counts needs an engine"),
        ((*RUNS, "--engine", "auto:memory=4GB"), "memory needs an engine"),
        ((*RUNS, "--at-least", "lea=60", "-m", "muc"), "at-least: metric: unknown value 'lea'"),
        ((CAREFUL, "-f", "model-index", "--by", "entity:size"), "cannot be combined with --by"),
        ((CAREFUL, "--losses", "--window", "9", "-f", "csv"), "losses are those of whole"),
        ((CAREFUL, "--across", "corpus,none", "--plot", "x.svg"), "name one level"),
        ((CAREFUL, "--engine", "duckdb", "--by", "entity:size"), "it counts whole documents"),
    ],
)
def test_refused_before_reading(arguments: tuple[str | Path, ...], told: str) -> None:
    done = run("score", "no-such-key.conll", *map(str, arguments))
    assert (done.status, done.out) == (2, "")
    assert told in " ".join(done.err.split())


def test_the_mean_over_runs_must_reach_the_bound() -> None:
    """The runs have 61.67 and 88.98, their mean is 75.32 (`examples/demo.sh`)."""
    assert run("score", KEY, *RUNS, "-m", "conll", "--at-least", "conll=75.3").status == 0
    done = run("score", KEY, *RUNS, "-m", "muc,conll", "--at-least", "conll=75.4")
    assert done.status == 3
    assert "a: conll 75.32 is below 75.4" in done.err


def test_runs_on_different_documents_have_no_mean(tmp_path: Path) -> None:
    text = HASTY.read_text(encoding="utf-8")
    first = text[: text.index("#end document") + len("#end document\n")]
    (tmp_path / "first.conll").write_text(first, encoding="utf-8")
    runs = f"a@1={CAREFUL}", f"a@2={tmp_path / 'first.conll'}"
    done = run("score", KEY, *runs, "--documents", "common")
    assert (done.status, done.out) == (2, "")
    assert "only runs that are scored on the same documents have a mean" in " ".join(
        done.err.split()
    )
