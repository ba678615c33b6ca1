"""Where the words of a text belong in the CorefUD file: words aligned, empty nodes placed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from corefkit.data.edits import align
from corefkit.formats.conllu.marked import MarkedDocument, Repairs
from corefkit.formats.conllu.nodes import Nodes
from corefkit.formats.empty_words import EMPTY_NODE

BEFORE = -(1 << 20)
"""Added to the number of a new empty node before the first word of its document."""


class NodePlace(NamedTuple):
    """A node of the file and 0; or the node before a new empty node, and its number from 1.

    Before the first word of a document it is that word, and the number is counted from `BEFORE`.
    """

    node: int
    number: int = 0


@dataclass
class Placed:
    """A document of the text on the nodes of the file.

    Attributes:
        text: the document as the text has it.
        place: for each of its words the node, or None where the file has none.
        order: all nodes of the document in the order of the text.
        sentence: for each of these its block.
        made: the new empty nodes, each with its form and the word before it (−1: none).
    """

    text: MarkedDocument
    place: list[NodePlace | None]
    order: list[NodePlace]
    sentence: list[int]
    made: dict[NodePlace, tuple[str, int]]

    def between(self, first: int, last: int) -> Iterator[NodePlace]:
        """The nodes of a sentence from one place in the order to another.

        New empty nodes at its end may stand behind those that begin the next one.
        """
        own = self.sentence[first]
        for at in range(first, last + 1):
            if self.sentence[at] == own:
                yield self.order[at]


def place(
    text: MarkedDocument, nodes: Nodes, order: Sequence[int], forms: Sequence[str], repairs: Repairs
) -> Placed | None:
    """The document on its nodes, `order` and `forms` being those of the file in text order.

    None where the text has next to nothing in common with the document.
    """
    words = [n for n in order if not nodes.zero[n]]
    own: list[list[int]] = [[] for _ in range(len(words) + 1)]
    form_of = dict(zip(order, forms, strict=True))
    behind = 0
    for node in order:
        if nodes.zero[node]:
            own[behind].append(node)
        else:
            behind += 1
    said = [at for at, word in enumerate(text.words) if not word.startswith(EMPTY_NODE)]
    found = align([text.words[at] for at in said], [form_of[n] for n in words])
    if found is None:
        return None
    same, replaced = found.same.tolist(), found.replaced.tolist()
    where: list[NodePlace | None] = [None] * len(text.words)
    zeros: list[list[int]] = [[] for _ in own]
    rank, last = iter(range(len(said))), 0
    for at, word in enumerate(text.words):
        if word.startswith(EMPTY_NODE):
            zeros[last].append(at)
            continue
        number = next(rank)
        if same[number] >= 0:
            where[at] = NodePlace(words[same[number]])
        _tell_word(same[number], replaced[number], text, at, repairs)
        last = max(last, same[number] + 1, replaced[number] + 1)
    there = {*same, *replaced}
    for number, node in enumerate(words):
        if number not in there:
            repairs.tell("text-word-differs", text, variant="missing", form=form_of[node])
    run = _Runs(text, nodes, words, form_of, where)
    made: dict[NodePlace, tuple[str, int]] = {}
    for number, listed in enumerate(zeros):
        for new in run.fill(number, listed, own[number]):
            made[new.place] = new.form, words[number - 1] if number else -1
            repairs.tell("text-empty-node", text, new.at)
    return Placed(text, where, *_ordered(nodes, words, own, made), made)


def _tell_word(same: int, replaced: int, text: MarkedDocument, at: int, repairs: Repairs) -> None:
    if same >= 0:
        return
    repairs.tell("text-word-differs", text, at, "" if replaced >= 0 else "added")
    for _ in text.marks.get(at, ()):
        repairs.tell("text-mark-lost", text, at)


class _New(NamedTuple):
    """A new empty node, its form, and the number of its word in the text."""

    place: NodePlace
    form: str
    at: int


@dataclass
class _Runs:
    """Fills the runs of empty nodes between two words."""

    text: MarkedDocument
    nodes: Nodes
    words: list[int]
    form_of: dict[int, str]
    where: list[NodePlace | None]

    def fill(self, number: int, listed: list[int], own: list[int]) -> list[_New]:
        """Give the words of the text their empty nodes; those that are new are returned."""
        if not listed:
            return []
        pairs = dict(zip(listed, own, strict=True)) if len(listed) == len(own) else {}
        if own and not pairs:
            said = [self.text.words[at] for at in listed]
            found = align(said, [self.form_of[node] for node in own])
            for at, one, other in zip(listed, *(c.tolist() for c in found or ()), strict=False):
                if max(one, other) >= 0:
                    pairs[at] = own[max(one, other)]
        new: list[_New] = []
        before = self._before(number)
        for at in listed:
            if at in pairs:
                self.where[at] = NodePlace(pairs[at])
                continue
            made = NodePlace(before.node, before.number + len(new) + 1)
            self.where[at] = made
            new.append(_New(made, self.text.words[at].removeprefix(EMPTY_NODE), at))
        return new

    def _before(self, number: int) -> NodePlace:
        """What stands before new empty nodes: a word with those that it has in the file."""
        if not number:
            return NodePlace(self.words[0], BEFORE)
        zero, block = self.nodes.zero, self.nodes.block
        last = self.words[number - 1]
        while last + 1 < len(zero) and zero[last + 1] and block[last + 1] == block[last]:
            last += 1
        return NodePlace(last)


def _ordered(
    nodes: Nodes, words: list[int], own: list[list[int]], made: dict[NodePlace, tuple[str, int]]
) -> tuple[list[NodePlace], list[int]]:
    """All nodes in the order of the text, and their sentences."""
    behind: dict[int, list[NodePlace]] = {}
    for new, (_, word) in made.items():
        behind.setdefault(word, []).append(new)
    order: list[NodePlace] = []
    sentence: list[int] = []
    for number, word in enumerate([-1, *words]):
        block = int(nodes.block[words[0] if word < 0 else word])
        listed = [] if word < 0 else [word]
        for node in (*listed, *own[number]):
            order.append(NodePlace(node))
            sentence.append(int(nodes.block[node]))
        order += behind.get(word, ())
        sentence += [block] * len(behind.get(word, ()))
    return order, sentence
