"""The clusters of one JSON document as arrays, and what is wrong with them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from corefkit.data.arrays import IntArray
from corefkit.formats.jsonlines.layout import Layout, ShapeError


@dataclass(frozen=True, eq=False)
class Spans:
    """Mentions of one document as they are written, cluster by cluster.

    Attributes:
        sizes: the sizes of the clusters that are not empty.
        labels: their places in the list.
        start, end: int64 (mentions,), both included, in tokens or characters of the document.
        numbers: int64 (mentions, 2 or 3), as written.
    """

    sizes: list[int]
    labels: list[int]
    start: IntArray
    end: IntArray
    numbers: IntArray

    @cached_property
    def _begins(self) -> IntArray:
        """The mention at which each cluster begins, and how many there are."""
        return np.cumsum([0, *self.sizes])

    def path(self, mention: int) -> tuple[int, int]:
        """The place of the cluster of a mention, and its place in the cluster."""
        at = self._begins
        cluster = int(np.searchsorted(at, mention, side="right")) - 1
        return self.labels[cluster], mention - int(at[cluster])


def find_spans(clusters: Any, name: str, layout: Layout, *, exclusive: bool) -> Spans:
    """The spans of a document; ShapeError where they are no lists of numbers."""
    if not isinstance(clusters, list):
        raise ShapeError(f"$.{name}", "a list of clusters", clusters)
    width = 2 if layout.offset is None else 3
    try:
        mentions = list(chain.from_iterable(clusters))
        numbers = np.array(mentions if mentions else np.zeros((0, width), dtype=np.int64))
    except (TypeError, ValueError):
        numbers = np.zeros(0)
    if numbers.dtype != np.int64 or numbers.shape[1:] != (width,):
        raise _fault(clusters, name, width)
    sizes = [len(cluster) for cluster in clusters]
    start, end = numbers[:, -2].copy(), numbers[:, -1] - exclusive
    if layout.offset is not None:
        start, end = _in_document(numbers[:, 0], start, end, layout)
    elif layout.pieces is not None:
        start, end = _of_words(start, end, layout.pieces)
    labels = [place for place, size in enumerate(sizes) if size]
    return Spans([size for size in sizes if size], labels, start, end, numbers)


def _in_document(
    sentence: IntArray, start: IntArray, end: IntArray, layout: Layout
) -> tuple[IntArray, IntArray]:
    """Spans counted in a sentence; what is outside of it goes beyond the document."""
    begin = np.array([*(layout.offset or ()), 0], dtype=np.int64)
    length = np.array([*layout.lengths, -1], dtype=np.int64)
    known = (sentence >= 0) & (sentence < len(length) - 1)
    number = np.where(known, sentence, len(length) - 1)
    outside = (start < 0) | (end >= length[number])
    beyond = layout.units
    return (
        np.where(outside, beyond, start + begin[number]),
        np.where(outside, beyond + np.maximum(end - start, 0), end + begin[number]),
    )


def _of_words(start: IntArray, end: IntArray, pieces: Sequence[int]) -> tuple[IntArray, IntArray]:
    """Spans of pieces as spans of words; what is outside stays outside."""
    word = np.array([*pieces, 0], dtype=np.int64)
    outside = (start < 0) | (end >= len(pieces)) | (end < start)
    a, b = (np.where(outside, len(pieces), x) for x in (start, end))
    size = int(word.max(initial=-1)) + 1
    return np.where(outside, size, word[a]), np.where(outside, size, word[b])


def _fault(clusters: list[Any], name: str, width: int) -> ShapeError:
    """The first part of a document that has the wrong shape."""
    span = "a span, [start, end]" if width == 2 else "a span, [sentence, start, end]"
    for i, cluster in enumerate(clusters):
        if not isinstance(cluster, list):
            return ShapeError(f"$.{name}[{i}]", "a list of spans", cluster)
        for j, mention in enumerate(cluster):
            good = isinstance(mention, (list, tuple)) and len(mention) == width
            if not good or not all(type(n) is int and abs(n) < 1 << 62 for n in mention):
                return ShapeError(f"$.{name}[{i}][{j}]", span, mention)
    return ShapeError(f"$.{name}", "a list of clusters of spans", None)


def texts_of(
    row: dict[str, Any], fields: Sequence[str], clusters: Any
) -> Iterator[tuple[int, str]]:
    """The number of a mention and its text as the file repeats it, where it does."""
    texts = next((row[name] for name in fields if isinstance(row.get(name), list)), None)
    if texts is None or len(texts) != len(clusters):
        return
    number = 0
    for cluster, repeated in zip(clusters, texts, strict=True):
        if isinstance(repeated, list) and len(repeated) == len(cluster):
            for place, text in enumerate(repeated):
                if isinstance(text, str):
                    yield number + place, text
        number += len(cluster)
