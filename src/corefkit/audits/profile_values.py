"""What the profiles of corefkit compute on the probes, by the profiles themselves.

So a profile is compared on repeated mentions and zero denominators as it really is.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from corefkit.audits.battery import Probe, file_names, file_of, writable
from corefkit.audits.behaviours import METRICS
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
    found = []
    for name in names:
        found.append(_values(name, {}, probes))
        if scorer_class(name).policies.get("singletons") == "drop":
            found.append(_values(name, {"singletons": "keep"}, probes))
    return found


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
