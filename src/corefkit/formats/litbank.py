"""LitBank TSV: `.ann` with MENTION and COREF lines beside a `.txt` of one sentence a line."""

from itertools import accumulate

from corefkit.data.corpus import Corpus
from corefkit.data.incidents import Collector
from corefkit.data.tokens import ListedTokens, TokenTable, sentence_of
from corefkit.formats import building, files
from corefkit.formats.building import File, Mention
from corefkit.formats.registry import Format, Reading

_NUMBERS = slice(2, 6)


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The document of one `.ann` file."""
    found = Collector(path)
    beside, raw = files.companion(path, ".ann", ".txt")
    if raw is None:
        found.add(building.text_missing(path, beside))
        return building.nothing(found)
    sentences = [line.split() for line in raw.decode("utf-8-sig", "replace").split("\n")]
    words = [word for sentence in sentences for word in sentence]
    spans: dict[str, tuple[int, int, int]] = {}
    entity: dict[str, tuple[str, int]] = {}
    differing = 0
    begins = [0, *accumulate(len(sentence) for sentence in sentences)]
    for line, content in enumerate(data.decode("utf-8-sig", "replace").split("\n"), 1):
        cells = content.rstrip("\r").split("\t")
        if cells[0] == "COREF" and len(cells) > 2:
            entity[cells[1]] = (cells[2], line)
        elif cells[0] == "MENTION" and len(cells) > 6:
            span = _span(cells, sentences, begins)
            if span is None:
                said = " ".join(cells[_NUMBERS])
                found.add(building.outside(path, line, said, len(words)))
                spans[cells[1]] = (0, -1, line)
                continue
            spans[cells[1]] = (*span, line)
            reads = " ".join(words[span[0] : span[1] + 1])
            if not building.same_text(reads, cells[6]):
                differing += 1
                found.add(building.differs(path, line, reads, cells[6]))
    for name, (_, line) in entity.items():
        if name not in spans:
            found.add(building.unknown(path, line, name))
    building.judge_texts(differing, len(spans), found)
    mentions = [
        Mention(start, end, entity[name][0] if name in entity else f"{name} alone", line)
        for name, (start, end, line) in spans.items()
        if end >= start
    ]
    table = TokenTable(words, sentence_of([len(sentence) for sentence in sentences]))
    tokens = ListedTokens("litbank-tsv", lambda _: table)
    file = File(path, data, building.stem(path, ".ann"), len(words), tokens)
    return building.one_document(file, mentions, found)


def _span(
    cells: list[str], sentences: list[list[str]], begins: list[int]
) -> tuple[int, int] | None:
    """First and last token in the document; None where there are no such tokens."""
    numbers = cells[_NUMBERS]
    if not all(n.isdecimal() and n.isascii() and len(n) < 19 for n in numbers):
        return None
    first, start, last, end = map(int, numbers)
    for sentence, token in ((first, start), (last, end)):
        if sentence >= len(sentences) or token >= len(sentences[sentence]):
            return None
    span = begins[first] + start, begins[last] + end
    return span if span[0] <= span[1] else None


FORMAT = Format(
    name="litbank-tsv",
    title="LitBank TSV (.ann beside .txt)",
    parse=parse,
    holds=frozenset({"singletons", "crossing", "words", "sentences", "names"}),
    suffixes=(".ann",),
)
