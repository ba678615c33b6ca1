"""The README as a package index shows it.

An index knows nothing of the files beside the README. Its relative links become links to the
project's address, where there is one under `Source` in the project URLs; without one they become
plain text, and pictures are left out.
"""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?![a-z]+:|#)([^)\s]+)\)")


def long_description(text: str, source: str | None) -> str:
    """The text without relative links; `source` is the address that files are found below."""

    def absolute(link: re.Match[str]) -> str:
        picture, title, path = link.groups()
        if source:
            return f"{picture}[{title}]({source.rstrip('/')}/{path})"
        return "" if picture else title

    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    shown = "".join(p if p.startswith("```") else _LINK.sub(absolute, p) for p in parts)
    return re.sub(r"\n{3,}", "\n\n", shown)


class ReadmeHook(MetadataHookInterface):
    """Puts the README into the metadata of the package."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the field `readme`."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        shown = long_description(text, metadata.get("urls", {}).get("Source"))
        metadata["readme"] = {"content-type": "text/markdown", "text": shown}
