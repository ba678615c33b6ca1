"""Where two annotators disagree, one by one, with a suggestion why, ready to be labelled by hand.

Three kinds: a mention that only one has; two mentions that differ in their boundaries, paired one
to one; a mention that both have, but link to different chains. The last is reported once per link:
where the mentions before it that the two take for the same entity have none in common.

Labels are the types of Figure 1 of the CoNLL-2012 paper, counted as in Figure 2.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, fields
from heapq import heapify, heappop, heappush
from itertools import count, pairwise
from typing import NamedTuple

import numpy as np

from corefkit.applications.context import abridged
from corefkit.core.arrays import tuples
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Span
from corefkit.core.incidents import DataError, data_error
from corefkit.corpora.syntax import Syntax
from corefkit.corpora.tokens import Tokens
from corefkit.formats import load
from corefkit.stats.agreement import Annotator

ONE_ONLY, BOUNDARY, CHAIN = "mention in one only", "boundary", "chain"
WITHOUT_ANTECEDENT, VERBAL, POSSESSIVE = "pronoun without antecedent", "verb", "possessive"
PRE_MODIFIER, APPOSITIVE, COPULA = "pre-modifier", "appositive", "copula"

_SIGNS = {
    VERBAL: Syntax.is_verb,
    POSSESSIVE: Syntax.is_possessive,
    WITHOUT_ANTECEDENT: Syntax.is_pronoun,
    APPOSITIVE: Syntax.is_appositive,
    COPULA: Syntax.is_copular,
    PRE_MODIFIER: Syntax.is_premodifier,
}
"""How each reason shows in the syntax; of several the first is suggested."""

_AROUND = 12
"""So many words before and behind a mention are its context, within the sentence."""


@frozen
class Disagreement:
    """One row of the list: tokens count from 0 in the document, sentences and lines from 1.

    `in_a` and `in_b` are what each has: its span if it differs, its chain and antecedent.
    """

    number: int
    a: str
    b: str
    document: str
    sentence: int
    line: int
    start: int
    end: int
    kind: str
    suggested: str
    mention: str
    in_a: str
    in_b: str
    context: str
    label: str = ""


COLUMNS = tuple(field.name for field in fields(Disagreement))


def disagreements(pairs: Sequence[tuple[Annotator, Annotator]]) -> Iterator[Disagreement]:
    """All disagreements of these pairs, over the documents that both of a pair have.

    Words and lines are those of the first; documents that are longer in the second come last, with
    the words and lines of the second.
    """
    number = count(1)
    for one, other in pairs:
        both = one.present & other.present
        longer = other.corpus.tokens > one.corpus.tokens
        for reader, documents in ((one, both & ~longer), (other, both & longer)):
            if not documents.any():
                continue
            text = _AnnotatedText(reader)
            sides = [_mentions(annotator, text) for annotator in (one, other)]
            for document in np.flatnonzero(documents).tolist():
                marked = [side.get(document, {}) for side in sides]
                # BookNLP's .entities without its .tokens: nothing could be said about a place.
                if marked[0].keys() != marked[1].keys() and reader.corpus.tokens[document] < 0:
                    raise data_error("column-missing", "corpus", file=reader.side.path)
                compared = _DocumentDisputes(marked, text)
                for found in compared.rows():
                    names = (one.name, other.name, one.corpus.names[document])
                    yield text.describe(next(number), names, text.first[document], found)


def to_tsv(rows: Iterator[Disagreement]) -> str:
    """The list as a table with a column `label` to fill in."""
    lines = ["\t".join(COLUMNS)]
    lines += ["\t".join(" ".join(str(v).split()) for v in astuple(row)) for row in rows]
    return "\n".join(lines) + "\n"


class _Dispute(NamedTuple):
    """A disagreement before it is described: what it is, where, why, and what each has."""

    kind: str
    span: Span
    suggested: str
    in_a: str
    in_b: str


class _ChainLink(NamedTuple):
    """The chain of a mention: its number and id, and the mention before it there."""

    chain: int
    label: str
    antecedent: Span | None


class _AnnotatedText:
    """The files of an annotator; spans count the tokens of all documents.

    `first` is the first token of each of the annotator's documents.
    """

    def __init__(self, annotator: Annotator) -> None:
        corpus = annotator.side.corpus
        self._tokens = Tokens(corpus)
        self.syntax = Syntax(self._tokens)
        own = {name: number for number, name in enumerate(corpus.names)}
        numbers = [own.get(name, -1) for name in annotator.corpus.names]
        self.first: list[int] = self._tokens.document_start[numbers].tolist()
        has = self._tokens.has("word")
        self._words = self._tokens.word.to_list() if has else ["?"] * len(self._tokens)

    def words(self, first: int, last: int) -> str:
        """The words from one token to another; of very many the first and the last."""
        return abridged(self._words, first, last + 1)

    def why(self, span: Span, reasons: Iterable[str], otherwise: str) -> str:
        """The first of the reasons that the syntax gives."""
        return next((why for why in reasons if _SIGNS[why](self.syntax, *span)), otherwise)

    def describe(
        self, number: int, names: tuple[str, str, str], first: int, dispute: _Dispute
    ) -> Disagreement:
        """A row of the list; `first` is the first token of its document."""
        start, end = dispute.span
        sentences, bounds = self._tokens.sentence, self._tokens.sentence_start
        begin = max(int(bounds[sentences[start]]), start - _AROUND)
        finish = min(int(bounds[sentences[end] + 1]) - 1, end + _AROUND)
        places = ((begin, start - 1), (start, end), (end + 1, finish))
        before, inside, behind = (self.words(*place) for place in places)
        a, b, document = names
        return Disagreement(
            number=number,
            a=a,
            b=b,
            document=document,
            sentence=int(sentences[start] - sentences[first]) + 1,
            line=int(self._tokens.line[start]),
            start=start - first,
            end=end - first,
            kind=dispute.kind,
            suggested=dispute.suggested,
            mention=inside,
            in_a=dispute.in_a,
            in_b=dispute.in_b,
            context=f"{before} [ {inside} ] {behind}".strip(),
        )


def _mentions(annotator: Annotator, text: _AnnotatedText) -> dict[int, dict[Span, _ChainLink]]:
    """The mentions of each document, entity by entity; spans count the tokens of the text."""
    corpus = annotator.corpus
    order = corpus.text_order[np.argsort(corpus.entity[corpus.text_order], kind="stable")]
    shift = np.array(text.first)[corpus.document]
    columns = (corpus.document, corpus.entity, corpus.start + shift, corpus.end + shift)
    last: dict[int, Span] = {}
    found: dict[int, dict[Span, _ChainLink]] = {}
    for document, entity, start, end in tuples(*(column[order] for column in columns)):
        link = _ChainLink(entity, corpus.labels[entity], last.get(entity))
        found.setdefault(document, {})[start, end] = link
        last[entity] = start, end
    return found


class _DocumentDisputes:
    """The mentions of two annotators in one document."""

    def __init__(self, sides: Sequence[dict[Span, _ChainLink]], text: _AnnotatedText) -> None:
        self._sides, self._text = sides, text

    def rows(self) -> list[_Dispute]:
        """The disagreements in text order."""
        one, other = self._sides
        only_a = sorted(one.keys() - other.keys())
        only_b = sorted(other.keys() - one.keys())
        is_pronoun = self._text.syntax.is_pronoun
        others = ([s for s in spans if not is_pronoun(*s)] for spans in (only_a, only_b))
        shifted = shifted_spans(*others)
        disputes = [self._boundary(a, b) for a, b in shifted.items()]
        disputes += [self._single(span, 0) for span in only_a if span not in shifted]
        taken = set(shifted.values())
        disputes += [self._single(span, 1) for span in only_b if span not in taken]
        disputes += self._links(sorted(one.keys() & other.keys()))
        return sorted(disputes, key=lambda row: (row.span[0], -row.span[1], row.kind))

    def _single(self, span: Span, side: int) -> _Dispute:
        shown = ["–", "–"]
        shown[side] = self._shown(span, side)
        return _Dispute(ONE_ONLY, span, self._text.why(span, _SIGNS, ONE_ONLY), *shown)

    def _boundary(self, span: Span, partner: Span) -> _Dispute:
        inner = min(span, partner, key=lambda s: s[1] - s[0])
        both = enumerate((span, partner))
        shown = [f"{self._text.words(*s)} | {self._shown(s, side)}" for side, s in both]
        return _Dispute(BOUNDARY, span, self._text.why(inner, (APPOSITIVE,), BOUNDARY), *shown)

    def _links(self, common: list[Span]) -> Iterator[_Dispute]:
        seen: set[tuple[int, int]] = set()
        for span in common:
            a, b = (side[span].chain for side in self._sides)
            before = (a, -1) in seen, (-1, b) in seen
            apart = any(before) and (a, b) not in seen
            seen |= {(a, -1), (-1, b), (a, b)}
            if apart:
                shown = [self._shown(span, side) for side in (0, 1)]
                reasons = () if all(before) else (WITHOUT_ANTECEDENT, APPOSITIVE, COPULA)
                yield _Dispute(CHAIN, span, self._text.why(span, reasons, CHAIN), *shown)

    def _shown(self, span: Span, side: int) -> str:
        """The chain of a mention, and what it refers back to."""
        link = self._sides[side][span]
        back = f"← {self._text.words(*link.antecedent)}" if link.antecedent else "first"
        return f"{link.label}: {back}"


_Alike = tuple[float, Span, Span]
"""How alike two mentions are, as a negative number; the one of A, the one of B."""


def shifted_spans(only_a: list[Span], only_b: list[Span]) -> dict[Span, Span]:
    """Mentions that begin or end together, one to one, the most alike first.

    >>> shifted_spans([(0, 4), (7, 8)], [(0, 3), (1, 4), (9, 9)])
    {(0, 4): (0, 3)}
    """
    rows = [_Neighbours(only_a, only_b, shared=end) for end in (0, 1)]
    waiting = [pair for row in rows for pair in row.pairs()]
    heapify(waiting)
    partner: dict[Span, Span] = {}
    taken: set[Span] = set()
    while waiting:
        _, a, b = heappop(waiting)
        if a not in partner and b not in taken:
            partner[a] = b
            taken.add(b)
            for row in rows:
                for pair in (*row.remove(a), *row.remove(b)):
                    heappush(waiting, pair)
    return partner


class _Neighbours:
    """The mentions of both that begin (or end) at the same token, ordered by their length.

    Of those left, the most alike are always neighbours, so no others need to be compared.
    """

    def __init__(self, a: list[Span], b: list[Span], *, shared: int) -> None:
        self._a = set(a)
        listed = sorted([*a, *b], key=lambda span: (span[shared], span[1] - span[0]))
        alike = {pair for pair in pairwise(listed) if pair[0][shared] == pair[1][shared]}
        self._next: dict[Span, Span | None] = dict(alike)
        self._last: dict[Span, Span | None] = {other: one for one, other in alike}

    def pairs(self) -> list[_Alike]:
        """The pairs of neighbours, one of A and one of B."""
        return [p for one, other in self._next.items() for p in self._pair(one, other)]

    def remove(self, span: Span) -> list[_Alike]:
        """Take out a mention; the pair that becomes neighbours, if it is one of A and one of B."""
        before, after = self._last.pop(span, None), self._next.pop(span, None)
        if before is not None:
            self._next[before] = after
        if after is not None:
            self._last[after] = before
        return self._pair(before, after)

    def _pair(self, one: Span | None, other: Span | None) -> list[_Alike]:
        if one is None or other is None or (one in self._a) == (other in self._a):
            return []
        a, b = (one, other) if one in self._a else (other, one)
        common = min(a[1], b[1]) - max(a[0], b[0]) + 1
        union = max(a[1], b[1]) - min(a[0], b[0]) + 1
        return [(-common / union, a, b)]


TYPES = {
    "Annotator Error": "a plain error that fits none of the other types",
    "Genuine Ambiguity": "the text can be read both ways, e.g. a pronoun without clear antecedent",
    "Generics": "one thought it generic, the other did not",
    "Guidelines": "the guidelines do not decide the case",
    "Callisto Layout": "the annotation tool got in the way",
    "Referents": "each thought it refers to something else",
    "Possessives": "one did not mark a possessive",
    "Verb": "one did not mark a verb",
    "Pre Modifiers": "one did not mark a modifier before the noun",
    "Appositive": "one did not mark an appositive",
    "Copula": "the mention is part of a copular structure",
}
"""The types, and what they mean."""

_KNOWN = {name.lower().rstrip("s"): name for name in TYPES}
_KNOWN |= {"copulae": "Copula", "pre-modifier": "Pre Modifiers", "premodifier": "Pre Modifiers"}


def read_labels(path: str) -> tuple[dict[str, int], int]:
    """How often each label occurs in a labelled list, most frequent first; how many lack one.

    Spelling is not looked at closely: `verbs` is `Verb`. Labels of your own are counted as they
    are. Raises DataError where the file has no column `label` or no label in it.
    """
    text = load(path).decode("utf-8-sig", "replace")
    header, *rows = [line.rstrip("\r").split("\t") for line in _lines(text)] or [[]]
    names = [_unquoted(name) for name in header]
    if "label" not in names:
        raise _wrong(path, "column", 1)
    place = len(names) - 1 - names[::-1].index("label")
    labels = [_unquoted(row[place]) if place < len(row) else "" for row in rows]
    names = [_KNOWN.get(label.lower().rstrip("s"), label) for label in labels if label]
    if not names:
        raise _wrong(path)
    return dict(Counter(sorted(names)).most_common()), labels.count("")


def _lines(text: str) -> list[str]:
    """The lines that are not empty; a carriage return inside a cell ends none."""
    end = "\r" if "\r" in text and "\n" not in text else "\n"
    return [line for line in text.split(end) if line.rstrip("\r")]


def _unquoted(cell: str) -> str:
    """A cell without the quotes that spreadsheets put around it.

    >>> _unquoted(' "Verb" ')
    'Verb'
    """
    text = cell.strip()
    if len(text) > 1 and text[0] == text[-1] == '"':
        return text[1:-1].replace('""', '"').strip()
    return text


def _wrong(path: str, variant: str = "", line: int | None = None) -> DataError:
    expected = "the list that --disagreements writes, its column 'label' filled in"
    examples = ", ".join(list(TYPES)[:3])
    return data_error(
        "labels-missing", variant, line, file=path, examples=examples, expected=expected
    )
