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
from itertools import accumulate
from typing import NamedTuple

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.core.texts import quote
from corefkit.formats.format import IN_WORDS, Companions, Format, Look
from corefkit.formats.kit import files
from corefkit.formats.kit.building import lines_of, reader, refused, stem
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


class _Text:
    """The tokens of a text by line."""

    def __init__(self, data: bytes) -> None:
        lines = [line.split() for line in data.decode("utf-8-sig", "replace").split("\n")]
        self.words = [word for line in lines for word in line]
        self._lengths = [len(line) for line in lines]
        self._first = [0, *accumulate(self._lengths)]

    def draft(self, name: str, collector: Collector) -> Draft:
        """A document without mentions."""
        lengths = [length for length in self._lengths if length]
        draft = Draft(name, collector, words=self.words, lengths=lengths, inclusive=True)
        draft.same = _same
        return draft

    def concept(self, piece: str, line: int, collector: Collector) -> _Concept | None:
        """A concept; None, and an incident, if it has no place."""
        if (match := _CONCEPT.fullmatch(piece)) is None:
            expected = 'c="its text" 12:0 12:1, line and token of both ends'
            collector.note("concept-bad", at=line, found=quote(piece), expected=expected)
            return None
        a, b, c, d = map(int, match.groups()[1:])
        return _Concept(match[1], (self._token(a, b), self._token(c, d)), f"{a}:{b} {c}:{d}")

    def _token(self, line: int, number: int) -> int:
        """The number of a token; −1 if there is none."""
        exists = 1 <= line <= len(self._lengths) and number < self._lengths[line - 1]
        return self._first[line - 1] + number if exists else -1


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
    text = _Text(raw)
    draft = text.draft(stem(path, _CHAINS, ".txt"), collector)
    types = _add_chains(draft, text, lines, collector)
    file, listed = _beside(path, _CONCEPTS, "concepts", reading.get("concepts"))
    told = Collector(file)
    _add_concepts(draft, text, listed or b"", types, told)
    for incident in told:
        collector.add(incident)
    draft.differing = 0  # published files have some, and they are kept by position
    return corpus_of("i2b2", data, [draft], collector)


def _add_chains(
    draft: Draft, text: _Text, lines: list[tuple[int, str]], collector: Collector
) -> dict[Run, str]:
    """Add the mentions of all chains; return the type of each."""
    types: dict[Run, str] = {}
    seen: set[tuple[int, Run]] = set()
    for line, content in lines:
        *pieces, last = _PIECES.split(content)
        coref = _COREF.fullmatch(_type(last) or "")
        if coref is None:
            expected = 't="coref person" at its end, or another type'
            collector.note("chain-bad", at=line, found=quote(last), expected=expected)
            continue
        for piece in pieces:
            concept = text.concept(piece, line, collector)
            if concept is None:
                continue
            if (line, concept.span) in seen:
                collector.note("span-twice", "concept", at=line, found=quote(concept.text))
            elif _add(draft, concept, line, str(line), coref[1]):
                seen.add((line, concept.span))
                types[concept.span] = coref[1]
    return types


def _add_concepts(
    draft: Draft, text: _Text, data: bytes, types: dict[Run, str], collector: Collector
) -> None:
    """Add the concepts that are in no chain, each as an entity of its own."""
    listed = text.draft("", collector)
    seen: set[Run] = set()
    for line, content in _filled(data):
        pieces = _PIECES.split(content)
        concept, type = text.concept(pieces[0], line, collector), _type(pieces[-1])
        if concept is None:
            continue
        if concept.span in types and type != types[concept.span].strip():
            draft.unread["type of a concept"] += 1
        if concept.span in seen:
            collector.note("span-twice", "concept", at=line, found=quote(concept.text))
        elif _add(listed, concept, line, "", ""):
            seen.add(concept.span)
            if concept.span not in types:
                labels = {"type": type or ""}
                draft.mention(None, [concept.span], 1, entity=f"concept {line}", labels=labels)


def _type(piece: str) -> str | None:
    """The type that the last piece of a line says; None if it says none."""
    type = _TYPE.fullmatch(piece)
    return type[1] if type else None


def _add(draft: Draft, concept: _Concept, line: int, entity: str, type: str) -> bool:
    text, span, place = concept
    labels = {"type": type}
    return draft.mention(None, [span], line, entity=entity, text=text, shown=place, labels=labels)


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
