"""An alignment as text and as JSON."""

from corefkit.core.texts import count_of, quote, shorten, versioned_json, visible
from corefkit.scoring.align import Fit, TextDifference, TextFit


def render_fit(fit: TextFit, form: str, places: int) -> str:
    """All documents; the text shows a number of places and lost mentions of each."""
    if form == "json":
        return versioned_json(fit.to_dict())
    parts = ["\n".join(_document(document, places)) for document in fit.documents]
    if len(fit.documents) != 1:
        parts.append(
            f"coverage of {count_of(len(fit.documents), 'document')}: {_share(fit.coverage)}"
        )
    return "\n\n".join(parts) + "\n"


def _document(fit: Fit, places: int) -> list[str]:
    lost = len(fit.lost)
    lines = [
        f"document: {visible(fit.document)} ({count_of(fit.words, 'word')})",
        f"coverage: {_share(fit.coverage)}" + (", the text breaks off" if fit.truncated else ""),
        f"words:    {fit.replaced:,} replaced, {fit.added:,} added, {fit.dropped:,} dropped",
        f"mentions: {fit.mentions:,}, of which {lost:,} have no place in the key",
    ]
    lines += [f"  {_change(place)}" for place in fit.places[:places]]
    if len(fit.places) > places:
        lines.append(f"  … and {count_of(len(fit.places) - places, 'more place')}")
    for mention in fit.lost[:places]:
        where = "" if mention.line is None else f"line {mention.line:,}: "
        lines.append(
            f"  {where}{quote(mention.text)} of entity {shorten(mention.entity)} has no place"
        )
    if lost > places:
        lines.append(f"  … and {count_of(lost - places, 'more mention')} without a place")
    return lines


def _change(place: TextDifference) -> str:
    at = f"token {place.token:,}: "
    if not place.text:
        return f"{at}{quote(place.key)} is missing"
    if not place.key:
        return f"{at}{quote(place.text)} was added"
    return f"{at}{quote(place.text)} for {quote(place.key)}"


def _share(share: float) -> str:
    """Cut, not rounded: only what is complete is 100 %."""
    return f"{int(1000 * share) / 10:.1f} %"
