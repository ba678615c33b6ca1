"""The decisions of a curator: a log, read from a small JSON file.

The last entry about an item counts; an entry with `"choice": null` takes the decision back. Unknown
fields are kept.
"""

import json
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

from corefkit.core.carriers import frozen
from corefkit.core.incidents import DataError, data_error
from corefkit.core.texts import quote
from corefkit.formats.kit.files import load
from corefkit.plugins.adjudication.units import Certainty

KINDS = {"mention": 1, "apart": 1, "span": 2, "link": 2, "boundary": None}
"""The kinds of decisions, and how many spans each names; None: two or more."""

_SPAN = re.compile(r"[0-9^][0-9:.,^-]*")


@frozen(eq=False)
class Decision:
    """One entry of the log.

    Attributes:
        item: the id as it was written.
        document: the name of the document; None where only the id gives it.
        spans: the spans; None where only the id gives them.
        choice: the option chosen; None where nothing was chosen, or the choice was taken back.
        fields: the whole entry, unknown fields included.
        place: the JSON path of the entry, and the name of its file.
    """

    item: str
    document: str | None
    spans: tuple[str, ...] | None
    choice: str | None
    fields: Mapping[str, Any]
    place: tuple[str, str] = ("$", "")

    @property
    def kind(self) -> str:
        """The first word of the id."""
        return self.item.partition(" ")[0]

    @property
    def by(self) -> str:
        """Who decided; empty where the entry does not say."""
        return str(self.fields.get("by") or "")

    @property
    def discuss(self) -> bool:
        """Whether the item is marked for discussion."""
        return bool(self.fields.get("discuss"))

    def choose(self, options: Sequence[str]) -> str:
        """The choice; DataError where it is not one of the options."""
        if self.choice not in options:
            path, file = self.place
            expected = f"one of {', '.join(options)}, or null"
            raise _shape_error(f"{path}.choice", expected, self.choice, file)
        return str(self.choice)

    def resolve(self, documents: Container[str]) -> tuple[str, tuple[str, ...]] | None:
        """The document and the spans, from the id where the fields are missing.

        None where no such document is among `documents`. The name of a document may contain blanks;
        if several names fit the id, the longest counts.
        """
        if self.document is not None and self.spans is not None:
            return (self.document, self.spans) if self.document in documents else None
        words = self.item.split(" ")[1:]
        number = KINDS.get(self.kind)
        for cut in range(len(words) - 1, 0, -1):
            name, spans = " ".join(words[:cut]), tuple(words[cut:])
            known = name in documents and self.document in (None, name)
            fitting = self.spans in (None, spans) and number in (None, len(spans))
            if known and fitting and all(map(_SPAN.fullmatch, spans)):
                return name, spans
        return None


@frozen(eq=False)
class DecisionFile:
    """A file of decisions.

    Attributes:
        path: its name.
        rule: the settings with which the items were made.
        inputs: annotator → SHA-256 of the annotations at that time; empty where not given.
        decisions: the log.
    """

    path: str
    rule: Certainty
    inputs: Mapping[str, str | None]
    decisions: tuple[Decision, ...]


def read_decisions(path: str) -> DecisionFile:
    """Read a file of decisions.

    Raises DataError, with a line or a JSON path, where it is not such a file.
    """
    at = None
    try:
        content = json.loads(load(path).decode("utf-8-sig"))
        json.dumps(content, ensure_ascii=False).encode()
    except UnicodeDecodeError:
        reason = "the file contains bytes that are not UTF-8"
    except UnicodeEncodeError:
        reason = "a text contains half a character, a lone escape such as \\ud800 alone"
    except RecursionError:
        reason = "it is nested too deeply"
    except ValueError as error:
        reason, at = getattr(error, "msg", str(error)), getattr(error, "lineno", None)
    else:
        return parse_decisions(content, path)
    expected = "the file that the adjudication page saves"
    raise data_error("json-syntax", at=at, file=path, reason=reason, expected=expected)


def parse_decisions(content: Any, path: str = "") -> DecisionFile:
    """The decisions in a parsed JSON value; DataError where it has another shape."""
    reader = _ShapeReader(path)
    reader.check(content, "$", isinstance(content, dict), "an object")
    mark = content.get("corefkit")
    reader.check(mark, "$.corefkit", mark == "adjudication", '"adjudication"')
    version = content.get("version")
    reader.check(version, "$.version", version == 1 and version is not True, "1")
    certain = content.get("certain", "majority")
    reader.check(certain, "$.certain", certain in ("majority", "all"), '"majority" or "all"')
    asked = content.get("ask_mentions")
    is_number = isinstance(asked, int) and not isinstance(asked, bool) and asked > 0
    expected = "a positive whole number, or null"
    reader.check(asked, "$.ask_mentions", asked is None or is_number, expected)
    entries = content.get("decisions")
    reader.check(entries, "$.decisions", isinstance(entries, list), "a list")
    decisions = [reader.decision(entry, f"$.decisions[{n}]") for n, entry in enumerate(entries)]
    inputs = dict(reader.inputs(content.get("inputs", [])))
    return DecisionFile(path, Certainty(certain, asked), inputs, tuple(decisions))


class _ShapeReader:
    """Checks the parts of a file of decisions and turns entries into decisions."""

    def __init__(self, file: str) -> None:
        self._file = file

    def check(self, value: Any, path: str, is_valid: bool, expected: str) -> None:
        """Raise DataError about the value at a path unless it is valid."""
        if not is_valid:
            raise _shape_error(path, expected, value, self._file)

    def inputs(self, entries: Any) -> Iterator[tuple[str, str | None]]:
        """The name of each annotator and the SHA-256 of her annotations."""
        self.check(entries, "$.inputs", isinstance(entries, list), "a list")
        for number, entry in enumerate(entries):
            path = f"$.inputs[{number}]"
            self.check(entry, path, isinstance(entry, dict), "an object")
            name, digest = entry.get("annotator"), entry.get("sha256")
            self.check(name, f"{path}.annotator", isinstance(name, str), "a name")
            is_text = digest is None or isinstance(digest, str)
            self.check(digest, f"{path}.sha256", is_text, "64 hexadecimal digits, or null")
            yield name, digest

    def decision(self, entry: Any, path: str) -> Decision:
        """One entry of the log."""
        self.check(entry, path, isinstance(entry, dict), "an object")
        item, choice, document = entry.get("item"), entry.get("choice"), entry.get("document")
        self.check(item, f"{path}.item", isinstance(item, str) and " " in item, "the id of an item")
        for name in ("choice", "document", "by", "at", "note", "was"):
            value = entry.get(name)
            self.check(value, f"{path}.{name}", value is None or isinstance(value, str), "a text")
        for name in ("spans", "left", "right"):
            value = entry.get(name)
            is_list = value is None or _is_texts(value)
            self.check(value, f"{path}.{name}", is_list, "a list of spans")
        discuss = entry.get("discuss", False)
        self.check(discuss, f"{path}.discuss", isinstance(discuss, bool), "true or false")
        spans = entry.get("spans")
        spans = None if spans is None else tuple(spans)
        return Decision(item, document, spans, choice, entry, (path, self._file))


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _shape_error(path: str, expected: str, value: Any, file: str) -> DataError:
    shown = quote(json.dumps(value, ensure_ascii=False), 60)
    return data_error(
        "json-shape", "decisions", file=file, path=path, expected=expected, found=shown
    )
