"""Cross-document coreference the slow and obvious way: files put end to end, links one by one.

A side is {document: {id: spans}}; an id holds over documents.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

Span = tuple[int, int]
Side = Mapping[str, Mapping[str, Sequence[Span]]]

FAR = 1000
"""More tokens than any document has."""


def concatenated(side: Side, group: Callable[[str], str]) -> dict[str, list[list[Span]]]:
    """The documents of each group as one, the tokens of the next after those of the one before."""
    made: dict[str, dict[str, list[Span]]] = {}
    for place, (name, entities) in enumerate(side.items()):
        whole = made.setdefault(group(name), {})
        for label, spans in entities.items():
            moved = [(start + FAR * place, end + FAR * place) for start, end in spans]
            whole.setdefault(label, []).extend(moved)
    return {name: list(entities.values()) for name, entities in made.items()}


def count_links(key: Side, response: Side, topic: Callable[[str], str]) -> dict[str, list[int]]:
    """For each reach the links of the key, of the response, and those that both have."""
    sides = [_links(side) for side in (key, response)]
    numbers: dict[str, Counter[int]] = {r: Counter() for r in ("document", "topic", "corpus")}
    for link in sides[0] | sides[1]:
        one, other = (document for document, _ in link)
        reach = "corpus"
        if one == other:
            reach = "document"
        elif topic(one) == topic(other):
            reach = "topic"
        held = [link in side for side in sides]
        numbers[reach].update(n for n, holds in enumerate([*held, all(held)]) if holds)
    return {reach: [count[n] for n in range(3)] for reach, count in numbers.items()}


def _links(side: Side) -> set[frozenset[tuple[str, Span]] | tuple[tuple[str, Span], ...]]:
    mentions: dict[str, list[tuple[str, Span]]] = {}
    for name, entities in side.items():
        for label, spans in entities.items():
            mentions.setdefault(label, []).extend((name, span) for span in spans)
    return {tuple(sorted(link)) for entity in mentions.values() for link in combinations(entity, 2)}
