"""brat standoff: `.ann` files of annotations beside `.txt` files of text."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.links import components
from corefkit.core.options import Reading
from corefkit.core.texts import shorten
from corefkit.formats.kit import building, files
from corefkit.formats.kit.building import RawDocument, RawMention, mention_of_runs
from corefkit.formats.kit.files import refuse_output
from corefkit.formats.registry import IN_TEXT, Format, WrittenFiles

if TYPE_CHECKING:
    from corefkit.formats.kit.content import TextMention

_BOUND = re.compile(r"(T\S*)\t(\S+) (\d{1,18}) (\d{1,18})((?:;\d{1,18} \d{1,18})*)(?:\t(.*))?")
_RELATION = re.compile(r"R\S*\t(\S+) [^\s:]+:(\S+) [^\s:]+:(\S+)\s*")
_EQUIV = re.compile(r"\*\t(\S+)((?: \S+)+)\s*")
_CHAIN = re.compile(r".*-\d+")
_EQUIVALENCES = frozenset({"equiv", "coref", "coreference"})
_WRITTEN_TYPE = "Mention"
"""The type of written mentions."""


class _TextBound(NamedTuple):
    """A text-bound annotation; the ends of its `parts` are excluded."""

    id: str
    type: str
    parts: tuple[tuple[int, int], ...]
    text: str | None
    line: int


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The document of one `.ann` file."""
    collector = Collector(path)
    beside, raw = files.companion(path, ".ann", ".txt")
    if raw is None:
        collector.note("text-missing", expected=f"{beside} beside it")
        return building.nothing(collector)
    text = raw.decode("utf-8-sig", "replace")
    bounds, links = _read_lines(data.decode("utf-8-sig", "replace").split("\n"), collector)
    usable = _checked(bounds, text, collector)
    chosen = [
        link[1:] for link in links if building.is_identity(link[:1], reading.listed("relations"))
    ]
    known = building.known_links(chosen, bounds, collector)
    if chosen and not known:
        return building.nothing(collector)
    mentions = _mentions(bounds, usable, known, reading, collector)
    document = RawDocument(building.stem(path, ".ann"), mentions, text=text)
    return building.make_corpus("brat", data, [document], collector, "character")


def _read_lines(
    lines: list[str], collector: Collector
) -> tuple[dict[str, _TextBound], list[tuple[str, str, str, int]]]:
    """The text-bound annotations by id, and the links as (type, id, other id, line)."""
    bounds: dict[str, _TextBound] = {}
    links: list[tuple[str, str, str, int]] = []
    for line, content in enumerate(lines, 1):
        first = content[:1]
        if first == "T":
            match = _BOUND.fullmatch(content.rstrip("\r"))
            if not match:
                shown, expected = shorten(content), "T1<tab>Type 0 5<tab>text"
                collector.note("annotation-shape", at=line, found=shown, expected=expected)
                continue
            name, type, begin, end, more_parts, mention_text = match.groups()
            if name in bounds:
                building.note_id_twice(collector, line, name, bounds[name].line)
                continue
            parts: tuple[tuple[int, int], ...] = ((int(begin), int(end)),)
            if more_parts:
                ends = [int(number) for number in more_parts[1:].replace(";", " ").split(" ")]
                parts += tuple(zip(ends[::2], ends[1::2], strict=True))
            bounds[name] = _TextBound(name, type, parts, mention_text, line)
        elif first == "R" and (relation := _RELATION.fullmatch(content)):
            links.append((relation[1], relation[2], relation[3], line))
        elif first == "*":
            equiv = _EQUIV.fullmatch(content)
            if equiv and equiv[1].lower() in _EQUIVALENCES:
                name, *others = equiv[2].split()
                links += [("Coreference", name, other, line) for other in others]
    return bounds, links


def _checked(bounds: dict[str, _TextBound], text: str, collector: Collector) -> set[str]:
    """The ids of annotations whose offsets are in the text; differing texts are reported."""
    usable = set()
    differing = 0
    size = len(text)
    for name, _, parts, given, line in bounds.values():
        last = 0
        for begin, end in parts:
            if not last <= begin < end <= size:
                place = ";".join(f"{a} {b}" for a, b in parts)
                building.note_outside(collector, line, place, size, "characters")
                break
            last = end
        else:
            usable.add(name)
            actual = " ".join([text[a:b] for a, b in parts])
            if given is not None and actual != given:
                differing += building.note_difference(collector, line, actual, given)
    building.judge_texts(differing, len(bounds), collector)
    return usable


def _mentions(
    bounds: dict[str, _TextBound],
    usable: set[str],
    links: list[tuple[str, str]],
    reading: Reading,
    collector: Collector,
) -> list[RawMention]:
    """The mentions, in whichever of three styles the file has: links, our own, or chains.

    In the last style, the type of an annotation is its chain, such as Emma-3.
    """
    ends = {name for link in links for name in link}
    linked = {bounds[name].type for name in ends}
    types = (
        set(reading.listed("mentions"))
        or linked
        or {_WRITTEN_TYPE} & {b.type for b in bounds.values()}
    )
    if types:
        chosen = [b for b in bounds.values() if b.type in types or b.id in ends]
        entity = components((b.id for b in chosen), links)
        return [_mention(b, str(entity[b.id])) for b in chosen if b.id in usable]
    chains = [b for b in bounds.values() if _CHAIN.fullmatch(b.type)]
    if chains:
        covered = {b.parts for b in chains}
        alone = [b for b in bounds.values() if b.parts not in covered]
        named = [(b, b.type) for b in chains] + [(b, b.id) for b in alone]
        return [_mention(b, entity) for b, entity in named if b.id in usable]
    if bounds:
        listed = ", ".join(sorted({b.type for b in bounds.values()}))
        expected = "relations Coref…, * Equiv lines, or types such as Emma-3"
        building.note_no_coreference(collector, f"the types {listed}", expected)
    return []


def _mention(bound: _TextBound, entity: str) -> RawMention:
    return mention_of_runs([(a, b - 1) for a, b in bound.parts], entity, bound.line)


_UNREAD = {b"A": "attribute", b"M": "attribute", b"E": "event", b"N": "normalization", b"#": "note"}
"""The lines that are not read, by their first byte."""


def count_unread(data: bytes, path: str, reading: Reading) -> dict[str, int]:
    """How many attributes, events, normalizations and notes, which are not read, a file has."""
    numbers: dict[str, int] = {}
    for line in data.split(b"\n"):
        name = _UNREAD.get(line[:1])
        if name and b"\t" in line:
            numbers[name] = numbers.get(name, 0) + 1
    return numbers


def write(corpus: Corpus, path: str) -> WrittenFiles:
    """An annotation file and a text file per document; several documents are put into a folder."""
    from corefkit.formats.kit.content import running_texts
    from corefkit.formats.kit.convert import reduce

    plain, incidents = reduce(corpus, frozenset({"characters", "parts", "crossing"}))
    written: dict[str, bytes] = {}
    size = 0
    places = building.places(path.removesuffix(".ann"), plain.names)
    for place, document in zip(places, running_texts(plain), strict=True):
        size += sum(b - a for _, _, parts in document.mentions for a, b in parts)
        refuse_output("brat", size)
        lines = _lines(document.text, document.mentions)
        written[f"{place}.ann"] = building.encode_lines(lines)
        written[f"{place}.txt"] = document.text.encode("utf-8", "replace")
    return WrittenFiles(written, incidents)


def _lines(text: str, mentions: "list[TextMention]") -> Iterator[str]:
    last: dict[int, int] = {}
    relations = []
    for number, (_, entity, parts) in enumerate(mentions, 1):
        place = ";".join(f"{a} {b}" for a, b in parts)
        mention_text = re.sub(r"\s", " ", " ".join(text[a:b] for a, b in parts))
        yield f"T{number}\t{_WRITTEN_TYPE} {place}\t{mention_text}\n"
        if entity in last:
            relations.append((number, last[entity]))
        last[entity] = number
    for number, (anaphor, antecedent) in enumerate(relations, 1):
        yield f"R{number}\tCoreference Arg1:T{anaphor} Arg2:T{antecedent}\t\n"


FORMAT = Format(
    name="brat",
    title="brat standoff",
    parse=parse,
    write=write,
    unit="character",
    holds=IN_TEXT | {"crossing", "parts"},
    options=("relations", "mentions"),
    count_unread=count_unread,
    suffixes=(".ann",),
)
