"""Corpora from documents of other libraries in memory: spaCy and its pipes, Stanza.

Only attributes are looked at; nothing is imported.
"""

from collections.abc import Iterable, Mapping
from itertools import accumulate
from typing import Any

from corefkit.data.corpus import Corpus
from corefkit.data.incidents import DataError, data_error
from corefkit.data.options import UsageError
from corefkit.formats.choices import make_reading

_ATTRIBUTES = ("text", "sentences", "spans", "_")
"""A document has one of these at least."""


def from_spacy(docs: Iterable[Any], *, heads: bool = False) -> Corpus:
    """A corpus from spaCy or Stanza documents, or others with the same attributes.

    Clusters are the span groups `coref_clusters_N` (spacy-experimental), `doc._.coref_clusters`
    (the pipe of fastcoref, or neuralcoref) or `doc.coref` (Stanza). `doc._.coref_chains`
    (coreferee) holds only heads; with `heads` they are taken for mentions, of a coordination from
    the first to the last head. Names are `user_data["doc_key"]`, where it is there.
    """
    from corefkit.formats.jsonlines.reader import parse_rows

    rows, name = rows_of_docs(docs, heads=heads)
    return parse_rows(rows, make_reading(), name).checked()


def rows_of_docs(docs: Iterable[Any], *, heads: bool = False) -> tuple[list[dict[str, Any]], str]:
    """Documents as dicts, and the dialect these are in.

    Raises DataError where a document has only heads, UsageError where documents differ in kind.
    """
    one = isinstance(docs, (str, Mapping)) or hasattr(docs, "text")
    if one or not isinstance(docs, Iterable):
        raise TypeError(f"documents are given as a list, not {docs!r:.60}")
    listed = list(docs)
    if odd := [doc for doc in listed if not any(hasattr(doc, name) for name in _ATTRIBUTES)]:
        raise TypeError(f"not a document of spaCy or Stanza: {odd[0]!r:.60}")
    rows = [_row(doc, number, heads=heads) for number, doc in enumerate(listed, 1)]
    characters = {"text" in row for row in rows}
    if len(characters) > 1:
        raise UsageError("some documents have span groups and others doc._.coref_clusters")
    return rows, "fastcoref" if True in characters else "spacy"


def _row(doc: Any, number: int, *, heads: bool) -> dict[str, Any]:
    """One document as a dict: by tokens, or by characters as fastcoref's pipe has it."""
    name = getattr(doc, "user_data", {}).get("doc_key")
    if getattr(doc, "coref", None) is not None and hasattr(doc, "sentences"):
        return {"doc_key": name, **_stanza(doc)}
    groups = _groups(doc)
    clusters = [[[span.start, span.end] for span in group] for group in groups]
    if not groups:
        extension = getattr(doc._, "coref_clusters", None) if hasattr(doc, "_") else None
        chains = getattr(doc._, "coref_chains", None) if hasattr(doc, "_") else None
        if extension is not None and not any(hasattr(c, "mentions") for c in extension):
            spans = [[list(span) for span in cluster] for cluster in extension]
            return {"text": doc.text, "clusters": spans, "doc_key": name}
        if extension is not None:
            clusters = [[[s.start, s.end] for s in cluster.mentions] for cluster in extension]
        elif chains is not None and heads:
            clusters = [[[min(m), max(m) + 1] for m in map(list, chain)] for chain in chains]
        elif chains is not None:
            raise _only_heads("coreferee", name or str(number))
        elif any(key.startswith("coref_head_clusters") for key in getattr(doc, "spans", {})):
            raise _only_heads("heads", name or str(number))
    return {"doc_key": name, "sentences": _sentences(doc), "clusters": clusters}


def _stanza(doc: Any) -> dict[str, Any]:
    """Words and clusters of a Stanza document, whose mentions count words in their sentences."""
    sentences = [[word.text for word in sentence.words] for sentence in doc.sentences]
    begins = [0, *accumulate(map(len, sentences))]
    clusters = []
    for chain in doc.coref:
        spans = []
        for mention in chain.mentions:
            if isinstance(mention.start_word, tuple) or isinstance(mention.end_word, tuple):
                raise UsageError(
                    "the document has mentions of empty words; write it as CoNLL-U and read that"
                )
            begin = begins[mention.sentence]
            spans.append([begin + mention.start_word, begin + mention.end_word])
        clusters.append(spans)
    return {"sentences": sentences, "clusters": clusters}


def _groups(doc: Any) -> list[Any]:
    """The span groups coref_clusters_N, by N."""
    prefix = "coref_clusters_"
    found = {
        int(key.removeprefix(prefix)): group
        for key, group in getattr(doc, "spans", {}).items()
        if key.startswith(prefix) and key.removeprefix(prefix).isdigit()
    }
    return [found[number] for number in sorted(found)]


def _sentences(doc: Any) -> list[list[str]]:
    """The words by sentence; one sentence where there are none."""
    words = [token.text for token in doc]
    if not words or not doc.has_annotation("SENT_START"):
        return [words] if words else []
    starts = [n for n, token in enumerate(doc) if token.is_sent_start or n == 0]
    return [words[a:b] for a, b in zip(starts, [*starts[1:], len(words)], strict=True)]


def _only_heads(variant: str, name: str) -> DataError:
    expected = "span groups coref_clusters_N"
    return data_error("clusters-missing", variant, document=name, expected=expected)
