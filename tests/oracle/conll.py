"""A CoNLL reader that goes line by line, and the rule for repeated spans."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]
"""First and last token, counted from 0 through the document."""

BLANKS = " \t"
NO_BRACKET = {"", "-", "_", "*"}
BEGIN = re.compile(r"#[ \t]*begin[ \t]+document\b(.*)")
END = re.compile(r"#[ \t]*end[ \t]+document\b.*")
ONE_TOKEN_OPEN_CLOSE_OR_BARE = re.compile(r"\(([^()|]+)\)|\(([^()|]+)|([^()|]+)\)|([^()|]+)")


@dataclass
class ConllDocument:
    """One document; the spans of an entity stand in text order, copies included."""

    name: str
    tokens: int
    entities: dict[str, list[Span]]


@dataclass
class Block:
    """The token lines between two headers, with their line numbers."""

    name: str
    lines: list[tuple[int, str]] = field(default_factory=list)


def read(text: str) -> list[ConllDocument]:
    """The documents of a CoNLL file; ValueError if it is broken."""
    blocks = split_documents(text.removeprefix("\ufeff"))
    if not blocks:
        raise ValueError("no document")
    everywhere = set[int]().union(*(widths(block) for block in blocks))
    return [read_document(block, everywhere) for block in blocks]


def widths(block: Block) -> set[int]:
    """How many tab-separated fields the lines have that end in no empty one."""
    return {len(line.split("\t")) for _, line in block.lines if trailing_empty_fields(line) == 0}


def split_documents(text: str) -> list[Block]:
    """Sort the lines into documents; drop blank lines and comments."""
    blocks: list[Block] = []
    inside = False
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.removesuffix("\r")
        begin = BEGIN.fullmatch(line)
        if begin:
            name = begin[1].strip(BLANKS)
            if any(block.name == name for block in blocks):
                raise ValueError(f"line {number}: document {name!r} stands here twice")
            blocks.append(Block(name))
            inside = True
        elif END.fullmatch(line):
            inside = False
        elif is_comment(line) or not line.strip(BLANKS):
            continue
        elif inside:
            blocks[-1].lines.append((number, line))
        else:
            raise ValueError(f"line {number}: a token outside of any document")
    return blocks


def is_comment(line: str) -> bool:
    """Whether a line that is neither header nor footer is a comment."""
    return line.startswith("#") and "\t" not in line


def read_document(block: Block, everywhere: set[int] | None = None) -> ConllDocument:
    """Pair the brackets of one document, last in, first out for each entity.

    Where all lines end with a tab, `everywhere` tells how wide lines are elsewhere in the file.
    """
    full_widths = widths(block) or everywhere or set()
    entities: dict[str, list[Span]] = {}
    open_starts: dict[str, list[int]] = {}
    for token, (number, line) in enumerate(block.lines):
        try:
            opened, closed, bare = brackets(coreference_cell(line, full_widths))
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from None
        for entity in opened:
            entities.setdefault(entity, [])
            open_starts.setdefault(entity, []).append(token)
        for entity in closed:
            if not open_starts.get(entity):
                raise ValueError(f"line {number}: {entity}) closes what is not open")
            entities[entity].append((open_starts[entity].pop(), token))
        for entity in bare:
            if not open_starts.get(entity):
                raise ValueError(f"line {number}: {entity!r} is no bracket, and nothing is open")
    for entity, starts in open_starts.items():
        if starts:
            raise ValueError(f"document {block.name!r}: ({entity} is never closed")
    ordered = {entity: sorted(spans, key=text_order) for entity, spans in entities.items()}
    return ConllDocument(block.name, len(block.lines), ordered)


def trailing_empty_fields(line: str) -> int:
    """How many of the tab-separated fields at the end of a line are empty or blank."""
    fields = line.split("\t")
    empty = 0
    while empty < len(fields) and not fields[-1 - empty].strip(BLANKS):
        empty += 1
    return empty


def coreference_cell(line: str, full_widths: set[int]) -> str:
    """The last column.

    Tabs and blanks after it are ignored. But LitBank leaves the column itself empty: an empty
    last field is the column when lines that end in no empty field are just as wide.
    """
    if trailing_empty_fields(line) == 1 and len(line.split("\t")) in full_widths:
        return ""
    stripped = line.rstrip(BLANKS)
    columns = stripped.split("\t") if "\t" in stripped else stripped.split(" ")
    return columns[-1].strip(BLANKS)


def brackets(cell: str) -> tuple[list[str], list[str], list[str]]:
    """The ids that a cell opens, those it closes, and those it merely names.

    A one-token mention opens and closes. A bare id says that an open mention goes on.
    """
    if cell in NO_BRACKET:
        return [], [], []
    opened: list[str] = []
    closed: list[str] = []
    bare: list[str] = []
    position = 0
    while True:
        match = ONE_TOKEN_OPEN_CLOSE_OR_BARE.match(cell, position)
        if not match:
            raise ValueError(f"{cell!r} in the coreference column is no bracket")
        one_token, opening, closing, alone = match.groups()
        opened += [entity for entity in (one_token, opening) if entity]
        closed += [entity for entity in (one_token, closing) if entity]
        bare += [alone] if alone else []
        position = match.end()
        if position == len(cell):
            return opened, closed, bare
        if cell[position] == "|":
            position += 1


def text_order(span: Span) -> tuple[int, int]:
    """Sort by start, the longer span first."""
    start, end = span
    return start, -end


def first_copies(entities: Iterable[list[Span]]) -> list[frozenset[Span]]:
    """Keep one copy of each span, in the entity that comes first in the text.

    Sorting entities by what spans they have makes the result independent of their ids and of
    the order in which they are given.
    """
    in_text_order = [sorted(set(entity), key=text_order) for entity in entities]
    in_text_order.sort(key=lambda spans: [text_order(span) for span in spans])
    seen: set[Span] = set()
    kept: list[frozenset[Span]] = []
    for spans in in_text_order:
        new = frozenset(spans) - seen
        if new:
            kept.append(new)
        seen |= new
    return kept
