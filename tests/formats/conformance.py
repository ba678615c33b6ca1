"""The conformance data of the formats."""

import json
from functools import cache
from typing import Any

from corefkit.formats import registry
from tests.support import CONFORMANCE

FOLDER = CONFORMANCE / "formats"


@cache
def load(name: str) -> Any:
    """One of the files of expectations; nothing where the data is missing and tests are skipped."""
    path = FOLDER / name
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def known() -> set[str]:
    """The formats of the registry that detect.json has."""
    return set(registry.format_names()) & set(load("detect.json").values())
