"""Writing CorefAnnotator files: version 1, in which a mention has at most two parts."""

import re
from xml.sax.saxutils import escape, quoteattr

from corefkit.core.arrays import tuples
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import make_incident
from corefkit.core.links import KINDS
from corefkit.formats.corefannotator.column_reader import FLAG_JOINT
from corefkit.formats.kit import building
from corefkit.formats.kit.content import RunningText, TextMention, running_texts
from corefkit.formats.kit.utf16 import Utf16Offsets
from corefkit.formats.registry import WrittenFiles

_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<xmi:XMI xmlns:cas="http:///uima/cas.ecore" xmlns:xmi="http://www.omg.org/XMI" \
xmlns:api="http:///de/unistuttgart/ims/coref/annotator/api.ecore" \
xmlns:v1="http:///de/unistuttgart/ims/coref/annotator/api/v1.ecore" xmi:version="2.0">
<cas:NULL xmi:id="0"/>
<api:Meta xmi:id="1" TypeSystemVersion="v1"/>
"""
_CLASS = "de.unistuttgart.ims.coref.annotator.api.v1.Mention"
_PARTS = 2
"""How many parts a mention of v1 has at most."""
_SOFA = "\0"
"""Stands for the id of the Sofa, the last one, while lines are made; no text has it."""


def write_documents(corpus: Corpus, path: str, holds: frozenset[str]) -> WrittenFiles:
    """One file per document; several files are put into a folder."""
    from corefkit.formats.kit.convert import links_dropped, reduce

    reduced, incidents = reduce(corpus, holds | {"characters"})
    incidents += links_dropped(reduced, ("split",))
    places = building.file_places(path, reduced.names, (".gz", ".xmi"))
    written, joined = {}, 0
    for place, document in zip(places, running_texts(reduced), strict=True):
        writer = _AnnotatorWriter(reduced, document)
        written[place] = writer.written().encode("utf-8", "replace")
        joined += writer.joined
    if joined:
        incidents.append(make_incident("mention-discontinuous", "joined", number=joined))
    return WrittenFiles(written, incidents)


class _AnnotatorWriter:
    """Writes one document; `joined` is how many mentions had more parts than v1 allows."""

    def __init__(self, corpus: Corpus, document: RunningText) -> None:
        self._corpus, self._document = corpus, document
        self._offsets = Utf16Offsets(document.text)
        self._lines: list[str] = []
        self._last = 1
        self.joined = 0

    def written(self) -> str:
        """The text of the file."""
        flags = self._write_flags()
        entities = self._write_entities()
        for mention in self._document.mentions:
            self._write_mention(mention, entities[mention.entity], flags)
        sofa = self._next()
        members = " ".join(str(id) for id in range(1, sofa))
        lines = "".join(self._lines).replace(_SOFA, str(sofa))
        text = quoteattr(_without_controls(self._document.text), _BREAKS)
        return (
            f'{_HEAD}{lines}<cas:Sofa xmi:id="{sofa}" sofaNum="1" sofaID="_InitialView" '
            f'mimeType="text" sofaString={text}/>\n<cas:View sofa="{sofa}" members="{members}"/>\n'
            "</xmi:XMI>\n"
        )

    def _next(self) -> int:
        self._last += 1
        return self._last

    def _write_flags(self) -> dict[int, list[str]]:
        """Write each flag once; return row → the flags of the mention."""
        labels = self._corpus.mention_labels
        if labels is None or "flags" not in labels.columns:
            return {}
        column = labels.columns["flags"]
        flags = {}
        for mention in self._document.mentions:
            text = column.values[int(column.code[mention.row])]
            flags[mention.row] = [name for name in text.split(FLAG_JOINT) if name]
        for name in sorted({name for names in flags.values() for name in names}):
            label = quoteattr(_without_controls(name))
            self._lines.append(
                f'<v1:Flag xmi:id="{self._next()}" Label={label} Key={label} '
                f'TargetClass="{_CLASS}"/>\n'
            )
        return flags

    def _write_entities(self) -> dict[int, int]:
        """Write the entities, named after their first mentions; return the id of each."""
        first: dict[int, list[tuple[int, int]]] = {}
        for mention in self._document.mentions:
            first.setdefault(mention.entity, mention.parts)
        id = {entity: self._next() for entity in first}
        members: dict[int, list[int]] = {}
        links = self._corpus.links
        if links is not None:
            split = links.kind == KINDS.index("split")
            for group, member in tuples(links.source[split], links.target[split]):
                if group in id and member in id:
                    members.setdefault(group, []).append(id[member])
        for entity, parts in first.items():
            text = " ".join(self._document.text[a:b] for a, b in parts)
            label = quoteattr(_without_controls(" ".join(text.split())))
            kind, listed = "Entity", ""
            if entity in members:
                kind, listed = "EntityGroup", f' Members="{" ".join(map(str, members[entity]))}"'
            self._lines.append(
                f'<v1:{kind} xmi:id="{id[entity]}" Label={label} Color="0" Flags="" '
                f'Hidden="false"{listed}/>\n'
            )
        return id

    def _write_mention(
        self, mention: TextMention, entity: int, flags: dict[int, list[str]]
    ) -> None:
        parts = mention.parts
        if len(parts) > _PARTS:
            self.joined += 1
            parts = [parts[0], (parts[1][0], parts[-1][1])]
        id = self._next()
        second = f' Discontinuous="{id + 1}"' if len(parts) > 1 else ""
        inside = "".join(
            f"<Flags>{escape(_without_controls(name))}</Flags>"
            for name in flags.get(mention.row, ())
        )
        close = f">{inside}</v1:Mention>" if inside else "/>"
        place = self._place(parts[0])
        self._lines.append(f'<v1:Mention xmi:id="{id}" {place} Entity="{entity}"{second}{close}\n')
        for part in parts[1:]:
            place = self._place(part)
            self._lines.append(
                f'<v1:DetachedMentionPart xmi:id="{self._next()}" {place} Mention="{id}"/>\n'
            )

    def _place(self, part: tuple[int, int]) -> str:
        begin, end = map(self._offsets.unit, part)
        return f'sofa="{_SOFA}" begin="{begin}" end="{end}"'


_BREAKS = {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
"""Characters of an attribute that a parser would turn into blanks."""


def _without_controls(text: str) -> str:
    """The text with characters that XML forbids replaced."""
    return _CONTROLS.sub("\ufffd", text)


_CONTROLS = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
