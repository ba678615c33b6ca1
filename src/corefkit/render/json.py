"""The JSON of `corefkit score`: nothing rounded, nothing left out."""

import json
from typing import Any

from corefkit._version import __version__
from corefkit.profiles.signature import signature
from corefkit.scoring.run import Report, System


def render_json(report: Report, by: str | None, bold: bool) -> str:
    """The report as one JSON object."""
    del bold
    return json.dumps(report_dict(report, by), indent=1, ensure_ascii=False) + "\n"


def report_dict(report: Report, by: str | None = None) -> dict[str, Any]:
    """The report as plain dicts and lists."""
    key = report.key.size
    return {
        "version": __version__,
        "signature": signature(report.options),
        "key": {
            "path": report.key.path,
            "documents": key.documents,
            "mentions": key.mentions,
            "entities": key.entities,
        },
        "systems": [_system(system, by) for system in report.systems],
        "incidents": [incident.to_dict() for incident in report.incidents],
    }


def _system(system: System, by: str | None) -> dict[str, Any]:
    scores = system.scores
    groups = scores.by(by) if scores and by else {}
    return {
        "name": system.name,
        "path": system.path,
        "scores": scores.to_dict() if scores else None,
        "groups": {group: {"scores": part.to_dict()} for group, part in groups.items()},
        "documents": system.documents,
        "mentions": system.mentions,
        "entities": system.entities,
    }
