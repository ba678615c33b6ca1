"""Incidents of anaphora beyond chains: CoNLL-UA files and their layers."""

from corefkit.core.catalogue.kind import Kind, error, warning

ANAPHORA: dict[str, Kind] = {
    "feature-missing": error(
        "A markable of a CoNLL-UA file has no EntityID.",
        "Write EntityID=… behind its opening bracket.",
        "{layer}: the markable has no EntityID",
    ),
    "markable-in-two-entities": error(
        "A MarkableID is opened again with another EntityID. Fragments of one markable are in one "
        "entity.",
        "Give one of the two another MarkableID, or both the same EntityID.",
        {
            "": (
                "{layer}: markable {name} is in entity {first} (line {first_line}) and in entity "
                "{second}"
            ),
            "sets": (
                "a markable begins twice, or is in two sets",
                "give each markable a name of its own",
            ),
        },
    ),
    "element-cycle": error(
        "Following ElementOf from an entity, at once or by way of others, leads back to it.",
        "Remove one of the ElementOf that lead back to it.",
        {
            "": "{layer}: entity {entity} is an element of {chain}",
            "itself": "{layer}: entity {entity} is an element of itself",
        },
    ),
    "element-unknown": warning(
        "ElementOf names an entity that the document does not have. There is no such element.",
        "Correct the number, or remove ElementOf.",
        "{layer}: there is no entity {entity} in the document",
    ),
    "min-outside": warning(
        "Min names tokens that are not in the mention. It is read as if it had no Min.",
        "Write the numbers of tokens of the mention, counted from 1 through the document.",
        {
            "": "{layer}: Min={minimum} is not inside the markable ({tokens})",
            "words": (
                "the minimum is not inside the mention",
                "with --match partial the mention matches its equal only, with min nothing",
            ),
            "muc": (
                "the text of MIN is not in the mention",
                "the mention is read as if it had no MIN",
            ),
        },
    ),
    "min-unreadable": warning(
        "Min is neither a number nor two with a comma. The mention is read as if it had none.",
        "Write Min=7, or Min=7,9 for the tokens 7 to 9.",
        {
            "": "{layer}: Min={minimum} is neither a token number nor two with a comma",
            "words": (
                "the minimum is neither a word nor a range of words",
                "write word_7, or word_7..word_9 for the words 7 to 9",
            ),
        },
    ),
    "min-none": warning(
        "Partial matching was asked for, and no mention of the key has a Min: all match exactly.",
        "Score with --match exact, or against a key with minimum spans.",
        "--match partial, and no mention of the key has a Min: all match exactly",
    ),
    "bridge-unknown": warning(
        "A bridging reference names a markable that the column IDENTITY does not have, or no "
        "anchor. The pair is left out.",
        "Name markables of the document: MarkableID=… for the anaphor, MentionAnchor=… for its "
        "anchor.",
        {
            "anaphor": "{layer}: the anaphor {anaphor} is no markable of the IDENTITY column",
            "anchor": "{layer}: the anchor {anchor} is no markable of the IDENTITY column",
            "no-anchor": "{layer}: the bridging reference of {anaphor} has no MentionAnchor",
        },
    ),
    "zero-in-mention": error(
        "A zero is the beginning, the end or a fragment of a longer mention.",
        "Open and close a mention of a zero on its own row.",
        {
            "starts": "{layer}: a mention of several tokens starts at the zero {zero}",
            "ends": "{layer}: a mention of several tokens ends at the zero {zero}",
            "fragment": "{layer}: markable {name} has the zero {zero} as a fragment",
        },
    ),
    "pseudo-shared": warning(
        "Two markables have one -Pseudo entity. Each is a non-referring expression of its own.",
        "Give each an EntityID of its own.",
        "{layer}: {label} has two markables; each is a non-referring expression",
    ),
    "pseudo-misspelt": warning(
        "An EntityID ends in _Pseudo. It is read as -Pseudo: non-referring.",
        "Write -Pseudo.",
        "{layer}: {label} should be {spelling}",
    ),
}
