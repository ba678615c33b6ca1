"""i2b2 / n2c2 2011: `.chains` files, one chain per line, beside texts and `.con` files of concepts.

X.txt.chains:
    c="mr. andersen" 1:0 1:1||c="he" 2:0 2:0||t="coref person"
X.txt.con:
    c="mr. andersen" 1:0 1:1||t="person"
    c="pain" 2:2 2:2||t="problem"
X.txt:
    Mr. Andersen fell .
    He felt pain .

A place is `line:token` of the first and the last token; lines count from 1, tokens, which blanks
separate, from 0. A concept that is not in a chain is a singleton.

It was never tried on a file of a corpus (see `formats.archive`).
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.core.texts import quote
from corefkit.formats.format import IN_WORDS, Companions, Format, Look
from corefkit.formats.kit import files
from corefkit.formats.kit.building import RawDocument, lines_of, reader, refused, stem
from corefkit.formats.kit.draft import Draft, Run, corpus_of
from corefkit.formats.options import ReadOption

CONCEPTS = ReadOption(
    "concepts",
    "the folder of the concept files.  [default: ../concepts]",
    "concepts",
    formats="i2b2",
    metavar="FOLDER",
    signed="no",
)

TEXT = ReadOption(
    "text",
    "the folder of the texts.  [default: ../docs]",
    "texts",
    formats="i2b2",
    metavar="FOLDER",
    signed="no",
)

_PIECES = re.compile(r'\|\|(?=[ct]=")')
"""The separator of the pieces of a line; a quoted text may contain bars, too."""
_CONCEPT = re.compile(r'c="(.*)" (\d{1,18}):(\d{1,18}) (\d{1,18}):(\d{1,18})\s*')
_TYPE = re.compile(r't="(.*)"\s*')
_COREF = re.compile(r"coref\s+(\S.*)")
_CHAINS, _CONCEPTS = ".chains", ".con"


class _Concept(NamedTuple):
    """A concept: its text, its first and last token in the document, and its place as written."""

    text: str
    span: Run
    place: str


class _Record(Draft):
    """A record, whose concepts are at tokens of its lines."""

    def __init__(self, name: str, collector: Collector, lines: list[list[str]]) -> None:
        words = [word for line in lines for word in line]
        lengths = [*map(len, lines)]
        super().__init__(name, collector, words=words, lengths=lengths, inclusive=True, same=_same)
        self._seen: set[tuple[str, Run]] = set()

    def concept(self, piece: str, line: int) -> _Concept | None:
        """A concept; None, and an incident, if it has no place."""
        if (match := _CONCEPT.fullmatch(piece)) is None:
            expected = 'c="its text" 12:0 12:1, line and token of both ends'
            self.refuse(None, line, "concept-bad", quote(piece), expected)
            return None
        a, b, c, d = map(int, match.groups()[1:])
        return _Concept(match[1], (self.token(a - 1, b), self.token(c - 1, d)), f"{a}:{b} {c}:{d}")

    def add(self, concept: _Concept, line: int, entity: str, type: str) -> bool:
        """Add a concept; False, and an incident, if its entity has it or its place is none."""
        text, span, shown = concept
        if (entity, span) in self._seen:
            self._collector.note("span-twice", "concept", at=line, found=quote(text))
            return False
        labels = {"type": type}
        if self.mention(None, [span], line, entity=entity, text=text, shown=shown, labels=labels):
            self._seen.add((entity, span))
            return True
        return False

    def document(self) -> RawDocument:
        """The document, in which empty lines are no sentences."""
        return replace(super().document(), lengths=[n for n in self.lengths or () if n])


def _same(text: str, given: str) -> bool:
    return "".join(text.split()).casefold() == "".join(given.split()).casefold()


@reader
def parse(data: bytes, path: str, reading: Reading, collector: Collector) -> Corpus:
    """The document of one `.chains` file."""
    _, raw = _beside(path, "", "docs", reading.get("text"))
    if raw is None:
        name = stem(path, _CHAINS)
        expected = f"{name} beside it, in ../docs or in --read text=FOLDER"
        raise refused(collector, "text-missing", expected=expected)
    lines = [*_filled(data)]
    if lines and all(map(_is_concept, (text for _, text in lines))):
        expected = f"the file {_CHAINS} of the document"
        raise refused(collector, "clusters-missing", "concepts", expected=expected)
    words = [line.split() for line in raw.decode("utf-8-sig", "replace").split("\n")]
    draft = _Record(stem(path, _CHAINS, ".txt"), collector, words)
    types = _add_chains(draft, lines, collector)
    file, listed = _beside(path, _CONCEPTS, "concepts", reading.get("concepts"))
    told = Collector(file)
    _add_concepts(draft, _Record("", told, words), listed or b"", types)
    for incident in told:
        collector.add(incident)
    draft.differing = 0  # published files have some, and they are kept by position
    return corpus_of("i2b2", data, [draft], collector)


def _add_chains(
    draft: _Record, lines: list[tuple[int, str]], collector: Collector
) -> dict[Run, str]:
    """Add the mentions of all chains; return the type of each."""
    types: dict[Run, str] = {}
    for line, content in lines:
        *pieces, last = _PIECES.split(content)
        coref = _COREF.fullmatch(_type(last) or "")
        if coref is None:
            expected = 't="coref person" at its end, or another type'
            collector.note("chain-bad", at=line, found=quote(last), expected=expected)
            continue
        for piece in pieces:
            concept = draft.concept(piece, line)
            if concept is not None and draft.add(concept, line, str(line), coref[1]):
                types[concept.span] = coref[1]
    return types


def _add_concepts(draft: _Record, listed: _Record, data: bytes, types: dict[Run, str]) -> None:
    """Add the concepts that are in no chain, each as an entity of its own.

    `listed` is the record with nothing but the concepts of this file.
    """
    for line, content in _filled(data):
        pieces = _PIECES.split(content)
        concept, type = listed.concept(pieces[0], line), _type(pieces[-1])
        if concept is None:
            continue
        if concept.span in types and type != types[concept.span].strip():
            draft.unread["type of a concept"] += 1
        if listed.add(concept, line, "", "") and concept.span not in types:
            labels = {"type": type or ""}
            draft.mention(None, [concept.span], 1, entity=f"concept {line}", labels=labels)


def _type(piece: str) -> str | None:
    """The type that the last piece of a line says; None if it says none."""
    type = _TYPE.fullmatch(piece)
    return type[1] if type else None


def _filled(data: bytes) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, with their numbers."""
    return ((line, text) for line, text in enumerate(lines_of(data), 1) if text.strip())


def _is_concept(line: str) -> bool:
    """Whether a line is one of a `.con` file: a concept with a type."""
    *pieces, last = _PIECES.split(line)
    type = _type(last)
    return len(pieces) == 1 and bool(type) and not _COREF.fullmatch(type or "")


def _beside(path: str, ending: str, folder: str, given: str | None) -> tuple[str, bytes | None]:
    """The text or the concepts of a file of chains: beside it, in ../FOLDER, or where users say;
    the path and the content, None where there is no such file.
    """
    name = stem(path, _CHAINS) + ending
    above, slash, _ = path.replace("\\", "/").rpartition("/")
    here = f"{above}{slash}" or "./"
    folders = [f"{given}/"] if given else [here, f"{here}../{folder}/"]
    return files.load_first([f"{at}{name}" for at in folders])


FORMAT = Format(
    name="i2b2",
    title="i2b2 chains",
    parse=parse,
    holds=IN_WORDS | {"crossing", "type"},
    options=(TEXT, CONCEPTS),
    looks=(Look(begins=rb'c="[^\n]*?" \d+:\d+ \d+:\d+[ \t]*\|\|'),),
    companions=(Companions(_CHAINS, ("{}", "../docs/{}", "{}.con", "../concepts/{}.con")),),
    suffixes=(_CHAINS,),
    untried=True,
)
