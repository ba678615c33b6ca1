"""Statistics of a corpus, counted as annotated, before any policy.

They count documents, sentences, tokens, entities and mentions; mentions by category; the lengths,
nesting and distances of mentions; and speakers. `list_minima` lists the minimum span of each
mention.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike, fspath
from typing import Any, ClassVar, NamedTuple

import numpy as np

from corefkit.core.arrays import IntArray, count_no_smaller_before, ranks_of, starts_of_runs, tuples
from corefkit.core.carriers import frozen
from corefkit.core.columns import NOTHING
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Incident, make_incident
from corefkit.core.languages import TAGSETS, detect_tagset
from corefkit.core.names import document_id, genre, shown_groups
from corefkit.core.nodes import sizes
from corefkit.core.results import Result
from corefkit.core.source import Source
from corefkit.core.texts import shorten
from corefkit.core.tokens import Tokens, known_sentences
from corefkit.corpora.syntax import CATEGORIES, mention_categories
from corefkit.features.minima import Minima
from corefkit.formats import read
from corefkit.formats.registry import format_of
from corefkit.scoring.check import several_speakers

Histogram = dict[int, int]

HISTOGRAMS = {
    "entity_sizes": "entities by number of mentions",
    "mention_lengths": "mentions by number of tokens",
    "nesting": "mentions by number of mentions around them",
    "antecedent_sentences": "links by distance to the antecedent in sentences",
    "antecedent_mentions": "links by distance to the antecedent in mentions",
}

COUNTS = (
    "documents",
    "parts",
    "sentences",
    "tokens",
    "entities",
    "mentions",
    "links",
    "singletons",
)
"""The counts for the whole corpus, for each genre and for each source.

A document is a distinct id, a part is a `#begin` block. An entity has one link less than mentions.
"""

CountsByName = dict[str, int | None]


@frozen
class Statistics(Result):
    """The figures of one corpus.

    Attributes:
        name: the name of the corpus.
        counts: `COUNTS` of the whole corpus; sentences and tokens are None where unknown.
        genres, sources: the same for each genre, and for each source (`nw/wsj`).
        categories: mentions by syntactic category; without the parse of a known tagset only the
            dropped pronouns of `.coref` files, which are no mentions, or None.
        histograms: the histograms of `HISTOGRAMS`, except those that need unknown data.
        speakers: figures about speakers; None where the files name none.
        incidents: warnings that say why something is unknown.
        nodes: figures of CorefUD files, see `FIGURES` there; None for other files.
        minima: the minimum span of each mention, in text order; None unless asked for.
    """

    kind: ClassVar[str] = "statistics"

    name: str
    counts: Mapping[str, int | None]
    genres: Mapping[str, Mapping[str, int | None]]
    sources: Mapping[str, Mapping[str, int | None]]
    categories: Mapping[str, int] | None
    histograms: Mapping[str, Histogram]
    speakers: Mapping[str, int] | None
    incidents: tuple[Incident, ...] = ()
    nodes: Mapping[str, int] | None = None
    minima: "Sequence[Minimum] | None" = None

    def rows(self) -> list[dict[str, Any]]:
        """One flat dict per count, of the whole corpus and of its genres and sources, and per bar
        of a histogram (`label`); then those of minimum spans, with their places.
        """
        counts = {**self.counts, **(self.nodes or {}), **(self.speakers or {})}
        parts: dict[str, Mapping[str, int | None]] = {"all": counts}
        for by, groups in (("genre", self.genres), ("source", self.sources)):
            parts |= {f"{by}:{label}": counts for label, counts in shown_groups(groups).items()}
        listed: dict[str, Mapping[Any, int]] = {"categories": self.categories or {}}
        listed |= self.histograms
        rows = [(p, name, None, n) for p, counts in parts.items() for name, n in counts.items()]
        rows += [("all", name, x, n) for name, bars in listed.items() for x, n in bars.items()]
        names = ("part", "metric", "label", "value")
        listed_rows = [dict(zip(names, row, strict=True)) for row in rows]
        listed_rows += [minimum.row() for minimum in self.minima or ()]
        return [{"corpus": self.name, **row} for row in listed_rows]

    def to_dict(self) -> dict[str, Any]:
        """The JSON of `corefkit stats`."""
        return {
            "name": self.name,
            **self.counts,
            "genres": shown_groups(self.genres),
            "sources": shown_groups(self.sources),
            "categories": self.categories,
            **self.histograms,
            "speakers": self.speakers,
            **(self.nodes or {}),
            **({} if self.minima is None else {"minima": [m.to_dict() for m in self.minima]}),
        }

    def __repr__(self) -> str:
        shown = ("documents", "tokens", "mentions", "entities")
        known = ((name, self.counts[name]) for name in shown)
        counted = ", ".join(f"{count:,} {name}" for name, count in known if count is not None)
        return f"Statistics({self.name}: {counted})"


def statistics(source: Corpus | str | PathLike[str], name: str | None = None) -> Statistics:
    """The statistics of a corpus, or of a file, a directory or a glob.

    Raises DataError where the files are broken.

    >>> figures = statistics("examples/key.conll")
    >>> figures.counts["documents"], figures.counts["parts"], figures.counts["mentions"]
    (7, 8, 265)
    """
    if isinstance(source, Corpus):
        corpus, called = source, repr(source)
    else:
        corpus, called = read(source), fspath(source)
    tokens = Tokens(corpus)
    tokens.load(*(name for name in ("pos", "parse", "speaker") if tokens.has(name)))
    by_source = [(source, known_sentences(source)) for source in corpus.sources]
    unknown = [source for source, numbers in by_source if source.documents and numbers is None]
    table = _by_part(corpus, count_sentences(corpus, by_source))
    ids = [document_id(n) for n in corpus.names]
    parsed = tokens.has_brackets("parse")
    in_text = corpus.identifiers is None
    shapes = mention_shapes(tokens, sentences=not unknown) if in_text else {}
    tagset = _unknown_tagset(tokens) if parsed else None
    return Statistics(
        name if name is not None else called,
        _sum(table, ids, range(len(ids))),
        _grouped(table, ids, map(genre, corpus.names)),
        _grouped(table, ids, map(source_of, ids)),
        _categories(tokens if parsed and tagset is None else None, corpus),
        {"entity_sizes": histogram(corpus.entity_size), **shapes},
        _speakers(tokens) if tokens.has("speaker") else None,
        (*map(no_sentences, unknown), *([tagset] if tagset else []), *several_speakers(tokens)),
        _file_figures(corpus),
    )


def _file_figures(corpus: Corpus) -> dict[str, int] | None:
    """The counts that only the format of all files has, summed; None if there are none."""
    if len({source.format for source in corpus.sources}) != 1:
        return None
    total = Counter[str]()
    for source in corpus.sources:
        figures = source.figures(corpus)
        if figures is None:
            return None
        total.update(figures)
    return dict(total)


def _unknown_tagset(tokens: Tokens) -> Incident | None:
    """A warning where the tags are not from a tagset that corefkit knows."""
    tag = tokens.column("pos")
    if detect_tagset(tag.frequency()) is not None:
        return None
    return make_incident(
        "tagset-unknown",
        "stats",
        severity="warning",
        file=tokens.corpus.path,
        found=shorten(", ".join(sorted(tag.values)[:10])),
        expected=f"tags of {', '.join(TAGSETS)}",
    )


def source_of(document: str) -> str:
    """The source of an OntoNotes document, genre/source; for other documents, the genre.

    >>> source_of("nw/wsj/07/wsj_0771"), source_of("test_events")
    ('nw/wsj', 'others')
    """
    parts = document.split("/")
    return "/".join(parts[:2]) if len(parts) > 2 else genre(document)


def _by_part(corpus: Corpus, sentences: IntArray) -> dict[str, IntArray]:
    """The counts that add up, by part: int64 (parts,); −1 where unknown."""
    parts = len(corpus.names)
    entities = np.bincount(corpus.entity_document, minlength=parts)
    mentions = np.bincount(corpus.document, minlength=parts)
    single = corpus.entity_document[corpus.entity_size == 1]
    return {
        "parts": np.ones(parts, dtype=np.int64),
        "sentences": sentences,
        "tokens": corpus.tokens if corpus.unit == "token" else np.full(parts, -1),
        "entities": entities,
        "mentions": mentions,
        "links": mentions - entities,
        "singletons": np.bincount(single, minlength=parts),
    }


def _sum(table: dict[str, IntArray], ids: list[str], rows: Iterable[int]) -> CountsByName:
    listed = list(rows)
    counts: CountsByName = {"documents": len({ids[row] for row in listed})}
    for name, column in table.items():
        known = int(column[listed].min(initial=0)) >= 0
        counts[name] = int(column[listed].sum()) if known else None
    return counts


def _grouped(
    table: dict[str, IntArray], ids: list[str], groups: Iterable[str]
) -> dict[str, CountsByName]:
    rows: dict[str, list[int]] = {}
    for row, group in enumerate(groups):
        rows.setdefault(group, []).append(row)
    return {group: _sum(table, ids, rows[group]) for group in sorted(rows)}


DROPPED = "dropped pronouns"
"""The category of mentions that are left out, because the text does not have them."""


def _categories(tokens: Tokens | None, corpus: Corpus) -> dict[str, int] | None:
    """Mentions by category; without parsed tokens only the dropped pronouns, None without any."""
    counted = {}
    if tokens is not None:
        counts = np.bincount(mention_categories(tokens), minlength=len(CATEGORIES))
        counted = dict(zip(CATEGORIES, counts.tolist(), strict=True))
    if dropped := sum(i.count for i in corpus.incidents if i.id == "dropped-pronoun"):
        counted[DROPPED] = dropped
    return counted or None


def _speakers(tokens: Tokens) -> dict[str, int] | None:
    """Counts of speakers, and of links within and across speakers; None: no speaker is named."""
    speaker = tokens.column("speaker")
    named = ~speaker.is_any(*NOTHING)
    if not named.any():
        return None
    pairs = np.unique(tokens.document[named] * len(speaker.values) + speaker.code[named])
    per_part = np.bincount(pairs // len(speaker.values), minlength=len(tokens.corpus.names))
    mention, antecedent = (tokens.mention_first[x] for x in antecedents(tokens.corpus))
    both = named[mention] & named[antecedent]
    same = speaker.code[mention] == speaker.code[antecedent]
    return {
        "names": len(np.unique(speaker.code[named])),
        "parts_with_speakers": int((per_part > 0).sum()),
        "parts_with_several": int((per_part > 1).sum()),
        "most_in_a_part": int(per_part.max()),
        "tokens": int(named.sum()),
        "links_of_one_speaker": int((both & same).sum()),
        "links_across_speakers": int((both & ~same).sum()),
    }


def count_sentences(
    corpus: Corpus, by_source: Iterable[tuple[Source, IntArray | None]]
) -> IntArray:
    """The number of sentences of each part, int64 (parts,); −1 where the file marks none."""
    counts = np.full(len(corpus.names), -1, dtype=np.int64)
    for source, numbers in by_source:
        if numbers is not None:
            parts = slice(source.first_document, source.first_document + source.documents)
            part = np.repeat(np.arange(source.documents), corpus.tokens[parts])
            counts[parts] = np.bincount(part[starts_of_runs(numbers)], minlength=source.documents)
    return counts


def no_sentences(source: Source) -> Incident:
    """The warning about a file that does not mark where sentences end."""
    blank = format_of(source).columns
    return make_incident(
        "sentences-unknown",
        file=source.path,
        found="no blank line in any document" if blank else "no sentences",
        expected="a blank line after each sentence" if blank else None,
    )


def histogram(values: IntArray) -> Histogram:
    """How often each value occurs, in rising order.

    >>> histogram(np.array([2, 1, 2]))
    {1: 1, 2: 2}
    """
    distinct, counts = np.unique(values, return_counts=True)
    return dict(zip(distinct.tolist(), counts.tolist(), strict=True))


def nesting(corpus: Corpus) -> IntArray:
    """The number of other mentions that contain each mention, int64 (mentions,)."""
    depth = np.zeros(corpus.mentions, dtype=np.int64)
    if not corpus.mentions:
        return depth
    order = corpus.text_order
    document, start, end = (x[order] for x in (corpus.document, corpus.start, corpus.end))
    # In text order, the mentions that contain a mention come before it and end no earlier.
    around = count_no_smaller_before(document * (int(end.max()) + 1) + end)
    changes = np.diff(document, prepend=-1) | np.diff(start, prepend=-1) | np.diff(end, prepend=-1)
    first = np.flatnonzero(changes)
    copies = np.arange(len(order)) - np.repeat(first, np.diff(np.append(first, len(order))))
    depth[order] = around - copies
    return depth


def antecedents(corpus: Corpus) -> tuple[IntArray, IntArray]:
    """The mention and the antecedent of each link, as rows of the corpus: two int64 (links,).

    The antecedent is the previous mention of the entity in text order.
    """
    order = corpus.text_order
    order = order[np.argsort(corpus.entity[order], kind="stable")]
    same = np.diff(corpus.entity[order]) == 0
    return order[1:][same], order[:-1][same]


def mention_shapes(tokens: Tokens, *, sentences: bool) -> dict[str, Histogram]:
    """The histograms of mentions, in the order of `HISTOGRAMS`.

    Those that need tokens are missing where spans count characters, those that need sentences where
    these are unknown.
    """
    corpus, histograms = tokens.corpus, {}
    if corpus.unit == "token":
        histograms["mention_lengths"] = histogram(sizes(corpus))
    histograms["nesting"] = histogram(nesting(corpus))
    mention, antecedent = antecedents(corpus)
    if corpus.sources and sentences:
        sentence = tokens.mention_sentence
        histograms["antecedent_sentences"] = histogram(sentence[mention] - sentence[antecedent])
    rank = ranks_of(corpus.text_order)
    histograms["antecedent_mentions"] = histogram(rank[mention] - rank[antecedent])
    return histograms


class WordRun(NamedTuple):
    """A run of words: its first and last token in the document, from 0, and its text."""

    start: int
    end: int
    text: str


MINIMUM = "minimum"
"""The metric of the rows of minimum spans."""


class Minimum(NamedTuple):
    """A mention, its sentence in the document, from 0, and the runs of words of its minimum."""

    document: str
    sentence: int
    mention: WordRun
    minimum: tuple[WordRun, ...]

    def row(self) -> dict[str, Any]:
        """The mention as a flat row."""
        words = " … ".join(run.text for run in self.minimum)
        row = {"part": self.document, "metric": MINIMUM, "label": self.mention.text, "value": words}
        return row | {
            "sentence": self.sentence,
            "start": self.mention.start,
            "end": self.mention.end,
        }

    def to_dict(self) -> dict[str, Any]:
        """The mention in the JSON of `corefkit stats --minimum`."""
        return {
            "document": self.document,
            "sentence": self.sentence,
            **self.mention._asdict(),
            "minimum": [words._asdict() for words in self.minimum],
        }


def list_minima(corpus: Corpus) -> list[Minimum]:
    """The minimum spans of all mentions in text order, from the trees of the corpus.

    Raises DataError where it has no trees.

    >>> import corefkit
    >>> first = list_minima(corefkit.read("examples/key.conll"))[0]
    >>> first.mention.text, [words.text for words in first.minimum]
    ('The sea wall of Port Ellery', ['The sea wall'])
    """
    minima = Minima(corpus)
    words = minima.words.to_list()
    offset = corpus.first_token.tolist()
    sentences = minima.sentence.tolist()

    def cut(document: int, first: int, last: int) -> WordRun:
        text = " ".join(words[first : last + 1])
        return WordRun(first - offset[document], last - offset[document], text)

    listed = []
    row = corpus.text_order
    begin = corpus.first_token[corpus.document[row]]
    spans = begin + corpus.start[row], begin + corpus.end[row]
    numbers, runs_of = minima.find(*spans)
    for document, first, last, number in tuples(corpus.document[row], *spans, numbers):
        runs = runs_of[number]
        ends = [(first, last)] if runs is None else [(first + a, first + b) for a, b, _ in runs]
        sentence = sentences[first] - sentences[offset[document]]
        minimum = tuple(cut(document, *pair) for pair in sorted(ends))
        mention = cut(document, first, last)
        listed.append(Minimum(corpus.names[document], sentence, mention, minimum))
    return listed
