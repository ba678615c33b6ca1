"""The keywords of `score` besides its own, for type checkers: they see a misspelt name or value."""

from collections.abc import Iterable
from typing import Literal, TypedDict


class ScoreChoices(TypedDict, total=False):
    """The policies of `corefkit.data.options.POLICIES`, then how files are read."""

    match: Literal["exact", "partial", "head", "craft", "mina", "semeval", "min"]
    zeros: Literal["dependent", "linear", "keep", "drop"]
    ties: Literal["first", "scipy"]
    split: Literal["keep", "drop", "only"]
    heads: Literal["file", "tree"]
    singletons: Literal["keep", "drop", "e2e"]
    duplicates: Literal[
        "first",
        "listed",
        "coval",
        "arrau",
        "reference",
        "corefud",
        "corefud-1.1",
        "ua",
        "ua-1",
        "error",
    ]
    blanc: Literal["key", "either"]
    missing: Literal["empty", "skip", "error"]
    extra: Literal["ignore", "error"]
    pair: Literal["names", "exact"]
    align: Literal["auto", "characters", "crac", "never"]
    unaligned: Literal["count", "drop"]
    lengths: Literal["error", "ignore"]
    ids: Literal["any", "digits"]
    glued: Literal["all", "last"]
    words: Literal["ignore", "compare", "error"]

    format: str | None
    key_format: str | None
    response_format: str | None
    clusters: str | None
    ends: Literal["inclusive", "exclusive"] | None
    layer: str | None
    relations: str | Iterable[str]
    mentions: str | Iterable[str]
    types: str | Iterable[str]
    lenient: bool
    word_column: int | None
    annotator: str | None
    optional: Literal["keep", "drop"]
    max_size: int | None
