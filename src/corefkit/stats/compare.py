"""Tests of differences between systems: intervals and paired tests over documents.

Everything is computed from Counts: each sample of documents is a weighted sum of their rows.
`compare` takes files, `compare_scores` Scores of one key, and `compare_means` those of several
keys, since shared tasks rank by their mean: documents are then drawn and exchanged within each key,
while the keys themselves are fixed.

>>> import corefkit
>>> from corefkit.stats.compare import compare_scores
>>> key = "examples/key.conll"
>>> systems = {n: corefkit.score(key, f"examples/{n}.conll") for n in ("careful", "hasty")}
>>> significance = compare_scores(systems, samples=1000, seed=1)
>>> difference = significance.pairs[0].metrics["conll"]
>>> round(100 * difference.difference, 2), difference.p_randomization < 0.05
(27.31, True)
>>> significance.groups["conll"]
[['careful'], ['hasty']]
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np

from corefkit.core.carriers import frozen
from corefkit.core.incidents import DataError
from corefkit.core.names import is_of_documents, system_names
from corefkit.core.options import PiecesPolicy, UsageError, choose, refuse_levels
from corefkit.core.results import Result
from corefkit.core.texts import count_of
from corefkit.features.divisions import find_division
from corefkit.formats.kit.annotators import with_annotators
from corefkit.formats.options import split_readings
from corefkit.scorers import make_options
from corefkit.scorers.comparison import Readable
from corefkit.scorers.documents import Documents
from corefkit.scorers.signature import signature
from corefkit.scorers.windows import WindowChoice, with_windows
from corefkit.scoring.parts import WINDOW, Part, body, rows_of
from corefkit.scoring.run import named_sides, score_systems
from corefkit.scoring.scores import Scores
from corefkit.stats import INTERVALS, MOST_SAMPLES, Method
from corefkit.stats.figures import (
    WHOLE,
    Difference,
    FigureName,
    Figures,
    Interval,
    PartName,
    by_part,
    notes_of_parts,
    parts_of,
)
from corefkit.stats.resampling import (
    EQUAL,
    FEW,
    LEVEL,
    SAMPLES,
    SEED,
    Plan,
    exchanges,
    holm,
    smallest_p,
)
from corefkit.stats.runs import RunEvidence, run_notes, smallest_p_runs

if TYPE_CHECKING:
    from corefkit.metrics.base import Metrics
    from corefkit.scoring.run import NamedSides
    from corefkit.stats.run_scores import RunSources


def significant(p: float | None, level: float = LEVEL) -> bool:
    """Whether a p-value is significant: p ≤ 1 − level; None is not.

    A p-value of exactly 0.05 is significant at 0.05: it is the smallest size that rejects.

    >>> significant(0.05), significant(0.0501), significant(0.1, level=0.9), significant(None)
    (True, False, True, False)
    """
    return p is not None and p <= 1 - level + EQUAL


@frozen
class SystemPair:
    """Two systems and their difference in each metric, and in each stratum.

    `keys` has the names of the keys over which they are compared, where there are several keys.
    """

    a: str
    b: str
    metrics: Mapping[str, Difference]
    strata: tuple[Part[Mapping[str, Difference | None]], ...] = ()
    keys: tuple[str, ...] = ()


@frozen
class Significance(Result):
    """All systems with their intervals, all pairs with their tests.

    Where systems have several runs, their figures are `RunFigures` and differences
    `RunDifference`, which have more attributes.

    Attributes:
        seed, samples, level: those of the samples, and the level of intervals and tests.
        interval: the method of the intervals, one of `corefkit.stats.INTERVALS`.
        signature: one line that makes the figures reproducible.
        documents: how many documents there are, over all keys.
        systems: system → metric → F1 and interval.
        pairs: the tests of each pair of systems.
        groups: metric → the largest sets of systems of which no two differ significantly; a system
            can be in several. There are none with a single document.
        smallest_p: the smallest `p_holm` that this number of documents, pairs and samples can
            give; None where nothing was tested, or systems have several runs.
        notes: reservations about the figures, as sentences.
        windows: window → the comparison of documents that are cut, where the scores have windows.
        strata: system → its strata, where the scores are split (`pairs` have theirs).
        not_comparable: where there are several keys, the pairs of systems that have no key in
            common with more than one document.
    """

    kind: ClassVar[str] = "comparison"

    seed: int
    samples: int
    level: float
    interval: Method
    signature: str
    documents: int
    systems: Mapping[str, Mapping[str, Interval]]
    pairs: tuple[SystemPair, ...]
    groups: Mapping[str, list[list[str]]]
    smallest_p: float | None
    notes: tuple[str, ...]
    windows: "Mapping[str, Significance]" = field(default_factory=dict)
    strata: Mapping[str, tuple[Part[Mapping[str, Interval | None]], ...]] = field(
        default_factory=dict
    )
    not_comparable: tuple[tuple[str, str], ...] = ()

    def parts_of(self, system: str) -> list[Part[Any]]:
        """The figures of a system: the whole, its strata, and its windows with theirs."""
        whole = Part((), self.systems[system])
        return [
            whole,
            *self.strata.get(system, ()),
            *_in_windows(self, lambda c: c.parts_of(system)),
        ]

    def parts_of_pair(self, a: str, b: str) -> list[Part[Any]]:
        """The differences of two systems: the whole, strata, and windows with theirs."""
        (pair,) = (pair for pair in self.pairs if (pair.a, pair.b) == (a, b))
        whole = Part((), pair.metrics)
        return [whole, *pair.strata, *_in_windows(self, lambda c: c.parts_of_pair(a, b))]

    def rows(self) -> list[dict[str, Any]]:
        """One flat dict per system, part and metric, then per pair of systems (`b`)."""
        systems = [rows_of(self.parts_of(name), system=name, b=None) for name in self.systems]
        pairs = [rows_of(self.parts_of_pair(p.a, p.b), system=p.a, b=p.b) for p in self.pairs]
        return [row for rows in (*systems, *pairs) for row in rows]

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts and lists, nothing rounded: the JSON of `corefkit compare`."""
        apart = {"not_comparable": self.not_comparable}
        cut = {name: {n: getattr(c, n) for n in _OF_TESTS} for name, c in self.windows.items()}
        return {
            **{name: getattr(self, name) for name in _PLAN},
            "systems": [{"name": name, **body(self.parts_of(name))} for name in self.systems],
            "pairs": [
                {"a": pair.a, "b": pair.b, **body(self.parts_of_pair(pair.a, pair.b))}
                | ({"keys": pair.keys} if pair.keys else {})
                for pair in self.pairs
            ],
            **{name: getattr(self, name) for name in _OF_TESTS},
            "notes": list(self.notes),
            **(apart if self.not_comparable else {}),
            **({"windows": cut} if cut else {}),
        }

    def __repr__(self) -> str:
        systems = ", ".join(self.systems)
        return f"Significance({systems}: {self.documents:,} documents, {self.samples:,} samples)"


_PLAN = ("seed", "samples", "level", "interval", "signature", "documents")
_OF_TESTS = ("groups", "smallest_p")
"""What windows have of their own besides the figures of their parts."""


def _in_windows(
    comparison: Significance, parts: Callable[[Significance], list[Part[Any]]]
) -> Iterator[Part[Any]]:
    """The parts of each window."""
    for window, cut in comparison.windows.items():
        yield from (part.inside((WINDOW, window)) for part in parts(cut))


def compare(  # noqa: PLR0913 (as many as there are options)
    key: "Readable | Mapping[str, Scores | Sequence[Scores]] | None" = None,
    *responses: Readable,
    metrics: "Metrics | None" = None,
    profile: str = "standard",
    samples: int = SAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
    interval: Method | None = None,
    documents: Documents = "all",
    runs: "Mapping[str, RunSources] | None" = None,
    window: "WindowChoice" = (),
    window_singletons: PiecesPolicy = "follow",
    by: str | Sequence[str] = (),
    **policies: "Unpack[NamedSides]",
) -> Significance:
    """Test the differences between responses to one key: intervals, paired tests, groups.

    Key and responses are paths or Corpora, and the options, including `documents`, are those of
    `corefkit.score`; the "common" documents are those that all responses have. Instead of files,
    {name: Scores} may be given, with the same documents and options, or {name: [Scores, …]} for
    systems with several runs. `runs` has the files of such systems, {"mine": ["seed1.conll",
    "seed2.conll"]} (docs/significance.md). Intervals are percentiles by default, or with several
    runs those of Student's t. With a `window`, documents that are cut are compared, too
    (docs/strata.md). `by` names labels of entities ("entity:size") or features of mentions; the
    differences in each of their strata are tested, too. Raises DataError if a response cannot be
    scored.

    >>> compare("examples/key.conll", "examples/careful.conll", "examples/hasty.conll")
    Significance(careful, hasty: 8 documents, 10,000 samples)
    """
    plan: dict[str, Any] = {"samples": samples, "seed": seed, "level": level, "interval": interval}
    if isinstance(key, Mapping):
        if responses or metrics is not None or policies or documents != "all" or runs or window:
            raise UsageError("compare: these are scores already; give files, or nothing but scores")
        return compare_scores(key, **plan)
    choices: dict[str, Any] = {**policies}
    source, responses = named_sides(key, responses, choices, several=True)
    if not responses and not runs:
        raise UsageError("compare: give at least one response")
    by = [by] if isinstance(by, str) else list(by)
    if grouped := [division for division in by if is_of_documents(division)]:
        raise UsageError(
            f"by {grouped[0]}: only strata of entities or mentions are tested; scores.by splits "
            "scores by documents, and documents= tests some of them"
        )
    responses = with_annotators(responses, split_readings({**choices}).response)
    if runs:
        from corefkit.stats.run_scores import score_runs

        single_runs = dict(zip(system_names(responses), responses, strict=True))
        how: dict[str, Any] = {"documents": documents, "by": by, **choices}
        how |= {"window": window, "window_singletons": window_singletons}
        runs_report = score_runs(source, {**runs, **single_runs}, metrics, profile, **how)
        by_name = {s.name: list(s.runs.values()) for s in runs_report.systems}
        return compare_scores(by_name, **plan)
    readings = split_readings(choices)
    options = with_windows(make_options(metrics, profile, **choices), window, window_singletons)
    if by:
        from corefkit.scoring.strata import with_strata

        options = with_strata(options, by)
    how = {"readings": readings, "documents": documents}
    report = score_systems(source, responses, options, **how, shared=True)
    systems = {system.name: system.scores for system in report.systems if system.scores}
    if len(systems) < len(responses):
        raise DataError([i for i in report.incidents if i.severity == "error"])
    return compare_scores(systems, **plan)


def compare_scores(
    systems: "Mapping[str, Scores | Sequence[Scores]]",
    *,
    samples: int = SAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
    interval: Method | None = None,
) -> Significance:
    """Compare systems that were scored with the same options against the same key.

    A list of scores stands for the runs of a system. Raises UsageError where there is no system or
    no document, where the scores have different documents or options, and for an unknown
    `interval`.
    """
    if interval is not None:
        choose("interval", interval, INTERVALS)
    if not isinstance(systems, Mapping):
        raise TypeError(f"systems are given as {{name: scores}}, not {systems!r:.60}")
    runs = {n: [s] if isinstance(s, Scores) else list(s) for n, s in _listed(systems)}
    _check([run for listed in runs.values() for run in listed], samples, seed, level)
    several = any(not isinstance(s, Scores) for s in systems.values())
    if several and interval == "bca":
        raise UsageError("interval: with several runs there are jackknife and percentile")
    if empty := [name for name, listed in runs.items() if not listed]:
        raise UsageError(f"there is nothing to compare: {empty[0]} has no run")
    plan = Plan(samples, seed, level, interval or ("jackknife" if several else "percentile"))
    compare_cut = _compare_runs if several else _compare_plain
    whole = compare_cut(runs, plan)
    windows = {
        row.label: compare_cut(
            {name: [run.windows[number].scores for run in listed] for name, listed in runs.items()},
            plan,
        )
        for number, row in enumerate(next(iter(runs.values()))[0].windows[:-1])
    }
    notes = [
        f"window {window}: {note}"
        for window, cut in windows.items()
        for note in cut.notes
        if note not in whole.notes
    ]
    return replace(whole, windows=windows, notes=(*whole.notes, *notes))


def _listed(systems: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The systems, each with Scores or a list of them; TypeError for anything else."""
    for name, scores in systems.items():
        if not isinstance(scores, Scores) and not isinstance(scores, list | tuple):
            raise TypeError(f"systems have Scores, not {scores!r:.60}")
        yield name, scores


def _compare_plain(runs: Mapping[str, Sequence[Scores]], plan: Plan) -> Significance:
    """Compare systems with one run each."""
    scores = {name: run for name, (run,) in runs.items()}
    figures = Figures([[parts_of(run) for run in scores.values()]], plan)
    return _over_documents(_compared([*scores], figures, [*scores.values()]), figures)


def _compare_runs(runs: Mapping[str, Sequence[Scores]], plan: Plan) -> Significance:
    """Compare the means of systems over their runs."""
    figures = RunEvidence([[parts_of(run) for run in listed] for listed in runs.values()], plan)
    compared = _compared([*runs], figures, [run for listed in runs.values() for run in listed])
    numbers = {name: len(listed) for name, listed in runs.items()}
    notes = (*run_notes(numbers, compared.documents), *_notes_of_tests(numbers, plan))
    return replace(compared, notes=(*notes, *compared.notes))


def _over_documents(compared: Significance, figures: Figures) -> Significance:
    """The comparison with the smallest p-value over so many documents, and notes about it."""
    pairs, samples, smallest = len(compared.pairs), compared.samples, None
    if pairs and figures.resampled:
        smallest = min(1.0, pairs * smallest_p(compared.documents, samples))
    notes = comparison_notes(figures.sizes, pairs, figures.plan, smallest)
    return replace(compared, smallest_p=smallest, notes=(*notes, *compared.notes))


def _compared(
    names: Sequence[str],
    figures: Figures | RunEvidence,
    scored: Sequence[Scores],
    keys: Sequence[str] = (),
) -> Significance:
    """The systems and pairs by their figures, with notes about parts, without `smallest_p`.

    `scored` are all scores, by system; `keys` are the names of keys, where there are several.
    """
    plan, systems = figures.plan, range(len(names))
    intervals = [by_part(figures.rows, figures.intervals(system)) for system in systems]
    common = {pair: figures.common(*pair) for pair in combinations(systems, 2)}
    compared = [pair for pair, shared in common.items() if shared and _testable(figures)]
    tests = correct(figures.rows, [figures.differences(*pair) for pair in compared])
    pairs = tuple(
        SystemPair(
            names[a],
            names[b],
            found[WHOLE],
            _strata_of_pair(figures, (a, b), found),
            tuple(keys[key] for key in common[a, b]) if keys else (),
        )
        for (a, b), found in zip(compared, tests, strict=True)
    )
    apart = tuple((names[a], names[b]) for (a, b), shared in common.items() if not shared)
    f1 = [by_part(figures.rows, row)[WHOLE] for row in figures.observed.tolist()]
    strata = {}
    if scored[0].options.by and len(figures.sizes) == 1:
        listed = zip(names, systems, intervals, strict=True)
        strata = {name: strata_of(figures, system, found) for name, system, found in listed}
    return Significance(
        seed=plan.seed,
        samples=plan.samples,
        level=plan.level,
        interval=plan.interval,
        signature=_signature(scored, plan),
        documents=sum(figures.sizes),
        systems={name: found[WHOLE] for name, found in zip(names, intervals, strict=True)},
        pairs=pairs,
        groups={
            metric: groups(
                {name: found[metric] for name, found in zip(names, f1, strict=True)},
                pairs,
                metric,
                plan.level,
                apart,
            )
            if figures.resampled
            else []
            for metric in f1[0]
        },
        smallest_p=None,
        notes=notes_of_parts(figures.undefined),
        strata=strata,
        not_comparable=apart,
    )


def with_intervals(
    scores: Scores, parts: Iterable[Part[Scores]], plan: Plan | None = None
) -> tuple[list[Part[Any]], tuple[str, ...]]:
    """Parts of scores with intervals in place of scores, and notes about these.

    Strata are resampled together with the whole, groups of documents over their own documents.
    """
    plan, listed = plan or Plan(), list(parts)
    strata = {(part.by, part.label): part.scores for part in listed if part.scores.divided}
    figures = Figures([[{WHOLE: scores, **strata}]], plan)
    found = by_part(figures.rows, figures.intervals(0))
    made: list[Part[Any]] = []
    for part in listed:
        name = (part.by, part.label) if part.scores.divided else WHOLE
        by_metric = found.get(name, {})
        if part.at and name == WHOLE:
            own = Figures([[{WHOLE: part.scores}]], plan)
            by_metric = by_part(own.rows, own.intervals(0))[WHOLE]
        made.append(Part(part.at, by_metric, part.key, part.response))
    return made, notes_of_parts(figures.undefined)


def _testable(figures: Figures | RunEvidence) -> bool:
    """Whether differences are shown: over several keys, only where something is resampled."""
    return figures.resampled or len(figures.sizes) == 1


def strata_of(
    figures: Figures | RunEvidence, system: int, found: Mapping[PartName, Mapping[str, Any]]
) -> tuple[Part[Any], ...]:
    """The strata of a system, from its intervals in each part."""
    return tuple(
        Part(((_name(part), part[1]),), by_metric, documents=figures.documents(part, system))
        for part, by_metric in found.items()
        if part != WHOLE
    )


def _strata_of_pair(
    figures: Figures | RunEvidence,
    pair: tuple[int, int],
    found: Mapping[PartName, Mapping[str, Any]],
) -> tuple[Part[Any], ...]:
    strata = []
    for part, by_metric in found.items():
        if part != WHOLE:
            documents = figures.documents(part, *pair)
            smallest = smallest_p(documents, figures.plan.samples) if documents else None
            at = ((_name(part), part[1]),)
            strata.append(Part(at, by_metric, documents=documents, smallest_p=smallest))
    return tuple(strata)


def _name(part: PartName) -> str:
    """The name of the division of a part."""
    return find_division(part[0]).name


def correct(
    rows: Sequence[FigureName], tested: Sequence[Sequence[Difference | None]]
) -> list[dict[PartName, dict[str, Any]]]:
    """The tests of each pair, by part and metric, with Holm's correction.

    The correction is over pairs in the whole, over pairs × strata in a division, one metric at a
    time.
    """
    families: dict[tuple[str, str], list[tuple[int, int]]] = {}
    corrected = [list(tests) for tests in tested]
    for pair, tests in enumerate(tested):
        for row, (((by, _), metric), test) in enumerate(zip(rows, tests, strict=True)):
            if test and test.judged_by is not None:
                families.setdefault((by, metric), []).append((pair, row))
    for family in families.values():
        judged = [corrected[pair][row] for pair, row in family]
        values = holm(np.array([test.judged_by for test in judged if test], dtype=np.float64))
        for (pair, row), test, p in zip(family, judged, values.tolist(), strict=True):
            corrected[pair][row] = test and replace(test, p_holm=p)
    return [by_part(rows, tests) for tests in corrected]


def _notes_of_tests(runs: Mapping[str, int], plan: Plan) -> tuple[str, ...]:
    """Notes about the tests of means over these numbers of runs."""
    notes = []
    for a, b in combinations(runs, 2):
        least = smallest_p_runs(runs[a], runs[b])
        if max(runs[a], runs[b]) == 1:
            continue
        if min(runs[a], runs[b]) == 1:
            single, several = (a, b) if runs[a] == 1 else (b, a)
            notes.append(f"{single} has one run: how much runs vary is taken from {several}")
        if not significant(least, plan.level):
            ways = f"{runs[a]} and {runs[b]} runs"
            notes.append(f"{a}, {b}: with {ways} p_runs is at least {least:.4g}")
    return tuple(notes)


def _signature(scores: Sequence[Scores], plan: Plan) -> str:
    """The signature of scores with the same options; coverage in their order, as in a Report.

    Responses may have been read in different ways; all that was chosen for any of them is named.
    """
    read = dict.fromkeys(text for of_system in scores for text in of_system.options.read)
    options = replace(scores[0].options, read=tuple(sorted(read)))
    scored = signature(options, [of_system.coverage for of_system in scores])
    shown = f"|interval:{plan.interval}" if plan.interval != "percentile" else ""
    return f"{scored}|samples:{plan.samples}|seed:{plan.seed}{shown}"


def compare_means(  # noqa: PLR0913 (as `compare`)
    systems: Mapping[str, Sequence[Scores | None]],
    metric: str,
    *,
    keys: Sequence[str] = (),
    samples: int = SAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
) -> Significance:
    """Compare the means of F1 over several keys; each system has scores, or None, for each key.

    None counts as 0 in the mean of a system, but two systems are compared by their means over the
    keys that both have scores for. A key that no system has scores for counts in the mean, but is
    not resampled. `keys` are the names of the keys.

    With one key this is `compare_scores`. With several, intervals are percentiles, and the p-values
    those of randomisation; a key with a single document is never resampled.
    """
    if not systems or not all(systems.values()):
        raise UsageError("there is nothing to compare: no system or no key")
    plain = {name: [s and _only(s, metric) for s in scores] for name, scores in systems.items()}
    if len({len(scores) for scores in plain.values()}) > 1:
        raise UsageError("each system needs scores, or None, for each key")
    if empty := [name for name, scores in plain.items() if not any(scores)]:
        raise UsageError(f"there is nothing to compare: {empty[0]} has no scores")
    if len(next(iter(plain.values()))) == 1:
        systems_with_scores = {name: scores[0] for name, scores in plain.items() if scores[0]}
        return compare_scores(systems_with_scores, samples=samples, seed=seed, level=level)
    names = keys or [str(number) for number in range(1, len(next(iter(plain.values()))) + 1)]
    by_key = dict(zip(names, zip(*plain.values(), strict=True), strict=True))
    scored = {name: scores for name, scores in by_key.items() if any(scores)}
    parts = [[one and {WHOLE: one} for one in scores] for scores in scored.values()]
    figures = Figures(parts, Plan(samples, seed, level), len(scored) / len(by_key))
    listed = [one for scores in scored.values() for one in scores if one]
    return _over_documents(_compared([*plain], figures, listed, [*scored]), figures)


def _only(scores: Scores, metric: str) -> Scores:
    """The scores with one metric only."""
    return replace(scores, options=replace(scores.options, metrics=(metric,)))


def _check(scores: Sequence[Scores], samples: int, seed: int, level: float) -> None:
    if not scores:
        raise UsageError("there is nothing to compare: no system")
    if wrong := [s for s in scores if not isinstance(s, Scores)]:
        raise TypeError(f"systems have Scores, not {wrong[0]!r:.60}")
    if len({replace(s.options, read=()) for s in scores}) > 1:
        raise UsageError("only scores with the same options can be compared")
    if len({tuple(sorted(s.counts.documents)) for s in scores}) > 1:
        raise UsageError(
            "only scores of the same documents can be compared: score all systems against one key "
            "and on the same documents; compare with documents=common takes files, and scores the "
            "documents that all have"
        )
    refuse_levels(scores[0].options, "differences are tested at one level", more_than=1)
    if not len(scores[0].counts):
        raise UsageError("there is nothing to compare: the key has no document")
    if not _is_whole(samples) or not 1 <= samples <= MOST_SAMPLES:
        raise UsageError(f"samples: {samples!r} is not a whole number from 1 to {MOST_SAMPLES:,}")
    if not _is_whole(seed) or seed < 0:
        raise UsageError(f"seed: {seed!r} is not a whole number from 0")
    if not isinstance(level, float) or not 0 < level < 1:
        raise UsageError(f"level: {level!r} is not between 0 and 1")


def _is_whole(value: object) -> bool:
    """Whether this is a whole number; True and False are not."""
    return isinstance(value, int) and not isinstance(value, bool)


def comparison_notes(
    sizes: Sequence[int], pairs: int, plan: Plan, smallest: float | None
) -> tuple[str, ...]:
    """Notes about intervals and tests over keys with these numbers of documents."""
    documents, fewest = sum(sizes), min(sizes)
    if documents == 1:
        no_test = " and no p-value" if pairs else ""
        return (f"one document: there is nothing to resample, so no interval{no_test}",)
    if documents == len(sizes):
        return ("one document per key: there is nothing to resample, so no interval",)
    notes = []
    if fewest < FEW:
        told = []
        if plan.interval != "jackknife":
            told.append(
                f"{plan.interval} intervals are too narrow (those of --interval jackknife are not)"
            )
        if pairs:
            told.append("the p-value of the bootstrap is too small; that of randomisation holds")
        of_key = " in one of the keys" if len(sizes) > 1 else ""
        if told:
            only = f"only {count_of(fewest, 'document')}{of_key}"
            notes.append(f"{only}: {' and '.join(told)}")
    if smallest is not None and not significant(smallest, plan.level):
        few = exchanges(documents, plan.samples)
        reason = f"{documents} documents" if few else f"{plan.samples:,} samples"
        reason += f" and {pairs:,} pairs of systems" if pairs > 1 else ""
        notes.append(
            f"with {reason} no difference can reach {1 - plan.level:.2g}: the smallest p "
            f"after Holm's correction is {smallest:.4g}"
        )
    return tuple(notes)


def groups(
    f1: Mapping[str, float],
    pairs: Sequence[SystemPair],
    metric: str,
    level: float,
    incomparable: Sequence[tuple[str, str]] = (),
) -> list[list[str]]:
    """The largest sets of systems of which no two differ significantly, the best system first.

    We start with one set of all systems. Each significant pair splits every set with both of its
    systems in two; sets inside other sets are dropped (Piepho 2004, the letters of a compact
    display). The pairs of `incomparable`, which were not compared, split sets as well.
    """
    order = sorted(f1, key=lambda name: -f1[name])
    sets = [frozenset(order)]
    differing = [(p.a, p.b) for p in pairs if significant(p.metrics[metric].p_holm, level)]
    for a, b in (*differing, *incomparable):
        split = [s - {x} for s in sets if {a, b} <= s for x in (b, a)]
        sets = [s for s in sets if not {a, b} <= s]
        for candidate in split:
            if not any(candidate <= s for s in sets):
                sets = [s for s in sets if not s < candidate] + [candidate]
    rank = {name: i for i, name in enumerate(order)}
    listed = [sorted(s, key=rank.__getitem__) for s in sets]
    return sorted(listed, key=lambda s: [rank[name] for name in s])
