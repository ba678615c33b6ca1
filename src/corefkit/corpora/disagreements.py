"""The disagreements of two annotators, each with a suggested reason, to be labelled by hand.

There are three kinds: a mention that only one annotator has; two mentions, paired one to one, that
differ in one boundary; and a mention that both have but put into different chains. The last kind is
reported where an annotator has earlier common mentions in the chain, but the two share none of
them.

Labels are the types of Figure 1 of the CoNLL-2012 paper, counted as in Figure 2.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, fields
from heapq import heappop, heappush
from itertools import count, pairwise, product
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import tuples
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Span
from corefkit.core.incidents import DataError, data_error
from corefkit.core.tokens import Tokens, abridged
from corefkit.corpora.syntax import Syntax
from corefkit.formats.kit.files import load
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
"""How each reason shows in the syntax; the first that applies is suggested."""

_AROUND = 12
"""The most words of context before and after a mention, within its sentence."""


@frozen
class Disagreement:
    """One row of the list.

    Attributes:
        number: the number of the row, from 1.
        a, b: the names of the annotators.
        document: the name of the document.
        sentence, line: the sentence of the mention in the document, and its line, from 1.
        start, end: its first and last token in the document, from 0.
        kind: "mention in one only", "boundary" or "chain".
        suggested: a reason that the syntax suggests, or the kind.
        mention: the text of the mention.
        in_a, in_b: what each annotator has: the chain and the antecedent, and for a boundary the
            span.
        context: the mention in its sentence.
        label: empty, to be filled in.
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
    """All disagreements of these pairs, over the documents that both annotators of a pair have.

    Words and lines are those of the first annotator. Documents that are longer in the second come
    last, with the words and lines of the second.
    """
    number = count(1)
    for a, b in pairs:
        both = a.present & b.present
        longer = b.corpus.tokens > a.corpus.tokens
        for reader, documents in ((a, both & ~longer), (b, both & longer)):
            if not documents.any():
                continue
            text = _AnnotatedText(reader)
            sides = [_mentions(annotator, text) for annotator in (a, b)]
            for document in np.flatnonzero(documents).tolist():
                marked = [side.get(document, {}) for side in sides]
                # BookNLP's .entities without its .tokens has no text to describe a place.
                if marked[0].keys() != marked[1].keys() and reader.corpus.tokens[document] < 0:
                    raise data_error("column-missing", "corpus", file=reader.side.path)
                names = (a.name, b.name, a.corpus.names[document])
                for dispute in _DocumentDisputes(marked, text).rows():
                    yield text.describe(next(number), names, text.first[document], dispute)


def to_tsv(rows: Iterator[Disagreement]) -> str:
    """The list as tab-separated text with a column `label` to fill in."""
    lines = ["\t".join(COLUMNS)]
    lines += ["\t".join(" ".join(str(v).split()) for v in astuple(row)) for row in rows]
    return "\n".join(lines) + "\n"


class _Dispute(NamedTuple):
    """A disagreement without its text: its kind, its span in the corpus, the suggested reason, and
    what each annotator has.
    """

    kind: str
    span: Span
    suggested: str
    in_a: str
    in_b: str


class _ChainLink(NamedTuple):
    """The chain of a mention: its number and id, and the previous mention in it."""

    chain: int
    label: str
    antecedent: Span | None


class _AnnotatedText:
    """The text of an annotator's files; spans count the tokens of all documents.

    `first` has the first token of each document.
    """

    def __init__(self, annotator: Annotator) -> None:
        corpus = annotator.side.corpus
        self._tokens = Tokens(corpus)
        self.syntax = Syntax(self._tokens)
        number_of = {name: number for number, name in enumerate(corpus.names)}
        numbers = [number_of.get(name, -1) for name in annotator.corpus.names]
        self.first: list[int] = self._tokens.document_start[numbers].tolist()
        has_words = self._tokens.has("word")
        self._words = (
            self._tokens.column("word").to_list() if has_words else ["?"] * len(self._tokens)
        )

    def words(self, first: int, last: int) -> str:
        """The words from one token to another; a long text is abridged."""
        return abridged(self._words, first, last + 1)

    def reason(self, span: Span, reasons: Iterable[str], default: str) -> str:
        """The first of these reasons that the syntax shows, or the default."""
        return next((r for r in reasons if _SIGNS[r](self.syntax, *span)), default)

    def describe(
        self, number: int, names: tuple[str, str, str], first: int, dispute: _Dispute
    ) -> Disagreement:
        """A row of the list; `first` is the first token of its document."""
        start, end = dispute.span
        sentences, bounds = self._tokens.sentence, self._tokens.sentence_start
        begin = max(int(bounds[sentences[start]]), start - _AROUND)
        finish = min(int(bounds[sentences[end] + 1]) - 1, end + _AROUND)
        spans = ((begin, start - 1), (start, end), (end + 1, finish))
        before, inside, after = (self.words(*span) for span in spans)
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
            context=f"{before} [ {inside} ] {after}".strip(),
        )


def _mentions(annotator: Annotator, text: _AnnotatedText) -> dict[int, dict[Span, _ChainLink]]:
    """Document → span → chain; spans count the tokens of the text."""
    corpus = annotator.corpus
    order = corpus.text_order[np.argsort(corpus.entity[corpus.text_order], kind="stable")]
    shift = np.array(text.first)[corpus.document]
    columns = (corpus.document, corpus.entity, corpus.start + shift, corpus.end + shift)
    last: dict[int, Span] = {}
    by_document: dict[int, dict[Span, _ChainLink]] = {}
    for document, entity, start, end in tuples(*(column[order] for column in columns)):
        link = _ChainLink(entity, corpus.labels[entity], last.get(entity))
        by_document.setdefault(document, {})[start, end] = link
        last[entity] = start, end
    return by_document


class _DocumentDisputes:
    """The mentions of two annotators in one document."""

    def __init__(self, sides: Sequence[dict[Span, _ChainLink]], text: _AnnotatedText) -> None:
        self._sides, self._text = sides, text

    def rows(self) -> list[_Dispute]:
        """The disagreements in text order."""
        a, b = self._sides
        only_a = sorted(a.keys() - b.keys())
        only_b = sorted(b.keys() - a.keys())
        is_pronoun = self._text.syntax.is_pronoun
        candidates = ([s for s in spans if not is_pronoun(*s)] for spans in (only_a, only_b))
        shifted = shifted_spans(*candidates)
        disputes = [self._boundary(span, partner) for span, partner in shifted.items()]
        disputes += [self._single(span, 0) for span in only_a if span not in shifted]
        taken = set(shifted.values())
        disputes += [self._single(span, 1) for span in only_b if span not in taken]
        disputes += self._links(sorted(a.keys() & b.keys()))
        return sorted(disputes, key=lambda row: (row.span[0], -row.span[1], row.kind))

    def _single(self, span: Span, side: int) -> _Dispute:
        shown = ["–", "–"]
        shown[side] = self._shown(span, side)
        return _Dispute(ONE_ONLY, span, self._text.reason(span, _SIGNS, ONE_ONLY), *shown)

    def _boundary(self, span: Span, partner: Span) -> _Dispute:
        inner = min(span, partner, key=lambda s: s[1] - s[0])
        sides = enumerate((span, partner))
        shown = [f"{self._text.words(*s)} | {self._shown(s, side)}" for side, s in sides]
        return _Dispute(BOUNDARY, span, self._text.reason(inner, (APPOSITIVE,), BOUNDARY), *shown)

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
                yield _Dispute(CHAIN, span, self._text.reason(span, reasons, CHAIN), *shown)

    def _shown(self, span: Span, side: int) -> str:
        """The chain of a mention and its antecedent."""
        link = self._sides[side][span]
        back = f"← {self._text.words(*link.antecedent)}" if link.antecedent else "first"
        return f"{link.label}: {back}"


def shifted_spans(only_a: list[Span], only_b: list[Span]) -> dict[Span, Span]:
    """Mentions of A → mentions of B with the same first or last token, the most similar first.

    >>> shifted_spans([(0, 4), (7, 8)], [(0, 3), (1, 4), (9, 9)])
    {(0, 4): (0, 3)}
    """
    of_a = set(only_a)
    before: dict[tuple[int, Span], Span] = {}
    after: dict[tuple[int, Span], Span] = {}
    waiting: list[tuple[float, Span, Span]] = []

    def join(end: int, left: Span, right: Span) -> None:
        """Make two mentions neighbours among those that share an end, in order of length."""
        after[end, left], before[end, right] = right, left
        if (left in of_a) != (right in of_a):
            a, b = (left, right) if left in of_a else (right, left)
            heappush(waiting, (-_likeness(a, b), a, b))

    for end in (0, 1):
        spans = sorted([*only_a, *only_b], key=lambda span: (span[end], span[1] - span[0]))
        for left, right in pairwise(spans):
            if left[end] == right[end]:
                join(end, left, right)
    partner: dict[Span, Span] = {}
    taken: set[Span] = set()
    while waiting:  # of those that are left, the most similar are always neighbours
        _, a, b = heappop(waiting)
        if a in partner or b in taken:
            continue
        partner[a] = b
        taken.add(b)
        for entry in product((0, 1), (a, b)):
            if entry in before and entry in after:
                join(entry[0], before[entry], after[entry])
            elif entry in before:
                del after[entry[0], before[entry]]
            elif entry in after:
                del before[entry[0], after[entry]]
    return partner


def _likeness(a: Span, b: Span) -> float:
    """The Jaccard similarity of two mentions that overlap."""
    common = min(a[1], b[1]) - max(a[0], b[0]) + 1
    union = max(a[1], b[1]) - min(a[0], b[0]) + 1
    return common / union


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
    """How often each label occurs in a labelled list, most frequent first; rows without a label.

    Case and a final s do not matter: `verbs` is `Verb`. Labels that are not in `TYPES` are counted
    as they are. Raises DataError where the file has no column `label`, or no label in it.
    """
    text = load(path).decode("utf-8-sig", "replace")
    header, *rows = [line.rstrip("\r").split("\t") for line in _lines(text)] or [[]]
    names = [_unquoted(name) for name in header]
    if "label" not in names:
        raise _labels_missing(path, "column", 1)
    column = len(names) - 1 - names[::-1].index("label")
    labels = [_unquoted(row[column]) if column < len(row) else "" for row in rows]
    names = [_KNOWN.get(label.lower().rstrip("s"), label) for label in labels if label]
    if not names:
        raise _labels_missing(path)
    return dict(Counter(sorted(names)).most_common()), labels.count("")


def _lines(text: str) -> list[str]:
    """The lines that are not empty; a carriage return inside a cell does not end a line."""
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


def _labels_missing(path: str, variant: str = "", line: int | None = None) -> DataError:
    expected = "the list that --disagreements writes, its column 'label' filled in"
    examples = ", ".join(list(TYPES)[:3])
    return data_error(
        "labels-missing", variant, line, file=path, examples=examples, expected=expected
    )
