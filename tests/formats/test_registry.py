"""The registry of formats, and what docs/formats.md says of it."""

import re
from contextlib import suppress

from corefkit import formats
from corefkit.core.options import UsageError
from corefkit.formats import registry
from tests.support import ROOT


def test_the_table_of_endings_is_that_of_the_registry() -> None:
    text = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.*) \| (.*) \|$", text.partition("| extension | format |")[2], re.M)[
        :7
    ]
    stated: dict[str, str] = {}
    for endings, listed in rows:
        names = re.findall(r"`([\w-]+)`", listed)
        suffixes = re.findall(r"`([._]\w+)`", endings)
        stated |= dict(zip(suffixes, names if len(names) > 1 else names * 3, strict=False))
    known = {s for n in registry.format_names() for s in registry.get_format(n).suffixes}
    written = {}
    for suffix in known:
        with suppress(UsageError):
            written[suffix] = registry.format_by_ending(f"x{suffix}").name
    assert stated == {suffix: name for suffix, name in written.items() if suffix.islower()}


def test_other_packages_ask_for_no_format_by_name() -> None:
    """They ask what a Format can; three formats have columns, trees and traces to work on."""
    inside = ROOT / "src" / "corefkit"
    known = "conll|conllu|ontonotes|format|kit|options|registry|table"
    allowed = rf"from corefkit\.formats\.(?:{known})\b"
    found = []
    for path in inside.rglob("*.py"):
        name = str(path.relative_to(inside))
        if name.startswith("formats") or name == "_lazy.py":  # former names
            continue
        for line in path.read_text(encoding="utf-8").splitlines():
            wrong = re.search(r"\bformat\.name\b|\bcorefkit\.formats\.\w", line)
            if wrong and not re.search(allowed, line) and name != "__init__.py":
                found.append(f"{name}: {line.strip()}")
    assert not found


def test_all_names_of_the_package_exist() -> None:
    for name in formats.__all__:
        assert getattr(formats, name) is not None
