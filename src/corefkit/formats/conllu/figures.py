"""What only CorefUD files have, counted: empty nodes, zeros, parts, relations."""

import numpy as np

from corefkit.data.corpus import Corpus
from corefkit.data.links import KINDS
from corefkit.data.ragged import runs_of
from corefkit.formats.conllu.places import Places
from corefkit.formats.conllu.tokens import ConlluTokens, layout_of

FIGURES = (
    *("words", "empty_nodes", "multiword_tokens", "zeros", "mentions_with_empty_nodes"),
    *("discontinuous", "bridges", "entities_with_split_antecedent"),
)


def file_figures(corpus: Corpus) -> dict[str, int] | None:
    """FIGURES of a corpus whose files are all CorefUD; None where they are not."""
    if not corpus.sources or not all(isinstance(s.format, ConlluTokens) for s in corpus.sources):
        return None
    layouts = [layout_of(source) for source in corpus.sources]
    links = corpus.links
    mixed = [row for row, nodes in corpus.parts or () if any(zero for _, zero in nodes)]
    found = (
        sum(layout.nodes.words for layout in layouts),
        sum(len(layout.nodes.empty_ids) for layout in layouts),
        sum(len(layout.nodes.ranges) for layout in layouts),
        0 if corpus.head_zero is None else int((corpus.head_zero > 0).sum()),
        len(mixed) + (0 if corpus.zero is None else int((corpus.zero > 0).sum())),
        _discontinuous(corpus),
        0 if links is None else int((links.kind == KINDS.index("bridging-entity")).sum()),
        0 if links is None else len(np.unique(links.source[links.kind == KINDS.index("split")])),
    )
    return dict(zip(FIGURES, found, strict=True))


def _discontinuous(corpus: Corpus) -> int:
    """Mentions that leave out a node between their first and last one: a word or an empty node."""
    listed = set() if corpus.parts is None else set(corpus.parts.row.tolist())
    number = 0
    for source in corpus.sources:
        nodes = layout_of(source).nodes
        places = Places(corpus, source, nodes)
        own = listed.intersection(places.rows.tolist())
        number += sum(len(runs_of(places.nodes_of(row))) > 1 for row in own)
        words = places.rows[(corpus.start < corpus.end)[places.rows]]
        words = words[~np.isin(words, np.array(sorted(own), dtype=np.int64))]
        offset = nodes.document_word[corpus.document[words] - source.first_document]
        first, last = (nodes.word_node[c[words] + offset] for c in (corpus.start, corpus.end))
        number += int((last - first != (corpus.end - corpus.start)[words]).sum())
    return number
