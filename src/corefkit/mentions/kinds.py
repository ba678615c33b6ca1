"""The kind of each mention: pronoun, name or nominal.

Errors are told apart by these. They are wider than the classes of the application scores:
demonstratives and relatives are pronouns here.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from corefkit.data.arrays import BoolArray, IntArray
from corefkit.data.corpus import Corpus
from corefkit.data.incidents import DataError
from corefkit.data.tagsets import Tagset
from corefkit.mentions.tokens import KeyTokens

KINDS = ("pronoun", "name", "nominal")
PRONOUN, NAME, NOMINAL = range(len(KINDS))

_PENN = "PRP PRP$ WP WP$ WDT WRB DT"
PRONOUN_TAGS = {
    "penn": _PENN,
    "arabic": _PENN,
    "chinese": "PN DT",
    "stts": "PPER PPOSAT PPOSS PRF PDS PDAT PIS PIAT PIDAT PRELS PRELAT PWS PWAT PWAV PAV PROAV",
    "ud": "PRON DET",
}
"""The tags of pronouns in each tagset."""

NAME_TAGS = {
    "penn": "NNP NNPS",
    "arabic": "",  # all tags that contain NNP
    "chinese": "NR",
    "stts": "NE",
    "ud": "PROPN",
}
"""The tags of proper nouns in each tagset."""

_WORDS = """
    i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his
    himself she her hers herself it its itself they them their theirs themselves themself this that
    these those who whom whose which what whoever whomever whatever one oneself each other another
    anyone anybody anything everyone everybody everything someone somebody something none nobody
    nothing both all some any many
"""
PRONOUNS = frozenset(_WORDS.split())
"""What is a pronoun in a corpus without tags: words in lower case."""


def mention_kinds(
    corpus: Corpus,
    tokens: KeyTokens,
    tagset: str | Tagset = "auto",
    pronouns: Iterable[str] | None = None,
) -> IntArray:
    """The kind of each mention, int64 (mentions,), an index into KINDS.

    `corpus` has heads (`with_heads`); `tokens` are those of the texts. A pronoun is one token with
    the tag of a pronoun, or a mention whose head is an empty node; in a corpus without tags a word
    of PRONOUNS; with `pronouns` given, one of these words, in lower case, whatever the tags. A
    name has a head with the tag of a proper noun.
    """
    assert corpus.head is not None and corpus.head_zero is not None
    kind = np.full(corpus.mentions, NOMINAL, dtype=np.int64)
    zero = corpus.head_zero > 0
    one = (corpus.start == corpus.end) & ~zero
    if corpus.parts is not None:
        one[corpus.parts.row] = False
    tagged = _tagged(tokens, tagset)
    if tagged is not None:
        kind[_at(tagged[1], corpus, tokens, corpus.head)] = NAME
    if pronouns is None and tagged is not None:
        kind[one & _at(tagged[0], corpus, tokens, corpus.start)] = PRONOUN
    elif tokens.has("word"):
        listed = PRONOUNS if pronouns is None else frozenset(word.lower() for word in pronouns)
        found = tokens.column("word").holds(lambda word: word.lower() in listed)
        kind[one & _at(found, corpus, tokens, corpus.start)] = PRONOUN
    kind[zero] = PRONOUN
    return kind


def read_pronouns(lines: Iterable[str]) -> Iterator[str]:
    """The words of a list, one a line, in lower case; empty lines and `#` comments are skipped.

    >>> list(read_pronouns(["He", "", "# of our corpus", "y'all "]))
    ['he', "y'all"]
    """
    for line in lines:
        if (word := line.strip().lower()) and not word.startswith("#"):
            yield word


def _tagged(tokens: KeyTokens, tagset: str | Tagset) -> tuple[BoolArray, BoolArray] | None:
    """bool (tokens,): the tokens with tags of pronouns, and those with tags of proper nouns.

    None in a corpus without tags, or with tags of no known set. Proper nouns of a tagset of one's
    own are those of all tagsets.
    """
    if not tokens.has("pos"):
        return None
    tags = tokens.column("pos")
    if isinstance(tagset, Tagset):
        return tags.holds(tagset.pronoun), tags.is_any(*" ".join(NAME_TAGS.values()).split())
    try:
        name = tokens.tagset.name if tagset == "auto" else tagset
    except DataError:
        return None
    pronouns = tags.is_any(*PRONOUN_TAGS[name].split())
    if name == "arabic":
        return pronouns, tags.holds(lambda tag: "NNP" in tag)
    return pronouns, tags.is_any(*NAME_TAGS[name].split())


def _at(values: BoolArray, corpus: Corpus, tokens: KeyTokens, token: IntArray) -> BoolArray:
    """bool (mentions,): the value of a token of each mention.

    It is false of a token that the text does not have (`--lengths ignore`).
    """
    there = (token >= 0) & (token < tokens.corpus.tokens[corpus.document])
    number = np.where(there, tokens.corpus.first_token[corpus.document] + token, 0)
    return there & values[number] if len(values) else there
