"""Incidents of one CorefUD file."""

from typing import Any

from corefkit.formats import trouble
from corefkit.formats.conllu.lines import Lines


class Trouble(trouble.Trouble):
    """Incidents that show the line where they show nothing else."""

    def __init__(self, path: str, lines: Lines) -> None:
        super().__init__(path, lines.data, lines.start)
        self._lines = lines

    def line(self, kind: str, line: int, variant: str = "", **details: Any) -> None:
        """An incident of a line; `found` is the line itself where nothing else is given."""
        if details.get("found") is None and not self.found.full(kind):
            details["found"] = self._lines.text(line)
        super().line(kind, line, variant, **details)
