"""What two sides look like when their user made a mistake: a file given twice, the gold read as the
response, key and response exchanged, a document that lost its mentions, spans counted in another
way, a text of the CRAC tasks that is not read as they read it.

All figures of such sides are right, and say nothing. So each is a warning, and none of them appears
where it could be a coincidence: `FEW` mentions may be equal, shifted or absent by chance.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.corpus import Corpus, Unit
from corefkit.core.incidents import Collector, Incident, make_incident
from corefkit.core.nodes import is_zero
from corefkit.core.source import Source
from corefkit.core.texts import count_of
from corefkit.formats.options import ENDS
from corefkit.formats.registry import format_of
from corefkit.matching.exact import equal_mentions
from corefkit.scorers.comparison import Comparison, Side

FEW = 10
"""With fewer mentions than this, what looks like a mistake may be none."""

MANY = 50
"""With this many mentions, a system that is right about all of them is hardly one."""

_NAMES_OF_KEYS = frozenset({"key", "keys", "gold", "golden", "ref", "reference", "truth"})


def likely_mistakes(comparison: Comparison) -> Iterator[Incident]:
    """The incidents of a comparison that has not failed."""
    key, response = comparison.key_side, comparison.response_side
    if _are_the_same(key, response):
        yield make_incident("same-file", file=response.path, found=f"what is in {key.path}")
        return
    if _are_annotated_alike(comparison):
        number = comparison.key.mentions
        yield make_incident("same-file", "annotation", file=response.path, number=number)
        return
    yield from _exchanged(comparison)
    yield from _without_mentions(comparison)
    yield from _shifted(comparison)
    yield from _read_otherwise(comparison)


# One file given twice.


def _are_the_same(key: Side, response: Side) -> bool:
    """Whether the same annotation of the same bytes was read twice."""
    key_sources, response_sources = key.corpus.sources, response.corpus.sources
    if not key_sources or [_part(source, key) for source in key_sources] != [
        _part(source, response) for source in response_sources
    ]:
        return False
    if not _have_same_bytes(key, response):
        return False
    same_paths = [source.path for source in key_sources] == [
        source.path for source in response_sources
    ]
    return same_paths or key.scored.mentions >= FEW


def _have_same_bytes(key: Side, response: Side) -> bool:
    of_key, of_response = key.written.sources, response.written.sources
    return [source.data for source in of_key] == [source.data for source in of_response]


def _are_annotated_alike(comparison: Comparison) -> bool:
    """Whether files of other bytes have the same mentions and entities.

    A response that carries the gold along in one column, field or layer, and is read there, does;
    so does a converted key. Two fields or annotators of one file may well agree.
    """
    key, response = comparison.key, comparison.response
    sizes = (key.mentions, key.entities), (response.mentions, response.entities)
    if key.mentions < MANY or sizes[0] != sizes[1]:
        return False
    sides = comparison.key_side, comparison.response_side
    if not all(side.written.sources for side in sides) or _have_same_bytes(*sides):
        return False
    pairs = equal_mentions(key, response)
    together = zip(
        key.entity[pairs.key].tolist(), response.entity[pairs.response].tolist(), strict=True
    )
    return len(pairs.key) == key.mentions and len({*together}) == key.entities


def _part(source: Source, side: Side) -> object:
    """Which of the annotations of a file was read: that of a field, an annotator, a layer."""
    return source.chosen or ({**side.reading.options}, side.path.partition("#")[2])


# Key and response exchanged.


def _exchanged(comparison: Comparison) -> Iterator[Incident]:
    key, response = comparison.key_side, comparison.response_side
    sizes = comparison.key.entity_size, comparison.response.entity_size
    of_key, of_response = (int((size == 1).sum()) for size in sizes)
    yield from exchanged(key.path, response.path, (of_key, of_response), len(sizes[1]))


def exchanged(
    key: str, response: str, singletons: tuple[int, int], entities: int
) -> Iterator[Incident]:
    """An incident if names or singletons of two sides look as if they were exchanged.

    `singletons` are those of key and response, and `entities` those of the response.
    """
    key_named = any(map(_is_named_as_key, key.split("/")))  # the file or its folder
    if _is_named_as_key(response) and not key_named:
        found = f"a response with the name {response}"
        yield make_incident("sides-exchanged", file=response, found=found)
        return
    if singletons[0] >= FEW and entities >= FEW and not singletons[1]:
        found = f"{count_of(singletons[0], 'singleton')} in the key and none in the response"
        yield make_incident("sides-exchanged", file=response, found=found)


def _is_named_as_key(path: str) -> bool:
    """Whether the name of a file says that it is a key.

    >>> _is_named_as_key("runs/gold-dev.conll"), _is_named_as_key("gold/monkey.conll")
    (True, False)
    """
    name = path.partition("#")[0].rpartition("/")[2].lower()
    return not _NAMES_OF_KEYS.isdisjoint(re.split(r"[\W\d_]+", name))


# Documents that lost their mentions, and spans that were counted in another way.


def _without_mentions(comparison: Comparison) -> Iterator[Incident]:
    """An incident for each document that has mentions in the key only."""
    key, response = comparison.key, comparison.response
    side = comparison.response_side
    if not response.mentions:
        told = any(incident.id == "no-mention" for incident in side.incidents)  # by the reader
        if key.mentions >= FEW and not told:
            yield make_incident("no-mention", "listed", file=side.path, number=key.mentions)
        return
    expected, found = (_by_document(side.document, key) for side in (key, response))
    common = {*side.corpus.names}
    collector = Collector(side.path)
    for document in np.flatnonzero((expected >= FEW) & (found == 0)).tolist():
        if (name := key.names[document]) in common:
            wanted = f"{count_of(int(expected[document]), 'mention')}, as in the key"
            collector.note("no-mention", "document", document=name, expected=wanted)
    yield from collector


def _by_document(document: IntArray, key: Corpus) -> IntArray:
    """int64 (documents,): how many of these mentions each document has."""
    return np.bincount(document, minlength=len(key.names))


_SHIFTS = {
    (1, 1): "began and ended one {unit} later",
    (-1, -1): "began and ended one {unit} earlier",
    (0, 1): "ended one {unit} later",
    (0, -1): "ended one {unit} earlier",
    (1, 0): "began one {unit} later",
    (-1, 0): "began one {unit} earlier",
}
"""How starts and ends may be moved, and the words for it."""


def _shifted(comparison: Comparison) -> Iterator[Incident]:
    """Incidents about spans that are counted in another way."""
    key, response = comparison.key, comparison.response
    side = comparison.response_side

    def matching(start: int, end: int) -> IntArray:
        moved = replace(response, start=response.start + start, end=response.end + end)
        return _by_document(response.document[equal_mentions(key, moved).response], key)

    expected, found = (_by_document(corpus.document, key) for corpus in (key, response))
    found[_with_other_rows(comparison)] = 0
    form = format_of(side.corpus.sources[0]) if side.corpus.sources else None
    ends = form is not None and ENDS in form.options
    yield from misplaced(
        *(expected, found, matching, key.names, side.path),
        unit=key.unit,
        ends=ends,
        exact=comparison.rule == "exact",
    )


def _with_other_rows(comparison: Comparison) -> list[int]:
    """The documents of a scorer that counts zeros as tokens whose sides have other zeros.

    There, one zero more moves all mentions after it, and nobody counted in another way.
    """
    sides = comparison.key_side, comparison.response_side
    if not any(_zeros_are_tokens(side) for side in sides):
        return []
    zeros = [_zeros_by_name(side.corpus) for side in sides]
    names = comparison.key.names
    return [n for n, name in enumerate(names) if zeros[0].get(name) != zeros[1].get(name)]


def _zeros_are_tokens(side: Side) -> bool:
    """Whether a scorer has made tokens of the zeros of a side."""
    return side.written.zero is not None and side.corpus.zero is None


def _zeros_by_name(corpus: Corpus) -> dict[str, list[int]]:
    """The name of each document → the tokens before its zeros."""
    found: dict[str, list[int]] = {name: [] for name in corpus.names}
    for source in corpus.sources:
        zeros = source.zeros()
        if zeros is not None:
            for document, before in zip(*(column.tolist() for column in zeros), strict=True):
                found[corpus.names[source.first_document + document]].append(before)
    return found


def misplaced(  # noqa: PLR0913 (what it says, and about what)
    expected: IntArray,
    found: IntArray,
    matching: Callable[[int, int], IntArray],
    names: Sequence[str],
    path: str,
    *,
    unit: Unit = "token",
    ends: bool = False,
    exact: bool = True,
) -> Iterator[Incident]:
    """Incidents where few spans are equal, though most would be if their starts or ends were moved.

    Also one for each other document in which none is equal, unlike in the rest of the file, where
    only `exact` spans match. `expected` and `found` are the mentions of key and response in each
    document; `matching` counts those of the response that are equal once starts and ends are moved.
    With `ends`, users can say which ends the file has.
    """
    equal = matching(0, 0)
    doubtful = equal * 4 < found
    if found[doubtful].sum() < FEW:
        return
    unlike = (equal == 0) & (expected >= FEW) & (found >= FEW)
    for (start, end), words in _SHIFTS.items():
        fitting = matching(start, end)
        there = doubtful & (fitting * 2 > found) & (fitting > equal * 4)
        number, documents = int(fitting[there].sum()), np.flatnonzero(there)
        if number >= FEW:
            yield make_incident(
                "mentions-shifted",
                "ends" if ends and start == 0 else "",
                file=path,
                document=names[documents[0]] if len(documents) == 1 else None,
                number=number,
                how=words.format(unit=unit),
                ends="exclusive" if end < 0 else "inclusive",
                found=f"{int(equal[there].sum()):,} of {int(found[there].sum()):,} mentions match"
                + (f", in {len(documents):,} documents" if len(documents) > 1 else ""),
            )
            unlike &= ~there
            break
    if exact and equal.any():
        collector = Collector(path)
        for document in np.flatnonzero(unlike).tolist():
            none = f"{count_of(int(found[document]), 'mention')}, none of which matches"
            collector.note("mentions-unmatched", "document", document=names[document], found=none)
        yield from collector


def _read_otherwise(comparison: Comparison) -> Iterator[Incident]:
    """An incident if zeros of a text of the CRAC tasks are elsewhere in the key's CorefUD file."""
    side = comparison.response_side
    key_sources, response_sources = comparison.key_side.corpus.sources, side.corpus.sources
    if len(key_sources) != 1 or len(response_sources) != 1:
        return
    if not format_of(response_sources[0]).task_text or key_sources[0].nodes() is None:
        return
    zeros = is_zero(comparison.response)
    matched = zeros[equal_mentions(comparison.key, comparison.response).response]
    if number := int(zeros.sum() - matched.sum()):
        yield make_incident("zeros-elsewhere", file=side.path, number=number)
