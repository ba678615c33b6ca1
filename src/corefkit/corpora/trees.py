"""Trees: the bracket strings of treebanks, and the parse bits of CoNLL files.

Parse bits are the bracket string, divided among the words, with a star in place of each leaf
`(tag word)`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from corefkit.core.carriers import frozen
from corefkit.core.incidents import data_error

_TOKEN = re.compile(r"\(|\)|[^ \t\r\n()]+")
_SPECIAL = frozenset("() ")
EDITED = "EDITED"
"""The label of disfluencies, which are not in the English data of the CoNLL tasks."""
EMPTY_ELEMENT = "-NONE-"
"""The tag of traces and other elements that are not words."""


class LineError(ValueError):
    """A text that cannot be read, with the line of the problem, from 1.

    `variant` and `values` are for the message of the incident that is made of it.
    """

    def __init__(self, line: int, variant: str, **values: Any) -> None:
        super().__init__(f"line {line}: {variant}")
        self.line, self.variant, self.values = line, variant, values


@contextmanager
def in_file(path: str, kind: str, expected: str | None = None) -> Iterator[None]:
    """A context in which a LineError becomes a DataError: an incident of this kind and file."""
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
    """A constituent: its label and its children.

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
        """The span and label of each constituent with a label, outer ones first."""
        spans: list[LabelledSpan] = []
        open_spans: list[int] = []
        words = 0
        for node, enters in _walk(self):
            if isinstance(node, Leaf):
                words += 1
            elif enters:
                open_spans.append(len(spans))
                spans.append(LabelledSpan(words, words, node.label))
            else:
                number = open_spans.pop()
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
    """The tree of a sentence; its label is empty where no constituent spans the sentence.

    `constituents` are in text order, outer ones first, as `Tree.constituents` returns them.
    """
    root: list[Tree | Leaf] = []
    stack: list[tuple[LabelledSpan, list[Tree | Leaf]]] = []
    waiting = iter([*constituents, None])
    span = next(waiting)
    for word, leaf in enumerate(leaves):
        while span is not None and span.start == word:
            stack.append((span, []))
            span = next(waiting)
        (stack[-1][1] if stack else root).append(leaf)
        while stack and stack[-1][0].end == word:
            done, children = stack.pop()
            (stack[-1][1] if stack else root).append(Tree(done.label, tuple(children)))
    if len(root) == 1 and isinstance(root[0], Tree):
        return root[0]
    return Tree("", tuple(root))


def parse_trees(text: str) -> Iterator[Tree]:
    """All trees of a treebank file, whatever its layout; LineError names the line of a problem.

    A leaf is `(tag word)`. A bracket without a label around a single node, as the Penn Treebank has
    it around every tree, is ignored.
    """
    stack: list[tuple[str | None, list[Tree | Leaf], list[str]]] = []
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token == "(":
            stack.append((None, [], []))
        elif not stack:
            raise LineError(_line(text, match), "outside-tree", token=token)
        elif token != ")":
            label, children, words = stack[-1]
            if label is None and not children and not words:
                stack[-1] = token, children, words
            else:
                words.append(token)
        else:
            node = _close(*stack.pop())
            if node is None:
                raise LineError(_line(text, match), "constituent")
            if stack:
                stack[-1][1].append(node)
            else:
                yield node if isinstance(node, Tree) else Tree("", (node,))
    if stack:
        raise LineError(text.count("\n") + 1, "end")


def read_trees(text: str, drop_edited: bool = False) -> Iterator[Tree]:
    """All trees of a treebank file without empty elements, and optionally without disfluencies."""
    for tree in parse_trees(text):
        if kept := prune(tree, *[EDITED] * drop_edited):
            yield kept


def prune(tree: Tree, *labels: str) -> Tree | None:
    """The tree without empty elements and constituents with these labels; None if nothing is left.

    Function tags do not matter: `EDITED-UNF` is `EDITED`. Constituents that become empty are
    removed, too.
    """
    return select(tree, leaves_kept(tree, *labels))


def leaves_kept(tree: Tree, *labels: str) -> list[bool]:
    """Whether each leaf is a word, and in no constituent with one of these labels."""
    kept = []
    dropped = 0
    for node, enters in _walk(tree):
        if isinstance(node, Leaf):
            kept.append(not dropped and node.tag != EMPTY_ELEMENT)
        elif node.label and category(node.label) in labels:
            dropped += 1 if enters else -1
    return kept


def select(tree: Tree, kept: Iterable[bool]) -> Tree | None:
    """The tree with the leaves that are kept; None if there are none, or no constituent."""
    flags = iter(kept)
    found: list[list[Tree | Leaf]] = [[]]
    for node, enters in _walk(tree):
        if isinstance(node, Leaf):
            if next(flags):
                found[-1].append(node)
        elif enters:
            found.append([])
        elif children := found.pop():
            found[-1].append(Tree(node.label, tuple(children)))
    root = found[0][0] if found[0] else None
    return root if isinstance(root, Tree) else None


def category(label: str) -> str:
    """A label of a constituent without function tags.

    >>> category("NP-SBJ-1"), category("ADVP=2"), category("-LRB-")
    ('NP', 'ADVP', '-LRB-')
    """
    return re.split("[-=]", label)[0] or label


def plain_labels(tree: Tree) -> Tree:
    """The tree whose labels have no function tags.

    >>> print(plain_labels(next(parse_trees("(S (NP-SBJ (PRP She)) (VP (VBD slept)))"))))
    (S (NP (PRP She)) (VP (VBD slept)))
    """
    found: list[list[Tree | Leaf]] = [[]]
    for node, enters in _walk(tree):
        if isinstance(node, Leaf):
            found[-1].append(node)
        elif enters:
            found.append([])
        else:
            children = tuple(found.pop())
            found[-1].append(Tree(category(node.label), children))
    root = found[0][0]
    assert isinstance(root, Tree)
    return root


def escape(text: str) -> str:
    """A word as it is written in a tree, without brackets and blanks.

    >>> escape("(a)")
    '-LRB-a-RRB-'
    """
    if not _SPECIAL & set(text):
        return text
    return text.replace("(", "-LRB-").replace(")", "-RRB-").replace(" ", "\u00a0")


def _close(label: str | None, children: list[Tree | Leaf], words: list[str]) -> Tree | Leaf | None:
    """The node that a bracket encloses; None if it is neither a constituent nor a leaf."""
    if len(words) == 1 and not children and label is not None:
        return Leaf(label, words[0])
    if words or not children:
        return None
    if label is None and len(children) == 1:
        return children[0]
    return Tree(label or "", tuple(children))


def _walk(tree: Tree) -> Iterator[tuple[Tree | Leaf, bool]]:
    """The nodes in text order: constituents where they begin (True) and where they end (False).

    It does not recurse, because some trees are deeper than Python's stack.
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
