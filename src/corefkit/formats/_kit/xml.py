"""XML by expat: no entities, nothing from outside the file, bounded depth."""

from xml.parsers import expat

from corefkit.core.incidents import Collector

DEPTH = 256


class ElementListener:
    """A listener to the elements of a file; `line` is where the last one begins.

    `path` are the names from the root, without namespaces.
    """

    line = 1

    def start(self, path: list[str], attributes: dict[str, str]) -> None:
        """An element begins."""

    def end(self, path: list[str], text: str) -> None:
        """An element ends; `text` is what stands in it, its children's text left out."""

    def text(self, path: list[str], piece: str) -> None:
        """Some text in the innermost element."""


class _EntityError(Exception):
    """The file declares an entity."""


def walk(data: bytes, reader: ElementListener, found: Collector, **file: str) -> bool:
    """Tell a reader all elements; False, and an incident of the `file`, where they are broken."""
    parser = expat.ParserCreate(namespace_separator="}")
    names: list[str] = []
    texts: list[list[str]] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(names) >= DEPTH:
            raise ValueError(f"elements are nested more than {DEPTH} deep")
        names.append(name.rpartition("}")[2])
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

    def entity(*_: object) -> int:
        raise _EntityError

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    parser.EntityDeclHandler = entity
    parser.ExternalEntityRefHandler = entity
    try:
        parser.Parse(data, True)
    except _EntityError:
        expected = "XML without entity declarations"
        found.note("xml-entity", at=parser.CurrentLineNumber, expected=expected, **file)
    except expat.ExpatError as error:
        reason = expat.errors.messages[error.code]
        found.note("xml-syntax", reason=reason, at=error.lineno, **file)
    except (ValueError, LookupError) as error:  # an encoding that Python does not know
        found.note("xml-syntax", reason=str(error), at=parser.CurrentLineNumber, **file)
    else:
        return True
    return False
