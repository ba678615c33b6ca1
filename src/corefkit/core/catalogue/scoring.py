"""Incidents of scoring a response against a key."""

from corefkit.core.catalogue.kind import ENDS, Kind, error, one_message, warning

_COPIES = {
    "": "the copy in entity {entity} is scored, the other is dropped; --duplicates error refuses "
    "the file",
    "compared": "one copy is compared, the others are left out",
    "error": "remove one of the copies, or let corefkit choose: --duplicates first",
    "both": "both copies are scored, as CoVal does; --duplicates error refuses the file",
    "each": "as corefud-scorer, each entity keeps one copy; --duplicates error refuses the file",
}
"""What becomes of copies of a span."""

SCORING: dict[str, Kind] = {
    "mentions-cross": error(
        "Two mentions of one entity overlap without one being inside the other. No file can say "
        "this, because brackets of one id nest; a corpus made in Python can.",
        "Correct the spans, or put one of them into another entity.",
        {
            "": "two mentions of one entity cross",
            "conllua": (
                "two mentions cross, which is not written in CoNLL-UA",
                "choose another format, or correct the spans",
            ),
        },
    ),
    "no-common-document": error(
        "Key and response have not a single document in common, so there is nothing to score. Most "
        "likely the files do not belong together, or the names are written differently. Profiles "
        "that do not compare lengths warn, and score 0.",
        "Check that the files belong together; names are compared whole, parts included.",
        "key and response have no document in common",
    ),
    "length-differs": error(
        "A document has different numbers of tokens in key and response, so spans cannot be "
        "compared. The incident names the first line that departs.",
        "Use the tokenisation of the key. --lengths ignore compares spans all the same.",
        {
            "": "the document has {key:,} tokens in the key and {response:,} in the response",
            "sentence": "a sentence has {key:,} words in the key and {response:,} in the response",
        },
    ),
    "document-unknown": error(
        "The document that was asked for is not in the key.",
        "Give its whole name, as it stands behind '#begin document', part included.",
        "the key has no document '{name}'",
    ),
    "mentions-repeated": error(
        "The response repeats more than ten mentions of the key; the reference scorer refuses such "
        "files, and so does the profile conll-8.01.",
        "Correct the response, or score it with another profile.",
        "the reference scorer refuses a response with so many repeated mentions",
    ),
    "empty-nodes-differ": error(
        "A CorefUD document has other empty nodes in the response than in the key. Only the "
        "profile corefud-1.1 minds: the scorer of 2022 and 2023 compares the forms of words and "
        "empty nodes side by side and refuses files in which two differ, an error; where the "
        "forms do not show it, it scores them.",
        "Use the empty nodes of the key, or score by the profile corefud.",
        "the document has other empty nodes than in the key",
    ),
    "head-unknown": error(
        "Mentions are to be matched by their heads (--match head or partial), and the files "
        "neither declare heads nor have trees.",
        "Score with --match exact, or against a key with a parse column or with heads.",
        "--match {match} needs heads, and no mention of several tokens has one",
    ),
    "span-outside": error(
        "A span reaches beyond the end of the document in the key. No file can say this; a corpus "
        "made in Python can.",
        "Correct the spans, or score against the right key.",
        {
            "": "a span reaches beyond the end of the document",
            "side": (
                "the {side} has {number:,} row(s) whose start and end are no span",
                "both ends are included and count from 0",
            ),
            "type": (
                "the values of {name} in the {side} are of type {type}, not whole numbers",
                "a column of another type can be the whole mention: --columns mention={name}",
            ),
            "rows": (
                "{number:,} row(s) have a start and an end that are no span",
                "both ends are included and count from 0",
            ),
            **one_message("a span reaches beyond the document", ENDS),
        },
    ),
    "ids-unseen": warning(
        "Brackets with ids other than numbers are left out, because the profile conll-8.01 or "
        "--ids digits asks for it: the reference scorer does not see them.",
        "Number the entities, or score with another profile or --ids any.",
        "{number:,} bracket(s) with ids that are not numbers are not seen",
    ),
    "brackets-glued": warning(
        "An opening bracket stands right before another one, as in (1(2, and is left out, because "
        "the profile coval or --glued last asks for it: CoVal sees only the last of them.",
        "Write | between brackets, or score with another profile or --glued all.",
        "an opening bracket stands right before another one and is not seen",
    ),
    "span-twice": warning(
        "One entity has the same span twice; one copy is scored.",
        "Remove one of the two. --duplicates error refuses such files.",
        one_message("a span is twice in entity {entity}", _COPIES),
    ),
    "span-in-two-entities": warning(
        "A span is a mention of two entities. The copy in the entity that comes first in the text "
        "is scored, the other dropped; scorers differ here.",
        "Decide for one entity. --duplicates error refuses such files.",
        {
            **one_message("a span is in entity {entity} and in entity {other}", _COPIES),
            **one_message(
                "the {side} has {number:,} mention(s) more than once",
                {
                    "refused": "give each mention one entity; up to {most:,} mentions in entities "
                    "with repeated ones are settled by --duplicates first",
                    "settled": "one copy of each is scored, as --duplicates first says",
                    "listed": "the first copy counts, in the order of the lists",
                },
            ),
            "written": (
                "{number:,} mentions have the span of another mention",
                "all are written; scoring keeps one copy of each span",
            ),
        },
    ),
    "mention-repeated": warning(
        "The response has a key mention twice, or the key has a span twice. The profile conll-8.01 "
        "scores the first copy in the response and every copy in the key, with the message of the "
        "reference scorer.",
        "Remove one of the two.",
        {
            "key": ("{said}", "every copy is scored, as the reference scorer does"),
            "response": ("{said}", "the first copy is scored, as the reference scorer does"),
        },
    ),
    "document-missing": warning(
        "The response lacks a document of the key. It is scored as if it had no mentions.",
        "Add the document. --missing error refuses such responses.",
        {
            **one_message(
                "the response lacks a document of the key",
                {
                    "": "it counts as a document without mentions; --missing error refuses it",
                    "refused": "add the document, or let it count as one without mentions: "
                    "--missing empty",
                },
            ),
            "counted": (
                "{number:,} document(s) of the key are not in the response",
                "they count as empty",
            ),
        },
    ),
    "document-extra": warning(
        "The response has a document that the key lacks. It is not scored.",
        "Check the name: it is compared whole, part included. --extra error refuses it.",
        {
            **one_message(
                "the response has a document that the key lacks",
                {
                    "": "it is not scored; --extra error refuses it",
                    "refused": "remove the document, or leave it out of the score: --extra ignore",
                },
            ),
            "counted": (
                "{number:,} document(s) of the response are not in the key",
                "they are left out",
            ),
        },
    ),
    "words-differ": warning(
        "A document has the same number of tokens in key and response but other words. Perhaps the "
        "tokenisation differs in two places that make up for each other.",
        "Check the first place named; masked words ([WORD], ___) are not compared.",
        (
            "{number:,} token(s) of the document are other words than in the key",
            "this is the first place; the spans are compared by their token numbers all the same",
        ),
    ),
}
