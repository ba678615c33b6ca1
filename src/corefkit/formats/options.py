"""What can be said about reading files of one format, and how it is said: `--read NAME=VALUE`.

A name means the same in all formats that know it; `Format.options` lists the names that a format
knows. Python takes them as keywords.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import isfinite
from typing import Any, Literal, NamedTuple

from corefkit.core.options import (
    PLAIN,
    POLICIES,
    Reading,
    Readings,
    UsageError,
    choose,
    did_you_mean,
)
from corefkit.core.texts import decimal_text, texts_of


class ReadOption(NamedTuple):
    """An option of reading.

    Attributes:
        help: what it does.
        example: a value.
        kind: the type of its value; a "list" is written with commas, a "flag" as yes or no.
        values: the values that can be chosen; empty: any value.
        formats: the formats that know it, in the words of the help.
        metavar: the placeholder of the value in the help.
        responses: whether it is meant for responses, so that nothing is reported if the format of
            the key does not know it.
    """

    help: str
    example: str
    kind: Literal["text", "list", "number", "decimal", "flag"] = "text"
    values: tuple[str, ...] = ()
    formats: str = ""
    metavar: str | None = None
    responses: bool = False


OPTIONS = {
    "clusters": ReadOption(
        "the field that contains the clusters.",
        "predicted_clusters",
        formats="JSON",
        metavar="FIELD",
    ),
    "ends": ReadOption(
        "whether spans include their last token, if a file differs from its dialect.",
        "exclusive",
        values=("inclusive", "exclusive"),
        formats="JSON, link lists",
    ),
    "threshold": ReadOption(
        "keep links with a score of at least P, and those without a score.",
        "0.5",
        "decimal",
        formats="Link lists",
        metavar="P",
        responses=True,
    ),
    "best": ReadOption(
        "keep only the highest-scoring link of each anaphor.",
        "yes",
        "flag",
        formats="Link lists",
        responses=True,
    ),
    "unlinked": ReadOption(
        "whether to keep mentions that lose all their links.  [default: keep]",
        "drop",
        values=("keep", "drop"),
        formats="Link lists",
        responses=True,
    ),
    "layer": ReadOption(
        "the annotation layer to read.", "deixis", formats="WebAnno, CoNLL-UA", metavar="NAME"
    ),
    "relations": ReadOption(
        "the relations that mean identity.",
        "Coreference,Ident",
        "list",
        formats="brat",
        metavar="NAME,…",
    ),
    "mentions": ReadOption(
        "the types that count as mentions.",
        "Mention,Pronoun",
        "list",
        formats="brat",
        metavar="TYPE,…",
    ),
    "types": ReadOption(
        "the links that mean identity.",
        "IDENT",
        "list",
        formats="WebAnno, SGML",
        metavar="TYPE,…",
    ),
    "text_field": ReadOption(
        "the field that contains the marked-up text.",
        "answer",
        formats="JSON answers",
        metavar="FIELD",
        responses=True,
    ),
    "lenient": ReadOption(
        "drop broken marks, with a warning for each.",
        "yes",
        "flag",
        formats="Mark-up",
        responses=True,
    ),
    "word_column": ReadOption(
        "the column of the words, counted from 1.",
        "4",
        "number",
        formats="Columns",
        metavar="N",
    ),
    "annotator": ReadOption(
        "whose annotation to read; FILE#NAME specifies it for one file.",
        "anna",
        formats="Projects, Label Studio",
        metavar="NAME",
    ),
    "unfinished": ReadOption(
        "what to do with documents that an annotator has not finished.  [default: keep; drop where "
        "a gold version is made]",
        "drop",
        values=("keep", "drop", "error"),
        formats="Projects",
    ),
    "optional": ReadOption(
        "whether to read mentions with STATUS=OPT.  [default: keep]",
        "drop",
        values=("keep", "drop"),
        formats="MUC",
    ),
    "unit": ReadOption(
        "the unit of offsets, if the file does not specify it.",
        "character",
        values=("token", "character"),
        formats="KBP, link lists",
    ),
    "extent": ReadOption(
        "whether to read whole mentions or their heads.  [default: full]",
        "head",
        values=("full", "head"),
        formats="ACE",
    ),
    "text": ReadOption(
        "the folder of the texts.  [default: ../docs]", "texts", formats="i2b2", metavar="FOLDER"
    ),
    "concepts": ReadOption(
        "the folder of the concept files.  [default: ../concepts]",
        "concepts",
        formats="i2b2",
        metavar="FOLDER",
    ),
    "columns": ReadOption(
        "the names of columns, each as one of ours with the one in the file.",
        "entity=cluster,mention=token_id",
        "list",
        formats="Tables",
        metavar="NAME=COLUMN,…",
    ),
    "missing": ReadOption(
        "texts in cells, or ids in brackets, that mean none.",
        "NA",
        "list",
        formats="Tables, columns",
        metavar="TEXT,…",
    ),
}
"""The options of reading, by name; those with no value given are absent from `Reading.options`."""

_FIELDS = ("format", "role", "max_size", "ids", "one_of_two", "all_columns", "token_columns")
"""The fields of Reading, which every format has."""
KEYWORDS = ("format", *(name for name in OPTIONS if name != "missing"), "max_size")
"""The keywords of `score` and so on, where `missing` is the policy for missing documents."""


def make_reading(reading: Reading = PLAIN, **how: Any) -> Reading:
    """A reading with some fields changed; UsageError for unknown keywords, values and formats.

    >>> make_reading(clusters="predicted_clusters", relations="Coref,Ident").get("relations")
    ('Coref', 'Ident')
    """
    fields, options = dict[str, Any](), {**reading.options}
    for name, value in how.items():
        if name in OPTIONS:
            options[name] = _checked(name, value, OPTIONS[name])
        elif name in _FIELDS:
            fields[name] = _checked_field(name, value)
        else:
            known = ", ".join(sorted(KEYWORDS))
            raise UsageError(f"{name}: unknown keyword; choose from {known}")
    if fields.get("format"):
        from corefkit.formats.registry import get_format

        get_format(fields["format"])
    given = {n: v for n, v in options.items() if v is not None and v is not False and v != ()}
    return replace(reading, **fields, options=given)


def _checked_field(name: str, value: Any) -> Any:
    if name == "role":
        choose(name, value, ("key", "response"))
    elif name == "format" and not isinstance(value, str | None):
        raise TypeError(f"{name} must be a string, not {value!r:.60}")
    elif name == "max_size" and value is not None:
        _check_number(name, value)
    return value


def _check_number(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} must be a whole number, not {value!r:.60}")
    if value < 1:
        raise UsageError(f"{name}: {value} is not a positive whole number")


def _checked(name: str, value: Any, option: ReadOption) -> Any:
    """A value in the form that readers expect; UsageError or TypeError if it does not fit."""
    if value is None:
        return None
    if option.values:
        choose(name, value, option.values)
    elif option.kind == "text" and not isinstance(value, str):
        raise TypeError(f"{name} must be a string, not {value!r:.60}")
    elif option.kind == "number":
        _check_number(name, value)
    elif option.kind == "decimal":
        return _decimal(name, value)
    elif option.kind == "list":
        if isinstance(value, Mapping):
            value = [f"{ours}={theirs}" for ours, theirs in value.items()]
        listed = value.split(",") if isinstance(value, str) else texts_of(name, value)
        return tuple(item.strip() for item in listed if item.strip())
    return value


def _decimal(name: str, value: Any) -> float:
    """The value as a finite number; UsageError if it is not one."""
    try:
        number = float("nan" if isinstance(value, bool) else value)
    except (TypeError, ValueError):
        number = float("nan")
    if not isfinite(number):
        raise UsageError(f"{name}: {str(value)!r:.60} is not a number")
    return number


class SidedOptions(NamedTuple):
    """Options of reading by name: for both sides, and for the key or the responses alone."""

    both: dict[str, Any]
    key: dict[str, Any]
    response: dict[str, Any]


def parse_options(texts: Iterable[str]) -> SidedOptions:
    """The options in texts such as "clusters=gold" or "response:threshold=0.5".

    Raises UsageError for unknown names and bad values.

    >>> parse_options(["ends=exclusive", "key:clusters=gold"])
    SidedOptions(both={'ends': 'exclusive'}, key={'clusters': 'gold'}, response={})
    """
    parsed = SidedOptions({}, {}, {})
    for text in texts:
        said, equals, value = text.partition("=")
        side, colon, name = said.rpartition(":")
        if colon and side not in ("key", "response"):
            raise UsageError(f"read: {text!r:.60}: a side is key or response, not {side!r:.60}")
        name = name.strip().replace("-", "_")
        if name not in OPTIONS:
            near = did_you_mean(name, OPTIONS) or f"; choose from {', '.join(OPTIONS)}"
            raise UsageError(f"read: unknown option {name!r:.60}{near}")
        if not equals:
            example = f"{name.replace('_', '-')}={OPTIONS[name].example}"
            raise UsageError(f"read: {text!r:.60} has no value; write e.g. {example}")
        options: dict[str, Any] = getattr(parsed, side or "both")
        if name in options:
            raise UsageError(f"read: {name} is given twice")
        options[name] = _value(name, value)
    return parsed


def _value(name: str, text: str) -> Any:
    """The value that a text means; UsageError if it means none."""
    option = OPTIONS[name]
    if option.kind == "flag":
        choose(f"read: {name}", text, ("yes", "no"))
        return text == "yes"
    if option.kind == "number":
        if not (text.isascii() and text.isdigit()):
            raise UsageError(f"read: {name}: {text!r:.60} is not a positive whole number")
        return int(text)
    return text


_OF_LINKS = ("threshold", "best", "unlinked")
_FOLDERS = ("text", "concepts")


def reading_texts(readings: Readings) -> tuple[str, ...]:
    """What was chosen for reading, as --read has it, for signatures; `parse_options` reads it.

    Left out are the choices of links of both sides, which `links_text` has, a layer that is a
    policy, and folders, which are files as key and response are.

    >>> reading_texts(readings_of({"mentions": "Name,Pronoun", "read": ["key:clusters=gold"]}))
    ('mentions=Name,Pronoun', 'key:clusters=gold')
    """
    key, response = (_texts_of(reading) for reading in readings)
    if key.get("layer") in POLICIES["layer"]:
        policy = key.pop("layer")
        if response.get("layer") == policy:
            del response["layer"]
    both = {name: text for name, text in key.items() if response.get(name) == text}
    listed = [f"{name}={text}" for name, text in both.items() if name not in _OF_LINKS]
    for side, given in (("key", key), ("response", response)):
        own = given.items() - both.items()
        names = (name for name, _ in sorted(own) if side == "key" or name not in _OF_LINKS)
        listed += [f"{side}:{name}={given[name]}" for name in names]
    return tuple(listed)


def _texts_of(reading: Reading) -> dict[str, str]:
    """The options of a reading that can move a score, as --read has them."""
    return {
        name.replace("_", "-"): _written(value)
        for name, value in sorted(reading.options.items())
        if name not in _FOLDERS
    }


def _written(value: Any) -> str:
    """The text that means a value."""
    if isinstance(value, tuple):
        return ",".join(value)
    if isinstance(value, float):
        return decimal_text(value)
    return "yes" if value is True else str(value)


def with_texts(readings: Readings, texts: Iterable[str]) -> Readings:
    """The readings with the options of such texts, unless they have others of the same name."""
    sided = parse_options(texts)
    key, response = (
        make_reading(reading, **{**sided.both, **own, **reading.options})
        for reading, own in zip(readings, (sided.key, sided.response), strict=True)
    )
    return Readings(key, response)


def split_readings(options: dict[str, Any]) -> Readings:
    """Remove the reading options, for both sides or one of them, from a dict; return Readings.

    `read`, if present, are texts in the form of `parse_options`.
    """
    sided = parse_options(options.pop("read", None) or ())
    both = {name: options.pop(name) for name in KEYWORDS if name in options}
    for name in sided.both.keys() & both.keys():
        raise UsageError(f"read: {name} is given twice")
    formats = {side: options.pop(f"{side}_format", None) for side in ("key", "response")}
    key, response = (
        make_reading(
            role=side,
            one_of_two=True,
            **both | sided.both | own | ({"format": formats[side]} if formats[side] else {}),
        )
        for side, own in (("key", sided.key), ("response", sided.response))
    )
    return Readings(key, response)


def readings_of(how: Mapping[str, Any]) -> Readings:
    """The readings of two sides from keywords, all of which must be reading options."""
    options = {**how}
    readings = split_readings(options)
    for name in options:
        known = ", ".join(sorted(KEYWORDS))
        raise UsageError(f"{name}: unknown keyword; choose from {known}")
    return readings
