"""Topics as documents, for `convert --cross pool`.

A format whose entities span documents defines the topic of each document. The documents of a topic
are concatenated into one, and entities with the same label become one entity. Scores across
documents (`--across`) join them after matching instead: `corefkit.scorers.levels`.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from corefkit.core.arrays import EMPTY, sum_by
from corefkit.core.corpus import Corpus
from corefkit.core.document_groups import DocumentGroups, join_groups
from corefkit.core.options import UsageError
from corefkit.formats.kit.content import contents
from corefkit.formats.kit.text import with_tokens
from corefkit.formats.registry import format_of


def pool_topics(corpus: Corpus) -> Corpus:
    """The corpus with one document per topic, and with entities joined across documents.

    A topic of ECB+ is the part of a name before its first `_`; in other formats the whole corpus is
    one topic. Raises UsageError for formats whose entities do not span documents.
    """
    topics = [*map(_topic_of(corpus), corpus.names)]
    number = {name: index for index, name in enumerate(dict.fromkeys(topics))}
    group = np.array([number[topic] for topic in topics], dtype=np.int64)
    order, size = np.argsort(group, kind="stable"), np.maximum(corpus.tokens, 0)
    before = np.cumsum(size[order]) - size[order]
    begin = np.empty_like(size)
    begin[order] = before - before[np.searchsorted(group[order], group[order])]
    pooled = join_groups(corpus, DocumentGroups(tuple(number), group), begin)
    if (corpus.tokens >= 0).all():
        pooled = replace(pooled, tokens=sum_by(group, size, len(number)))
        if corpus.unit == "token":
            listed = list(contents(corpus))
            in_order = [listed[document] for document in order.tolist()]
            words = [word for document in in_order for word in document.words]
            lengths = [length for document in in_order for length in document.lengths]
            return with_tokens(pooled, words, lengths, "recounted")
    return replace(pooled, byte=EMPTY, line=EMPTY)


def _topic_of(corpus: Corpus) -> Callable[[str], str]:
    """The function from a document's name to its topic; UsageError if a file's format has none.

    The format of the first file decides.
    """
    topics = []
    for source in corpus.sources:
        form = format_of(source)
        if form.topic is None:
            raise UsageError(
                f"cross: files in the format {form.name} have no entities that span documents; "
                "use split"
            )
        topics.append(form.topic)
    if not topics:
        raise UsageError("cross: only files have entities that span documents; use split")
    return topics[0]
