"""Which profiles of corefkit a scorer is: `fitting_profiles` decides.

Rule, average and exchange must be those of the profile; of several that fit, those come first that
treat repeated mentions alike. Metrics and copies that no table names are compared with the figures
of the profiles themselves.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from corefkit.audits.answers import ScorerAnswer
from corefkit.audits.battery import Probe
from corefkit.audits.behaviours import Behaviour
from corefkit.audits.conll_average import PARTS
from corefkit.audits.profile_values import ProfileValues
from corefkit.audits.verdict import ENOUGH, MetricFigures, Verdict, gather, same


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
                found = f"repeated mentions as in the profile {profile.profile}"
                named[metric] = replace(verdict, notes=(*others, found), own_copies=None)
                break
    return named


def _equal(predicted: Any, values: Sequence[float]) -> bool:
    if predicted is None:
        return False
    return all(same(value, one, 1e-9) for value, one in zip(values, predicted, strict=True))
