"""corefkit explain: why two scorers differ on the same files."""

import os
import shlex
from dataclasses import asdict

import click

from corefkit.cli.commands import CheckedCommand
from corefkit.cli.options import (
    Readings,
    force_option,
    format_option,
    metrics_option,
    output_option,
    reading_options,
)
from corefkit.cli.output import print_incidents, write_files, write_output
from corefkit.core.languages import LANGUAGES
from corefkit.core.options import DOCUMENTS, PIECES, POLICIES, TAGSETS
from corefkit.core.results import result_json
from corefkit.scorers import PROFILES, parse_metrics


@click.command("explain", cls=CheckedCommand)
@click.argument("key")
@click.argument("response", required=False)
@click.option(
    "--profile",
    "profiles",
    type=click.Choice(list(PROFILES)),
    metavar="NAME",
    multiple=True,
    help="Give it twice: the two profiles to compare, as in score --profile.",
)
@metrics_option("Only these metrics.")
@click.option(
    "--shrink",
    is_flag=True,
    help="Find the smallest part of the files on which they differ; -o PREFIX writes it as "
    "PREFIX.key.conll and PREFIX.response.conll.",
)
@click.option(
    "--least",
    type=click.FloatRange(0, 100, min_open=True),
    help="--shrink: the least difference, in points of F1.  [default: 0.1]",
)
@click.option("--budget", type=click.IntRange(1), help="--shrink: the maximum number of trials.")
@format_option(["text", "json"])
@output_option
@force_option
@reading_options(sides=True)
def command(
    key: str,
    response: str | None,
    profiles: tuple[str, ...],
    metrics: tuple[str, ...],
    shrink: bool,
    least: float | None,
    budget: int | None,
    form: str,
    output: str | None,
    force: bool,
    readings: Readings,
) -> None:
    """Show how the scores of two profiles differ, and how much is due to each rule.

    With a signature in place of KEY and RESPONSE: the options of `score` that it stands for, and
    what each means. `score --signature` runs with them.

    Each rule is shown with its share of the difference, averaged over all orders in which the rules
    could be exchanged (so the shares add up), and with the documents and mentions that it affects.

    \b
    Examples:
      corefkit explain key.conll response.conll --profile standard --profile e2e
      corefkit explain key.conll response.conll --profile standard --profile e2e --shrink -m bcub
      corefkit explain 'metrics:muc+lea|profile:coval|version:0.1.0'
    """
    if response is None:
        _explain_signature(key, form, output)
        return
    wanted = parse_metrics(metrics)
    if len(profiles) != 2:
        raise click.UsageError("give --profile twice")
    if not shrink:
        from corefkit.render.explain import render_explanation
        from corefkit.scoring.explain import explain_difference

        explanation = explain_difference((key, response), profiles, wanted, readings)
        print_incidents(explanation.incidents)
        write_output(render_explanation(explanation, form), output)
        return
    from corefkit.formats.kit.reading import read_all
    from corefkit.render.explain import render_shrunk
    from corefkit.scoring.shrink import BUDGET, shrink_profiles

    sides = [read_all(s, r).checked() for s, r in zip((key, response), readings, strict=True)]
    shrunk = shrink_profiles(
        sides[0], sides[1], profiles, wanted, least=least or 0.1, budget=budget or BUDGET
    )
    if output is not None:
        write_files(shrunk.files(output), (key, response), force=force)
    write_output(render_shrunk(shrunk, profiles, form), None)


def _explain_signature(text: str, form: str, output: str | None) -> None:
    """Write the options that a signature stands for, with what each means."""
    if ":" not in text or os.path.lexists(text):
        raise click.UsageError("Missing argument 'RESPONSE'.")
    from corefkit.scorers.signature import parse_signature

    options, version = parse_signature(text)
    if form == "json":
        write_output(result_json("options", {**asdict(options), "made_by": version}), output)
        return
    lines = [f"--metrics {','.join(options.metrics)}"]
    lines.append(f"--profile {options.profile}  ({PROFILES[options.profile].help})")
    for policy, meanings in POLICIES.items():
        if len(meanings) < 2:  # nothing to choose
            continue
        value = getattr(options, policy)
        if (policy, value) == ("duplicates", "first") and options.scorer != "standard":
            continue
        lines.append(f"--{policy} {value}  ({meanings[value]})")
    if options.defects != "usual":
        lines.append(f"--{options.defects}")
    if options.documents != "all":
        given = "FILE" if options.documents == "listed" else options.documents
        lines.append(f"--documents {given}  ({DOCUMENTS[options.documents]})")
    lists = {"labels": options.labels, "leave-out": options.leave_out, "across": options.across}
    lines += [f"--{name} {','.join(values)}" for name, values in lists.items() if values]
    lines += [f"--topic {options.topic}"] if options.topic else []
    lines += [f"--window {window}" for window in options.window]
    if options.window:
        pieces = options.window_singletons
        lines.append(f"--window-singletons {pieces}  ({PIECES[pieces]})")
    lines += [f"--by {by}" for by in options.by]
    for link in options.links.split("+") if options.links else ():
        lines.append(f"--read {link if '=' in link else f'{link}=yes'}")
    lines += [f"--read {shlex.quote(text)}" for text in options.read]
    if options.applications:
        variants = ",".join(f"{m}={variant}" for m, variant in options.applications.items())
        lines.append(f"--variant {variants}")
        lines.append(f"--tagset {options.tagset}  ({TAGSETS[str(options.tagset)]})")
    if options.language != "auto":
        lines.append(f"--language {options.language}  ({LANGUAGES[options.language]})")
    lines.append(f"written by corefkit {version or '(unknown version)'}")
    write_output("".join(f"{line}\n" for line in lines), output)
