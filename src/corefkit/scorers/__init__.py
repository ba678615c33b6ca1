"""Scorers: the rules that a score follows. To add one, write its module and a line in PROFILES.

This module also makes the options of a run from what users write.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from corefkit.core.options import POLICIES, Options, UsageError, Variants, choose, refuse_gone
from corefkit.metrics import NAMES, VARIANTS, canonical, exists, give

if TYPE_CHECKING:
    from corefkit.core.languages import Tagset
    from corefkit.metrics.base import Metrics
    from corefkit.scorers.scorer import Scorer


class Profile(NamedTuple):
    """A scorer that can be chosen: a line of help, and its module and class in this package."""

    help: str
    module: str
    scorer: str


PROFILES: dict[str, Profile] = {
    "standard": Profile(
        "the definitions of the papers; bad input is refused or reported", "scorer", "Scorer"
    ),
    "conll-8.01": Profile("the Perl reference scorer, bug for bug", "conll801", "Conll801"),
    "coval": Profile("the scorer CoVal", "coval", "Coval"),
    "arrau": Profile("CoVal's scorer for the ARRAU files of CRAC 2018", "coval", "Arrau"),
    "e2e": Profile("the evaluator of e2e-coref, copied into AllenNLP and fastcoref", "e2e", "E2E"),
    "e2e-singletons": Profile(
        "its second form, in Maverick, BookCoref and fast-coref, in which only lea skips "
        "singletons",
        "e2e",
        "E2ESingletons",
    ),
    "corefud": Profile("corefud-scorer 1.2, the scorer of CRAC 2024 to 2026", "corefud", "CorefUD"),
    "corefud-1.1": Profile(
        "corefud-scorer 1.1, the scorer of CRAC 2023 and, with --match partial, of CRAC 2022",
        "corefud",
        "CorefUD11",
    ),
    "ua": Profile(
        "the Universal Anaphora scorer 2.0 as a library; as a command, that scorer leaves out "
        "singletons and split antecedents by default",
        "ua",
        "UA",
    ),
    "kbp": Profile(
        "EvmEval, the scorer of the KBP event nugget tasks, which compares the label type",
        "kbp",
        "Kbp",
    ),
    "bookcoref": Profile(
        "the scorer of BookCoref, whose --window 1500 loses and doubles mentions",
        "bookcoref",
        "BookCoref",
    ),
    "ua-1": Profile("the Universal Anaphora scorer 1, of CODI-CRAC 2021 and 2022", "ua", "UA1"),
}
"""All scorers, by the names of their profiles; their modules are loaded on demand."""


def scorer_class(name: str) -> "type[Scorer]":
    """The class of the scorer of this profile."""
    profile = PROFILES[name]
    module = import_module(f"corefkit.scorers.{profile.module}")
    scorer: type[Scorer] = getattr(module, profile.scorer)
    return scorer


def scorer_for(options: Options) -> "Scorer":
    """The scorer that counts under these options."""
    return scorer_class(options.scorer)(options)


def equivocal(options: Options) -> list[str]:
    """The choices, as texts, under which a span may occur twice or lie outside the key's tokens."""
    chosen = [f"the profile {options.scorer}"] if scorer_class(options.scorer).keeps_copies else []
    return chosen + (["lengths ignore"] if options.lengths == "ignore" else [])


def make_options(  # noqa: PLR0913 (one argument per choice)
    metrics: "Metrics | None" = None,
    profile: str = "standard",
    *,
    variant: Variants = (),
    tagset: "str | Tagset" = "auto",
    language: str = "auto",
    labels: str | Iterable[str] | None = None,
    leave_out: str | Iterable[str] | None = None,
    across: str | Iterable[str] = (),
    topic: str | None = None,
    strict: bool = False,
    lax: bool = False,
    documents: str = "all",
    **policies: str | None,
) -> Options:
    """Options from what users write: metrics as one name, names with commas, or a list.

    Policies that are not given, or None, are those of the profile, and so is what becomes of
    defective input: `strict` refuses all of it, `lax` treats it as the standard does.
    `documents` may be "common" or "union" instead of those that the profile scores.
    `labels` are those that mentions must share to be matched, "none" for none. `across` are levels
    of cross-document coreference, and `topic` is a pattern over the names of documents.

    >>> make_options("muc,bcub").metrics
    ('muc', 'bcub')
    >>> make_options(profile="e2e", strict=True).singletons
    'e2e'
    >>> [make_options(profile="ua", lax=lax).refused for lax in (False, True)]
    [('missing', 'extra', 'words'), ()]
    """
    choose("profile", profile, PROFILES)
    refuse_gone("option", policies)
    for name in policies.keys() - POLICIES.keys():
        raise UsageError(_unknown(name))
    given = {policy: value for policy, value in policies.items() if value is not None}
    usual = scorer_class(profile)
    inside = {rule.name: rule.value for rule in usual.rules}
    settings: dict[str, Any] = {**inside, **usual.policies, **given}
    named = usual.metrics if metrics is None or metrics in ("", (), []) else parse_metrics(metrics)
    _check_metrics(named, profile)
    variants = parse_variants(variant, named)
    scorer = profile if usual.keeps_copies else "standard"
    if usual.keeps_copies and given.get("duplicates", "error") != "error":
        raise UsageError(
            f"duplicates: the profile {profile} counts repeated spans in its own way; choose the "
            "profile standard, or leave out duplicates"
        )
    if strict and lax:
        raise UsageError("strict: cannot be combined with lax; choose one of them")
    chosen_labels = usual.labels if labels is None else parse_labels(labels)
    options = Options(
        named,
        profile,
        scorer,
        **settings,
        variants=variants,
        tagset=tagset,
        language=language,
        labels=chosen_labels,
        defects="strict" if strict else "lax" if lax else "usual",
        refused=usual.refused,
        documents=usual.documents if documents == "all" and not (strict or lax) else documents,
    )
    if leave_out:
        options = _leaving_out(options, leave_out)
    if options.applications:
        first, conflicts = next(iter(options.applications)), equivocal(options)
        if options.average != "micro":
            conflicts.append(f"average {options.average}")
        if conflicts:
            raise UsageError(f"{first}: cannot be combined with {' and '.join(conflicts)}")
    if across or topic:
        from corefkit.scorers.levels import with_levels

        options = with_levels(options, across, topic)
    return options


def _leaving_out(options: Options, kinds: str | Iterable[str]) -> Options:
    """The options with kinds of mentions to be left out; raises UsageError for other profiles."""
    from corefkit.scorers.leave_out import parse_kinds

    if options.profile not in ("standard", "corefud"):
        raise UsageError(f"leave-out: cannot be combined with the profile {options.profile}")
    given = kinds if isinstance(kinds, str) else tuple(kinds)
    return replace(options, leave_out=parse_kinds(given))


def parse_labels(labels: str | Iterable[str]) -> tuple[str, ...]:
    """Labels as users write them: "type,kb", a list, or "none".

    >>> parse_labels("type, kb"), parse_labels("none")
    (('type', 'kb'), ())
    """
    listed = labels.split(",") if isinstance(labels, str) else list(labels)
    names = tuple(dict.fromkeys(label.strip() for label in listed if label.strip()))
    if "none" in names and len(names) > 1:
        raise UsageError("labels: none cannot be combined with other labels")
    if wrong := [name for name in names if any(sign in name for sign in "+|:")]:
        raise UsageError(f"labels: {wrong[0]!r} is not the name of a label")
    return () if names == ("none",) else names


def _unknown(name: str) -> str:
    """The message for a keyword that does not exist."""
    from difflib import get_close_matches

    if name == "by":
        return "unknown option 'by'; scores.by('genre') splits the scores that are returned"
    known = [
        "metrics",
        "profile",
        "variant",
        "tagset",
        "language",
        "across",
        "topic",
        "strict",
        "lax",
        *POLICIES,
    ]
    close = get_close_matches(name, known, 1, cutoff=0.7)
    hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(known)}"
    return f"unknown option {name!r}; {hint}"


def _check_metrics(names: Iterable[str], profile: str) -> None:
    """Raise UsageError if a metric does not exist or the scorer of a profile does not have it."""
    scorer = scorer_class(profile)
    for name in names:
        if name not in NAMES and not exists(name):
            choose("metric", name, NAMES, "corefkit metrics")
        if name not in NAMES and profile == "standard":
            continue  # from another package
        if name not in (*scorer.metrics, *scorer.others):
            raise UsageError(f"metric: the profile {profile} has no {name}")


def parse_metrics(metrics: "Metrics") -> tuple[str, ...]:
    """The names of metrics, each once, in the order given; a metric may be given as a value.

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
    raise TypeError(f"metrics must be a name or a list of names, not {metric!r:.60}")


def _strings(what: str, given: str | Iterable[str]) -> list[str]:
    """One string or several, as a list; raises TypeError for anything else."""
    listed = [given] if isinstance(given, str) else given
    if isinstance(listed, Iterable) and not isinstance(listed, (bytes, Mapping)):
        strings = list(listed)
        if all(isinstance(text, str) for text in strings):
            return strings
    raise TypeError(f"{what} must be a name or a list of names, not {given!r:.60}")


def parse_variants(variants: Variants, metrics: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """The variant of each metric that has variants; the default if none was chosen.

    `code` applies to all metrics that have it, `inferred=clean` to one, and takes precedence.

    >>> parse_variants("code,anchor=paper", ("immediate", "inferred", "anchor", "muc"))
    (('immediate', 'code'), ('inferred', 'paper'), ('anchor', 'paper'))
    """
    variants_of = {metric: VARIANTS[metric] for metric in metrics if metric in VARIANTS}
    if isinstance(variants, Mapping):
        variants = [f"{metric}={variant}" for metric, variant in variants.items()]
    parts = _strings("variant", variants)
    listed = [text.strip() for part in parts for text in part.split(",") if text.strip()]
    chosen: dict[str, str] = {}
    for text in sorted(listed, key=lambda text: "=" in text):
        metric, named, variant = text.rpartition("=")
        if named:
            choose("variant: metric", metric, variants_of)
            choose(f"variant of {metric}", variant, variants_of[metric])
            concerned = [metric]
        else:
            concerned = [m for m, known in variants_of.items() if variant in known]
        if not concerned:
            known = dict.fromkeys(v for values in variants_of.values() for v in values)
            choose("variant", variant, known)
        chosen |= dict.fromkeys(concerned, variant)
    return tuple((metric, chosen.get(metric, known[0])) for metric, known in variants_of.items())
