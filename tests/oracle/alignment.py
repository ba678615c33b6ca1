"""Alignment of a text with words by a full table of edit distances: slow and obvious."""

import unicodedata
from dataclasses import dataclass
from itertools import pairwise

QUOTES = {"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-"}


@dataclass
class Placed:
    """The words that each mention covers (None: lost), and the coverage."""

    spans: list[tuple[int, int] | None]
    coverage: float


def plain(text: str) -> str:
    """One character, or word, as it is compared."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(QUOTES.get(c, c) for c in folded if not c.isspace())


def table(one: str, other: str) -> list[list[int]]:
    cost = [[i + j for j in range(len(other) + 1)] for i in range(len(one) + 1)]
    for i, a in enumerate(one, 1):
        for j, b in enumerate(other, 1):
            cost[i][j] = min(cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (a != b))
    return cost


def pairs(one: str, other: str) -> dict[int, int]:
    """The equal characters of the alignment of least cost that comes first, seen from the end.

    Of steps of equal cost it takes an equal character, then one of `one` left out, then one
    replaced, then one of `other` left out.
    """
    cost = table(one, other)
    found = {}
    i, j = len(one), len(other)
    while i and j:
        if one[i - 1] == other[j - 1]:
            i, j = i - 1, j - 1
            found[i] = j
        elif cost[i][j] == cost[i - 1][j] + 1:
            i -= 1
        elif cost[i][j] == cost[i - 1][j - 1] + 1:
            i, j = i - 1, j - 1
        else:
            j -= 1
    return found


def joined(found: dict[int, int], one: str, other: str) -> dict[int, int]:
    """Runs of letters moved, as wholes, to the run before them, else to the one behind them."""
    for forward in (True, False):
        changing = True
        while changing:
            changing = False
            for run, following in _neighbours(found):
                size = len(following if forward else run)
                if forward:
                    at = found[run[-1]] + 1
                    moves = following
                else:
                    at = found[following[0]] - size
                    moves = run
                if at >= 0 and other[at : at + size] == one[moves[0] : moves[-1] + 1]:
                    found |= {i: at + n for n, i in enumerate(moves)}
                    changing = True
                    break
    return found


def _neighbours(found: dict[int, int]) -> list[tuple[list[int], list[int]]]:
    """Runs that follow one another in the first text."""
    runs: list[list[int]] = []
    for i in sorted(found):
        if runs and i == runs[-1][-1] + 1 and found[i] == found[runs[-1][-1]] + 1:
            runs[-1].append(i)
        else:
            runs.append([i])
    return [(a, b) for a, b in pairwise(runs) if b[0] == a[-1] + 1]


def together(found: dict[int, int], words: list[list[int]], one: str, other: str) -> None:
    """Draw the letters of each word together that has all of them, but apart.

    At each break what is behind it goes to what is before it, or the other way round, where the
    other text has the same letters.
    """
    for own in words:
        if not own or not all(i in found for i in own):
            continue
        breaks = [n for n in range(1, len(own)) if found[own[n]] > found[own[n - 1]] + 1]
        for n in breaks:
            behind, after = found[own[n - 1]] + 1, found[own[n]]
            if other[behind:].startswith(one[own[n] : own[-1] + 1]):
                found |= {i: behind + m for m, i in enumerate(own[n:])}
                break
            if other[:after].endswith(one[own[0] : own[n]]):
                found |= {i: after - n + m for m, i in enumerate(own[:n])}


def place(words: list[str], text: str, mentions: list[tuple[int, int]]) -> Placed:
    """FORMATS.md 7.3, step by step; mentions count characters of the text, end excluded."""
    letters = [(w, c) for w, word in enumerate(words) for c in plain(word)]
    theirs = [(at, c) for at, character in enumerate(text) for c in plain(character)]
    one, other = "".join(c for _, c in letters), "".join(c for _, c in theirs)
    if one.startswith(other):  # it breaks off
        found = {i: i for i in range(len(other))}
    else:
        found = joined(pairs(one, other), one, other)
    members = [[i for i, (w, _) in enumerate(letters) if w == word] for word in range(len(words))]
    together(found, members, one, other)
    whole = [all(i in found for i in own) for own in members]
    word = 0
    while word < len(words):
        if whole[word]:
            word += 1
            continue
        end = word
        while end < len(words) and not whole[end]:
            end += 1
        before = max((found[i] for w in range(word) if whole[w] for i in members[w]), default=-1)
        behind = min(
            (found[i] for w in range(end, len(words)) if whole[w] for i in members[w]),
            default=len(theirs),
        )
        own = [i for w in range(word, end) for i in members[w]]
        aligned = [i for i in own if i in found]
        if 2 * len(aligned) / (len(own) + behind - before - 1) < 0.5:
            for i in aligned:
                del found[i]
        word = end
    spans: list[tuple[int, int] | None] = []
    for begin, stop in mentions:
        covered = []
        for w, own in enumerate(members):
            inside = [i for i in own if i in found and begin <= theirs[found[i]][0] < stop]
            if own and 2 * len(inside) >= len(own):
                covered.append(w)
        spans.append((covered[0], covered[-1]) if covered else None)
    return Placed(spans, len(found) / len(letters) if letters else 1.0)
