"""BookNLP: `.entities` beside `.tokens`, tables with tabs and without any quoting.

X.entities:
    COREF	start_token	end_token	prop	cat	text
    12	0	1	NOM	PER	the mayor
X.tokens:
    sentence_ID	token_ID_within_sentence	token_ID_within_document	word
    0	0	0	the
    0	1	1	mayor
"""

from collections.abc import Iterable, Iterator
from itertools import accumulate, chain

from corefkit.core.columns import run_lengths
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.core.texts import quote
from corefkit.formats.format import IN_WORDS, Companions, Format, Look, WrittenFiles
from corefkit.formats.kit import files
from corefkit.formats.kit.building import (
    encode_lines,
    lines_of,
    places,
    reader,
    stem,
    whole_number,
)
from corefkit.formats.kit.draft import Draft, corpus_of
from corefkit.formats.kit.files import refuse_output

_NEEDED = ("COREF", "start_token", "end_token")
_ENTITIES = "COREF start_token end_token prop cat text"
_TOKENS = "paragraph_ID sentence_ID token_ID_within_sentence token_ID_within_document word"

_NONE = frozenset({"", "_", "O"})


def _rows(data: bytes) -> Iterator[tuple[int, dict[str, str]]]:
    """The line of each row, and its cells by the names of the columns."""
    header, *lines = (line.split("\t") for line in lines_of(data))
    for line, cells in enumerate(lines, 2):
        if cells != [""]:
            yield line, dict(zip(header, cells, strict=False))


@reader
def parse(data: bytes, path: str, reading: Reading, collector: Collector) -> Corpus:
    """The document of one `.entities` file."""
    _, raw = files.companion(path, ".entities", ".tokens")
    draft = Draft(stem(path, ".entities"), collector, inclusive=True)
    if raw is not None:
        rows = [row for _, row in _rows(raw)]
        words = [row.get("word", "") for row in rows]
        lengths = run_lengths(row.get("sentence_ID", "0") for row in rows)
        draft = Draft(draft.name, collector, words=words, lengths=lengths, inclusive=True)
        if rows and "paragraph_ID" in rows[0]:
            sizes = run_lengths(row.get("paragraph_ID") for row in rows)
            draft.paragraphs = [0, *accumulate(sizes[:-1])]
        _count_unread(draft, rows)
    alone = 0
    for line, row in _rows(data):
        _count_unread(draft, [row])
        numbers = [number for name in _NEEDED if (number := _number(row.get(name))) is not None]
        if len(numbers) < len(_NEEDED):
            shown = ", ".join(f"{name} {quote(row.get(name, 'missing'), 20)}" for name in _NEEDED)
            expected = "whole numbers in COREF, start_token and end_token"
            collector.note("number-expected", at=line, found=shown, expected=expected)
            continue
        entity, start, end = numbers
        alone += entity == -1
        label = f"-1.{line}" if entity == -1 else str(entity)
        shown = f"tokens {start} to {end}"
        run, text = (start, end), row.get("text")
        draft.mention(None, [run], line, entity=label, text=text, shown=shown)
    if alone:
        collector.note("mention-without-entity", number=alone, count=alone)
    return corpus_of("booknlp", data, [draft], collector)


def _count_unread(draft: Draft, rows: list[dict[str, str]]) -> None:
    """Count the values of other columns."""
    draft.unread.update(
        name
        for row in rows
        for name, value in row.items()
        if name not in _KNOWN_COLUMNS and value not in _NONE
    )


def _number(text: str | None) -> int | None:
    """A whole number of at most 18 digits, perhaps negative; None for any other text."""
    number = whole_number((text or "").removeprefix("-"))
    return number if number is None or not str(text).startswith("-") else -number


_KNOWN_COLUMNS = frozenset({*_NEEDED, "text", *_TOKENS.split(), "byte_onset", "byte_offset"})


def write(corpus: Corpus, path: str) -> WrittenFiles:
    """The tables of mentions and of tokens, one pair per document."""
    from corefkit.formats.kit.content import contents

    written: dict[str, bytes] = {}
    size = 0
    bases = places(path.removesuffix(".entities"), corpus.names)
    for base, content in zip(bases, contents(corpus), strict=True):
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
        written[f"{base}.entities"] = _table(_ENTITIES, mentions)
        written[f"{base}.tokens"] = _table(_TOKENS, tokens)
    return WrittenFiles(written, [])


def _table(header: str, rows: Iterable[tuple[object, ...]]) -> bytes:
    """The bytes of a table with a header; runs of blanks in cells become single blanks."""
    lines = ("\t".join(" ".join(str(cell).split()) for cell in row) + "\n" for row in rows)
    return encode_lines(chain([header.replace(" ", "\t") + "\n"], lines))


FORMAT = Format(
    name="booknlp",
    title="BookNLP tables (.entities beside .tokens)",
    parse=parse,
    write=write,
    holds=IN_WORDS | {"crossing"},
    looks=(Look(begins=rb"COREF\tstart_token\tend_token\b"),),
    companions=(
        Companions(
            ".entities",
            ("{}.tokens",),
            ("{}.quotes", "{}.supersense", "{}.book", "{}.book.html", "{}.txt"),
        ),
    ),
    suffixes=(".entities",),
)
