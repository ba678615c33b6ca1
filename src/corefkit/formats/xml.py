"""XML by expat: no entities, nothing from outside the file, no depth without end."""

from typing import Protocol
from xml.parsers import expat

from corefkit.data.incidents import Collector, Incident, make_incident

DEPTH = 256


class Reader(Protocol):
    """What is told of each element; `path` are the names from the root, without namespaces."""

    def start(self, path: list[str], attributes: dict[str, str]) -> None:
        """An element begins."""

    def end(self, path: list[str], text: str) -> None:
        """An element ends; `text` is what stands in it, its children's text left out."""


class Elements:
    """A Reader that is told the text piece by piece, too, and in `line` where it is."""

    line = 1

    def start(self, path: list[str], attributes: dict[str, str]) -> None:
        """An element begins."""

    def end(self, path: list[str], text: str) -> None:
        """An element ends; `text` is what stands in it, its children's text left out."""

    def text(self, path: list[str], piece: str) -> None:
        """Some text in the innermost element."""


class _EntityError(Exception):
    """The file declares an entity."""


class _DepthError(Exception):
    """Elements are nested too deep."""


def walk(data: bytes, path: str, reader: Reader, found: Collector) -> bool:
    """Tell a reader all elements of a file; False, and an incident, where that cannot be."""
    parser = expat.ParserCreate(namespace_separator="}")
    names: list[str] = []
    texts: list[list[str]] = []
    listener = reader if isinstance(reader, Elements) else None

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(names) >= DEPTH:
            raise _DepthError
        names.append(name.rpartition("}")[2])
        texts.append([])
        if listener:
            listener.line = parser.CurrentLineNumber
        reader.start(names, attributes)

    def end(name: str) -> None:
        reader.end(names, "".join(texts.pop()))
        names.pop()

    def characters(piece: str) -> None:
        if texts:
            texts[-1].append(piece)
            if listener:
                listener.text(names, piece)

    def entity(*_: object) -> int:
        raise _EntityError

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    parser.EntityDeclHandler = entity
    parser.ExternalEntityRefHandler = entity
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        found.add(_syntax(path, error.lineno, expat.errors.messages[error.code]))
    except _EntityError:
        found.add(_entity(path, parser.CurrentLineNumber))
    except _DepthError:
        message = f"elements are nested more than {DEPTH} deep"
        found.add(_syntax(path, parser.CurrentLineNumber, message))
    except (ValueError, LookupError) as error:  # an encoding that Python does not know
        found.add(_syntax(path, 1, str(error)))
    else:
        return True
    return False


def _syntax(path: str, line: int, reason: str) -> Incident:
    return make_incident(
        "xml-syntax",
        reason=reason,
        file=path,
        line=line,
    )


def _entity(path: str, line: int) -> Incident:
    return make_incident(
        "xml-entity",
        file=path,
        line=line,
        expected="XML without entity declarations",
    )
