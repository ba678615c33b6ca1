"""The outcome of each mention under each application score: from files to one row per mention.

A `Listing` has the outcomes of one or more systems; a `Summary` counts those of one system by
class, with examples; `Transitions` show what system B corrects, breaks and changes relative to A.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Literal, Unpack

import numpy as np

from corefkit import metrics
from corefkit.core.arrays import IntArray, ranks_of, tuples
from corefkit.core.carriers import frozen
from corefkit.core.columns import Column
from corefkit.core.corpus import BEFORE_SENTENCE
from corefkit.core.incidents import Incident, make_incident
from corefkit.core.languages import Tagset
from corefkit.core.nodes import mention_codes, zero_numbers
from corefkit.core.options import (
    PLAIN_SIDES,
    Options,
    Readings,
    UsageError,
    Variants,
    refuse_levels,
)
from corefkit.core.results import Result
from corefkit.core.texts import count_of
from corefkit.core.tokens import EMPTY_NODE
from corefkit.features.chains import NO_NAME, ComparedChains, at
from corefkit.features.features import FEATURES, labels
from corefkit.formats.options import split_readings
from corefkit.metrics import NAMES as METRICS
from corefkit.metrics import OUTCOMES, VARIANTS, anchor
from corefkit.metrics.base import Metrics
from corefkit.metrics.outcomes import OutcomeMetric, Outcomes, event_labels, load_tokens
from corefkit.scorers import make_options
from corefkit.scorers.comparison import Comparison, Readable
from corefkit.scoring.run import (
    NamedSides,
    compare_systems,
    incidents_of,
    named_sides,
    reconcile,
)

Antecedent = dict[str, Any]
"""An antecedent: `start`, `end` and `text`."""

Sides = tuple[IntArray, IntArray]
"""A value for each mention of the key's chains, and for each of the response's."""


@frozen(eq=False)
class MentionOutcomes:
    """The outcomes of all mentions under one score; each attribute has one entry per row.

    Attributes:
        outcome: the names of a mention's outcomes, joined by "+" where it counts more than once;
            "" where it does not count.
        classes: the classes that the outcomes are counted in, in the same order, "" for those that
            count only in the total; None where it is always the class of the mention.
        expected, found: the row of the antecedent (for anchor scores: of the anchor of its chain)
            in the key and in the response, or −1.
        errors, right: how many outcomes are not tp, and how many are.
    """

    outcome: tuple[str, ...]
    classes: list[list[str]] | None
    expected: IntArray
    found: IntArray
    errors: IntArray
    right: IntArray


class Listing(Result):
    """All mentions of the key, and those that only responses have, in text order.

    Columns of the key are "" where it lacks the mention. `outcomes[system][score]` has the outcomes
    of a system; scores are immediate, inferred, anchor_detection and anchor_mentions.
    """

    kind: ClassVar[str] = "outcomes"

    def __init__(self, systems: Mapping[str, ComparedChains], variants: Mapping[str, str]) -> None:
        """`systems` are compared with the same key; `variants` has the variant of each score."""
        self._systems = list(systems.values())
        self._key, self._words = self._systems[0].key_corpus, self._systems[0].tokens
        corpora = [self._key, *(system.response_corpus for system in self._systems)]
        self._corpora = corpora
        codes = mention_codes(*corpora)
        code, first = np.unique(np.concatenate(codes), return_index=True)
        listed = [(c.document, c.start, c.end, zero_numbers(c)) for c in corpora]
        spans = [np.concatenate(column)[first] for column in zip(*listed, strict=True)]
        document, start, end, zero = spans
        order = np.lexsort((-end, zero, start, document))
        self.document, self.start, self.end, self._zero = (column[order] for column in spans)
        self._rows = [ranks_of(order)[np.searchsorted(code, side)] for side in codes]
        self.outcomes = {
            name: self._find_outcomes(compared, rows, variants)
            for (name, compared), rows in zip(systems.items(), self._rows[1:], strict=True)
        }

    def __len__(self) -> int:
        return len(self.document)

    def __repr__(self) -> str:
        return f"Listing({', '.join(self.outcomes)}: {count_of(len(self), 'mention')})"

    @property
    def scores(self) -> list[str]:
        """The names of the scores."""
        return list(next(iter(self.outcomes.values())))

    @cached_property
    def classes(self) -> list[str]:
        """The class of each mention."""
        return self._labels("class")

    @cached_property
    def sentence(self) -> IntArray:
        """The sentence in which each mention begins, numbered from 0 in its document."""
        tokens = self._words
        # An empty node comes after its token, or before the first one of its sentence. Mentions
        # that an alignment could not place may come after the last token of the document.
        last = self._key.tokens[self.document] - 1
        start = np.clip(self.start + (self._zero > BEFORE_SENTENCE), 0, last)
        token = tokens.corpus.first_token[self.document] + start
        sentence: IntArray = tokens.sentence_in_document[token]
        return sentence

    @cached_property
    def texts(self) -> list[str]:
        """The words of each mention; ∅ for an empty node."""
        mentions = tuples(self.document, self.start, self.end, self._zero)
        return [EMPTY_NODE if zero else self._words.shown(*span) for *span, zero in mentions]

    def describe(self, row: int) -> dict[str, Any]:
        """A mention in context: its place, its words, and the words around it in its sentence."""
        columns = (self.document, self.start, self.end, self._zero)
        document, start, end, zero = (int(column[row]) for column in columns)
        begin, stop = self._words.sentence_bounds(document, start + (zero > BEFORE_SENTENCE))
        return {
            "document": self._key.names[document],
            "sentence": int(self.sentence[row]),
            "before": self._words.shown(document, begin, start - (zero == 0)),
            "text": self.texts[row],
            "behind": self._words.shown(document, end + 1, max(stop, end)),
        }

    def text(self, row: int) -> str | None:
        """The words of a mention; None for −1."""
        return None if row < 0 else self.texts[row]

    def to_dict(self, most: int = 3) -> dict[str, Any]:
        """The JSON of `corefkit outcomes`: the outcomes of one system, or transitions between two,
        with at most so many examples of each kind.
        """
        names, found = [*self.outcomes], dict[str, Any]()
        for score in self.scores:
            one = len(names) == 1
            counts = Summary(self, names[0], score) if one else Transitions(self, score, *names)
            found[score] = counts.to_dict(most)
        return {**dict(zip(["system"] if one else "ab", names, strict=True)), "scores": found}

    def rows(self) -> list[dict[str, Any]]:
        """One dict per mention, ready for JSON or a data frame; antecedents as spans."""
        columns: dict[str, Sequence[Any]] = {
            "document": [self._key.names[i] for i in self.document.tolist()],
            "sentence": self.sentence.tolist(),
            "start": self.start.tolist(),
            "end": self.end.tolist(),
            "text": self.texts,
            "class": self.classes,
            "entity": self._entities(0),
        }
        if self._words.has("ne"):
            columns["ne"] = self._labels("ne", of_key=True)
        several = len(self.outcomes) > 1
        for number, (system, by_score) in enumerate(self.outcomes.items(), 1):
            suffix = f":{system}" if several else ""
            columns[f"response_entity{suffix}"] = self._entities(number)
            for score, outcomes in by_score.items():
                columns[f"{score}{suffix}"] = outcomes.outcome
                if outcomes.classes is not None:
                    columns[f"{score}_class{suffix}"] = [
                        "+".join(classes) for classes in outcomes.classes
                    ]
                if score != "anchor_detection":  # its anchors are those of anchor_mentions
                    name = score.removesuffix("_mentions")
                    columns[f"{name}_expected"] = self._spans(outcomes.expected)
                    columns[f"{name}_found{suffix}"] = self._spans(outcomes.found)
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def _spans(self, rows: IntArray) -> list[Antecedent | None]:
        start, end, texts = self.start.tolist(), self.end.tolist(), self.texts
        return [
            None if row < 0 else {"start": start[row], "end": end[row], "text": texts[row]}
            for row in rows.tolist()
        ]

    def _entities(self, side: int) -> list[str]:
        """The id of each mention's entity in the key (0) or a response (1, 2, …); "" for none."""
        corpus = self._corpora[side]
        entity = np.full(len(self), len(corpus.labels))
        entity[self._rows[side]] = corpus.entity
        return Column(entity, (*corpus.labels, "")).to_list()

    def _labels(self, feature: str, *, of_key: bool = False) -> list[str]:
        """The label of each mention; that of the key where both sides have the mention."""
        responses = [] if of_key else [system.response for system in self._systems]
        sides = [self._systems[0].all_key, *responses]
        names, codes = labels(FEATURES[feature], *sides)
        label = np.full(len(self), len(names))
        for side, code, row in [*zip(sides, codes, self._rows, strict=False)][::-1]:
            label[row[side.row]] = code
        return Column(label, (*names, "")).to_list()

    def _find_outcomes(
        self, compared: ComparedChains, rows: IntArray, variants: Mapping[str, str]
    ) -> dict[str, MentionOutcomes]:
        # The mentions of the key's chains, without its singletons, and those of the response.
        sides = self._rows[0][compared.in_chains][compared.key.row], rows[compared.response.row]
        outcomes: dict[str, MentionOutcomes] = {}
        for name, variant in variants.items():
            metric = metrics.get(name)
            if not isinstance(metric, OutcomeMetric):
                raise ValueError(f"{name} has no outcomes")
            if name == "anchor":
                outcomes |= self._anchor_outcomes(compared, sides, variant)
                continue
            (part,) = metric.outcomes(compared, variant)
            antecedents = (
                getattr(compared.key, metric.antecedent),
                getattr(compared.response, metric.antecedent),
            )
            outcomes[name] = self._mention_outcomes(part, sides, antecedents)
        return outcomes

    def _anchor_outcomes(
        self, compared: ComparedChains, sides: Sides, variant: str
    ) -> dict[str, MentionOutcomes]:
        """The outcomes of anchor_detection and anchor_mentions, with their named-entity classes."""
        alignment = anchor.align(compared, variant)
        detection = anchor.detection(compared, alignment, variant)
        mentions, aligned = anchor.mention_outcomes(compared, alignment)
        anchors = anchor.named_anchors(compared, variant)
        labels: list[list[str] | None] = [None, None]
        if compared.tokens.has("ne"):
            names, code = event_labels(compared, FEATURES["ne"], [detection])
            labels[0] = Column(code, (*names, "")).to_list()
            chain = np.concatenate((compared.key.entity[mentions.key.mention], aligned))
            classes = (*compared.tokens.name_spans.labels, NO_NAME)
            labels[1] = Column(compared.key.entity_name[chain], classes).to_list()
        return {
            "anchor_detection": self._mention_outcomes(detection, sides, anchors, labels[0]),
            "anchor_mentions": self._mention_outcomes(mentions, sides, anchors, labels[1]),
        }

    def _mention_outcomes(
        self, part: Outcomes, sides: Sides, antecedents: Sides, labels: list[str] | None = None
    ) -> MentionOutcomes:
        """The outcomes by row, from events, antecedents of mentions, and labels of events."""
        key, response = sides
        row = np.concatenate((key[part.key.mention], response[part.response.mention]))
        outcome = np.concatenate((part.key.outcome, part.response.outcome))
        numbers = np.zeros((len(self), len(OUTCOMES)), dtype=np.int64)
        np.add.at(numbers, (row, outcome), np.concatenate((part.key.number, part.response.number)))
        kinds, kind = np.unique(numbers, axis=0, return_inverse=True)
        names = [
            "+".join(n for n, m in zip(OUTCOMES, k, strict=True) for _ in range(m)) for k in kinds
        ]
        expected, linked = np.full((2, len(self)), -1, dtype=np.int64)
        expected[key] = at(key, antecedents[0])
        linked[response] = at(response, antecedents[1])
        outcomes = tuple(names[i] for i in kind.ravel().tolist())
        classes = None if labels is None else self._by_row(row, outcome, labels)
        errors, right = numbers[:, 1:].sum(axis=1), numbers[:, 0]
        return MentionOutcomes(outcomes, classes, expected, linked, errors, right)

    def _by_row(self, row: IntArray, outcome: IntArray, labels: list[str]) -> list[list[str]]:
        """The labels of the events of each row, in the order of their outcomes."""
        names: list[list[str]] = [[] for _ in range(len(self))]
        for event in np.lexsort((outcome, row)).tolist():
            names[row[event]].append(labels[event])
        return names


Example = tuple[int, str]
"""A row of the listing, and the class that its outcome is counted in."""


@frozen(eq=False)
class Summary:
    """The outcomes of one system under one score, counted by class."""

    listing: Listing
    system: str
    score: str

    def _events(self) -> Iterator[tuple[int, str, str]]:
        """Row, outcome and class of each event."""
        mention_outcomes = self.listing.outcomes[self.system][self.score]
        for row, joined in enumerate(mention_outcomes.outcome):
            outcomes = joined.split("+") if joined else []
            if mention_outcomes.classes is None:
                classes = [self.listing.classes[row]] * len(outcomes)
            else:
                classes = mention_outcomes.classes[row]
            yield from ((row, o, c) for o, c in zip(outcomes, classes, strict=True))

    @cached_property
    def counts(self) -> dict[str, dict[str, int]]:
        """Class → outcome → how often it occurs; the largest class first."""
        number = Counter((label, outcome) for _, outcome, label in self._events())
        size = Counter(label for label, _ in number.elements())
        order = sorted(size, key=lambda label: (-size[label], label))
        return {label: {o: number[label, o] for o in OUTCOMES} for label in order}

    def examples(self, outcome: str, most: int) -> list[Example]:
        """At most `most` mentions with this outcome, of as many different classes as possible."""
        events = ((label, row) for row, name, label in self._events() if name == outcome)
        return in_turn(events, most)

    def describe(self, row: int) -> dict[str, Any]:
        """A mention in context, with the antecedents expected and found."""
        listing, outcomes = self.listing, self.listing.outcomes[self.system][self.score]
        expected, antecedent = (
            listing.text(int(at[row])) for at in (outcomes.expected, outcomes.found)
        )
        return {**listing.describe(row), "expected": expected, "found": antecedent}

    def to_dict(self, most: int = 3) -> dict[str, Any]:
        """Plain dicts: the counts by class, and examples of each outcome that is an error."""
        examples = {
            outcome: [{"class": c, **self.describe(row)} for row, c in self.examples(outcome, most)]
            for outcome in OUTCOMES[1:]
        }
        return {"classes": self.counts, "examples": examples}


def in_turn(rows: Iterable[tuple[str, int]], most: int) -> list[tuple[int, str]]:
    """The first row of each group, then the second of each, and so on, as pairs (row, group).

    At most `most` pairs, each once.

    >>> in_turn([("a", 3), ("a", 3), ("a", 4), ("b", 9), ("a", 5)], 3)
    [(3, 'a'), (9, 'b'), (4, 'a')]
    """
    groups: dict[str, list[int]] = {}
    for label, row in rows:
        groups.setdefault(label, []).append(row)
    turns = [
        (turn, row, label)
        for label, listed in groups.items()
        for turn, row in enumerate(islice(dict.fromkeys(listed), most))
    ]
    return [(row, label) for _, row, label in sorted(turns)[:most]]


TransitionKind = Literal["corrects", "breaks", "changes", "same"]
KINDS: tuple[TransitionKind, ...] = ("corrects", "breaks", "changes", "same")
NOTHING = "–"
"""Stands for the outcome of a mention that does not count."""


@frozen(eq=False)
class Transitions:
    """How the outcome of each mention under system `a` differs from that under `b`, for one score.

    It is a correction where the number of right outcomes less that of errors grows, and a break
    where it falls. Where it stays, but the outcome or the antecedent of an error is another one, it
    is a change.
    """

    listing: Listing
    score: str
    a: str
    b: str

    @property
    def _outcomes(self) -> tuple[MentionOutcomes, MentionOutcomes]:
        outcomes = self.listing.outcomes
        return outcomes[self.a][self.score], outcomes[self.b][self.score]

    @cached_property
    def kinds(self) -> list[TransitionKind]:
        """The kind of each mention's transition."""
        before, after = self._outcomes
        gain = (after.right - after.errors) - (before.right - before.errors)
        moved = (before.errors > 0) & (before.found != after.found)
        differs = np.array(before.outcome, dtype=object) != np.array(after.outcome, dtype=object)
        kind = np.select([gain > 0, gain < 0, differs | moved], [0, 1, 2], 3)
        return [KINDS[i] for i in kind.tolist()]

    @cached_property
    def steps(self) -> list[str]:
        """Each mention's transition, e.g. `wl → tp`; "" where it counts under neither system."""
        before, after = self._outcomes
        return [
            f"{x or NOTHING} → {y or NOTHING}" if x or y else ""
            for x, y in zip(before.outcome, after.outcome, strict=True)
        ]

    @cached_property
    def counts(self) -> Counter[tuple[TransitionKind, str, str]]:
        """How many mentions there are of each kind, step and class."""
        rows = zip(self.kinds, self.steps, self.listing.classes, strict=True)
        return Counter((kind, step, label) for kind, step, label in rows if step)

    def examples(self, kind: TransitionKind, most: int) -> list[int]:
        """At most `most` rows with a kind of transition, of as many different steps as possible."""
        rows = zip(self.kinds, self.steps, range(len(self.listing)), strict=True)
        shown = ((step, row) for step_kind, step, row in rows if step_kind == kind and step)
        return [row for row, _ in in_turn(shown, most)]

    def to_dict(self, most: int = 3) -> dict[str, Any]:
        """Plain dicts: the transitions in total and by class, and examples of each kind."""
        total: dict[str, dict[str, int]] = {kind: {} for kind in KINDS}
        classes: dict[str, dict[str, dict[str, int]]] = {}
        for (kind, step, label), number in sorted(self.counts.items()):
            total[kind][step] = total[kind].get(step, 0) + number
            classes.setdefault(label, {k: {} for k in KINDS})[kind][step] = number
        rows = {kind: self.examples(kind, most) for kind in KINDS if kind != "same"}
        examples = {k: [self.describe(row) for row in listed] for k, listed in rows.items()}
        return {"total": total, "classes": classes, "examples": examples}

    def describe(self, row: int) -> dict[str, Any]:
        """A mention in context, with its step and the antecedents expected and found."""
        before, after = self._outcomes
        rows = [int(at[row]) for at in (after.expected, before.found, after.found)]
        expected, by_a, by_b = map(self.listing.text, rows)
        mention = self.listing.describe(row)
        where = {name: mention.pop(name) for name in ("document", "sentence")}
        change = {"class": self.listing.classes[row], "step": self.steps[row]}
        antecedents = {self.a: by_a, self.b: by_b}
        return {**where, **change, **mention, "expected": expected, "found": antecedents}


def outcomes(
    key: Readable | None = None,
    *responses: Readable,
    metrics: Metrics | None = None,
    variant: Variants = (),
    tagset: str | Tagset = "auto",
    documents: Literal["all", "common"] = "all",
    **policies: Unpack[NamedSides],
) -> Listing:
    """The outcome of each mention under the application scores, for one or more responses.

    `.rows()` of the result yields one dict per mention. `metrics` are application scores, by
    default all of them; the other options are those of `corefkit.score`, in its standard profile.
    Raises DataError if the data cannot be scored.

    >>> listing = outcomes("examples/key.conll", "examples/careful.conll", metrics="immediate")
    >>> listing
    Listing(careful: 268 mentions)
    >>> [r["immediate"] for r in listing.rows() if r["text"] == "The sea wall"]
    []
    """
    choices: dict[str, Any] = {"documents": documents, **policies}
    key, responses = named_sides(key, responses, choices, several=True)
    if not responses:
        raise TypeError("outcomes: give one or more responses after the key")
    for response in responses:
        if isinstance(response, str) and response in METRICS and not Path(response).exists():
            raise UsageError(
                f"{response} is not a file; metrics are passed as metrics={response!r}"
            )
    readings = split_readings(choices)
    if (profile := choices.pop("profile", "standard")) != "standard":
        raise UsageError(f"outcomes: the profile {profile} does not define outcomes of mentions")
    chosen = tuple(VARIANTS) if metrics is None else metrics
    options = make_options(chosen, "standard", variant=variant, tagset=tagset, **choices)
    refuse_levels(options, "outcomes are of single documents")
    return list_outcomes(key, responses, options, readings)[0]


def list_outcomes(
    key: Readable, responses: Sequence[Readable], options: Options, readings: Readings = PLAIN_SIDES
) -> tuple[Listing, list[Incident]]:
    """The listing, and the warnings of the run; DataError where anything cannot be scored.

    Named entities are listed where the key has them. For a key without tags only `immediate` is
    listed, unless scores are named: it is the one that does not need tags.
    """
    if unfit := [m for m in options.metrics if m not in VARIANTS]:
        raise UsageError(f"{unfit[0]} has no outcomes of mentions; only {', '.join(VARIANTS)} have")
    options, readings = reconcile(options, readings)
    shared = len(responses) > 1
    comparisons = compare_systems(key, responses, options, readings, shared=shared)
    incidents = incidents_of(comparisons)
    listing, warnings = list_comparisons(comparisons, options)
    return listing, incidents + warnings


def list_comparisons(
    comparisons: Mapping[str, Comparison], options: Options
) -> tuple[Listing, list[Incident]]:
    """The listing of responses that were compared with one key, and a warning if it lacks tags."""
    key = next(iter(comparisons.values())).key_side
    tokens, incidents = key.tokens, []
    if set(options.applications) == set(VARIANTS) and not tokens.has("pos"):
        options = replace(options, metrics=("immediate",))
        incidents.append(_immediate_only(key.path))
    load_tokens(tokens, options, None)
    tokens.load("word")
    systems = {name: comparison.chains(options.tagset) for name, comparison in comparisons.items()}
    return Listing(systems, options.applications), incidents


def _immediate_only(path: str) -> Incident:
    return make_incident(
        "column-missing",
        "only-immediate",
        severity="warning",
        file=path,
        expected="a part of speech for each token in column 5",
    )
