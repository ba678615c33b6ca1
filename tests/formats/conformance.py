"""The conformance data of the formats, and what of it is read so far."""

import json
from functools import cache
from typing import Any

from corefkit.formats import registry
from tests.support import CONFORMANCE

FOLDER = CONFORMANCE / "formats"

NOT_YET = {
    "spacy",
    *("gap", "ontonotes", "muc"),
    *("doccano", "label-studio", "xmi", "mmax2", "ecbplus", "tei"),
}
"""The formats of detect.json that are not read yet; a reader that is added must leave this list,
and so be checked."""


@cache
def load(name: str) -> Any:
    """One of the files of expectations; nothing where the data is missing and tests are skipped."""
    path = FOLDER / name
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def is_read(format: str) -> bool:
    """Whether files of the format are read."""
    return format not in NOT_YET


def known() -> set[str]:
    """The formats of the registry that detect.json has."""
    return set(registry.names()) & set(load("detect.json").values())
