"""KBP event nuggets, `.tbf`: one mention per line, and lines that link mentions.

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
from collections.abc import Iterator, Sequence

from corefkit.core.corpus import Corpus, Unit
from corefkit.core.incidents import Collector
from corefkit.core.links import components
from corefkit.core.mention_columns import runs_of
from corefkit.core.options import Reading
from corefkit.core.texts import quote, shorten
from corefkit.formats.format import Format, Look, WrittenFiles
from corefkit.formats.kit import building, files
from corefkit.formats.kit.building import reader
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
    reader = _NuggetReader(lines, reading.get("unit"), collector)
    for line, text in lines:
        reader.read(line, text)
    reader.finish(lines[-1][0] if lines else 1)
    return corpus_of("tbf", data, reader.drafts, collector, reader.unit)


class _NuggetReader:
    """Reads the lines of a file."""

    def __init__(
        self, lines: Sequence[tuple[int, str]], unit: Unit | None, collector: Collector
    ) -> None:
        self.drafts: list[Draft] = []
        cells = (text.split("\t") for _, text in lines if text[0] not in "#@")
        places = (listed[3].strip() for listed in cells if len(listed) >= _CELLS)
        self.unit: Unit = unit or (
            "character" if all(map(_CHARACTERS.fullmatch, places)) else "token"
        )
        self._collector = collector
        self._open: Draft | None = None
        self._outside = self._broken = False
        self._links: list[tuple[int, list[str]]] = []
        self._others = self._joined = 0

    def read(self, line: int, text: str) -> None:
        """Read a line; problems are reported."""
        if text.startswith((_BEGIN, _END)):
            self._end(line if text.startswith(_BEGIN) else None)
            if text.startswith(_BEGIN):
                self._begin(text.removeprefix(_BEGIN).strip(), line)
        elif text.startswith("#"):
            return
        elif self._open is None:
            if not self._outside:
                expected = f"{_BEGIN} and a name before it"
                self._collector.note("token-outside", "nugget", at=line, expected=expected)
            self._outside = True
        elif not text.startswith("@"):
            self._nugget(self._open, text.split("\t"), line)
        elif (cells := text.split("\t"))[0] != "@Coreference":
            self._others += 1
        elif len(cells) < _LINK_CELLS:
            self._too_few(cells, _LINK_CELLS, line)
        else:
            ids = [id.strip() for id in cells[2].split(",")]
            self._links.append((line, [id for id in ids if id]))

    def _begin(self, name: str, line: int) -> None:
        if not name:
            expected = f"{_BEGIN} NAME"
            self._collector.note("document-unnamed", at=line, severity="error", expected=expected)
        self._open = Draft(name or None, self._collector, line, unit=self.unit)
        self.drafts.append(self._open)

    def _nugget(self, draft: Draft, cells: list[str], line: int) -> None:
        if len(cells) < _CELLS:
            self._broken = True
            self._too_few(cells, _CELLS, line)
            return
        id, place, text, type, realis = cells[2:_CELLS]
        draft.unread["text"] += bool(text.strip())
        more = enumerate(cells[_CELLS:], _CELLS + 1)
        draft.unread.update(f"column {number}" for number, cell in more if cell.strip())
        runs = self._runs(place.strip())
        if runs is None and id not in draft:
            tokens, characters = "token ids, t3,t5", "4,8 or 4,8;13,16"
            expected = tokens if self.unit == "token" else characters
            found = quote(place.strip())
            self._collector.note("place-bad", at=line, found=found, expected=expected)
            draft.declare(id, line)
            return
        self._broken |= id in draft
        shown = f"{place.strip()} of {shorten(id)}"
        labels = {"type": type, "realis": realis.strip()}
        draft.mention(id, runs or [], line, shown=shown, labels=labels)

    def _runs(self, place: str) -> list[Run] | None:
        """The runs of a place, ends excluded; None if it is malformed."""
        if self.unit == "character":
            if not _CHARACTERS.fullmatch(place):
                return None
            begins, ends = re.findall(r"(\d+),", place), re.findall(r",(\d+)", place)
            return [*zip(map(int, begins), map(int, ends), strict=True)]
        tokens = [_TOKEN.fullmatch(part) for part in place.split(",")]
        numbers = [int(token[1]) for token in tokens if token]
        return [(n, n + 1) for n in numbers] if len(numbers) == len(tokens) else None

    def _too_few(self, cells: Sequence[str], least: int, line: int) -> None:
        found, expected = f"{len(cells)} cells", f"{least} or more cells, separated by tabs"
        self._collector.note("columns-differ", "too-few", at=line, found=found, expected=expected)

    def _end(self, line: int | None) -> None:
        """End the document that is open; `line` is where it should have ended before."""
        if (draft := self._open) is None:
            return
        if line is not None:
            begun = f"the document that begins on line {draft.line}"
            self._collector.note(
                "document-unclosed", at=line, document=draft.name or "", found=begun, expected=_END
            )
        for at, ids in self._links:
            draft.link([id for id in ids if id in draft] if self._broken else ids, at)
        self._joined += _joined([ids for _, ids in self._links])
        self._open, self._broken, self._links = None, False, []

    def finish(self, last: int) -> None:
        """End the file, whose last line with text is `last`."""
        self._end(last)
        if number := self._others:
            self._collector.note("layer-dropped", "relations", number=number, count=number)
        if number := self._joined:
            self._collector.note("entities-joined", number=number, count=number)


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
    from corefkit.formats.kit.convert import reduce

    reduced, incidents = reduce(corpus, FORMAT.holds | {"characters"})
    files.refuse_output("tbf", 8 * int((reduced.end - reduced.start + 1).sum()))
    return WrittenFiles({path: building.encode_lines(_lines(reduced))}, incidents)


def _lines(corpus: Corpus) -> Iterator[str]:
    from corefkit.formats.kit.content import mention_texts

    texts = mention_texts(corpus)
    columns = corpus.mention_labels.columns if corpus.mention_labels is not None else {}
    labels = {
        name: columns[name].to_list() if name in columns else [""] * corpus.mentions
        for name in ("type", "realis")
    }
    for document, rows in enumerate(corpus.rows_of_documents(corpus.text_order)):
        name = " ".join(corpus.names[document].split())
        yield f"{_BEGIN} {name}\n"
        entities: dict[int, list[str]] = {}
        for number, row in enumerate(rows.tolist(), 1):
            nodes = corpus.parts.nodes(row) if corpus.parts is not None else None
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
