"""Key and response, read, checked and prepared; and the two brought together.

Preprocessing of both sides; every change is reported.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from corefkit.core.arrays import BoolArray
from corefkit.core.corpus import UNPLACED, Corpus
from corefkit.core.counts import Size
from corefkit.core.incidents import Collector, DataError, Incident, Severity, errors, make_incident
from corefkit.core.names import path_of
from corefkit.core.nodes import (
    crossing_mentions,
    first_copies,
    listed_copies,
    repeated_spans,
    span_of,
)
from corefkit.core.options import PLAIN, Options, Reading
from corefkit.formats import format_of, read_all
from corefkit.scorers.steps import steps_of
from corefkit.scoring.documents import in_both, same_names, same_unit
from corefkit.scoring.pair_checks import named, outside, pair

if TYPE_CHECKING:
    from corefkit.applications.tokens import KeyTokens


def prepare(corpus: Corpus, options: Options) -> tuple[Corpus, list[Incident]]:
    """The corpus as it is scored: repeated spans and singletons as the options say.

    A scorer that settles repeated spans by both sides does so later; see `steps.settle`.
    """
    incidents: list[Incident] = []
    own = steps_of(options)
    if options.ids == "digits":
        corpus, unseen = _with_digits(corpus)
        incidents += unseen
    if options.glued == "last":
        corpus, glued = _without_glued(corpus)
        incidents += glued
    if own.prepare is not None:
        return own.prepare(corpus, options), incidents
    if options.split != "drop" and corpus.links is not None:
        from corefkit.core.links import with_plurals

        corpus = with_plurals(corpus, zeros=options.zeros != "drop")
    if own.regroup is not None:
        corpus = own.regroup(corpus)
    if corpus.referring is not None:
        corpus = corpus.take(corpus.referring)
    if options.zeros == "drop" and (corpus.zero is not None or corpus._head_zero is not None):
        from corefkit.core.nodes import is_zero

        unplaced = corpus.zero > UNPLACED if corpus.zero is not None else False
        corpus = corpus.take(~is_zero(corpus) | unplaced)
    if not own.keeps_repeats:
        repeated = repeated_spans(corpus)
        if repeated.any():
            choose = listed_copies if options.duplicates == "listed" else first_copies
            kept = choose(corpus, repeated)
            incidents += _tell_copies(corpus, repeated, kept, options)
            corpus = corpus.take(own.copies.choose(corpus, kept, options) if own.copies else kept)
    if options.singletons == "drop":
        corpus = corpus.drop_singletons()
    return corpus, incidents


def _with_digits(corpus: Corpus) -> tuple[Corpus, list[Incident]]:
    """The corpus without mentions of entities whose ids are not numbers.

    Of brackets in columns the reader has told already, and left them out.
    """
    digits = [label.isascii() and label.isdigit() for label in corpus.labels]
    seen = np.array(digits, dtype=bool)[corpus.entity]
    unseen = int((~seen).sum())
    if not unseen:
        return corpus, []
    expected = "ids of digits, as the reference scorer wants them"
    told = make_incident("ids-unseen", number=unseen, file=corpus.path, expected=expected)
    return corpus.take(seen), [told]


def _without_glued(corpus: Corpus) -> tuple[Corpus, list[Incident]]:
    """The corpus without mentions whose opening bracket stands right before another one."""
    glued = np.zeros(corpus.mentions, dtype=bool)
    if len(corpus._byte):
        labels = [label.encode("utf-8", "surrogateescape") for label in corpus.labels]
        behind = corpus._byte + 1 + np.array([*map(len, labels)], dtype=np.int64)[corpus.entity]
        for source in corpus.sources:
            if glued_openings := format_of(source).glued_openings:
                first, last = source.first_document, source.first_document + source.documents
                here = np.flatnonzero((corpus.document >= first) & (corpus.document < last))
                glued[here] = glued_openings(source, behind[here])
    found = Collector(corpus.path)
    for row in np.flatnonzero(glued).tolist():
        found.note(
            "brackets-glued", at=partial(corpus.mention_place, row), expected="| between brackets"
        )
    return corpus.take(~glued), list(found)


def align(response: Corpus, key: Corpus) -> Corpus:
    """The response with the documents of the key, in its order: none missing, none extra."""
    if response.names == key.names:
        return response
    places = {old: new for new, old in in_both(key, response)}
    wanted = np.isin(response.document, list(places))
    return response.take(wanted)._renumbered(key.names, places)


def _tell_copies(
    corpus: Corpus, repeated: BoolArray, kept: BoolArray, options: Options
) -> list[Incident]:
    """One incident for each copy that is dropped, or scored a second time."""
    severity: Severity = "error" if options.duplicates == "error" else "warning"
    copies = steps_of(options).copies
    told = copies.told if copies else "error" if severity == "error" else ""
    found = Collector(corpus.path)
    keeper = {span_of(corpus, row): row for row in np.flatnonzero(kept & repeated).tolist()}
    for row in np.flatnonzero(~kept).tolist():
        one, other = (int(corpus.entity[r]) for r in (keeper[span_of(corpus, row)], row))
        kind = "span-twice" if one == other else "span-in-two-entities"
        start, end = int(corpus.start[row]), int(corpus.end[row])
        found.note(
            kind,
            told,
            severity=severity,
            entity=corpus.labels[one],
            other=corpus.labels[other],
            at=partial(corpus.mention_place, row),
            found=f"tokens {start} to {end} of the document, counted from 0",
            expected="each span once",
        )
    return list(found)


Readable = str | PathLike[str] | Corpus
"""What can be scored: the name of a file (`.gz` too), `-`, a directory or a glob; or a Corpus."""


@dataclass(frozen=True, eq=False)
class Side:
    """Key or response, ready to be scored unless there are errors among its incidents.

    `corpus` is as it was read, `scored` as the options want it; both are empty where an engine
    counted, which says how large the side is.
    """

    path: str
    corpus: Corpus
    scored: Corpus
    incidents: tuple[Incident, ...]
    counted: Size | None = None
    coverage: float | None = None
    """How much of the key its text covers, where it had to be aligned."""

    @property
    def size(self) -> Size:
        """How large the side is, as it is scored."""
        scored = self.scored
        return self.counted or Size(len(scored.names), scored.mentions, scored.entities)

    @cached_property
    def tokens(self) -> "KeyTokens":
        """The token columns, which are read when they are needed, and once."""
        from corefkit.applications.tokens import KeyTokens

        return KeyTokens(self.scored)


def make_side(
    source: Readable,
    options: Options,
    reading: Reading,
    loaded: Mapping[str, bytes] | None = None,
    *,
    all_columns: bool = False,
) -> Side:
    """Read one side, check it and apply the policies to it; `loaded` are its files, if read."""
    path = path_of(source)
    how = replace(reading, ids=options.ids, all_columns=all_columns)
    try:
        corpus = source if isinstance(source, Corpus) else read_all(source, how, loaded)
    except DataError as error:
        nothing = Corpus.from_clusters({})
        return Side(path, nothing, nothing, error.incidents)
    made = corpus is source and not corpus.sources  # in Python, where nobody has looked at it yet
    found = crossing_mentions(corpus) if made else corpus.incidents
    if options.heads == "tree" and corpus.head is not None:
        from corefkit.formats.conllu.heads import tree_heads

        corpus = tree_heads(corpus)
    if own := steps_of(options).read:
        corpus = own(corpus)
    scored, told = prepare(corpus, options)
    return Side(path, corpus, scored, (*found, *named(told, corpus, path)))


def prepare_again(side: Side, options: Options) -> Side:
    """A side that was read, as other options want it."""
    return replace(make_side(side.corpus, options, PLAIN), path=side.path)


def as_key(side: Side, options: Options) -> Side:
    """The side with what an older scorer says of its key."""
    own = steps_of(options).tell_key
    if own is None or errors(side.incidents):
        return side
    return replace(side, incidents=(*side.incidents, *own(side.scored, side.path)))


def only_document(side: Side, name: str) -> Side:
    """The side with one of its documents; an incident where it is not there."""
    if name in side.corpus.names:
        return replace(side, corpus=side.corpus.only(name), scored=side.scored.only(name))
    found = make_incident("document-unknown", name=name, file=side.path)
    return replace(side, incidents=(*side.incidents, found))


def meet(key: Side, response: Side, options: Options) -> tuple[Side, Side]:
    """Both sides with the same names for the same documents, and the same unit.

    What had to be done, and what could not be, stands among the incidents of the response.
    """
    if options.align == "crac" and response.corpus.sources and not errors(key.incidents):
        from corefkit.scoring.documents import as_the_task_reads

        corpus, found = as_the_task_reads(key.corpus, response.corpus)
        scored = prepare(corpus, options)[0]
        response = replace(response, corpus=corpus, scored=scored, incidents=tuple(found))
    if errors(key.incidents) or errors(response.incidents):
        return key, response
    renamed, found = same_names(key.corpus, response.corpus, options)
    if errors(found):
        return key, replace(response, incidents=(*response.incidents, *found))
    ours, theirs, told, coverage = same_unit(key.corpus, renamed, options)
    if coverage is not None:
        response = replace(response, coverage=coverage)
    if ours is not key.corpus:
        key = replace(key, corpus=ours, scored=prepare(ours, options)[0])
    if theirs is not response.corpus:
        scored = (
            replace(response.scored, names=theirs.names)
            if theirs is renamed
            else prepare(theirs, options)[0]
        )
        response = replace(response, corpus=theirs, scored=scored)
    return key, replace(response, incidents=(*response.incidents, *found, *told))


def compare_sides(
    key: Side, response: Side, options: Options, chosen: set[str] | None = None
) -> tuple[Incident, ...]:
    """What is different about the documents, tokens and words of two sides that have met."""
    both = key.corpus, response.corpus
    unwanted = set() if chosen is None else {*key.corpus.names} - chosen
    compared = (i for i in pair(*both, options) if i.document not in unwanted)
    found = [*named(compared, response.corpus, response.path), *outside(*both, options)]
    if options.words != "ignore":
        from corefkit.scoring.pair_checks import compare_words

        grave: Severity = "error" if options.words == "error" else "warning"
        found += compare_words(*both, grave)
    if own := steps_of(options).compare:
        found += own(*both)
    return tuple(found)


def with_documents(names: set[str], *sides: Side) -> tuple[Side, ...]:
    """The sides without the mentions of other documents than these."""
    found = []
    for side in sides:
        kept = np.array([name in names for name in side.scored.names], dtype=bool)
        found.append(replace(side, scored=side.scored.take(kept[side.scored.document])))
    return tuple(found)
