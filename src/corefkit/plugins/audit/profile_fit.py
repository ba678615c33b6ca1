"""Which profiles of corefkit a scorer matches, by its figures and theirs on the same probes.

Profiles that also treat repeated mentions alike come first.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from corefkit.core.carriers import frozen
from corefkit.metrics import countable
from corefkit.plugins.audit.battery import Probe, file_names, probe_files, writable
from corefkit.plugins.audit.behaviours import METRICS, PARTS, Behaviour
from corefkit.plugins.audit.verdict import ENOUGH, MetricFigures, Verdict
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
        values: metric → probe → recall, precision and F1.
        exact: whether only equal spans match.
    """

    profile: str
    options: Mapping[str, str]
    values: Mapping[str, Mapping[str, Values]]
    exact: bool

    def is_on_clean_input(self, evidence: MetricFigures, verdicts: Mapping[str, Verdict]) -> bool:
        """Whether figures for distinct mentions are those of the profile, as far as they can be.

        Where the behaviour of the scorer is known, 0/0 does not count, nor is the probe on
        boundaries compared with a profile by which spans match that are not equal.
        """
        values = self.values.get(evidence.metric)
        if values is None:
            return False
        parts = PARTS if evidence.metric == "conll" else (evidence.metric,)
        assumed = [verdicts[m].behaviour if m in verdicts else Behaviour(m) for m in parts]
        behaviours = [behaviour for behaviour in assumed if behaviour is not None]
        is_exact = bool(behaviours) and all(part in verdicts for part in parts)
        left_out = {"boundaries"} if is_exact and not self.exact else set()
        return all(
            evidence.agrees(values[probe.id], rates)
            or any(behaviour.predict(probe.documents).zero for behaviour in behaviours)
            for probe, rates in evidence.clean
            if probe.id in values and probe.id not in left_out
        )

    def is_on_copies(self, evidence: MetricFigures, verdict: Verdict) -> bool:
        """Whether repeated mentions are treated as in the profile; `standard` allows two ways."""
        asked = [probe for probe in evidence.rates if probe.copies]
        written = self.written(evidence.metric, asked)
        if (self.profile == "standard" and verdict.copies is not None) or (asked and not written):
            return verdict.copies in ("first", "sorted")
        values = self.values[evidence.metric]
        return all(evidence.agrees(values[p.id], evidence.rates[p]) for p in written)

    def written(self, metric: str, probes: Iterable[Probe]) -> list[Probe]:
        """The probes for which the profile has values of a metric."""
        return [probe for probe in probes if probe.id in self.values.get(metric, ())]


@lru_cache(maxsize=4)
def profile_values(probes: tuple[Probe, ...]) -> list[ProfileValues]:
    """The values of all profiles, in the order in which they are named.

    A profile that drops singletons by default occurs twice: as it is, and with singletons kept.
    """
    rank = {name: number for number, name in enumerate(ORDER)}
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
    if "conll" in options.metrics:
        values["conll"] = {probe.id: _mean([values[m][probe.id] for m in PARTS]) for probe in asked}
    return ProfileValues(profile, policies, values, exact)


def _mean(values: Sequence[Values]) -> Values:
    recall, precision, f1 = (sum(column) / len(values) for column in zip(*values, strict=True))
    return recall, precision, f1


def as_profiles(
    verdicts: Mapping[str, Verdict],
    figures: Mapping[str, MetricFigures],
    profiles: Sequence[ProfileValues],
) -> dict[str, Verdict]:
    """The verdicts, where an unknown metric with the figures of a profile is named after it."""
    named = dict(verdicts)
    for metric, evidence in figures.items():
        verdict = verdicts[metric]
        if verdict.verdict == "unknown" and not verdict.inside and metric != "conll":
            clean = [probe for probe, _ in evidence.clean]
            enough = (p for p in profiles if len(p.written(metric, clean)) >= ENOUGH)
            for profile in enough:
                if profile.is_on_clean_input(evidence, verdicts):
                    words = f"as the profile {profile_text(profile.profile, profile.options)}"
                    named[metric] = replace(
                        verdict, verdict="departs", words=words, nearest=None, notes=()
                    )
                    break
    return named


def profile_text(name: str, options: Mapping[str, str]) -> str:
    """A profile with its options, as in a command."""
    return " ".join([name, *(f"--{option} {value}" for option, value in options.items())])


def fitting_profiles(
    verdicts: Mapping[str, Verdict],
    figures: Mapping[str, MetricFigures],
    profiles: Sequence[ProfileValues],
) -> tuple[tuple[str, Mapping[str, str]], ...]:
    """The profiles that the scorer matches, with options.

    Those that also treat repeated mentions alike come first. If a metric is unknown, none matches.
    """
    if any(verdict.verdict == "unknown" for verdict in verdicts.values()):
        return ()
    fitting = [
        profile
        for profile in profiles
        if all(profile.is_on_clean_input(evidence, verdicts) for evidence in figures.values())
    ]
    with_copies = [(name, evidence) for name, evidence in figures.items() if name != "conll"]
    fitting.sort(key=lambda p: not all(p.is_on_copies(e, verdicts[n]) for n, e in with_copies))
    return tuple((profile.profile, profile.options) for profile in fitting)


def with_copies_of_profiles(
    verdicts: Mapping[str, Verdict],
    figures: Mapping[str, MetricFigures],
    profiles: Sequence[ProfileValues],
) -> dict[str, Verdict]:
    """The verdicts, where an unknown treatment of copies is named after a profile that has it."""
    named = dict(verdicts)
    for metric, verdict in verdicts.items():
        if verdict.own_copies in verdict.notes:
            evidence = figures[metric]
            copied = [probe for probe in evidence.rates if probe.copies]
            for profile in profiles:
                if profile.written(metric, copied) and profile.is_on_copies(evidence, verdict):
                    notes = [note for note in verdict.notes if note != verdict.own_copies]
                    notes.append(f"repeated mentions as in the profile {profile.profile}")
                    named[metric] = replace(verdict, notes=tuple(notes), own_copies=None)
                    break
    return named
