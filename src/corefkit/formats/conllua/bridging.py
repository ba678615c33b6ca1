"""The column BRIDGING: pairs of an anaphor and its anchor, both markables of IDENTITY."""

import re
from typing import TYPE_CHECKING

import numpy as np

from corefkit.data.texts import quote
from corefkit.formats.conllua.documents import Documents
from corefkit.formats.conllua.rows import Rows
from corefkit.formats.conllua.trouble import Trouble
from corefkit.formats.files import AS_THEY_ARE

if TYPE_CHECKING:
    from corefkit.formats.conllua.reader import _Made

_ENTRY = re.compile(r"[^()]+")
_FEATURE = re.compile(r"\s*([^=|@]+?)\s*=([^|@]*)")
_ANAPHOR = ("markableid", "mentionid", "markable_id")


def read_bridging(rows: Rows, documents: Documents, made: "_Made", trouble: Trouble) -> None:
    """Add the pairs; the later of two for one anaphor, or for the same words, counts."""
    chosen, begin, end = rows.filled("BRIDGING", rows.token | rows.zero)
    number = np.searchsorted(documents.first, chosen, side="right") - 1
    pairs: dict[object, tuple[str, int, int, str]] = {}
    parts = {row: tuple(nodes) for row, nodes in made.parts}
    places = zip(begin.tolist(), end.tolist(), number.tolist(), strict=True)
    for first, last, document in places:
        if not 0 <= document < len(documents.names):
            continue
        text = rows.data[first:last].decode("utf-8", AS_THEY_ARE)
        for entry in _ENTRY.findall(text):
            values = {name.lower(): value.strip() for name, value in _FEATURE.findall(entry)}
            if not values:
                continue
            named, name = made.named[document], documents.names[document]
            anaphor = next((values[one] for one in _ANAPHOR if one in values), "")
            anchor = values.get("mentionanchor", "")
            if problem := _problem(anaphor, anchor, named):
                trouble.byte(
                    "bridge-unknown", first, f"BRIDGING: {problem}", document=name, found=entry
                )
                continue
            row = named[anaphor]
            words = made.rows[row][:3], made.rows[row].zero, parts.get(row)
            pairs.pop(words, None)
            pairs[words] = ("bridging", row, named[anchor], values.get("rel", ""))
    made.links += pairs.values()


def _problem(anaphor: str, anchor: str, named: dict[str, int]) -> str:
    if anaphor not in named:
        return f"the anaphor {quote(anaphor)} is no markable of the IDENTITY column"
    if not anchor:
        return f"the bridging reference of {quote(anaphor)} has no MentionAnchor"
    if anchor not in named:
        return f"the anchor {quote(anchor)} is no markable of the IDENTITY column"
    return ""
