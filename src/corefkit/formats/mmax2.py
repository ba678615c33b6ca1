"""MMAX2: a project `X.mmax`, its words in Basedata/ and its markables in Markables/.

The other files are found by the name of the project; names inside a file never become paths.
"""

import re
from collections import Counter
from pathlib import Path

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading, UsageError
from corefkit.formats.kit import building, files
from corefkit.formats.kit.building import RawDocument, RawMention, mention_of_runs
from corefkit.formats.kit.xml import ElementListener, walk
from corefkit.formats.registry import IN_WORDS, Format

_LEVEL = re.compile(r"[\w-]+")
_NONE = frozenset({"", "empty", "none"})
_COREFERENCE, _SENTENCES = "coref", "sentence"
_READ = frozenset({"id", "span", "coref_class", "mmax_level"})


class _MmaxWords(ElementListener):
    """Collects the words, and the number of the word with each id."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.number: dict[str, int] = {}

    def end(self, path: list[str], text: str) -> None:
        if path[-1] == "word":
            self.words.append(text)

    def start(self, path: list[str], attributes: dict[str, str]) -> None:
        if path[-1] == "word":
            self.number.setdefault(attributes.get("id", ""), len(self.words))


class _MmaxMarkables(ElementListener):
    """Collects the lines and attributes of the markables, or of other elements."""

    def __init__(self, element: str = "markable") -> None:
        self.elements: list[tuple[int, dict[str, str]]] = []
        self._element = element

    def start(self, path: list[str], attributes: dict[str, str]) -> None:
        if path[-1] == self._element:
            self.elements.append((self.line, attributes))


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The document of one project."""
    collector = Collector(path)
    if not walk(data, ElementListener(), collector):
        return building.nothing(collector)
    words = _MmaxWords()
    beside, raw = _load(path, "Basedata", "words.xml")
    if raw is None:
        collector.note("text-missing", expected=f"{beside} beside it")
        return building.nothing(collector)
    level = reading.get("layer") or _COREFERENCE
    if not _LEVEL.fullmatch(level):
        raise UsageError(f"layer: {level!r} cannot be the name of a level")
    level_file, markables = _load(path, "Markables", f"{level}_level.xml")
    if markables is None:
        expected = f"markables of the level {level}: {level_file}"
        building.note_no_coreference(collector, "no such file", expected)
        return building.nothing(collector)
    coreference = _MmaxMarkables()
    if not (
        walk(raw, words, collector, file=beside)
        and walk(markables, coreference, collector, file=level_file)
    ):
        return building.nothing(collector)
    mentions = _mentions(coreference, words.number, level_file, collector)
    lengths = _sentences(path, words.number, len(words.words))
    name = building.stem(path, ".mmax")
    document = RawDocument(name, mentions, words=words.words, lengths=lengths)
    return building.make_corpus("mmax2", data, [document], collector)


def _load(path: str, folder: str, kind: str) -> tuple[str, bytes | None]:
    """The path and the bytes of a file of the project; None if there is no such file.

    It is in its folder, whose name may be in lower case, or beside the project.
    """
    project = Path(path)
    name = f"{building.stem(path, '.mmax')}_{kind}"
    places = [project.parent / part / name for part in (folder, folder.lower(), "")]
    for place in places:
        if place.is_file():
            return str(place), files.load(str(place))
    return str(places[0]), None


def _mentions(
    markables: _MmaxMarkables, number: dict[str, int], path: str, collector: Collector
) -> list[RawMention]:
    mentions = []
    for order, (line, attributes) in enumerate(markables.elements):
        parts = _parts(attributes.get("span", ""), number)
        if not parts:
            where = attributes.get("span", "no span")
            building.note_outside(collector, line, where, len(number), "words", file=path)
            continue
        entity = attributes.get("coref_class", "")
        if entity.lower() in _NONE:
            entity = f"markable {attributes.get('id', order)}"
        mentions.append(mention_of_runs(parts, entity))
    return mentions


def _parts(span: str, number: dict[str, int]) -> list[tuple[int, int]]:
    """The runs of words of a span such as word_3..word_5,word_8; none if it is malformed."""
    runs = []
    for part in span.split(","):
        first, _, last = part.strip().partition("..")
        if first not in number or (last or first) not in number:
            return []
        runs.append((number[first], number[last or first]))
    return [] if any(end < start for start, end in runs) else building.joined_runs(runs)


def _sentences(path: str, number: dict[str, int], size: int) -> list[int] | None:
    """The lengths of the sentences; None if there is no such level or it has gaps."""
    file, raw = _load(path, "Markables", f"{_SENTENCES}_level.xml")
    reader = _MmaxMarkables()
    if raw is None or not walk(raw, reader, Collector(file)):
        return None
    runs = sorted(
        run
        for _, attributes in reader.elements
        for run in _parts(attributes.get("span", ""), number)
    )
    at = 0
    for start, end in runs:
        if start != at:
            return None
        at = end + 1
    return [end - start + 1 for start, end in runs] if at == size else None


def count_unread(data: bytes, path: str, reading: Reading) -> dict[str, int]:
    """How many attributes of words and markables, and markables of other levels, are not read."""
    del data
    numbers: Counter[str] = Counter()
    level = reading.get("layer") or _COREFERENCE
    words = _elements(path, "Basedata", "words.xml", "word")
    for attributes in [*words, *_elements(path, "Markables", f"{level}_level.xml")]:
        for name, value in attributes.items():
            numbers[name] += name not in _READ and value.lower() not in _NONE
    for other in sorted(_levels(path) - {level, _SENTENCES}):
        markables = _elements(path, "Markables", f"{other}_level.xml")
        numbers[f"{other} markable"] += len(markables)
    return dict(+numbers)


def _elements(path: str, folder: str, kind: str, name: str = "markable") -> list[dict[str, str]]:
    """The attributes of the elements with this name in a file of the project."""
    file, raw = _load(path, folder, kind)
    reader = _MmaxMarkables(name)
    walk(raw or b"", reader, Collector(file))
    return [attributes for _, attributes in reader.elements]


def _levels(path: str) -> set[str]:
    """The levels of a project for which there is a file."""
    start, end = f"{building.stem(path, '.mmax')}_", "_level.xml"
    folder = Path(path).parent
    places = [folder / "Markables", folder / "markables", folder]
    names = [file.name for place in places if place.is_dir() for file in place.iterdir()]
    levels = [name[len(start) : -len(end)] for name in names if name.startswith(start)]
    return {name for name in levels if _LEVEL.fullmatch(name) and f"{start}{name}{end}" in names}


FORMAT = Format(
    "mmax2",
    "MMAX2",
    parse,
    holds=IN_WORDS | {"crossing", "parts"},
    options=("layer",),
    suffixes=(".mmax",),
    count_unread=count_unread,
)
