"""XML as elements: their lines, and what is refused."""

from xml.parsers import expat

import pytest

from corefkit.core.incidents import Collector, DataError
from corefkit.formats.kit.tree import DEPTH, read_tree

PROLOG = '<?xml version="1.0"?>\n<!-- <a> -->\n'
ASIDE = "<r>\n<!-- <x>\n --><a b='>'/>\r\n<![CDATA[<y>\n]]><?p <z>\n?>\r<c\n d='1'><e/></c>\n</r>"


@pytest.mark.parametrize("text", [ASIDE, PROLOG + ASIDE, f"<!DOCTYPE r SYSTEM '<q>'>\n{ASIDE}"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_lines_are_those_of_expat(text: str, encoding: str) -> None:
    data = text.encode(encoding)
    lines: list[int] = []
    parser = expat.ParserCreate()
    parser.StartElementHandler = lambda *_: lines.append(parser.CurrentLineNumber)
    parser.Parse(data, True)
    tree = read_tree(data, Collector())
    assert tree.lines == lines


def test_names_without_namespaces() -> None:
    tree = read_tree(b'<a xmlns="u:x" xmlns:p="u:p"><p:b/></a>', Collector())
    assert [e.tag for e in tree.elements] == ["a", "b"]
    assert tree.namespaces == ["u:x", "u:p"]


@pytest.mark.parametrize(
    ("text", "kind", "line"),
    [
        ("<a>\n<b></a>", "xml-syntax", 2),
        ("<a>\n&eacute;</a>", "xml-syntax", 2),
        ("<a>\n<p:b/></a>", "xml-syntax", 2),
        ("", "xml-syntax", 1),
        ("<?xml version='1.0' encoding='none'?><a/>", "xml-syntax", 1),
        ("<a>\n" * (DEPTH + 1) + "</a>" * (DEPTH + 1), "xml-syntax", DEPTH + 1),
        ("\n<!DOCTYPE a [<!ENTITY x 'y'>]><a/>", "xml-entity", 2),
        ("<!DOCTYPE a SYSTEM 'y'>\n<a>&eacute;</a>", "xml-entity", 1),
        ("<!DOCTYPE a [<!ENTITY % x SYSTEM 'y'> %x;]><a/>", "xml-entity", 1),
        (f"<!DOCTYPE a [<!ATTLIST a n CDATA '{'a' * 2000}'>]><a/>", "xml-entity", 1),
    ],
)
def test_what_is_refused(text: str, kind: str, line: int) -> None:
    for encoding in (
        "utf-8",
        *(["utf-16"] if text and "encoding" not in text and "&" not in text else []),
    ):
        collector = Collector("x")
        with pytest.raises(DataError):
            read_tree(text.encode(encoding), collector)
        assert [(i.id, i.line) for i in collector] == [(kind, line)]


def test_the_greatest_depth() -> None:
    assert len(read_tree(b"<a>" * DEPTH + b"</a>" * DEPTH, Collector()).lines) == DEPTH
