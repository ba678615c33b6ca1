"""brat standoff: `.ann` files of annotations beside `.txt` files of text.

X.ann:
    T1	Person 0 3	Ada
    T2	Person 4 8;13 16	said say
    T3	Person 9 12	her
    R1	Coreference Arg1:T3 Arg2:T1
    *	Equiv T1 T3
X.txt:
    Ada said her say.

An annotation has the characters of its parts, ends excluded. The relation and the set say the same.
Mentions are, in whichever of three styles the file has, what such links join; the type that we
write; or annotations whose types are chains, such as Emma-3.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.core.texts import shorten
from corefkit.formats.format import IN_TEXT, Companions, Format, Look, WrittenFiles
from corefkit.formats.kit.building import (
    encode_lines,
    note_no_coreference,
    places,
    reader,
    stem,
    text_beside,
)
from corefkit.formats.kit.draft import corpus_of
from corefkit.formats.kit.files import refuse_output
from corefkit.formats.kit.spans import SpanDraft, keep_mentions
from corefkit.formats.options import MENTIONS, RELATIONS

if TYPE_CHECKING:
    from corefkit.formats.kit.content import TextMention

_BOUND = re.compile(r"(T\S*)\t(\S+) (\d{1,18} \d{1,18}(?:;\d{1,18} \d{1,18})*)(?:\t(.*))?")
_RELATION = re.compile(r"R\S*\t(\S+) [^\s:]+:(\S+) [^\s:]+:(\S+)\s*")
_EQUIV = re.compile(r"\*\t(?i:equiv|coref|coreference)((?: \S+)+)\s*")
_CHAIN = re.compile(r".*-\d+")
_UNREAD = {"A": "attribute", "M": "attribute", "E": "event", "N": "normalization", "#": "note"}
"""The lines that are not read, by their first character."""
_WRITTEN_TYPE = "Mention"
"""The type of written mentions."""


@reader
def parse(data: bytes, path: str, reading: Reading, collector: Collector) -> Corpus:
    """The document of one `.ann` file."""
    text = text_beside(path, ".ann", ".txt", collector).decode("utf-8-sig", "replace")
    draft = SpanDraft(stem(path, ".ann"), collector, 1, text, reading)
    place: dict[str, str] = {}
    relations: list[tuple[str, list[str], int]] = []
    for line, content in enumerate(data.decode("utf-8-sig", "replace").split("\n"), 1):
        first = content[:1]
        if first == "T":
            match = _BOUND.fullmatch(content.rstrip("\r"))
            if not match:
                found, expected = shorten(content), "T1<tab>Type 0 5<tab>text"
                collector.note("annotation-shape", at=line, found=found, expected=expected)
                continue
            id, type, shown, said = match.groups()
            ends = [int(number) for number in shown.replace(";", " ").split()]
            runs = [*zip(ends[::2], ends[1::2], strict=True)]
            if any(end > begin for (_, end), (begin, _) in pairwise(runs)):
                runs = [(-1, -1)]  # parts that overlap or are in another order
            place.setdefault(id, shown)
            draft.span(id, runs, line, (type,), said, shown)
        elif first == "R" and (match := _RELATION.fullmatch(content)):
            relations.append((match[1], [match[2], match[3]], line))
        elif first == "*" and (match := _EQUIV.fullmatch(content)):
            relations.append(("Coreference", match[1].split(), line))
        elif first in _UNREAD and "\t" in content:
            draft.unread[_UNREAD[first]] += 1
    for type, ids, line in relations:
        draft.relate([type], ids, line)
    del draft.unread["relation"]
    if not keep_mentions([draft], reading, [_WRITTEN_TYPE]):
        _keep_chains(draft, place, collector)
    return corpus_of("brat", data, [draft], collector)


def _keep_chains(draft: SpanDraft, place: dict[str, str], collector: Collector) -> None:
    """Keep the annotations whose types are chains, and those at other places as singletons."""
    chains = {id: type for id, (type,) in draft.labels.items() if _CHAIN.fullmatch(type)}
    covered = {place[str(id)] for id in chains}
    alone = {id: str(id) for id in draft.labels if place[str(id)] not in covered}
    draft.keep({**chains, **alone} if chains else {})
    if draft.labels and not chains and not draft.identity:
        listed = ", ".join(sorted({type for (type,) in draft.labels.values()}))
        expected = "relations Coref…, * Equiv lines, or types such as Emma-3"
        note_no_coreference(collector, f"the types {listed}", expected)


def write(corpus: Corpus, path: str) -> WrittenFiles:
    """An annotation file and a text file per document; several documents are put into a folder."""
    from corefkit.formats.kit.content import running_texts

    written: dict[str, bytes] = {}
    size = 0
    names = places(path.removesuffix(".ann"), corpus.names)
    for name, document in zip(names, running_texts(corpus), strict=True):
        size += sum(b - a for _, _, parts in document.mentions for a, b in parts)
        refuse_output("brat", size)
        lines = _lines(document.text, document.mentions)
        written[f"{name}.ann"] = encode_lines(lines)
        written[f"{name}.txt"] = document.text.encode("utf-8", "replace")
    return WrittenFiles(written, [])


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
    options=(RELATIONS, MENTIONS),
    looks=(
        Look(
            begins=rb"T\d+\t\S+ \d+ \d+|R\d+\t\S+ \S+:T\d+ \S+:T\d+|\*\t\S+ T\d+ T\d+"
            rb"|[EAMN]\d+\t\S+[: ][TERN]\d+|#\d+\tAnnotatorNotes "
        ),
    ),
    companions=(Companions(".ann", ("{}.txt",), ("*.conf",)),),
    suffixes=(".ann",),
)
