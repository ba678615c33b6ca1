"""Do key and response have the same empty nodes? corefud-scorer 1.1 has no way to pair others."""

from collections.abc import Iterator

from corefkit.data.corpus import Corpus
from corefkit.data.incidents import Collector, Incident

Nodes = list[tuple[int, bytes, int]]
"""The nodes of a document: the sentence, the form, and 0 or the number of an empty node."""


def compare_empty_nodes(key: Corpus, response: Corpus) -> list[Incident]:
    """One incident for each document of both that has other empty nodes in the response.

    corefud-scorer 1.1 does not look at ids. It compares the forms of words and empty nodes side
    by side, in each sentence as far as the shorter one reaches, and refuses files in which two
    differ: an error. Files whose forms do not show it (in its own tests on zeros every form is
    `_`) are scored: a warning.
    """
    ours = dict(_nodes(key))
    found = Collector()
    for name, theirs in _nodes(response):
        expected, given = (_places(nodes) for nodes in (ours.get(name, theirs), theirs))
        if given == expected:
            continue
        more, fewer = len(given - expected), len(expected - given)
        found.note(
            "empty-nodes-differ",
            severity=None if _forms_differ(ours[name], theirs) else "warning",
            **response.document_place(response.names.index(name)),
            found=f"{more:,} that the key lacks, {fewer:,} of the key not",
            expected="the empty nodes of the key",
        )
    return list(found)


def _places(nodes: Nodes) -> set[tuple[int, int, int]]:
    """The empty nodes: sentence, how many words stand before, and the number."""
    words, found = 0, set()
    for sentence, _, zero in nodes:
        words += not zero
        if zero:
            found.add((sentence, words, zero))
    return found


def _forms_differ(key: Nodes, response: Nodes) -> bool:
    ours, theirs = _sentences(key), _sentences(response)
    return any(
        one != other
        for sentence, forms in ours.items()
        for one, other in zip(forms, theirs.get(sentence, ()), strict=False)
    )


def _sentences(nodes: Nodes) -> dict[int, list[bytes]]:
    found: dict[int, list[bytes]] = {}
    for sentence, form, _ in nodes:
        found.setdefault(sentence, []).append(form)
    return found


def _nodes(corpus: Corpus) -> Iterator[tuple[str, Nodes]]:
    """The nodes of each document that was read from a CorefUD file."""
    for source in corpus.sources:
        if source.format.name != "conllu":
            continue
        from corefkit.formats.conllu.lines import FORM
        from corefkit.formats.conllu.tokens import layout_of

        layout = layout_of(source)
        nodes, bounds = layout.nodes, layout.lines.bounds(FORM, layout.nodes.row)
        forms = [source.data[a:b] for a, b in zip(*(c.tolist() for c in bounds), strict=True)]
        columns = (nodes.document, nodes.sentence[nodes.block], nodes.zero)
        listed: list[Nodes] = [[] for _ in range(source.documents)]
        rows = zip(*(column.tolist() for column in columns), forms, strict=True)
        for document, sentence, zero, form in rows:
            listed[document].append((sentence, form, zero))
        first = source.first_document
        yield from zip(corpus.names[first : first + source.documents], listed, strict=True)
