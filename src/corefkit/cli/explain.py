"""corefkit explain: why two scorers differ on these files."""

from typing import TYPE_CHECKING

import click

from corefkit.cli.commands import LongCommand
from corefkit.cli.options import (
    Readings,
    format_option,
    metrics_option,
    output_option,
    reading_options,
)
from corefkit.cli.output import write_output
from corefkit.core.texts import versioned_json, visible_lines
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
    from corefkit.scoring.explain import Explanation, Rule

_SHOWN = 5
"""How many documents and mentions of a rule the text shows; the JSON has them all."""


@click.command("explain", cls=LongCommand)
@click.argument("key")
@click.argument("response")
@click.option(
    "--profile",
    "profiles",
    type=click.Choice(list(PROFILES)),
    multiple=True,
    help="Give it twice: the two profiles to compare.",
)
@metrics_option("Only these metrics.")
@format_option(["text", "json"])
@output_option
@reading_options(sides=True)
def command(
    key: str,
    response: str,
    profiles: tuple[str, ...],
    metrics: tuple[str, ...],
    form: str,
    output: str | None,
    readings: Readings,
) -> None:
    """Show how the scores of two profiles differ, and which rule makes how much of it.

    Each rule gets its share of the difference, averaged over all orders in which the rules could
    be exchanged, so the shares add up; and the documents and mentions that it concerns.

    \b
    Example:
      corefkit explain key.conll response.conll --profile standard --profile e2e
    """
    if len(profiles) != 2:
        raise click.UsageError("give --profile twice")
    from corefkit.scoring.explain import explain_difference

    wanted = parse_metrics(metrics)
    explanation = explain_difference((key, response), profiles, wanted, readings)
    write_output(lambda bold: (_text if form == "text" else _json)(explanation), output)


def _text(explanation: "Explanation") -> str:
    one, other = explanation.options
    f1 = {m: [scores[m].f1 for scores in explanation.scores] for m in explanation.metrics}
    headings = [Heading("metric", "F1"), Heading("first", one.profile, kind="score")]
    headings.append(Heading("second", other.profile, kind="score"))
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
    """A difference in points; with more digits where two would show nothing of it.

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
        return "\n".join([*lines, "  It concerns nothing in these files."])
    lines.append(f"  {len(rule.documents):,} document(s) counted differently")
    lines += [f"    {name}" for name in rule.documents[:_SHOWN]]
    lines += ["    …"] * (len(rule.documents) > _SHOWN)
    lines.append(f"  {len(rule.mentions) + rule.more_mentions:,} mention(s) concerned")
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
