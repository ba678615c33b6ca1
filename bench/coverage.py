"""python -m bench.coverage: how often intervals hold the truth, how often tests cry wolf.

The 342 documents of OntoNotes and two systems are the population, so the truth is known: the
figures of all of them. Test sets of a few documents are drawn from it; each method makes a nominal
95 % interval of each, and the share of intervals that hold the truth is its coverage. For the
tests, the two responses of each document are exchanged by the toss of a coin first: the systems
are then equally good, and the share of p-values of 0.05 or less is the type I error.
docs/significance.md has the table.

With --runs: the same for several runs of systems, of which docs/significance.md has the table.
LitBank is the population. Both systems are its key with mentions dropped at the same rate, so they
are equally good; the rate of each run, and of each document and system, is moved by chance, which
makes luck of runs and of documents × systems as large as is asked for. Figures are ratios of
counts, as those of real runs.
"""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from scipy.special import ndtri

import corefkit
from bench import data
from corefkit.core.counts import Counts
from corefkit.scoring.scores import Scores
from corefkit.stats import INTERVALS
from corefkit.stats.compare import compare_scores, significant
from corefkit.stats.runs import RunDifference

METRICS = "muc,bcub,ceafe,conll"
SIZES = (5, 20, 150)
"""How many documents a test set has."""


def main() -> int:
    """Simulate and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m bench.coverage", description=__doc__)
    parser.add_argument("--sets", type=int, default=1000, help="test sets of each size")
    parser.add_argument("--samples", type=int, default=1000, help="samples of each test set")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", action="store_true", help="of means over several runs")
    arguments = parser.parse_args()
    if arguments.runs:
        return several_runs(arguments.sets, arguments.samples, arguments.seed)
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


RATE, RATES, SEEDS = 0.12, tuple(n / 100 for n in range(25)), 12
"""The rate at which mentions are dropped, those at which documents were counted, and how often."""
LUCK = ((0.3, 3.0), (1.0, 3.0), (1.0, 0.0))
"""The standard deviations of runs and of documents × systems in points."""
SETTINGS = tuple((n, m, *luck) for luck in LUCK for n in (20, 100) for m in (2, 3, 5, 10))
"""Documents, runs, and their luck."""


def several_runs(sets: int, samples: int, seed: int) -> int:
    """Simulate systems with several runs and print how often tests and intervals are right."""
    key = data.LITBANK
    if not key.is_file():
        print(data.MISSING, file=sys.stderr)
        return 1
    pool = Pool(corefkit.read(key))
    rng = np.random.default_rng(seed)
    print(
        "| n, m | sd of runs, documents × systems | p | p_documents | p_runs | max of both |",
        end="",
    )
    print(" t interval | crossed bootstrap | of one system: t | crossed |")
    print("|---|---|" + "---:|" * 8)
    for setting in SETTINGS:
        size, runs, of_runs, of_pairs = setting
        truth = pool.truth(of_runs, of_pairs, rng)
        found = [simulate(pool, setting, samples, truth, rng) for _ in range(sets)]
        shares = " | ".join(f"{share:.3f}" for share in np.mean(found, axis=0).tolist())
        print(f"| {size}, {runs} | {of_runs:g}, {of_pairs:g} | {shares} |", flush=True)
    print(f"F1 of a document varies by {pool.spread:.1f} points", flush=True)
    return 0


class Pool:
    """The counts of all documents at many rates, several times each."""

    def __init__(self, key: corefkit.Corpus) -> None:
        scored = [
            [
                corefkit.score(key, corefkit.degrade(key, drop=rate, seed=seed).corpus, "conll")
                for seed in range(1, SEEDS + 1)
            ]
            for rate in RATES
        ]
        self.options = scored[0][0].options
        names = ("muc", "bcub", "ceafe")
        self.widths = [len(scored[0][0].counts.tables[name]) for name in names]
        self.names = names
        self.counts = np.array(
            [[[c for name in names for c in s.counts.tables[name]] for s in own] for own in scored],
            dtype=np.float64,
        )  # (rates, seeds, columns, documents)
        low, high = (np.mean([s.conll for s in scored[place]]) for place in (4, 20))
        self.slope = float(high - low) / (RATES[20] - RATES[4])
        """How much of F1 one mention more in a hundred costs, times a hundred."""
        usual = scored[round(100 * RATE)]
        figures = [[part["conll"].f1 for part in s.by("document").values()] for s in usual]
        self.spread = 100 * float(np.std(np.mean(figures, axis=0), ddof=1))
        """The standard deviation of F1 over documents, in points: the luck of documents."""

    def run(self, rows: np.ndarray, moved: np.ndarray, rng: np.random.Generator) -> Scores:
        """One run over some documents, whose rates are moved by so many points of F1."""
        rate = RATE + moved / 100 / self.slope
        place = np.clip(np.rint(rate * 100), 0, len(RATES) - 1).astype(np.int64)
        counts = self.counts[place, rng.integers(0, SEEDS, len(rows)), :, rows].T
        tables, first = {}, 0
        for name, width in zip(self.names, self.widths, strict=True):
            tables[name] = tuple(counts[first : first + width])
            first += width
        documents = tuple(f"{i:06}" for i in range(len(rows)))
        return Scores(self.options, Counts(documents, tables))

    def truth(self, of_runs: float, of_pairs: float, rng: np.random.Generator) -> float:
        """The mean over runs of F1 over very many documents; runs are taken at quantiles."""
        rows = np.tile(np.arange(self.counts.shape[-1]), 20)
        figures = [
            self.run(rows, of_runs * place + rng.normal(0, of_pairs, len(rows)), rng).conll
            for place in ndtri((np.arange(100) + 0.5) / 100).tolist()
        ]
        return float(np.mean(figures))


def simulate(
    pool: Pool,
    setting: tuple[int, int, float, float],
    samples: int,
    truth: float,
    rng: np.random.Generator,
) -> list[bool]:
    """Two equal systems on one test set: which tests cry wolf, which intervals hold the truth."""
    size, runs, of_runs, of_pairs = setting
    rows = rng.integers(0, pool.counts.shape[-1], size)
    systems = {}
    for name in "ab":
        of_documents = rng.normal(0, of_pairs, size)
        systems[name] = [
            pool.run(rows, rng.normal(0, of_runs) + of_documents, rng) for _ in range(runs)
        ]
    seed = int(rng.integers(1 << 30))
    student, drawn = (
        compare_scores(systems, samples=samples, seed=seed, interval=method)
        for method in ("jackknife", "percentile")
    )
    test = student.pairs[0].metrics["conll"]
    assert isinstance(test, RunDifference)
    p_documents = test.p_documents or 1.0
    wolf = [test.p, p_documents, test.p_runs, max(p_documents, test.p_runs)]
    held = []
    for comparison in (student, drawn):
        low, high = comparison.pairs[0].metrics["conll"].interval or (0.0, 0.0)
        held.append(low <= 0 <= high)
    for comparison in (student, drawn):
        low, high = comparison.systems["a"]["conll"].interval or (0.0, 0.0)
        held.append(low <= truth <= high)
    return [*map(significant, wolf), *held]


if __name__ == "__main__":
    sys.exit(main())
