"""The dialect of a JSON file, by the keys of its first document, and answers of language models.

An answer is recognised wherever it is in an object: as marked-up text, or as JSON with clusters of
strings, perhaps in a fence of Markdown, perhaps truncated. The reader of such answers uses the same
functions.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from corefkit.formats.kit.detection import LINK_NAMES, MARKED, SEARCHED, mark_up, unfenced

_JSON_KEYS: tuple[tuple[str, frozenset[str]], ...] = (
    ("cas-json", frozenset({"%TYPES"})),
    ("corenlp-json", frozenset({"corefs"})),
    ("label-studio", frozenset({"data", "annotations"})),
    ("rucoco", frozenset({"text", "entities", "includes"})),
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
"""The keys that identify each dialect; the first rule that fits counts."""


def answer_fields(row: Mapping[str, Any]) -> list[str]:
    """The fields of an object that hold an answer; a dotted name is a field within others.

    An answer is marked-up text, or text that is JSON with clusters of strings, fenced or not.

    >>> answer_fields({"id": 1, "choices": [{"message": {"content": "[Emma](#1) ran."}}]})
    ['choices.0.message.content']
    """
    return [
        ".".join(steps)
        for steps, text in _texts_within(row)
        if mark_up(text.encode("utf-8", "replace")) in MARKED
        or _are_strings(unpacked(text))
        or broken_clusters(text)
    ]


def unpacked(text: str) -> Any:
    """The clusters in a text that is JSON, fenced or not; otherwise the text without its fence.

    >>> unpacked('{"clusters": [["Emma", "her"]]}'), unpacked("[Emma](#1) ran.")
    ([['Emma', 'her']], '[Emma](#1) ran.')
    """
    import json

    inner = unfenced(text.encode("utf-8", "replace")).decode("utf-8", "replace").strip()
    if inner[:1] not in ("[", "{"):
        return inner
    try:
        value = json.loads(inner)
    except (ValueError, RecursionError):
        return inner
    clusters: Any = string_clusters(value) if isinstance(value, dict) else value
    return clusters if are_clusters(clusters) else inner


_JSON_TOKEN = r'(?s)"(?:[^"\\]|\\.)*+"|[\[\]{}"]'
_LONGEST_ANSWER = 1 << 20
"""Longer JSON, in characters, is not taken for a truncated answer."""


def completed(text: str) -> Any:
    """The value of truncated JSON, up to the last bracket of a list; None if it is not truncated.

    >>> completed('{"id": 1, "clusters": [["Emma", "her"], ["bo')
    {'id': 1, 'clusters': [['Emma', 'her'], []]}
    """
    import json

    if text[:1] not in ("[", "{") or len(text) > _LONGEST_ANSWER:
        return None
    tokens = [(match[0], match.end()) for match in re.finditer(_JSON_TOKEN, text)]
    if not _open_brackets(token for token, _ in tokens):
        return None
    lists = [number for number, (token, _) in enumerate(tokens, 1) if token in ("[", "]")]
    kept = tokens[: lists[-1] if lists else 0]
    end = kept[-1][1] if kept else 0
    missing = "".join(reversed(_open_brackets(token for token, _ in kept) or []))
    try:
        return json.loads(text[:end] + missing)
    except (ValueError, RecursionError):
        return None


def _open_brackets(tokens: Iterable[str]) -> list[str] | None:
    """The brackets that would close those left open; None if one is closed by the wrong kind."""
    closing: list[str] = []
    for token in tokens:
        if token in ("[", "{"):
            closing.append("]" if token == "[" else "}")
        elif token in ("]", "}") and (not closing or closing.pop() != token):
            return None
    return closing


def broken_clusters(text: str) -> list[list[str]] | None:
    """The complete clusters of strings in truncated JSON, fenced or not; None if there are none.

    >>> broken_clusters('```json\\n{"clusters": [["Emma", "her"], ["bo')
    [['Emma', 'her']]
    """
    value = completed(unfenced(text.encode("utf-8", "replace")).decode("utf-8", "replace").strip())
    clusters: Any = string_clusters(value) if isinstance(value, dict) else value
    if not _are_strings(clusters) or not are_clusters(clusters):
        return None
    return [cluster for cluster in clusters if cluster]


def are_clusters(value: object) -> bool:
    """Whether a value is a list of lists of strings."""
    return isinstance(value, list) and all(
        isinstance(cluster, list) and all(isinstance(text, str) for text in cluster)
        for cluster in value
    )


_DEEPEST = 12
"""How many levels of an object are searched for an answer."""


def _texts_within(value: Any, steps: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """The path and the text of each string in a JSON value; strings in lists are not answers."""
    if isinstance(value, str):
        yield steps, value
    elif len(steps) < _DEEPEST and isinstance(value, dict):
        for name, inner in value.items():
            yield from _texts_within(inner, (*steps, name))
    elif len(steps) < _DEEPEST and isinstance(value, list):
        for number, inner in enumerate(value):
            if not isinstance(inner, str):
                yield from _texts_within(inner, (*steps, str(number)))


def string_clusters(row: Mapping[str, Any], field: str | None = None) -> list[list[str]] | None:
    """The clusters of strings in this field, or else in one with a name usual for clusters.

    None if there are none. Other names do not count: sentences and speakers are lists of lists of
    strings, too.
    """
    names = [name for name in row if name.lower() in _CLUSTERS] if field is None else [field]
    return next((row[n] for n in names if n in row and _are_strings(row[n])), None)


_CLUSTERS = frozenset(
    {"clusters", "predicted_clusters", "entities", "chains", "coreference", "coref", "groups"}
    | {"answer", "answers", "response", "output", "prediction", "predictions", "completion"}
)
"""Names of fields with clusters of strings."""


def _are_strings(value: Any) -> bool:
    """Whether a value is a list of clusters whose first mention is a string."""
    if not isinstance(value, list) or not all(isinstance(cluster, list) for cluster in value):
        return False
    first = next((cluster[0] for cluster in value if cluster), None)
    return isinstance(first, str)


def _is_answer(text: bytes) -> bool:
    """Whether JSON that does not begin with an object is a list of clusters of strings."""
    import json

    if not re.match(rb'\[\s*\[\s*"', text):
        return False
    try:
        return _are_strings(json.loads(text))
    except (ValueError, RecursionError):
        return bool(broken_clusters(text.decode("utf-8", "replace")))


def recognise_json(text: bytes) -> str | None:
    """The name of the format of a JSON file; None if it is unknown."""
    first = _first_object(text)
    if first is None:
        if re.search(rb"\]\(#", text):
            return "markdown"
        if _is_answer(text):
            return "json-answers"
        if broken_clusters(text[: _LONGEST_ANSWER + 1].decode("utf-8", "replace")):
            return "json-answers"
        keys = re.findall(rb'"([\w%]+)"\s*:', text[:SEARCHED])
        return dialect_of({key.decode(): None for key in keys})
    # The first row may lack an answer that others have.
    return dialect_of(first) or ("json-answers" if mark_up(text[:SEARCHED]) in MARKED else None)


def _first_object(text: bytes) -> dict[str, Any] | None:
    """The first object, in a list or not; None if it cannot be decoded."""
    import json

    at = re.match(rb"\[\s*(?=\{)", text)
    begin = at.end() if at else 0
    for end in (text.find(b"\n", begin), None):  # usually there is one document per line
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
    """The dialect of a JSON document, by its keys; None if it is unknown."""
    keys = first.keys()
    if is_link(first):
        return "links"
    if any(_are_strings(first.get(name)) for name in ("clusters", "predicted_clusters")):
        return "json-answers"
    sentences = first.get("sentences")
    for name, required in _JSON_KEYS:
        if required <= keys:
            return name
        if name == "corenlp-json" and "coref_chains" not in keys and _have_tokens(sentences):
            return name
    if first and all(_is_prediction(value) for value in first.values()):
        return "s2e-predictions"
    return "json-answers" if answer_fields(first) or string_clusters(first) else None


def is_link(first: Mapping[str, Any]) -> bool:
    """Whether a JSON object is a line of a link list, by its keys."""
    if ("anaphor" in first or "antecedent" in first) and not isinstance(first.get("tokens"), list):
        return True
    return {"start", "end", "antecedent_start"} <= {LINK_NAMES.get(name.lower()) for name in first}


def _is_prediction(value: Any) -> bool:
    """Whether a value is a list whose first item has the shape of a cluster."""
    if not isinstance(value, list):
        return False
    first = value[0] if value else []
    return isinstance(first, list) and all(isinstance(mention, list) for mention in first)


def _have_tokens(sentences: Any) -> bool:
    """Whether the first sentence is an object with tokens."""
    return (
        isinstance(sentences, list)
        and bool(sentences)
        and isinstance(sentences[0], dict)
        and "tokens" in sentences[0]
    )
