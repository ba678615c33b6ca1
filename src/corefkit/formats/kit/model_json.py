"""JSON as language models write it: in a fence of Markdown, within a text, or truncated.

An answer is found wherever it is in an object: as marked-up text, or as JSON with clusters of
strings.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from corefkit.formats.kit.detection import JSON_IN_CHAT, unfenced
from corefkit.formats.registry import get_format, looks_in
from corefkit.formats.table import MARKS

CLUSTERS = (
    *("clusters", "predicted_clusters", "entities", "chains", "coreference", "coref", "groups"),
    *("answer", "answers", "response", "output", "prediction", "predictions", "completion"),
)
"""Names of fields in which language models give clusters of strings."""
_PROMPTS = frozenset(
    {"few_shot", "input", "instruction", "instructions", "messages", "prompt", "question", "system"}
)
"""Names of fields with what language models are asked."""
_ANSWER = re.compile(
    rf'(?i)(?:\A|\\?"(?:{"|".join(CLUSTERS)})\\?"\s*:)'.encode()
    + rb'\s*\[(?:\s*\[\s*\]\s*,)*\s*\[(?:\s|\\n)*\\?"'
)


def mark_up(text: bytes) -> str | None:
    """The format of the mark-up in an answer; None if there is none."""
    for name, look in looks_in(MARKS):
        form = get_format(name)
        if form.answers and not form.task_text and look.marks and re.search(look.marks, text):
            return name
    return None


def has_answer(head: bytes) -> bool:
    """Whether JSON holds marked-up text, or clusters of strings in a field usual for them."""
    return bool(mark_up(head) or _ANSWER.search(head))


def are_strings(value: Any) -> bool:
    """Whether a value is a list of clusters whose first mention is a string."""
    if not isinstance(value, list) or not all(isinstance(cluster, list) for cluster in value):
        return False
    first = next((cluster[0] for cluster in value if cluster), None)
    return isinstance(first, str)


def answer_fields(row: Mapping[str, Any], *, chat: bool = False) -> list[str]:
    """The fields of an object that hold an answer; a dotted name is a field within others.

    An answer is marked-up text, or text that is JSON with clusters of strings, fenced or not; with
    `chat`, other text may be around the JSON, but not in a prompt, which may show an example.

    >>> answer_fields({"id": 1, "choices": [{"message": {"content": "[Emma](#1) ran."}}]})
    ['choices.0.message.content']
    """
    return [
        ".".join(steps)
        for steps, text in _texts_within(row)
        if mark_up(text.encode("utf-8", "replace"))
        or (
            (json_begin(_without_fence(text)) == 0 or (chat and steps[0].lower() not in _PROMPTS))
            and _has_clusters(text)
        )
    ]


def _has_clusters(text: str) -> bool:
    return are_strings(unpacked(text)) or bool(broken_clusters(text))


_JSON_BEGINS = re.compile(r'\A[\[{]\s*["\[{\]}]|' + JSON_IN_CHAT)


def json_begin(text: str) -> int | None:
    """The first character of the JSON in an answer, perhaps after other text; None without JSON.

    >>> json_begin('Sure: {"clusters": []}'), json_begin("[Emma](#1) ran.")
    (6, None)
    """
    found = _JSON_BEGINS.search(text)
    return found and found.start()


def _without_fence(text: str) -> str:
    return unfenced(text.encode("utf-8", "replace")).decode("utf-8", "replace").strip()


def unpacked(text: str) -> Any:
    """The clusters in a text that is JSON, fenced or within chat; else the text without its fence.

    >>> unpacked('Sure: {"clusters": [["Emma", "her"]]}'), unpacked("[Emma](#1) ran.")
    ([['Emma', 'her']], '[Emma](#1) ran.')
    """
    import json

    inner = _without_fence(text)
    begin = json_begin(inner)
    if begin is None:
        return inner
    try:
        value, end = json.JSONDecoder().raw_decode(inner, begin)
    except (ValueError, RecursionError):
        return inner
    around = f"{inner[:begin]}\n{inner[end:]}"
    if json_begin(around.strip()) is not None or mark_up(around.encode("utf-8", "replace")):
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
    """The complete clusters of strings in truncated JSON, fenced or after other text.

    None if there are none.

    >>> broken_clusters('```json\\n{"clusters": [["Emma", "her"], ["bo')
    [['Emma', 'her']]
    """
    inner = _without_fence(text)
    value = completed(inner[json_begin(inner) or 0 :])
    clusters: Any = string_clusters(value) if isinstance(value, dict) else value
    if not are_strings(clusters) or not are_clusters(clusters):
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

    They may be an empty list. None if there is no such field. Other names do not count: sentences
    and speakers are lists of lists of strings, too.
    """
    names = [name for name in row if name.lower() in CLUSTERS] if field is None else [field]
    listed = [row[name] for name in names if name in row]
    return next(filter(are_strings, listed), [] if [] in listed else None)
