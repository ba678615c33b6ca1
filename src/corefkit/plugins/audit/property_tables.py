"""The properties of metrics as a table, with the smallest counterexamples."""

from collections.abc import Iterator
from typing import Any

import click

from corefkit.cli.commands import CheckedCommand
from corefkit.cli.metrics import known_metrics
from corefkit.cli.options import complete_metrics, format_option, output_option
from corefkit.cli.output import write_output
from corefkit.core.results import result_json
from corefkit.plugins.audit.properties import MENTIONS, MOST, PROPERTIES, known_properties
from corefkit.render.table import (
    CellValue,
    Heading,
    Table,
    make_table,
    plain_headings,
    render_table,
)


@click.command("--properties", cls=CheckedCommand)
@click.argument("names", nargs=-1, metavar="METRIC...", shell_complete=complete_metrics)
@click.option(
    "--mentions",
    type=click.IntRange(1, MOST),
    default=MENTIONS,
    show_default=True,
    help="Test all overlaps of up to N mentions.",
)
@output_option
@format_option(["text", "json", "markdown"])
def command(names: tuple[str, ...], mentions: int, output: str | None, form: str) -> None:
    """Show which axioms each METRIC satisfies on all small overlaps of key and response.

    The smallest counterexamples are shown, too. Metrics from other packages work as well.

    \b
    Examples:
      corefkit metrics ceafe lea --properties --mentions 4
    """
    if not names:
        raise click.UsageError("--properties: name the metrics")
    results = known_properties(known_metrics(names), mentions)
    write_output(render_properties(results, form), output)


def render_properties(properties: dict[str, Any], form: str = "text") -> str:
    """The properties as text, JSON or Markdown."""
    if form == "json":
        return result_json("properties", properties)
    parts = [render_table(table, form).rstrip("\n") for table in _tables(properties)]
    return "\n\n".join([*parts, *_notes(properties)]) + "\n"


_SIGNS = {"broken": "✗", "equal": "=", "missing": "?"}


def _tables(properties: dict[str, Any]) -> Iterator[Table]:
    words = {tested.name: tested.words for tested in PROPERTIES}
    found = properties["properties"]
    lines: list[list[CellValue]] = []
    examples: list[list[CellValue]] = []
    for name, described in found.items():
        marks = []
        for metric, result in described["metrics"].items():
            verdict, example = result["verdict"], result["example"]
            marks.append(f"{_SIGNS[verdict]} {result[verdict]:,}" if verdict in _SIGNS else "")
            if example is not None:
                examples.append([name, metric, _example(example)])
        lines.append([name, words[name], described["cases"], *marks])
    headings = [*plain_headings("property"), Heading("words", "what must hold")]
    headings.append(Heading("cases", "cases", kind="number"))
    headings += plain_headings(*next(iter(found.values()))["metrics"])
    yield make_table("properties", "", headings, [lines])
    if examples:
        headings = plain_headings("property", "metric")
        headings.append(Heading("example", "a smallest counterexample"))
        yield make_table("examples", "", headings, [examples])


def _example(example: dict[str, Any]) -> str:
    """The documents of a case and their F1, e.g. `{ab} / {b}: 2/3, but {ab} / {b} {a}: 4/9`."""
    parts = []
    for side in ("a", "b"):
        if example[side] is not None:
            value = example[f"f1 {side}"]
            parts.append(f"{'; '.join(example[side])}: {'no value' if value is None else value}")
    return ", but ".join(parts)


def _notes(properties: dict[str, Any]) -> Iterator[str]:
    yield (
        f"All overlaps of up to {properties['mentions']} mentions; F1. ✗: broken so often; =: "
        "equal where it should be worse, never\nreversed; ?: no value; blank: holds in all cases."
    )
    if properties["floats"]:
        yield f"floats, compared with 1e-12: {', '.join(properties['floats'])}"
    for metric, text in properties["depends_on_order"].items():
        yield f"{metric} depends on the order of entities: {text}"
