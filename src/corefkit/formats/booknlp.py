"""BookNLP: `.entities` beside `.tokens`, tables split by tabs, without any quoting."""

from collections.abc import Iterator

import numpy as np

from corefkit.data.corpus import Corpus
from corefkit.data.incidents import Collector, Incident, make_incident
from corefkit.data.source import TokenReader
from corefkit.data.texts import quote
from corefkit.data.tokens import ListedTokens, TokenTable
from corefkit.formats import building, files
from corefkit.formats.building import File, Mention
from corefkit.formats.registry import Format, Reading, Written

_NEEDED = ("COREF", "start_token", "end_token")


def _rows(data: bytes) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows by the names of their columns, with their lines."""
    lines = data.decode("utf-8-sig", "replace").split("\n")
    header = lines[0].rstrip("\r").split("\t")
    for line, content in enumerate(lines[1:], 2):
        if content.strip("\r"):
            yield line, dict(zip(header, content.rstrip("\r").split("\t"), strict=False))


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The document of one `.entities` file."""
    found = Collector(path)
    _, raw = files.companion(path, ".entities", ".tokens")
    words, table = None, None
    if raw is not None:
        table = _tokens(raw)
        words = list(table.words or ())
    mentions: list[Mention] = []
    alone = differing = 0
    for line, row in _rows(data):
        numbers = [_number(row.get(name)) for name in _NEEDED]
        if None in numbers:
            found.add(_no_number(path, line, row))
            continue
        entity, start, end = (int(n or 0) for n in numbers)
        if start < 0 or end < start or (words is not None and end >= len(words)):
            size = len(words) if words is not None else 0
            found.add(building.outside(path, line, f"tokens {start} to {end}", size))
            continue
        reads, said = " ".join((words or [])[start : end + 1]), row.get("text")
        if words is not None and said is not None and not building.same_text(reads, said):
            differing += 1
            found.add(building.differs(path, line, reads, said))
        alone += entity == -1
        label = f"-1.{line}" if entity == -1 else str(entity)
        mentions.append(Mention(start, end, label, line))
    building.judge_texts(differing, len(mentions), found)
    if alone:
        found.add(_without_entity(path, alone))
    tokens = ListedTokens("booknlp", lambda _: table) if table is not None else TokenReader()
    name = building.stem(path, ".entities")
    size = -1 if words is None else len(words)
    return building.one_document(File(path, data, name, size, tokens), mentions, found)


def _number(text: str | None) -> int | None:
    """A whole number of at most 18 digits; None where it is none."""
    bare = (text or "").removeprefix("-")
    return int(text or 0) if bare.isdecimal() and bare.isascii() and len(bare) < 19 else None


def _tokens(data: bytes) -> TokenTable:
    rows = [row for _, row in _rows(data)]
    sentence = [row.get("sentence_ID", "0") for row in rows]
    change = [a != b for a, b in zip(sentence, sentence[:1] + sentence, strict=False)]
    return TokenTable([row.get("word", "") for row in rows], np.cumsum(change, dtype=np.int64))


def _no_number(path: str, line: int, row: dict[str, str]) -> Incident:
    return make_incident(
        "number-expected",
        file=path,
        line=line,
        found=", ".join(f"{name} {quote(row.get(name, 'missing'), 20)}" for name in _NEEDED),
        expected="whole numbers in COREF, start_token and end_token",
    )


def _without_entity(path: str, number: int) -> Incident:
    return make_incident(
        "mention-without-entity",
        number=number,
        file=path,
        count=number,
    )


def write(corpus: Corpus, path: str) -> Written:
    """The table of mentions and the table of tokens; several documents become several pairs."""
    from corefkit.formats.content import contents
    from corefkit.formats.losses import reduce

    plain, incidents = reduce(corpus, frozenset({"crossing"}))
    base = path.removesuffix(".entities")
    written: dict[str, bytes] = {}
    names = building.file_names(plain.names)
    for name, content in zip(names, contents(plain), strict=True):
        place = base if len(names) == 1 else f"{base}/{name}"
        rows = sorted(
            (start, -end, number, " ".join(content.words[start : end + 1]))
            for number, (_, spans) in enumerate(content.entities)
            for start, end in spans
        )
        lines = ["\t".join(("COREF", "start_token", "end_token", "prop", "cat", "text"))]
        lines += [f"{entity}\t{a}\t{-b}\t_\t_\t{_cell(text)}" for a, b, entity, text in rows]
        written[f"{place}.entities"] = ("\n".join(lines) + "\n").encode("utf-8", "replace")
        header = "paragraph_ID sentence_ID token_ID_within_sentence token_ID_within_document word"
        lines = [header.replace(" ", "\t")]
        at = 0
        for sentence, words in enumerate(content.sentences):
            for token, word in enumerate(words):
                lines.append(f"0\t{sentence}\t{token}\t{at}\t{_cell(word)}")
                at += 1
        written[f"{place}.tokens"] = ("\n".join(lines) + "\n").encode("utf-8", "replace")
    return Written(written, incidents)


def _cell(text: str) -> str:
    return " ".join(text.split())


FORMAT = Format(
    name="booknlp",
    title="BookNLP tables (.entities beside .tokens)",
    parse=parse,
    write=write,
    holds=frozenset({"singletons", "crossing", "words", "sentences", "names"}),
    suffixes=(".entities",),
)
