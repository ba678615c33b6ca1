"""Signatures: one line that says how a score was computed, and its parser.

A full signature names every policy, so that its meaning does not change if a profile does. A short
one leaves out what its profile implies; it is for people, but can be parsed, too.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from corefkit._version import __version__
from corefkit.core.options import STANDARD, Options, UsageError, choose, refuse_gone
from corefkit.scorers import PROFILES, make_options, scorer_class

_FINDINGS = ("coverage", "kinds")
"""Parts of a signature that are results, not options."""
_OF_INTERVALS = ("samples", "seed", "level", "interval")
"""Parts that `compare` and `errors` add: how intervals were made, which moves no score."""


def signature(options: Options, coverage: Sequence[float | None] = ()) -> str:
    """The metrics, the profile, every policy and the version as `name:value|…`.

    `coverage` is the share of the key that the text of each response covers, in the order of the
    responses; None for a text that was not aligned.

    >>> print(signature(Options(metrics=("muc", "bcub"))).partition("|split:")[0])
    metrics:muc+bcub|profile:standard|match:exact|zeros:dependent|layer:identity
    """
    policies = options.policies
    average = policies.pop("average")
    if options.scorer != "standard" and options.duplicates == "first":
        del policies["duplicates"]  # the name of the scorer implies its own way
    parts = {
        "metrics": "+".join(options.metrics),
        "profile": options.profile,
        **policies,
        **({} if options.defects == "usual" else {"defects": options.defects}),
        **({} if options.documents == "all" else {"documents": options.documents}),
        **_windows(options),
        **_levels(options),
        **({"leave-out": "+".join(options.leave_out)} if options.leave_out else {}),
        **_labels(options),
        **({"links": options.links} if options.links else {}),
        **(
            {"read": "+".join(_quoted(text, "|+") for text in options.read)} if options.read else {}
        ),
        **({"by": "+".join(options.by)} if options.by else {}),
        **_aligned(options, coverage),
        **_applications(options),
        **({} if options.language == "auto" else {"language": options.language}),
        **({"kinds": options.kinds} if options.kinds else {}),
        "average": average,
        "version": __version__,
    }
    return "|".join(f"{name}:{value}" for name, value in parts.items())


def shorten(text: str) -> str:
    """A signature without what its profile implies.

    >>> options = make_options("conll", singletons="drop")
    >>> shorten(signature(options)).rpartition("|")[0]
    'metrics:conll|profile:standard|singletons:drop'
    """
    parts = [part.partition(":") for part in text.split("|")]
    profile = next((value for name, _, value in parts if name == "profile"), "")
    if profile not in PROFILES:
        return text
    scorer = scorer_class(profile)
    usual = {**STANDARD, **scorer.policies, "documents": scorer.documents}
    usual |= {"metrics": "+".join(scorer.metrics)}
    usual |= {"labels": "+".join(scorer.labels)} if scorer.labels else {}
    return "|".join(f"{name}:{value}" for name, _, value in parts if usual.get(name) != value)


def names_metrics(text: str) -> bool:
    """Whether a signature names metrics; a short one does not where they are the profile's."""
    return any(part.strip().startswith("metrics:") for part in text.split("|"))


def is_of_release(version: str) -> bool:
    """Whether a version is of the same release as this one, be it before its day.

    >>> is_of_release(__version__), is_of_release("0.0.1")
    (True, False)
    """
    return _release(version) == _release(__version__)


def _release(version: str) -> str:
    return version.partition("+")[0].partition(".dev")[0]


def parse_signature(text: str) -> tuple[Options, str]:
    """The options that a full or short signature describes, and the version that wrote it.

    A policy that it does not name is that of the profile. How intervals were made is passed over,
    as it moves no score. Raises UsageError for anything that is not a signature.

    >>> options, version = parse_signature(signature(Options(singletons="drop")))
    >>> options == Options(singletons="drop")
    True
    """
    parts = [part.partition(":") for part in text.strip().removeprefix("signature: ").split("|")]
    values = {name.strip(): value.strip() for name, _, value in parts}
    if wrong := [name for name, colon, _ in parts if not colon]:
        raise UsageError(f"signature: {wrong[0]!r} is not of the form name:value")
    if len(values) < len(parts):
        raise UsageError("signature: a name occurs twice")
    version = values.pop("version", "")
    for name in (*_FINDINGS, *_OF_INTERVALS):
        values.pop(name, None)
    documents = values.pop("documents", "")
    defects = values.pop("defects", "usual")
    choose("signature: defects", defects, ("usual", "strict", "lax"))
    window = _unquoted(values.pop("window", ""))
    pieces: Any = values.pop("window-singletons", "follow")
    across, topic = values.pop("across", "").split("+"), _unquoted(values.pop("topic", ""))
    links = values.pop("links", "")
    read = tuple(_unquoted_part(part) for part in values.pop("read", "").split("+") if part)
    left_out = values.pop("leave-out", "").replace("+", ",")
    labels = values.pop("labels", None)
    by = tuple(part for part in values.pop("by", "").split("+") if part)
    metrics = values.pop("metrics", "").split("+")
    if "profile" not in values:
        raise UsageError("signature: 'profile' is missing; give the whole line")
    profile = values.pop("profile")
    variant, tagset = values.pop("variant", "").replace("+", ","), values.pop("tagset", "auto")
    language = values.pop("language", "auto")
    refuse_gone("signature", values)
    if unknown := values.keys() - STANDARD.keys():
        raise UsageError(f"signature: unknown name {sorted(unknown)[0]!r}")
    chosen = [m for m in metrics if m]
    listed = None if labels is None else labels.split("+")
    how: dict[str, Any] = {"variant": variant, "tagset": tagset, "leave_out": left_out}
    how |= {"strict": defects == "strict", "lax": defects == "lax"}
    how |= {"language": language, "across": across, "topic": "".join(topic)}
    options = make_options(chosen, profile, labels=listed, **how | values)
    if window:
        from corefkit.scorers.windows import with_windows

        options = with_windows(options, window, pieces)
    documents = documents or options.documents
    return replace(options, documents=documents, links=links, read=read, by=by), version


def _labels(options: Options) -> dict[str, str]:
    """The labels that are compared, if there are any or the profile has some."""
    if not options.labels and not scorer_class(options.profile).labels:
        return {}
    return {"labels": "+".join(options.labels) or "none"}


def _windows(options: Options) -> dict[str, str]:
    """The windows, if documents are cut; patterns are quoted, as they may contain | and commas."""
    if not options.window:
        return {}
    shown = ",".join(map(_quoted, options.window))
    return {"window": shown, "window-singletons": options.window_singletons}


def _levels(options: Options) -> dict[str, str]:
    """The levels across documents, and the pattern of topics, if there are any."""
    if not options.across:
        return {}
    topic = {"topic": _quoted(options.topic)} if options.topic else {}
    return {"across": "+".join(options.across), **topic}


def _quoted(pattern: str, marks: str = "|,") -> str:
    """The pattern without blanks and the marks that separate parts."""
    import re
    from urllib.parse import quote

    return re.sub(rf"[%{marks}\s]", lambda match: quote(match[0]), pattern)


def _unquoted(patterns: str) -> list[str]:
    return [_unquoted_part(part) for part in patterns.split(",") if patterns]


def _unquoted_part(part: str) -> str:
    from urllib.parse import unquote

    return unquote(part)


def _aligned(options: Options, coverage: Sequence[float | None]) -> dict[str, str]:
    """How the texts of responses were aligned; {} if none was."""
    if all(share is None for share in coverage):
        return {}
    shares = (1.0 if share is None else share for share in coverage)
    shown = "+".join(f"{int(1000 * share) / 1000:g}" for share in shares)
    return {"align": "characters", "unaligned": options.unaligned, "coverage": shown}


def _applications(options: Options) -> dict[str, str]:
    """The options of application scores; {} if there are none."""
    variants = "+".join(f"{metric}={v}" for metric, v in options.applications.items())
    return {"variant": variants, "tagset": str(options.tagset)} if variants else {}
