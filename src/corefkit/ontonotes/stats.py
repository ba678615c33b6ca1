"""What is in a corpus: counted as written, before any policy."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

import numpy as np

from corefkit._lazy import show
from corefkit.data.arrays import IntArray
from corefkit.data.columns import NOTHING
from corefkit.data.corpus import Corpus
from corefkit.data.document_names import document_id
from corefkit.data.groups import genre
from corefkit.data.incidents import Incident, make_incident
from corefkit.data.tagsets import TAGSETS, detect
from corefkit.data.texts import shorten
from corefkit.formats import read
from corefkit.formats.conllu.figures import file_figures
from corefkit.formats.mention_values import has_identifiers
from corefkit.ontonotes.categories import CATEGORIES, mention_categories
from corefkit.ontonotes.sentence_counts import count_sentences, no_sentences, told_sentences
from corefkit.ontonotes.shapes import Histogram, antecedents, histogram, mention_shapes
from corefkit.ontonotes.tokens import Tokens

if TYPE_CHECKING:
    from corefkit.ontonotes.minima import Minimum

COUNTS = (
    *("documents", "parts", "sentences", "tokens"),
    *("entities", "mentions", "links", "singletons"),
)
"""What is counted for the whole corpus, for each genre and for each source.

A document is a distinct id, a part a `#begin` block; links are what holds the entities together,
a mention less than each has.
"""

Counted = dict[str, int | None]


@dataclass(frozen=True, repr=False)
class Statistics:
    """The figures of one corpus.

    Attributes:
        counts: COUNTS of the whole corpus; sentences and tokens are None where they are not known.
        genres, sources: the same of each genre, and of each source (`nw/wsj`).
        categories: mentions by syntactic category; None where the files have no parse, or tags
            of no tagset that is known.
        histograms: how many entities have so many mentions, and so on: see `HISTOGRAMS`; without
            those that need what is not known.
        speakers: None where the files name none.
        incidents: warnings that tell why something is not known.
        nodes: what only CorefUD files have, see `FIGURES` there; None elsewhere.
        minima: the minimum span of each mention, in text order; None where nobody asked.
    """

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

    def to_dict(self) -> dict[str, Any]:
        """The JSON of `corefkit stats`."""
        return {
            "name": self.name,
            **self.counts,
            "genres": self.genres,
            "sources": self.sources,
            "categories": self.categories,
            **self.histograms,
            "speakers": self.speakers,
            **(self.nodes or {}),
            **({} if self.minima is None else {"minima": [m.to_dict() for m in self.minima]}),
        }

    def __str__(self) -> str:
        return str(show("render.stats", "render_stats", [self]))

    def __repr__(self) -> str:
        shown = ("documents", "tokens", "mentions", "entities")
        known = ((name, self.counts[name]) for name in shown)
        counted = ", ".join(f"{count:,} {name}" for name, count in known if count is not None)
        return f"Statistics({self.name}: {counted})"

    def _repr_html_(self) -> str:
        return str(show("render.notebook", "statistics_html", self))


def statistics(source: Corpus | str | PathLike[str], name: str | None = None) -> Statistics:
    """The statistics of a corpus, or of what is in a file, a directory or a glob.

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
    told = [(source, told_sentences(source)) for source in corpus.sources]
    unknown = [source for source, numbers in told if source.documents and numbers is None]
    table = _by_part(corpus, count_sentences(corpus, told))
    ids = [document_id(n) for n in corpus.names]
    parsed = tokens.holds("parse")
    tagset = _unknown_tagset(tokens) if parsed else None
    return Statistics(
        name if name is not None else called,
        _sum(table, ids, range(len(ids))),
        _grouped(table, ids, map(genre, corpus.names)),
        _grouped(table, ids, map(source_of, ids)),
        _categories(tokens) if parsed and tagset is None else None,
        {
            "entity_sizes": histogram(corpus.entity_size),
            **({} if has_identifiers(corpus) else mention_shapes(tokens, sentences=not unknown)),
        },
        _speakers(tokens) if tokens.has("speaker") else None,
        (*map(no_sentences, unknown), *([tagset] if tagset else [])),
        file_figures(corpus),
    )


def _unknown_tagset(tokens: Tokens) -> Incident | None:
    """A warning where the tags are from no tagset that is known, as application scores want it."""
    frequency = np.bincount(tokens.pos.code, minlength=len(tokens.pos.values)).tolist()
    if detect(dict(zip(tokens.pos.values, frequency, strict=True))) is not None:
        return None
    return make_incident(
        "tagset-unknown",
        "stats",
        severity="warning",
        file=tokens.corpus.path,
        found=shorten(", ".join(sorted(tokens.pos.values)[:10])),
        expected=f"tags of {', '.join(TAGSETS)}",
    )


def source_of(document: str) -> str:
    """The source of an OntoNotes document, genre/source; elsewhere the genre.

    >>> source_of("nw/wsj/07/wsj_0771"), source_of("test_events")
    ('nw/wsj', '(none)')
    """
    parts = document.split("/")
    return "/".join(parts[:2]) if len(parts) > 2 else genre(document)


def _by_part(corpus: Corpus, sentences: IntArray) -> dict[str, IntArray]:
    """What adds up, by part: int64 (parts,); −1 where it is not known."""
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


def _sum(table: dict[str, IntArray], ids: list[str], rows: Iterable[int]) -> Counted:
    listed = list(rows)
    counts: Counted = {"documents": len({ids[row] for row in listed})}
    for name, column in table.items():
        known = int(column[listed].min(initial=0)) >= 0
        counts[name] = int(column[listed].sum()) if known else None
    return counts


def _grouped(
    table: dict[str, IntArray], ids: list[str], groups: Iterable[str]
) -> dict[str, Counted]:
    rows: dict[str, list[int]] = {}
    for row, group in enumerate(groups):
        rows.setdefault(group, []).append(row)
    return {group: _sum(table, ids, rows[group]) for group in sorted(rows)}


def _categories(tokens: Tokens) -> dict[str, int]:
    counts = np.bincount(mention_categories(tokens), minlength=len(CATEGORIES))
    return dict(zip(CATEGORIES, counts.tolist(), strict=True))


def _speakers(tokens: Tokens) -> dict[str, int] | None:
    """How many speakers there are, and how many links join mentions of one of them."""
    speaker = tokens.speaker
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
