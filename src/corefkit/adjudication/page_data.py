"""What the page of adjudication embeds: a draft as plain data, so that the page needs no server.

```
{"corefkit": "adjudication-page", "version": 1,
 "certain": "majority" | "all", "ask_mentions": null | N,
 "annotators": ["anna", "ben"],
 "inputs": [{"annotator": "anna", "sha256": "…"}],
 "decisions": [entry, …],                        the log so far, oldest first
 "documents": [{
   "name", "unit": "token" | "character",
   "annotators": those who take part in the document,
   "nodes": the text of each position; of characters one string, whose code points are positions,
   "labels": how positions are written in spans; null: by their number from 0,
   "zeros": the positions that are empty nodes,
   "sentences": the positions at which sentences begin, of characters lines,
   "units": [{"state": "accepted" | "boundary" | "mention" | "outvoted",
              "accepted": the span that is certain, or null,
              "block": its number, null where it is outvoted,
              "item": the number of the item about it, or null,
              "variants": [{"span": "0-2", "parts": [[0, 2]], "votes": {"anna": 4}}]}],
   "blocks": [[unit, …], …],
   "items": [those of the JSON output, with "unit", or "blocks": [left, right]],
   "outvoted": [likewise]}]}
```

Parts are runs of positions, both ends included. Votes give the number of the annotator's entity in
the document. The first variant of a unit names it. Units, blocks and items are numbered from 0.
"""

from typing import Any

from corefkit.adjudication.draft import DisputedItem, DocumentDraft, Draft, Outvoted


def page_data(draft: Draft) -> dict[str, Any]:
    """The draft as JSON data."""
    return {
        "corefkit": "adjudication-page",
        "version": 1,
        **draft.settings(),
        "annotators": [*draft.annotators],
        "decisions": [dict(decision.fields) for decision in draft.decisions],
        "documents": [_document(draft, document) for document in draft.documents],
    }


def _document(draft: Draft, document: DocumentDraft) -> dict[str, Any]:
    text, positions = draft.text(document.name), document.positions
    block_of = {unit: number for number, block in enumerate(document.blocks) for unit in block}
    item_of = {item.unit: number for number, item in enumerate(document.items)}
    units = [
        {
            "state": unit.state,
            "accepted": positions.write(unit.accepted.runs) if unit.accepted else None,
            "block": block_of.get(number),
            "item": item_of.get(number),
            "variants": [
                {
                    "span": positions.write(variant.runs),
                    "parts": [[*run] for run in variant.runs],
                    "votes": {document.annotators[a]: e for a, e in sorted(variant.votes.items())},
                }
                for variant in unit.variants
            ],
        }
        for number, unit in enumerate(document.units)
    ]
    return {
        "name": document.name,
        "unit": text.unit,
        "annotators": [*document.annotators],
        "nodes": text.nodes if isinstance(text.nodes, str) else [*text.nodes],
        "labels": None if positions.labels is None else [*positions.labels],
        "zeros": sorted(positions.zeros),
        "sentences": [*text.sentences],
        "units": units,
        "blocks": [[*block] for block in document.blocks],
        "items": [_numbered(item) for item in document.items],
        "outvoted": [_numbered(entry) for entry in document.outvoted],
    }


def _numbered(item: DisputedItem | Outvoted) -> dict[str, Any]:
    """An item with the number of its unit, or those of its blocks."""
    fields = {**item.to_dict(), "document": item.document, "spans": [*item.spans]}
    if item.blocks is not None:
        return {**fields, "blocks": [*item.blocks]}
    return {**fields, "unit": item.unit}
