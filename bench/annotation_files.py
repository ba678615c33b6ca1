"""Made files of the formats that are only read, all of the same corpus, for `bench/formats.py`.

They have what files of these tools have beside spans and entities (ids, types, heads, metadata,
empty feature sets), since the time of a reader goes there.
"""

import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from xml.sax.saxutils import escape

SENTENCE = 20
"""How many words each sentence has."""


@dataclass(frozen=True)
class MadeCorpus:
    """One document: its words, and for each entity the spans of its mentions, ends included."""

    words: list[str]
    clusters: list[list[tuple[int, int]]]

    @property
    def text(self) -> str:
        """The words with blanks between them, and a line for each sentence."""
        lines = (self.words[n : n + SENTENCE] for n in range(0, len(self.words), SENTENCE))
        return "\n".join(map(" ".join, lines))

    @property
    def mentions(self) -> int:
        """How many there are."""
        return sum(map(len, self.clusters))

    def places(self) -> Iterator[tuple[int, int, int, str]]:
        """The number of the entity, begin and end in characters (not included), and the text."""
        begins = [0, *accumulate(len(word) + 1 for word in self.words)]
        text = self.text
        for number, spans in enumerate(self.clusters):
            for start, end in spans:
                begin, behind = begins[start], begins[end + 1] - 1
                yield number, begin, behind, text[begin:behind]

    def by_entity(self) -> Iterator[tuple[int, list[tuple[int, int, str]]]]:
        """The places of each entity."""
        found: dict[int, list[tuple[int, int, str]]] = {}
        for number, begin, end, text in self.places():
            found.setdefault(number, []).append((begin, end, text))
        yield from found.items()


def made_corpus(tokens: int, mentions: int, entities: int) -> MadeCorpus:
    """A corpus in which words repeat and mentions are up to three words long."""
    words = [f"w{n % 997}" for n in range(tokens)]
    step = tokens // mentions
    spans = [(n * step, n * step + n % 3) for n in range(mentions)]
    return MadeCorpus(words, [spans[first::entities] for first in range(entities)])


def write_tac_edl(corpus: MadeCorpus, folder: Path) -> Path:
    """A table with a line for each mention."""
    lines = (
        f"run\tM{n}\t{text}\tmade:{begin}-{end - 1}\tNIL{entity:05d}\tPER\tNAM\t1.0\n"
        for n, (entity, begin, end, text) in enumerate(corpus.places())
    )
    return _written(folder / "made.tab", "".join(lines))


def write_tac_queries(corpus: MadeCorpus, folder: Path) -> Path:
    """Queries, and the table of answers."""
    queries, answers = [], []
    for n, (entity, begin, end, text) in enumerate(corpus.places()):
        queries.append(
            f'<query id="Q{n}"><name>{text}</name><docid>made</docid>'
            f"<beg>{begin}</beg><end>{end - 1}</end></query>\n"
        )
        answers.append(f"Q{n}\tNIL{entity:05d}\tPER\t1.0\n")
    _written(folder / "made.tab", "".join(answers))
    return _written(folder / "made.xml", f"<kbpentlink>\n{''.join(queries)}</kbpentlink>\n")


def write_i2b2(corpus: MadeCorpus, folder: Path) -> Path:
    """Chains, the text and the concepts beside them."""

    def concept(span: tuple[int, int]) -> str:
        (a, first), (b, last) = (divmod(token, SENTENCE) for token in span)
        said = " ".join(corpus.words[span[0] : span[1] + 1])
        return f'c="{said}" {a + 1}:{first} {b + 1}:{last}'

    chains = ("||".join([*map(concept, own), 't="coref person"\n']) for own in corpus.clusters)
    concepts = (f'{concept(span)}||t="person"\n' for own in corpus.clusters for span in own)
    _written(folder / "made.txt", corpus.text)
    _written(folder / "made.txt.con", "".join(concepts))
    return _written(folder / "made.txt.chains", "".join(chains))


def write_links(corpus: MadeCorpus, folder: Path) -> Path:
    """A line for each mention with the one before it, and a probability."""
    lines = ["doc\tstart\tend\tantecedent_start\tantecedent_end\tscore\n"]
    for spans in corpus.clusters:
        lines.append(f"made\t{spans[0][0]}\t{spans[0][1]}\t_\t_\t0.9\n")
        pairs = pairwise(spans)
        lines += [f"made\t{b[0]}\t{b[1]}\t{a[0]}\t{a[1]}\t0.75\n" for a, b in pairs]
    return _written(folder / "made.links", "".join(lines))


def write_rich_ere(corpus: MadeCorpus, folder: Path) -> Path:
    """Entities, the source beside them; every third mention has a head."""
    lines = ['<deft_ere kit_id="k" doc_id="made" source_type="multi_post">\n<entities>\n']
    number = 0
    for entity, places in corpus.by_entity():
        lines.append(f'<entity id="ent-{entity}" type="PER" specificity="specific">\n')
        for begin, end, text in places:
            number += 1
            head, last = "", text.rpartition(" ")[2]
            if " " in text:
                head = f'<nom_head source="made" offset="{end - len(last)}" length="{len(last)}">'
                head += f"{last}</nom_head>"
            lines.append(
                f'<entity_mention id="m-{number}" noun_type="NAM" source="made" offset="{begin}" '
                f'length="{end - begin}">\n<mention_text>{escape(text)}</mention_text>{head}'
                "</entity_mention>\n"
            )
        lines.append("</entity>\n")
    _written(folder / "made.txt", corpus.text)
    return _written(folder / "made.rich_ere.xml", f"{''.join(lines)}</entities>\n</deft_ere>\n")


def write_ace(corpus: MadeCorpus, folder: Path) -> Path:
    """Entities with extents and heads, the text beside them."""

    def charseq(begin: int, end: int, text: str) -> str:
        return f'<charseq START="{begin}" END="{end - 1}">{escape(text)}</charseq>'

    lines = ['<source_file URI="made.sgm">\n<document DOCID="made">\n']
    number = 0
    for entity, places in corpus.by_entity():
        lines.append(f'<entity ID="E{entity}" TYPE="PER" SUBTYPE="Individual" CLASS="SPC">\n')
        for begin, end, text in places:
            number += 1
            last = text.rpartition(" ")[2]
            lines.append(
                f'  <entity_mention ID="E{entity}-{number}" TYPE="NAM" LDCTYPE="NAM">\n'
                f"    <extent>\n      {charseq(begin, end, text)}\n    </extent>\n"
                f"    <head>\n      {charseq(end - len(last), end, last)}\n    </head>\n"
                "  </entity_mention>\n"
            )
        lines.append("</entity>\n")
    _written(folder / "made.sgm", f"<DOC>{corpus.text}</DOC>")
    return _written(folder / "made.apf.xml", f"{''.join(lines)}</document>\n</source_file>\n")


def write_tbf(corpus: MadeCorpus, folder: Path) -> Path:
    """Nuggets with types; every tenth of several words has a place of two parts."""
    lines, clusters = ["#BeginOfDocument made\n"], dict[int, list[str]]()
    for n, (entity, begin, end, text) in enumerate(corpus.places()):
        place, gap = f"{begin},{end}", text.find(" ")
        if gap > 0 and n % 10 == 1:
            place = f"{begin},{begin + gap};{begin + gap + 1},{end}"
        lines.append(f"run\tmade\tE{n}\t{place}\t{text}\tLife_Die\tActual\n")
        clusters.setdefault(entity, []).append(f"E{n}")
    for number, own in clusters.items():
        lines.append(f"@Coreference\tR{number}\t{','.join(own)}\n")
    return _written(folder / "made.tbf", f"{''.join(lines)}#EndOfDocument\n")


def write_all_links(corpus: MadeCorpus, folder: Path) -> Path:
    """For each mention the two before it, and one of another entity that scores less."""
    lines = ["doc\tstart\tend\tantecedent_start\tantecedent_end\tscore\n"]
    for number, spans in enumerate(corpus.clusters):
        other = corpus.clusters[number - 1][0]
        for place, (start, end) in enumerate(spans):
            scored = [(span, 0.5 + place / 100) for span in spans[max(0, place - 2) : place]]
            scored += [(other, 0.25)] if place and other < (start, end) else []
            lines += [f"made\t{start}\t{end}\t{a}\t{b}\t{score}\n" for (a, b), score in scored]
            lines += [] if scored else [f"made\t{start}\t{end}\t_\t_\t0.9\n"]
    return _written(folder / "made.links", "".join(lines))


_XMI = """<?xml version="1.0" encoding="UTF-8"?><xmi:XMI xmlns:cas="http:///uima/cas.ecore" \
xmlns:xmi="http://www.omg.org/XMI" xmlns:x="http:///de/unistuttgart/ims/uima/io/xml/type.ecore" \
xmlns:api="http:///de/unistuttgart/ims/coref/annotator/api.ecore" \
xmlns:v1="http:///de/unistuttgart/ims/coref/annotator/api/v1.ecore" xmi:version="2.0">"""


def write_corefannotator(corpus: MadeCorpus, folder: Path) -> Path:
    """One line, as published plays are: what a play is marked with, flags, groups and parts.

    Every tenth mention has a flag, every twentieth a part of its own, every hundredth is there
    twice, and some were deleted; every twentieth entity is a group.
    """
    places = [*corpus.places()]
    size = len(corpus.clusters)
    sofa, part = 10, 11 + size + 2 * len(places)
    lines = [f'<v1:Flag xmi:id="8" Label="Generic &amp; so" Key="generic" sofa="{sofa}"/>']
    for n in range(0, len(corpus.text), 200):  # elements of a play
        lines.append(
            f'<x:XMLElement xmi:id="{part + len(places) + n}" sofa="{sofa}" begin="{n}" '
            f'end="{n + 9}" Tag="p" Selector="body &gt; p" Attributes=" who=&quot;a&quot;"/>'
        )
    for number in range(size):
        kind, more = "Entity", ""
        if number % 20 == 19:
            kind, more = "EntityGroup", f' Members="{10 + number} {9 + number}"'
        flag = "<Flags>generic</Flags>" if number % 7 == 0 else ""
        lines.append(
            f'<v1:{kind} xmi:id="{11 + number}" Label="{number}" Color="-1" Hidden="false"{more}'
            + (f">{flag}</v1:{kind}>" if flag else "/>")
        )
    first, members = 11 + size, list[int]()
    for n, (entity, begin, end, text) in enumerate(places):
        gap = text.find(" ") if n % 20 == 1 else -1
        place = f'sofa="{sofa}" begin="{begin}" end="{begin + gap if gap > 0 else end}"'
        more = f' Discontinuous="{part + n}"' if gap > 0 else ""
        flag = "<Flags>generic</Flags>" if n % 10 == 3 else ""
        tail = f">{flag}</v1:Mention>" if flag else "/>"
        for copy in range(1 + (n % 100 == 2) + (n % 50 == 4)):
            id = first + 2 * n + copy
            members += [id] if copy == 0 or n % 50 != 4 else []
            lines.append(f'<v1:Mention xmi:id="{id}" {place} Entity="{11 + entity}"{more}{tail}')
        if gap > 0:
            lines.append(
                f'<v1:DetachedMentionPart xmi:id="{part + n}" sofa="{sofa}" '
                f'begin="{begin + gap + 1}" end="{end}" Mention="{first + 2 * n}"/>'
            )
    text = escape(corpus.text, {"\n": "&#10;", '"': "&quot;"})
    lines.append(f'<cas:Sofa xmi:id="{sofa}" sofaNum="1" mimeType="text" sofaString="{text}"/>')
    lines.append(f'<cas:View sofa="{sofa}" members="{" ".join(map(str, members))}"/></xmi:XMI>')
    return _written(folder / "made.xmi", f"{_XMI}{''.join(lines)}")


def write_glozz(corpus: MadeCorpus, folder: Path) -> Path:
    """Units with metadata and features, a schema for each entity, the text beside them."""
    lines = ['<annotations>\n<metadata corpusHashcode="1-1"/>\n']
    number = 0
    for entity, places in corpus.by_entity():
        members = []
        for begin, end, _ in places:
            number += 1
            members.append(f'<embedded-unit id="u{number}"/>')
            lines.append(
                f'<unit id="u{number}">\n<metadata>{_author(number)}</metadata>\n'
                "<characterisation><type>maillon</type><featureSet>"
                '<feature name="GENRE">M</feature></featureSet></characterisation>\n'
                f'<positioning><start><singlePosition index="{begin}"/></start>'
                f'<end><singlePosition index="{end}"/></end></positioning>\n</unit>\n'
            )
        lines.append(
            f'<schema id="s{entity}">\n<metadata>{_author(10**6 + entity)}</metadata>\n'
            "<characterisation><type>chaine</type><featureSet></featureSet></characterisation>\n"
            f"<positioning>{''.join(members)}</positioning>\n</schema>\n"
        )
    _written(folder / "made.ac", corpus.text)
    return _written(folder / "made.aa", f"{''.join(lines)}</annotations>\n")


def write_glozz_bridging(corpus: MadeCorpus, folder: Path) -> Path:
    """The same, with relations: each tenth mention is bridged to the one before it."""
    path = write_glozz(corpus, folder)
    relations = []
    for number in range(10, corpus.mentions, 10):
        ends = "".join(f'<term id="u{n}"/>' for n in (number, number - 1))
        relations.append(
            f'<relation id="r{number}">\n<metadata>{_author(2 * 10**6 + number)}</metadata>\n'
            "<characterisation><type>ASSOC</type><featureSet/></characterisation>\n"
            f"<positioning>{ends}</positioning>\n</relation>\n"
        )
    text = path.read_text(encoding="utf-8")
    return _written(path, text.replace("</annotations>", f"{''.join(relations)}</annotations>"))


def _author(number: int) -> str:
    return f"<author>eva</author><creation-date>{number}</creation-date>"


def write_ancor(corpus: MadeCorpus, folder: Path) -> Path:
    """Words with ids, spans and chains of them."""
    size = len(corpus.words)
    ids = [f"u{n // SENTENCE}.w{n % SENTENCE}" for n in range(size)]
    lines = ['<TEI xmlns="http://www.tei-c.org/ns/1.0">\n<text><body>\n']
    for first in range(0, size, SENTENCE):
        some = range(first, min(first + SENTENCE, size))
        words = " ".join(f'<w xml:id="{ids[n]}">{corpus.words[n]}</w>' for n in some)
        lines.append(f'<u xml:id="u{first // SENTENCE}">{words}</u>\n')
    lines.append('</body></text>\n<standOff>\n<spanGrp type="mention" subtype="mention">\n')
    number, chains = 0, []
    for entity, spans in enumerate(corpus.clusters):
        members = []
        for start, end in spans:
            number += 1
            members.append(f"#a{number}")
            ends = f'from="#{ids[start]}" to="#{ids[end]}"'
            lines.append(f'<span xml:id="a{number}" {ends} ana="#f{number}"/>\n')
        chains.append(f'<link xml:id="c{entity}" target="{" ".join(members)}"/>\n')
    lines += ['</spanGrp>\n<linkGrp type="coreference" subtype="chain">\n', *chains]
    return _written(folder / "made.tei", f"{''.join(lines)}</linkGrp>\n</standOff>\n</TEI>\n")


def write_ancor_bridging(corpus: MadeCorpus, folder: Path) -> Path:
    """The same, with bridging for each tenth mention, and mentions of words that are apart."""
    path = write_ancor(corpus, folder)
    size, listed, links = len(corpus.words), list[str](), list[str]()
    for n in range(10, corpus.mentions, 10):
        links.append(f'<link xml:id="b{n}" target="#a{n} #a{n - 1}"/>\n')
    for n in range(3, size, 400):
        words = " ".join(f"#u{m // SENTENCE}.w{m % SENTENCE}" for m in (n, n - 2))
        listed.append(f'<span xml:id="d{n}" target="{words}" ana="#g{n}"/>\n')
    more = (
        f'<spanGrp subtype="mention.discontinuous">\n{"".join(listed)}</spanGrp>\n'
        f'<linkGrp subtype="associative_anaphora">\n{"".join(links)}</linkGrp>\n</standOff>'
    )
    return _written(path, path.read_text(encoding="utf-8").replace("</standOff>", more))


def write_xmi(corpus: MadeCorpus, folder: Path) -> Path:
    """Chains of links and the text, as INCEpTION exports them."""
    lines = ['<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:x="http:///x.ecore">\n']
    number = 1
    for _, places in corpus.by_entity():
        lines.append(f'<x:CoreferenceChain xmi:id="{number + 1}" first="{number + 2}"/>\n')
        number += 1
        for place, (begin, end, _) in enumerate(places, 1):
            number += 1
            following = f' next="{number + 1}"' if place < len(places) else ""
            lines.append(
                f'<x:CoreferenceLink xmi:id="{number}" sofa="1" begin="{begin}" end="{end}"'
                f'{following} referenceType="nam"/>\n'
            )
    text = corpus.text.replace("\n", "&#10;")
    lines.append(f'<x:Sofa xmi:id="1" sofaString="{text}"/>\n</xmi:XMI>\n')
    return _written(folder / "made.xmi", "".join(lines))


def write_project(corpus: MadeCorpus, folder: Path) -> Path:
    """An export of INCEpTION: two documents by two annotators, four archives with XMI in one."""
    member = write_xmi(corpus, folder).read_bytes()
    path = folder / "made.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in PROJECT:
            archive.writestr(f"annotation/{name}.xmi", member)
    return path


PROJECT = ("one.txt/anna", "one.txt/ben", "two.txt/anna", "two.txt/ben")
"""The documents and annotators of the project."""


def _written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8", newline="\n")
    return path


WRITERS: dict[str, Callable[[MadeCorpus, Path], Path]] = {
    "tac-edl": write_tac_edl,
    "tac-queries": write_tac_queries,
    "i2b2": write_i2b2,
    "links": write_links,
    "rich-ere": write_rich_ere,
    "ace": write_ace,
    "glozz": write_glozz,
    "ancor-tei": write_ancor,
    "xmi": write_xmi,
}
RICH: dict[str, Callable[[MadeCorpus, Path], Path]] = {
    "corefannotator": write_corefannotator,
    "tbf": write_tbf,
    "links": write_all_links,
    "glozz": write_glozz_bridging,
    "ancor-tei": write_ancor_bridging,
}
"""What writes a file of each format; the project is made of files of one of them. `RICH` are files
with what only some have: flags, groups, several parts, bridging, rival antecedents."""
