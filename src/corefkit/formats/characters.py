"""Character spans on tokens: the tokens that each mention touches.

The text must spell the words, blanks aside. Blanks are what Python calls white space.
"""

from dataclasses import dataclass, replace

import numpy as np

from corefkit.data.arrays import EMPTY, BoolArray, IntArray
from corefkit.data.columns import read_columns
from corefkit.data.corpus import Corpus
from corefkit.data.incidents import Collector, DataError, Incident
from corefkit.data.matching.nodes import nodes_listed
from corefkit.data.texts import quote
from corefkit.formats.moving import Moves


@dataclass(frozen=True, eq=False)
class Spelling:
    """How a text spells words: which token each character that is no blank belongs to.

    Attributes:
        before: int64 (characters + 1,), how many characters that are no blanks stand before each.
        token: int64 (letters,), the token of each such character.
        first, last: bool (letters,), whether it is the first or last of its token.
    """

    before: IntArray
    token: IntArray
    first: BoolArray
    last: BoolArray

    def tokens(self, start: IntArray, end: IntArray) -> tuple[IntArray, IntArray, BoolArray]:
        """The first and last token that character spans touch, and which spans split a token.

        A span of nothing but blanks touches none: its last token is before its first.
        """
        one, other = self.before[start], self.before[end + 1] - 1
        empty = other < one
        if not len(self.token):
            return one, other, np.zeros(len(one), dtype=bool)
        a, b = (np.clip(x, 0, len(self.token) - 1) for x in (one, other))
        split = (~self.first[a] | ~self.last[b]) & ~empty
        return np.where(empty, 0, self.token[a]), np.where(empty, -1, self.token[b]), split

    def minima(self, spans: IntArray) -> IntArray:
        """The first and last tokens that spans touch, int64 (spans, 2) as the spans are."""
        return np.stack(self.tokens(*spans.T)[:2], axis=1)


def letters(text: str) -> BoolArray:
    """bool (characters,): which characters of a text are no blanks."""
    code = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    values, place = np.unique(code, return_inverse=True)
    blank = np.array([chr(value).isspace() for value in values.tolist()], dtype=bool)
    return ~blank[place] if len(blank) else np.zeros(0, dtype=bool)


def spell(text: str, words: list[str]) -> Spelling | None:
    """How the text spells the words; None where it does not.

    >>> spell("don't go", ["do", "n't", "go"]).token.tolist()
    [0, 0, 1, 1, 1, 2, 2]
    """
    bare = ["".join(word.split()) for word in words]
    if "".join(bare) != "".join(text.split()):
        return None
    lengths = np.array([len(word) for word in bare], dtype=np.int64)
    token = np.repeat(np.arange(len(bare)), lengths)
    change = np.diff(token) > 0
    before = np.concatenate(([0], np.cumsum(letters(text))))
    some = np.ones(min(len(token), 1), dtype=bool)
    return Spelling(before, token, np.append(some, change), np.append(change, some))


def to_tokens(corpus: Corpus, other: Corpus) -> tuple[Corpus, list[Incident]]:
    """A corpus of character spans on the tokens of another corpus with the same documents.

    Mentions that begin or end inside a token are widened, with a warning. Documents that the other
    corpus lacks lose their mentions. Raises DataError where the other corpus has no words.
    """
    words = document_words(other)
    number = {name: i for i, name in enumerate(other.names)}
    moves, found = Moves(corpus), Collector(corpus.path)
    for document, rows in enumerate(corpus.rows_of_documents()):
        place = number.get(corpus.names[document])
        own = [] if place is None else words[place]
        spelling = None if place is None else _spelling(corpus, document, own, found)
        if place is None or spelling is None:
            moves.drop_document(document, rows)
            continue
        moves.tokens[document] = other.tokens[place]
        start, end, split = spelling.tokens(corpus.start[rows], corpus.end[rows])
        moves.start[rows], moves.end[rows], moves.kept[rows] = start, end, end >= start
        moves.move_minima(rows, spelling.minima)
        for at in np.flatnonzero(split).tolist():
            row = int(rows[at])
            text = document_text(corpus, document) or ""
            said = text[int(corpus.start[row]) : int(corpus.end[row]) + 1]
            whole = " ".join(own[int(start[at]) : int(end[at]) + 1])
            found.note(
                "mention-splits-token",
                **corpus.mention_place(row),
                found=quote(said),
                expected=f"whole tokens, e.g. {quote(whole)}",
            )
        for row in rows.tolist():
            if nodes := nodes_listed(corpus, row):
                touched = spelling.token[spelling.before[[t for t, _ in nodes]]]
                moves.list_nodes(row, ((t, 0) for t in touched.tolist()))
    moved = moves.made(unit="token")
    return replace(moved, sources=(), byte=EMPTY, line=EMPTY), [*found]


def document_words(corpus: Corpus) -> list[list[str]]:
    """The words of each document; DataError where they are not known."""
    words = _words(corpus)
    ends = np.cumsum(corpus.tokens).tolist()
    return [words[a:b] for a, b in zip([0, *ends], ends, strict=False)]


def _words(corpus: Corpus) -> list[str]:
    """The words of all tokens; in columns of number, word and coreference the second."""
    try:
        return read_columns(corpus, "word")[0].to_list()
    except DataError:
        try:
            number, words = read_columns(corpus, 0, 1)
        except (DataError, ValueError):
            number = None
        if number is None or not all(map(str.isdecimal, number.values)):
            raise
        return words.to_list()


def document_text(corpus: Corpus, document: int) -> str | None:
    """The running text of a document; None where it is not known."""
    source = corpus.source(document)
    return None if source is None else source.format.text(source, document - source.first_document)


def _spelling(corpus: Corpus, document: int, words: list[str], found: Collector) -> Spelling | None:
    """How the text of a document spells the words; where it departs from them is reported."""
    text = document_text(corpus, document) or ""
    if (spelling := spell(text, words)) is None:
        left, right = "".join("".join(words).split()), "".join(text.split())
        pairs = enumerate(zip(left, right, strict=False))
        at = next((i for i, (a, b) in pairs if a != b), min(len(left), len(right)))
        found.note(
            "text-differs",
            "spelling",
            **corpus.document_place(document),
            found=quote(right[at : at + 20], 20),
            expected=quote(left[at : at + 20], 20),
        )
    return spelling
