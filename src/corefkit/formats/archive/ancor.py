"""ANCOR TEI, the export of URS: words in the text, and spans and links of them in stand-off.

X.tei:
    <TEI><text><u><w xml:id="w1">le</w> <w xml:id="w2">chien</w> <w xml:id="w3">il</w></u></text>
    <standOff><spanGrp subtype="mention"><span xml:id="m1" from="#w1" to="#w2"/>
    <span xml:id="m2" from="#w3" to="#w3"/></spanGrp>
    <spanGrp subtype="mention.discontinuous"><span xml:id="m3" target="#w1 #w3"/></spanGrp>
    <linkGrp subtype="chain"><link target="#m1 #m2"/></linkGrp></standOff></TEI>

It was never tried on a file of a corpus (see `formats.archive`).
"""

from collections import Counter
from xml.etree.ElementTree import Element

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.core.texts import shorten
from corefkit.formats.format import IN_WORDS, Format, Look
from corefkit.formats.kit.building import note_no_coreference, reader, stem
from corefkit.formats.kit.draft import Draft, corpus_of
from corefkit.formats.kit.tree import XmlTree, attribute, read_tree, text_of

_MENTIONS = frozenset({"mention", "mention.discontinuous", "expletive"})


class _Content:
    """The words, the spans and the links of a file, with their groups and lines."""

    def __init__(self, tree: XmlTree) -> None:
        self.number: dict[str, int] = {}
        self.words: list[str] = []
        self.lengths = [0]
        self.spans: list[tuple[int, str, Element]] = []
        self.links: list[tuple[int, str, list[str]]] = []
        self.features: Counter[str] = Counter()
        group = ""
        for line, e in tree:
            if e.tag in ("w", "pc"):
                self.number[attribute(e, "id") or ""] = len(self.words)
                self.words.append(text_of(e).strip())
                self.lengths[-1] += 1
            elif e.tag in ("u", "s"):
                self.lengths.append(0)
            elif e.tag in ("spanGrp", "linkGrp"):
                group = attribute(e, "subtype") or ""
            elif e.tag == "span":
                self.spans.append((line, group, e))
            elif e.tag == "link":
                self.links.append((line, group, _ids(e, "target")))
            elif e.tag == "f":
                self.features[attribute(e, "name") or "feature"] += 1


@reader
def parse(data: bytes, path: str, reading: Reading, collector: Collector) -> Corpus:
    """The document of one file."""
    tree = read_tree(data, collector)
    content = _Content(tree)
    if not any(kind in _MENTIONS for _, kind, _ in content.spans):
        expected = '<spanGrp subtype="mention">'
        raise note_no_coreference(collector, "no spans that are mentions", expected)
    lengths = [length for length in content.lengths if length]
    name = stem(path, ".xml", ".tei")
    draft = Draft(name, collector, words=content.words, lengths=lengths)
    draft.unread.update(content.features)
    for line, kind, span in content.spans:
        if kind not in _MENTIONS:
            draft.unread[kind or "span"] += 1
            continue
        id, listed = attribute(span, "id") or None, _ids(span, "target")
        ends = listed or _ids(span, "from") + _ids(span, "to")
        tokens = [content.number.get(end, -1) for end in ends]
        if -1 in tokens:
            found = shorten(ends[tokens.index(-1)])
            expected = "the xml:id of a <w> or <pc>"
            draft.refuse(id, line, "token-unknown", found, expected)
            continue
        runs = [(token, token + 1) for token in tokens]
        if not listed:
            runs = [(tokens[0], tokens[1] + 1)] if len(tokens) == 2 else []
        shown = " ".join(ends) or "no words"
        draft.mention(id, runs, line, referring=kind != "expletive", shown=shown)
    for line, kind, ends in content.links:
        if kind == "chain":
            draft.link(ends, line)
        elif kind == "associative_anaphora":
            draft.bridge(ends, line)
        else:
            draft.unread[kind or "span"] += 1
    return corpus_of("ancor-tei", data, [draft], collector)


def _ids(element: Element, name: str) -> list[str]:
    return [id.removeprefix("#") for id in (attribute(element, name) or "").split()]


FORMAT = Format(
    name="ancor-tei",
    title="ANCOR TEI",
    parse=parse,
    holds=IN_WORDS | {"crossing", "parts", "links", "referring"},
    looks=(Look(begins=rb"<", near=rb"<TEI\b", has=(b"spanGrp ", b"linkGrp ")),),
    suffixes=(".tei",),
    untried=True,
)
