"""What is wrong on a line of a text, before it is known which file it is from."""

from typing import Any


class LineError(ValueError):
    """A text that cannot be read, and the line (from 1) on which that shows.

    `variant` and `values` make the message of the incident that becomes of it.
    """

    def __init__(self, line: int, variant: str, **values: Any) -> None:
        super().__init__(f"line {line}: {variant}")
        self.line, self.variant, self.values = line, variant, values
