"""One line that says how a number was made."""

from corefkit._version import __version__
from corefkit.options import POLICIES, Options


def signature(options: Options) -> str:
    """The options and the version as `name:value|…`.

    >>> print(signature(Options(metrics=("muc", "bcub"))).rpartition("|")[0])
    metrics:muc+bcub|profile:standard|match:exact|singletons:keep|duplicates:first|missing:empty|extra:ignore|average:micro
    """
    parts = {
        "metrics": "+".join(options.metrics),
        "profile": options.profile,
        "match": "exact",
        **{policy: getattr(options, policy) for policy in POLICIES},
        "average": "micro",
        "version": __version__,
    }
    return "|".join(f"{name}:{value}" for name, value in parts.items())
