"""Where two annotators disagree, one by one, with a suggestion why, ready to be labelled by hand.

Three kinds: a mention that only one has; two mentions that differ in their boundaries; a mention
that both have, but link to different chains. The last is told once for each link: where the
mentions before it that the two take for the same entity have none in common.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from itertools import filterfalse
from typing import NamedTuple

import numpy as np

from corefkit.data.corpus import Span
from corefkit.ontonotes.shifted import shifted_spans
from corefkit.ontonotes.syntax import Syntax
from corefkit.ontonotes.tokens import Tokens
from corefkit.stats.annotators import Annotator

ONE_ONLY, BOUNDARY, CHAIN = "mention in one only", "boundary", "chain"
PRONOUN, VERB, POSSESSIVE = "pronoun without antecedent", "verb", "possessive"
PRE_MODIFIER, APPOSITIVE, COPULA = "pre-modifier", "appositive", "copula"
SUGGESTIONS = (
    ONE_ONLY, BOUNDARY, CHAIN, PRONOUN, VERB, POSSESSIVE, PRE_MODIFIER, APPOSITIVE, COPULA,
)  # fmt: skip

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
_LONG = 100
"""Of mentions with more words than that only the first and the last are shown."""


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
    """All disagreements of these pairs, over the documents that both of a pair have."""
    number = 0
    for one, other in pairs:
        text = _Text(one)
        shared = np.flatnonzero(one.present & other.present)
        left, right = _chains(one), _chains(other)
        for document in shared.tolist():
            compared = _Compared(left.get(document, []), right.get(document, []))
            for found in compared.rows(text.of(document)):
                number += 1
                yield text.describe(number, (one.name, other.name), document, found)


def to_tsv(rows: Iterator[Disagreement]) -> str:
    """The list as a table with a column `label` to fill in."""
    lines = ["\t".join(COLUMNS)]
    lines += ["\t".join(" ".join(str(v).split()) for v in astuple(row)) for row in rows]
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class _Found:
    kind: str
    span: Span
    suggested: str
    in_a: str
    in_b: str


def _chains(annotator: Annotator) -> dict[int, list[tuple[str, list[Span]]]]:
    """For each document the chains with their ids, mentions in text order."""
    corpus = annotator.corpus
    chains: list[tuple[str, list[Span]]] = [(label, []) for label in corpus.labels]
    for row in corpus.text_order.tolist():
        span = int(corpus.start[row]), int(corpus.end[row])
        chains[int(corpus.entity[row])][1].append(span)
    found: dict[int, list[tuple[str, list[Span]]]] = {}
    for document, chain in zip(corpus.entity_document.tolist(), chains, strict=True):
        found.setdefault(document, []).append(chain)
    return found


class _Link(NamedTuple):
    """The chain of a mention: its number and id, and the mention before it there."""

    chain: int
    label: str
    antecedent: Span | None


class _Part:
    """One document of the text: words and syntax by token of the document."""

    def __init__(self, words: Sequence[str], syntax: Syntax, shift: int) -> None:
        self._words, self.syntax, self._shift = words, syntax, shift

    def text(self, span: Span) -> str:
        return _text(self._words, span[0], span[1] + 1)

    def place(self, span: Span) -> Span:
        return span[0] + self._shift, span[1] + self._shift

    def is_pronoun(self, span: Span) -> bool:
        return self.syntax.is_pronoun(*self.place(span))


class _Text:
    """The documents of an annotator's files."""

    def __init__(self, annotator: Annotator) -> None:
        corpus = annotator.side.corpus
        self._tokens = Tokens(corpus)
        self._syntax = Syntax(self._tokens)
        own = {name: number for number, name in enumerate(corpus.names)}
        self._number = [own.get(name, -1) for name in annotator.corpus.names]
        self._names = annotator.corpus.names
        has = self._tokens.has("word")
        self._words = self._tokens.word.to_list() if has else ["?"] * len(self._tokens)

    def of(self, document: int) -> _Part:
        first, stop = self._bounds(document)
        return _Part(self._words[first:stop], self._syntax, first)

    def describe(
        self, number: int, names: tuple[str, str], document: int, found: _Found
    ) -> Disagreement:
        first = self._bounds(document)[0]
        start, end = found.span[0] + first, found.span[1] + first
        sentences = self._tokens.sentence
        begin = max(int(self._tokens.sentence_start[sentences[start]]), start - _AROUND)
        finish = min(int(self._tokens.sentence_start[sentences[end] + 1]), end + 1 + _AROUND)
        places = ((begin, start), (start, end + 1), (end + 1, finish))
        before, inside, behind = (_text(self._words, *place) for place in places)
        return Disagreement(
            *(number, *names, self._names[document]),
            *(int(sentences[start] - sentences[first]) + 1, int(self._tokens.line[start])),
            *found.span,
            *(found.kind, found.suggested, inside, found.in_a, found.in_b),
            f"{before} [ {inside} ] {behind}".strip(),
        )

    def _bounds(self, document: int) -> tuple[int, int]:
        number = self._number[document]
        first, stop = self._tokens.document_start[number : number + 2].tolist()
        return first, stop


def _text(words: Sequence[str], first: int, stop: int) -> str:
    """The words from one place to another; of very many the first and the last."""
    if stop - first > _LONG:
        shown = [*words[first : first + _LONG // 2], "…", *words[stop - _LONG // 2 : stop]]
        return " ".join(shown)
    return " ".join(words[first:stop])


class _Compared:
    """The chains of two annotators in one document."""

    def __init__(self, a: list[tuple[str, list[Span]]], b: list[tuple[str, list[Span]]]) -> None:
        self._sides = [
            {
                span: _Link(number, label, spans[place - 1] if place else None)
                for number, (label, spans) in enumerate(chains)
                for place, span in enumerate(spans)
            }
            for chains in (a, b)
        ]

    def rows(self, part: _Part) -> Iterator[_Found]:
        """The disagreements in text order."""
        one, other = self._sides
        only_a = sorted(one.keys() - other.keys())
        only_b = sorted(other.keys() - one.keys())
        no_pronouns = (filterfalse(part.is_pronoun, spans) for spans in (only_a, only_b))
        shifted = shifted_spans(*map(list, no_pronouns))
        found = [self._boundary(a, b, part) for a, b in shifted.items()]
        found += [self._single(span, 0, part) for span in only_a if span not in shifted]
        taken = set(shifted.values())
        found += [self._single(span, 1, part) for span in only_b if span not in taken]
        found += self._links(sorted(one.keys() & other.keys()), part)
        return iter(sorted(found, key=lambda row: (row.span[0], -row.span[1], row.kind)))

    def _single(self, span: Span, side: int, part: _Part) -> _Found:
        shown = ["–", "–"]
        shown[side] = self._shown(span, side, part)
        return _Found(ONE_ONLY, span, _why(span, part, _SIGNS, ONE_ONLY), *shown)

    def _boundary(self, span: Span, partner: Span, part: _Part) -> _Found:
        inner = min(span, partner, key=lambda s: s[1] - s[0])
        apposed = part.syntax.is_appositive(*part.place(inner))
        both = enumerate((span, partner))
        shown = [f"{part.text(s)} | {self._shown(s, side, part)}" for side, s in both]
        return _Found(BOUNDARY, span, APPOSITIVE if apposed else BOUNDARY, *shown)

    def _links(self, common: list[Span], part: _Part) -> Iterator[_Found]:
        seen: set[tuple[int, int]] = set()
        for span in common:
            a, b = (side[span].chain for side in self._sides)
            before = (a, -1) in seen, (-1, b) in seen
            apart = any(before) and (a, b) not in seen
            seen |= {(a, -1), (-1, b), (a, b)}
            if apart:
                shown = [self._shown(span, side, part) for side in (0, 1)]
                reasons = () if all(before) else (PRONOUN, APPOSITIVE, COPULA)
                yield _Found(CHAIN, span, _why(span, part, reasons, CHAIN), *shown)

    def _shown(self, span: Span, side: int, part: _Part) -> str:
        """The chain of a mention, and what it refers back to."""
        link = self._sides[side][span]
        back = f"← {part.text(link.antecedent)}" if link.antecedent else "first"
        return f"{link.label}: {back}"


def _why(span: Span, part: _Part, reasons: Iterable[str], otherwise: str) -> str:
    """The first of the reasons that the syntax gives."""
    place = part.place(span)
    return next((why for why in reasons if _SIGNS[why](part.syntax, *place)), otherwise)
