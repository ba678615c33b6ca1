"""corefkit explain: why two scorers differ on these files."""

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from corefkit._version import __version__
from corefkit.cli.output import (
    format_option,
    output_option,
    standard_input_once,
    tell,
    write_output,
)
from corefkit.cli.reading import reading_options
from corefkit.data.incidents import DataError
from corefkit.data.options import UsageError
from corefkit.profiles import PROFILES

if TYPE_CHECKING:
    from corefkit.formats import Readings
    from corefkit.scoring.explain import Explanation, Rule

_SHOWN = 5
"""How many documents and mentions of a rule the text shows; the JSON has them all."""


@click.command("explain")
@click.argument("key")
@click.argument("response")
@click.option(
    "--profile",
    "profiles",
    type=click.Choice(list(PROFILES)),
    multiple=True,
    help="Give it twice: the two profiles to compare.",
)
@click.option("-m", "--metrics", multiple=True, metavar="METRICS", help="Only these metrics.")
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
    readings: "Readings",
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
    standard_input_once(key, response)
    from corefkit.profiles import parse_metrics
    from corefkit.scoring.explain import explain

    try:
        explanation = explain(
            key, response, *profiles, metrics=parse_metrics(metrics), readings=readings
        )
    except UsageError as error:
        raise click.UsageError(str(error)) from None
    except DataError as error:
        tell(error.incidents)
        sys.exit(1)
    write_output(lambda bold: (_text if form == "text" else _json)(explanation), output)


def _text(explanation: "Explanation") -> str:
    from corefkit.render.text import align_columns

    one, other = explanation.options
    table = [["F1", one.profile, other.profile, "difference"]]
    for metric in explanation.metrics:
        a, b = (scores[metric].f1 for scores in explanation.scores)
        table.append([metric, f"{100 * a:.2f}", f"{100 * b:.2f}", _signed(b - a)])
    parts = [align_columns(table, left=1)]
    if explanation.rules:
        header = ["what makes the difference", *explanation.metrics]
        rows = [
            [f"{r.policy}: {r.values[0]} → {r.values[1]}"]
            + [_signed(r.effect[m]) for m in explanation.metrics]
            for r in explanation.rules
        ]
        parts.append(align_columns([header, *rows], left=1))
        parts += [_rule_text(rule) for rule in explanation.rules]
    else:
        parts.append("The two profiles follow the same rules.")
    parts += [f"signature: {scores.signature}" for scores in explanation.scores]
    return "\n\n".join(parts) + "\n"


def _signed(difference: float) -> str:
    """A difference in points; with more digits where two would show nothing of it.

    >>> _signed(0.25), _signed(0.0), _signed(-0.0000123)
    ('+25.00', '0', '-0.0012')
    """
    points = 100 * difference
    if abs(points) < 1e-9:
        return "0"
    return f"{points:+.2f}" if abs(points) >= 0.005 else f"{points:+.2g}"


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

    content: dict[str, Any] = {
        "version": __version__,
        "profiles": [
            {"profile": o.profile, "signature": s.signature, "scores": s.to_dict()}
            for o, s in zip(explanation.options, explanation.scores, strict=True)
        ],
        "rules": [asdict(rule) for rule in explanation.rules],
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"
