"""What can be said about reading files of one format, and how it is said: `--read NAME=VALUE`.

`Format.options` are those that a format knows. What several formats know is declared here, what
only one knows in its module; the table of formats says where. Python takes the names as keywords.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from math import isfinite
from typing import Any, Literal, NamedTuple

from corefkit.core.entry_points import find, installed
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
from corefkit.formats.table import OPTIONS


class ReadOption(NamedTuple):
    """An option of reading, which is given as `--read NAME=VALUE`, and in Python as a keyword.

    Attributes:
        name: its name, with _; it means the same in all formats that know it.
        help: what it does.
        example: a value.
        kind: the type of its value; a "list" is written with commas, a "flag" as yes or no.
        values: the values that can be chosen; empty: any value.
        formats: the formats that know it, in the words of the help.
        metavar: the placeholder of the value in the help.
        responses: whether it is meant for responses, so that nothing is reported if the format of
            the key does not know it.
        signed: where signatures have it: in `read`, in the choice of links, or nowhere, as files,
            and therefore folders, are not part of them.
    """

    name: str
    help: str
    example: str
    kind: Literal["text", "list", "number", "decimal", "flag"] = "text"
    values: tuple[str, ...] = ()
    formats: str = ""
    metavar: str | None = None
    responses: bool = False
    signed: Literal["read", "links", "no"] = "read"


CLUSTERS = ReadOption(
    "clusters",
    "the field that contains the clusters.",
    "predicted_clusters",
    formats="JSON",
    metavar="FIELD",
)
ENDS = ReadOption(
    "ends",
    "whether spans include their last token, if a file differs from its dialect.",
    "exclusive",
    values=("inclusive", "exclusive"),
    formats="JSON, link lists",
)
LAYER = ReadOption(
    "layer", "the annotation layer to read.", "deixis", formats="WebAnno, CoNLL-UA", metavar="NAME"
)
RELATIONS = ReadOption(
    "relations",
    "the relations that mean identity.",
    "Coreference,Ident",
    "list",
    formats="brat",
    metavar="NAME,…",
)
MENTIONS = ReadOption(
    "mentions",
    "the types that count as mentions.",
    "Mention,Pronoun",
    "list",
    formats="brat",
    metavar="TYPE,…",
)
TYPES = ReadOption(
    "types",
    "the links that mean identity.",
    "IDENT",
    "list",
    formats="WebAnno, SGML",
    metavar="TYPE,…",
)
UNIT = ReadOption(
    "unit",
    "the unit of offsets, if the file does not specify it.",
    "character",
    values=("token", "character"),
    formats="KBP, link lists",
)
COLUMNS = ReadOption(
    "columns",
    "the names of columns, each as one of ours with the one in the file.",
    "entity=cluster,mention=token_id",
    "list",
    formats="Tables",
    metavar="NAME=COLUMN,…",
)
MISSING = ReadOption(
    "missing",
    "texts in cells that mean none.",
    "NA",
    "list",
    formats="Tables",
    metavar="TEXT,…",
)


def option_names() -> list[str]:
    """The names of all options of reading; those of other packages come last."""
    added = (option.name for name in installed("formats") for option in _added(name))
    return [*dict.fromkeys((*OPTIONS, *added))]


def find_option(name: str) -> ReadOption | None:
    """The option of this name; None if no format knows it."""
    if name in OPTIONS:
        values = vars(import_module(f"corefkit.formats.{OPTIONS[name]}")).values()
        return next(v for v in values if isinstance(v, ReadOption) and v.name == name)
    added = (option for form in installed("formats") for option in _added(form))
    return next((option for option in added if option.name == name), None)


def get_option(name: str) -> ReadOption:
    """The option of this name, which some format knows."""
    option = find_option(name)
    assert option is not None
    return option


def _added(name: str) -> Sequence[ReadOption]:
    """The options of a format of another package."""
    form = find("formats", name)
    return () if form is None else form.options


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
        if name in _FIELDS:
            fields[name] = _checked_field(name, value)
        elif (option := find_option(name)) is not None:
            options[name] = _checked(name, value, option)
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
        option = find_option(name)
        if option is None:
            names = option_names()
            near = did_you_mean(name, names) or f"; choose from {', '.join(names)}"
            raise UsageError(f"read: unknown option {name!r:.60}{near}")
        if not equals:
            example = f"{name.replace('_', '-')}={option.example}"
            raise UsageError(f"read: {text!r:.60} has no value; write e.g. {example}")
        options: dict[str, Any] = getattr(parsed, side or "both")
        if name in options:
            raise UsageError(f"read: {name} is given twice")
        options[name] = _value(option, value)
    return parsed


def _value(option: ReadOption, text: str) -> Any:
    """The value that a text means; UsageError if it means none."""
    if option.kind == "flag":
        choose(f"read: {option.name}", text, ("yes", "no"))
        return text == "yes"
    if option.kind == "number":
        if not (text.isascii() and text.isdigit()):
            raise UsageError(f"read: {option.name}: {text!r:.60} is not a positive whole number")
        return int(text)
    return text


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
    listed = [f"{name}={text}" for name, text in both.items() if not _is_of_links(name)]
    for side, given in (("key", key), ("response", response)):
        own = given.items() - both.items()
        names = (name for name, _ in sorted(own) if side == "key" or not _is_of_links(name))
        listed += [f"{side}:{name}={given[name]}" for name in names]
    return tuple(listed)


def _texts_of(reading: Reading) -> dict[str, str]:
    """The options of a reading that can move a score, as --read has them."""
    return {
        name.replace("_", "-"): _written(value)
        for name, value in sorted(reading.options.items())
        if get_option(name).signed != "no"
    }


def _is_of_links(name: str) -> bool:
    return get_option(name.replace("-", "_")).signed == "links"


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
