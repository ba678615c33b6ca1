"""What is wrong on a line of a text, before it is known which file it is from."""


class LineError(ValueError):
    """A text that cannot be read, and the line (from 1) on which that shows."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"line {line}: {what}")
        self.line, self.what = line, what
