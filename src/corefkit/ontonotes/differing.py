"""Where two annotators disagree, one by one, with a suggestion why, ready to be labelled by hand.

Three kinds: a mention that only one has; two mentions that differ in their boundaries; a mention
that both have, but link to different chains. The last is told once for each link: where the
mentions before it that the two take for the same entity have none in common.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from itertools import count
from typing import NamedTuple

import numpy as np

from corefkit.data.arrays import tuples
from corefkit.data.corpus import Span
from corefkit.mentions.context import abridged
from corefkit.ontonotes.shifted import shifted_spans
from corefkit.ontonotes.syntax import Syntax
from corefkit.ontonotes.tokens import Tokens
from corefkit.stats.annotators import Annotator

ONE_ONLY, BOUNDARY, CHAIN = "mention in one only", "boundary", "chain"
PRONOUN, VERB, POSSESSIVE = "pronoun without antecedent", "verb", "possessive"
PRE_MODIFIER, APPOSITIVE, COPULA = "pre-modifier", "appositive", "copula"

_SIGNS = {
    VERB: Syntax.is_verb,
    POSSESSIVE: Syntax.is_possessive,
    PRONOUN: Syntax.is_pronoun,
    APPOSITIVE: Syntax.is_appositive,
    COPULA: Syntax.is_copular,
    PRE_MODIFIER: Syntax.is_premodifier,
}
"""How each reason shows in the syntax; of several the first is suggested."""

_AROUND = 12
"""So many words before and behind a mention are its context, within the sentence."""


@dataclass(frozen=True)
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
            text = _Text(reader)
            sides = [_mentions(annotator, text) for annotator in (one, other)]
            for document in np.flatnonzero(documents).tolist():
                compared = _Compared([side.get(document, {}) for side in sides], text)
                for found in compared.rows():
                    names = (one.name, other.name, one.corpus.names[document])
                    yield text.describe(next(number), names, text.first[document], found)


def to_tsv(rows: Iterator[Disagreement]) -> str:
    """The list as a table with a column `label` to fill in."""
    lines = ["\t".join(COLUMNS)]
    lines += ["\t".join(" ".join(str(v).split()) for v in astuple(row)) for row in rows]
    return "\n".join(lines) + "\n"


class _Found(NamedTuple):
    kind: str
    span: Span
    suggested: str
    in_a: str
    in_b: str


class _Link(NamedTuple):
    """The chain of a mention: its number and id, and the mention before it there."""

    chain: int
    label: str
    antecedent: Span | None


class _Text:
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
        self, number: int, names: tuple[str, str, str], first: int, found: _Found
    ) -> Disagreement:
        """A row of the list; `first` is the first token of its document."""
        start, end = found.span
        sentences, bounds = self._tokens.sentence, self._tokens.sentence_start
        begin = max(int(bounds[sentences[start]]), start - _AROUND)
        finish = min(int(bounds[sentences[end] + 1]) - 1, end + _AROUND)
        places = ((begin, start - 1), (start, end), (end + 1, finish))
        before, inside, behind = (self.words(*place) for place in places)
        return Disagreement(
            *(number, *names),
            *(int(sentences[start] - sentences[first]) + 1, int(self._tokens.line[start])),
            *(start - first, end - first),
            *(found.kind, found.suggested, inside, found.in_a, found.in_b),
            f"{before} [ {inside} ] {behind}".strip(),
        )


def _mentions(annotator: Annotator, text: _Text) -> dict[int, dict[Span, _Link]]:
    """The mentions of each document, entity by entity; spans count the tokens of the text."""
    corpus = annotator.corpus
    order = corpus.text_order[np.argsort(corpus.entity[corpus.text_order], kind="stable")]
    shift = np.array(text.first)[corpus.document]
    columns = (corpus.document, corpus.entity, corpus.start + shift, corpus.end + shift)
    last: dict[int, Span] = {}
    found: dict[int, dict[Span, _Link]] = {}
    for document, entity, start, end in tuples(*(column[order] for column in columns)):
        link = _Link(entity, corpus.labels[entity], last.get(entity))
        found.setdefault(document, {})[start, end] = link
        last[entity] = start, end
    return found


class _Compared:
    """The mentions of two annotators in one document."""

    def __init__(self, sides: Sequence[dict[Span, _Link]], text: _Text) -> None:
        self._sides, self._text = sides, text

    def rows(self) -> list[_Found]:
        """The disagreements in text order."""
        one, other = self._sides
        only_a = sorted(one.keys() - other.keys())
        only_b = sorted(other.keys() - one.keys())
        is_pronoun = self._text.syntax.is_pronoun
        others = ([s for s in spans if not is_pronoun(*s)] for spans in (only_a, only_b))
        shifted = shifted_spans(*others)
        found = [self._boundary(a, b) for a, b in shifted.items()]
        found += [self._single(span, 0) for span in only_a if span not in shifted]
        taken = set(shifted.values())
        found += [self._single(span, 1) for span in only_b if span not in taken]
        found += self._links(sorted(one.keys() & other.keys()))
        return sorted(found, key=lambda row: (row.span[0], -row.span[1], row.kind))

    def _single(self, span: Span, side: int) -> _Found:
        shown = ["–", "–"]
        shown[side] = self._shown(span, side)
        return _Found(ONE_ONLY, span, self._text.why(span, _SIGNS, ONE_ONLY), *shown)

    def _boundary(self, span: Span, partner: Span) -> _Found:
        inner = min(span, partner, key=lambda s: s[1] - s[0])
        both = enumerate((span, partner))
        shown = [f"{self._text.words(*s)} | {self._shown(s, side)}" for side, s in both]
        return _Found(BOUNDARY, span, self._text.why(inner, (APPOSITIVE,), BOUNDARY), *shown)

    def _links(self, common: list[Span]) -> Iterator[_Found]:
        seen: set[tuple[int, int]] = set()
        for span in common:
            a, b = (side[span].chain for side in self._sides)
            before = (a, -1) in seen, (-1, b) in seen
            apart = any(before) and (a, b) not in seen
            seen |= {(a, -1), (-1, b), (a, b)}
            if apart:
                shown = [self._shown(span, side) for side in (0, 1)]
                reasons = () if all(before) else (PRONOUN, APPOSITIVE, COPULA)
                yield _Found(CHAIN, span, self._text.why(span, reasons, CHAIN), *shown)

    def _shown(self, span: Span, side: int) -> str:
        """The chain of a mention, and what it refers back to."""
        link = self._sides[side][span]
        back = f"← {self._text.words(*link.antecedent)}" if link.antecedent else "first"
        return f"{link.label}: {back}"
