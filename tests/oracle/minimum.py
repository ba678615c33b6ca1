"""Minimum spans (MINA) and their matching, step by step as the specification words it.

A node is a list: [label or text, children, the tokens of a run or None, its index].
"""

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Any, TypeAlias

Token: TypeAlias = tuple[str, str, str]
"""Word, tag and parse bit."""
Node: TypeAlias = list[Any]
Span: TypeAlias = tuple[int, int]

NOUNS, VERBS = ["NP", "NM", "QP", "NX"], ["VP"]


def closed(run: list[int], index: int, stack: list[Node], tokens: Sequence[Token]) -> None:
    """Make the run a node: a child of the topmost open one, or a root if none is open."""
    if run:
        node = [" ".join(tokens[i][0] for i in run), [], list(run), index]
        (stack[-1][1] if stack else stack).append(node)


def roots_of(tokens: Sequence[Token]) -> list[Node]:
    """Read the bits as events."""
    stack: list[Node] = []
    roots: list[Node] = []
    run: list[int] = []
    for number, (_, _, bit) in enumerate(tokens):
        for event in re.findall(r"\([^()*]*|\*|\)", bit):
            if event == "*":
                run.append(number)
                continue
            words = [tokens[i][0] for i in run]
            if event == ")" or any(w.isalpha() or w.isdigit() for w in words):
                closed(run, number, stack, tokens)
            run = []
            if event == ")":
                if stack:
                    top = stack.pop()
                    if not stack:
                        roots.append(top)
                continue
            phrase: Node = [re.sub(r"[^A-Za-z]", "", event), [], None, None]
            if stack:
                stack[-1][1].append(phrase)
            stack.append(phrase)
    closed(run, len(tokens) - 1, stack, tokens)
    return roots + stack[:1]


def is_good(node: Node, tokens: Sequence[Token]) -> bool:
    """A run that could be a head."""
    for number in node[2] or ():
        word, tag, _ = tokens[number]
        real = re.search(r"[^\W_]|%", word) and word not in ("-LRB-", "-RRB-")
        if real and tag not in ("CC", "DT", "IN"):
            return True
    return False


def kinds(root: Node) -> list[str]:
    """The S of step 3."""
    kind, below = root[0][:2], [child[0][:2] for child in root[1]]
    if kind == "VP":
        return VERBS
    if kind in ("NP", "NM") or "NP" in below or "NM" in below:
        return NOUNS
    return VERBS if "VP" in below else NOUNS


def levels(node: Node, wanted: list[str]) -> list[list[Node]]:
    """The children of a node, then those of its phrases of the kinds wanted, and so on."""
    found, level = [], [node]
    while level:
        below = [child for one in level for child in one[1]]
        found.append(below)
        level = [n for n in below if n[2] is None and n[0][:2] in wanted]
    return found


def anywhere(root: Node, tokens: Sequence[Token]) -> list[Node]:
    """Step 4."""
    wanted: list[str] = []
    level = [root] if root[2] is None else []
    while level:
        runs, following = [], []
        for node in level:
            kind = node[0][:2]
            if not wanted:
                wanted = {"NP": NOUNS, "NM": NOUNS, "VP": VERBS}.get(kind, [])
            if node is root or not wanted or kind in wanted:
                following += [n for n in node[1] if n[2] is None]
                runs += [n for n in node[1] if kind in wanted and is_good(n, tokens)]
        if runs:
            return runs
        level = following
    return []


def minimum(tokens: Sequence[Token]) -> list[tuple[list[int], int]] | None:
    """Tokens and index of each run of the minimum; None for the whole mention."""
    roots = roots_of(tokens)
    root: Node = roots[0] if len(roots) == 1 else ["NP", roots, None, None]
    found = [root] if is_good(root, tokens) else []
    found = found or [child for child in root[1] if is_good(child, tokens)]
    if not found:
        wanted = kinds(root)
        below = [child for child in root[1] if child[1] and child[0][:2] in wanted]
        for child in below:
            having = [[n for n in level if is_good(n, tokens)] for level in levels(child, wanted)]
            found += (
                having[len(list(takewhile(lambda runs: not runs, having)))] if any(having) else []
            )
        if not below:
            found = anywhere(root, tokens)
    return [(node[2], node[3]) for node in found] or None


def pairs(
    key: Sequence[Span], response: Sequence[Span], minima: dict[Span, frozenset[int]]
) -> set[tuple[Span, Span]]:
    """Who is paired with whom: equal spans first, then those alike in text order."""
    found = {(span, span) for span in set(key) & set(response)}
    for like in set(minima.values()):
        left, right = (
            sorted(
                (s for s in side if minima[s] == like and (s, s) not in found),
                key=lambda s: (s[0], -s[1]),
            )
            for side in (key, response)
        )
        found |= set(zip(left, right, strict=False))
    return found
