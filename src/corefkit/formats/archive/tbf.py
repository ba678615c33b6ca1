"""KBP event nuggets, `.tbf`: one mention per line, and lines that link mentions.

X.tbf:
    #BeginOfDocument doc-1
    run	doc-1	E1	4,8;13,16	shot down	Conflict_Attack	Actual
    run	doc-1	E2	40,44	it	Conflict_Attack	Actual
    @Coreference	R1	E1,E2
    #EndOfDocument

Places are spans of characters, ends excluded, or lists of token ids, `t3,t5`. The text is not in
the file, so the length of a document is unknown. Every line is a mention: a span may occur several
times in a document, with the same labels or with others.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from corefkit.core.corpus import Corpus, Unit
from corefkit.core.incidents import Collector
from corefkit.core.links import components
from corefkit.core.mention_columns import runs_of
from corefkit.core.options import Reading
from corefkit.core.texts import quote, shorten
from corefkit.formats.format import Format, Look, WrittenFiles
from corefkit.formats.kit import building, files
from corefkit.formats.kit.building import note_too_few, reader
from corefkit.formats.kit.draft import Draft, Run, corpus_of
from corefkit.formats.options import UNIT

_BEGIN, _END = "#BeginOfDocument", "#EndOfDocument"
_CELLS, _LINK_CELLS = 7, 3
_CHARACTERS = re.compile(r"\d{1,18},\d{1,18}(?:;\d{1,18},\d{1,18})*")
_TOKEN = re.compile(r"\D*(\d{1,18})\D*")
_UNLABELLED = "NOT_ANNOTATED"
"""The written label of a mention that has none."""


@reader
def parse(data: bytes, path: str, reading: Reading, collector: Collector) -> Corpus:
    """The documents of one file."""
    lines = [(n, text) for n, text in enumerate(building.lines_of(data), 1) if text.strip()]
    unit: Unit = reading.get("unit") or _unit(text for _, text in lines)
    drafts = []
    others = joined = 0
    for draft, rows in _documents(lines, unit, collector):
        drafts.append(draft)
        links: list[tuple[int, list[str]]] = []
        sound = True
        for line, text in rows:
            cells = text.split("\t")
            if not text.startswith("@"):
                sound &= _add_nugget(draft, cells, line, collector)
            elif cells[0] != "@Coreference":
                others += 1
            elif len(cells) < _LINK_CELLS:
                note_too_few(collector, line, cells, _LINK_CELLS)
            else:
                ids = [id.strip() for id in cells[2].split(",")]
                links.append((line, [id for id in ids if id]))
        for line, ids in links:  # an id that is not known may be that of a broken line
            draft.link(ids if sound else [id for id in ids if id in draft], line)
        joined += _joined([ids for _, ids in links])
    if others:
        collector.note("layer-dropped", "relations", number=others, count=others)
    if joined:
        collector.note("entities-joined", number=joined, count=joined)
    return corpus_of("tbf", data, drafts, collector, unit)


def _documents(
    lines: Sequence[tuple[int, str]], unit: Unit, collector: Collector
) -> Iterator[tuple[Draft, list[tuple[int, str]]]]:
    """The documents, each with its lines, without comments."""
    draft: Draft | None = None
    rows: list[tuple[int, str]] = []
    outside = False
    for line, text in lines:
        if text.startswith((_BEGIN, _END)):
            if draft is not None:
                yield draft, rows
            if draft is not None and text.startswith(_BEGIN):
                _note_unclosed(draft, line, collector)
            draft, rows = None, []
            if text.startswith(_BEGIN):
                draft = _begin(text.removeprefix(_BEGIN).strip(), line, unit, collector)
        elif draft is not None and not text.startswith("#"):
            rows.append((line, text))
        elif not text.startswith("#") and not outside:
            outside, expected = True, f"{_BEGIN} and a name before it"
            collector.note("token-outside", "nugget", at=line, expected=expected)
    if draft is not None:
        _note_unclosed(draft, lines[-1][0], collector)
        yield draft, rows


def _unit(lines: Iterable[str]) -> Unit:
    """The unit of the places: characters if all of them look so."""
    rows = (text.split("\t") for text in lines if text[0] not in "#@")
    places = (cells[3].strip() for cells in rows if len(cells) >= _CELLS)
    return "character" if all(map(_CHARACTERS.fullmatch, places)) else "token"


def _begin(name: str, line: int, unit: Unit, collector: Collector) -> Draft:
    if not name:
        expected = f"{_BEGIN} NAME"
        collector.note("document-unnamed", at=line, severity="error", expected=expected)
    return Draft(name or None, collector, line, unit=unit)


def _note_unclosed(draft: Draft, line: int, collector: Collector) -> None:
    begun, name = f"the document that begins on line {draft.line}", draft.name or ""
    collector.note("document-unclosed", at=line, document=name, found=begun, expected=_END)


def _add_nugget(draft: Draft, cells: list[str], line: int, collector: Collector) -> bool:
    """Add the mention of a row; False if links to it may be in vain."""
    if len(cells) < _CELLS:
        note_too_few(collector, line, cells, _CELLS)
        return False
    id, place, text, type, realis = cells[2:_CELLS]
    draft.unread["text"] += bool(text.strip())
    more = enumerate(cells[_CELLS:], _CELLS + 1)
    draft.unread.update(f"column {number}" for number, cell in more if cell.strip())
    runs, twice = _runs(place.strip(), draft.unit), id in draft
    if runs is None and not twice:
        tokens, characters = "token ids, t3,t5", "4,8 or 4,8;13,16"
        expected = tokens if draft.unit == "token" else characters
        draft.refuse(id, line, "place-bad", quote(place.strip()), expected)
    else:
        shown = f"{place.strip()} of {shorten(id)}"
        labels = {"type": type, "realis": realis.strip()}
        draft.mention(id, runs or [], line, shown=shown, labels=labels)
    return not twice


def _runs(place: str, unit: Unit) -> list[Run] | None:
    """The runs of a place, ends excluded; None if it is malformed."""
    if unit == "character":
        if not _CHARACTERS.fullmatch(place):
            return None
        begins, ends = re.findall(r"(\d+),", place), re.findall(r",(\d+)", place)
        return [*zip(map(int, begins), map(int, ends), strict=True)]
    tokens = [_TOKEN.fullmatch(part) for part in place.split(",")]
    numbers = [int(token[1]) for token in tokens if token]
    return [(n, n + 1) for n in numbers] if len(numbers) == len(tokens) else None


def _joined(listed: Sequence[list[str]]) -> int:
    """How many entities were merged from different clusters that share a mention."""
    members = [id for ids in listed for id in ids]
    if len({*members}) == len(members):
        return 0
    clusters = {frozenset(ids) for ids in listed}
    links = [(cluster, id) for cluster in clusters for id in cluster]
    nodes: dict[object, None] = dict.fromkeys((*clusters, *members))
    component = components(nodes, links)
    parts = Counter(component[cluster] for cluster in clusters)
    return sum(number > 1 for number in parts.values())


def write(corpus: Corpus, path: str) -> WrittenFiles:
    """One file; spans of tokens are written as lists of token ids."""
    files.refuse_output("tbf", 8 * int((corpus.end - corpus.start + 1).sum()))
    collector = Collector(path)
    names = [" ".join(name.split()) for name in corpus.names]
    for number, name in enumerate(names):
        if not name:
            names[number] = _free_name(number, names)
            collector.note("document-unnamed", "written", name=names[number])
    return WrittenFiles({path: building.encode_lines(_lines(corpus, names))}, [*collector])


def _free_name(number: int, names: Sequence[str]) -> str:
    """A name for a document without one: its position, from 0."""
    name = f"document-{number}"
    while name in names:
        name += "_"
    return name


def _lines(corpus: Corpus, names: Sequence[str]) -> Iterator[str]:
    from corefkit.formats.kit.content import mention_texts

    texts = mention_texts(corpus)
    columns = corpus.mention_labels.columns if corpus.mention_labels is not None else {}
    labels = {
        name: columns[name].to_list() if name in columns else [""] * corpus.mentions
        for name in ("type", "realis")
    }
    for document, rows in enumerate(corpus.rows_of_documents(corpus.text_order)):
        name = names[document]
        yield f"{_BEGIN} {name}\n"
        entities: dict[int, list[str]] = {}
        for number, row in enumerate(rows.tolist(), 1):
            nodes = corpus.nodes.at(row) if corpus.nodes is not None else None
            span = int(corpus.start[row]), int(corpus.end[row])
            runs = runs_of(token for token, _ in nodes) if nodes else [span]
            if corpus.unit == "character":
                place = ";".join(f"{a},{b + 1}" for a, b in runs)
            else:
                place = ",".join(f"t{token}" for a, b in runs for token in range(a, b + 1))
            id = f"E{number}"
            entities.setdefault(int(corpus.entity[row]), []).append(id)
            values = (" ".join(column[row].split()) or _UNLABELLED for column in labels.values())
            yield "\t".join(("corefkit", name, id, place, texts[row], *values)) + "\n"
        large = [ids for ids in entities.values() if len(ids) > 1]
        for number, ids in enumerate(large, 1):
            yield f"@Coreference\tR{number}\t{','.join(ids)}\n"
        yield f"{_END}\n"


FORMAT = Format(
    name="tbf",
    title="KBP event nuggets",
    parse=parse,
    write=write,
    unit="character",
    holds=frozenset({"singletons", "names", "crossing", "parts", "type", "realis"}),
    options=(UNIT,),
    looks=(
        Look(
            begins=rb"(?:#(?!BeginOfDocument\b)[^\n]*+\n\s*+)*+(?:#BeginOfDocument\b|"
            rb"(?:[^\t\n]{0,9999}+\t){3}\d+,\d+(?:;\d+,\d+)*(?:\t[^\t\n]*+){3})"
        ),
    ),
    suffixes=(".tbf",),
)
