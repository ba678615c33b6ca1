"""Trees: bracket strings as treebanks write them, and the parse bits of CoNLL files.

A parse bit is the bracket string broken before each leaf, the leaf replaced by a star. So the
string is had by putting `(tag word)` back, and the bits by taking it out.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from corefkit.core.carriers import frozen
from corefkit.core.incidents import data_error

_TOKEN = re.compile(r"\(|\)|[^ \t\r\n()]+")
_SPECIAL = frozenset("() ")
EDITED = "EDITED"
"""The label of disfluencies, which the English data of the CoNLL tasks lacks."""
EMPTY_ELEMENT = "-NONE-"
"""The tag of traces and other elements that stand for no word."""


class LineError(ValueError):
    """A text that cannot be read, and the line (from 1) on which that shows.

    `variant` and `values` make the message of the incident that becomes of it.
    """

    def __init__(self, line: int, variant: str, **values: Any) -> None:
        super().__init__(f"line {line}: {variant}")
        self.line, self.variant, self.values = line, variant, values


@contextmanager
def in_file(path: str, kind: str, expected: str | None = None) -> Iterator[None]:
    """Where a LineError becomes a DataError: an incident of this kind, in this file."""
    try:
        yield
    except LineError as error:
        values = {"file": path, "expected": expected, **error.values}
        raise data_error(kind, error.variant, error.line, **values) from None


class LabelledSpan(NamedTuple):
    """A labelled span; both ends are included."""

    start: int
    end: int
    label: str


@frozen
class Leaf:
    """A word with its tag."""

    tag: str
    word: str

    def __str__(self) -> str:
        return f"({escape(self.tag)} {escape(self.word)})"


@frozen
class Tree:
    """A constituent: its label, and what it is made of.

    >>> tree = next(parse_trees("(TOP (S (NP (PRP She)) (VP (VBD slept))))"))
    >>> tree.bits(), tree.constituents()[1]
    (['(TOP(S(NP*)', '(VP*)))'], LabelledSpan(start=0, end=1, label='S'))
    >>> print(tree)
    (TOP (S (NP (PRP She)) (VP (VBD slept))))
    """

    label: str
    children: tuple["Tree | Leaf", ...]

    def __str__(self) -> str:
        return "".join(_write(self))

    def leaves(self) -> list[Leaf]:
        """The words in order."""
        return [node for node, _ in _walk(self) if isinstance(node, Leaf)]

    def constituents(self) -> list[LabelledSpan]:
        """Label and span of each constituent, outer ones first; a tree without a label is none."""
        spans: list[LabelledSpan] = []
        open_now: list[int] = []
        words = 0
        for node, enters in _walk(self):
            if isinstance(node, Leaf):
                words += 1
            elif enters:
                open_now.append(len(spans))
                spans.append(LabelledSpan(words, words, node.label))
            else:
                number = open_now.pop()
                spans[number] = spans[number]._replace(end=words - 1)
        return [span for span in spans if span.label and span.start <= span.end]

    def bits(self) -> list[str]:
        """The parse bit of each word."""
        bits: list[str] = []
        waiting = ""
        for node, enters in _walk(self):
            if isinstance(node, Leaf):
                bits.append(waiting + "*")
                waiting = ""
            elif enters and node.label:
                waiting += f"({node.label}"
            elif node.label:
                bits[-1] += ")"
        return bits


def make_tree(constituents: Sequence[LabelledSpan], leaves: Sequence[Leaf]) -> Tree:
    """The tree of a sentence; one without a label where no constituent spans the sentence.

    `constituents` stand in text order, outer ones first, as `Tree.constituents` returns them.
    """
    root: list[Tree | Leaf] = []
    stack: list[tuple[LabelledSpan, list[Tree | Leaf]]] = []
    waiting = iter([*constituents, None])
    span = next(waiting)
    for place, leaf in enumerate(leaves):
        while span is not None and span.start == place:
            stack.append((span, []))
            span = next(waiting)
        (stack[-1][1] if stack else root).append(leaf)
        while stack and stack[-1][0].end == place:
            done, children = stack.pop()
            (stack[-1][1] if stack else root).append(Tree(done.label, tuple(children)))
    if len(root) == 1 and isinstance(root[0], Tree):
        return root[0]
    return Tree("", tuple(root))


def parse_trees(text: str) -> Iterator[Tree]:
    """All trees of a treebank file, however they are laid out; ValueError tells where it breaks.

    A leaf is `(tag word)`. A bracket without a label is taken as part of the notation, as the Penn
    Treebank has it around every tree.
    """
    stack: list[tuple[str | None, list[Tree | Leaf], list[str]]] = []
    for found in _TOKEN.finditer(text):
        token = found[0]
        if token == "(":
            stack.append((None, [], []))
        elif not stack:
            raise LineError(_line(text, found), "outside-tree", token=token)
        elif token != ")":
            label, children, words = stack[-1]
            if label is None and not children and not words:
                stack[-1] = token, children, words
            else:
                words.append(token)
        else:
            node = _close(*stack.pop())
            if node is None:
                raise LineError(_line(text, found), "constituent")
            if stack:
                stack[-1][1].append(node)
            else:
                yield node if isinstance(node, Tree) else Tree("", (node,))
    if stack:
        raise LineError(text.count("\n") + 1, "end")


def read_trees(text: str, drop_edited: bool = False) -> Iterator[Tree]:
    """All trees of a treebank file without empty elements, and without disfluencies if asked."""
    for tree in parse_trees(text):
        if kept := prune(tree, *[EDITED] * drop_edited):
            yield kept


def prune(tree: Tree, *labels: str) -> Tree | None:
    """The tree without empty elements and the constituents of these labels; None if none is left.

    Function tags are not looked at: `EDITED-UNF` is `EDITED`. What becomes empty goes too.
    """
    kept: list[list[Tree | Leaf]] = [[]]
    dropped = 0
    for node, enters in _walk(tree):
        if isinstance(node, Leaf):
            if not dropped and node.tag != EMPTY_ELEMENT:
                kept[-1].append(node)
        elif re.split("[-=]", node.label)[0] in labels and node.label:
            dropped += 1 if enters else -1
        elif enters:
            kept.append([])
        else:
            children = kept.pop()
            if children:
                kept[-1].append(Tree(node.label, tuple(children)))
    left = kept[0][0] if kept[0] else None
    return left if isinstance(left, Tree) else None


def escape(text: str) -> str:
    """A word as it stands in a tree, where brackets and blanks are not part of words.

    >>> escape("(a)")
    '-LRB-a-RRB-'
    """
    if not _SPECIAL & set(text):
        return text
    return text.replace("(", "-LRB-").replace(")", "-RRB-").replace(" ", "\u00a0")


def _close(label: str | None, children: list[Tree | Leaf], words: list[str]) -> Tree | Leaf | None:
    """What a bracket holds; None if it is neither a constituent nor a leaf."""
    if len(words) == 1 and not children and label is not None:
        return Leaf(label, words[0])
    if words or not children:
        return None
    if label is None and len(children) == 1:
        return children[0]
    return Tree(label or "", tuple(children))


def _walk(tree: Tree) -> Iterator[tuple[Tree | Leaf, bool]]:
    """Nodes in text order: constituents when they begin (True) and when they end (False).

    Without recursion, because there are trees deeper than Python's stack.
    """
    stack: list[tuple[Tree | Leaf, bool]] = [(tree, True)]
    while stack:
        node, enters = stack.pop()
        yield node, enters
        if enters and isinstance(node, Tree):
            stack.append((node, False))
            stack.extend((child, True) for child in reversed(node.children))


def _write(tree: Tree) -> Iterator[str]:
    for number, (node, enters) in enumerate(_walk(tree)):
        if enters and number:
            yield " "
        if isinstance(node, Leaf):
            yield str(node)
        else:
            yield f"({node.label}" if enters else ")"


def _line(text: str, match: re.Match[str]) -> int:
    return text.count("\n", 0, match.start()) + 1
