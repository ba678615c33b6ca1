"""The JSON values of a file (one per line, in a list, or one after the other), and their shapes."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from corefkit.core.incidents import Collector, DataError
from corefkit.core.texts import quote, shorten

_BLANK = re.compile(r"[ \t\r\n]*")
_NEXT_LINE = re.compile(r"\n[ \t\r]*(?=\{)")


class JsonValue(NamedTuple):
    """One value of a file, and the line at which it begins."""

    content: Any
    line: int


def decode(data: bytes, collector: Collector) -> Iterator[JsonValue]:
    """The values of a file, one by one; anything that is not JSON is reported and skipped.

    Nothing may follow a list. A repeated key of an object, of which only the last value counts, is
    reported.

    After a hundred errors the rest is ignored: each error costs a pass from the beginning of the
    text, and the file is refused anyway.
    """
    text = data.decode("utf-8-sig", "replace")
    if "\ufffd" in text and b"\xef\xbf\xbd" not in data:
        collector.note("not-utf8", "json")
    escaped = "\\ud" in text or "\\uD" in text
    at = _skip(text, 0)
    listed = text.startswith("[", at)
    at = _skip(text, at + listed)
    line, before = 1, 0
    keys = _RepeatedKeys()
    while at < len(text) and not (listed and text[at] == "]"):
        line += text.count("\n", before, at)
        before = at
        try:
            content, end = keys.decoder.raw_decode(text, at)
            whole = _without_halves(content) if escaped else content
        except (ValueError, RecursionError) as error:
            _note_syntax(collector, text, error, at)
            again = _NEXT_LINE.search(text, getattr(error, "pos", at))
            if not again or collector.full("json-syntax"):
                return
            at = again.end()
            continue
        if whole != content:
            collector.note("not-utf8", "half", at=line)
        keys.note(collector, line)
        yield JsonValue(whole, line)
        at = _skip(text, end)
        if listed and text.startswith(",", at):
            at = _skip(text, at + 1)
        elif listed and at < len(text) and text[at] != "]":
            _note_syntax(collector, text, json.JSONDecodeError("a comma is missing", text, at), at)
    if listed:
        after = _skip(text, at + 1)
        if at >= len(text):
            _note_syntax(
                collector, text, json.JSONDecodeError("the list is truncated", text, at), 0
            )
        elif after < len(text):
            follows = json.JSONDecodeError("something follows the list", text, after)
            _note_syntax(collector, text, follows, after)


class _RepeatedKeys:
    """A decoder that collects the keys that occur twice in an object."""

    def __init__(self) -> None:
        self.decoder = json.JSONDecoder(object_pairs_hook=self._make)
        self._keys: list[str] = []

    def _make(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            counts = Counter(key for key, _ in pairs)
            self._keys += [key for key, times in counts.items() if times > 1]
        return made

    def note(self, collector: Collector, line: int) -> None:
        """Report the repeated keys of the value decoded last."""
        for key in dict.fromkeys(self._keys):
            collector.note("json-syntax", "key", at=line, key=quote(key), expected="each key once")
        self._keys.clear()


def _without_halves(content: Any) -> Any:
    """The value with single surrogates, which no file can hold, replaced in all its strings.

    The decoder joins escaped pairs, but leaves single ones.
    """
    text = json.dumps(content, ensure_ascii=False)
    return json.loads(text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))


def _skip(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    return blank.end() if blank else at


def _note_syntax(collector: Collector, text: str, error: Exception, begin: int) -> None:
    """Report a syntax error; one at the end of the file is placed at its last character."""
    at = min(getattr(error, "pos", begin), max(len(text.rstrip()) - 1, begin))
    deep = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
    collector.note(
        "json-syntax",
        reason=getattr(error, "msg", None) or deep,
        at=(text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)),
        found=quote(text[max(at - 20, begin) : at + 20], 40),
        expected="objects, one per line, in a list or one after the other",
    )


class ShapeError(Exception):
    """A part of a document has the wrong shape: its path, what was expected and what was found."""

    def __init__(self, path: str, expected: str, found: Any = None) -> None:
        super().__init__(path, expected)
        self.path, self.expected, self.found = path, expected, found


class MissingFieldError(ShapeError):
    """An object lacks a field; `found` is the object."""


def field_error(row: Any, name: str, path: str, expected: str) -> ShapeError:
    """The error for a field of an object that is missing, or whose value has the wrong shape."""
    if isinstance(row, dict) and name not in row:
        return MissingFieldError(f"{path}.{name}", expected, row)
    return ShapeError(f"{path}.{name}", expected, row[name] if isinstance(row, dict) else None)


def field_of(row: Any, name: str, kind: type, path: str = "$", expected: str = "") -> Any:
    """The value of a field that must have a type; ShapeError if it does not."""
    value = row.get(name) if isinstance(row, dict) else None
    if not isinstance(value, kind) or isinstance(value, bool):
        raise field_error(row, name, path, expected or f"a {kind.__name__}")
    return value


def note_shape(collector: Collector, line: int, error: ShapeError) -> None:
    """Report a part of a document with the wrong shape."""
    variant, path = "", "the top level" if error.path == "$" else error.path
    shown = shorten(json.dumps(error.found, ensure_ascii=False, default=str))
    if isinstance(error, MissingFieldError):
        variant, path = "field", error.path.removeprefix("$.")
        shown = shorten(f"the fields {', '.join(error.found)}" if error.found else "no field", 80)
    elif error.found is None and path.endswith("]"):
        variant = "null"
    collector.note("json-shape", variant, path=path, at=line, found=shown, expected=error.expected)


def note_no_clusters(
    collector: Collector, line: int, fields: Sequence[str], row: dict[str, Any]
) -> None:
    """Report a document that has no field with clusters."""
    shown, expected = shorten(f"the fields {', '.join(row)}", 80), f"one of {', '.join(fields)}"
    collector.note("clusters-missing", at=line, found=shown, expected=expected)


def decode_one(data: bytes, collector: Collector) -> JsonValue:
    """The value of a file that should have one; DataError, and an incident, if it has none."""
    values = list(decode(data, collector))
    if len(values) != 1 and not (values == [] and collector):
        error = ShapeError("$", "one object; several documents belong in several files")
        note_shape(collector, values[1].line if values else 1, error)
    if not values:
        raise DataError(collector)
    return values[0]


@contextmanager
def shape_told(collector: Collector, line: int) -> Iterator[None]:
    """Turn a ShapeError about the value on a line into an incident, and a DataError."""
    try:
        yield
    except ShapeError as error:
        note_shape(collector, line, error)
        raise DataError(collector) from None
