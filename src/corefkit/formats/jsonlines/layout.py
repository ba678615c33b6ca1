"""The JSON dialects of systems as data: where documents have their tokens and clusters."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate, chain
from typing import Any

from corefkit.core.carriers import frozen
from corefkit.core.columns import run_lengths
from corefkit.core.names import GENRES, join_name
from corefkit.formats.kit.json import ShapeError, field_of

_SPECIAL = frozenset({"[CLS]", "[SEP]", "[PAD]", "<s>", "</s>", "<pad>", "<cls>", "<sep>"})


@frozen
class Layout:
    """The tokens of a document.

    Attributes:
        words: its words; None if it counts characters, or if they are unknown.
        lengths: the lengths of its sentences, in tokens; None if they are unknown.
        offset: the first token of each sentence, if spans count in their sentences.
        pieces: the token of each sub-token, if spans count sub-tokens.
        text: the text, if spans count characters.
        speakers: one per token; None if there are none.
        size: how many tokens there are, if words are unknown; −1 if that is unknown, too.
    """

    words: Sequence[str] | None
    lengths: Sequence[int] | None
    offset: Sequence[int] | None = None
    pieces: Sequence[int] | None = None
    text: str | None = None
    speakers: Sequence[str] | None = None
    size: int = -1

    @property
    def units(self) -> int:
        """How many tokens, or characters, there are; −1 if that is unknown."""
        units = self.words if self.text is None else self.text
        return self.size if units is None else len(units)

    def place(self, numbers: Sequence[int], *, exclusive: bool) -> tuple[int, int]:
        """The first and the last unit of a span; it ends after the document if it is outside."""
        start, end = numbers[-2], numbers[-1] - exclusive
        if self.offset is not None and self.lengths is not None:
            number = numbers[0]
            if not 0 <= number < len(self.lengths) or start < 0 or end >= self.lengths[number]:
                return self.units, self.units + max(end - start, 0)
            return self.offset[number] + start, self.offset[number] + end
        if self.pieces is not None:
            if not 0 <= start <= end < len(self.pieces):
                return self.units, self.units
            return self.pieces[start], self.pieces[end]
        return start, end


def nowhere(row: dict[str, Any]) -> Layout:
    """The layout of a document whose words are elsewhere."""
    del row
    return Layout(None, None)


def by_sentences(row: dict[str, Any]) -> Layout:
    """The layout of a list of sentences, each a list of words."""
    sentences = _lists(row, "sentences")
    speakers = _speakers(row.get("speakers"), sum(map(len, sentences)))
    return Layout(_words_of(sentences), [*map(len, sentences)], speakers=speakers)


def by_tokens(row: dict[str, Any], name: str) -> Layout:
    """The layout of a list of words, or of several such lists, in which spans count separately."""
    words = field_of(row, name, list, expected="a list of words")
    if words and isinstance(words[0], list):
        return _counted_in_parts(_lists(row, name))
    return Layout(_words_of([words]), [len(words)])


def by_text(row: dict[str, Any]) -> Layout:
    """The layout of a running text, or of a list of its words."""
    text = row.get("text")
    if isinstance(text, str):
        return Layout(None, None, text=text)
    return by_tokens(row, "text")


def of_wl_coref(row: dict[str, Any]) -> Layout:
    """The layout of words with the number of the sentence of each."""
    words = field_of(row, "cased_words", list, expected="a list of words")
    number = row.get("sent_id")
    lengths = [len(words)]
    if isinstance(number, list) and len(number) == len(words):
        lengths = run_lengths(number)
    speakers = _speakers([row.get("speaker")], len(words))
    return Layout(_words_of([words]), lengths, speakers=speakers)


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
    numbers = field_of(row, "subtoken_map", list, expected="a list of whole numbers")
    number = piece_map(numbers, "$.subtoken_map")
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
    return Layout(_joined(pieces, number, size), lengths, pieces=number)


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


def _words_of(parts: Sequence[Sequence[Any]]) -> list[str]:
    return [*map(str, chain.from_iterable(parts))]


def _counted_in_parts(parts: Sequence[Sequence[Any]]) -> Layout:
    """The layout of sentences or documents in each of which spans count from 0."""
    lengths = [len(part) for part in parts]
    return Layout(_words_of(parts), lengths, offset=[0, *accumulate(lengths)][:-1])


def _speakers(value: Any, size: int) -> list[str] | None:
    """One speaker per token, from lists per sentence; None if they do not fit the tokens."""
    if not isinstance(value, list) or not all(isinstance(part, list) for part in value):
        return None
    if sum(map(len, value)) != size:
        return None
    return [str(speaker or "-") for speaker in chain.from_iterable(value)]


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


def texts_of(
    row: dict[str, Any], fields: Sequence[str], clusters: Any
) -> Iterator[tuple[int, str]]:
    """The number and the text of each mention whose text the file repeats."""
    texts = next((row[name] for name in fields if isinstance(row.get(name), list)), None)
    listed = [*clusters.values()] if isinstance(clusters, dict) else clusters
    if texts is None or not isinstance(listed, list) or len(texts) != len(listed):
        return
    number = 0
    for cluster, repeated in zip(listed, texts, strict=True):
        if not isinstance(cluster, list | tuple):
            return
        if isinstance(repeated, list) and len(repeated) == len(cluster):
            for index, text in enumerate(repeated):
                if isinstance(text, str):
                    yield number + index, text
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

BARE = Dialect("links", nowhere, ())
"""Clusters and nothing that could hold their words, read where users name their field."""
