"""BookNLP: `.entities` beside `.tokens`, tables with tabs and without any quoting."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import accumulate, chain

from corefkit.core.columns import run_lengths
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.core.texts import quote
from corefkit.formats.kit import building, files
from corefkit.formats.kit.building import RawDocument, RawMention
from corefkit.formats.kit.files import refuse_output
from corefkit.formats.registry import IN_WORDS, Format, WrittenFiles

_NEEDED = ("COREF", "start_token", "end_token")
_ENTITIES = "COREF start_token end_token prop cat text"
_TOKENS = "paragraph_ID sentence_ID token_ID_within_sentence token_ID_within_document word"

_NONE = frozenset({"", "_", "O"})


def _rows(data: bytes) -> Iterator[tuple[int, dict[str, str]]]:
    """The line of each row, and its cells by the names of the columns."""
    header, *lines = (line.split("\t") for line in building.lines_of(data))
    for line, cells in enumerate(lines, 2):
        if cells != [""]:
            yield line, dict(zip(header, cells, strict=False))


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The document of one `.entities` file."""
    collector = Collector(path)
    _, raw = files.companion(path, ".entities", ".tokens")
    words = lengths = paragraphs = None
    if raw is not None:
        rows = [row for _, row in _rows(raw)]
        words = [row.get("word", "") for row in rows]
        lengths = run_lengths(row.get("sentence_ID", "0") for row in rows)
        if rows and "paragraph_ID" in rows[0]:
            sizes = run_lengths(row.get("paragraph_ID") for row in rows)
            paragraphs = [0, *accumulate(sizes[:-1])]
    size = -1 if words is None else len(words)
    mentions: list[RawMention] = []
    alone = differing = 0
    for line, row in _rows(data):
        numbers = [number for name in _NEEDED if (number := _number(row.get(name))) is not None]
        if len(numbers) < len(_NEEDED):
            shown = ", ".join(f"{name} {quote(row.get(name, 'missing'), 20)}" for name in _NEEDED)
            expected = "whole numbers in COREF, start_token and end_token"
            collector.note("number-expected", at=line, found=shown, expected=expected)
            continue
        entity, start, end = numbers
        if start < 0 or end < start or (words is not None and end >= size):
            building.note_outside(collector, line, f"tokens {start} to {end}", max(size, 0))
            continue
        if words is not None and (text := row.get("text")) is not None:
            actual = " ".join(words[start : end + 1])
            differing += building.note_difference(collector, line, actual, text)
        alone += entity == -1
        label = f"-1.{line}" if entity == -1 else str(entity)
        mentions.append(RawMention(start, end, label, line))
    building.judge_texts(differing, len(mentions), collector)
    if alone:
        collector.note("mention-without-entity", number=alone, count=alone)
    name = building.stem(path, ".entities")
    document = RawDocument(name, mentions, words=words, lengths=lengths, paragraphs=paragraphs)
    return building.make_corpus("booknlp", data, [document], collector)


def _number(text: str | None) -> int | None:
    """A whole number of at most 18 digits, perhaps negative; None for any other text."""
    number = building.whole_number((text or "").removeprefix("-"))
    return number if number is None or not str(text).startswith("-") else -number


_PLACES = frozenset({*_NEEDED, "text", *_TOKENS.split(), "byte_onset", "byte_offset"})


def count_unread(data: bytes, path: str, reading: Reading) -> dict[str, int]:
    """How many values the other columns of mentions and of tokens have."""
    del reading
    _, raw = files.companion(path, ".entities", ".tokens")
    numbers: Counter[str] = Counter()
    for table in (data, raw or b""):
        for _, row in _rows(table):
            numbers.update(n for n, cell in row.items() if n not in _PLACES and cell not in _NONE)
    return dict(numbers)


def write(corpus: Corpus, path: str) -> WrittenFiles:
    """The tables of mentions and of tokens, one pair per document."""
    from corefkit.formats.kit.content import contents
    from corefkit.formats.kit.convert import reduce

    plain, incidents = reduce(corpus, frozenset({"crossing"}))
    written: dict[str, bytes] = {}
    size = 0
    places = building.places(path.removesuffix(".entities"), plain.names)
    for place, content in zip(places, contents(plain), strict=True):
        size += content.spelt_mentions
        refuse_output("BookNLP", size)
        rows = sorted(
            (start, -end, number)
            for number, (_, spans) in enumerate(content.entities)
            for start, end in spans
        )
        mentions = (
            (entity, a, -b, "_", "_", " ".join(content.words[a : 1 - b])) for a, b, entity in rows
        )
        tokens: list[tuple[object, ...]] = []
        for sentence, words in enumerate(content.sentences):
            first = len(tokens)
            tokens += [(0, sentence, n, first + n, word) for n, word in enumerate(words)]
        written[f"{place}.entities"] = _table(_ENTITIES, mentions)
        written[f"{place}.tokens"] = _table(_TOKENS, tokens)
    return WrittenFiles(written, incidents)


def _table(header: str, rows: Iterable[tuple[object, ...]]) -> bytes:
    """The bytes of a table with a header; runs of blanks in cells become single blanks."""
    lines = ("\t".join(" ".join(str(cell).split()) for cell in row) + "\n" for row in rows)
    return building.encode_lines(chain([header.replace(" ", "\t") + "\n"], lines))


FORMAT = Format(
    name="booknlp",
    title="BookNLP tables (.entities beside .tokens)",
    parse=parse,
    write=write,
    holds=IN_WORDS | {"crossing"},
    suffixes=(".entities",),
    count_unread=count_unread,
)
