"""Profiles: whose rules a score follows, as data; and options made from what people write."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from corefkit.core.options import DEFAULT, POLICIES, STANDARD, Options, UsageError, Variants, choose
from corefkit.metrics import NAMES, VARIANTS, canonical, exists, give

if TYPE_CHECKING:
    from corefkit.core.tagsets import Tagset
    from corefkit.metrics.base import Metrics


class Profile(NamedTuple):
    """Whose rules to follow: the policies that differ from the standard, the metrics on offer.

    The first metrics are scored when nothing is said, `others` when they are asked for.
    """

    help: str
    metrics: tuple[str, ...]
    policies: Mapping[str, str] = {}
    others: tuple[str, ...] = ()


_COREFUD = ("muc", "bcub", "ceafe", "ceafm", "blanc", "lea", "mor", "zero", "conll")
_BESIDES = ("mentions", "nonreferring", "bridging")
_CRAC = {"match": "head", "singletons": "drop", "blanc": "either", "words": "error"}
"""The policies of every corefud-scorer."""
_ANAPHORA = {"zeros": "drop", "ties": "scipy", "blanc": "either"}
"""Those of every Universal Anaphora scorer."""

PROFILES: dict[str, Profile] = {
    "standard": Profile(
        "the definitions of the papers; bad input is refused or reported", DEFAULT, others=NAMES
    ),
    "conll-8.01": Profile(
        "the Perl reference scorer, bug for bug",
        ("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc", "conll"),
        {"duplicates": "reference", "lengths": "ignore", "ids": "digits"},
    ),
    "coval": Profile(
        "the scorer CoVal",
        ("mentions", "muc", "bcub", "ceafe", "lea", "conll"),
        {"duplicates": "coval", "glued": "last"},
    ),
    "arrau": Profile(
        "CoVal's scorer of the ARRAU files of CRAC 2018",
        ("muc", "bcub", "ceafe", "lea", "conll", "nonreferring"),
        {"duplicates": "arrau", "missing": "skip"},
    ),
    "e2e": Profile(
        "the evaluator pasted through e2e-coref, AllenNLP and fastcoref",
        ("mentions", "muc", "bcub", "ceafe", "lea", "conll"),
        {"singletons": "e2e"},
    ),
    "corefud": Profile(
        "corefud-scorer 1.2, the scorer of CRAC 2024 to 2026",
        _COREFUD,
        {**_CRAC, "zeros": "dependent", "duplicates": "corefud", "ties": "scipy"},
        others=("mentions",),
    ),
    "corefud-1.1": Profile(
        "corefud-scorer 1.1, the scorer of CRAC 2023 and, with --match partial, of CRAC 2022",
        _COREFUD,
        {**_CRAC, "zeros": "linear", "duplicates": "corefud-1.1"},
    ),
    "ua": Profile(
        "the Universal Anaphora scorer 2.0 as a library; run as a command, it leaves out "
        "singletons and split antecedents by default",
        (*_COREFUD[:7], "conll"),
        {**_ANAPHORA, "duplicates": "ua", "missing": "error", "extra": "error", "words": "error"},
        others=_BESIDES,
    ),
    "ua-1": Profile(
        "the Universal Anaphora scorer 1, of CODI-CRAC 2021 and 2022",
        (*_COREFUD[:6], "conll"),
        {**_ANAPHORA, "duplicates": "ua-1", "missing": "skip"},
        others=_BESIDES,
    ),
}
"""To add a profile, add an entry and its tests."""


def make_options(
    metrics: "Metrics | None" = None,
    profile: str = "standard",
    *,
    variant: Variants = (),
    tagset: "str | Tagset" = "auto",
    **policies: str | None,
) -> Options:
    """Options from what people write: metrics as one name, names with commas, or a list.

    Policies that are not given, or None, are those of the profile.

    >>> make_options("muc,bcub").metrics
    ('muc', 'bcub')
    >>> make_options(profile="e2e", missing="error").singletons
    'e2e'
    """
    choose("profile", profile, PROFILES)
    for name in policies.keys() - POLICIES.keys():
        raise UsageError(_unknown(name))
    chosen = PROFILES[profile]
    given = {policy: value for policy, value in policies.items() if value is not None}
    settings = {**chosen.policies, **given}
    duplicates = settings.get("duplicates", STANDARD["duplicates"])
    choose("duplicates", duplicates, POLICIES["duplicates"])
    default = tuple(name for name in chosen.metrics if name in countable(duplicates))
    named = default if metrics is None or metrics in ("", (), []) else parse_metrics(metrics)
    _check_metrics(named, profile, duplicates)
    variants = parse_variants(variant, named)
    options = Options(named, profile, **settings, variants=variants, tagset=tagset)
    if options.applications and options.equivocal:
        raise UsageError(
            f"{next(iter(options.applications))}: not with {' and '.join(options.equivocal)}"
        )
    return options


def _unknown(name: str) -> str:
    """What is said of a keyword that does not exist."""
    from difflib import get_close_matches

    known = ["metrics", "profile", "variant", "tagset", *POLICIES]
    close = get_close_matches(name, known, 1, cutoff=0.7)
    hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(known)}"
    return f"unknown option {name!r}; {hint}"


def _check_metrics(names: Iterable[str], profile: str, duplicates: str) -> None:
    offered = (*PROFILES[profile].metrics, *PROFILES[profile].others)
    for name in names:
        if name not in NAMES and exists(name) and profile == "standard":
            continue  # of another package
        choose("metric", name, NAMES)
        if name not in offered:
            raise UsageError(f"metric: the profile {profile} has no {name}")
        if name not in countable(duplicates):
            raise UsageError(f"metric: with --duplicates {duplicates} there is no {name}")


def countable(duplicates: str) -> tuple[str, ...]:
    """The metrics that can be counted where repeated spans are settled in this way."""
    having = (p for p in PROFILES.values() if p.policies.get("duplicates") == duplicates)
    profile = next(having, None)
    return NAMES if profile is None else (*profile.metrics, *profile.others)


def parse_metrics(metrics: "Metrics") -> tuple[str, ...]:
    """Names of metrics, each once, in the order given; a metric may be given as a value.

    >>> parse_metrics(["muc, bcub", "muc"])
    ('muc', 'bcub')
    """
    listed: Any = metrics if isinstance(metrics, Iterable) else [metrics]
    if not isinstance(listed, (str, bytes, Mapping)):
        listed = [part if isinstance(part, str) else _given(part) for part in listed]
    parts = _strings("metrics", listed)
    names = [name.strip() for part in parts for name in part.split(",")]
    return tuple(dict.fromkeys(canonical(name) for name in names if name))


def _given(metric: object) -> str:
    from corefkit.metrics.base import Metric

    if isinstance(metric, Metric):
        return give(metric)
    raise TypeError(f"metrics: one name or a list of names, not {metric!r:.60}")


def _strings(what: str, given: str | Iterable[str]) -> list[str]:
    """One string or several, as a list; TypeError for anything else."""
    listed = [given] if isinstance(given, str) else given
    if isinstance(listed, Iterable) and not isinstance(listed, (bytes, Mapping)):
        strings = list(listed)
        if all(isinstance(text, str) for text in strings):
            return strings
    raise TypeError(f"{what}: one name or a list of names, not {given!r:.60}")


def parse_variants(variants: Variants, metrics: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """The variant of each metric that has variants, the default where none was chosen.

    `code` is for all metrics that have it, `inferred=clean` for one, which has the last word.

    >>> parse_variants("code,anchor=paper", ("immediate", "inferred", "anchor", "muc"))
    (('immediate', 'code'), ('inferred', 'paper'), ('anchor', 'paper'))
    """
    having = {metric: VARIANTS[metric] for metric in metrics if metric in VARIANTS}
    if isinstance(variants, Mapping):
        variants = [f"{metric}={variant}" for metric, variant in variants.items()]
    parts = _strings("variant", variants)
    listed = [text.strip() for part in parts for text in part.split(",") if text.strip()]
    chosen: dict[str, str] = {}
    for text in sorted(listed, key=lambda text: "=" in text):
        metric, named, variant = text.rpartition("=")
        if named:
            choose("variant: metric", metric, having)
            choose(f"variant of {metric}", variant, having[metric])
        found = [metric] if named else [m for m, known in having.items() if variant in known]
        if not found:
            known = dict.fromkeys(v for values in having.values() for v in values)
            choose("variant", variant, known)
        chosen |= dict.fromkeys(found, variant)
    return tuple((metric, chosen.get(metric, known[0])) for metric, known in having.items())
