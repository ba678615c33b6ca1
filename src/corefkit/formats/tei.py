"""TEI: `<rs ref="#x">` in the text of `<text>`; each `ref` names an entity, or several.

X.xml:
    <TEI><text><p><rs ref="#ada">Ada</rs> said <rs ref="#ada #her">her</rs> say.</p></text></TEI>
"""

import re
from xml.etree.ElementTree import Element

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.formats.format import IN_TEXT, Format, Look
from corefkit.formats.kit.building import file_name, note_no_coreference, reader
from corefkit.formats.kit.draft import Draft, corpus_of
from corefkit.formats.kit.tree import read_tree

_WRAPPER = re.compile(rb"(\xef\xbb\xbf)?\s*<#root>\s*")
_WRAPPER_END = re.compile(rb"</#root>\s*\Z")
_READ = frozenset({"ref", "{http://www.w3.org/XML/1998/namespace}id"})


@reader
def parse(data: bytes, path: str, reading: Reading, collector: Collector) -> Corpus:
    """The document of one file."""
    plain = _unwrapped(data)
    if plain is not data:
        collector.note("xml-wrapped", at=1)
    tree = read_tree(plain, collector)
    content = _Content()
    for outer in tree.root.iter("text"):
        if outer not in content.elements:
            content.add(outer)
    draft = Draft(file_name(path), collector, text="".join(content.pieces))
    draft.paragraphs = content.paragraphs or None
    for e, start, end in content.spans:
        draft.unread.update(name.rpartition("}")[2] for name, _ in e.items() if name not in _READ)
        entities = dict.fromkeys(name.removeprefix("#") for name in e.get("ref", "").split())
        for entity in entities if end > start else ():
            draft.mention(None, [(start, end)], tree.line[e], entity=entity)
    if not len(draft):
        note_no_coreference(collector, "no <rs> with a ref", '<rs ref="#entity"> in <text>')
    return corpus_of("tei", data, [draft], collector)


def _unwrapped(data: bytes) -> bytes:
    """The file without the wrapper element that some tools add; the data itself if it has none."""
    wrapper = _WRAPPER.match(data)
    return _WRAPPER_END.sub(b"", data[wrapper.end() :]) if wrapper else data


class _Content:
    """The text of elements, with their paragraphs, and <rs> in the order in which they end."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.paragraphs: list[int] = []
        self.spans: list[tuple[Element, int, int]] = []
        self.elements: set[Element] = set()
        self._size = 0

    def add(self, element: Element) -> None:
        """Add an element with all that is in it."""
        start = self._size
        self.elements.add(element)
        if element.tag == "p":
            self.paragraphs.append(start)
        self._write(element.text)
        for child in element:
            self.add(child)
            self._write(child.tail)
        if element.tag == "rs":
            self.spans.append((element, start, self._size))

    def _write(self, text: str | None) -> None:
        self.pieces.append(text or "")
        self._size += len(text or "")


FORMAT = Format(
    "tei",
    'TEI with <rs ref="#entity">',
    parse,
    unit="character",
    holds=IN_TEXT,
    looks=(
        Look(begins=rb"<", near=rb"<TEI\b", has=(b"rs ",)),
        Look(begins=rb"<", near=rb"<TEI\b", without=(b"CATMA_", b"catma://", b"annotationGrp")),
    ),
    suffixes=(".xml",),
)
