"""What is known of each mention, by which the page of errors breaks its counts down."""

from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from corefkit.analysis.joint import Joint
from corefkit.data.incidents import DataError


def mention_features(joint: Joint) -> dict[str, list[str]]:
    """Each feature that the files tell, with its value for every mention of both sides."""
    corpus = joint.corpus
    found: dict[str, list[str]] = {}
    if tags := _tags(joint):
        found["part of speech"] = tags
    with suppress(DataError):
        names = joint.tokens.names.labels
        label = joint.tokens.name_over(corpus.document, corpus.start, corpus.end).tolist()
        if names:
            found["name class"] = [names[i] if i >= 0 else "none" for i in label]
    length = (corpus.end - corpus.start + 1).tolist()
    found["length"] = [bucket(n, (1, 2, 3, 6)) for n in length]
    ours = np.append(joint.key.entity_size, 0)[joint.key_entity]
    theirs = np.append(joint.response.entity_size, 0)[joint.response_entity]
    size = np.where(joint.key_entity >= 0, ours, theirs).tolist()
    found["entity size"] = [bucket(n, (1, 2, 4, 9)) for n in size]
    with suppress(DataError):
        found["distance in sentences"] = _distances(joint)
    return found


def _tags(joint: Joint) -> list[str]:
    """The part of speech of each head; nothing where there are no tags."""
    corpus, tokens = joint.corpus, joint.tokens
    if not tokens.has("pos") or not len(tokens.column("pos").code):
        return []
    column = tokens.column("pos")
    head = corpus.end if corpus.head is None else np.maximum(corpus.head, 0)
    at = np.clip(tokens.corpus.first_token[corpus.document] + head, 0, len(column.code) - 1)
    tags = [column.values[code] for code in column.code[at].tolist()]
    if corpus.head_zero is not None:
        tags = ["empty" if z else t for t, z in zip(tags, corpus.head_zero.tolist(), strict=True)]
    return tags


def _distances(joint: Joint) -> list[str]:
    """How many sentences back the mention before it in its entity is."""
    sentence = joint.tokens.sentence
    at = joint.tokens.corpus.first_token[joint.document] + np.maximum(joint.corpus.start, 0)
    where = sentence[np.minimum(at, max(len(sentence) - 1, 0))]
    width = joint.key.entities
    entity = np.where(joint.key_entity >= 0, joint.key_entity, width + joint.response_entity)
    order = np.lexsort((joint.rank, entity))
    back = np.full(joint.mentions, -1, dtype=np.int64)
    same = entity[order[1:]] == entity[order[:-1]]
    back[order[1:][same]] = np.diff(where[order])[same]
    return ["first" if n < 0 else bucket(n, (0, 1, 2, 5)) for n in back.tolist()]


def bucket(number: int, bounds: Sequence[int]) -> str:
    """The number itself where it is one of the first, else a range.

    >>> [bucket(n, (1, 2, 3, 6)) for n in (1, 3, 5, 9)]
    ['1', '3', '4–6', '7+']
    """
    below = None
    for bound in bounds:
        if number <= bound:
            return str(bound) if below is None or below + 1 == bound else f"{below + 1}–{bound}"
        below = bound
    return f"{bounds[-1] + 1}+"
