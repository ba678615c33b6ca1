"""The links that a system proposes, with its scores, and the entities they make.

A link list does not say which mentions corefer, but how sure the system is of each pair.
`LinkList.cut` turns it into a corpus.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple

from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus, Span, Unit, concat
from corefkit.core.incidents import Collector, Incident
from corefkit.core.links import components
from corefkit.core.options import Reading, UsageError, choose
from corefkit.core.texts import decimal_text
from corefkit.formats.kit.building import RawDocument, RawMention, make_corpus
from corefkit.formats.options import ReadOption

UNLINKED = ReadOption(
    "unlinked",
    "whether to keep mentions that lose all their links.  [default: keep]",
    "drop",
    values=("keep", "drop"),
    formats="Link lists",
    responses=True,
    signed="links",
)

BEST = ReadOption(
    "best",
    "keep only the highest-scoring link of each anaphor.",
    "yes",
    "flag",
    formats="Link lists",
    responses=True,
    signed="links",
)

THRESHOLD = ReadOption(
    "threshold",
    "keep links with a score of at least P, and those without a score.",
    "0.5",
    "decimal",
    formats="Link lists",
    metavar="P",
    responses=True,
    signed="links",
)

LinkScore = float | None
"""How sure a system is of a link; None if it gives no score."""


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
        own: the mentions listed without an antecedent, and the score given there.
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
        """Add a line of the list; problems are noted."""
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
        """Whether a mention has several antecedents, so that only scores can decide."""
        return len({anaphor for anaphor, _ in self.links}) < len(self.links)

    def kept(self, threshold: float | None, *, best: bool) -> list[tuple[Span, Span]]:
        """The links with at least this score, or with none; with `best`, one per anaphor."""
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
        """The document with the entities made by the links that the reading keeps."""
        links = self.kept(reading.get("threshold"), best=bool(reading.get("best")))
        spans = list(self.spans)
        if reading.get("unlinked") == "drop":
            spans = self.mentions(reading.get("threshold"), links)
        entity = components(spans, links)
        names: dict[int, str] = {}  # an entity is named after its first span
        mentions = []
        for span in spans:
            name = names.setdefault(entity[span], show_span(span))
            mentions.append(RawMention(*span, name, self.spans[span]))
        return RawDocument(self.name, mentions, self.line)

    def undirected(self) -> dict[tuple[Span, Span], float]:
        """The links without direction, each with its higher score, or 0 if it has none."""
        links: dict[tuple[Span, Span], float] = {}
        for (anaphor, antecedent), score in self.links.items():
            link = (min(anaphor, antecedent), max(anaphor, antecedent))
            links[link] = max(links.get(link, 0.0), score or 0.0)
        return links

    def improbable(self) -> Iterator[tuple[int, str]]:
        """The lines with a score that is not a probability, and the score."""
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
        """The mentions of these links, and those whose own score reaches the threshold."""
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
    """A span as it is shown in messages and in names of entities."""
    return f"{span[0]}-{span[1]}"


@frozen(eq=False)
class LinkList:
    """The links of a file by document, in the order of their first occurrence."""

    documents: tuple[DocumentLinks, ...]
    incidents: tuple[Incident, ...] = ()
    path: str = ""

    @classmethod
    def of(cls, rows: Iterable[LinkRow], collector: Collector) -> "LinkList":
        """The link list of these rows; problems are noted."""
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
        """The corpus whose entities are the mentions connected by the links the reading keeps.

        An error is noted if scores are ambiguous and the reading does not say how to use them.
        """
        undecided = reading.get("threshold") is None and not reading.get("best")
        if undecided and self.scored and any(d.ambiguous for d in self.documents):
            collector.note("threshold-missing", found="scores, and mentions with two antecedents")
        documents = [document.cut(reading) for document in self.documents]
        return make_corpus(format, data, documents, collector, reading.get("unit") or "token")


def links_as_corpus(lists: Sequence[LinkList], reading: Reading, threshold: float | None) -> Corpus:
    """The corpus at a threshold, without mentions that have no link left.

    With None, all mentions are kept, each by itself.
    """
    cut = reading.with_options(threshold=inf if threshold is None else threshold)
    keep = "keep" if threshold is None else "drop"
    corpora = []
    for links in lists:
        documents = [document.cut(cut.with_options(unlinked=keep)) for document in links.documents]
        unit: Unit = reading.get("unit") or "token"
        corpora.append(make_corpus("links", b"", documents, Collector(links.path), unit))
    return concat(corpora) if corpora else Corpus.from_clusters({})


def links_text(reading: Reading) -> str:
    """Which links of a link list count, for signatures; empty if all do.

    >>> links_text(Reading(options={"threshold": 0.5, "unlinked": "drop"}))
    'threshold=0.5+unlinked=drop'
    """
    threshold = reading.get("threshold")
    parts = [] if threshold is None else [f"threshold={decimal_text(threshold)}"]
    parts += ["best"] if reading.get("best") else []
    parts += ["unlinked=drop"] if reading.get("unlinked") == "drop" else []
    return "+".join(parts)


def reading_of_links(text: str, reading: Reading) -> Reading:
    """The reading with the options in a text of `links_text`; raises UsageError for other texts."""
    for part in text.split("+") if text else ():
        name, _, value = part.partition("=")
        try:
            if name == "threshold":
                reading = reading.with_options(threshold=float(value))
            elif name == "unlinked":
                choose("links: unlinked", value, ("keep", "drop"))
                reading = reading.with_options(unlinked=value)
            elif part == "best":
                reading = reading.with_options(best=True)
            else:
                raise ValueError
        except ValueError:
            raise UsageError(f"links: {part!r:.60} is not a way to read links") from None
    return reading
