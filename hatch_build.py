"""What the build derives: the version, the README as a package index shows it, pages for `help`.

The version is that of `_version.py`. A commit with its tag is the release; any other commit is a
development version that counts the commits and names the last one, whatever tags a clone has.

An index knows nothing of the files beside the README. Its relative links become links to the
project's address, where `_version.py` has one; without one they become plain text, and pictures
are left out.
"""

import re
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?![a-z]+:|#)([^)\s]+)\)")


_ROOT = Path(__file__).resolve().parent
_NEXT = re.compile(r'^NEXT = "(\d+\.\d+\.\d+)"$', re.MULTILINE)
_ADDRESS = re.compile(r'^ADDRESS = "(.*)"$', re.MULTILINE)


def version(root: Path = _ROOT) -> str:
    """The version of these sources; an sdist carries its own along."""
    metadata = root / "PKG-INFO"
    if metadata.exists():
        lines = metadata.read_text(encoding="utf-8").splitlines()
        return next(line.split()[1] for line in lines if line.startswith("Version:"))
    named = _NEXT.search(_said(root))
    assert named, "src/corefkit/_version.py names no version"
    release = named[1]
    if not (root / ".git").exists() or not (commit := _git(root, "rev-parse", "--short=9", "HEAD")):
        return f"{release}.dev0"
    changed = _git(root, "status", "--porcelain", "--untracked-files=no")
    if f"v{release}" in _git(root, "tag", "--points-at", "HEAD").split() and not changed:
        return release
    return f"{release}.dev{_git(root, 'rev-list', '--count', 'HEAD')}+g{commit}"


def addresses(root: Path = _ROOT) -> dict[str, str]:
    """The project URLs by their names; none where there is no address yet."""
    named = _ADDRESS.search(_said(root))
    address = named[1].rstrip("/") if named else ""
    pages = {"Source": "", "Issues": "/issues", "Changelog": "/blob/main/CHANGELOG.md"}
    return {name: f"{address}{path}" for name, path in pages.items() if address}


def _said(root: Path) -> str:
    return (root / "src/corefkit/_version.py").read_text(encoding="utf-8")


def _git(root: Path, *arguments: str) -> str:
    """What git prints; nothing where it fails or is not installed."""
    try:
        command = ["git", "-C", str(root), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:
        return ""


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
    """Puts the README and the addresses into the metadata of the package."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the fields `readme` and `urls`."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        urls = addresses(Path(self.root))
        if urls:
            metadata["urls"] = urls
        shown = long_description(text, f"{urls['Source']}/blob/main" if urls else None)
        metadata["readme"] = {"content-type": "text/markdown", "text": shown}


DEMO = ("key.conll", "careful.conll", "hasty.conll")


class PagesHook(BuildHookInterface[Any]):
    """Puts the pages of `corefkit help` and the files of `corefkit demo` into the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the files that go along; an editable package has them in its checkout."""
        for page in sorted((Path(self.root) / "docs").glob("*.md")):
            build_data["force_include"][str(page)] = f"corefkit/docs/{page.name}"
        for name in DEMO:
            if (path := Path(self.root) / "examples" / name).exists():
                build_data["force_include"][str(path)] = f"corefkit/examples/{name}"
