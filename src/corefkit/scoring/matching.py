"""What a rule of matching needs to know of mentions besides their spans: heads, minimum spans."""

import numpy as np

from corefkit.data.corpus import Corpus
from corefkit.data.incidents import DataError, Incident, make_incident
from corefkit.data.options import Options


def make_ready(
    key: Corpus, response: Corpus, texts: tuple[Corpus, Corpus], options: Options
) -> tuple[Corpus, Corpus, list[Incident]]:
    """Both sides with the columns that the rule of the options looks at.

    `texts` are the corpora as they were read. Errors where the files do not tell.
    """
    if options.match in ("head", "partial"):
        return _with_heads(key, response, texts[0], options)
    try:
        if options.match == "mina":
            return *_with_minima(key, response, texts, options), []
        if options.match == "semeval":
            from corefkit.mentions.semeval_heads import with_semeval_heads

            return with_semeval_heads(key, texts[0]), response, []
    except DataError as error:
        return key, response, list(error.incidents)
    return key, response, []


def _with_minima(
    key: Corpus, response: Corpus, texts: tuple[Corpus, Corpus], options: Options
) -> tuple[Corpus, Corpus]:
    from corefkit.mentions.alike import with_alike, with_alike_texts

    if options.duplicates == "coval":
        return with_alike_texts(key, response, *texts)
    return with_alike(key, response, texts[0])


def _with_heads(
    key: Corpus, response: Corpus, texts: Corpus, options: Options
) -> tuple[Corpus, Corpus, list[Incident]]:
    """Both sides with the heads of the key, and for the rule `head` those of the response.

    Where files declare none they come from the trees of the key (`texts`), for the response, too;
    a mention that is no constituent has its last token as head. An error where there is neither.
    """
    from corefkit.mentions.heads import UNKNOWN, heads_by_tree, with_heads

    if options.match == "partial" and key.minimum is not None:
        return key, response, [] if (key.minimum >= 0).any() else [make_incident("min-none")]
    for side in (key, response) if options.match == "head" else (key,):
        undeclared = side.end > side.start
        if side.head is not None:
            undeclared &= side.head == UNKNOWN
        rows = np.flatnonzero(undeclared)
        if len(rows) and not (heads_by_tree(side, texts, rows) >= 0).any():
            expected = "heads declared in the files, or trees in the key"
            told = make_incident("head-unknown", match=options.match, expected=expected)
            return key, response, [told]
    known = with_heads(response, texts) if options.match == "head" else response
    return with_heads(key, texts), known, []
