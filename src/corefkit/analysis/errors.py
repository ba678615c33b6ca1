"""Errors: the errors of one response, with their figures; the result of `corefkit.errors`.

After it: the selection of errors (`ErrorChoice`), the errors that several systems share, and
patterns, the kinds of errors that are most frequent.
"""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any, ClassVar, NamedTuple, overload

import numpy as np

from corefkit import metrics
from corefkit.analysis.error import Details, Error
from corefkit.analysis.gains import SingleGains
from corefkit.analysis.joint import Joint
from corefkit.analysis.link_errors import Link, LinkErrors, Strategy, link_errors, list_links
from corefkit.analysis.losses import RepairCorners
from corefkit.analysis.repairs import (
    ALL,
    CUMULATIVE,
    SETS,
    RepairedScores,
    Repairs,
    set_of,
    shapley,
)
from corefkit.analysis.types import (
    FOUND_AS,
    NOT_FOUND,
    PUT_WITH,
    STANDS_ALONE,
    TYPES,
    ErrorType,
    find_errors,
)
from corefkit.core.arrays import (
    BoolArray,
    FloatArray,
    IntArray,
    tuples,
)
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.names import GROUPINGS
from corefkit.core.nodes import zero_numbers
from corefkit.core.options import Options, UsageError, choose
from corefkit.core.results import Result
from corefkit.features.features import KINDS, UNKNOWN_KIND
from corefkit.metrics.base import PartitionMetric
from corefkit.scorers.signature import signature

BEST = 10
"""How many of the repairs that gain most are listed."""


ErrorIdentity = tuple[int, int, tuple[tuple[int, int, int], ...]]
"""The type, the document and the spans of an error; equal where responses make the same error."""


class _ListedErrors(Result, Sequence[Error]):
    """Errors that are made when they are asked for: `details` has them by number."""

    details: Details
    _numbers: Sequence[int]

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> Error: ...

    @overload
    def __getitem__(self, index: slice) -> list[Error]: ...

    def __getitem__(self, index: int | slice) -> Error | list[Error]:
        if isinstance(index, slice):
            return [self.details[number] for number in self._numbers[index]]
        return self.details[self._numbers[index]]

    def rows(self) -> list[dict[str, Any]]:
        """One flat dict per error."""
        return [error.to_row() for error in self]


class Errors(_ListedErrors):
    """The errors of one response: a sequence of Error, ordered by document, type and place.

    Attributes:
        name: the name of the system.
        options: the metrics asked for and the policies.
        joint: the mentions of both sides in one table.
        coverage: as in `Scores`.
        table: the errors as arrays.
        missing: the documents of the key that the response lacks.
    """

    kind: ClassVar[str] = "errors"

    def __init__(
        self,
        name: str,
        joint: Joint,
        options: Options,
        as_read: tuple[Corpus, IntArray],
        coverage: float | None = None,
    ) -> None:
        """`as_read` is the response as it was read, and there the row of each of joint.response."""
        self.name = name
        self.options = options
        self.joint = joint
        self.coverage = coverage
        self.table = find_errors(joint)
        there = {*as_read[0].names}
        self.missing = tuple(name for name in joint.key.names if name not in there)
        self.details = Details(self.table, as_read, self.gains)
        self._numbers = range(len(self.table))
        self._repaired = RepairedScores(self.table, options)
        self._gains = SingleGains(self.table, options)

    @property
    def metric(self) -> str:
        """The default metric of all figures: the first one of the options."""
        return self.options.metrics[0]

    @property
    def metrics(self) -> list[str]:
        """All metrics with figures: those of the options, and the parts of averages."""
        return list(dict.fromkeys((*metrics.counted(self.options.metrics), *self.options.metrics)))

    @property
    def signature(self) -> str:
        """One line that makes the figures reproducible."""
        return signature(self.options, (self.coverage,))

    @property
    def counts(self) -> dict[str, int]:
        """How many errors there are of each type."""
        return dict(zip(TYPES, self.table.counts.sum(axis=0).tolist(), strict=True))

    @property
    def mentions(self) -> dict[str, dict[str, int | None]]:
        """How many mentions the errors of each type concern, by kind; None where unknown."""
        counted = self.joint.sources.counted
        rows = self.table.kinds.tolist()
        return {name: counted(row) for name, row in zip(TYPES, rows, strict=True)}

    @property
    def mentions_concerned(self) -> dict[str, int]:
        """How many mentions the errors of each type concern."""
        return dict(zip(TYPES, self.table.kinds.sum(axis=1).tolist(), strict=True))

    def f1(self, metric: str | None = None, repaired: Sequence[str] = ()) -> float:
        """F1 of the response, or of the response with these types of errors repaired."""
        return self._repaired.f1(set_of(repaired), metric or self.metric)

    def _figures(self, sets: Sequence[int], metric: str | None) -> list[float]:
        return self._repaired.figures(sets, metric or self.metric)

    def repaired(self, metric: str | None = None) -> dict[str, float]:
        """Type → F1 if the errors of this type alone were repaired."""
        figures = self._figures([set_of([name]) for name in TYPES], metric)
        return dict(zip(TYPES, figures, strict=True))

    def cumulative(self, metric: str | None = None) -> dict[str, float]:
        """Type → F1 when all types up to this one are repaired, in the order of CUMULATIVE."""
        sets = [set_of(CUMULATIVE[:number]) for number in range(1, len(CUMULATIVE) + 1)]
        return dict(zip(CUMULATIVE, self._figures(sets, metric), strict=True))

    def shares(self, metric: str | None = None) -> dict[str, float]:
        """Type → its share in the lost points; the shares add up to 1 − F1.

        It is the Shapley value of the type over all sets of types. Where the key scored against
        itself is below 1 (muc without links), they add up to the difference to that score.
        """
        value = self._figures(range(SETS), metric)
        return {name: shapley(value, number) for number, name in enumerate(TYPES)}

    @cached_property
    def corners(self) -> RepairCorners:
        """The points lost by detection and by linking, e.g. `errors.corners["conll"].detection`."""
        return RepairCorners(self.joint, self.options)

    def links(self, strategy: Strategy = "accessibility") -> dict[str, LinkErrors]:
        """The errors as links: "recall", links of the key that the response lacks; "precision"."""
        return link_errors(self.joint, strategy)

    def listed_links(self, strategy: Strategy = "accessibility") -> list[Link]:
        """The errors as links, each with its two ends: recall, then precision, in text order."""
        sides = self.links(strategy).items()
        return [link for side, links in sides for link in list_links(self.details, side, links)]

    def repaired_corpus(self, types: Sequence[str] = TYPES) -> Corpus:
        """The response with these types of errors repaired; with all of them it is the key."""
        return Repairs(self.table).corpus(set_of(types))

    def gains(self, metric: str | None = None) -> FloatArray:
        """How much F1 would rise if each error alone were repaired, float64 (errors,).

        A gain may be negative. Gains do not add up, because errors interact.
        """
        return self._gains.f1(metric or self.metric)

    def best_repairs(self, most: int = BEST) -> list[Error]:
        """The errors whose repair alone gains most, the best first; equal ones in their order."""
        gain = self.gains()
        # Only errors that gain as much as the last one of these need to be sorted.
        least = np.partition(gain, -most)[-most] if len(gain) > most else -np.inf
        best = np.flatnonzero(gain >= least)
        return self.details.select(best[np.argsort(-gain[best], kind="stable")[:most]])

    def by_type(self, *, shares: bool = True) -> list[dict[str, Any]]:
        """One row per type of error, the costliest first, then one for all of them.

        A row has the numbers of errors and of mentions concerned, by kind, too, F1 as it is and if
        all errors of the type are repaired, and with `shares` the share in the lost points.
        """
        repaired, share = self.repaired(), self.shares() if shares else {}
        costs = share or repaired
        rows: list[dict[str, Any]] = [
            {"type": name, "errors": self.counts[name], "mentions": self.mentions_concerned[name]}
            | {**self.mentions[name], "repaired": repaired[name], "share": share.get(name)}
            for name in sorted(TYPES, key=lambda name: -costs[name])
        ]
        kinds = self.joint.sources.counted(self.table.kinds.sum(axis=0).tolist())
        total = {"errors": len(self), "mentions": sum(self.mentions_concerned.values()), **kinds}
        ends = {
            "repaired": self.f1(repaired=TYPES),
            "share": sum(share.values()) if share else None,
        }
        rows.append({"type": "all", **total, **ends})
        return [{"system": self.name, "f1": self.f1(), **row} for row in rows]

    def identities(self) -> list[ErrorIdentity]:
        """The identity of each error, by which responses to the same key are compared."""
        table, corpus = self.table, self.joint.corpus
        spans = list(tuples(corpus.start, corpus.end, zero_numbers(corpus)))
        mentions = [spans[row] for row in table.mention.tolist()]
        rows = tuples(table.type, table.document, table.first[:-1], table.first[1:])
        return [(kind, document, tuple(mentions[a:b])) for kind, document, a, b in rows]

    def patterns(self, most: int = 10) -> "list[Pattern]":
        """The patterns that cost most, the costliest first; of equal ones, the most frequent."""
        table, relations = self.table, list(WAS)
        first = table.first_mention
        kind, was = self.joint.kind[first], np.full(len(table), relations.index(STANDS_ALONE))
        was[self.details.antecedents.response >= 0] = relations.index(PUT_WITH)
        was[table.response.entity[first] < 0] = relations.index(NOT_FOUND)
        was[table.type == ErrorType.SPAN] = relations.index(FOUND_AS)
        group = (table.type * len(KINDS) + kind) * len(relations) + was
        size = len(TYPES) * len(KINDS) * len(relations)
        number = np.bincount(group, minlength=size)
        gain = np.bincount(group, weights=self.gains(), minlength=size)
        listed: list[Pattern] = []
        for code in np.lexsort((-number, -gain.round(12))).tolist():
            if number[code] and len(listed) < most:
                of_kind, relation = divmod(code, len(relations))
                name, shown = TYPES[of_kind // len(KINDS)], self.joint.sources.shown
                words = _words(self, first[group == code])
                row = (name, shown[of_kind % len(KINDS)], relations[relation])
                listed.append(Pattern(*row, int(number[code]), float(gain[code]), words))
        return listed

    def documents(self) -> dict[str, dict[str, int]]:
        """Document → type → how many errors there are."""
        return dict(zip(self.joint.key.names, self._rows(self.table.counts), strict=True))

    def by(self, group: str | Callable[[str], str]) -> dict[str, dict[str, int]]:
        """Group → type → how many errors there are.

        Groups are by "genre", "document", or a function of the document's name. By "kind" the
        mentions concerned are counted, because an error may have several.
        """
        if group == "kind":
            sources, rows = self.joint.sources, self._rows(self.table.kinds.T)
            named = zip(sources.shown, sources.known, rows, strict=True)
            return {kind: row for kind, known, row in named if known or kind == UNKNOWN_KIND}
        function = GROUPINGS[group] if isinstance(group, str) else group
        labels = [function(name) for name in self.joint.key.names]
        groups = {}
        for label in sorted(set(labels)):
            in_group = np.array([other == label for other in labels], dtype=bool)
            groups[label] = self._rows(self.table.counts[in_group].sum(axis=0)[None])[0]
        return groups

    @staticmethod
    def _rows(table: IntArray) -> list[dict[str, int]]:
        return [dict(zip(TYPES, row, strict=True)) for row in table.tolist()]

    def document(self, name: str) -> "DocumentErrors":
        """The errors of one document; a notebook shows key and response side by side.

        Raises UsageError where the key has no such document.
        """
        if name not in self.joint.key.names:
            raise UsageError(f"errors: the key has no document {name!r}")
        return DocumentErrors(self, name)

    def losses(self, metric: str | None = None) -> dict[str, float]:
        """Document → its cost: how much F1 would rise if it alone were as in the key."""
        names = self.joint.key.names
        return dict(zip(names, self._gain_of(None, metric).tolist(), strict=True))

    def worst_documents(self, most: int, metric: str | None = None) -> list[tuple[str, int, float]]:
        """Name, number of errors and cost of the documents that cost most, see `losses`.

        Equal ones are sorted by name; documents without a cost are left out.
        """
        gain, names = self._gain_of(None, metric), self.joint.key.names
        costly = np.flatnonzero(gain > 0)
        if len(costly) > most:
            costly = costly[gain[costly] >= np.partition(gain[costly], -most)[-most]]
        order = sorted(costly.tolist(), key=lambda number: (-gain[number], names[number]))[:most]
        errors = self.table.counts[order].sum(axis=1).tolist()
        return [(names[n], e, float(gain[n])) for n, e in zip(order, errors, strict=True)]

    def cost_of_missing(self, metric: str | None = None) -> float:
        """How much F1 would rise if the missing documents, and only these, were as in the key."""
        lacking = {*self.missing}
        missing = np.array([[name in lacking for name in self.joint.key.names]], dtype=float)
        return float(self._gain_of(missing, metric)[0])

    def _gain_of(self, sets: FloatArray | None, metric: str | None) -> FloatArray:
        """How much F1 would rise if each set of documents alone were repaired; float64 (sets,).

        `sets`, (sets, documents), has 1 for the documents in a set; None stands for each document
        by itself.
        """
        return metrics.averaged(metric or self.metric, partial(self._gain_in, sets))

    def _gain_in(self, sets: FloatArray | None, metric: str) -> FloatArray:
        """The same in a metric that is no average."""
        registered = metrics.get(metric)
        assert isinstance(registered, PartitionMetric)
        now, then = (self._repaired.columns(types, metric) for types in (0, ALL))
        rises = [t - n if sets is None else sets @ (t - n) for n, t in zip(now, then, strict=True)]
        sums = np.array([n.sum() + rise for n, rise in zip(now, rises, strict=True)], dtype=float)
        return registered.f1(sums) - self.f1(metric)

    def to_dict(self, *, shares: bool = True) -> dict[str, Any]:
        """The system's object in the JSON output; F1 between 0 and 1, nothing rounded."""
        figures: dict[str, Any] = {
            "name": self.name,
            "errors": self.counts,
            "mentions": self.mentions,
            "f1": {metric: self.f1(metric) for metric in self.metrics},
            "repaired": self._by_type(self.repaired),
            "cumulative": self._by_type(self.cumulative),
        }
        if shares:
            figures["shares"] = {metric: self.shares(metric) for metric in self.options.metrics}
        figures["links"] = {side: links.by_kinds() for side, links in self.links().items()}
        figures["documents"] = self.documents()
        figures["best_repairs"] = [error.to_dict() for error in self.best_repairs()]
        return figures

    def _by_type(self, figures: Callable[[str], dict[str, float]]) -> dict[str, dict[str, float]]:
        columns = {metric: figures(metric) for metric in self.metrics}
        return {
            name: {metric: column[name] for metric, column in columns.items()}
            for name in next(iter(columns.values()))
        }

    def __repr__(self) -> str:
        counts = ", ".join(f"{name} {number}" for name, number in self.counts.items() if number)
        return f"Errors({self.name}: {counts or 'none'})"


class DocumentErrors(_ListedErrors):
    """The errors of one document; `str` gives its text with the mentions of both sides marked.

    A notebook shows key and response side by side.
    """

    kind: ClassVar[str] = "document_errors"

    def __init__(self, errors: Errors, name: str) -> None:
        """`name` is that of a document of the key."""
        self.errors = errors
        self.name = name
        self.details = errors.details
        number = errors.joint.key.names.index(name)
        self._numbers = np.flatnonzero(errors.table.document == number).tolist()

    def to_dict(self) -> dict[str, Any]:
        """The name of the document, and its errors."""
        return {"document": self.name, "errors": [error.to_dict() for error in self]}

    def __repr__(self) -> str:
        return f"DocumentErrors({self.name!r}, {len(self)} error{'s' * (len(self) != 1)})"


SORTS = ("text", "gain")
"""The orders in which errors are listed."""


@frozen
class ErrorChoice:
    """A selection of errors; an empty field restricts nothing.

    Attributes:
        types, documents, kinds, words: an error must have one of each. It has a kind or a word if
            one of its mentions has; the words of a mention are its whole text and its head, in
            lower or upper case.
        sample: at most this many errors per response, drawn at random.
        seed: the seed of the draw.
        sort: "text" for text order, "gain" for those first that gain most if repaired alone.
        most: at most this many errors per response, the first ones.
    """

    types: Sequence[str] = ()
    documents: Sequence[str] = ()
    kinds: Sequence[str] = ()
    words: Sequence[str] = ()
    sample: int | None = None
    seed: int = 0
    sort: str = "text"
    most: int | None = None

    def __post_init__(self) -> None:
        choose("sort", self.sort, SORTS)
        for name in self.types:
            choose("type", name, TYPES)
        for name in self.kinds:
            choose("kind", name, KINDS)

    def select(self, errors: Errors) -> list[int]:
        """The numbers of the selected errors, in the order of `sort`."""
        table, names = errors.table, errors.joint.key.names
        if unknown := [name for name in self.documents if name not in names]:
            raise UsageError(f"document: the key has no {unknown[0]!r}; names must match in full")
        kept = np.ones(len(table), dtype=bool)
        if self.types:
            kept &= np.isin(table.type, [TYPES.index(name) for name in self.types])
        if self.documents:
            kept &= np.isin(table.document, [names.index(name) for name in self.documents])
        if self.kinds:
            kinds = [_known_kind(errors, name) for name in self.kinds]
            kept &= _with_mention(errors, np.isin(errors.joint.kind[table.mention], kinds))
        rows = np.flatnonzero(kept).tolist()
        if self.words:
            words = {word.lower() for word in self.words}
            rows = [row for row in rows if _has_word(errors, row, words)]
        if self.sample is not None and self.sample < len(rows):
            rows = sorted(random.Random(self.seed).sample(rows, self.sample))
        if self.sort == "gain":
            gains = errors.gains()
            rows.sort(key=lambda row: -gains[row])
        return rows[: self.most]


def _known_kind(errors: Errors, name: str) -> int:
    """The number of a kind; UsageError where it is not known which mentions have it."""
    number = KINDS.index(name)
    if not errors.joint.sources.known[number]:
        raise UsageError(
            f"kind: the key does not show which mentions are a {name}; "
            "name its language (--language), its tagset or its pronouns"
        )
    return number


def _with_mention(errors: Errors, holds: BoolArray) -> BoolArray:
    """Whether an error has a mention for which `holds` is true; bool (memberships,) → (errors,)."""
    number = np.bincount(errors.table.error[holds], minlength=len(errors.table))
    return number > 0


def _has_word(errors: Errors, number: int, words: set[str]) -> bool:
    mentions = errors[number].mentions
    return any({m.text.lower(), m.head_word.lower()} & words for m in mentions)


def common_errors(systems: Sequence[Errors]) -> dict[str, dict[str, int]]:
    """Type → how many errors all systems make ("all"), and how many only one does, by its name.

    Two errors are the same if they have the same type and the same mentions.
    """
    errors_of_systems = [set(errors.identities()) for errors in systems]
    times = Counter(error for made in errors_of_systems for error in made)
    table: dict[str, dict[str, int]] = {}
    for number, name in enumerate(TYPES):
        row = {"all": sum(n == len(systems) and error[0] == number for error, n in times.items())}
        for errors, made in zip(systems, errors_of_systems, strict=True):
            row[errors.name] = sum(error[0] == number and times[error] == 1 for error in made)
        table[name] = row
    return table


WAS = {
    PUT_WITH: ("was put with another", "were put with another entity"),
    NOT_FOUND: ("was not found", "were not found"),
    FOUND_AS: ("was found with other boundaries", "were found with other boundaries"),
    STANDS_ALONE: ("stands alone", "stand alone"),
}
"""What became of a mention in the response, in words: of one, and of several."""
_MOST_WORDS = 4


class Pattern(NamedTuple):
    """Errors that are alike: of one type, with first mentions of one kind that became the same.

    `gain` is the sum of what the repair of each of them alone would gain, `words` are the most
    common head words of their first mentions, with how often they occur.
    """

    type: str
    kind: str
    was: str
    number: int
    gain: float
    words: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        """The pattern in words.

        >>> str(Pattern("missing-mention", "pronoun", "not found", 2, 0.01, ()))
        'pronoun · missing-mention · was not found'
        """
        return f"{self.kind} · {self.type} · {WAS[self.was][0]}"

    @property
    def common_words(self) -> str:
        """The words with their numbers: "it 12, she 3"."""
        return ", ".join(f"{word} {number}" for word, number in self.words)

    @property
    def subject(self) -> str:
        """Its mentions as the subject of a sentence: "pronouns that were not found"."""
        kind = "mention" if self.kind == UNKNOWN_KIND else self.kind
        return f"{kind}s that {WAS[self.was][1]} ({self.type})"


def _words(errors: Errors, row: IntArray) -> tuple[tuple[str, int], ...]:
    """The most common head words of these mentions, in lower case, and how often they occur."""
    texts, corpus = errors.details.texts, errors.joint.corpus
    if not texts.unmasked:
        return ()
    assert corpus.head is not None and corpus.head_zero is not None
    row = row[corpus.head_zero[row] == 0]
    counter: Counter[str] = Counter()
    for word, number in texts.count_words(corpus.document[row], corpus.head[row]).items():
        counter[word.lower()] += number
    common = sorted(counter.items(), key=lambda item: (-item[1], item[0]))
    return tuple((word, number) for word, number in common[:_MOST_WORDS] if word)
