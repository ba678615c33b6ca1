"""The dialects of JSON that systems write, as data."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from corefkit.data.names import GENRES
from corefkit.formats.jsonlines import layout
from corefkit.formats.jsonlines.layout import Layout


@dataclass(frozen=True)
class Dialect:
    """A dialect.

    Attributes:
        name: what it is called in options.
        lay_out: finds the tokens of a document.
        clusters: the fields that may hold the clusters of a key, the first that is there counts.
        predicted: the fields that are looked at first in a response.
        exclusive: whether the end of a span is the first token behind it.
        named: the field with the name of the document.
        texts: fields that repeat the texts of mentions.
    """

    name: str
    lay_out: Callable[[dict[str, Any]], Layout]
    clusters: tuple[str, ...] = ("clusters",)
    predicted: tuple[str, ...] = ()
    exclusive: bool = False
    named: str = "doc_key"
    texts: tuple[str, ...] = ()

    def document_name(self, row: dict[str, Any]) -> str | None:
        """The name of the document; None where it has none."""
        name = row.get(self.named)
        if name is None or isinstance(name, (list, dict)) or str(name).strip() in {"", *GENRES}:
            return None
        if self.name == "wl-coref" and type(row.get("part_id")) is int:
            return f"({name}); part {row['part_id']:03}"
        return str(name).strip()


_PREDICTED = ("predicted_clusters",)
_EITHER = ("clusters", "predicted_clusters")

DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect
    for dialect in (
        Dialect("e2e", layout.by_sentences, _EITHER, _PREDICTED),
        Dialect("subtoken", layout.of_pieces, _EITHER, _PREDICTED),
        Dialect(
            "wl-coref",
            layout.of_wl_coref,
            ("span_clusters", "clusters"),
            exclusive=True,
            named="document_id",
        ),
        Dialect("lingmess", partial(layout.by_tokens, name="tokens"), _EITHER, _PREDICTED),
        Dialect("fastcoref", layout.by_text, exclusive=True, texts=("clusters_strings",)),
        Dialect(
            "maverick",
            partial(layout.by_tokens, name="tokens"),
            ("clusters_token_offsets",),
            named="doc_id",
            texts=("clusters_token_text", "clusters_text_mentions"),
        ),
        Dialect("spacy", layout.by_sentences, exclusive=True),
        Dialect("allennlp", partial(layout.by_tokens, name="document")),
        Dialect("preco", layout.of_preco, ("mention_clusters",), exclusive=True, named="id"),
        Dialect("indiscrim", layout.of_indiscrim, ("coref_chains",), named="id"),
    )
}
"""By name; `s2e-predictions`, whose documents are keys of two objects, has a reader of its own."""
