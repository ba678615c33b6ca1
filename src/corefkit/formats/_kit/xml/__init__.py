"""XML by expat: no entities, nothing from outside the file, bounded depth."""

import re
from collections import Counter
from collections.abc import Collection, Mapping
from xml.parsers import expat

from corefkit.core.incidents import Collector

DEPTH = 256
_DEFAULTS = 1000
"""So many characters of attributes may be declared: every element gets them."""
_REFERENCE = re.compile(rb"&(?!(?:lt|gt|amp|quot|apos);)[A-Za-z_][\w.-]{0,99};")


class ElementListener:
    """A listener to the elements of a file; `line` is where the last one begins.

    `path` are the names from the root, without namespaces; `namespace` is that of the last element
    that began.
    """

    line = 1
    namespace = ""

    def start(self, path: list[str], attributes: dict[str, str]) -> None:
        """An element begins."""

    def end(self, path: list[str], text: str) -> None:
        """An element ends; `text` is what stands in it, its children's text left out."""

    def text(self, path: list[str], piece: str) -> None:
        """Some text in the innermost element."""


class _AttributeCounter(ElementListener):
    """Counts what elements say that is not read."""

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
    """How many attributes the elements of these names have besides those that are read.

    With None it is the elements that are counted.
    """
    counter = _AttributeCounter(read)
    walk(data, counter, Collector())
    return dict(counter.numbers)


class _EntityError(Exception):
    """The file declares an entity, or uses one; its argument is the variant of the incident."""


def walk(data: bytes, reader: ElementListener, collector: Collector, **file: str) -> bool:
    """Tell a reader all elements; False, and an incident of the `file`, where they are broken."""
    parser = expat.ParserCreate(namespace_separator="}")
    names: list[str] = []
    texts: list[list[str]] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(names) >= DEPTH:
            raise ValueError(f"elements are nested more than {DEPTH} deep")
        reader.namespace, _, local = name.rpartition("}")
        names.append(local)
        texts.append([])
        reader.line = parser.CurrentLineNumber
        reader.start(names, attributes)

    def end(name: str) -> None:
        reader.end(names, "".join(texts.pop()))
        names.pop()

    def characters(piece: str) -> None:
        if texts:
            texts[-1].append(piece)
            reader.text(names, piece)

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
    """Let the parser stop where text would come from declarations, or be lost for lack of them."""

    def entity(*_: object) -> int:
        raise _EntityError("")

    def skipped(*_: object) -> None:
        raise _EntityError("unknown")

    def doctype(name: str, system: str | None, public: str | None, internal: int) -> None:
        # Expat leaves out, without a word, what a document type outside of the file may declare.
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
