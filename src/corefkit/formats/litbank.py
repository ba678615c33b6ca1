"""LitBank TSV: `.ann` with MENTION and COREF lines, beside a `.txt` with one sentence per line."""

from itertools import accumulate

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.formats.kit import building, files
from corefkit.formats.kit.building import RawDocument, RawMention
from corefkit.formats.registry import IN_WORDS, Format

_NUMBERS = slice(2, 6)


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The document of one `.ann` file."""
    collector = Collector(path)
    beside, raw = files.companion(path, ".ann", ".txt")
    if raw is None:
        collector.note("text-missing", expected=f"{beside} beside it")
        return building.nothing(collector)
    sentences = [line.split() for line in building.lines_of(raw)]
    words = [word for sentence in sentences for word in sentence]
    spans: dict[str, tuple[int, int, int]] = {}
    entity: dict[str, tuple[str, int]] = {}
    differing = 0
    begins = [0, *accumulate(len(sentence) for sentence in sentences)]
    for line, content in enumerate(building.lines_of(data), 1):
        cells = content.split("\t")
        if cells[0] == "COREF" and len(cells) > 2:
            entity[cells[1]] = (cells[2], line)
        elif cells[0] == "MENTION" and len(cells) > 6:
            span = _span(cells, sentences, begins)
            if span is None:
                building.note_outside(collector, line, " ".join(cells[_NUMBERS]), len(words))
                spans[cells[1]] = (0, -1, line)
                continue
            spans[cells[1]] = (*span, line)
            actual = " ".join(words[span[0] : span[1] + 1])
            differing += building.note_difference(collector, line, actual, cells[6])
    for name, (_, line) in entity.items():
        if name not in spans:
            building.note_unknown(collector, line, name)
    building.judge_texts(differing, len(spans), collector)
    mentions = [
        RawMention(start, end, entity[name][0] if name in entity else f"{name} alone", line)
        for name, (start, end, line) in spans.items()
        if end >= start
    ]
    lengths = [len(sentence) for sentence in sentences]
    document = RawDocument(building.stem(path, ".ann"), mentions, words=words, lengths=lengths)
    return building.make_corpus("litbank-tsv", data, [document], collector)


def _span(
    cells: list[str], sentences: list[list[str]], begins: list[int]
) -> tuple[int, int] | None:
    """The first and last token of a mention in the document; None if they do not exist."""
    numbers = [n for cell in cells[_NUMBERS] if (n := building.whole_number(cell)) is not None]
    if len(numbers) < 4:
        return None
    first, start, last, end = numbers
    for sentence, token in ((first, start), (last, end)):
        if sentence >= len(sentences) or token >= len(sentences[sentence]):
            return None
    span = begins[first] + start, begins[last] + end
    return span if span[0] <= span[1] else None


def count_unread(data: bytes, path: str, reading: Reading) -> dict[str, int]:
    """How many types and categories of mentions a file has."""
    del path, reading
    mentions = [line.split("\t") for line in building.lines_of(data) if line[:8] == "MENTION\t"]
    numbers = {
        name: sum(len(cells) > column and bool(cells[column].strip()) for cells in mentions)
        for column, name in ((7, "type"), (8, "category"))
    }
    return {name: number for name, number in numbers.items() if number}


FORMAT = Format(
    name="litbank-tsv",
    title="LitBank TSV (.ann beside .txt)",
    parse=parse,
    holds=IN_WORDS | {"crossing"},
    suffixes=(".ann",),
    count_unread=count_unread,
)
