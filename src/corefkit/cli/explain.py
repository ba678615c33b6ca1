"""corefkit explain: why two scorers differ on the same files."""

from typing import TYPE_CHECKING

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
from corefkit.cli.output import write_files, write_output
from corefkit.core.incidents import data_error
from corefkit.core.texts import count_of, versioned_json, visible_lines
from corefkit.render.table import (
    Cell,
    CellValue,
    Heading,
    make_table,
    plain_headings,
    render_tables,
)
from corefkit.scorers import PROFILES, parse_metrics

if TYPE_CHECKING:
    from corefkit.plugins.audit.shrink_files import AskScorer, ShrunkFiles
    from corefkit.scoring.explain import Explanation, Rule

_SHOWN = 5
"""How many documents and mentions of a rule the text shows; the JSON has them all."""


@click.command("explain", cls=CheckedCommand)
@click.argument("key")
@click.argument("response")
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
@click.option(
    "--command",
    "line",
    metavar="LINE",
    help="--shrink: a scorer to run in place of the second profile, as in corefkit audit.",
)
@click.option(
    "--output-is", multiple=True, metavar="PRESET|PATTERN", help="How to read its output."
)
@click.option("--budget", type=click.IntRange(1), help="--shrink: the maximum number of trials.")
@format_option(["text", "json"])
@output_option
@force_option
@reading_options(sides=True)
def command(
    key: str,
    response: str,
    profiles: tuple[str, ...],
    metrics: tuple[str, ...],
    shrink: bool,
    least: float | None,
    line: str | None,
    output_is: tuple[str, ...],
    budget: int | None,
    form: str,
    output: str | None,
    force: bool,
    readings: Readings,
) -> None:
    """Show how the scores of two profiles differ, and how much is due to each rule.

    Each rule is shown with its share of the difference, averaged over all orders in which the rules
    could be exchanged (so the shares add up), and with the documents and mentions that it affects.

    \b
    Examples:
      corefkit explain key.conll response.conll --profile standard --profile e2e
      corefkit explain key.conll response.conll --profile standard --profile e2e --shrink -m bcub
    """
    wanted = parse_metrics(metrics)
    if line is not None or shrink:
        if not shrink:
            raise click.UsageError("--command needs --shrink")
        if len(profiles) != (1 if line else 2):
            raise click.UsageError(f"give --profile {'once' if line else 'twice'}")
        sources, names = (key, response), (*profiles, *([line] if line else []))
        scorers = _scorers(profiles, line, output_is, wanted)
        shrunk = _shrunk(sources, readings, scorers, wanted, least or 0.1, budget, line)
        if output is not None:
            sides = zip(("key", "response"), shrunk.files(), strict=True)
            files = {f"{output}.{side}.conll": data for side, data in sides}
            write_files(files, sources, force=force)
        show = _shrunk_text if form == "text" else _shrunk_json
        write_output(lambda bold: show(shrunk, names, profiles), None)
        return
    if output_is or least is not None or budget is not None:
        raise click.UsageError("--output-is, --least and --budget need --shrink")
    if len(profiles) != 2:
        raise click.UsageError("give --profile twice")
    from corefkit.scoring.explain import explain_difference

    explanation = explain_difference((key, response), profiles, wanted, readings)
    write_output(lambda bold: (_text if form == "text" else _json)(explanation), output)


def _scorers(
    profiles: tuple[str, ...], line: str | None, read: tuple[str, ...], metrics: tuple[str, ...]
) -> "tuple[AskScorer, AskScorer]":
    """The two scorers that are compared: two profiles, or a profile and a command."""
    from corefkit.plugins.audit.shrink_files import command_scorer, profile_scorer

    first = profile_scorer(profiles[0], metrics)
    if line is None:
        return first, profile_scorer(profiles[1], metrics)
    from corefkit.plugins.audit.run import command_runner

    return first, command_scorer(command_runner(line, read, "conll", metrics, 30.0))


def _shrunk(
    sources: tuple[str, str],
    readings: Readings,
    scorers: "tuple[AskScorer, AskScorer]",
    metrics: tuple[str, ...],
    least: float,
    budget: int | None,
    line: str | None,
) -> "ShrunkFiles":
    from corefkit.formats import read_all
    from corefkit.plugins.audit.runners import RunError
    from corefkit.plugins.audit.shrink_files import BUDGET, COMMAND_BUDGET, shrink_files

    key, response = (
        read_all(source, reading).checked()
        for source, reading in zip(sources, readings, strict=True)
    )
    most = budget or (COMMAND_BUDGET if line else BUDGET)
    try:
        return shrink_files(key, response, scorers, metrics, least=least, budget=most)
    except RunError as error:
        raise data_error("scorer-unusable", reason=str(error), found=error.output) from None


def _shrunk_text(shrunk: "ShrunkFiles", names: tuple[str, ...], profiles: tuple[str, ...]) -> str:
    """The documents, the scores of both scorers, and the rules that make the difference."""
    from corefkit.plugins.audit.battery import side_text

    headings = [Heading("metric", "F1"), Heading("first", names[0], kind="score")]
    headings.append(Heading("second", names[1], kind="score"))
    headings += plain_headings("difference", kind="change")
    first, second = shrunk.scores
    lines: list[list[CellValue | Cell]] = [
        [name, first[name], second[name], _change(second[name] - first[name])]
        for name in first
        if name in second
    ]
    parts = [
        f"{document.name}: {side_text(document.sides.key)} / {side_text(document.sides.response)}"
        for document in shrunk.documents
    ]
    table = render_tables([make_table("scores", "", headings, [lines])], "text").rstrip("\n")
    end = "no single step makes it smaller" if shrunk.minimal else "the budget was used up"
    blocks = ["\n".join(parts), table]
    if len(profiles) == 2:
        blocks += [_rule_text(rule) for rule in _rules(shrunk, profiles)]
    blocks.append(f"{shrunk.mentions} mentions after {shrunk.trials:,} trials; {end}")
    return visible_lines("\n\n".join(blocks)) + "\n"


def _rules(shrunk: "ShrunkFiles", profiles: tuple[str, ...]) -> "list[Rule]":
    """The rules that make a difference on the shrunk files."""
    from corefkit.scoring.explain import explain_difference

    explanation = explain_difference(shrunk.corpora(), (profiles[0], profiles[1]))
    return [rule for rule in explanation.rules if any(rule.effect.values())]


def _shrunk_json(shrunk: "ShrunkFiles", names: tuple[str, ...], profiles: tuple[str, ...]) -> str:
    documents = [
        {"name": document.name, "key": document.sides.key, "response": document.sides.response}
        for document in shrunk.documents
    ]
    scores = [
        {"scorer": name, "f1": dict(f1)} for name, f1 in zip(names, shrunk.scores, strict=True)
    ]
    rules = [rule.policy for rule in _rules(shrunk, profiles)] if len(profiles) == 2 else None
    report = {"documents": documents, "scorers": scores, "rules": rules}
    return versioned_json({**report, "trials": shrunk.trials, "minimal": shrunk.minimal})


def _text(explanation: "Explanation") -> str:
    first, second = explanation.options
    f1 = {m: [scores[m].f1 for scores in explanation.scores] for m in explanation.metrics}
    headings = [Heading("metric", "F1"), Heading("first", first.profile, kind="score")]
    headings.append(Heading("second", second.profile, kind="score"))
    headings += plain_headings("difference", kind="change")
    lines: list[list[CellValue | Cell]] = [[m, a, b, _change(b - a)] for m, (a, b) in f1.items()]
    tables = [make_table("profiles", "", headings, [lines])]
    if explanation.rules:
        headings = [Heading("rule", "what makes the difference")]
        headings += plain_headings(*explanation.metrics, kind="change")
        lines = []
        for rule in explanation.rules:
            shares = [_change(rule.effect[metric]) for metric in explanation.metrics]
            lines.append([f"{rule.policy}: {' → '.join(rule.values)}", *shares])
        tables.append(make_table("rules", "", headings, [lines]))
    from corefkit.scorers.signature import shorten

    parts = [render_tables(tables, "text").rstrip("\n")]
    parts += [_rule_text(rule) for rule in explanation.rules]
    parts += [] if explanation.rules else ["The two profiles follow the same rules."]
    parts += [f"signature: {shorten(scores.signature)}" for scores in explanation.scores]
    return visible_lines("\n\n".join(parts)) + "\n"


def _change(difference: float) -> Cell:
    """A difference in points, with more digits if two would show 0.00.

    >>> [_change(difference).text for difference in (0.25, 0.0, -0.0000123)]
    ['+25.00', '0', '-0.0012']
    """
    points = 100 * difference
    if abs(points) < 1e-9:
        return Cell(difference, text="0")
    text = f"{points:+.2f}" if abs(points) >= 0.005 else f"{points:+.2g}"
    return Cell(difference, text=text)


def _rule_text(rule: "Rule") -> str:
    lines = [f"{rule.policy}"]
    lines += [f"  {v}: {m}" for v, m in zip(rule.values, rule.meanings, strict=True)]
    if not rule.documents and not rule.mentions:
        return "\n".join([*lines, "  It makes no difference in these files."])
    lines.append(f"  {count_of(len(rule.documents), 'document')} counted differently")
    lines += [f"    {name}" for name in rule.documents[:_SHOWN]]
    lines += ["    …"] * (len(rule.documents) > _SHOWN)
    mentions = count_of(len(rule.mentions) + rule.more_mentions, "mention")
    lines.append(f"  {mentions} affected")
    for m in rule.mentions[:_SHOWN]:
        place = f"{m.file}:{m.line}" if m.file else m.side
        lines.append(f"    {place}: {m.document}, tokens {m.start} to {m.end}, entity {m.entity}")
    lines += ["    …"] * (len(rule.mentions) > _SHOWN)
    return "\n".join(lines)


def _json(explanation: "Explanation") -> str:
    from dataclasses import asdict

    profiles = [
        {"profile": o.profile, "signature": s.signature, "scores": s.to_dict()}
        for o, s in zip(explanation.options, explanation.scores, strict=True)
    ]
    rules = [asdict(rule) for rule in explanation.rules]
    return versioned_json({"profiles": profiles, "rules": rules})
