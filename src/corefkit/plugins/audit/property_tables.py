"""The properties of metrics as a table, with the smallest counterexamples."""

from collections.abc import Iterator

import click

from corefkit.cli.commands import CheckedCommand
from corefkit.cli.output import write_output
from corefkit.core.texts import versioned_json
from corefkit.plugins.audit.properties import (
    PROPERTIES,
    Properties,
    PropertyResult,
    known_properties,
)
from corefkit.render.table import (
    CellValue,
    Heading,
    Table,
    make_table,
    plain_headings,
    render_table,
)


@click.command("properties", cls=CheckedCommand, hidden=True)
@click.argument("names", nargs=-1)
@click.option("--mentions", type=int)
@click.option("--output")
@click.option("--form")
def command(names: tuple[str, ...], mentions: int, output: str | None, form: str) -> None:
    """What `corefkit metrics --properties` shows."""
    results = known_properties(names, mentions)
    write_output(lambda bold: render_properties(results, form), output)


def render_properties(properties: Properties, form: str = "text") -> str:
    """The properties as text, JSON or Markdown."""
    if form == "json":
        return versioned_json(properties.to_dict())
    parts = [render_table(table, form).rstrip("\n") for table in _tables(properties)]
    return "\n\n".join([*parts, *_notes(properties)]) + "\n"


def _tables(properties: Properties) -> Iterator[Table]:
    words = {tested.name: tested.words for tested in PROPERTIES}
    headings = [*plain_headings("property"), Heading("words", "what must hold")]
    headings += [Heading("cases", "cases", kind="number"), *plain_headings(*properties.metrics)]
    lines: list[list[CellValue]] = []
    for name, results in properties.results.items():
        cases = next(iter(results.values())).cases
        marks = [results[metric].mark for metric in properties.metrics]
        lines.append([name, words[name], cases, *marks])
    yield make_table("properties", "", headings, [lines])
    examples = [
        [name, metric, _example(result)]
        for name, results in properties.results.items()
        for metric, result in results.items()
        if result.example is not None
    ]
    if examples:
        headings = plain_headings("property", "metric")
        headings.append(Heading("example", "a smallest counterexample"))
        yield make_table("examples", "", headings, [examples])


def _example(result: PropertyResult) -> str:
    """The documents of a case and their F1, e.g. `{ab} / {b}: 2/3, but {ab} / {b} {a}: 4/9`."""
    assert result.example is not None
    parts = []
    for documents, value in zip(result.example, result.f1, strict=True):
        if documents is not None:
            texts = "; ".join(documents)
            parts.append(f"{texts}: {'no value' if value is None else value}")
    return ", but ".join(parts)


def _notes(properties: Properties) -> Iterator[str]:
    yield (
        f"All overlaps of up to {properties.mentions} mentions; F1. ✗: broken so often; =: equal "
        "where it should be worse, never\nreversed; ?: no value; blank: holds in all cases."
    )
    if properties.floats:
        yield f"floats, compared with 1e-12: {', '.join(properties.floats)}"
    for metric, text in properties.ordered.items():
        yield f"{metric} depends on the order of entities: {text}"
