"""Links that a system has proposed, with its scores: what a list of them says, and its entities.

A link list says less than clusters and more: not which mentions corefer, but how sure the system is
of each pair. `LinkList.cut` makes a corpus of it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Literal, NamedTuple

from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus, Span, concat
from corefkit.core.incidents import Collector, Incident
from corefkit.core.links import components
from corefkit.core.options import Reading
from corefkit.formats._kit.building import RawDocument, RawMention, make_corpus

LinkScore = float | None
"""How sure a system is; None where it does not say."""


class LinkRow(NamedTuple):
    """A line of a list: an anaphor with its antecedent, or a mention without one."""

    document: str
    span: Span
    antecedent: Span | None
    score: LinkScore
    line: int


@dataclass(eq=False)
class DocumentLinks:
    """The links of one document.

    Attributes:
        name: the name of the document; None where it has none.
        line: where it is first named.
        spans: every span that occurs, and the line where it first does.
        own: the mentions that have a line without an antecedent, and the score of that.
        links: (anaphor, antecedent) and the score; each link once, with its highest score.
        lines: where each link is first listed.
    """

    name: str | None
    line: int = 1
    spans: dict[Span, int] = field(default_factory=dict)
    own: dict[Span, LinkScore] = field(default_factory=dict)
    links: dict[tuple[Span, Span], LinkScore] = field(default_factory=dict)
    lines: dict[tuple[Span, Span], int] = field(default_factory=dict)

    def add(self, row: LinkRow, collector: Collector) -> None:
        """Add a line of the list; what is odd about it is reported."""
        span, other, line = row.span, row.antecedent, row.line
        self.spans.setdefault(span, line)
        if other == span:
            collector.note("link-to-itself", at=line, document=self.name, found=show_span(span))
            other = None
        if other is None:
            if span in self.own:
                self._note_twice(self.own[span], row, collector)
            self.own[span] = _higher(self.own.get(span, row.score), row.score)
            return
        self.spans.setdefault(other, line)
        link = span, other
        if link in self.links:
            self._note_twice(self.links[link], row, collector)
            self.links[link] = _higher(self.links[link], row.score)
            return
        self.links[link], self.lines[link] = row.score, line
        if other > span:
            shown = f"{show_span(span)}, and its antecedent {show_span(other)}"
            collector.note("antecedent-later", at=line, document=self.name, found=shown)

    def _note_twice(self, before: LinkScore, row: LinkRow, collector: Collector) -> None:
        if before != row.score:
            shown = " and ".join(str("none" if s is None else s) for s in (before, row.score))
            collector.note(
                "link-twice", at=row.line, document=self.name, found=f"the scores {shown}"
            )

    @property
    def ambiguous(self) -> bool:
        """Whether a mention has two antecedents, so that only scores can say which is meant."""
        return len({anaphor for anaphor, _ in self.links}) < len(self.links)

    def kept(self, threshold: float | None, *, best: bool) -> list[tuple[Span, Span]]:
        """The links that score at least the threshold, or do not say; of these the best."""
        links = {
            link: score
            for link, score in self.links.items()
            if threshold is None or score is None or score >= threshold
        }
        if not best:
            return list(links)
        chosen: dict[Span, tuple[tuple[float, Span], Span]] = {}
        for (anaphor, antecedent), score in links.items():
            rank = (float("-inf") if score is None else score), antecedent
            if anaphor not in chosen or rank > chosen[anaphor][0]:
                chosen[anaphor] = rank, antecedent
        return [(anaphor, antecedent) for anaphor, (_, antecedent) in chosen.items()]

    def cut(self, reading: Reading) -> RawDocument:
        """The document with the entities that the links make which the reading keeps."""
        links = self.kept(reading.threshold, best=reading.best)
        spans = list(self.spans)
        if reading.unlinked == "drop":
            spans = self.mentions(reading.threshold, links)
        entity = components(spans, links)
        first: dict[int, str] = {}  # of each entity, which is called after it
        mentions = []
        for span in spans:
            if (own := entity[span]) not in first:
                first[own] = show_span(span)
            mentions.append(RawMention(*span, first[own], self.spans[span]))
        return RawDocument(self.name, mentions, self.line)

    def undirected(self) -> dict[tuple[Span, Span], float]:
        """The links without direction, each with its higher score; those without any are 0."""
        links: dict[tuple[Span, Span], float] = {}
        for (anaphor, antecedent), score in self.links.items():
            link = (min(anaphor, antecedent), max(anaphor, antecedent))
            links[link] = max(links.get(link, 0.0), score or 0.0)
        return links

    def improbable(self) -> Iterator[tuple[int, str]]:
        """The lines of links and mentions whose score is not a probability, and what it is."""
        for link, score in self.links.items():
            if score is None or not 0 <= score <= 1:
                yield self.lines[link], "no score" if score is None else str(score)
        for span, score in self.own.items():
            if score is not None and not 0 <= score <= 1:
                yield self.spans[span], str(score)

    def note_reversed(self, collector: Collector) -> None:
        """Report the links that are listed in both directions."""
        for anaphor, antecedent in self.links:
            if anaphor < antecedent and (antecedent, anaphor) in self.links:
                at = max(self.lines[anaphor, antecedent], self.lines[antecedent, anaphor])
                shown = f"{show_span(anaphor)} and {show_span(antecedent)}"
                collector.note("link-twice", "both", at=at, document=self.name, found=shown)

    def mentions(self, threshold: float | None, links: Iterable[tuple[Span, Span]]) -> list[Span]:
        """The mentions that these links have, or whose own score is as high as the threshold."""
        linked = {span for link in links for span in link}
        sure = {
            span
            for span, score in self.own.items()
            if threshold is None or score is None or score >= threshold
        }
        return [span for span in self.spans if span in linked or span in sure]


def _higher(one: LinkScore, other: LinkScore) -> LinkScore:
    return max((s for s in (one, other) if s is not None), default=None)


def show_span(span: Span) -> str:
    """A span as messages and names of entities have it."""
    return f"{span[0]}-{span[1]}"


@frozen(eq=False)
class LinkList:
    """The links of a file, by document in the order in which they are first named."""

    documents: tuple[DocumentLinks, ...]
    incidents: tuple[Incident, ...] = ()
    path: str = ""

    @classmethod
    def of(cls, rows: Iterable[LinkRow], collector: Collector) -> "LinkList":
        """From the lines of a list; what is odd about them is reported."""
        documents: dict[str, DocumentLinks] = {}
        for row in rows:
            name = row.document
            if name not in documents:
                documents[name] = DocumentLinks(name, row.line)
            documents[name].add(row, collector)
        return cls(tuple(documents.values()), tuple(collector), collector.file or "")

    @property
    def scored(self) -> bool:
        """Whether any link has a score."""
        return any(s is not None for document in self.documents for s in document.links.values())

    def cut(self, data: bytes, reading: Reading, collector: Collector, format: str) -> Corpus:
        """The corpus of the links that the reading keeps: entities are what they connect.

        An error where scores could be meant in several ways, and the reading does not say how.
        """
        undecided = reading.threshold is None and not reading.best
        if undecided and self.scored and any(d.ambiguous for d in self.documents):
            collector.note("threshold-missing", found="scores, and mentions with two antecedents")
        documents = [document.cut(reading) for document in self.documents]
        return make_corpus(format, data, documents, collector, reading.unit or "token")


def links_as_corpus(lists: Sequence[LinkList], reading: Reading, threshold: float | None) -> Corpus:
    """The corpus at a threshold, without mentions that have no link left; for None the corpus of
    all mentions, each by itself.
    """
    cut = replace(reading, threshold=inf if threshold is None else threshold)
    keep: Literal["keep", "drop"] = "keep" if threshold is None else "drop"
    corpora = []
    for one in lists:
        documents = [document.cut(replace(cut, unlinked=keep)) for document in one.documents]
        unit = reading.unit or "token"
        corpora.append(make_corpus("links", b"", documents, Collector(one.path), unit))
    return concat(corpora) if corpora else Corpus.from_clusters({})
