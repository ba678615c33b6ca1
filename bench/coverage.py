"""python -m bench.coverage: how often intervals hold the truth, how often tests cry wolf.

The 342 documents of OntoNotes and two systems are the population, so the truth is known: the
figures of all of them. Test sets of a few documents are drawn from it; each method makes a nominal
95 % interval of each, and the share of intervals that hold the truth is its coverage. For the
tests, the two responses of each document are exchanged by the toss of a coin first: the systems
are then equally good, and the share of p-values of 0.05 or less is the type I error.
docs/significance.md has the table.
"""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import corefkit
from bench import data
from corefkit.core.counts import Counts
from corefkit.scoring.scores import Scores
from corefkit.stats import INTERVALS
from corefkit.stats.significance import compare_scores, significant

METRICS = "muc,bcub,ceafe,conll"
SIZES = (5, 20, 150)
"""How many documents a test set has."""


def main() -> int:
    """Simulate and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m bench.coverage", description=__doc__)
    parser.add_argument("--sets", type=int, default=1000, help="test sets of each size")
    parser.add_argument("--samples", type=int, default=1000, help="samples of each test set")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with TemporaryDirectory(prefix="corefkit-bench-") as folder:
        files = data.packed(Path(folder))
        if files is None:
            print(data.MISSING, file=sys.stderr)
            return 1
        key = corefkit.read(files.key)
        a, b = (corefkit.score(key, f, METRICS) for f in files.responses[:2])
    rng = np.random.default_rng(arguments.seed)
    print("| documents | " + " | ".join((*INTERVALS, "type I, bootstrap", "randomisation")) + " |")
    print("|---:|" + "---:|" * (len(INTERVALS) + 2))
    for size in SIZES:
        sets = [rng.integers(0, len(a.counts), size) for _ in range(arguments.sets)]
        covered = [coverage(a, b, rows, arguments.samples) for rows in sets]
        errors = [cries(a, b, rows, arguments.samples, rng) for rows in sets]
        shares = [*np.mean(covered, axis=0).tolist(), *np.mean(errors, axis=0).tolist()]
        print(f"| {size} | " + " | ".join(f"{share:.3f}" for share in shares) + " |", flush=True)
    return 0


def some(scores: Scores, rows: np.ndarray) -> Scores:
    """The scores of a test set; a document that was drawn twice is two documents."""
    counts = scores.counts.select(rows)
    names = tuple(f"{i:06}" for i in range(len(counts)))
    return Scores(scores.options, Counts(names, counts.tables))


def coverage(a: Scores, b: Scores, rows: np.ndarray, samples: int) -> list[float]:
    """For each method the share of intervals (both systems, their difference) with the truth."""
    drawn = {"a": some(a, rows), "b": some(b, rows)}
    found = []
    for method in INTERVALS:
        comparison = compare_scores(drawn, samples=samples, seed=int(rows[0]), interval=method)
        held = []
        for metric in comparison.groups:
            truths = [a[metric].f1, b[metric].f1, a[metric].f1 - b[metric].f1]
            ends = [comparison.systems[name][metric].interval for name in drawn]
            ends.append(comparison.pairs[0].metrics[metric].interval)
            held += [
                low <= t <= high for t, (low, high) in zip(truths, filter(None, ends), strict=True)
            ]
        found.append(float(np.mean(held)))
    return found


def cries(
    a: Scores, b: Scores, rows: np.ndarray, samples: int, rng: np.random.Generator
) -> list[float]:
    """Of p_bootstrap and p_randomization the share that is significant though nothing differs."""
    one, other = some(a, rows).counts, some(b, rows).counts
    swap = rng.integers(0, 2, len(one)).astype(bool)
    mixed = [
        Scores(
            a.options,
            Counts(
                one.documents,
                {
                    metric: tuple(
                        np.where(swap, y, x) for x, y in zip(table, other_table, strict=True)
                    )
                    for (metric, table), other_table in zip(
                        first.tables.items(), second.tables.values(), strict=True
                    )
                },
            ),
        )
        for first, second in ((one, other), (other, one))
    ]
    comparison = compare_scores(
        dict(zip("ab", mixed, strict=True)), samples=samples, seed=int(rows[0])
    )
    tests = comparison.pairs[0].metrics.values()
    return [
        float(np.mean([significant(d.p_bootstrap) for d in tests])),
        float(np.mean([significant(d.p_randomization) for d in tests])),
    ]


if __name__ == "__main__":
    sys.exit(main())
