"""corefkit diff: how two results were made differently, and how they differ."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import click

from corefkit.cli.commands import CheckedCommand
from corefkit.cli.options import format_option, output_option
from corefkit.cli.output import say, write_output
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
    """A result file, or a signature as if it were one."""
    if not os.path.isfile(argument):  # noqa: PTH113 (a Path raises for what is too long a name)
        if ":" not in argument:
            raise click.UsageError(f"{argument!r} is neither a file nor a signature")
        return {"signature": argument}
    try:
        result = json.loads(Path(argument).read_text("utf-8"))
        if isinstance(result, dict) and isinstance(result.get("signature"), str):
            return result
        reason = "it has no signature"
    except (OSError, ValueError) as problem:
        reason = str(problem)
    except RecursionError:
        reason = "it is nested too deeply"
    say(f"{argument}: error: not a result of `corefkit score -f json`: {reason}")
    sys.exit(1)


def _settings(results: list[dict[str, Any]]) -> dict[str, list[str | None]]:
    """The parts of the signatures that differ; a part that one lacks is None there."""
    parts = [_parts(result["signature"]) for result in results]
    values = {name: [part.get(name) for part in parts] for name in parts[0] | parts[1]}
    return {name: pair for name, pair in values.items() if pair[0] != pair[1]}


def _parts(text: str) -> dict[str, str]:
    """The parts of a signature, by name; of a short or an older one also what it leaves out."""
    from corefkit.scorers.signature import parse_signature, signature

    named = dict(part.strip().partition(":")[::2] for part in text.split("|"))
    try:
        whole = signature(parse_signature(text)[0])
    except UsageError:
        return named
    return dict(part.partition(":")[::2] for part in whole.split("|")) | named


def _scores(results: list[dict[str, Any]]) -> dict[str, dict[str, list[float]]]:
    """F1 of the systems and metrics that both have, where it differs."""
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
    differ: dict[str, dict[str, list[float]]] = {}
    for (system, metric), value in figures[0].items():
        other = figures[1].get((system, metric), value)
        if value != other:
            differ.setdefault(system, {})[metric] = [value, other]
    return differ


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
