"""Published plays and edge cases are read in columns: the same corpus as element by element."""

import gzip
from pathlib import Path

import pytest

from corefkit.core.incidents import Collector
from corefkit.formats.corefannotator.column_reader import MentionTable
from corefkit.formats.corefannotator.reader import parse_elements, read_document
from corefkit.formats.kit.byte_columns import UnfitError
from tests.formats.kit.test_byte_columns import content
from tests.support import CONFORMANCE, needs_conformance

FOLDER = CONFORMANCE / "formats2" / "corefannotator"
FILES = sorted(FOLDER.glob("*.xmi*"))


@needs_conformance
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_both_ways_tell_the_same(path: Path) -> None:
    data = path.read_bytes()
    data = gzip.decompress(data) if path.suffix == ".gz" else data
    found = read_document(data, path.name)
    assert content(found) == content(parse_elements(data, Collector(path.name)))
    if path.name.startswith("bad-"):
        with pytest.raises(UnfitError):
            MentionTable(data)
    else:
        MentionTable(data)


SOUND = """<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore"
 xmlns:v1="http:///de/unistuttgart/ims/coref/annotator/api/v1.ecore">
<v1:Entity xmi:id="2"/><v1:EntityGroup xmi:id="3" Members="2 2 9"/>
<v1:Flag xmi:id="4" Key="k" Label="name"/>
<v1:Mention xmi:id="5" sofa="1" begin="0" end="3" Entity="2"><Flags>k</Flags></v1:Mention>
<v1:Mention xmi:id="6" sofa="1" begin="0" end="3" Entity="2" Flags="4 other"/>
<v1:Mention xmi:id="7" sofa="1" begin="4" end="4" Entity="3" Discontinuous="10"/>
<v1:Mention xmi:id="8" sofa="1" begin="4" end="6"/>
<v1:Mention xmi:id="11" sofa="1" begin="4" end="4" Entity="3"/>
<v1:Mention xmi:id="12" sofa="1" begin="5" end="7" Entity="2"/>
<v1:DetachedMentionPart xmi:id="10" sofa="1" begin="7" end="8"/>
<cas:Sofa xmi:id="1" sofaString="Ann went h&#10;me"/><cas:View members="5 6 7 8 11"/>
</xmi:XMI>""".replace("\n x", " x")


def test_what_is_read_of_flags_groups_parts_and_copies() -> None:
    corpus = read_document(SOUND.encode(), "play.xmi")
    spans = zip(corpus.start.tolist(), corpus.end.tolist(), corpus.entity.tolist(), strict=True)
    assert [*spans] == [(0, 2, 0), (7, 7, 1), (4, 5, 2)]
    assert corpus.labels == ("2", "3", "mention 8")
    assert corpus.mention_labels is not None
    assert corpus.mention_labels.values("flags") == ["name|other", "", ""]
    assert corpus.links is not None
    assert (corpus.links.source.tolist(), corpus.links.target.tolist()) == ([1], [0])
    reported = {incident.id: incident.count for incident in corpus.incidents}
    assert reported == {"span-twice": 1, "mention-without-entity": 1, "span-empty": 1}
    MentionTable(SOUND.encode())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('xmi:id="6"', 'xmi:id="5"'),
        ('xmi:id="6"', 'xmi:id="06"'),
        ('xmi:id="6"', 'id="6"'),
        ('Entity="3" D', 'Entity="99" D'),
        ('Discontinuous="10"', 'Discontinuous="99"'),
        ("v1:DetachedMentionPart", "v1:DetachedPart"),  # none at all
        ('begin="7" end="8"', 'begin="7" end="99"'),
        ('begin="4" end="6"', 'begin="6" end="4"'),
        ('sofa="1" begin="4" end="6"', 'sofa="9" begin="4" end="6"'),
        ("www.omg.org/XMI", "other"),
        ('begin="7" end="8"', 'xmi:begin="7" end="8"'),
        ('Entity="3" D', 'v1:Entity="3" D'),
        ('Members="2', 'v1:Members="2'),
        ('Key="k"', 'xml:Key="k"'),
        ('sofaString="', 'cas:sofaString="'),
        ('members="5', 'cas:members="5'),
        ('xmi:id="1"', 'cas:id="1"'),
        ('xmi:id="1"', 'id="1"'),
    ],
)
def test_what_is_odd_is_left_to_the_reader_of_elements(old: str, new: str) -> None:
    assert old in SOUND
    data = SOUND.replace(old, new, 1).encode()
    with pytest.raises(UnfitError):
        MentionTable(data)
    expected = parse_elements(data, Collector("play.xmi"))
    assert content(read_document(data, "play.xmi")) == content(expected)
