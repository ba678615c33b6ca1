"""Several settings of one run: one block each, in JSON one object each."""

from collections.abc import Mapping

from corefkit.data.texts import versioned_json
from corefkit.render import render
from corefkit.render.report import report_dict
from corefkit.render.tables import DELIMITED
from corefkit.scoring.report import Report

_HEADING = {"text": "setting: {}\n", "markdown": "### {}\n\n", "latex": "% setting: {}\n"}


def render_settings(
    settings: Mapping[str, Report], form: str, by: str | None = None, *, bold: bool = False
) -> str:
    """The reports one after the other, each under its setting and with its own signature."""
    if form == "json":
        objects = [
            {"setting": name, **report_dict(report, by)} for name, report in settings.items()
        ]
        return versioned_json({"settings": objects})
    blocks = [(name, render(report, form, by, bold=bold)) for name, report in settings.items()]
    if form in DELIMITED:
        mark = DELIMITED[form]
        lines = [f"setting{mark}{blocks[0][1].splitlines()[0]}"]
        for name, block in blocks:
            lines += [f"{name}{mark}{line}" for line in block.splitlines()[1:]]
        return "\n".join(lines) + "\n"
    heading = _HEADING.get(form, "")
    return "\n".join(heading.format(name) + block for name, block in blocks)
