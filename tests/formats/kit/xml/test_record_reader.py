"""Records found by patterns are those that expat tells, and what expat refuses no pattern reads."""

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit.core.incidents import Collector
from corefkit.formats import ace, ancor, glozz, rich_ere
from corefkit.formats.kit.byte_columns import UnfitError
from corefkit.formats.kit.xml import walk
from corefkit.formats.kit.xml.finder import find_records
from corefkit.formats.kit.xml.record_reader import _RecordWalker, read_records
from corefkit.formats.kit.xml.record_tables import RecordKind, Records
from tests.formats.samples import sample

KINDS = {
    "unit": RecordKind(("@id", "type", "start/point@index", "empty"), {"feature": ("@name", "")}),
    "word": RecordKind(("@id", ""), lined=False, table="words"),
    "mark": RecordKind(("@id", ""), lined=False, table="words"),
}
SCOPES = ("group", "root")
UNIT = (
    '<unit x="&lt;" id="u{}">\n <meta><type>a &amp; b&#233;</type><empty/></meta>'
    '<start><point index="{}"/></start><set><feature name="f">1</feature>'
    '<feature name="g"> 2\n</feature></set></unit>\n'
)
SOUND = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE root SYSTEM "r.dtd">\n'
    '<root xmlns:t="http://t" n="1"><group kind="k">'
    + "".join(UNIT.format(n, 3 * n) for n in range(3))
    + '</group> text <t:group t:kind="l"><unit id="alone"/><unit id="v">own</unit>'
    '<t:word xml:id="w1">a</t:word> <t:word xml:id="w2">b</t:word><mark id="m">.</mark>\n'
    "</t:group><other><deep>x</deep></other></root>\n"
)


def by_patterns(data: bytes, kinds: dict[str, RecordKind] = KINDS) -> Records | None:
    try:
        return find_records(data, kinds, SCOPES)
    except UnfitError:
        return None


def by_expat(data: bytes, kinds: dict[str, RecordKind] = KINDS) -> Records | None:
    walker = _RecordWalker(kinds, SCOPES)
    return walker.records if walk(data, walker, Collector()) else None


def content(records: Records | None) -> object:
    if records is None:
        return None
    tables = {
        name: (table.rows, table.lines, table.scope, table.namespaces)
        for name, table in records.tables.items()
    }
    return tables, records.scopes


def test_both_ways_tell_the_same() -> None:
    found = by_patterns(SOUND.encode())
    assert found is not None
    assert content(found) == content(by_expat(SOUND.encode()))
    units = found.tables["unit"]
    assert units.rows[1] == ("u1", "a & bé", "3", "", [("f", "1"), ("g", " 2\n")])
    assert units.rows[3:] == [("alone", None, None, None, []), ("v", None, None, None, [])]
    assert units.lines == [3, 6, 9, 12, 12]
    assert [found.scopes[n].name for n in units.scope] == ["group"] * 5
    assert found.scopes[2].attributes == {"kind": "l"}
    assert found.tables["words"].rows == [("w1", "a"), ("w2", "b"), ("m", ".")]
    assert found.tables["words"].namespaces == ["http://t", "http://t", ""]
    assert content(by_patterns(SOUND.replace("\n", "\r\n").encode())) == content(found)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("</root>", ""),
        ("</root>", "</root><root/>"),
        ("</root>", "</rooot>"),
        ("</root>", "</root>\u00a0"),
        ("</group>", ""),
        ('id="u1"', 'id="u1" id="u2"'),
        ('id="u1"', 'id="u1" t:q="1" t:q="1"'),
        ("t:word", "z:word"),
        ('xmlns:t="http://t"', 'xmlns:t=""'),
        ("&amp;", "&nbsp;"),
        ("&#233;", "&#1;"),
        ("&#233;", "&#xD800;"),
        (" text ", "]]>"),
        (" text ", "\x0b"),
        (" text ", "\ufffe"),
        (" text ", "<"),
        (">x<", "><x<"),
    ],
)
def test_what_is_broken_is_refused(old: str, new: str) -> None:
    assert old in SOUND
    data = SOUND.replace(old, new, 1).encode("utf-8", "surrogatepass")
    found = Collector("x")
    assert by_patterns(data) is None
    assert read_records(data, KINDS, SCOPES, found) is None
    assert [i.severity for i in found] == ["error"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (" text ", "<!-- <unit/> -->"),
        (" text ", "<![CDATA[<unit>]]>"),
        (" text ", "<?php <unit?>"),
        ('id="u1"', "id='u1'"),
        ('id="u1"', 'id="u\n1"'),
        ('id="u1"', 'id="u1" t:id="x"'),
        ("<empty/>", "<empty>a<b/>c</empty>"),
        ("<empty/>", "<empty/><empty>again</empty>"),
        ("<empty/>", "<empty><unit id='inside'/></empty>"),
        ('<feature name="g">', '<feature name="g" more="1">'),
        ("</root>\n", "</root><!-- end -->"),
        ("<group", '<group xmlns:q="http://q"'),
        (" text ", "\u00e9\u4e2d\U0001f600"),
        ("é", "\r"),
    ],
)
def test_what_is_written_in_another_way_is_read_alike(old: str, new: str) -> None:
    data = SOUND.replace(old, new, 1).encode()
    expected = by_expat(data)
    assert expected is not None
    assert content(read_records(data, KINDS, SCOPES, Collector())) == content(expected)


@given(st.randoms(use_true_random=False), st.integers(1, 4))
def test_no_pattern_reads_what_expat_does_not(dice: random.Random, changes: int) -> None:
    """Pieces of the file, copied, cut out, exchanged or broken."""
    pieces = re.findall(r"<[^>]*>|[^<]+", SOUND)
    for _ in range(changes):
        at = dice.randrange(len(pieces))
        other = dice.choice(pieces)
        character = dice.choice("<>&\"'/ \n\t]=x:\x01\ufffe!")
        place = dice.randrange(len(pieces[at]) + 1)
        broken = pieces[at][:place] + character + pieces[at][place:]
        pieces[at] = dice.choice(["", pieces[at] + other, other, broken, pieces[at][:place]])
    data = "".join(pieces).encode()
    quick = by_patterns(data)
    if quick is not None:
        assert content(quick) == content(by_expat(data))


@pytest.mark.parametrize("name", ["glozz", "ancor-tei", "rich-ere", "ace"])
def test_samples_need_no_expat(name: str) -> None:
    kinds = {
        "glozz": glozz._KINDS,
        "ancor-tei": ancor._KINDS,
        "rich-ere": dict([rich_ere._KINDS["entities"]]),
        "ace": dict([ace._KINDS["entities"]]),
    }[name]
    found = by_patterns(sample(name), kinds)
    assert found is not None
    assert content(found) == content(by_expat(sample(name), kinds))
    assert any(table.rows for table in found.tables.values())


def test_a_long_shape_is_not_looked_for_behind_the_end() -> None:
    more = " ".join(f'a{n}=""' for n in range(60))
    data = f'<root><unit {more} id="u"/><unit id="v" {more}/></root>'.encode()
    assert content(by_patterns(data)) == content(by_expat(data))
