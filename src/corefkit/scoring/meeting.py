"""Key and response of different formats, brought to the same documents and the same tokens."""

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from corefkit.data.corpus import Corpus
from corefkit.data.incidents import DataError, Incident, make_incident
from corefkit.data.names import pair_names
from corefkit.data.options import Options
from corefkit.data.texts import quote

if TYPE_CHECKING:
    from corefkit.formats.alignment.placing import Placed

ANSWERS = "gap-answers"
"""The format of answers, whose mentions are those of their key."""


def same_names(key: Corpus, response: Corpus, options: Options) -> tuple[Corpus, list[Incident]]:
    """The response with the names that its documents have in the key."""
    pairing = pair_names(key, response, exact=options.pair == "exact")
    found = list(pairing.incidents)
    if pairing.rewritten:
        theirs, ours = map(quote, pairing.rewritten[0])
        number = len(pairing.rewritten)
        found.append(
            make_incident(
                "names-rewritten", number=number, file=response.path, found=theirs, expected=ours
            )
        )
    if pairing.names == response.names:
        return response, found
    return replace(response, names=pairing.names), found


def in_both(key: Corpus, response: Corpus) -> list[tuple[int, int]]:
    """The documents that both have, in the order of the response: their numbers in each."""
    number = {name: i for i, name in enumerate(key.names)}
    return [(number[name], i) for i, name in enumerate(response.names) if name in number]


class Met(NamedTuple):
    """Both sides in the same unit, what was told, and how much of the key a changed text covers.

    `coverage` is None where no text had to be aligned.
    """

    key: Corpus
    response: Corpus
    incidents: list[Incident]
    coverage: float | None = None


_STANDARD = Options()
_MARKED_WORDS = ("seq2seq", "text2text")
"""Formats of words as a language model wrote them, which need not be those of the key."""


def same_unit(key: Corpus, response: Corpus, options: Options = _STANDARD) -> Met:
    """Both sides in tokens, where one of them counts characters and the other tokens.

    Where their texts differ, that of the response is aligned with the words of the key. Answers to
    a GAP file get the places of its mentions.
    """
    try:
        if any(source.format.name == ANSWERS for source in response.sources):
            from corefkit.formats.gap import place_answers

            return Met(key, place_answers(key, response), [])
        if key.unit != response.unit:
            return _in_tokens(key, response, options)
        if _needs_alignment(key, response, options):
            return _aligned(key, response, options)
    except DataError as error:
        return Met(key, response, list(error.incidents))
    return Met(key, response, [])


def _in_tokens(key: Corpus, response: Corpus, options: Options) -> Met:
    """Characters of one side, brought to the tokens of the other."""
    from corefkit.formats.characters import to_tokens

    if key.unit == "token":
        moved, found = to_tokens(response, key)
        met = Met(key, moved, found)
    else:
        moved, found = to_tokens(key, response)
        met = Met(moved, response, found)
    if options.align != "never" and any(i.id == "text-differs" for i in found):
        return _aligned(key, response, options)
    return met


def _needs_alignment(key: Corpus, response: Corpus, options: Options) -> bool:
    """Whether the texts of two corpora with the same unit differ, and are to be aligned."""
    if options.align == "never":
        return False
    marked = any(source.format.name in _MARKED_WORDS for source in response.sources)
    if key.unit == "token" and not (response.sources and (marked or options.align == "characters")):
        return False
    from corefkit.formats.characters import document_text, document_words

    both = in_both(key, response)
    if key.unit == "character":
        texts = ((document_text(key, a), document_text(response, b)) for a, b in both)
        return any(None not in (one, other) and one != other for one, other in texts)
    ours, theirs = document_words(key), document_words(response)
    return any(ours[a] != theirs[b] for a, b in both)


def place_on_tokens(key: Corpus, response: Corpus) -> "tuple[Corpus, Placed]":
    """The key in tokens, and where the mentions of the response are on them, by their texts."""
    from corefkit.formats.alignment.placing import place

    if key.unit == "character":
        from corefkit.formats.splitting import split_tokens

        key = split_tokens(key)
    return key, place(response, key)


def _aligned(key: Corpus, response: Corpus, options: Options) -> Met:
    """The response on the tokens of the key, found by an alignment of their texts."""
    key, placed = place_on_tokens(key, response)
    moved = placed.dropped() if options.unaligned == "drop" else placed.corpus
    return Met(key, moved, placed.incidents, placed.coverage)
