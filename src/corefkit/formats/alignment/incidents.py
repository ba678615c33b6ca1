"""The incidents of an alignment."""

from corefkit.data.corpus import Corpus
from corefkit.data.incidents import Collector, Incident
from corefkit.data.texts import count_of, quote, shorten
from corefkit.formats.alignment.words import Alignment, Change

DIFFERENT = 0.5
"""Texts that cover less than this share of the key are not texts of the same document."""

_SHOWN = 3


def tell_changes(corpus: Corpus, document: int, alignment: Alignment, found: Collector) -> None:
    """One incident where a text is not that of the key: changed, broken off, or another one."""
    if not alignment.changes:
        return
    coverage = alignment.coverage
    place = corpus.document_place(document)
    if coverage < DIFFERENT:
        kind = "text-differs"
        message = f"the text is not that of the key: {_percent(coverage)} of its characters found"
        hint = "check that the files belong together; --documents leaves documents out"
    elif alignment.truncated and len(alignment.changes) == 1:
        kind = "text-truncated"
        message = f"the text breaks off: {_percent(coverage)} of the key's characters are there"
        hint = "let the model write on; the mentions of what is missing count as not found"
    else:
        kind = "text-changed"
        message = (
            f"the text was changed: {_percent(coverage)} of the key's characters are there, "
            f"{changed_words(alignment)}"
        )
        if alignment.truncated:
            message += "; it breaks off before the end"
        hint = "mentions are placed by an alignment; see it with corefkit align"
    found.add(
        Incident(
            kind,
            "error" if kind == "text-differs" else "warning",
            message,
            **place,
            document=corpus.names[document],
            found="; ".join(_show(alignment, c) for c in alignment.changes[:_SHOWN]),
            hint=hint,
        )
    )


def tell_lost(corpus: Corpus, said: dict[int, str], found: Collector) -> None:
    """One incident for each mention that could not be placed; `said` are their texts, by row."""
    for row, text in said.items():
        found.add(
            Incident(
                "mention-unaligned",
                "warning",
                "a mention has no place in the text of the key",
                **corpus.mention_place(row),
                document=corpus.names[int(corpus.document[row])],
                found=f"{quote(text)} of entity {shorten(corpus.labels[int(corpus.entity[row])])}",
                hint="a wrong mention, unless --unaligned drop leaves it out",
            )
        )


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
        return f"{at}: {ours!r} is missing"
    return f"{at}: {said!r} for {ours!r}" if ours else f"{at}: {said!r} was added"


def _percent(share: float) -> str:
    """A share, never rounded up to all.

    >>> _percent(0.99999), _percent(1.0)
    ('99.9 %', '100.0 %')
    """
    return f"{int(1000 * share) / 10:.1f} %"
