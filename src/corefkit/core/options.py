"""Options: the policies and metrics of a scoring run, and how files are read.

Each option is declared once, as a field of Options or Reading.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import field, fields, replace
from typing import Any, Literal, NamedTuple, TypedDict

from corefkit.core import languages
from corefkit.core.carriers import frozen
from corefkit.core.entry_points import ours
from corefkit.core.languages import LANGUAGES

DEFAULT = ("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc", "lea", "conll")
"""The metrics that are scored by default."""

TAGSETS = {
    "auto": "the one that the tags of the key are from",
    **{name: tagset.title for name, tagset in languages.TAGSETS.items()},
}
"""The values of `tagset`, for application scores, with their meanings."""


Variants = str | Iterable[str] | Mapping[str, str]
"""Variants as users write them: "clean", "inferred=clean,code", a list, or {metric: variant}."""


class UsageError(ValueError):
    """A request that cannot be met, e.g. an unknown metric, profile or value of an option."""


MatchPolicy = Literal["exact", "partial", "head", "craft", "mina", "semeval", "min"]
ZerosPolicy = Literal["dependent", "linear", "drop"]
TiesPolicy = Literal["first", "scipy"]
LayerPolicy = Literal["identity", "deixis"]
SplitPolicy = Literal["keep", "drop", "only"]
HeadsPolicy = Literal["file", "tree"]
SingletonsPolicy = Literal["keep", "drop", "e2e", "lea"]
DuplicatesPolicy = Literal["first", "listed", "error"]
BlancPolicy = Literal["key", "either"]
AlignPolicy = Literal["auto", "characters", "crac"]
UnalignedPolicy = Literal["count", "drop"]
LengthsPolicy = Literal["error", "ignore"]
IdsPolicy = Literal["any", "digits"]
GluedPolicy = Literal["all", "last"]
DefectsPolicy = Literal["usual", "strict", "lax"]
PiecesPolicy = Literal["follow", "keep"]

PIECES: dict[PiecesPolicy, str] = {
    "follow": "--singletons drop applies to windows as it does to documents",
    "keep": "singletons are dropped by whole documents only; pieces of one mention stay",
}
"""The values of `window_singletons`: what becomes of singletons that the cutting creates."""

LEVELS = {
    "none": "each document by itself",
    "topic": "the documents of a topic as one, in which an id is one entity",
    "corpus": "all documents as one, in which an id is one entity",
}
"""The values of `across`, from narrow to wide, with their meanings."""
AveragePolicy = Literal["micro", "documents"]


DEFECTS = {
    "missing": "a response lacks a document of the key",
    "extra": "a response has a document that the key lacks",
    "names": "documents are paired by other than identical names",
    "words": "words or names of sentences differ",
    "texts": "a text is altered, so that it would have to be aligned",
    "copies": "a span occurs twice",
}
"""The kinds of defective input that can be refused, with what they are."""


def _policy(**meanings: str) -> Any:
    """A field of Options that is a policy: its values with their meanings, the default first."""
    return field(default=next(iter(meanings)), metadata={"meanings": meanings})


@frozen
class Options:
    """Everything that determines what a score means; all of it is in the signature.

    `corefkit.scorers.make_options` makes Options and checks metrics and profiles. The policies are
    declared only here: keywords, command-line options, help, manifests and signatures are derived
    from these fields.

    >>> Options(metrics=("muc",), singletons="drop").singletons
    'drop'
    >>> Options(metrics=("muc",), split="guess")
    Traceback (most recent call last):
    corefkit.core.options.UsageError: split: unknown value 'guess'; choose from keep, drop, only
    """

    metrics: tuple[str, ...] = DEFAULT
    profile: str = "standard"
    scorer: str = "standard"
    """The scorer that counts: that of the profile, unless a value of `duplicates` was chosen."""
    match: MatchPolicy = _policy(
        exact="mentions match if they have the same tokens",
        partial="a response mention may also lie within the key's if it contains the key's "
        "minimum: its Min if it has one, otherwise its head",
        head="mentions match one to one if their heads are the same, the largest overlap first",
        craft="a response mention may also lie within the first part of a key mention",
        mina="mentions match if their minimum spans, found in the parse trees of the key, are "
        "the same",
        semeval="a response mention may also lie within the key's if it contains its head, by "
        "the head column of SemEval-2010; `mentions` counts it one half",
        min="as CoVal on ARRAU files: mentions match if the response's lies within the key's "
        "and contains its minimum; one may match several",
    )
    zeros: ZerosPolicy = _policy(
        dependent="match zeros by their dependencies if files have them, and otherwise like all "
        "mentions",
        linear="match zeros by their positions, like all mentions",
        drop="remove zeros from both sides before anything else",
    )
    layer: LayerPolicy = _policy(
        identity="score the entities of the column IDENTITY (CoNLL-UA)",
        deixis="score those of DISCOURSE_DEIXIS",
    )
    split: SplitPolicy = _policy(
        keep="a split antecedent is one more mention of its entity",
        drop="leave split antecedents out",
        only="score split antecedents alone",
    )
    heads: HeadsPolicy = _policy(
        file="the heads that files declare; where they declare none, those of their trees",
        tree="heads from the trees, even where files declare others",
    )
    singletons: SingletonsPolicy = _policy(
        keep="score entities of one mention like all others",
        drop="remove entities of one mention from both sides before scoring",
        e2e="bcub and lea skip those of the side they sum over, bcub gives no credit for overlap "
        "with those of the other side, ceafe drops those of the response",
        lea="lea skips those of the side it sums over",
    )
    duplicates: DuplicatesPolicy = _policy(
        first="keep the copy of a repeated span in the entity that comes first in the text",
        listed="keep the copy in the entity that is listed first, as an Evaluator does",
        error="refuse files in which a span occurs twice",
    )
    align: AlignPolicy = _policy(
        auto="a different text is aligned with the key's if a file has running text",
        characters="any response with different words is aligned with the words of the key",
        crac="a text of the CRAC tasks is read into the CorefUD file of the key, by their rules",
    )
    unaligned: UnalignedPolicy = _policy(
        count="a mention that the alignment cannot place counts as wrong",
        drop="leave out mentions that the alignment cannot place",
    )
    average: AveragePolicy = _policy(
        micro="counts are summed over all documents and divided once",
        documents="recall, precision and F1 are means over documents; 0/0 counts as 0",
    )
    ties: TiesPolicy = "first"
    """This and the next four are the rules of a scorer that are no options: `scorers.rules`."""
    ids: IdsPolicy = "any"
    glued: GluedPolicy = "all"
    blanc: BlancPolicy = "key"
    lengths: LengthsPolicy = "error"
    defects: DefectsPolicy = "usual"
    """What becomes of defective input: as in the profile, all of it refused, or as in standard."""
    refused: tuple[str, ...] = ()
    """The kinds of DEFECTS that are errors: those of the profile unless `defects` says otherwise.
    """
    documents: str = "all"
    window: tuple[str, ...] = ()
    """The windows into which documents are cut; `scorers.windows` parses them."""
    window_singletons: PiecesPolicy = "follow"
    across: tuple[str, ...] = ()
    """The levels at which cross-document entities are scored, from narrow to wide; see
    `scorers.levels`. () if each document is scored by itself."""
    topic: str = ""
    """The pattern that finds the topic in the name of a document; empty: the format knows it."""
    leave_out: tuple[str, ...] = ()
    """The kinds of mentions that are left out of both sides; `scorers.leave_out` defines them."""
    labels: tuple[str, ...] = ()
    """The labels that mentions must share to be matched."""
    links: str = ""
    """Which links of link lists count, in the notation of `links_text`."""
    read: tuple[str, ...] = ()
    """What else was chosen for reading, as --read has it: `formats.options.reading_texts`."""
    by: tuple[str, ...] = ()
    """The strata into which scores are split, in the notation of `scoring.strata.with_strata`:
    labels of entities with their bounds, and features of mentions."""
    variants: tuple[tuple[str, str], ...] = ()
    tagset: str | languages.Tagset = "auto"
    language: str = "auto"
    """The language of the texts, whose word list finds pronouns if the key has no tags."""
    kinds: str = ""
    """How pronouns and names were recognised in an error analysis; detected, not chosen."""

    def __post_init__(self) -> None:
        if not self.metrics:
            raise UsageError("metrics: name at least one")
        for policy, values in POLICIES.items():
            choose(policy, getattr(self, policy), values)
        choose("defects", self.defects, ("usual", "strict", "lax"))
        if self.defects != "usual":
            refused = tuple(DEFECTS) if self.defects == "strict" else ()
            object.__setattr__(self, "refused", refused)
        choose("documents", self.documents, DOCUMENTS)
        choose("window_singletons", self.window_singletons, PIECES)
        if not hasattr(self.tagset, "name"):
            choose("tagset", self.tagset, TAGSETS)
        choose("language", self.language, ("auto", *LANGUAGES))
        object.__setattr__(self, "variants", tuple(self.applications.items()))

    @property
    def policies(self) -> dict[str, str]:
        """The value of each policy."""
        return {policy: getattr(self, policy) for policy in POLICIES}

    @property
    def of_matching(self) -> dict[str, str]:
        """What matching depends on: the policies, and how ties are broken."""
        return {**self.policies, "ties": self.ties}

    def refuses(self, defect: str) -> bool:
        """Whether a kind of DEFECTS is an error."""
        return defect in self.refused or (defect == "copies" and self.duplicates == "error")

    @property
    def applications(self) -> dict[str, str]:
        """The variant of each application score among the metrics."""
        chosen = dict(self.variants)
        return {metric: chosen[metric] for metric in self.metrics if metric in chosen}


POLICIES: dict[str, dict[str, str]] = {
    field.name: field.metadata["meanings"] for field in fields(Options) if field.metadata
}
"""Each policy with its values, the default first, and their meanings."""

STANDARD = {policy: next(iter(values)) for policy, values in POLICIES.items()}
"""The default value of each policy."""

DOCUMENTS = {
    "all": "all documents of the key; one that the response lacks counts as empty",
    "common": "only the documents that both sides have",
    "union": "also the documents that only the response has, as empty ones of the key",
    "listed": "those of a list",
}
"""The values of `documents` in a signature, with their meanings."""

_RULES = "is a rule of the profile"
_DEFECTS = "is part of strict and lax"
_LIMITS = ("memory", "threads", "spill")
GONE = {
    **dict.fromkeys(("ties", "ids", "glued", "blanc"), _RULES),
    **dict.fromkeys(("extra", "pair", "words"), _DEFECTS),
    "missing": "is part of strict and lax; see also documents",
    "lengths": "is an option of agree alone",
    "cross": "is across, with documents union",
    "setting": "is match, singletons and zeros: score once for each; a task has columns of them",
    **dict.fromkeys(_LIMITS, "is said with the engine: NAME:memory=4GB,threads=4,spill=FOLDER"),
    "policy": "is an option of its own, e.g. --zeros drop; rules of other scorers are in profiles",
    "recognise": "is what corefkit stats and check say of a corpus",
    **ours("gone"),
}
"""Names that a command line, signature or manifest may still have → what has taken their place.

An option that only one command has lost is called "COMMAND --option".
"""


def refuse_gone(what: str, names: Iterable[str]) -> None:
    """Raise UsageError for the first name that is one of GONE; `what` begins the message.

    >>> refuse_gone("signature", ["match", "words"])
    Traceback (most recent call last):
    corefkit.core.options.UsageError: signature: 'words' is part of strict and lax
    """
    for name in names:
        if name in GONE:
            raise UsageError(f"{what}: {name!r} {GONE[name]}")


def refuse_levels(options: Options, what: str, *, more_than: int = 0) -> None:
    """Raise UsageError if there are more than so many levels across documents.

    `what` is the reason that the message gives.
    """
    if len(options.across) > more_than:
        instead = "name one level" if more_than else "leave out across"
        raise UsageError(f"across: {what}; {instead}")


def choose(what: str, value: str, values: Iterable[str], listed_by: str = "") -> None:
    """Raise UsageError if the value is not one of these; the message lists them.

    If there are too many for a line, `listed_by` is the command that lists them.
    """
    if not isinstance(value, str) or value not in values:
        near = did_you_mean(str(value), values)
        if listed_by:
            raise UsageError(
                f"{what}: unknown value {value!r:.60}{near or '.'} `{listed_by}` lists all of them"
            )
        known = ", ".join(values)
        hint = f"choose from {known}" if known else "no metric that was chosen has one"
        raise UsageError(
            f"{what}: unknown value {value!r:.60}; {hint}{did_you_mean(str(value), values)}"
        )


def compile_pattern(what: str, pattern: str) -> "re.Pattern[str]":
    """The compiled pattern; raises UsageError, which begins with `what`, if it is not a pattern.

    >>> compile_pattern("topic", "*")
    Traceback (most recent call last):
    corefkit.core.options.UsageError: topic: '*' is not a pattern: nothing to repeat at position 0
    """
    if not isinstance(pattern, str):
        raise TypeError(f"{what}: a pattern is a str, not {pattern!r:.60}")
    try:
        return re.compile(pattern)
    except re.error as error:
        raise UsageError(f"{what}: {pattern!r} is not a pattern: {error}") from None


def did_you_mean(value: str, values: Iterable[str]) -> str:
    """A question for the end of a message, if one of the values resembles the given one; or "".

    >>> did_you_mean("ceaffe", ["muc", "ceafe"]), did_you_mean("x", ["muc"])
    ('. Did you mean ceafe?', '')
    """
    from difflib import get_close_matches

    near = get_close_matches(str(value).lower(), list(values), n=1)
    return f". Did you mean {near[0]}?" if near else ""


@frozen(eq=False)
class Reading:
    """How a file is to be read. Options that its format does not know are reported.

    Attributes:
        format: the name of the format; None: detected from the content.
        role: the side that is read; a file may contain both.
        max_size: how many bytes a packed file may unpack to; None: `COREFKIT_MAX_SIZE`, or 2 GiB.
        options: what only some formats understand, by name: `formats.options` lists the names.
        ids: "any", or "digits" to ignore brackets whose ids are not numbers.
        one_of_two: whether the other side is read with the same options.
        all_columns: whether lines of a sentence with different numbers of columns are reported;
            scoring does not need this.
        token_columns: whether the columns for document and token number are compared with the
            position, as `check` does; scoring does not need this.
    """

    format: str | None = None
    role: Literal["key", "response"] = "key"
    max_size: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    ids: str = "any"
    one_of_two: bool = False
    all_columns: bool = True
    token_columns: bool = False

    def get(self, name: str) -> Any:
        """The value of an option of a format; None if it was not given."""
        return self.options.get(name)

    def listed(self, name: str) -> tuple[str, ...]:
        """The values of an option that is a list; none if it was not given."""
        values: tuple[str, ...] = self.options.get(name, ())
        return values

    def with_options(self, **options: Any) -> "Reading":
        """The reading with other values of options of formats; None: not given."""
        changed = {**self.options, **options}
        return replace(self, options={n: v for n, v in changed.items() if v is not None})


PLAIN = Reading()
"""All defaults: the format is detected from the content."""


def for_side(role: str) -> str:
    """What precedes an option of --read in a hint, so that a response's leaves the key alone."""
    return "response:" if role == "response" else ""


class Readings(NamedTuple):
    """How the two sides are to be read."""

    key: Reading = PLAIN
    response: Reading = Reading(role="response")


PLAIN_SIDES = Readings()
"""All defaults for both sides."""


class FileChoices(TypedDict, total=False):
    """The keywords of `corefkit.read`: how a file is read.

    This class and the next two are for type checkers; a test compares them with Reading and
    Options.
    """

    format: str | None
    clusters: str | None
    ends: Literal["inclusive", "exclusive"] | None
    threshold: float | None
    best: bool
    unlinked: Literal["keep", "drop"]
    layer: str | None
    relations: str | Iterable[str]
    mentions: str | Iterable[str]
    types: str | Iterable[str]
    text_field: str | None
    lenient: bool
    word_column: int | None
    annotator: str | None
    unfinished: Literal["keep", "drop", "error"]
    optional: Literal["keep", "drop"]
    unit: Literal["token", "character"] | None
    extent: Literal["full", "head"]
    text: str | None
    concepts: str | None
    max_size: int | None


class ReadChoices(FileChoices, total=False):
    """The keywords for reading two sides: those of FileChoices, and the format of one side."""

    key_format: str | None
    response_format: str | None


class ScoreChoices(ReadChoices, total=False):
    """The keywords for scoring: those of ReadChoices, and the policies.

    `layer` is both; as an option of reading, it may be any name.
    """

    labels: str | Iterable[str] | None
    leave_out: str | Iterable[str] | None
    across: str | Iterable[str]
    topic: str | None
    language: str
    strict: bool
    lax: bool

    match: MatchPolicy
    zeros: ZerosPolicy
    split: SplitPolicy
    heads: HeadsPolicy
    singletons: SingletonsPolicy
    duplicates: DuplicatesPolicy
    align: AlignPolicy
    unaligned: UnalignedPolicy
    average: AveragePolicy
