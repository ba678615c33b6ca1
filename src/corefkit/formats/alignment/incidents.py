"""The incidents of an alignment."""

from corefkit.data.corpus import Corpus
from corefkit.data.incidents import Collector
from corefkit.data.texts import count_of, quote, shorten
from corefkit.formats.alignment.words import Alignment, Change

DIFFERENT = 0.5
"""Texts that cover less than this share of the key are not texts of the same document."""

_SHOWN = 3


def tell_changes(corpus: Corpus, document: int, alignment: Alignment, found: Collector) -> None:
    """One incident where a text is not that of the key: changed, broken off, or another one."""
    if not alignment.changes:
        return
    kind, variant = "text-changed", "truncated" if alignment.truncated else ""
    if alignment.coverage < DIFFERENT:
        kind, variant = "text-differs", ""
    elif alignment.truncated and len(alignment.changes) == 1:
        kind, variant = "text-truncated", ""
    found.note(
        kind,
        variant,
        share=_percent(alignment.coverage),
        changes=changed_words(alignment),
        **corpus.document_place(document),
        found="; ".join(_show(alignment, c) for c in alignment.changes[:_SHOWN]),
    )


def tell_lost(corpus: Corpus, said: dict[int, str], found: Collector) -> None:
    """One incident for each mention that could not be placed; `said` are their texts, by row."""
    for row, text in said.items():
        shown = f"{quote(text)} of entity {shorten(corpus.labels[int(corpus.entity[row])])}"
        found.note("mention-unaligned", **corpus.mention_place(row), found=shown)


def changed_words(alignment: Alignment) -> str:
    """How many words were replaced, added and dropped.

    >>> from corefkit.formats.alignment.words import align_words
    >>> changed_words(align_words(["a", "tale"], "the tale"))
    '1 word replaced, 0 added, 0 dropped'
    """
    replaced, added, dropped = (
        sum(getattr(change, name) for change in alignment.changes)
        for name in ("replaced", "added", "dropped")
    )
    return f"{count_of(replaced, 'word')} replaced, {added:,} added, {dropped:,} dropped"


def _show(alignment: Alignment, change: Change) -> str:
    said = shorten(" ".join(alignment.text[slice(*change.characters)].split()), 40)
    ours = shorten(" ".join(alignment.words[slice(*change.words)]), 40)
    at = f"token {change.words[0]:,}"
    if not said:
        return f"{at}: {quote(ours)} is missing"
    return f"{at}: {quote(said)} for {quote(ours)}" if ours else f"{at}: {quote(said)} was added"


def _percent(share: float) -> str:
    """A share as a percentage, cut after one digit, so that nothing but all is 100.0.

    >>> _percent(0.99999), _percent(1.0)
    ('99.9 %', '100.0 %')
    """
    return f"{int(1000 * share) / 10:.1f} %"
