"""Layout: where the tokens of one JSON document are, whatever the dialect."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain
from typing import Any

from corefkit.data.tokens import run_lengths

_SPECIAL = frozenset({"[CLS]", "[SEP]", "[PAD]", "<s>", "</s>", "<pad>", "<cls>", "<sep>"})


class ShapeError(Exception):
    """A part of a document is not what it should be: its path, and what it should be."""

    def __init__(self, path: str, expected: str, found: Any = None) -> None:
        super().__init__(path, expected)
        self.path, self.expected, self.found = path, expected, found


@dataclass(frozen=True)
class Layout:
    """The tokens of a document.

    Attributes:
        lengths: the lengths of its sentences, in tokens.
        words: makes the list of its words.
        offset: for spans that count in a sentence, the token at which each sentence begins.
        pieces: for spans of pieces, the token of each piece.
        text: the text, where spans count characters.
        speakers: makes the list of speakers, one a token; None where there are none.
        size: how many tokens there are, where no lengths tell it.
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


def field_of(row: Any, name: str, kind: type, path: str = "$", expected: str = "") -> Any:
    """A field of an object that must be of a kind; ShapeError where it is not."""
    value = row.get(name) if isinstance(row, dict) else None
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ShapeError(f"{path}.{name}", expected or f"a {kind.__name__}", value)
    return value


def by_sentences(row: dict[str, Any]) -> Layout:
    """Sentences of words."""
    sentences = _lists(row, "sentences")
    speakers = _speakers(row.get("speakers"), sum(map(len, sentences)))
    return Layout([*map(len, sentences)], _words_of(sentences), speakers=speakers)


def by_tokens(row: dict[str, Any], name: str) -> Layout:
    """One list of words; of several documents, one list each."""
    words = field_of(row, name, list, expected="a list of words")
    if words and isinstance(words[0], list):
        return _counted_in_parts(_lists(row, name))
    return Layout([len(words)], _words_of([words]))


def by_text(row: dict[str, Any]) -> Layout:
    """Running text, or a list of its words."""
    text = row.get("text")
    if isinstance(text, str):
        return Layout([], list, text=text)
    return by_tokens(row, "text")


def of_wl_coref(row: dict[str, Any]) -> Layout:
    """Words, with the number of the sentence of each."""
    words = field_of(row, "cased_words", list, expected="a list of words")
    number = row.get("sent_id")
    lengths = [len(words)]
    if isinstance(number, list) and len(number) == len(words):
        lengths = run_lengths(number)
    speakers = _speakers([row.get("speaker")], len(words))
    return Layout(lengths, _words_of([words]), speakers=speakers)


def of_preco(row: dict[str, Any]) -> Layout:
    """Sentences of words; one of a single blank separates paragraphs and has no token."""
    return _counted_in_parts([[] if s == [" "] else s for s in _lists(row, "sentences")])


def of_indiscrim(row: dict[str, Any]) -> Layout:
    """Sentences of token objects, or of words."""
    sentences = field_of(row, "sentences", list, expected="a list of sentences")
    tokens: list[list[Any]] = []
    for number, sentence in enumerate(sentences):
        listed = sentence.get("tokens") if isinstance(sentence, dict) else sentence
        if not isinstance(listed, list):
            raise ShapeError(f"$.sentences[{number}]", "a list of tokens", listed)
        tokens.append(listed)
    speakers = None
    if sentences and all(isinstance(s, dict) and s.get("speaker") for s in sentences):
        said = [[s["speaker"]] * len(own) for s, own in zip(sentences, tokens, strict=True)]
        speakers = _speakers(said, sum(map(len, tokens)))
    texts = [[t.get("text", "") if isinstance(t, dict) else t for t in own] for own in tokens]
    return replace(_counted_in_parts(texts), speakers=speakers)


def of_pieces(row: dict[str, Any]) -> Layout:
    """Segments of pieces of words, and which word each belongs to."""
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
    """The token of each piece: whole numbers from 0 that never go down."""
    if not isinstance(numbers, list) or not all(type(n) is int for n in numbers):
        raise ShapeError(path, "a list of whole numbers", numbers)
    if numbers and (min(numbers) < 0 or max(numbers) > len(numbers)):
        raise ShapeError(path, "numbers of words, from 0", max(numbers))
    return numbers


def _joined(pieces: Sequence[str], number: Sequence[int], size: int) -> list[str]:
    """The words that pieces make; special pieces carry the number of a neighbour."""
    words = [""] * size
    for piece, word in zip(pieces, number, strict=True):
        if piece not in _SPECIAL:
            words[word] += piece.removeprefix("##").removeprefix("▁").removeprefix("Ġ")
    return words


def _lists(row: dict[str, Any], name: str) -> list[list[Any]]:
    lists: list[list[Any]] = field_of(row, name, list, expected="a list of lists of words")
    for number, part in enumerate(lists):
        if not isinstance(part, list):
            raise ShapeError(f"$.{name}[{number}]", "a list of words", part)
    return lists


def _words_of(parts: Sequence[Sequence[Any]]) -> Callable[[], list[str]]:
    return lambda: [str(word) for part in parts for word in part]


def _counted_in_parts(parts: Sequence[Sequence[Any]]) -> Layout:
    """Words by sentence or document, each of which counts its own."""
    lengths = [len(part) for part in parts]
    return Layout(lengths, _words_of(parts), offset=[0, *accumulate(lengths)][:-1])


def _speakers(value: Any, size: int) -> Callable[[], list[str]] | None:
    """One speaker a token, from lists by sentence; None where they do not fit the tokens."""
    if not isinstance(value, list) or not all(isinstance(part, list) for part in value):
        return None
    if sum(map(len, value)) != size:
        return None
    return lambda: [str(speaker or "-") for speaker in chain.from_iterable(value)]
