"""What can be chosen about a scoring run: policies, and the profiles that name a set of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING

from corefkit.metrics import DEFAULT, NAMES, VARIANTS

if TYPE_CHECKING:
    from corefkit.mentions.tagsets import Tagset

POLICIES: dict[str, dict[str, str]] = {
    "singletons": {
        "keep": "score entities of one mention like all others",
        "drop": "remove entities of one mention from both sides before scoring",
        "e2e": "bcub and lea skip those of the side they sum over and what falls to one on the "
        "other, ceafe drops those of the response",
    },
    "duplicates": {
        "first": "of a repeated span keep the copy in the entity that comes first in the text",
        "last": "keep the copy in the entity whose id is seen last",
        "reference": "as the reference scorer: key copies stay, response copies of key spans go",
        "error": "refuse files in which a span occurs twice",
    },
    "missing": {
        "empty": "a document that the response lacks counts as one without mentions",
        "error": "refuse a response that lacks a document",
    },
    "extra": {
        "ignore": "leave out response documents that the key lacks",
        "error": "refuse a response with documents that the key lacks",
    },
    "lengths": {
        "error": "refuse documents with different numbers of tokens",
        "ignore": "compare spans whatever the numbers of tokens",
    },
    "ids": {
        "any": "an entity id is any text without brackets and bars",
        "digits": "only brackets with ids of digits are seen",
    },
    "words": {
        "ignore": "do not read the words",
        "compare": "warn where the words of key and response differ",
    },
}
"""Each policy with its values, the default first, and what each value means."""

STANDARD = {policy: next(iter(values)) for policy, values in POLICIES.items()}

MOST_SAMPLES = 1_000_000
"""More samples than these tell nothing new and do not fit into memory."""

TAGSETS = {
    "auto": "the one that the tags of the key are from",
    "penn": "Penn Treebank",
    "arabic": "the Penn tags of the Arabic Treebank",
    "chinese": "Chinese Treebank",
    "stts": "German",
    "ud": "Universal POS",
}
"""The tagsets that application scores know, and what they are."""


Variants = str | Iterable[str] | Mapping[str, str]
"""Variants as people write them: "clean", "inferred=clean,code", a list, or {metric: variant}."""


class UsageError(ValueError):
    """Something was asked for that does not exist: a metric, a profile, the value of an option."""


@dataclass(frozen=True)
class Profile:
    """Whose rules to follow: the policies that differ from the standard, the metrics on offer.

    The first metrics are scored when nothing is said, `others` when they are asked for.
    """

    help: str
    metrics: tuple[str, ...]
    policies: Mapping[str, str] = field(default_factory=dict)
    others: tuple[str, ...] = ()


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
        {"duplicates": "last"},
    ),
    "e2e": Profile(
        "the evaluator pasted through e2e-coref, AllenNLP and fastcoref",
        ("mentions", "muc", "bcub", "ceafe", "lea", "conll"),
        {"singletons": "e2e"},
    ),
}
"""To add a profile, add an entry and its tests."""


@dataclass(frozen=True)
class Options:
    """Everything that decides what a score means; all of it stands in the signature.

    >>> Options(metrics=("muc",), singletons="drop").singletons
    'drop'
    >>> Options(missing="guess")
    Traceback (most recent call last):
    corefkit.data.options.UsageError: missing: unknown value 'guess'; choose from empty, error
    """

    metrics: tuple[str, ...] = DEFAULT
    profile: str = "standard"
    singletons: str = STANDARD["singletons"]
    duplicates: str = STANDARD["duplicates"]
    missing: str = STANDARD["missing"]
    extra: str = STANDARD["extra"]
    lengths: str = STANDARD["lengths"]
    ids: str = STANDARD["ids"]
    words: str = STANDARD["words"]
    variants: tuple[tuple[str, str], ...] = ()
    tagset: "str | Tagset" = "auto"

    def __post_init__(self) -> None:
        _choose("profile", self.profile, PROFILES)
        if not self.metrics:
            raise UsageError("metrics: name at least one")
        profile = PROFILES[self.profile]
        for name in self.metrics:
            _choose("metric", name, NAMES)
            if name not in (*profile.metrics, *profile.others):
                raise UsageError(f"metric: the profile {self.profile} has no {name}")
        for policy, values in POLICIES.items():
            _choose(policy, getattr(self, policy), values)
        for name in self.metrics:
            if name not in countable(self.duplicates):
                raise UsageError(f"metric: with --duplicates {self.duplicates} there is no {name}")
        if isinstance(self.tagset, str):
            _choose("tagset", self.tagset, TAGSETS)
        for name, variant in self.applications.items():
            _choose(f"variant of {name}", variant, VARIANTS[name])
        if self.applications and not self.unequivocal:
            raise UsageError(
                f"{next(iter(self.applications))}: not with {' and '.join(self.equivocal)}"
            )
        object.__setattr__(self, "variants", tuple(self.applications.items()))

    @property
    def unequivocal(self) -> bool:
        """Whether each span is there once, and has tokens in the key."""
        return not self.equivocal

    @property
    def equivocal(self) -> list[str]:
        """The policies by which a span may be there twice, or have no tokens in the key."""
        chosen = {"duplicates": "reference", "lengths": "ignore"}
        return [f"{policy} {v}" for policy, v in chosen.items() if getattr(self, policy) == v]

    @property
    def applications(self) -> dict[str, str]:
        """The application scores among the metrics, each with its variant."""
        chosen = dict(self.variants)
        return {m: chosen.get(m, VARIANTS[m][0]) for m in self.metrics if m in VARIANTS}


def make_options(
    metrics: str | Iterable[str] | None = None,
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
    _choose("profile", profile, PROFILES)
    unknown = policies.keys() - {field.name for field in fields(Options)}
    if unknown:
        raise UsageError(f"unknown option {sorted(unknown)[0]!r}")
    chosen = PROFILES[profile]
    given = {policy: value for policy, value in policies.items() if value is not None}
    settings = {**chosen.policies, **given}
    able = countable(settings.get("duplicates", STANDARD["duplicates"]))
    default = tuple(name for name in chosen.metrics if name in able)
    named = parse_metrics(metrics) if metrics else default
    variants = parse_variants(variant, named)
    return Options(named, profile, **settings, variants=variants, tagset=tagset)


def countable(duplicates: str) -> tuple[str, ...]:
    """The metrics that can be counted where repeated spans are settled in this way."""
    return PROFILES["conll-8.01"].metrics if duplicates == "reference" else NAMES


def parse_metrics(metrics: str | Iterable[str]) -> tuple[str, ...]:
    """Names of metrics, each once, in the order given.

    >>> parse_metrics(["muc, bcub", "muc"])
    ('muc', 'bcub')
    """
    parts = [metrics] if isinstance(metrics, str) else metrics
    names = [name.strip() for part in parts for name in part.split(",")]
    return tuple(dict.fromkeys(name for name in names if name))


def parse_variants(variants: Variants, metrics: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """The variant of each metric that one was chosen for.

    `code` is for all metrics that have it, `inferred=clean` for one, which has the last word.

    >>> parse_variants("code,anchor=paper", ("immediate", "inferred", "anchor", "muc"))
    (('immediate', 'code'), ('anchor', 'paper'))
    """
    having = {metric: VARIANTS[metric] for metric in metrics if metric in VARIANTS}
    if isinstance(variants, Mapping):
        variants = [f"{metric}={variant}" for metric, variant in variants.items()]
    parts = [variants] if isinstance(variants, str) else variants
    listed = [text.strip() for part in parts for text in part.split(",") if text.strip()]
    chosen: dict[str, str] = {}
    for text in sorted(listed, key=lambda text: "=" in text):
        metric, named, variant = text.rpartition("=")
        if named:
            _choose("variant: metric", metric, having)
            _choose(f"variant of {metric}", variant, having[metric])
        found = [metric] if named else [m for m, known in having.items() if variant in known]
        if not found:
            known = dict.fromkeys(v for values in having.values() for v in values)
            _choose("variant", variant, known)
        chosen |= dict.fromkeys(found, variant)
    return tuple((metric, chosen[metric]) for metric in having if metric in chosen)


def _choose(what: str, value: str, values: Iterable[str]) -> None:
    if value not in values:
        known = ", ".join(values)
        hint = f"choose from {known}" if known else "no metric that was chosen has one"
        raise UsageError(f"{what}: unknown value {value!r}; {hint}")
