"""Which profiles of corefkit a scorer is: `fitting_profiles` decides.

Rule, average and exchange must be those of the profile; of several that fit, those come first that
treat repeated mentions alike. Metrics and copies that no table names are compared with what the
profiles themselves compute on the probes, so as they really are on repeated mentions and zero
denominators.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from corefkit.audits.answers import ScorerAnswer
from corefkit.audits.battery import Probe, file_names, file_of, writable
from corefkit.audits.behaviours import METRICS, Behaviour
from corefkit.audits.conll_average import PARTS
from corefkit.audits.verdict import ENOUGH, MetricFigures, Verdict, gather, same
from corefkit.core.carriers import frozen
from corefkit.metrics import countable
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
"""Which profile is named first where several fit; the others follow."""

Values = tuple[float, float, float]


@frozen
class ProfileValues:
    """Recall, precision and F1 of a profile, by metric and probe.

    `options` are what must be given beside its name; `exact`: whether only equal spans match.
    """

    profile: str
    options: Mapping[str, str]
    metrics: tuple[str, ...]
    values: Mapping[str, Mapping[str, Values]]
    exact: bool


@lru_cache(maxsize=4)
def profile_values(probes: tuple[Probe, ...]) -> list[ProfileValues]:
    """The values of all profiles, in the order in which they are named.

    A profile that drops singletons unless it is told to keep them is there twice.
    """
    rank = {name: place for place, name in enumerate(ORDER)}
    names = sorted(PROFILES, key=lambda name: rank.get(name, len(rank)))
    profiles = []
    for name in names:
        profiles.append(_values(name, {}, probes))
        if scorer_class(name).policies.get("singletons") == "drop":
            profiles.append(_values(name, {"singletons": "keep"}, probes))
    return profiles


def _values(profile: str, policies: Mapping[str, str], probes: Sequence[Probe]) -> ProfileValues:
    offered = make_options(profile=profile, **policies)
    exact = offered.match == "exact"
    form = "conll" if exact else "corefud"
    asked = [probe for probe in probes if writable(probe, form)]
    metrics = tuple(name for name in offered.metrics if name in METRICS)
    documents = [document for probe in asked for document in probe.documents]
    names = [f"{number:06}" for number in range(len(documents))]
    with TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in file_names(form)]
        for place, path in enumerate(paths):
            path.write_bytes(file_of(documents, place, form, names))
        key, response = paths
        scores = score(key, response, metrics, profile, **policies)  # type: ignore[arg-type]
    first = np.cumsum([0, *(len(probe.documents) for probe in asked)])[:-1]
    values = {}
    for metric in metrics:
        columns = [np.add.reduceat(c, first).tolist() for c in scores.counts.table(metric)]
        made = [countable(metric, offered).score(sums) for sums in zip(*columns, strict=True)]
        values[metric] = {
            probe.id: (one.recall or 0.0, one.precision or 0.0, one.f1)
            for probe, one in zip(asked, made, strict=True)
        }
    conll = ("conll",) if "conll" in offered.metrics else ()
    return ProfileValues(profile, policies, (*metrics, *conll), values, exact)


def as_profiles(
    verdicts: Mapping[str, Verdict],
    answers: Mapping[Probe, ScorerAnswer],
    drawn: frozenset[str],
    profiles: Sequence[ProfileValues],
) -> dict[str, Verdict]:
    """The verdicts; an unknown metric with the figures of a profile is named after that profile."""
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
    """A profile with its options, as it is written in a command."""
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
    """The profiles that are this scorer; first those that treat repeated mentions alike."""
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
    """Whether rule, average and exchange are those of the profile."""
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

    Where the three are not there to be judged, it is compared with the figures of the profile.
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
        in_play = any(behaviour.predict(probe.documents).zero for behaviour in standard)
        if figures[2] is None or in_play or probe.id not in profile.values["muc"]:
            continue
        mean = sum(profile.values[part][probe.id][2] for part in PARTS) / 3
        if not same(figures[2].value / evidence.scale.factor, mean, evidence.scale.tolerance):
            return False
    return True


def _copies_fit(
    verdict: Verdict, profile: ProfileValues, answers: Mapping[Probe, ScorerAnswer]
) -> bool:
    """Whether repeated mentions are treated as by the profile; by `standard` in two ways."""
    if verdict.metric == "conll" or (evidence := gather(verdict.metric, answers)) is None:
        return True
    if profile.profile == "standard" and verdict.copies is not None:
        return verdict.copies in ("first", "sorted")
    values = profile.values[verdict.metric]
    asked = [(p.id, figures) for p, figures in evidence.figures.items() if p.copies]
    if not any(name in values for name, _ in asked):  # its files cannot hold copies
        return verdict.copies in ("first", "sorted") or not asked
    return all(evidence.agrees(values[name], f) for name, f in asked if name in values)


def with_copies_of_profiles(
    verdicts: Mapping[str, Verdict],
    answers: Mapping[Probe, ScorerAnswer],
    profiles: Sequence[ProfileValues],
) -> dict[str, Verdict]:
    """The verdicts; a treatment of copies that no table names is named after a profile, if one
    has it."""
    named = dict(verdicts)
    for metric, verdict in verdicts.items():
        if verdict.own_copies is None:
            continue
        for profile in profiles:
            written = any(
                probe.copies and probe.id in profile.values.get(metric, ()) for probe in answers
            )
            if written and _copies_fit(verdict, profile, answers):
                others = (note for note in verdict.notes if note != verdict.own_copies)
                as_profile = f"repeated mentions as in the profile {profile.profile}"
                named[metric] = replace(verdict, notes=(*others, as_profile), own_copies=None)
                break
    return named


def _equal(predicted: Any, values: Sequence[float]) -> bool:
    if predicted is None:
        return False
    return all(
        same(value, predicted_value, 1e-9)
        for value, predicted_value in zip(values, predicted, strict=True)
    )
