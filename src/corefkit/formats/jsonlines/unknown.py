"""What is in JSON of no known dialect, which is read where users name the field of the clusters.

{"words": ["Ada", "fed", "her"], "chains": [[[0, 0], [2, 2]]]}

Its words are guessed: the field with enough of them for the clusters.
"""

from typing import Any


def clusters_field(row: dict[str, Any]) -> str | None:
    """The field that has the shape of clusters: a list of non-empty lists of pairs of integers.

    The gold that a system's file carries along is named only if there is nothing else.
    """
    found = [name for name, value in row.items() if is_clusters(value)]
    return min(found, key=lambda name: "gold" in name.lower(), default=None)


def is_clusters(value: Any) -> bool:
    """Whether a value is a list of non-empty lists of pairs or triples of integers, not empty."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(cluster, list) and cluster for cluster in value)
        and all(_is_pair(mention) for cluster in value for mention in cluster)
    )


def _is_pair(mention: Any) -> bool:
    return (
        isinstance(mention, list)
        and 2 <= len(mention) <= 3
        and all(type(n) is int for n in mention)
    )


def format_for(row: dict[str, Any], clusters: str) -> str | None:
    """The format in which the clusters of a field can be read, by the words or else the text.

    >>> format_for({"w": ["Ada", "fed", "her"], "c": [[[0, 0], [2, 2]]]}, "c")
    'lingmess'
    """
    value: Any = row.get(clusters)
    numbers = (n for cluster in value for m in cluster for n in m) if is_clusters(value) else ()
    largest = max(numbers, default=-1)
    long_enough = [(size, form) for form, size in _words(row).values() if size > largest]
    if long_enough:
        return max(long_enough, key=lambda item: item[0])[1]
    texts = (value for value in row.values() if isinstance(value, str))
    return "fastcoref" if any(len(text) >= largest for text in texts) else None


def _words(row: dict[str, Any]) -> dict[str, tuple[str, int]]:
    """The fields that hold words: name → (format with such a field, number of words)."""
    fields = {}
    for name, value in row.items():
        if not isinstance(value, list) or not value:
            continue
        if all(isinstance(word, str) for word in value):
            fields[name] = "lingmess", len(value)
        elif all(isinstance(s, list) and all(isinstance(w, str) for w in s) for s in value):
            fields[name] = "e2e", sum(map(len, value))
    return fields


def words_field(row: dict[str, Any], form: str) -> str | None:
    """The field with the most words, or with the longest text, in the shape of a JSON format."""
    if form == "fastcoref":
        texts = {name: len(value) for name, value in row.items() if isinstance(value, str)}
    else:
        texts = {name: size for name, (kind, size) in _words(row).items() if kind == form}
    return max(texts, key=texts.__getitem__) if texts else None
