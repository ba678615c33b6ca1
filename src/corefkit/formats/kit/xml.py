"""Reading XML with expat: without entities or anything outside of the file, to a limited depth."""

import re
from collections import Counter
from collections.abc import Collection, Mapping
from xml.parsers import expat

from corefkit.core.incidents import Collector

DEPTH = 256
_DEFAULTS = 1000
"""How many characters of default attributes may be declared: every element gets them."""
_REFERENCE = re.compile(rb"&(?!(?:lt|gt|amp|quot|apos);)[A-Za-z_][\w.-]{0,99};")


class ElementListener:
    """A listener to the elements of a file.

    `path` has the names from the root to the element, without namespaces. `line` and `namespace`
    are those of the element that began last.
    """

    line = 1
    namespace = ""

    def start(self, path: list[str], attributes: dict[str, str]) -> None:
        """An element begins."""

    def end(self, path: list[str], text: str) -> None:
        """An element ends; `text` is its text, without that of its children."""

    def text(self, path: list[str], piece: str) -> None:
        """Some text in the innermost element."""


class _AttributeCounter(ElementListener):
    """Counts the attributes, or elements, that are not read."""

    def __init__(self, read: Mapping[str, Collection[str] | None]) -> None:
        self.numbers: Counter[str] = Counter()
        self._read = read

    def start(self, path: list[str], attributes: dict[str, str]) -> None:
        name = path[-1]
        if name in self._read:
            read = self._read[name]
            other = [n for n, v in attributes.items() if read is not None and v and n not in read]
            self.numbers.update([name] if read is None else other)


def count_attributes(data: bytes, read: Mapping[str, Collection[str] | None]) -> dict[str, int]:
    """How many attributes elements have that are not read: name → number.

    `read` maps the names of elements to the attributes that are read, or to None to count the
    elements themselves.
    """
    counter = _AttributeCounter(read)
    walk(data, counter, Collector())
    return dict(counter.numbers)


class _EntityError(Exception):
    """The file declares or uses an entity; the argument is the variant of the incident."""


def walk(data: bytes, listener: ElementListener, collector: Collector, **file: str) -> bool:
    """Pass all elements to a listener; False, and an incident for the `file`, if it is broken."""
    parser = expat.ParserCreate(namespace_separator="}")
    names: list[str] = []
    texts: list[list[str]] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(names) >= DEPTH:
            raise ValueError(f"elements are nested more than {DEPTH} deep")
        listener.namespace, _, local = name.rpartition("}")
        names.append(local)
        texts.append([])
        listener.line = parser.CurrentLineNumber
        listener.start(names, attributes)

    def end(name: str) -> None:
        listener.end(names, "".join(texts.pop()))
        names.pop()

    def characters(piece: str) -> None:
        if texts:
            texts[-1].append(piece)
            listener.text(names, piece)

    parser.buffer_text = True  # one piece of text where lines and references would make several
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
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
        return True
    return False


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
