"""Incidents of one layer of a CoNLL-UA file."""

from typing import Any

from corefkit.formats.trouble import Trouble


class LayerTrouble:
    """Notes what is wrong in one column, by the byte and the number of the document."""

    def __init__(self, trouble: Trouble, column: str, names: tuple[str, ...]) -> None:
        self._trouble, self._column, self._names = trouble, column, names
        self.found = trouble.found

    def tell(self, kind: str, byte: int, document: int, variant: str = "", **details: Any) -> None:
        """An incident at a byte; the message may name the layer."""
        name = self._names[document]
        self._trouble.byte(kind, byte, variant, layer=self._column, document=name, **details)

    def line_of(self, byte: int) -> int:
        """The line of a byte, from 1."""
        return self._trouble.line_of(byte) + 1
