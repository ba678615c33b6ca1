"""What can be chosen about a scoring run, frozen, and checked when it is made."""

from collections.abc import Iterable
from dataclasses import dataclass, fields

from corefkit.metrics import DEFAULT, NAMES

POLICIES: dict[str, dict[str, str]] = {
    "singletons": {
        "keep": "score entities of one mention like all others",
        "drop": "remove entities of one mention from both sides before scoring",
    },
    "duplicates": {
        "first": "of a repeated span keep the copy in the entity that comes first in the text",
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
}
"""Each policy with its values, the default first, and what each value means."""

PROFILES = ("standard",)


class UsageError(ValueError):
    """Something was asked for that does not exist: a metric, a profile, the value of an option."""


@dataclass(frozen=True)
class Options:
    """Everything that decides what a score means; all of it stands in the signature.

    >>> Options(metrics=("muc",), singletons="drop").singletons
    'drop'
    >>> Options(missing="guess")
    Traceback (most recent call last):
    corefkit.options.UsageError: missing: unknown value 'guess'; choose from empty, error
    """

    metrics: tuple[str, ...] = DEFAULT
    profile: str = "standard"
    singletons: str = "keep"
    duplicates: str = "first"
    missing: str = "empty"
    extra: str = "ignore"

    def __post_init__(self) -> None:
        if not self.metrics:
            raise UsageError("metrics: name at least one")
        for name in self.metrics:
            _choose("metric", name, NAMES)
        _choose("profile", self.profile, PROFILES)
        for policy, values in POLICIES.items():
            _choose(policy, getattr(self, policy), values)


def make_options(metrics: str | Iterable[str] | None = None, **policies: str) -> Options:
    """Options from what people write: metrics as one name, names with commas, or a list.

    >>> make_options("muc,bcub").metrics
    ('muc', 'bcub')
    """
    unknown = policies.keys() - {field.name for field in fields(Options)}
    if unknown:
        raise UsageError(f"unknown option {sorted(unknown)[0]!r}")
    return Options(parse_metrics(metrics) if metrics else DEFAULT, **policies)


def parse_metrics(metrics: str | Iterable[str]) -> tuple[str, ...]:
    """Names of metrics, each once, in the order given.

    >>> parse_metrics(["muc, bcub", "muc"])
    ('muc', 'bcub')
    """
    parts = [metrics] if isinstance(metrics, str) else metrics
    names = [name.strip() for part in parts for name in part.split(",")]
    return tuple(dict.fromkeys(name for name in names if name))


def _choose(what: str, value: str, values: Iterable[str]) -> None:
    if value not in values:
        raise UsageError(f"{what}: unknown value {value!r}; choose from {', '.join(values)}")
