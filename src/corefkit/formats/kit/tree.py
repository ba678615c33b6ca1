"""XML as elements of the standard library, each with its line.

Entities of a file's own, unknown ones, and declared attributes that would swell every element are
refused, and so is anything outside of the file; elements nest to a limited depth.
"""

import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from xml.parsers import expat

from corefkit.core.incidents import Collector, DataError

DEPTH = 256
_DEFAULTS = 1000
"""How many characters of default attributes may be declared: every element gets them."""
_REFERENCE = re.compile(rb"&(?!(?:lt|gt|amp|quot|apos);)[A-Za-z_][\w.-]{0,99};")


class XmlTree:
    """The elements of a file in their order, with their lines; their names have no namespaces.

    Iteration gives (line, element); `namespaces` has the namespace of each.
    """

    def __init__(self, root: ET.Element, lines: list[int]) -> None:
        self.root, self.lines = root, lines
        self.elements = [*root.iter()]
        self.namespaces = [e.tag[1:].rpartition("}")[0] for e in self.elements]
        for element in self.elements:
            element.tag = element.tag.rpartition("}")[2]

    @cached_property
    def line(self) -> dict[ET.Element, int]:
        """The line of each element."""
        return dict(zip(self.elements, self.lines, strict=True))

    def __iter__(self) -> Iterator[tuple[int, ET.Element]]:
        return zip(self.lines, self.elements, strict=True)

    def unread(self, read: Mapping[str, Collection[str] | None]) -> Counter[str]:
        """How many attributes elements have that are not read: name → number.

        `read` maps the names of elements to the attributes that are read, or to None to count the
        elements themselves.
        """
        numbers: Counter[str] = Counter()
        for element in self.elements:
            if element.tag in read:
                own = read[element.tag]
                if own is None:
                    numbers[element.tag] += 1
                else:
                    numbers.update(n for n, value in element.items() if value and n not in own)
        return numbers


def read_tree(data: bytes, collector: Collector, **file: str) -> XmlTree:
    """The elements of a file; DataError, and an incident for the `file`, if it is broken."""
    lines = _lines(data, collector, **file)
    return XmlTree(ET.fromstring(data), lines)


def text_of(element: ET.Element | None) -> str:
    """The text of an element without that of its children; "" for no element.

    >>> text_of(ET.fromstring("<p>Ada <b>saw</b> her</p>"))
    'Ada  her'
    """
    if element is None:
        return ""
    if not len(element):
        return element.text or ""
    return "".join([element.text or "", *(child.tail or "" for child in element)])


def attribute(element: ET.Element, name: str) -> str | None:
    """The value of an attribute, whose name may have a prefix; None if it is missing.

    >>> attribute(ET.fromstring('<w xml:id="w1"/>'), "id")
    'w1'
    """
    value = element.get(name)
    if value is not None:
        return value
    return next((v for n, v in element.items() if n.rpartition("}")[2] == name), None)


class _EntityError(Exception):
    """The file declares or uses an entity; the argument is the variant of the incident."""


def _lines(data: bytes, collector: Collector, **file: str) -> list[int]:
    """The line of each element; DataError, and an incident, if the file is broken or refused."""
    parser = expat.ParserCreate(namespace_separator="}")
    lines: list[int] = []
    depth = 0

    def start(*_: object) -> None:
        nonlocal depth
        depth += 1
        if depth > DEPTH:
            raise ValueError(f"elements are nested more than {DEPTH} deep")
        lines.append(parser.CurrentLineNumber)

    def end(_: str) -> None:
        nonlocal depth
        depth -= 1

    parser.StartElementHandler, parser.EndElementHandler = start, end
    _refuse_entities(parser, data)
    try:
        parser.Parse(data, True)
    except _EntityError as error:
        line, expected = parser.CurrentLineNumber, "XML without entities of its own"
        collector.note("xml-entity", str(error), at=line, expected=expected, **file)
    except expat.ExpatError as error:
        reason = expat.errors.messages[error.code]
        collector.note("xml-syntax", reason=reason, at=error.lineno, **file)
    except (ValueError, LookupError) as error:  # an encoding that Python does not know
        collector.note("xml-syntax", reason=str(error), at=parser.CurrentLineNumber, **file)
    else:
        return lines
    raise DataError(collector)


def _refuse_entities(parser: expat.XMLParserType, data: bytes) -> None:
    """Make the parser stop where text would come from an entity, or be lost with an unknown one."""

    def entity(*_: object) -> int:
        raise _EntityError("")

    def skipped(*_: object) -> None:
        raise _EntityError("unknown")

    def doctype(name: str, system: str | None, public: str | None, internal: int) -> None:
        # Expat silently drops entities that a document type outside of the file may declare.
        if (system or public or internal) and _REFERENCE.search(data, parser.CurrentByteIndex):
            raise _EntityError("unknown")

    declared = 0

    def attribute(element: str, name: str, kind: str, default: str | None, required: int) -> None:
        nonlocal declared
        declared += len(default or "")
        if declared > _DEFAULTS:
            raise _EntityError("attributes")

    parser.EntityDeclHandler = entity
    parser.ExternalEntityRefHandler = entity
    parser.SkippedEntityHandler = skipped
    parser.StartDoctypeDeclHandler = doctype
    parser.AttlistDeclHandler = attribute
