"""What one system does differently from another: transitions of outcomes on the error page."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from corefkit.core.texts import close_up
from corefkit.render.outcomes import WORDS
from corefkit.render.pages.report.system_errors import cut
from corefkit.scoring.listing import KINDS, Listing, MentionOutcomes, Transitions

_WORDS = {**WORDS, "": "nothing"}
"""Outcomes in words; "nothing" where a mention does not count for a system."""

MOST_TEXT = 100
"""Longer mentions are cut to so many characters."""


def changes_data(listing: Listing, unspaced: frozenset[int]) -> dict[str, Any]:
    """The mentions as columns, the outcome of each by score and system, the kinds of transitions.

    In `unspaced` documents there are no blanks between words.

    Outcomes and classes are numbers of the lists that stand with them. `kinds` has a character for
    each mention and pair of systems, the number of a kind, or "-" where it counts for neither.
    """
    classes, class_codes = _coded(listing.classes)
    systems = list(listing.outcomes)
    return {
        "words": _WORDS,
        "kinds": list(KINDS),
        "classes": classes,
        "mentions": {
            "document": listing.document.tolist(),
            "sentence": listing.sentence.tolist(),
            "start": listing.start.tolist(),
            "end": listing.end.tolist(),
            "text": [
                cut(close_up(text) if document in unspaced else text, MOST_TEXT)
                for document, text in zip(listing.document.tolist(), listing.texts, strict=True)
            ],
            "class": class_codes,
        },
        "scores": {score: _score(listing, score, systems) for score in listing.scores},
    }


def _score(listing: Listing, score: str, systems: Sequence[str]) -> dict[str, Any]:
    """What each system makes of each mention under one score, and how each two differ."""
    by_system: list[MentionOutcomes] = [listing.outcomes[system][score] for system in systems]
    outcomes, codes = _coded([outcome for one in by_system for outcome in one.outcome])
    size = len(listing)
    return {
        "outcomes": outcomes,
        "outcome": [codes[i * size : (i + 1) * size] for i in range(len(by_system))],
        "expected": by_system[0].expected.tolist(),
        "found": [one.found.tolist() for one in by_system],
        "kinds": {
            f"{a} {b}": _change_kinds(Transitions(listing, score, systems[a], systems[b]))
            for a, b in combinations(range(len(systems)), 2)
        },
    }


def _change_kinds(transitions: Transitions) -> str:
    number = {kind: str(place) for place, kind in enumerate(KINDS)}
    pairs = zip(transitions.kinds, transitions.steps, strict=True)
    return "".join(number[kind] if step else "-" for kind, step in pairs)


def _coded(values: Sequence[str]) -> tuple[list[str], list[int]]:
    """The different values, sorted, and the number of each value among them."""
    different = sorted(set(values))
    number = {value: place for place, value in enumerate(different)}
    return different, [number[value] for value in values]
