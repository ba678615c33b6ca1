"""The scores for applications (Tuggener 2014), mention by mention, as the definitions say it.

Conventions of this module, which the definitions leave open:

- A mention's *antecedents* on one side are the mentions before it in its chain there, in text
  order (start ascending, longer first); *closest* is the last of them. A mention that a side
  lacks has none, and neither has the first of a chain, so "absent or first" is "no antecedents".
- Key singletons are dropped before anything else: their mentions are in no key chain, except in
  the releases of inferred, which look a response mention up in them, too. Response
  singletons change nothing in immediate and inferred, are dropped in anchor `paper` and kept in
  anchor `code`.
- Key chains that are skipped because they have no nominal are skipped only as chains to be
  scored: for the response their mentions still are in a key chain.
- Tags and named entities of response mentions, too, are those of the key's tokens.

Where the wording allows more than one reading, the docstrings below say which one is taken.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, TypeAlias, get_args

from . import conll, metrics
from .conll import Block, Span, text_order

Chain: TypeAlias = list[Span]
"""The mentions of an entity in text order."""

Label: TypeAlias = Literal["tp", "wl", "fn", "fp"]
ImmediateVariant: TypeAlias = Literal["paper", "code"]
InferredVariant: TypeAlias = Literal["paper", "clean", "v1.0", "v1.1", "v1.2"]
AnchorVariant: TypeAlias = Literal["paper", "code"]

IMMEDIATE_VARIANTS: tuple[ImmediateVariant, ...] = get_args(ImmediateVariant)
INFERRED_VARIANTS: tuple[InferredVariant, ...] = get_args(InferredVariant)
ANCHOR_VARIANTS: tuple[AnchorVariant, ...] = get_args(AnchorVariant)

NO_NAME = "None"
"""The named entity class of a chain that has none."""


# Tagsets


@dataclass(frozen=True)
class Tagset:
    """Which tags are nouns and which are pronouns."""

    nouns: frozenset[str]
    pronouns: frozenset[str]
    noun_part: str | None = None
    """Any tag with this text in it is a noun, too."""

    def is_noun(self, tag: str) -> bool:
        """Whether a tag is one of a noun."""
        return tag in self.nouns or (self.noun_part is not None and self.noun_part in tag)

    def is_pronoun(self, tag: str) -> bool:
        """Whether a tag is one of a pronoun."""
        return tag in self.pronouns


PENN = Tagset(frozenset({"NN", "NNS", "NNP", "NNPS"}), frozenset({"PRP", "PRP$"}))
CHINESE = Tagset(frozenset({"NN", "NR", "NT"}), frozenset({"PN"}))
ARABIC = Tagset(frozenset(), frozenset({"PRP", "PRP$"}), noun_part="NN")
STTS = Tagset(frozenset({"NN", "NE"}), frozenset({"PPER", "PPOSAT", "PRELS"}))
UD = Tagset(frozenset({"NOUN", "PROPN"}), frozenset({"PRON"}))
ALPINO = Tagset(
    frozenset({"N(soort,ev)", "N(eigen,ev)", "SPEC(deeleigen)"}), frozenset({"VNW(pers,pron)"})
)


# Documents


@dataclass
class Side:
    """The chains of key or response, each in text order."""

    chains: list[Chain]

    def __post_init__(self) -> None:
        self.holders = {mention: chain for chain in self.chains for mention in chain}

    def chain_of(self, mention: Span) -> Chain:
        """The chain that holds a mention; empty if there is none."""
        return self.holders.get(mention, [])

    def antecedents(self, mention: Span) -> Chain:
        """The mentions before this one in its chain."""
        chain = self.chain_of(mention)
        return chain[: chain.index(mention)] if chain else []

    def without_singletons(self) -> "Side":
        """The chains of more than one mention."""
        return Side([chain for chain in self.chains if len(chain) > 1])

    def anaphors(self) -> list[Span]:
        """The mentions that are not the first of their chains, in text order."""
        return sorted((span for chain in self.chains for span in chain[1:]), key=text_order)


@dataclass
class Document:
    """Both sides of a document, and the tags and named entities of the key's tokens.

    Chains and their mentions may be given in any order; a span may stand only once on a side.
    """

    key_chains: Iterable[Iterable[Span]]
    response_chains: Iterable[Iterable[Span]]
    tags: Sequence[str]
    names: Mapping[Span, str] = field(default_factory=dict)
    tagset: Tagset = PENN

    def __post_init__(self) -> None:
        self.whole_key = self.side(self.key_chains)
        self.key = self.whole_key.without_singletons()
        self.response = self.side(self.response_chains)

    def side(self, chains: Iterable[Iterable[Span]]) -> Side:
        """Sort the mentions of the chains; refuse what cannot be scored."""
        in_text_order = [sorted(chain, key=text_order) for chain in chains]
        spans = [span for chain in in_text_order for span in chain]
        if not all(in_text_order):
            raise ValueError("a chain is empty")
        if len(spans) != len(set(spans)):
            raise ValueError("a mention stands in two chains or twice in one")
        if not all(0 <= start <= end < len(self.tags) for start, end in spans):
            raise ValueError("a mention goes beyond the tokens")
        return Side(in_text_order)

    def tag(self, mention: Span) -> str:
        """The tag of a mention's first token."""
        start, _ = mention
        return self.tags[start]

    def is_nominal(self, mention: Span) -> bool:
        """Whether a mention has more than one token or is a noun."""
        start, end = mention
        return start < end or self.tagset.is_noun(self.tag(mention))

    def is_pronoun(self, mention: Span) -> bool:
        """Whether a mention is one token with a pronoun's tag."""
        return not self.is_nominal(mention) and self.tagset.is_pronoun(self.tag(mention))

    def mention_class(self, mention: Span) -> str:
        """NOUN, or the tag of the token."""
        return "NOUN" if self.is_nominal(mention) else self.tag(mention)

    def nominals(self, mentions: Iterable[Span]) -> list[Span]:
        """Those of the mentions that are nominal, in the same order."""
        return [mention for mention in mentions if self.is_nominal(mention)]

    def anchor(self, chain: Chain) -> Span | None:
        """The first nominal of a chain."""
        return first(self.nominals(chain))

    def name_class(self, chain: Chain) -> str:
        """The named entity class of a chain.

        That of the annotation over exactly the anchor; else the class of its mentions, nominal
        or not, each again by exact span, if all of those that have one have the same. A chain
        whose mentions carry two classes, none of them the anchor's, has none.
        """
        anchor = self.anchor(chain)
        if anchor is not None and anchor in self.names:
            return self.names[anchor]
        carried = {self.names[mention] for mention in chain if mention in self.names}
        return carried.pop() if len(carried) == 1 else NO_NAME


def first(mentions: Sequence[Span]) -> Span | None:
    """The first mention, if there is one."""
    return mentions[0] if mentions else None


def last(mentions: Sequence[Span]) -> Span | None:
    """The last mention, if there is one."""
    return mentions[-1] if mentions else None


# Outcomes of single mentions


@dataclass(frozen=True)
class Outcome:
    """What became of one mention.

    Only mentions that count are reported. tp and fn stand on the side of the key, fp on that of
    the response; wl of immediate on that of the key, wl of inferred on either. A mention has at
    most one outcome, except in the releases of inferred (`v1.0` to `v1.2`), where one that is
    no pronoun and has no nominal antecedent in the key, but has one in the response, counts
    over the key and again over the response.
    """

    side: Literal["key", "response"]
    mention: Span
    mention_class: str
    label: Label
    expected: Span | None
    """The closest antecedent in the key (for inferred: the closest nominal one)."""
    found: Span | None
    """The same in the response. An inferred tp may well have found another than expected."""


def outcomes_immediate(document: Document, variant: ImmediateVariant = "paper") -> list[Outcome]:
    """Outcomes over the key, then over the response, each in text order."""
    check_variant(variant, IMMEDIATE_VARIANTS)
    key, response = document.key, document.response
    outcomes: list[Outcome] = []
    for mention in key.anaphors():
        if variant == "code" and skipped_by_code(document, mention):
            continue
        expected, found = last(key.antecedents(mention)), last(response.antecedents(mention))
        label: Label = "fn" if found is None else "tp" if found == expected else "wl"
        name = document.mention_class(mention)
        outcomes.append(Outcome("key", mention, name, label, expected, found))
    for mention in response.anaphors():
        if not key.antecedents(mention):
            found = last(response.antecedents(mention))
            name = document.mention_class(mention)
            outcomes.append(Outcome("response", mention, name, "fp", None, found))
    return outcomes


def skipped_by_code(document: Document, mention: Span) -> bool:
    """Whether immediate `code` skips a key mention.

    It does so over the key only: the fp are those of `paper`, in chains with and without a
    nominal alike. Skipped mentions do not become fp. The tags are PRP and PRP$ as written,
    whatever the tagset; a DT or WP without a nominal before it is not skipped.
    """
    if not document.nominals(document.key.chain_of(mention)):
        return True
    pronoun = document.mention_class(mention) in {"PRP", "PRP$"}
    return pronoun and not document.nominals(document.key.antecedents(mention))


def outcomes_inferred(document: Document, variant: InferredVariant = "paper") -> list[Outcome]:
    """Outcomes over the key, then over the response, each in text order."""
    check_variant(variant, INFERRED_VARIANTS)
    key, response = document.key, document.response
    outcomes: list[Outcome] = []
    for mention in key.anaphors():
        label = inferred_over_key(document, variant, mention)
        expected = last(document.nominals(key.antecedents(mention)))
        found = last(document.nominals(response.antecedents(mention)))
        if label:
            name = document.mention_class(mention)
            outcomes.append(Outcome("key", mention, name, label, expected, found))
    for mention in response.anaphors():
        label = inferred_over_response(document, variant, mention)
        found = last(document.nominals(response.antecedents(mention)))
        if label:  # never for a mention with nominal antecedents in the key
            name = document.mention_class(mention)
            outcomes.append(Outcome("response", mention, name, label, None, found))
    return outcomes


def inferred_over_key(document: Document, variant: InferredVariant, mention: Span) -> Label | None:
    """What a non-first key mention counts as; None if it is skipped.

    Absent or first in the response is fn in all variants, also without a nominal antecedent in
    the key: `v1.1` and `v1.2` skip only where the mention has antecedents in the response, none
    of them nominal. Without a nominal antecedent in the key nothing can be tp, and only
    pronouns are skipped for that, not other tokens such as DT or CD. So in `paper` and `v1.0`
    a perfect response has fn: John in [he John], this and John in [he this John].

    That the releases look for the closest nominal anywhere in the key chain makes no
    difference, since text order is the same on both sides: what precedes a mention in the
    response and is in its key chain precedes it there.
    """
    key_chain = document.key.chain_of(mention)
    key_antecedents = document.key.antecedents(mention)
    key_nominals = document.nominals(key_antecedents)
    response_antecedents = document.response.antecedents(mention)
    found = last(document.nominals(response_antecedents))
    anywhere = variant in {"v1.0", "v1.1", "v1.2"}
    if not document.nominals(key_chain):
        return None
    if not key_nominals and (variant == "clean" or document.is_pronoun(mention)):
        return None
    if not response_antecedents:
        return "fn"
    if found is None:
        return None if variant in {"v1.1", "v1.2"} and not key_nominals else "fn"
    return "tp" if found in (key_chain if anywhere else key_antecedents) else "wl"


def inferred_over_response(
    document: Document, variant: InferredVariant, mention: Span
) -> Label | None:
    """What a non-first response mention counts as on this side; None if as nothing.

    `paper`: fp comes first, so that the first of a key chain without a nominal is fp, never wl
    or both; fp counts in response chains with and without a nominal alike. A wl needs a nominal
    anywhere in the response chain, also behind the mention, and its found is then None. That
    the mention itself is no nominal follows from its key chain having none.
    `clean`: response chains without a nominal have no mention with nominal antecedents.
    The releases: response chains without a nominal are skipped, also for fp. The first of a key
    chain is in a key chain and has no nominal before it, and so has each mention of a key chain
    without a nominal: they are wl (fp in `v1.2`) if they have a nominal antecedent in the
    response.
    """
    key_chain = document.key.chain_of(mention)
    key_antecedents = document.key.antecedents(mention)
    key_nominals = document.nominals(key_antecedents)
    response_chain = document.response.chain_of(mention)
    response_nominals = document.nominals(document.response.antecedents(mention))
    label: Label | None = None
    if variant == "paper":
        if not key_antecedents:
            label = "fp"
        elif document.nominals(response_chain) and not document.nominals(key_chain):
            label = "wl"
    elif variant == "clean":
        if response_nominals and not key_nominals:
            label = "fp"
    elif document.nominals(response_chain):
        if not document.whole_key.chain_of(mention):
            label = "fp"
        elif response_nominals and not key_nominals:
            label = "fp" if variant == "v1.2" else "wl"
    return label


def check_variant(variant: str, variants: Sequence[str]) -> None:
    """Refuse a variant that a score does not have."""
    if variant not in variants:
        raise ValueError(f"no variant {variant!r}, only {', '.join(variants)}")


# Counts


@dataclass
class Counts:
    """How many mentions, or chains, came out how."""

    tp: int = 0
    wl: int = 0
    fn: int = 0
    fp: int = 0

    def add(self, label: Label, number: int = 1) -> None:
        """Count some more."""
        setattr(self, label, getattr(self, label) + number)

    def score(self) -> metrics.Score:
        """Recall, precision and F1."""
        recall = metrics.divide((Fraction(self.tp), Fraction(self.tp + self.wl + self.fn)))
        precision = metrics.divide((Fraction(self.tp), Fraction(self.tp + self.wl + self.fp)))
        return recall, precision, metrics.f1(recall, precision)


@dataclass
class Table:
    """Counts in total and by class; a class for which nothing counts is not there."""

    total: Counts = field(default_factory=Counts)
    classes: dict[str, Counts] = field(default_factory=dict)

    def add(self, label: Label, name: str, number: int = 1) -> None:
        """Count some more of a class, and in total."""
        self.total.add(label, number)
        self.add_to_class(label, name, number)

    def add_to_class(self, label: Label, name: str, number: int = 1) -> None:
        """Count some more of a class only."""
        if number:
            self.classes.setdefault(name, Counts()).add(label, number)


@dataclass
class AnchorTables:
    """Entity detection (ED) and entity mentions (EM)."""

    detection: Table = field(default_factory=Table)
    mentions: Table = field(default_factory=Table)

    def f_phi(self) -> Fraction:
        """The harmonic mean of the two F1."""
        return metrics.f1(self.detection.total.score()[2], self.mentions.total.score()[2])


def count_immediate(documents: Iterable[Document], variant: ImmediateVariant = "paper") -> Table:
    """Counts of the immediate antecedents by mention class, summed over documents."""
    check_variant(variant, IMMEDIATE_VARIANTS)
    return count(
        outcome for document in documents for outcome in outcomes_immediate(document, variant)
    )


def count_inferred(documents: Iterable[Document], variant: InferredVariant = "paper") -> Table:
    """Counts of the closest nominal antecedents by mention class, summed over documents."""
    check_variant(variant, INFERRED_VARIANTS)
    return count(
        outcome for document in documents for outcome in outcomes_inferred(document, variant)
    )


def count(outcomes: Iterable[Outcome]) -> Table:
    """Outcomes by the class of their mentions."""
    table = Table()
    for outcome in outcomes:
        table.add(outcome.label, outcome.mention_class)
    return table


def count_anchor(documents: Iterable[Document], variant: AnchorVariant = "paper") -> AnchorTables:
    """Counts of anchors and of the mentions of aligned chains by named entity class."""
    check_variant(variant, ANCHOR_VARIANTS)
    tables = AnchorTables()
    for document in documents:
        if variant == "paper":
            add_anchors_paper(document, tables)
        else:
            add_anchors_code(document, tables)
    return tables


def add_anchors_paper(document: Document, tables: AnchorTables) -> None:
    """Each key chain is aligned with the response chain that holds its anchor, shared or not.

    "In no key chain" of a response anchor means any key chain of more than one mention.
    """
    response = document.response.without_singletons()
    for chain in document.key.chains:
        anchor = document.anchor(chain)
        if anchor is None:
            continue
        aligned = response.chain_of(anchor)
        add_key_chain(document, tables, chain, aligned)
    for chain in response.chains:
        anchor = document.anchor(chain)
        if anchor is not None and not document.key.chain_of(anchor):
            tables.detection.add("fp", document.name_class(chain))


def add_anchors_code(document: Document, tables: AnchorTables) -> None:
    """A response chain is aligned once only.

    "The first response chain" that shares a mention with a key chain without an anchor is the
    first in the order of the chains (not of the key chain's mentions) among those still there,
    singletons included. A response chain that was taken is not there for later key chains,
    whose anchors are then fn. fp by class goes to that of the annotation over exactly the
    anchor, with no regard to the other mentions; tp, fn and the mentions go to the key chain's
    class as in `paper`. So the fp of the classes do not add up to the total.
    """
    left = Side(sorted(document.response.chains, key=chain_order))
    for chain in sorted(document.key.chains, key=chain_order):
        anchor = document.anchor(chain)
        if anchor is None:
            sharing = [other for other in left.chains if set(other) & set(chain)]
            taken = sharing[0] if sharing else []
        else:
            taken = left.chain_of(anchor)
            add_key_chain(document, tables, chain, taken)
        left = Side([other for other in left.chains if other != taken])
    for chain in left.chains:
        tables.detection.total.add("fp")
        anchor = document.anchor(chain)
        if anchor is not None and len(chain) > 1:
            tables.detection.add_to_class("fp", document.names.get(anchor, NO_NAME))


def chain_order(chain: Chain) -> Span:
    """Sort chains by their first mention, the shorter one first."""
    return chain[0]


def add_key_chain(document: Document, tables: AnchorTables, chain: Chain, aligned: Chain) -> None:
    """Count a key chain with an anchor and the response chain aligned with it, if any."""
    name = document.name_class(chain)
    if not aligned:
        tables.detection.add("fn", name)
        return
    tables.detection.add("tp", name)
    tables.mentions.add("tp", name, len(set(chain) & set(aligned)))
    tables.mentions.add("fn", name, len(set(chain) - set(aligned)))
    tables.mentions.add("fp", name, len(set(aligned) - set(chain)))


# Columns of a CoNLL file

NAME_OPENS = re.compile(r"\(([^()*|]+)")


@dataclass
class Tokens:
    """What the application scores read of a document's lines."""

    name: str
    words: list[str]
    tags: list[str]
    names: dict[Span, str]
    entities: dict[str, list[Span]]
    """As conll.read gives them: copies of a span are still there."""


def read_tokens(text: str) -> list[Tokens]:
    """Word (column 4), tag (5), named entities (11) and coreference (last) of each document.

    The last column is coreference, so a line of 11 columns has no named entities, and one of
    fewer has no tag or no word: those are "".
    """
    blocks = conll.split_documents(text.removeprefix("\ufeff"))
    if not blocks:
        raise ValueError("no document")
    return [read_block(block) for block in blocks]


def read_block(block: Block) -> Tokens:
    """Read one document."""
    full_widths = {
        len(line.split("\t")) for _, line in block.lines if not conll.trailing_empty_fields(line)
    }
    words: list[str] = []
    tags: list[str] = []
    names: dict[Span, str] = {}
    open_names: list[tuple[int, str]] = []
    for token, (number, line) in enumerate(block.lines):
        columns = columns_before_coreference(line, full_widths)
        words.append(column(columns, 4))
        tags.append(column(columns, 5))
        cell = column(columns, 11)
        open_names += [(token, name) for name in NAME_OPENS.findall(cell)]
        for _ in range(cell.count(")")):
            if not open_names:
                raise ValueError(f"line {number}: {cell!r} closes a named entity that is not open")
            start, name = open_names.pop()
            names[start, token] = name
    if open_names:
        raise ValueError(f"document {block.name!r}: a named entity is never closed")
    return Tokens(block.name, words, tags, names, conll.read_document(block).entities)


def columns_before_coreference(line: str, full_widths: set[int]) -> list[str]:
    """All columns but the last; see conll.coreference_cell for which one that is."""
    if conll.trailing_empty_fields(line) == 1 and len(line.split("\t")) in full_widths:
        return line.split("\t")[:-1]
    stripped = line.rstrip(conll.BLANKS)
    if "\t" in stripped:
        return stripped.split("\t")[:-1]
    return [cell for cell in stripped.split(" ") if cell][:-1]


def column(columns: Sequence[str], number: int) -> str:
    """A column by its number in the table of the format; "" if the line does not have it."""
    return columns[number - 1].strip(conll.BLANKS) if number <= len(columns) else ""
