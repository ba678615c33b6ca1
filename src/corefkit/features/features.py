"""Features: functions from the mentions of a side to labels, one for each break-down.

To add one, write a function that takes Chains and returns one label per mention, and add it to
FEATURES. In Python, pass your own: `scores.by(Feature("long", is_long))`.

`mention_kinds` distinguishes pronouns, names and nominals; errors are classified by these. They are
wider than the classes of the application scores: demonstratives and relatives are pronouns here.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import BoolArray, IntArray, distinct, ranks_of, stretches
from corefkit.core.carriers import frozen
from corefkit.core.columns import MASKS, Column
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import DataError
from corefkit.core.languages import Tagset, language
from corefkit.core.names import GROUPINGS, genre
from corefkit.core.nodes import ends_of, number_rows
from corefkit.core.options import UsageError
from corefkit.features.chains import NO_NAME, NOUN, Chains, KeyTokens, sentence_of_mentions

FIRST = "first"
"""The distance of a mention that has no antecedent."""

ALL = "all"
"""The class of all mentions where the key lacks the annotation that defines classes."""

SEVERAL = "(several words)"
"""The label of mentions of more than one word in the break-down by word."""


LENGTHS, DISTANCES, SIZES = (1, 2, 3, 4, 5, 10), (0, 1, 2, 3, 5, 10), (1, 2, 3, 4, 5, 10, 20, 50)
"""The lowest numbers of the bands of lengths, distances in sentences and sizes of entities."""


@frozen
class Feature:
    """A feature by which mentions are broken down.

    Attributes:
        name: its name.
        label: takes the mentions of one side and returns their labels, a Column or any sequence.
        tokens: the token columns that it reads, so that they are read together.
    """

    name: str
    label: Callable[[Chains], Column | Sequence[object]]
    tokens: tuple[str, ...] = ()


def labels(feature: Feature, *sides: Chains) -> tuple[tuple[str, ...], list[IntArray]]:
    """The labels of a feature on all sides, in order, and the number of each mention's label.

    A Column gives the order of its labels; those of other sequences are sorted.
    """
    columns = [as_column(feature.label(side)) for side in sides]
    for column, side in zip(columns, sides, strict=True):
        if len(column.code) != len(side):
            raise ValueError(f"{feature.name}: {len(column.code)} labels of {len(side)} mentions")
    names = tuple(dict.fromkeys(value for column in columns for value in column.values))
    number_of = {name: number for number, name in enumerate(names)}
    return names, [column.numbers(number_of.__getitem__) for column in columns]


def as_column(labels: Column | Sequence[object]) -> Column:
    """A Column unchanged; another sequence as a Column of texts, with sorted values.

    >>> as_column(["b", "a", "b"])
    Column(code=array([1, 0, 1]), values=('a', 'b'))
    """
    if isinstance(labels, Column):
        return labels
    texts = [str(label) for label in labels]
    values = sorted(set(texts))
    code = {value: number for number, value in enumerate(values)}
    return Column(np.array([code[text] for text in texts], dtype=np.int64), tuple(values))


def mention_class(chains: Chains) -> Column:
    """NOUN if nominal, else the tag; `all` where the key has no tags.

    With a list of pronouns, NOUN or PRON.
    """
    if chains.by_list:
        return Column(np.where(chains.nominal, 0, 1), (NOUN, "PRON"))
    if not chains.tokens.has("pos"):
        return _all(chains)
    tag = chains.column("pos")
    return _sorted_after(NOUN, np.where(chains.nominal, -1, tag.code), tag.values)


def entity_name(chains: Chains) -> Column:
    """The named entity class of the chain; `all` where the key has no names."""
    return _named(chains, lambda: chains.entity_name[chains.entity])


def own_name(chains: Chains) -> Column:
    """The class of the named entity with the mention's span; `all` where the key has no names."""
    return _named(chains, lambda: chains.own_name)


def _named(chains: Chains, name: Callable[[], IntArray]) -> Column:
    if not chains.tokens.has("ne"):
        return _all(chains)
    return _sorted_after(NO_NAME, name(), chains.tokens.name_spans.labels)


def _sorted_after(first: str, code: IntArray, labels: Sequence[str]) -> Column:
    """The labels in alphabetical order, after `first`, the label of the code −1."""
    order = sorted(range(len(labels)), key=labels.__getitem__)
    rank = ranks_of(np.array(order, dtype=np.int64)) + 1
    return Column(np.append(rank, 0)[code], (first, *(labels[i] for i in order)))


def _all(chains: Chains) -> Column:
    return Column(np.zeros(len(chains), dtype=np.int64), (ALL,))


def word(chains: Chains) -> Column:
    """The word in lower case, the most frequent first; one label for all longer mentions."""
    word = chains.column("word")
    single = chains.end == chains.start
    lower = [value.lower() for value in word.values]
    number = {value: i for i, value in enumerate(dict.fromkeys((SEVERAL, *lower)))}
    code = np.where(single, np.array([number[value] for value in lower])[word.code], 0)
    order = np.argsort(-np.bincount(code, minlength=len(number)), kind="stable")
    names = tuple(number)
    return Column(ranks_of(order)[code], tuple(names[i] for i in order.tolist()))


def length(chains: Chains) -> Column:
    """The number of tokens."""
    return binned(chains.end - chains.start + 1, LENGTHS)


def distance(chains: Chains) -> Column:
    """Sentences back to the mention before it in its chain."""
    sentence = sentence_of_mentions(chains)
    back = sentence - np.append(sentence, 0)[chains.previous]
    column = binned(back, DISTANCES)
    return Column(np.where(chains.previous < 0, 0, column.code + 1), (FIRST, *column.values))


def entity_size(chains: Chains) -> Column:
    """The number of mentions of the entity."""
    return binned(chains.size[chains.entity], SIZES)


NESTED = ("inner", "outer", "flat")


def nested(chains: Chains) -> Column:
    """Inner if it lies in another mention of its side, else outer if another lies in it, else flat.

    Hulls are compared, and mentions with the same hull are not nested.
    """
    first, first_zero, last, last_zero = (ends[chains.row] for ends in ends_of(chains.corpus))
    nodes = int(max(first_zero.max(initial=0), last_zero.max(initial=0))) + 1  # per token, at most
    start, end = first * nodes + first_zero, last * nodes + last_zero
    hull = distinct(number_rows((chains.window, start, end)))
    rows = hull.first
    order = np.lexsort((-end[rows], start[rows], chains.window[rows]))
    document, begin, stop = (c[rows[order]] for c in (chains.window, start, end))
    # One number per place in a document or window; those of later documents are larger.
    low = int(begin.min(initial=0))
    width = int(stop.max(initial=0)) - low + 1
    reach = document * width + stop - low
    # All hulls before it begin no later: one that reaches as far contains it. All after it begin no
    # earlier: one that reaches no further lies in it.
    furthest = np.append(-1, np.maximum.accumulate(reach)[:-1])
    inner = (furthest >= reach) & (document == np.append(-1, document[:-1]))
    nearest = np.append(np.minimum.accumulate(reach[::-1])[::-1][1:], np.iinfo(np.int64).max)
    code = np.where(inner, 0, np.where(nearest <= reach, 1, 2))
    codes = np.empty(len(rows), dtype=np.int64)
    codes[order] = code
    return Column(codes[hull.inverse], NESTED)


def document_genre(chains: Chains) -> Column:
    """The genre of the document."""
    genres = as_column([genre(name) for name in chains.tokens.corpus.names])
    return Column(genres.code[chains.document], genres.values)


def speaker(chains: Chains) -> Column:
    """The speaker of the first word of the mention."""
    column = chains.column("speaker")
    order = sorted(range(len(column.values)), key=column.values.__getitem__)
    return Column(np.argsort(order)[column.code], tuple(column.values[i] for i in order))


def binned(numbers: IntArray, lowest: Sequence[int]) -> Column:
    """The band of each number; bands are given by their lowest numbers, the last has no upper end.

    >>> binned(np.array([1, 3, 9]), (1, 2, 5))
    Column(code=array([0, 1, 2]), values=('1', '2-4', '5+'))
    """
    names = [str(a) if b == a + 1 else f"{a}-{b - 1}" for a, b in pairwise(lowest)]
    code = np.searchsorted(np.array(lowest), numbers, side="right") - 1
    return Column(code, (*names, f"{lowest[-1]}+"))


def banded(numbers: IntArray, lowest: Sequence[int]) -> Column:
    """Like `binned`, with one more band for numbers below the first bound.

    The labels of strata by size, spread and distance are written here.

    >>> banded(np.array([1, 3, 9]), (2, 5))
    Column(code=array([0, 1, 2]), values=('<2', '2-4', '5+'))
    """
    column = binned(numbers, lowest)
    return Column(column.code + 1, (f"<{lowest[0]}", *column.values))


def parse_bounds(text: str) -> tuple[int, ...]:
    """The lowest numbers of bands, from a text such as that of `entity:size=1,2,10`.

    Raises ValueError, with the reason, where they are not ascending whole numbers.

    >>> parse_bounds("1,2,10")
    (1, 2, 10)
    """
    parts = text.split(",")
    if not all(part.isascii() and part.isdigit() and len(part) < 16 for part in parts):
        raise ValueError("bounds must be whole numbers")
    bounds = tuple(map(int, parts))
    if any(low >= high for low, high in pairwise(bounds)):
        raise ValueError("bounds must ascend")
    return bounds


OWN_NAME = Feature("ne", own_name, ("ne",))

FEATURES: dict[str, Feature] = {
    feature.name: feature
    for feature in (
        Feature("class", mention_class, ("pos",)),
        Feature("ne", entity_name, ("pos", "ne")),
        Feature("word", word, ("word",)),
        Feature("length", length),
        Feature("distance", distance),
        Feature("entity-size", entity_size),
        Feature("nested", nested),
        Feature("genre", document_genre),
        Feature("speaker", speaker, ("speaker",)),
    )
}


KINDS = ("pronoun", "name", "nominal")
PRONOUN, NAME, NOMINAL = range(len(KINDS))

UNKNOWN_KIND = "–"
"""Shown where the kind of a mention, or the number of mentions of a kind, is not known."""

_PENN = "PRP PRP$ WP WP$ WDT WRB DT"
PRONOUN_TAGS = {
    "penn": _PENN,
    "arabic": _PENN,
    "chinese": "PN DT",
    "stts": "PPER PPOSAT PPOSS PRF PDS PDAT PIS PIAT PIDAT PRELS PRELAT PWS PWAT PWAV PAV PROAV",
    "ud": "PRON DET",
}
"""The tags of pronouns in each tagset; for Alpino see `_tagged`."""

NAME_TAGS = {
    "penn": "NNP NNPS",
    "chinese": "NR",
    "stts": "NE",
    "ud": "PROPN",
}
"""The tags of proper nouns in each tagset; for Arabic and Alpino see `_tagged`."""

_NO_NAMES = ("CARDINAL", "ORDINAL", "DATE", "TIME", "PERCENT", "MONEY", "QUANTITY")
"""Classes of the column of named entities whose mentions are not names."""


class KindSources(NamedTuple):
    """The sources by which pronouns and names are distinguished from other mentions.

    Attributes:
        pronouns: the name of a tagset, `list-` and the code of a language, "file" for words that
            the user gave, or "none".
        names: the name of a tagset, "ne" for the column of named entities, or "none".
    """

    pronouns: str
    names: str

    def __str__(self) -> str:
        """The form in a signature; the source of names is added where it is a different one."""
        return self.pronouns if self.pronouns == self.names else f"{self.pronouns}+{self.names}"

    @property
    def shown(self) -> tuple[str, ...]:
        """The names of KINDS to be shown; where pronouns are not known, – instead of nominal."""
        return KINDS if self.pronouns != "none" else (*KINDS[:2], UNKNOWN_KIND)

    @property
    def known(self) -> tuple[bool, ...]:
        """For each of KINDS, whether the number of its mentions is known.

        Where names are not known, they are counted as nominals.
        """
        known = self.pronouns != "none"
        return known, self.names != "none", known

    def counted(self, numbers: Iterable[int]) -> dict[str, int | None]:
        """How many mentions there are of each of KINDS; None where that is not known."""
        counts = zip(KINDS, numbers, self.known, strict=True)
        return {kind: number if known else None for kind, number, known in counts}


def kind_sources(
    tokens: KeyTokens, tagset: str | Tagset = "auto", pronouns: Iterable[str] | None = None
) -> KindSources:
    """The sources for the kinds of mentions: tags; else, for pronouns, a list of words.

    The list is that of the language of the key. Where the language is not known, pronouns are not
    known either.
    """
    tags = tokens.known_tagset(tagset)
    names = str(tags) if tags else "ne" if _name_tokens(tokens) is not None else "none"
    if pronouns is not None:
        return KindSources("file", names)
    if tags:
        return KindSources(str(tags), names)
    listed = tokens.has("word") and not MASKS.issuperset(tokens.column("word").values)
    code = tokens.language if listed else None
    return KindSources(f"list-{code}" if code else "none", names)


def mention_kinds(
    corpus: Corpus,
    tokens: KeyTokens,
    tagset: str | Tagset = "auto",
    pronouns: Iterable[str] | None = None,
) -> IntArray:
    """The kind of each mention, int64 (mentions,), an index into KINDS.

    `corpus` must have heads (`with_heads`); `tokens` are those of the texts.

    A pronoun is a mention of one token with the tag of a pronoun, or one whose head is an empty
    node. In a corpus without tags the token is looked up in the list of its language; where
    `pronouns` are given, among these words, in lower case, whatever the tags.

    The head of a name has the tag of a proper noun; in a corpus without tags it is in a named
    entity. All other mentions are NOMINAL. `kind_sources` tells which of these rules apply.
    """
    assert corpus.head is not None and corpus.head_zero is not None
    kind = np.full(corpus.mentions, NOMINAL, dtype=np.int64)
    zero = corpus.head_zero > 0
    single = (corpus.start == corpus.end) & ~zero
    if corpus.nodes is not None:
        single[corpus.nodes.row] = False
    tagged = _tagged(tokens, tagset)
    names = tagged[1] if tagged is not None else _name_tokens(tokens)
    if names is not None:
        kind[_at(names, corpus, tokens, corpus.head)] = NAME
    pronoun_mask = tagged[0] if pronouns is None and tagged is not None else None
    if pronoun_mask is None:
        pronoun_mask = pronoun_tokens(tokens, pronouns)
    if pronoun_mask is not None:
        kind[single & _at(pronoun_mask, corpus, tokens, corpus.start)] = PRONOUN
    kind[zero] = PRONOUN
    return kind


def pronoun_tokens(tokens: KeyTokens, pronouns: Iterable[str] | None = None) -> BoolArray | None:
    """Whether each token is one of these pronouns, or on the list of its language; bool (tokens,).

    None where there are no words, or their language is not known.
    """
    if not tokens.has("word"):
        return None
    if pronouns is not None:
        listed = frozenset(word.lower() for word in pronouns)
        return tokens.column("word").holds(lambda word: word.lower() in listed)
    code = tokens.language
    return tokens.column("word").holds(language(code).is_pronoun) if code else None


def read_pronouns(lines: Iterable[str]) -> Iterator[str]:
    """The words of a list with one word per line, in lower case, without blank lines and comments.

    >>> list(read_pronouns(["He", "", "# of our corpus", "y'all "]))
    ['he', "y'all"]
    """
    for line in lines:
        if (word := line.strip().lower()) and not word.startswith("#"):
            yield word


def _tagged(tokens: KeyTokens, tagset: str | Tagset) -> tuple[BoolArray, BoolArray] | None:
    """Whether each token has the tag of a pronoun, and of a proper noun; each bool (tokens,).

    None where there are no tags, or their tagset is unknown. With a tagset of the user, the proper
    nouns are those of all our tagsets.
    """
    known = tokens.known_tagset(tagset)
    if known is None:
        return None
    tags = tokens.column("pos")
    if isinstance(tagset, Tagset):
        return tags.holds(tagset.pronoun), tags.is_any(*" ".join(NAME_TAGS.values()).split())
    if known.name == "alpino":
        names = tags.holds(lambda tag: tag.startswith(("N(eigen", "SPEC(deeleigen")))
        return tags.holds(known.pronoun), names
    pronouns = tags.is_any(*PRONOUN_TAGS[known.name].split())
    if known.name == "arabic":
        return pronouns, tags.holds(lambda tag: "NNP" in tag)
    return pronouns, tags.is_any(*NAME_TAGS[known.name].split())


def _name_tokens(tokens: KeyTokens) -> BoolArray | None:
    """Whether each token is in a named entity, bool (tokens,); None where the key has none."""
    if not tokens.has("ne"):
        return None
    try:
        names = tokens.name_spans
    except DataError:
        return None
    is_name = np.array([label not in _NO_NAMES for label in names.labels], dtype=bool)
    if not len(names.label):
        return None
    chosen = is_name[names.label]
    inside = np.zeros(len(tokens), dtype=bool)
    first, last = names.first[chosen], names.last[chosen]
    inside[stretches(first, last - first + 1)] = True
    return inside


def _at(values: BoolArray, corpus: Corpus, tokens: KeyTokens, token: IntArray) -> BoolArray:
    """The value of one token per mention, given by its number in the document; bool (mentions,).

    It is false for a token that the text does not have (where lengths are not compared).
    """
    exists = (token >= 0) & (token < tokens.corpus.tokens[corpus.document])
    number = np.where(exists, tokens.corpus.first_token[corpus.document] + token, 0)
    return exists & values[number] if len(values) else exists


def find_feature(feature: object) -> Feature:
    """The feature of this name, or a Feature unchanged; UsageError for anything else."""
    if isinstance(feature, Feature):
        return feature
    if not isinstance(feature, str) or feature not in FEATURES:
        known = ", ".join(dict.fromkeys((*GROUPINGS, *FEATURES)))
        raise UsageError(f"by: unknown value {feature!r:.60}; choose from {known}")
    return FEATURES[feature]
