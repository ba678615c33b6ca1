"""Doctests as blocks of code: an extension of Griffe, which reads docstrings for the site."""

import re
from typing import Any

import griffe

_DOCTEST = re.compile(r"^( *)>>> .*?(?=\n[ ]*\n(?! *>>> )|\Z)", re.MULTILINE | re.DOTALL)


class Fences(griffe.Extension):
    """Puts fences around doctests, which Markdown would take for quotations."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        """Change the docstring of anything that has one."""
        if obj.docstring:
            obj.docstring.value = fence(obj.docstring.value)


def fence(text: str) -> str:
    """The text with a fence around each doctest, which ends at an empty line."""
    fences = "`" * 3
    return _DOCTEST.sub(lambda found: f"{fences}pycon\n{found[0].rstrip()}\n{fences}", text)
