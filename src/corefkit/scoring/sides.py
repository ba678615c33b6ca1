"""Key and response, read, checked and prepared; and the two brought together."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from corefkit.data.corpus import Corpus
from corefkit.data.counts import Size
from corefkit.data.incidents import DataError, Incident, Severity, errors, make_incident
from corefkit.data.options import Options
from corefkit.data.spans import crossing_mentions
from corefkit.formats import PLAIN, Reading, read_all
from corefkit.profiles.steps import steps_of
from corefkit.scoring.check import named, outside, pair
from corefkit.scoring.meeting import same_names, same_unit
from corefkit.scoring.naming import path_of
from corefkit.scoring.prepare import prepare

if TYPE_CHECKING:
    from corefkit.mentions.tokens import KeyTokens

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
        from corefkit.mentions.tokens import KeyTokens

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
        from corefkit.scoring.crac import as_the_task_reads

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
        from corefkit.scoring.words import compare_words

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
