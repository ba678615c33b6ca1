"""Features of the mentions of both sides by which the page of errors breaks them down."""

from contextlib import suppress

import numpy as np

from corefkit.analysis.joint import Joint
from corefkit.core.incidents import DataError
from corefkit.features.features import DISTANCES, FIRST, LENGTHS, SIZES, binned


def mention_features(joint: Joint) -> dict[str, list[str]]:
    """The features that are known from the files, with a value for every mention of both sides.

    Names and bands are those of `--by`.
    """
    corpus = joint.corpus
    features: dict[str, list[str]] = {}
    if tags := _tags(joint):
        features["part of speech"] = tags
    with suppress(DataError):
        names = joint.tokens.name_spans.labels
        label = joint.tokens.name_over(corpus.document, corpus.start, corpus.end).tolist()
        if names:
            features["ne"] = [names[i] if i >= 0 else "none" for i in label]
    features["length"] = binned(corpus.end - corpus.start + 1, LENGTHS).to_list()
    in_key = np.append(joint.key.entity_size, 0)[joint.key_entity]
    in_response = np.append(joint.response.entity_size, 0)[joint.response_entity]
    size = np.where(joint.key_entity >= 0, in_key, in_response)
    features["entity-size"] = binned(size, SIZES).to_list()
    with suppress(DataError):
        features["distance"] = _distances(joint)
    return features


def _tags(joint: Joint) -> list[str]:
    """The part of speech of each head; empty if there are no tags."""
    corpus, tokens = joint.corpus, joint.tokens
    if not tokens.has("pos") or not len(tokens.column("pos").code):
        return []
    column = tokens.column("pos")
    head = corpus.end if corpus.head is None else np.maximum(corpus.head, 0)
    token = np.clip(tokens.corpus.first_token[corpus.document] + head, 0, len(column.code) - 1)
    tags = [column.values[code] for code in column.code[token].tolist()]
    if corpus.head_zero is not None:
        tags = ["empty" if z else t for t, z in zip(tags, corpus.head_zero.tolist(), strict=True)]
    return tags


def _distances(joint: Joint) -> list[str]:
    """How many sentences before each mention the previous mention of its entity is."""
    sentences = joint.tokens.sentence_in_document
    token = joint.tokens.corpus.first_token[joint.document] + np.maximum(joint.corpus.start, 0)
    sentence = sentences[np.minimum(token, max(len(sentences) - 1, 0))]
    width = joint.key.entities
    entity = np.where(joint.key_entity >= 0, joint.key_entity, width + joint.response_entity)
    order = np.lexsort((joint.rank, entity))
    back = np.full(joint.mentions, -1, dtype=np.int64)
    same = entity[order[1:]] == entity[order[:-1]]
    back[order[1:][same]] = np.diff(sentence[order])[same]
    bands = binned(back, DISTANCES).to_list()
    return [FIRST if n < 0 else band for n, band in zip(back.tolist(), bands, strict=True)]
