"""Options: the policies and metrics of a scoring run, and how files are read.

Each option is declared once, as a field of Options or Reading.
"""

from collections.abc import Iterable, Mapping
from dataclasses import field, fields, replace
from typing import Any, Literal, NamedTuple, TypedDict

from corefkit.core import languages
from corefkit.core.carriers import frozen
from corefkit.core.languages import LANGUAGES
from corefkit.core.texts import decimal_text

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
MissingPolicy = Literal["empty", "skip", "error"]
ExtraPolicy = Literal["ignore", "error"]
PairPolicy = Literal["names", "exact"]
AlignPolicy = Literal["auto", "characters", "crac", "never"]
UnalignedPolicy = Literal["count", "drop"]
LengthsPolicy = Literal["error", "ignore"]
IdsPolicy = Literal["any", "digits"]
GluedPolicy = Literal["all", "last"]
WordsPolicy = Literal["ignore", "compare", "error"]
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
CrossPolicy = Literal["split", "pool"]


def _policy(*, rare: bool = False, **meanings: str) -> Any:
    """A field of Options that is a policy: its values with their meanings, the default first.

    A rare policy has no command-line option of its own: it is set by --policy.
    """
    default = next(iter(meanings))
    return field(default=default, metadata={"meanings": meanings, "rare": rare})


@frozen
class Options:
    """Everything that determines what a score means; all of it is in the signature.

    `corefkit.scorers.make_options` makes Options and checks metrics and profiles. The policies are
    declared only here: keywords, command-line options, help, manifests and signatures are derived
    from these fields.

    >>> Options(metrics=("muc",), singletons="drop").singletons
    'drop'
    >>> Options(metrics=("muc",), missing="guess")
    Traceback (most recent call last):
    corefkit.core.options.UsageError: missing: unknown value 'guess'; choose from empty, skip, error
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
    ties: TiesPolicy = _policy(
        rare=True,
        first="among equally good pairings, the first in the text",
        scipy="among equally good pairings, the one that scipy's linear_sum_assignment returns",
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
    blanc: BlancPolicy = _policy(
        rare=True,
        key="blanc leaves out a kind of link that the key lacks",
        either="blanc leaves out a kind of link only when neither side has it",
    )
    missing: MissingPolicy = _policy(
        empty="a document that the response lacks counts as one without mentions",
        skip="leave out the documents that the response lacks",
        error="refuse a response that lacks a document",
    )
    extra: ExtraPolicy = _policy(
        ignore="leave out response documents that the key lacks",
        error="refuse a response with documents that the key lacks",
    )
    pair: PairPolicy = _policy(
        names="pair documents by name, and across formats by variants of it",
        exact="pair only documents with identical names",
    )
    align: AlignPolicy = _policy(
        auto="a different text is aligned with the key's if a file has running text",
        characters="any response with different words is aligned with the words of the key",
        crac="a text of the CRAC tasks is read into the CorefUD file of the key, by their rules",
        never="refuse responses with a different text",
    )
    unaligned: UnalignedPolicy = _policy(
        rare=True,
        count="a mention that the alignment cannot place counts as wrong",
        drop="leave out mentions that the alignment cannot place",
    )
    lengths: LengthsPolicy = _policy(
        error="refuse documents with different numbers of tokens",
        ignore="compare spans regardless of the numbers of tokens",
    )
    ids: IdsPolicy = _policy(
        rare=True,
        any="an entity id is any text without brackets and bars",
        digits="brackets whose ids are not numbers are ignored",
    )
    glued: GluedPolicy = _policy(
        rare=True,
        all="adjacent opening brackets, as in (1(2, are all read",
        last="only the last of adjacent opening brackets is read, as in CoVal",
    )
    words: WordsPolicy = _policy(
        ignore="do not read the words",
        compare="warn where the words of key and response differ",
        error="refuse responses with different words or sentence names",
    )
    average: AveragePolicy = _policy(
        micro="counts are summed over all documents and divided once",
        documents="recall, precision and F1 are means over documents; 0/0 counts as 0",
    )
    cross: CrossPolicy = _policy(
        split="entities that span documents are scored in each document separately",
        pool="the corpus, or a topic of ECB+, is scored as one document, in which equal ids are "
        "one entity",
    )
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
        choose("documents", self.documents, ("all", "common", "listed"))
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

RARE = tuple(field.name for field in fields(Options) if field.metadata.get("rare"))
"""The policies that are rarely set: command lines have them only as --policy NAME=VALUE."""


def option_text(policy: str, value: str) -> str:
    """The command-line option that sets a policy or the profile.

    >>> option_text("match", "head"), option_text("ids", "digits")
    ('--match head', '--policy ids=digits')
    """
    return f"--policy {policy}={value}" if policy in RARE else f"--{policy} {value}"


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


def did_you_mean(value: str, values: Iterable[str]) -> str:
    """A question for the end of a message, if one of the values resembles the given one; or "".

    >>> did_you_mean("ceaffe", ["muc", "ceafe"]), did_you_mean("x", ["muc"])
    ('. Did you mean ceafe?', '')
    """
    from difflib import get_close_matches

    near = get_close_matches(str(value).lower(), list(values), n=1)
    return f". Did you mean {near[0]}?" if near else ""


class ReadingOption(NamedTuple):
    """How a field of Reading is set: as a keyword and, usually, on the command line.

    Attributes:
        kind: the type of its value; a "list" is written with commas.
        help: its help text; empty if the command line has no such option.
        formats: the formats that support it, for the help text; empty: all of them.
        metavar: the placeholder of the value in the help.
        values: the values that can be chosen; empty: any value.
        keyword: whether it is a keyword of `read`, `score` and so on.
    """

    kind: Literal["text", "list", "number", "decimal", "flag"] = "text"
    help: str = ""
    formats: str = ""
    metavar: str | None = None
    values: tuple[str, ...] = ()
    keyword: bool = True

    @property
    def text(self) -> str:
        """The help text, preceded by the formats that support the option."""
        return f"{self.formats}: {self.help}" if self.formats else self.help


def _option(default: Any, **option: Any) -> Any:
    return field(default=default, metadata={"option": ReadingOption(**option)})


@frozen(eq=False)
class Reading:
    """How a file is to be read. Options that its format does not support are reported.

    This is the only declaration of these options: keywords, command-line options and checks are
    derived from it.

    Attributes:
        format: the name of the format; None: detected from the content.
        role: the side that is read; JSON files may contain both.
        ids: "any", or "digits" to ignore brackets whose ids are not numbers (CoNLL).
        clusters: the field with the clusters (JSON).
        ends: whether spans include their ends, if a file differs from its dialect (JSON, link
            lists).
        threshold: links with a lower score are left out (link lists).
        best: whether only the best link of each anaphor is read (link lists).
        unlinked: whether mentions that lose all their links are kept (link lists).
        layer: the annotation layer (WebAnno, CoNLL-UA: "identity" or "deixis").
        relations, mentions, types: those that count (brat, WebAnno, SGML).
        text_field: the field with the answer of a language model (JSON).
        lenient: whether broken mark-up is dropped with a warning (mark-up of language models).
        word_column: the number of the column with the words, from 1 (columns).
        annotator: the annotator whose annotation is read (projects, Label Studio).
        unfinished: what becomes of documents that an annotator has not finished (projects).
        optional: whether mentions that are marked as optional are kept (MUC).
        unit: the unit of offsets, if a file does not specify it (KBP, link lists).
        extent: whether mentions or their heads are read (ACE).
        text, concepts: the folders of the texts and of the concepts (i2b2).
        columns: the names of columns, each as "mention=token_id" (tables of mentions).
        one_of_two: whether the other side is read with the same options.
        all_columns: whether lines of a sentence with different numbers of columns are reported
            (CoNLL); scoring does not need this.
        token_columns: whether the columns for document and token number are compared with the
            position (CoNLL), as `check` does; scoring does not need this.
        max_size: how many bytes a packed file may unpack to; None: `COREFKIT_MAX_SIZE`, or 2 GiB.
    """

    format: str | None = _option(
        None,
        metavar="NAME",
        help="The format of the files, one of `corefkit formats`.  [default: by the content]",
    )
    role: Literal["key", "response"] = _option("key", values=("key", "response"), keyword=False)
    ids: str = _option("any", keyword=False)
    clusters: str | None = _option(
        None, formats="JSON", metavar="FIELD", help="the field that contains the clusters."
    )
    ends: Literal["inclusive", "exclusive"] | None = _option(
        None,
        formats="JSON, link lists",
        values=("inclusive", "exclusive"),
        help="whether spans include their last token, if a file differs from its dialect.",
    )
    threshold: float | None = _option(
        None,
        kind="decimal",
        formats="Link lists",
        metavar="P",
        help="keep links with a score of at least P, and those without a score.",
    )
    best: bool = _option(
        False,
        kind="flag",
        formats="Link lists",
        help="keep only the highest-scoring link of each anaphor.",
    )
    unlinked: Literal["keep", "drop"] = _option(
        "keep",
        formats="Link lists",
        values=("keep", "drop"),
        help="whether to keep mentions that lose all their links.  [default: keep]",
    )
    layer: str | None = _option(
        None, formats="WebAnno, CoNLL-UA", metavar="NAME", help="the annotation layer to read."
    )
    relations: tuple[str, ...] = _option(
        (), kind="list", formats="brat", metavar="NAME,…", help="the relations that mean identity."
    )
    mentions: tuple[str, ...] = _option(
        (), kind="list", formats="brat", metavar="TYPE,…", help="the types that count as mentions."
    )
    types: tuple[str, ...] = _option(
        (),
        kind="list",
        formats="WebAnno, SGML",
        metavar="TYPE,…",
        help="the links that mean identity.",
    )
    text_field: str | None = _option(
        None,
        formats="JSON answers",
        metavar="FIELD",
        help="the field that contains the marked-up text.",
    )
    lenient: bool = _option(
        False,
        kind="flag",
        formats="Mark-up",
        help="drop broken marks, with a warning for each.",
    )
    word_column: int | None = _option(
        None,
        kind="number",
        formats="Columns",
        metavar="N",
        help="the column of the words, counted from 1.",
    )
    annotator: str | None = _option(
        None,
        formats="Projects, Label Studio",
        metavar="NAME",
        help="whose annotation to read; FILE#NAME specifies it for one file.",
    )
    unfinished: Literal["keep", "drop", "error"] = _option(
        "keep",
        formats="Projects",
        values=("keep", "drop", "error"),
        help="what to do with documents that an annotator has not finished.  [default: keep]",
    )
    optional: Literal["keep", "drop"] = _option(
        "keep",
        formats="MUC",
        values=("keep", "drop"),
        help="whether to read mentions with STATUS=OPT.  [default: keep]",
    )
    unit: Literal["token", "character"] | None = _option(
        None,
        formats="KBP, link lists",
        values=("token", "character"),
        help="the unit of offsets, if the file does not specify it.",
    )
    extent: Literal["full", "head"] = _option(
        "full",
        formats="ACE",
        values=("full", "head"),
        help="whether to read whole mentions or their heads.  [default: full]",
    )
    text: str | None = _option(
        None, formats="i2b2", metavar="FOLDER", help="the folder of the texts.  [default: ../docs]"
    )
    concepts: str | None = _option(
        None,
        formats="i2b2",
        metavar="FOLDER",
        help="the folder of the concept files.  [default: ../concepts]",
    )
    columns: tuple[str, ...] = _option((), kind="list", formats="Tables", keyword=False)
    one_of_two: bool = _option(False, kind="flag", keyword=False)
    all_columns: bool = _option(True, kind="flag", keyword=False)
    token_columns: bool = _option(False, kind="flag", keyword=False)
    max_size: int | None = _option(None, kind="number")


READING_OPTIONS: dict[str, ReadingOption] = {
    field.name: field.metadata["option"] for field in fields(Reading)
}
"""How each field of Reading is set, by its name."""

SPECIAL_OPTIONS = tuple(name for name, option in READING_OPTIONS.items() if option.formats)
"""The fields of Reading that only some formats support."""

RESPONSE_OPTIONS = ("threshold", "best", "unlinked", "text_field", "lenient")
"""The options meant for responses: nothing is reported if the format of the key lacks them."""

PLAIN = Reading()
"""All defaults: the format is detected from the content."""


def links_text(reading: Reading) -> str:
    """Which links of a link list count, for signatures; empty if all do.

    >>> links_text(Reading(threshold=0.5, unlinked="drop"))
    'threshold=0.5+unlinked=drop'
    """
    threshold = reading.threshold
    parts = [] if threshold is None else [f"threshold={decimal_text(threshold)}"]
    parts += ["best"] if reading.best else []
    parts += ["unlinked=drop"] if reading.unlinked == "drop" else []
    return "+".join(parts)


def reading_of_links(text: str, reading: Reading) -> Reading:
    """The reading with the options in a text of `links_text`; raises UsageError for other texts."""
    for part in text.split("+") if text else ():
        name, _, value = part.partition("=")
        try:
            if name == "threshold":
                reading = replace(reading, threshold=float(value))
            elif name == "unlinked":
                choose("links: unlinked", value, READING_OPTIONS["unlinked"].values)
                reading = replace(reading, unlinked="drop" if value == "drop" else "keep")
            elif part == "best":
                reading = replace(reading, best=True)
            else:
                raise ValueError
        except ValueError:
            raise UsageError(f"links: {part!r:.60} is not a way to read links") from None
    return reading


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

    match: MatchPolicy
    zeros: ZerosPolicy
    ties: TiesPolicy
    split: SplitPolicy
    heads: HeadsPolicy
    singletons: SingletonsPolicy
    duplicates: DuplicatesPolicy
    blanc: BlancPolicy
    missing: MissingPolicy
    extra: ExtraPolicy
    pair: PairPolicy
    align: AlignPolicy
    unaligned: UnalignedPolicy
    lengths: LengthsPolicy
    ids: IdsPolicy
    glued: GluedPolicy
    words: WordsPolicy
    average: AveragePolicy
    cross: CrossPolicy
