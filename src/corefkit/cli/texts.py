"""The texts of the older scorers, -f conll and -f corefud: what can be asked of them."""

from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING

import click

from corefkit.data.options import Options

if TYPE_CHECKING:
    from corefkit.scoring.report import Report


def options_for(
    form: str, options: Options, responses: tuple[str, ...], by: str | None, *, asked: bool
) -> Options:
    """The options with which a text of that form is made; a usage error where it has no room.

    Such a text is about one response, has no groups and only the metrics of its scorer; `asked`
    says that the metrics were chosen by the user. That of the reference scorer always has mentions.
    """
    module = import_module(f"corefkit.render.{form}")
    if len(responses) > 1:
        raise click.UsageError(f"-f {form} takes one RESPONSE")
    if by:
        raise click.UsageError(f"-f {form} has no groups: leave out --by")
    known = (*module.METRICS, *(("mentions",) if form == "conll" else ()), "conll")
    only = f"-f {form} prints only {', '.join(module.METRICS)}"
    if asked and (unknown := [name for name in options.metrics if name not in known]):
        raise click.UsageError(f"{only}, not {unknown[0]}")
    if form != "conll":
        return options
    metrics = tuple(name for name in options.metrics if name in module.METRICS)
    if not metrics:
        raise click.UsageError(only)
    return replace(options, metrics=("mentions", *metrics))


def refused_by_reference(report: "Report") -> bool:
    """Whether the reference scorer stops in the middle; said as the original says it."""
    from corefkit.render.conll import REFUSAL, refused

    if refused(report):
        click.echo(REFUSAL, err=True)
        return True
    return False
