"""The JSON dialects of systems as data: where documents have their tokens and clusters."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import accumulate, chain
from typing import Any

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.carriers import frozen
from corefkit.core.columns import run_lengths
from corefkit.core.names import GENRES, join_name
from corefkit.formats.kit.json import ShapeError, field_of

_SPECIAL = frozenset({"[CLS]", "[SEP]", "[PAD]", "<s>", "</s>", "<pad>", "<cls>", "<sep>"})


@frozen
class Layout:
    """The tokens of a document.

    Attributes:
        lengths: the lengths of its sentences, in tokens.
        words: a function that returns the list of its words.
        offset: the first token of each sentence, if spans count in their sentences.
        pieces: the token of each sub-token, if spans count sub-tokens.
        text: the text, if spans count characters.
        speakers: a function that returns the list of speakers, one per token; None if there are
            none.
        size: how many tokens there are, if no lengths are given.
    """

    lengths: Sequence[int]
    words: Callable[[], list[str]]
    offset: Sequence[int] | None = None
    pieces: Sequence[int] | None = None
    text: str | None = None
    speakers: Callable[[], list[str]] | None = None
    size: int = -1

    @property
    def units(self) -> int:
        """How many tokens, or characters, there are."""
        if self.size >= 0:
            return self.size
        return len(self.text) if self.text is not None else sum(self.lengths)


def by_sentences(row: dict[str, Any]) -> Layout:
    """The layout of a list of sentences, each a list of words."""
    sentences = _lists(row, "sentences")
    speakers = _speakers(row.get("speakers"), sum(map(len, sentences)))
    return Layout([*map(len, sentences)], _words_of(sentences), speakers=speakers)


def by_tokens(row: dict[str, Any], name: str) -> Layout:
    """The layout of a list of words, or of several such lists, in which spans count separately."""
    words = field_of(row, name, list, expected="a list of words")
    if words and isinstance(words[0], list):
        return _counted_in_parts(_lists(row, name))
    return Layout([len(words)], _words_of([words]))


def by_text(row: dict[str, Any]) -> Layout:
    """The layout of a running text, or of a list of its words."""
    text = row.get("text")
    if isinstance(text, str):
        return Layout([], list, text=text)
    return by_tokens(row, "text")


def of_wl_coref(row: dict[str, Any]) -> Layout:
    """The layout of words with the number of the sentence of each."""
    words = field_of(row, "cased_words", list, expected="a list of words")
    number = row.get("sent_id")
    lengths = [len(words)]
    if isinstance(number, list) and len(number) == len(words):
        lengths = run_lengths(number)
    speakers = _speakers([row.get("speaker")], len(words))
    return Layout(lengths, _words_of([words]), speakers=speakers)


def of_preco(row: dict[str, Any]) -> Layout:
    """The layout of sentences; one of a single blank separates paragraphs and has no tokens."""
    return _counted_in_parts([[] if s == [" "] else s for s in _lists(row, "sentences")])


def of_indiscrim(row: dict[str, Any]) -> Layout:
    """The layout of sentences of token objects, or of words."""
    sentences = field_of(row, "sentences", list, expected="a list of sentences")
    tokens: list[list[Any]] = []
    for number, sentence in enumerate(sentences):
        listed = sentence.get("tokens") if isinstance(sentence, dict) else sentence
        if not isinstance(listed, list):
            raise ShapeError(f"$.sentences[{number}]", "a list of tokens", listed)
        tokens.append(listed)
    speakers = None
    if sentences and all(isinstance(s, dict) and s.get("speaker") for s in sentences):
        by_token = [[s["speaker"]] * len(words) for s, words in zip(sentences, tokens, strict=True)]
        speakers = _speakers(by_token, sum(map(len, tokens)))
    texts = [[t.get("text", "") if isinstance(t, dict) else t for t in words] for words in tokens]
    return replace(_counted_in_parts(texts), speakers=speakers)


def of_pieces(row: dict[str, Any]) -> Layout:
    """The layout of segments of sub-tokens with a map from sub-tokens to words."""
    pieces = [str(piece) for segment in _lists(row, "sentences") for piece in segment]
    number = piece_map(row.get("subtoken_map"), "$.subtoken_map")
    if len(number) != len(pieces):
        raise ShapeError("$.subtoken_map", f"{len(pieces)} numbers, as many as pieces", len(number))
    size = max(number, default=-1) + 1
    sentence_map = row.get("sentence_map")
    lengths = [size]
    if isinstance(sentence_map, list) and len(sentence_map) == len(pieces):
        sentence_of: dict[int, Any] = {}
        for piece, word, sentence in zip(pieces, number, sentence_map, strict=True):
            if piece not in _SPECIAL:
                sentence_of.setdefault(word, sentence)
        lengths = run_lengths([sentence_of.get(word) for word in range(size)])
    return Layout(lengths, lambda: _joined(pieces, number, size), pieces=number)


def piece_map(numbers: Any, path: str) -> list[int]:
    """The token of each sub-token: whole numbers from 0; ShapeError for anything else."""
    if not isinstance(numbers, list) or not all(type(n) is int for n in numbers):
        raise ShapeError(path, "a list of whole numbers", numbers)
    if numbers and (min(numbers) < 0 or max(numbers) > len(numbers)):
        raise ShapeError(path, "numbers of words, from 0", max(numbers))
    return numbers


def _joined(pieces: Sequence[str], number: Sequence[int], size: int) -> list[str]:
    """The words that sub-tokens make, without special ones, which have a neighbour's number."""
    words = [""] * size
    for piece, word in zip(pieces, number, strict=True):
        if piece not in _SPECIAL:
            words[word] += piece.removeprefix("##").removeprefix("▁").removeprefix("Ġ")
    return words


def _lists(row: dict[str, Any], name: str) -> list[list[Any]]:
    """A field that must be a list of lists; ShapeError if it is not."""
    lists: list[list[Any]] = field_of(row, name, list, expected="a list of lists of words")
    for number, part in enumerate(lists):
        if not isinstance(part, list):
            raise ShapeError(f"$.{name}[{number}]", "a list of words", part)
    return lists


def _words_of(parts: Sequence[Sequence[Any]]) -> Callable[[], list[str]]:
    return lambda: [str(word) for part in parts for word in part]


def _counted_in_parts(parts: Sequence[Sequence[Any]]) -> Layout:
    """The layout of sentences or documents in each of which spans count from 0."""
    lengths = [len(part) for part in parts]
    return Layout(lengths, _words_of(parts), offset=[0, *accumulate(lengths)][:-1])


def _speakers(value: Any, size: int) -> Callable[[], list[str]] | None:
    """A function that returns one speaker per token, from lists per sentence.

    None if they do not fit the number of tokens.
    """
    if not isinstance(value, list) or not all(isinstance(part, list) for part in value):
        return None
    if sum(map(len, value)) != size:
        return None
    return lambda: [str(speaker or "-") for speaker in chain.from_iterable(value)]


_WORDS = {"e2e": "sentences", "lingmess": "tokens", "fastcoref": "text"}
"""The field with the words of dialects for which it may have another name."""


def with_words(row: dict[str, Any], dialect: "Dialect") -> dict[str, Any]:
    """The row; if the usual field for words is missing, with the words of a likely other one."""
    usual = _WORDS.get(dialect.name)
    if usual is None or row.get(usual) is not None:
        return row
    from corefkit.formats.jsonlines.unknown import words_field

    field = words_field(row, dialect.name)
    return row if field is None else {**row, usual: row[field]}


@frozen(eq=False)
class JsonSpans:
    """The mentions of one document, cluster by cluster.

    Attributes:
        sizes: the sizes of the clusters that are not empty.
        labels: the ids of these, or else their indices in the list.
        start, end: int64 (mentions,), both included, in tokens or characters of the document.
        numbers: int64 (mentions, 2 or 3), the numbers in the file.
    """

    sizes: list[int]
    labels: Sequence[int | str]
    start: IntArray
    end: IntArray
    numbers: IntArray

    @cached_property
    def _begins(self) -> IntArray:
        """int64 (clusters + 1,): the first mention of each cluster, and the number of mentions."""
        return np.cumsum([0, *self.sizes])

    def path(self, mention: int) -> tuple[int | str, int]:
        """The label of the cluster of a mention, and the index of the mention in the cluster."""
        cluster = int(np.searchsorted(self._begins, mention, side="right")) - 1
        return self.labels[cluster], mention - int(self._begins[cluster])


def find_spans(clusters: Any, name: str, layout: Layout, *, exclusive: bool) -> JsonSpans:
    """The spans of a document; ShapeError if they are not lists of numbers.

    Clusters are a list, or an object with ids as keys.
    """
    ids: Sequence[int | str] | None = None
    if isinstance(clusters, dict):
        ids, clusters = list(clusters), list(clusters.values())
    if not isinstance(clusters, list):
        raise ShapeError(f"$.{name}", "a list of clusters", clusters)
    width = 2 if layout.offset is None else 3
    try:
        mentions = list(chain.from_iterable(clusters))
        numbers = np.array(mentions if mentions else np.zeros((0, width), dtype=np.int64))
    except (TypeError, ValueError):
        numbers = np.zeros(0)
    malformed = numbers.dtype.kind != "i" or numbers.shape[1:] != (width,)
    if malformed or bool in set(map(type, chain.from_iterable(mentions))):  # numpy: true is 1
        raise _shape_error(clusters, name, width)
    numbers = numbers.astype(np.int64, copy=False)
    sizes = [len(cluster) for cluster in clusters]
    start, end = numbers[:, -2].copy(), numbers[:, -1] - exclusive
    if layout.offset is not None:
        start, end = _in_document(numbers[:, 0], start, end, layout)
    elif layout.pieces is not None:
        start, end = _of_words(start, end, layout.pieces)
    labels = [label for label, size in zip(ids or range(len(sizes)), sizes, strict=True) if size]
    return JsonSpans([size for size in sizes if size], labels, start, end, numbers)


def _in_document(
    sentence: IntArray, start: IntArray, end: IntArray, layout: Layout
) -> tuple[IntArray, IntArray]:
    """Spans of sentences as spans of the document; those outside end after the document."""
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
    """Spans of sub-tokens as spans of words; those outside of the document stay outside."""
    word = np.array([*pieces, 0], dtype=np.int64)
    outside = (start < 0) | (end >= len(pieces)) | (end < start)
    a, b = (np.where(outside, len(pieces), x) for x in (start, end))
    size = int(word.max(initial=-1)) + 1
    return np.where(outside, size, word[a]), np.where(outside, size, word[b])


def _shape_error(clusters: list[Any], name: str, width: int) -> ShapeError:
    """The error for the first part of the clusters that has the wrong shape."""
    span = "a span, [start, end]" if width == 2 else "a span, [sentence, start, end]"
    for i, cluster in enumerate(clusters):
        if not isinstance(cluster, list):
            return ShapeError(f"$.{name}[{i}]", "a list of spans", cluster)
        for j, mention in enumerate(cluster):
            fits = isinstance(mention, (list, tuple)) and len(mention) == width
            if not fits or not all(type(n) is int and abs(n) < 1 << 62 for n in mention):
                return ShapeError(f"$.{name}[{i}][{j}]", span, mention)
    return ShapeError(f"$.{name}", "a list of clusters of spans", None)


def texts_of(
    row: dict[str, Any], fields: Sequence[str], clusters: Any
) -> Iterator[tuple[int, str]]:
    """The number and the text of each mention whose text the file repeats."""
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


@frozen
class Dialect:
    """A JSON dialect.

    Attributes:
        name: its name in options.
        lay_out: finds the tokens of a document.
        clusters: the fields that may hold clusters; the first that is present counts.
        predicted: the fields that are tried before these in a response.
        exclusive: whether the end of a span is the first token after it.
        named: the field with the name of the document.
        texts: fields that repeat the texts of mentions.
        repeats: fields that repeat the clusters, e.g. in other units.
    """

    name: str
    lay_out: Callable[[dict[str, Any]], Layout]
    clusters: tuple[str, ...] = ("clusters",)
    predicted: tuple[str, ...] = ()
    exclusive: bool = False
    named: str = "doc_key"
    texts: tuple[str, ...] = ()
    repeats: tuple[str, ...] = ()

    def document_name(self, row: dict[str, Any]) -> str | None:
        """The name of the document; None if it has none."""
        name = row.get(self.named)
        if name is None or isinstance(name, (list, dict)) or str(name).strip() in {"", *GENRES}:
            return None
        if self.name == "wl-coref" and type(row.get("part_id")) is int:
            return join_name(name, f"{row['part_id']:03}")
        return str(name).strip()


_PREDICTED = ("predicted_clusters",)
_EITHER = ("clusters", "predicted_clusters")

DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect
    for dialect in (
        Dialect("e2e", by_sentences, _EITHER, _PREDICTED),
        Dialect("subtoken", of_pieces, _EITHER, _PREDICTED),
        Dialect(
            "wl-coref",
            of_wl_coref,
            ("span_clusters", "clusters"),
            exclusive=True,
            named="document_id",
        ),
        Dialect("lingmess", partial(by_tokens, name="tokens"), _EITHER, _PREDICTED),
        Dialect("fastcoref", by_text, exclusive=True, texts=("clusters_strings",)),
        Dialect(
            "maverick",
            partial(by_tokens, name="tokens"),
            ("clusters_token_offsets",),
            named="doc_id",
            texts=("clusters_token_text", "clusters_text_mentions"),
            repeats=("clusters_char_offsets",),
        ),
        Dialect("spacy", by_sentences, exclusive=True),
        Dialect("allennlp", partial(by_tokens, name="document")),
        Dialect("preco", of_preco, ("mention_clusters",), exclusive=True, named="id"),
        Dialect("indiscrim", of_indiscrim, ("coref_chains",), named="id"),
    )
}
"""The dialects by name; `s2e-predictions`, where documents are keys, has its own reader."""
