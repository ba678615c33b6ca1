"""Labelled spans and typed relations between them, as annotation tools export them."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.formats.kit.building import note_no_coreference
from corefkit.formats.kit.draft import Draft, Run, corpus_of
from corefkit.formats.kit.json import JsonValue, ShapeError, note_shape


class SpanDraft(Draft):
    """A text of which a file says all spans and relations; some are mentions and coreference.

    A relation is coreference if the reading chose one of its types, or else if one begins with
    "coref" or it has none.

    Attributes:
        labels: span → its labels.
        identity: how many relations are coreference.
        types: the types of the others.
    """

    def __init__(
        self, name: str | None, collector: Collector, line: int, text: str, reading: Reading
    ) -> None:
        super().__init__(name, collector, line, text=text)
        self.labels: dict[Hashable, tuple[str, ...]] = {}
        self.types: list[str] = []
        self.identity = 0
        self._chosen = reading.listed("relations")

    def span(  # noqa: PLR0913, PLR0917 (what a span may have)
        self,
        id: Hashable,
        runs: Sequence[Run],
        line: int,
        labels: tuple[str, ...],
        text: str | None = None,
        shown: str = "",
    ) -> None:
        """Add a span with its labels, and with the text that the file repeats."""
        if self.mention(id, runs, line, text=text, shown=shown):
            self.labels[id] = labels

    def relate(self, types: Sequence[str], ids: Sequence[Hashable], line: int) -> None:
        """Add a relation between spans."""
        if self._chosen:
            identity = any(type in self._chosen for type in types)
        else:
            identity = not types or any(type.lower().startswith("coref") for type in types)
        self.identity += identity
        if identity:
            self.link(ids, line)
        else:
            self.types += types
            self.unread["relation"] += 1


def keep_mentions(drafts: Sequence[SpanDraft], reading: Reading, usual: Iterable[str] = ()) -> bool:
    """Keep the mentions: spans that are linked, or have the label of one; False if there are none.

    The reading may choose other labels; where nothing is linked, the `usual` ones that occur count.
    """
    linked = {label for d in drafts for id in d.linked for label in d.labels.get(id, ())}
    known = {label for d in drafts for listed in d.labels.values() for label in listed}
    chosen = {*reading.listed("mentions")} or linked or known.intersection(usual)
    for draft in drafts if chosen else ():
        ends = draft.linked
        own = draft.labels
        kept = [id for id in draft if id in ends or not chosen.isdisjoint(own.get(id, ()))]
        draft.keep(dict.fromkeys(kept))
    return bool(chosen)


def corpus_of_spans(  # noqa: PLR0913, PLR0917 (what is read, how, and into what)
    format: str,
    data: bytes,
    values: Iterable[JsonValue],
    reading: Reading,
    read: Callable[[Any, int, Collector], SpanDraft | None],
    collector: Collector,
) -> Corpus:
    """The corpus in decoded values, which `read` turns into documents.

    It raises ShapeError for a value that it cannot read, and returns None for one that is not a
    document. If no span is linked and the reading chose no labels, all spans are mentions.
    """
    drafts = []
    for value in values:
        try:
            draft = read(value.content, value.line, collector)
        except ShapeError as error:
            note_shape(collector, value.line, error)
            continue
        drafts += [] if draft is None else [draft]
    types = sorted({type for draft in drafts for type in draft.types})
    if types and not any(draft.linked for draft in drafts):
        expected = "relations of a type that begins with coref"
        note_no_coreference(collector, f"the relations {', '.join(types)}", expected)
    labels = [label for d in drafts for listed in d.labels.values() for label in listed if label]
    if drafts and len({*labels}) > 1:
        drafts[0].unread["label"] += len(labels)
    keep_mentions(drafts, reading)
    return corpus_of(format, data, drafts, collector, "character")
