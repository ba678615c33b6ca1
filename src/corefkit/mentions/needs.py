"""What a run needs of the key's tokens, and what can be broken down."""

from corefkit import metrics
from corefkit.data.groups import BREAKDOWNS, GROUPINGS
from corefkit.data.options import Options, UsageError
from corefkit.mentions.features import FEATURES, Feature
from corefkit.mentions.tokens import KeyTokens
from corefkit.metrics import VARIANTS
from corefkit.metrics.base import MentionMetric

BROKEN_DOWN = ("mentions", *VARIANTS)
"""The metrics that count mentions one by one, so that they can be counted by their features."""


def load_tokens(tokens: KeyTokens, options: Options, by: str | None) -> None:
    """Read the columns that the options and a break-down need; DataError if one is missing."""
    wanted: list[str] = []
    spare: list[str] = []
    for name, variant in options.applications.items():
        if isinstance(metric := metrics.get(name), MentionMetric):
            wanted += metric.needed(variant)
            spare += metric.only_for_classes.get(variant, ())
    if by in BREAKDOWNS:
        wanted += FEATURES[by].tokens
    if spare:
        tokens.read_ahead([*wanted, *spare])
    tokens.load(wanted)
    wanted += [name for name in spare if name not in wanted and tokens.has(name)]
    if by in BREAKDOWNS:
        tokens.must_have(FEATURES[by].tokens)
    if "pos" in wanted and options.tagset == "auto":
        tokens.tagset  # noqa: B018 (raises where it cannot be told)
    if "ne" in wanted:
        tokens.names  # noqa: B018 (raises where brackets do not pair)
    if by == "distance":
        tokens.sentence  # noqa: B018 (raises where there are no files)


def find_feature(feature: str | Feature) -> Feature:
    """The feature of that name, or what the user made."""
    if isinstance(feature, Feature):
        return feature
    if not isinstance(feature, str) or feature not in FEATURES:
        known = ", ".join(dict.fromkeys((*GROUPINGS, *FEATURES)))
        raise UsageError(f"by: unknown value {feature!r:.60}; choose from {known}")
    return FEATURES[feature]


def can_break_down(options: Options, feature: str) -> tuple[str, ...]:
    """The metrics of the options that count mentions one by one; UsageError if there are none."""
    if options.equivocal:
        raise UsageError(f"by {feature}: not with {' and '.join(options.equivocal)}")
    chosen = tuple(m for m in options.metrics if m in BROKEN_DOWN)
    if not chosen:
        raise UsageError(
            f"by {feature}: only {', '.join(BROKEN_DOWN)} can be broken down by mentions"
        )
    return chosen
