"""Decisions of a curator: a log as a small JSON file, read, merged and written.

The last entry about an item counts, and one with `"choice": null` takes it back. Fields that
corefkit does not know are kept.
"""

import json
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

from corefkit.adjudication.units import Certainty
from corefkit.core.carriers import frozen
from corefkit.core.incidents import DataError, data_error
from corefkit.core.texts import quote
from corefkit.formats import load

KINDS = {"mention": 1, "apart": 1, "span": 2, "link": 2, "boundary": None}
"""What may be decided, and how many spans each names; None: two or more."""

_SPAN = re.compile(r"[0-9^][0-9:.,^-]*")


@frozen(eq=False)
class Decision:
    """One entry of the log.

    Attributes:
        item: the id as it was written.
        document: the name of the document; None where only the id says it.
        spans: the spans; None where only the id says them.
        choice: what was chosen; None: nothing, or taken back.
        fields: the whole entry, with fields that are not known.
        place: the path of the entry in its file, and the file.
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
        """Who decided; empty where it is not said."""
        return str(self.fields.get("by") or "")

    @property
    def discuss(self) -> bool:
        """Whether it is marked for a talk."""
        return bool(self.fields.get("discuss"))

    def choose(self, options: Sequence[str]) -> str:
        """The choice; DataError where it is not one of the options."""
        if self.choice not in options:
            raise _shape(
                f"{self.place[0]}.choice",
                f"one of {', '.join(options)}, or null",
                self.choice,
                self.place[1],
            )
        return str(self.choice)

    def resolve(self, documents: Container[str]) -> tuple[str, tuple[str, ...]] | None:
        """Document and spans, from the id where the fields are missing; None: no such document.

        A name of a document may have blanks in it; of several that fit the longest is meant.
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
        inputs: annotator → SHA-256 of what was read; empty where the file does not say.
        decisions: the log.
    """

    path: str
    rule: Certainty
    inputs: Mapping[str, str | None]
    decisions: tuple[Decision, ...]


def read_decisions(path: str) -> DecisionFile:
    """Read a file of decisions; DataError, with the path in the JSON, where it is not one."""
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
    """The decisions in a JSON value; DataError where it is not of that shape."""
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
    reader.check(
        asked, "$.ask_mentions", asked is None or is_number, "a positive whole number, or null"
    )
    listed = content.get("decisions")
    reader.check(listed, "$.decisions", isinstance(listed, list), "a list")
    decisions = [reader.decision(entry, f"$.decisions[{n}]") for n, entry in enumerate(listed)]
    inputs = dict(reader.inputs(content.get("inputs", [])))
    return DecisionFile(path, Certainty(certain, asked), inputs, tuple(decisions))


class _ShapeReader:
    """Checks the parts of a file of decisions, and makes decisions of them."""

    def __init__(self, file: str) -> None:
        self._file = file

    def check(self, value: Any, path: str, right: bool, expected: str) -> None:
        """DataError where a part is not as it should be."""
        if not right:
            raise _shape(path, expected, value, self._file)

    def inputs(self, listed: Any) -> Iterator[tuple[str, str | None]]:
        """The annotators and their hashes."""
        self.check(listed, "$.inputs", isinstance(listed, list), "a list")
        for number, entry in enumerate(listed):
            path = f"$.inputs[{number}]"
            self.check(entry, path, isinstance(entry, dict), "an object")
            name, digest = entry.get("annotator"), entry.get("sha256")
            self.check(name, f"{path}.annotator", isinstance(name, str), "a name")
            right = digest is None or isinstance(digest, str)
            self.check(digest, f"{path}.sha256", right, "64 hexadecimal digits, or null")
            yield name, digest

    def decision(self, entry: Any, path: str) -> Decision:
        """One entry of the log."""
        self.check(entry, path, isinstance(entry, dict), "an object")
        item, choice, document = entry.get("item"), entry.get("choice"), entry.get("document")
        self.check(item, f"{path}.item", isinstance(item, str) and " " in item, "the id of an item")
        for name, value in (("choice", choice), ("document", document)):
            self.check(value, f"{path}.{name}", value is None or isinstance(value, str), "a text")
        for name in ("spans", "left", "right"):
            value = entry.get(name)
            self.check(
                value, f"{path}.{name}", value is None or _is_texts(value), "a list of spans"
            )
        for name in ("by", "at", "note", "was"):
            value = entry.get(name)
            self.check(value, f"{path}.{name}", value is None or isinstance(value, str), "a text")
        discuss = entry.get("discuss", False)
        self.check(discuss, f"{path}.discuss", isinstance(discuss, bool), "true or false")
        spans = entry.get("spans")
        listed = None if spans is None else tuple(spans)
        return Decision(item, document, listed, choice, entry, (path, self._file))


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _shape(path: str, expected: str, value: Any, file: str) -> DataError:
    shown = quote(json.dumps(value, ensure_ascii=False), 60)
    return data_error(
        "json-shape", "decisions", file=file, path=path, expected=expected, found=shown
    )
