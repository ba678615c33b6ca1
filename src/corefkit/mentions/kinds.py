"""The kind of each mention: pronoun, name or nominal.

Errors are told apart by these. They are wider than the classes of the application scores:
demonstratives and relatives are pronouns here.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from corefkit.data.arrays import BoolArray, IntArray
from corefkit.data.columns import Column
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
    tagged = _tags(tokens, tagset)
    if tagged is not None:
        column, chosen = tagged
        kind[_holds(column, _is_name(column, chosen), corpus, tokens, corpus.head)] = NAME
    if pronouns is None and tagged is not None:
        tags = _is_pronoun(column, chosen)
        kind[one & _holds(column, tags, corpus, tokens, corpus.start)] = PRONOUN
    elif tokens.has("word"):
        listed = PRONOUNS if pronouns is None else frozenset(word.lower() for word in pronouns)
        column = tokens.column("word")
        words = np.array([value.lower() in listed for value in column.values], dtype=bool)
        kind[one & _holds(column, words, corpus, tokens, corpus.start)] = PRONOUN
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


def _tags(tokens: KeyTokens, tagset: str | Tagset) -> tuple[Column, "str | Tagset"] | None:
    """The tags and their tagset; None in a corpus without tags, or with tags of no known one."""
    if not tokens.has("pos"):
        return None
    column = tokens.column("pos")
    if isinstance(tagset, Tagset) or tagset != "auto":
        return column, tagset
    try:
        return column, tokens.tagset.name
    except DataError:
        return None


def _is_pronoun(column: Column, tagset: str | Tagset) -> BoolArray:
    """bool (values,): which tags are those of pronouns."""
    if isinstance(tagset, Tagset):
        return np.array([tagset.pronoun(tag) for tag in column.values], dtype=bool)
    tags = PRONOUN_TAGS[tagset].split()
    return np.array([tag in tags for tag in column.values], dtype=bool)


def _is_name(column: Column, tagset: str | Tagset) -> BoolArray:
    """bool (values,): which tags are those of proper nouns; those of all tagsets in one's own."""
    if tagset == "arabic":
        return np.array(["NNP" in tag for tag in column.values], dtype=bool)
    listed = NAME_TAGS.values() if isinstance(tagset, Tagset) else [NAME_TAGS[tagset]]
    tags = {tag for text in listed for tag in text.split()}
    return np.array([tag in tags for tag in column.values], dtype=bool)


def _holds(
    column: Column, values: BoolArray, corpus: Corpus, tokens: KeyTokens, token: IntArray
) -> BoolArray:
    """bool (mentions,): whether the value of a token of each mention is one of these.

    A token that the text does not have (`--lengths ignore`) has none.
    """
    size = tokens.size[corpus.document]
    there = (token >= 0) & (token < size)
    number = np.where(there, tokens.offset[corpus.document] + token, 0)
    return there & np.append(values, False)[column.code][number] if len(column.code) else there
