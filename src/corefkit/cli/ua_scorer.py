"""corefkit-ua-scorer: the arguments and the output of the Universal Anaphora scorers 2 and 1.

Version 2 has options, version 1 has words; the arguments decide which version is meant.
"""

from collections.abc import Mapping
from typing import Any

import click

from corefkit._version import __version__
from corefkit.cli.commands import Decorator
from corefkit.cli.corefud_scorer import ListingCommand, print_text
from corefkit.cli.output import print_message
from corefkit.core.options import did_you_mean

IN_CONLL = ("muc", "bcub", "ceafe")
METRICS = {
    **{name: name for name in (*IN_CONLL, "ceafm", "blanc", "lea")},
    "mention": "mentions",
    "non-referring": "nonreferring",
    "bridging": "bridging",
}
"""The metrics of version 2 on UA files, in its order, and their names in corefkit."""

OLDER = ("lea", "muc", "bcub", "ceafe", "ceafm", "blanc")
"""The metrics of version 1."""

WORDS: Mapping[str, tuple[str, ...]] = {
    "keep_singletons": ("keep_singletons",),
    "remove_singletons": ("remove_singletons", "remove_singleton"),
    "remove_split_antecedents": ("remove_split_antecedents", "remove_split_antecedent"),
    "min": ("MIN", "min", "min_spans"),
    "keep_non_referring": ("keep_non_referring", "keep_non_referrings"),
    "keep_bridging": ("keep_bridging", "keep_bridgings"),
    "only_split_antecedents": ("only_split_antecedents", "only_split_antecedent"),
    "evaluate_discourse_deixis": ("evaluate_discourse_deixis",),
}
"""The meanings of the words of version 1, and the spellings of each."""

TASKS: Mapping[str, Mapping[str, Any]] = {
    "conll12": {"form": "conll", "metrics": IN_CONLL},
    "crac18": {"metrics": (*IN_CONLL, "non-referring"), "keep_singletons": True},
    "craft19": {
        "metrics": IN_CONLL,
        "keep_singletons": True,
        "partial_match": True,
        "partial_match_method": "craft",
    },
    "codicrac22ar": {
        "metrics": IN_CONLL,
        "keep_singletons": True,
        "keep_split_antecedents": True,
    },
    "codicrac22dd": {
        "metrics": IN_CONLL,
        "keep_singletons": True,
        "keep_split_antecedents": True,
        "evaluate_discourse_deixis": True,
    },
    "codicrac22br": {"metrics": ("bridging",), "keep_singletons": True},
}
"""The settings of -t; crac22 is for corefkit-corefud-scorer."""


def _flag(*names: str, text: str) -> Decorator:
    option: Decorator = click.option(*names, is_flag=True, help=text)
    return option


@click.command(
    "corefkit-ua-scorer",
    cls=ListingCommand,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, "-V", "--version", message="corefkit-ua-scorer %(version)s")
@click.argument("key")
@click.argument("response")
@click.argument("words", nargs=-1, metavar="[WORD]...")
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(("ua", "conll")),
    help="The format of the files.  [default: ua]",
)
@click.option(
    "-m",
    "--metrics",
    type=click.Choice(("all", "conll", *METRICS)),
    multiple=True,
    help="The metrics, all words up to the next option.  [default: conll]",
)
@_flag("-s", "--keep-singletons", text="Evaluate singletons, too.")
@_flag("-l", "--keep-split-antecedents", text="Evaluate split antecedents, too.")
@_flag("-z", "--keep-zeros", text="Evaluate zeros, too.")
@click.option(
    "--zero-match-method", type=click.Choice(("linear",)), help="How zeros are matched: by place."
)
@_flag("-d", "--evaluate-discourse-deixis", text="Evaluate discourse deixis, not identity.")
@_flag("-p", "--partial-match", text="Match mentions by their minimum.")
@click.option(
    "--partial-match-method",
    type=click.Choice(("default", "craft")),
    help="How -p matches.  [default: default]",
)
@_flag("--only-split-antecedent", text="Evaluate split antecedents alone.")
@_flag("--allow-boundary-crossing", text="Mentions may cross, as they always may here.")
@click.option("-t", "--shared-task", type=click.Choice(list(TASKS)), help="The settings of a task.")
def command(key: str, response: str, words: tuple[str, ...], **given: Any) -> None:
    """Score RESPONSE against KEY as the Universal Anaphora scorer does.

    Options, or no argument, are those of version 2.0 (profile ua). WORDs are those of version 1, of
    CODI-CRAC 2021 and 2022 (profile ua-1): metrics, all, remove_singletons,
    remove_split_antecedents, min, keep_non_referring, keep_bridging, only_split_antecedents,
    evaluate_discourse_deixis. The text is that of the original.

    \b
    Examples:
      corefkit-ua-scorer key.conllua response.conllua -s -l -m muc bcub ceafe
      corefkit-ua-scorer key.conllua response.conllua all keep_bridging
    """
    named = [name for name, value in given.items() if value]
    if words and named:
        raise click.UsageError("words are for version 1, options for version 2: not both")
    metrics, policies = _older_call(words) if words else _call(given)
    profile = form = "ua-1" if words else "ua"
    print_text(key, response, metrics, profile, policies, form)


def _call(given: Mapping[str, Any]) -> tuple[list[str], dict[str, Any]]:
    """The metrics, by their names in corefkit, and the policies for the options of version 2."""
    task = TASKS.get(given["shared_task"] or "", {})
    asked = {name: value or task.get(name, value) for name, value in given.items()}
    implied_by = {
        "keep_singletons": ("keep_split_antecedents", "only_split_antecedent"),
        "keep_split_antecedents": ("only_split_antecedent",),
    }
    for name, reasons in implied_by.items():
        for reason in (*reasons, "evaluate_discourse_deixis"):
            if asked[reason] and not asked[name]:
                print_message(f"note: {name} is implied by {reason}", aside=True)
                asked[name] = True
    deixis, partial = asked["evaluate_discourse_deixis"], asked["partial_match"]
    if asked["partial_match_method"] and not partial:
        raise click.UsageError("--partial-match-method needs --partial-match")
    only = asked["only_split_antecedent"] and not deixis
    policies = {
        "singletons": "keep" if asked["keep_singletons"] else "drop",
        "split": "only" if only else "keep" if asked["keep_split_antecedents"] else "drop",
        "zeros": "linear" if asked["keep_zeros"] else "drop",
        "layer": "deixis" if deixis else "identity",
        "match": "exact",
    }
    if partial:
        policies["match"] = "craft" if asked["partial_match_method"] == "craft" else "partial"
    metrics = asked["metrics"] or ("conll",)
    if "all" in metrics:
        conll = asked["form"] == "conll"
        metrics = [m for m in METRICS if not (conll and m in ("non-referring", "bridging"))]
    elif "conll" in metrics:
        metrics = IN_CONLL
    if deixis or only:
        metrics = [m for m in metrics if m not in ("non-referring", "bridging")]
        if not metrics:
            raise click.UsageError("non-referring and bridging are metrics of the identity layer")
    return [METRICS[m] for m in dict.fromkeys(metrics)], policies


def _older_call(words: tuple[str, ...]) -> tuple[list[str], dict[str, Any]]:
    """The metrics and policies for the words of version 1; a usage error for unknown words."""
    meanings = {word: meaning for meaning, forms in WORDS.items() for word in forms}
    if unknown := [word for word in words if word not in (*meanings, *OLDER, "all")]:
        near = did_you_mean(unknown[0], (*meanings, *OLDER, "all"))
        raise click.UsageError(f"version 1 has no argument {unknown[0]!r}{near}")
    meant = {meanings[word] for word in words if word in meanings}
    deixis = "evaluate_discourse_deixis" in meant
    only = "only_split_antecedents" in meant and not deixis
    keep_all = deixis or only
    metrics = [name for name in OLDER if name in words and "all" not in words] or [*OLDER]
    if not keep_all:
        metrics += ["nonreferring"] if "keep_non_referring" in meant else []
        metrics += ["bridging"] if "keep_bridging" in meant else []
    policies = {
        "singletons": "drop" if "remove_singletons" in meant and not keep_all else "keep",
        "split": "drop" if "remove_split_antecedents" in meant and not keep_all else "keep",
        "layer": "deixis" if deixis else "identity",
        "match": "min" if "min" in meant else "exact",
    }
    if only:
        policies["split"] = "only"
    return metrics, policies
