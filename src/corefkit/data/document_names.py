"""Names of documents: an id and, in OntoNotes, a part."""

import re
from collections.abc import Iterable

_NAME = re.compile(r"\((.*)\); *part *(\d+)")


def split_name(name: str) -> tuple[str, str | None]:
    """The id and the part of a document's name; the part is None where there is none.

    >>> split_name("(nw/wsj/07/wsj_0771); part 000")
    ('nw/wsj/07/wsj_0771', '000')
    >>> split_name("test_events")
    ('test_events', None)
    """
    found = _NAME.fullmatch(name)
    return (found[1], found[2]) if found else (document_id(name), None)


def document_id(name: str) -> str:
    """The id of a document, without its part. Only a name in brackets has more than an id.

    >>> document_id("(LuoTestCase);"), document_id("(nw/wsj/07/wsj_0771); part 000")
    ('LuoTestCase', 'nw/wsj/07/wsj_0771')
    >>> document_id("a;b"), document_id("a part 1")
    ('a;b', 'a')
    """
    found = re.match(r"\(([^()]*)\)", name)
    return found[1] if found else re.sub(r";? *part *\d+$", "", name)


def join_name(name: str, part: str | None) -> str:
    """The name of a document, from its id and part."""
    return name if part is None else f"({name}); part {part}"


def repeated(names: Iterable[str]) -> list[tuple[str, int, int]]:
    """Names that occur again: the name, its first place, the later place.

    >>> repeated(["a", "b", "a"])
    [('a', 0, 2)]
    """
    first: dict[str, int] = {}
    places = [(name, first.setdefault(name, place), place) for place, name in enumerate(names)]
    return [(name, one, again) for name, one, again in places if one != again]


def on_one_line(name: str) -> str:
    """The name as a line of a file can hold it.

    >>> on_one_line(" a  b\\nc")
    'a  b c'
    """
    return " ".join(filter(None, map(str.strip, re.split("[\r\n]", name))))
