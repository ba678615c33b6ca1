"""corefkit diff: the differences between two results, in how they were made and in scores."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import click

from corefkit.cli.commands import CheckedCommand
from corefkit.cli.options import format_option, output_option
from corefkit.cli.output import print_message, write_output
from corefkit.core.options import UsageError
from corefkit.core.texts import to_json
from corefkit.render.table import make_table, plain_headings


@click.command("diff", cls=CheckedCommand)
@click.argument("first", metavar="SIGNATURE-OR-JSON")
@click.argument("second", metavar="SIGNATURE-OR-JSON")
@format_option(["text", "json"])
@output_option
def command(first: str, second: str, form: str, output: str | None) -> None:
    """Compare how two results were made: signatures, or JSON files of `corefkit score`.

    Shows every part of the signatures that differs; for two JSON files also the scores that
    differ, system by system.

    \b
    Example:
      corefkit diff old.json new.json
    """
    results = [_result(argument) for argument in (first, second)]
    content = {"settings": _settings(results), "scores": _scores(results)}
    write_output(lambda bold: to_json(content) if form == "json" else _text(content), output)


def _result(argument: str) -> dict[str, Any]:
    """The content of a result file; a signature counts as a result without scores."""
    if not os.path.isfile(argument):  # noqa: PTH113 (a Path raises for what is too long a name)
        if ":" not in argument:
            raise click.UsageError(f"{argument!r} is neither a file nor a signature")
        return {"signature": argument}
    try:
        result = json.loads(Path(argument).read_text("utf-8"))
        if isinstance(result, dict) and isinstance(result.get("signature"), str):
            return result
        reason = "it has no signature"
    except (OSError, ValueError) as error:
        reason = str(error)
    except RecursionError:
        reason = "it is nested too deeply"
    print_message(f"{argument}: error: not a result of `corefkit score -f json`: {reason}")
    sys.exit(1)


def _settings(results: list[dict[str, Any]]) -> dict[str, list[str | None]]:
    """The values of each part in which the signatures differ; None if one lacks the part."""
    parts = [_parts(result["signature"]) for result in results]
    values = {name: [part.get(name) for part in parts] for name in parts[0] | parts[1]}
    return {name: pair for name, pair in values.items() if pair[0] != pair[1]}


def _parts(text: str) -> dict[str, str]:
    """The parts of a signature by name, with those that a short or older signature leaves out."""
    from corefkit.scorers.signature import parse_signature, signature

    named = dict(part.strip().partition(":")[::2] for part in text.split("|"))
    try:
        full = signature(parse_signature(text)[0])
    except UsageError:
        return named
    return dict(part.partition(":")[::2] for part in full.split("|")) | named


def _scores(results: list[dict[str, Any]]) -> dict[str, dict[str, list[float]]]:
    """The two F1 of each system and metric in which the results differ, if both have it."""
    try:
        figures = [
            {
                (system["name"], metric): float(score["f1"])
                for system in result.get("systems", ())
                for metric, score in (system["scores"] or {}).items()
            }
            for result in results
        ]
    except (AttributeError, KeyError, TypeError, ValueError):
        click.echo("error: a file is not a result of `corefkit score -f json`", err=True)
        sys.exit(1)
    differences: dict[str, dict[str, list[float]]] = {}
    for (system, metric), first in figures[0].items():
        second = figures[1].get((system, metric), first)
        if first != second:
            differences.setdefault(system, {})[metric] = [first, second]
    return differences


def _text(content: dict[str, Any]) -> str:
    from corefkit.render.text import render_text

    settings, scores = content["settings"], content["scores"]
    if settings:
        headings = plain_headings("setting", "first", "second")
        pairs = {n: [v if v is not None else "(not given)" for v in p] for n, p in settings.items()}
        lines = [[name, *pair] for name, pair in pairs.items()]
        text = render_text(make_table("settings", "", headings, [lines]))
    else:
        text = "The two were made in the same way.\n"
    if scores:
        headings = plain_headings("system", "metric")
        headings += plain_headings("first", "second", kind="score")
        headings += plain_headings("difference", kind="change")
        lines = [
            [system, metric, a, b, b - a]
            for system, metrics in scores.items()
            for metric, (a, b) in metrics.items()
        ]
        text += "\n" + render_text(make_table("scores", "", headings, [lines]))
    return text
