"""The ARRAU files of CRAC 2018: one document per file, one row per token.

X.CONLL:
    TOKEN   MARKABLE                                  MIN_WORDS         REFERENCE
    the     B-markable_12=set_3                       word_2            new
    owner   I-markable_12=set_3@B-markable_9=set_2    word_2@word_2     new@non_referring
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.core.texts import shorten
from corefkit.formats.format import Format, Look
from corefkit.formats.kit.building import lines_of, reader, stem
from corefkit.formats.kit.draft import Draft, Run, corpus_of

_MARK = re.compile(r"([BI])-([^=@\s]+)=([^=@\s]+)")
_MINIMUM = re.compile(r"word_(\d{1,18})(?:\.\.word_(\d{1,18}))?")
_NONE = frozenset({"", "_", "-", "O"})
_HEADER = "TOKEN"
_NON_REFERRING = "non_referring"


class _MarkableToken(NamedTuple):
    """A markable at one token, with the values of its row; "" for missing ones."""

    begins: bool
    markable: str
    entity: str
    minimum: str
    reference: str


class _ArrauMarkable(NamedTuple):
    """A markable while it is read; gaps between its rows are filled. Ends are excluded."""

    entity: str
    run: Run
    line: int
    minimum: Run | None
    referring: bool


@reader
def parse(data: bytes, path: str, reading: Reading, collector: Collector) -> Corpus:
    """The document of one file, as one sentence, since files have no sentence boundaries."""
    words: list[str] = []
    markables: dict[str, _ArrauMarkable] = {}
    others = _OtherColumns()
    for line, text in enumerate(lines_of(data), 1):
        cells = text.split()
        if cells[:1] == [_HEADER]:
            others.header = cells
        elif cells:
            words.append(cells[0])
            for mark in _marks(cells, line, collector):
                _add(markables, mark, len(words) - 1, line, collector)
            others.count(cells)
    draft = Draft(stem(path, ".CONLL", ".conll"), collector, words=words, lengths=[len(words)])
    draft.unread = others.unread()
    for entity, (start, end), line, minimum, referring in markables.values():
        if minimum and not start <= minimum[0] < minimum[1] <= end:
            _note_minimum((start, end), line, minimum, collector)
        run = start, end
        draft.mention(None, [run], line, entity=entity, minimum=minimum, referring=referring)
    return corpus_of("arrau", data, [draft], collector)


def _marks(cells: list[str], line: int, collector: Collector) -> Iterator[_MarkableToken]:
    """The markables of a row; minima and references count only if there is one for each."""
    if len(cells) < 2 or cells[1] in _NONE:
        return
    listed = cells[1].split("@")
    minima, references = (
        values if len(values) == len(listed) else [""] * len(listed)
        for values in (
            cells[2].split("@") if len(cells) > 3 else [],
            cells[-1].split("@") if len(cells) > 2 else [],
        )
    )
    for text, minimum, reference in zip(listed, minima, references, strict=True):
        if mark := _MARK.fullmatch(text):
            yield _MarkableToken(mark[1] == "B", mark[2], mark[3], minimum, reference)
        else:
            expected = "B-MARKABLE=SET or I-MARKABLE=SET"
            shown = shorten(text)
            collector.note("annotation-shape", "markable", at=line, found=shown, expected=expected)


def _add(
    markables: dict[str, _ArrauMarkable],
    mark: _MarkableToken,
    token: int,
    line: int,
    collector: Collector,
) -> None:
    """Add a token to a markable that begins or continues there; problems are reported."""
    known = markables.get(mark.markable)
    if known is None and not mark.begins:
        shown = shorten(f"I-{mark.markable}={mark.entity}")
        expected = f"B-{shorten(mark.markable)} on an earlier row"
        collector.note("bracket-unopened", "markable", at=line, found=shown, expected=expected)
    elif known is None:
        span = _MINIMUM.fullmatch(mark.minimum)
        if span is None and mark.minimum not in _NONE:
            shown, expected = shorten(mark.minimum), "word_N or word_N..word_M"
            collector.note("min-unreadable", "words", at=line, found=shown, expected=expected)
        words = (int(span[1]) - 1, int(span[2] or span[1])) if span else (-1, -1)
        refers, minimum = mark.reference != _NON_REFERRING, words if words[0] >= 0 else None
        run = token, token + 1
        markables[mark.markable] = _ArrauMarkable(mark.entity, run, line, minimum, refers)
    elif mark.begins or known.entity != mark.entity:
        name, entity = shorten(mark.markable), shorten(known.entity)
        collector.note(
            "markable-in-two-entities",
            "sets",
            at=line,
            found=shorten(f"{mark.markable}={mark.entity}"),
            expected=f"I-{name}={entity}, as from line {known.line:,}",
        )
    else:
        markables[mark.markable] = known._replace(run=(known.run[0], token + 1))


def _note_minimum(run: Run, line: int, minimum: Run, collector: Collector) -> None:
    """Report a Min that is not inside its markable."""
    first, last = minimum[0] + 1, minimum[1]
    found = f"words {first} to {last}" if last != first else f"word {first}"
    expected = f"words from {run[0] + 1} to {run[1]}"
    collector.note("min-outside", "words", at=line, found=found, expected=expected)


class _OtherColumns:
    """Counts the values of columns that a Corpus cannot hold.

    The last column is held where it says non_referring. A column that has values for tokens without
    markables is one of tokens; all others are of markables, and count where these begin.
    """

    def __init__(self) -> None:
        self.header: list[str] = []
        self._of_tokens: Counter[int] = Counter()
        self._of_markables: Counter[int] = Counter()
        self._token_columns: set[int] = set()

    def count(self, cells: list[str]) -> None:
        """Count the values of a row."""
        marks = cells[1].split("@") if len(cells) > 1 and cells[1] not in _NONE else []
        for column in range(3 if len(cells) > 3 else 2, len(cells)):
            held = _NONE | {_NON_REFERRING} if column == len(cells) - 1 else _NONE
            self._of_tokens[column] += cells[column] not in held
            if not marks and cells[column] not in held:
                self._token_columns.add(column)
            values = cells[column].split("@")
            if len(values) == len(marks):
                pairs = zip(marks, values, strict=True)
                self._of_markables[column] += sum(m[:1] == "B" and v not in held for m, v in pairs)

    def unread(self) -> Counter[str]:
        """How many values each column has, by its name in the header."""
        numbers = {
            column: (self._of_tokens if column in self._token_columns else self._of_markables)
            for column in sorted(self._of_tokens)
        }
        names = {n: self.header[n] if n < len(self.header) else f"column {n + 1}" for n in numbers}
        return Counter({names[n]: counts[n] for n, counts in numbers.items()})


FORMAT = Format(
    name="arrau",
    title="ARRAU columns of CRAC 2018",
    parse=parse,
    holds=frozenset({"singletons", "crossing", "words", "names", "minimum"}),
    looks=(Look(begins=rb"TOKEN[ \t]+MARKABLE\b|\S+[ \t]+[BI]-markable_\S+=\S"),),
    suffixes=(".CONLL",),
)
