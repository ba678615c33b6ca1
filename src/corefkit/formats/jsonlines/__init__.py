"""The JSON dialects of neural systems: one Format each.

e2e, X.jsonl:
    {"doc_key": "x", "sentences": [["Ada", "said", "her", "say"]], "clusters": [[[0, 0], [2, 2]]]}
preco, X.jsonl:
    {"id": "x", "sentences": [["Ada", "said", "it"]], "mention_clusters": [[[0, 0, 1], [0, 2, 3]]]}
indiscrim, X.jsonl:
    {"id": "x", "sentences": [{"tokens": [{"text": "Ada"}]}], "coref_chains": [[[0, 0, 0]]]}
maverick, X.json:
    {"doc_key": "x", "tokens": ["Ada", "said", "it"], "clusters_token_offsets": [[[0, 0], [2, 2]]]}
wl-coref, X.jsonlines:
    {"document_id": "x", "cased_words": ["Ada", "said"], "sent_id": [0, 0], "clusters": [[[0, 1]]]}
allennlp, X.json:
    {"document": ["Ada", "said", "it"], "clusters": [[[0, 0], [2, 2]]]}
subtoken, X.jsonlines:
    {"doc_key": "x", "subtoken_map": [0, 0], "sentences": [["A", "##da"]], "clusters": [[[0, 1]]]}
lingmess, X.jsonl:
    {"doc_key": "x", "tokens": ["Ada", "said", "it"], "clusters": [[[0, 0], [2, 2]]]}
fastcoref, X.json:
    {"text": "Ada said it", "clusters": [[[0, 3], [9, 11]]], "clusters_strings": [["Ada", "it"]]}
s2e-predictions, X.jsonl:
    {"x": [[[0, 0], [2, 2]]]}
    {"x": [0, 1, 2]}

Dialects differ in the names of fields, in whether spans include their last token, and in whether
words are in one list or many, are cut into pieces, or are a text.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from corefkit.formats.format import Format, Look
from corefkit.formats.jsonlines.reader import find_links, parse
from corefkit.formats.jsonlines.writer import write
from corefkit.formats.kit.model_json import are_strings
from corefkit.formats.options import CLUSTERS, ENDS

_HOLDS = frozenset({"singletons", "crossing", "words", "names"})
_SENTENCES = _HOLDS | {"sentences"}


def _with(*keys: str) -> list[Look]:
    """The looks of documents with such fields, whose clusters are not of strings."""
    return [Look(keys=names, document=_has_spans) for names in keys]


def _has_spans(row: Mapping[str, Any]) -> bool:
    return not any(are_strings(row.get(name)) for name in ("clusters", "predicted_clusters"))


def _are_predictions(row: Mapping[str, Any]) -> bool:
    """Whether all values are lists whose first item has the shape of a cluster."""
    return bool(row) and all(map(_is_prediction, row.values()))


def _is_prediction(value: Any) -> bool:
    if not isinstance(value, list):
        return False
    first = value[0] if value else []
    return isinstance(first, list) and all(isinstance(mention, list) for mention in first)


def _dialect(name: str, title: str, looks: Sequence[Look], **fields: Any) -> Format:
    """A dialect of clusters of spans; the fields are those of Format that it has of its own."""
    known: dict[str, Any] = {
        "options": (CLUSTERS, ENDS),
        "suffixes": (".jsonlines", ".jsonl", ".json"),
        "find_links": partial(find_links, name=name),
    }
    return Format(name, title, partial(parse, name=name), looks=looks, **{**known, **fields})


PRECO = _dialect(
    "preco",
    "JSON lines of PreCo",
    _with("mention_clusters"),
    write=partial(write, name="preco"),
    holds=_SENTENCES,
)
INDISCRIM = _dialect(
    "indiscrim",
    "JSON lines of coref-data",
    _with("coref_chains"),
    write=partial(write, name="indiscrim"),
    holds=_SENTENCES,
)
MAVERICK = _dialect(
    "maverick",
    "JSON of Maverick, xCoRe and text2text",
    _with("clusters_token_offsets"),
    write=partial(write, name="maverick"),
    holds=_HOLDS | {"zeros"},
    task_text=True,
)
WL_COREF = _dialect(
    "wl-coref",
    "JSON lines of wl-coref",
    _with("cased_words"),
    write=partial(write, name="wl-coref"),
    holds=_SENTENCES | {"speakers"},
)
ALLENNLP = _dialect("allennlp", "JSON of AllenNLP", _with("document clusters"), holds=_HOLDS)
SUBTOKEN = _dialect(
    "subtoken",
    "JSON lines with sub-tokens (SpanBERT, coref-hoi)",
    _with("subtoken_map sentences"),
    holds=_SENTENCES,
)
E2E = _dialect(
    "e2e",
    "JSON lines of e2e-coref and its descendants",
    _with("sentences clusters", "sentences predicted_clusters"),
    write=partial(write, name="e2e"),
    holds=_SENTENCES | {"speakers"},
)
LINGMESS = _dialect("lingmess", "JSON lines of LingMess", _with("tokens clusters"), holds=_HOLDS)
FASTCOREF = _dialect(
    "fastcoref",
    "JSON lines of fastcoref",
    _with("text clusters"),
    unit="character",
    holds=frozenset({"singletons", "crossing", "text"}),
)
S2E = _dialect(
    "s2e-predictions",
    "predictions of s2e-coref",
    (Look(document=_are_predictions),),
    holds=_HOLDS - {"words"},
    options=(),
    find_links=None,
)
