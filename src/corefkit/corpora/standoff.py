"""Stand-off layers: lines that name a document, a sentence and a word, all by number.

nw/harbour/00/harbour_0001@000 0 6 gold break-v break.01 ----- 0:2-ARG1 6:0-rel 7:1-ARGM-TMP

An argument is a node of the tree, as its first word and its height above it. Nodes joined by commas
are one span in several parts; those joined by `*` or `;` are a chain of traces and what they stand
for. Since the trees of CoNLL files have no traces, an argument is what its chain has in the text,
and a relative pronoun beside its antecedent is a reference (R-ARG0). The links of OntoNotes,
LINK-PCR (a *PRO* and who it is) and LINK-SLC (a relative pronoun and its antecedent), are unfolded
into such chains, as in PropBank 1.0 and in the data of CoNLL-2012 (section 4.4.1 of its paper).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from corefkit.corpora.trees import LabelledSpan, LineError
from corefkit.formats.conll.cells import star_cells

LEAST_FIELDS = {"prop": 8, "sense": 5, "speaker": 4}
"""How many fields a line of a layer has at least."""

_RELATIVE = frozenset({"WDT", "WP", "WP$", "WRB"})


class LayerSentence(NamedTuple):
    """A sentence as a layer counts it.

    Attributes:
        number: the sentence of the CoNLL file; −1 if it has none.
        kept: the token there of each word; −1 if it has none.
        nodes: the constituents, outer ones first; empty where they are not needed.
        tags: the tags of the words; empty where they are not needed.
    """

    number: int
    kept: Sequence[int]
    nodes: Sequence[LabelledSpan]
    tags: Sequence[str]

    def node(self, name: str, line: int) -> tuple[range, bool]:
        """The words of a node, and whether it is relative; LineError if there is no such node.

        >>> nodes = [LabelledSpan(0, 2, "S"), LabelledSpan(0, 1, "NP")]
        >>> LayerSentence(0, [0, 1, 2], nodes, ["DT", "NN", "VBD"]).node("0:1", 1)
        (range(0, 2), False)
        """
        parts = re.fullmatch(r"(\d{1,6}):(\d{1,6})", name)
        first, height = (int(part) for part in parts.groups()) if parts else (len(self.kept), 0)
        if first >= len(self.kept):
            raise LineError(line, "node", name=name)
        if not height:
            return range(first, first + 1), self.tags[first] in _RELATIVE
        around = [span for span in self.nodes if span.start <= first <= span.end]
        if height > len(around):
            raise LineError(line, "node", name=name)
        span = around[-height]
        tags = {*self.tags[span.start : span.end + 1]}
        return range(span.start, span.end + 1), span.label[:2] == "WH" or tags <= _RELATIVE


class LayerLine(NamedTuple):
    """A line of a layer: its sentence, its word there, and the token that the file has for it."""

    line: int
    sentence: LayerSentence
    leaf: int
    token: int
    fields: list[str]


def layer_lines(
    text: str, named: Mapping[str, Sequence[LayerSentence]], least: int
) -> Iterator[LayerLine]:
    """The lines of a layer; LineError for one with fewer fields or without such a word.

    `named` has the sentences of each document. The names of OntoNotes have more after the first @.
    """
    for line, content in enumerate(text.splitlines(), 1):
        fields = content.split()
        if not fields:
            continue
        if len(fields) < least or not (fields[1] + fields[2]).isdecimal():
            raise LineError(line, "fields")
        sentences = named.get(fields[0]) or named.get(fields[0].partition("@")[0])
        if sentences is None:
            raise LineError(line, "document", name=fields[0])
        sentence, leaf = int(fields[1][:9]), int(fields[2][:9])
        if sentence >= len(sentences) or leaf >= len(sentences[sentence].kept):
            raise LineError(line, "word", sentence=fields[1], word=fields[2])
        found = sentences[sentence]
        yield LayerLine(line, found, leaf, found.kept[leaf], fields)


class Roles(NamedTuple):
    """The arguments of a predicate as spans of its sentence, and what differs from the layer.

    `moved` have fewer words, `lost` none, or they cross others; `unfolded` are longer by a link.
    """

    spans: list[LabelledSpan]
    moved: int
    lost: int
    unfolded: int


class _Span(NamedTuple):
    """The words of a part of an argument that the file has, and whether all words were."""

    tokens: list[int]
    whole: bool
    relative: bool


def find_roles(line: LayerLine) -> Roles:
    """The arguments of a line of propositions; LineError for one that is none."""
    listed = [field.partition("-") for field in line.fields[7:]]
    if not all(nodes and label for nodes, _, label in listed):
        raise LineError(line.line, "fields")
    chains = [(re.split("[*;]", nodes), label) for nodes, _, label in listed]
    links = [{*chain} for chain, label in chains if label.startswith("LINK-")]
    spans: list[LabelledSpan] = []
    moved = lost = unfolded = 0
    for chain, label in chains:
        if label.startswith("LINK-"):
            continue
        elements = _linked(chain, links)
        unfolded += len(elements) > len(chain)
        found = [part for element in elements if (part := _tokens(element, line)).tokens]
        moved += sum(not part.whole for part in found)
        antecedent = any(not part.relative for part in found)
        placed = 0
        for part in found:
            name = "V" if label == "rel" else label
            name = f"R-{name}" if part.relative and antecedent else name
            for number, span in enumerate(_runs(part.tokens)):
                new = LabelledSpan(*span, f"C-{name}" if number else name)
                if new not in spans and not any(_cross(new, other) for other in spans):
                    spans.append(new)
                    placed += 1
        lost += not placed
    spans.sort(key=lambda span: (span.start, -span.end))
    return Roles(spans, moved, lost, unfolded)


def _linked(chain: Sequence[str], links: Sequence[set[str]]) -> list[str]:
    """The elements of a chain, and those of every link that shares an element with them."""
    elements = dict.fromkeys(chain)
    size = 0
    while size < len(elements):
        size = len(elements)
        for link in links:
            if not link.isdisjoint(elements):
                elements |= dict.fromkeys(sorted(link))
    return [*elements]


def _tokens(element: str, line: LayerLine) -> _Span:
    """The tokens of an element of a chain, which may have several nodes."""
    nodes = [line.sentence.node(name, line.line) for name in element.split(",")]
    words = [word for node, _ in nodes for word in node]
    tokens = sorted({line.sentence.kept[word] for word in words} - {-1})
    return _Span(tokens, len(tokens) == len({*words}), all(relative for _, relative in nodes))


def _runs(tokens: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The first and last of each run of consecutive numbers."""
    first = tokens[0]
    for before, after in zip(tokens, [*tokens[1:], -1], strict=True):
        if after != before + 1:
            yield first, before
            first = after


def _cross(one: LabelledSpan, other: LabelledSpan) -> bool:
    first, second = sorted((one, other))
    return first.start < second.start <= first.end < second.end


def role_cells(spans: Iterable[LabelledSpan]) -> dict[int, str]:
    """Token → its cell in a column of arguments.

    >>> role_cells([LabelledSpan(0, 1, "ARG0"), LabelledSpan(2, 2, "V")])
    {0: '(ARG0*', 1: '*)', 2: '(V*)'}
    """
    cells = star_cells([*spans])
    return {at: cell if "*" in cell else cell.replace(")", "*)") for at, cell in cells.items()}
