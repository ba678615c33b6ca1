"""Which profiles of corefkit a scorer matches: `fitting_profiles` decides.

Rule, average and exchange must be those of the profile; profiles that also treat repeated mentions
alike come first. Where a metric, or its treatment of copies, is in no table of behaviours, the
figures of the scorer are compared with those that the profiles themselves compute on the probes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from corefkit.core.carriers import frozen
from corefkit.metrics import countable
from corefkit.plugins.audit.answers import ScorerAnswer
from corefkit.plugins.audit.battery import Probe, file_names, probe_files, writable
from corefkit.plugins.audit.behaviours import METRICS, Behaviour
from corefkit.plugins.audit.conll_average import PARTS
from corefkit.plugins.audit.verdict import ENOUGH, MetricFigures, Verdict, gather, same
from corefkit.scorers import PROFILES, make_options, scorer_class
from corefkit.scoring.run import score

ORDER = (
    "standard",
    "conll-8.01",
    "coval",
    "e2e",
    "e2e-singletons",
    "corefud",
    "corefud-1.1",
    "ua",
    "ua-1",
    "arrau",
)
"""The order in which profiles are named where several fit; those not listed follow."""

Values = tuple[float, float, float]


@frozen
class ProfileValues:
    """The values of a profile on the probes.

    Attributes:
        profile: its name.
        options: the options that must be given besides the name.
        metrics: the metrics that it has.
        values: metric → probe → recall, precision and F1.
        exact: whether only equal spans match.
    """

    profile: str
    options: Mapping[str, str]
    metrics: tuple[str, ...]
    values: Mapping[str, Mapping[str, Values]]
    exact: bool


@lru_cache(maxsize=4)
def profile_values(probes: tuple[Probe, ...]) -> list[ProfileValues]:
    """The values of all profiles, in the order in which they are named.

    A profile that drops singletons by default occurs twice: as it is, and with singletons kept.
    """
    rank = {name: place for place, name in enumerate(ORDER)}
    names = sorted(PROFILES, key=lambda name: rank.get(name, len(rank)))
    profiles = []
    for name in names:
        profiles.append(_values(name, {}, probes))
        if scorer_class(name).policies.get("singletons") == "drop":
            profiles.append(_values(name, {"singletons": "keep"}, probes))
    return profiles


def _values(profile: str, policies: Mapping[str, Any], probes: Sequence[Probe]) -> ProfileValues:
    options = make_options(profile=profile, **policies)
    exact = options.match == "exact"
    form = "conll" if exact else "corefud"
    asked = [probe for probe in probes if writable(probe, form)]
    metrics = tuple(name for name in options.metrics if name in METRICS)
    documents = [document for probe in asked for document in probe.documents]
    with TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in file_names(form)]
        for path, data in zip(paths, probe_files(documents, form), strict=True):
            path.write_bytes(data)
        key, response = paths
        scores = score(key, response, metrics, profile, **policies)
    first = np.cumsum([0, *(len(probe.documents) for probe in asked)])[:-1]
    values = {}
    for metric in metrics:
        columns = [np.add.reduceat(c, first).tolist() for c in scores.counts.table(metric)]
        by_probe = [countable(metric, options).score(sums) for sums in zip(*columns, strict=True)]
        values[metric] = {
            probe.id: (triple.recall or 0.0, triple.precision or 0.0, triple.f1)
            for probe, triple in zip(asked, by_probe, strict=True)
        }
    conll = ("conll",) if "conll" in options.metrics else ()
    return ProfileValues(profile, policies, (*metrics, *conll), values, exact)


def as_profiles(
    verdicts: Mapping[str, Verdict],
    answers: Mapping[Probe, ScorerAnswer],
    drawn: frozenset[str],
    profiles: Sequence[ProfileValues],
) -> dict[str, Verdict]:
    """The verdicts, where an unknown metric with the figures of a profile is named after it."""
    named = dict(verdicts)
    for metric, verdict in verdicts.items():
        evidence = gather(metric, answers, drawn)
        if verdict.verdict != "unknown" or verdict.inside or evidence is None:
            continue
        fitting = tuple(
            profile_text(profile.profile, profile.options)
            for profile in profiles
            if _is_profile(evidence, profile)
        )
        if fitting:
            named[metric] = replace(
                verdict,
                verdict="departs",
                words=f"as the profile {fitting[0]}",
                profiles=fitting,
                nearest=None,
                notes=(),
                own_copies=None,
            )
    return named


def profile_text(name: str, options: Mapping[str, str]) -> str:
    """A profile with its options, as in a command."""
    return " ".join([name, *(f"--{option} {value}" for option, value in options.items())])


def _is_profile(evidence: MetricFigures, profile: ProfileValues) -> bool:
    values = profile.values.get(evidence.metric)
    if values is None:
        return False
    pairs = [(values[p.id], figures) for p, figures in evidence.clean if p.id in values]
    return len(pairs) >= ENOUGH and all(evidence.agrees(value, figures) for value, figures in pairs)


def fitting_profiles(
    verdicts: Mapping[str, Verdict],
    profiles: Sequence[ProfileValues],
    answers: Mapping[Probe, ScorerAnswer],
) -> tuple[tuple[str, Mapping[str, str]], ...]:
    """The profiles that the scorer matches, with options.

    Those that also treat repeated mentions alike come first. If a metric is unknown, none matches.
    """
    if any(verdict.verdict == "unknown" for verdict in verdicts.values()):
        return ()
    given = {name: verdict for name, verdict in verdicts.items() if verdict.verdict != "no value"}
    fitting = [
        profile
        for profile in profiles
        if all(_fits(v, profile, [*answers]) for name, v in given.items() if name != "conll")
        and ("conll" not in given or _conll_fits(given, profile, answers))
    ]
    fitting.sort(key=lambda p: not all(_copies_fit(v, p, answers) for v in given.values()))
    return tuple((profile.profile, profile.options) for profile in fitting)


def _fits(verdict: Verdict, profile: ProfileValues, probes: Sequence[Probe]) -> bool:
    """Whether rule, average and exchange of a metric are those of the profile."""
    if verdict.metric not in profile.metrics:
        return False
    if verdict.profiles:
        return profile_text(profile.profile, profile.options) in verdict.profiles
    assert verdict.behaviour is not None
    values = profile.values[verdict.metric]
    for probe in probes:
        if probe.copies or probe.id not in values:
            continue
        prediction = verdict.behaviour.predict(probe.documents)
        if prediction.zero or (probe.id == "boundaries" and not profile.exact):
            continue
        if not _equal(prediction.values, values[probe.id]):
            return False
    return True


def _conll_fits(
    given: Mapping[str, Verdict], profile: ProfileValues, answers: Mapping[Probe, ScorerAnswer]
) -> bool:
    """Whether the CoNLL score is that of the profile: the mean of three F1.

    If the scorer does not give all three, its score is compared with the figures of the profile.
    """
    if "conll" not in profile.metrics:
        return False
    if all(part in given for part in PARTS):
        return given["conll"].verdict == "standard"
    evidence = gather("conll", answers)
    if evidence is None or not all(part in profile.values for part in PARTS):
        return False
    standard = [Behaviour(part) for part in PARTS]
    for probe, figures in evidence.clean:
        has_zero = any(behaviour.predict(probe.documents).zero for behaviour in standard)
        if figures[2] is None or has_zero or probe.id not in profile.values["muc"]:
            continue
        mean = sum(profile.values[part][probe.id][2] for part in PARTS) / 3
        if not same(figures[2].value / evidence.scale.factor, mean, evidence.scale.tolerance):
            return False
    return True


def _copies_fit(
    verdict: Verdict, profile: ProfileValues, answers: Mapping[Probe, ScorerAnswer]
) -> bool:
    """Whether repeated mentions are treated as in the profile; `standard` allows two ways."""
    if verdict.metric == "conll" or (evidence := gather(verdict.metric, answers)) is None:
        return True
    if profile.profile == "standard" and verdict.copies is not None:
        return verdict.copies in ("first", "sorted")
    values = profile.values[verdict.metric]
    asked = [(p.id, figures) for p, figures in evidence.figures.items() if p.copies]
    if not any(name in values for name, _ in asked):  # The files of the profile have no copies.
        return verdict.copies in ("first", "sorted") or not asked
    return all(evidence.agrees(values[name], f) for name, f in asked if name in values)


def with_copies_of_profiles(
    verdicts: Mapping[str, Verdict],
    answers: Mapping[Probe, ScorerAnswer],
    profiles: Sequence[ProfileValues],
) -> dict[str, Verdict]:
    """The verdicts, where an unknown treatment of copies is named after a profile that has it."""
    named = dict(verdicts)
    for metric, verdict in verdicts.items():
        if verdict.own_copies is None:
            continue
        for profile in profiles:
            written = any(
                probe.copies and probe.id in profile.values.get(metric, ()) for probe in answers
            )
            if written and _copies_fit(verdict, profile, answers):
                notes = [note for note in verdict.notes if note != verdict.own_copies]
                notes.append(f"repeated mentions as in the profile {profile.profile}")
                named[metric] = replace(verdict, notes=tuple(notes), own_copies=None)
                break
    return named


def _equal(predicted: Any, values: Sequence[float]) -> bool:
    if predicted is None:
        return False
    return all(
        same(value, predicted_value, 1e-9)
        for value, predicted_value in zip(values, predicted, strict=True)
    )
