"""Which dialect of JSON a file is in, by the keys of its first document."""

import re
from typing import Any

_HEAD = 1 << 16
"""So many bytes are searched for keys where the file does not decode."""

_JSON_KEYS: tuple[tuple[str, frozenset[str]], ...] = (
    ("cas-json", frozenset({"%TYPES"})),
    ("corenlp-json", frozenset({"corefs"})),
    ("label-studio", frozenset({"data", "annotations"})),
    ("doccano", frozenset({"text", "entities", "relations"})),
    ("preco", frozenset({"mention_clusters"})),
    ("indiscrim", frozenset({"coref_chains"})),
    ("maverick", frozenset({"clusters_token_offsets"})),
    ("wl-coref", frozenset({"cased_words"})),
    ("allennlp", frozenset({"document", "clusters"})),
    ("subtoken", frozenset({"subtoken_map", "sentences"})),
    ("e2e", frozenset({"sentences", "clusters"})),
    ("e2e", frozenset({"sentences", "predicted_clusters"})),
    ("lingmess", frozenset({"tokens", "clusters"})),
    ("fastcoref", frozenset({"text", "clusters"})),
    ("docred", frozenset({"vertexSet"})),
    ("corefi", frozenset({"tokens", "mentions"})),
)
"""The keys that tell a dialect of JSON; the first rule that fits counts."""


def recognise_json(text: bytes) -> str | None:
    """The dialect, by the keys of the first document."""
    first = _first_object(text)
    if first is None:
        if re.search(rb"\]\(#", text):
            return "markdown"
        found = re.findall(rb'"([\w%]+)"\s*:', text[:_HEAD])
        return dialect_of({key.decode(): None for key in found})
    return dialect_of(first)


def _first_object(text: bytes) -> dict[str, Any] | None:
    """The first object, in a list or not; None where it does not decode."""
    import json

    at = re.match(rb"\[\s*(?=\{)", text)
    begin = at.end() if at else 0
    for end in (text.find(b"\n", begin), None):  # one document a line is what is usual
        if end == -1:
            continue
        try:
            decoded = text[begin:end].decode("utf-8", "replace")
            value, _ = json.JSONDecoder().raw_decode(decoded)
        except (ValueError, RecursionError):
            continue
        return value if isinstance(value, dict) else None
    return None


def dialect_of(first: dict[str, Any]) -> str | None:
    """The dialect of JSON that a document is in, by its keys; None where it is in none."""
    keys = first.keys()
    sentences = first.get("sentences")
    for name, wanted in _JSON_KEYS:
        if wanted <= keys:
            return name
        if name == "corenlp-json" and "coref_chains" not in keys and _have_tokens(sentences):
            return name
    if first and all(isinstance(value, list) for value in first.values()):
        return "s2e-predictions"
    return None


def _have_tokens(sentences: Any) -> bool:
    """Whether sentences are objects with tokens."""
    return (
        isinstance(sentences, list)
        and bool(sentences)
        and isinstance(sentences[0], dict)
        and "tokens" in sentences[0]
    )
