"""Mentions by syntactic category, as in Table 4 of the CoNLL-2012 paper.

A mention of one token has the category of its tag; a longer one is a noun phrase if the parse
says so. With these rules the development set has the 2,274 proper nouns and (but for two) the
299 verbs of the table; the table counts more noun phrases, because it includes the appositives
that are not in the shared task's files.
"""

import numpy as np

from corefkit.data.arrays import IntArray
from corefkit.ontonotes.tokens import Tokens

CATEGORIES = ("NP", "pronoun", "proper noun", "other noun", "verb", "other")
NP, PRONOUN, PROPER, NOUN, VERB, OTHER = range(len(CATEGORIES))

_TAGS = {
    PRONOUN: "PRP PRP$ PN PRON PPER PPOSAT PPOSS PRELS PRELAT PDS PRF",
    PROPER: "NNP NNPS NR NE PROPN",
    NOUN: "NN NNS NT NOUN",
    VERB: "VB VBD VBG VBN VBP VBZ MD VV VA VC VE VERB AUX",
}
"""Tags of the Penn and Chinese treebanks, STTS and Universal Dependencies.

Those that several have mean the same: NN is a noun in all of them.
"""

_CATEGORY = {tag: category for category, tags in _TAGS.items() for tag in tags.split()}


def tag_category(tag: str) -> int:
    """The category of a token with this tag.

    >>> CATEGORIES[tag_category("PRP$")], CATEGORIES[tag_category("VVFIN")]
    ('pronoun', 'verb')
    """
    if tag in _CATEGORY:
        return _CATEGORY[tag]
    # STTS tells finite verbs, infinitives and participles apart; Arabic tags say what they contain.
    if tag[:2] in ("VV", "VA", "VM") and len(tag) > 2:
        return VERB
    for inside, category in (("NNP", PROPER), ("NN", NOUN), ("PRP", PRONOUN)):
        if inside in tag:
            return category
    return OTHER


def mention_categories(tokens: Tokens) -> IntArray:
    """The category of each mention, int64 (mentions,), an index into CATEGORIES."""
    first, last = tokens.mention_first, tokens.mention_last
    by_tag = tokens.pos.numbers(tag_category)
    phrase = tokens.constituents.named("NP").over(first, last) >= 0
    alone = by_tag[np.minimum(first, len(by_tag) - 1)] if len(by_tag) else first
    return np.where(first == last, alone, np.where(phrase, NP, OTHER))
