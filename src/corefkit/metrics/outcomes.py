"""Application scores: metrics that judge mentions one by one.

An `OutcomeMetric` gives each mention an outcome (tp, wl, fn, fp). Counts by document, by class and
by any other feature, and the listing of single mentions, are all derived from these outcomes.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, NamedTuple

import numpy as np

from corefkit import metrics
from corefkit.core.arrays import BoolArray, IntArray
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.counts import Cells, Counts, make_cells
from corefkit.core.options import Options
from corefkit.features.chains import ComparedChains, KeyTokens
from corefkit.features.features import FEATURES, Feature, labels
from corefkit.metrics import BREAKDOWNS, OUTCOMES
from corefkit.metrics.base import Counted, MentionMetric, Metric, Score, Sums, rates

TP, WL, FN, FP = range(4)


@frozen(eq=False)
class Events:
    """The outcomes that count on one side.

    Attributes:
        mention: int64 (events,), the row, in the chains of the side, of the mention to whose
            labels the event belongs.
        outcome: int64 (events,), an index into OUTCOMES.
        number: int64 (events,), how often it counts.
        classed: bool (events,), whether it counts for its class, or only in the total.
        instead: features that replace others on this side, by name.
    """

    mention: IntArray
    outcome: IntArray
    number: IntArray
    classed: BoolArray
    instead: "Mapping[str, Feature]" = field(default_factory=dict)


@frozen(eq=False)
class Outcomes:
    """The outcomes that count on each side."""

    key: Events
    response: Events


def single(outcome: IntArray) -> Events:
    """Events from the outcome of each mention of a side; −1 does not count.

    >>> single(np.array([-1, TP, FN])).mention.tolist()
    [1, 2]
    """
    mention = np.flatnonzero(outcome >= 0)
    return events(mention, outcome[mention])


def events(mention: IntArray, outcome: IntArray | int, number: IntArray | int = 1) -> Events:
    """Events that all count for their class; those with the number 0 are dropped."""
    outcomes, numbers = (np.broadcast_to(x, mention.shape) for x in (outcome, number))
    counted = numbers > 0
    return Events(
        mention[counted], outcomes[counted], numbers[counted], np.ones(counted.sum(), dtype=bool)
    )


def score(sums: Sums) -> Score:
    """The score with R = tp/(tp+wl+fn), P = tp/(tp+wl+fp) and the counts.

    >>> result = score((1, 2, 1, 2))
    >>> result.recall, result.precision, result.counts
    (0.25, 0.2, {'tp': 1, 'wl': 2, 'fn': 1, 'fp': 2})
    """
    tp, wl, fn, fp = sums
    total = rates(tp, wl + fn, wl + fp, dict(zip(OUTCOMES, sums, strict=True)))
    return replace(total, classes={})


def classify(total: Score, classes: Mapping[str, Sums]) -> Score:
    """The score with the scores of its classes."""
    scores = {name: replace(score(sums), classes=None) for name, sums in classes.items()}
    return replace(total, classes=scores)


class Sample(NamedTuple):
    """An example: letters with tags, as in "A/NN b/PRP", and chains of letters, as in "Ab CD"."""

    text: str
    key: str
    response: str

    def corpora(self) -> tuple[Corpus, Corpus]:
        """The key and the response, parsed as CoNLL files."""
        from corefkit.formats import Reading
        from corefkit.formats.registry import parse

        columns, sides = Reading(format="conll"), (self.key, self.response)
        key, response = (parse(self._conll(side).encode(), "example", columns) for side in sides)
        return key, response

    def _conll(self, chains: str) -> str:
        chain = {letter: number for number, word in enumerate(chains.split()) for letter in word}
        lines = ["#begin document example"]
        for index, token in enumerate(self.text.split()):
            letter, _, tag = token.partition("/")
            cell = f"({chain[letter]})" if letter in chain else "-"
            lines.append("\t".join(["example", "0", str(index), letter, tag, *"*----*", cell]))
        return "\n".join([*lines, "#end document", ""])


@frozen(eq=False, kw_only=True)
class OutcomeMetric(MentionMetric):
    """A metric that gives each mention an outcome: tp, wl, fn or fp.

    Attributes:
        outcomes: the two sides and a variant → one or more Outcomes. The columns are tp, wl, fn
            and fp of each.
        feature: the feature whose labels are its classes.
        antecedent: the attribute of Chains that has the antecedent it considers.
        sample: the text and the two sides of its example.
    """

    outcomes: "Callable[[ComparedChains, str], Sequence[Outcomes]]"
    sample: Sample
    citation: str = "Tuggener 2014, Coreference Resolution Evaluation for Higher Level Applications"
    columns: tuple[str, ...] = OUTCOMES
    score: Callable[[Sums], Score] = score
    classify: Callable[[Score, Mapping[str, Sums]], Score] = classify
    feature: str = "class"
    tokens: tuple[str, ...] = ("pos",)
    antecedent: str = ""

    def count(self, compared: Any, variant: str) -> tuple[Counted, Cells | None]:
        """The outcomes by document, and by class."""
        return count_by_class(compared, self, variant)


class Tally(NamedTuple):
    """The events of a metric, int64 (events,): document, column and number.

    `label` is the class of the metric, `group` the label of the breakdown; −1 for none.
    """

    document: IntArray
    column: IntArray
    number: IntArray
    label: IntArray
    group: IntArray


def count_by_class(
    compared: ComparedChains, metric: OutcomeMetric, variant: str
) -> tuple[Counted, Cells]:
    """The columns of an application score, one row per document, and its numbers by class."""
    names, tally, _ = _tally(compared, metric, variant, None)
    width = len(metric.columns)
    return _dense(tally, len(compared.key_corpus.names), width), _cells(names, tally, width)


def breakdown(
    compared: ComparedChains, chosen: Sequence[tuple[Metric, str]], feature: Feature
) -> dict[str, Counts]:
    """The counts of metrics (with their variants) for each label of a feature, in order."""
    order: dict[str, int] = {}
    counted = []
    for metric, variant in chosen:
        if isinstance(metric, OutcomeMetric):
            names, tally, groups = _tally(compared, metric, variant, feature)
        else:
            names, (groups, tally) = (), _mentions(compared, feature)
        number = np.array([order.setdefault(name, len(order)) for name in groups], dtype=np.int64)
        tally = tally._replace(group=np.append(number, -1)[tally.group])
        sort = np.argsort(tally.group, kind="stable")
        tally = Tally(*(column[sort] for column in tally))
        bounds = np.searchsorted(tally.group, np.arange(len(groups) + len(order) + 1))
        counted.append((metric, names, tally, bounds))
    counts = {}
    for index, group in enumerate(order):
        parts = [
            (metric, names, Tally(*(column[bounds[index] : bounds[index + 1]] for column in tally)))
            for metric, names, tally, bounds in counted
        ]
        if any(len(tally.number) for _, _, tally in parts):
            counts[group] = _counts(parts, compared.key_corpus.names)
    return counts


def _counts(
    parts: Sequence[tuple[Metric, tuple[str, ...], Tally]], documents: Sequence[str]
) -> Counts:
    """The counts of one group, with a row for each document in which it occurs."""
    rows = np.unique(np.concatenate([tally.document for _, _, tally in parts]))
    tables, cells = {}, {}
    for metric, names, tally in parts:
        here = tally._replace(document=np.searchsorted(rows, tally.document))
        tables[metric.name] = _dense(here, len(rows), len(metric.columns))
        if isinstance(metric, OutcomeMetric):
            cells[metric.name] = _cells(names, here, len(metric.columns))
    return Counts(tuple(documents[i] for i in rows.tolist()), tables, cells)


def _dense(tally: Tally, documents: int, columns: int) -> tuple[IntArray, ...]:
    """The columns of a tally, int64 (documents,)."""
    sums = np.zeros((columns, documents), dtype=np.int64)
    np.add.at(sums, (tally.column, tally.document), tally.number)
    return tuple(sums)


def _cells(names: tuple[str, ...], tally: Tally, columns: int) -> Cells:
    """The numbers of a tally by class; `names` are those of the classes."""
    labelled = tally.label >= 0
    arrays = (
        tally.document[labelled],
        tally.label[labelled],
        tally.column[labelled],
        tally.number[labelled],
    )
    return make_cells(names, columns, [arrays])


def _tally(
    compared: ComparedChains, metric: OutcomeMetric, variant: str, feature: Feature | None
) -> tuple[tuple[str, ...], Tally, tuple[str, ...]]:
    """The names of the labels, the events, and the names of the groups."""
    parts = metric.outcomes(compared, variant)
    names, label = event_labels(compared, FEATURES[metric.feature], parts)
    groups, group = event_labels(compared, feature, parts) if feature else ((), label)
    counted = [
        (chains.document[events.mention], events.outcome + index * len(OUTCOMES), events.number)
        for index, part in enumerate(parts)
        for chains, events in ((compared.key, part.key), (compared.response, part.response))
    ]
    document, column, number = map(np.concatenate, zip(*counted, strict=True))
    return names, Tally(document, column, number, label, group), groups


def event_labels(
    compared: ComparedChains, feature: Feature, parts: Sequence[Outcomes]
) -> tuple[tuple[str, ...], IntArray]:
    """The labels of a feature, and the label of each event; −1 if it counts only in the total."""
    names, (key, response) = labels(feature, compared.key, compared.response)
    number_of = {name: number for number, name in enumerate(names)}
    event_label = []
    for part in parts:
        of_response = response
        if instead := part.response.instead.get(feature.name):
            other_names, (label_of_mention,) = labels(instead, compared.response)
            number = np.array([number_of.setdefault(name, len(number_of)) for name in other_names])
            of_response = number[label_of_mention]
        for events, label in ((part.key, key), (part.response, of_response)):
            event_label.append(np.where(events.classed, label[events.mention], -1))
    return tuple(number_of), np.concatenate(event_label)


def _mentions(compared: ComparedChains, feature: Feature) -> tuple[tuple[str, ...], Tally]:
    """Mention detection: recall by the labels of key mentions, precision by those of response
    mentions.
    """
    key, response = compared.all_key, compared.response
    names, sides = labels(feature, key, response)
    rows = []
    column = 0
    for chains, partner, label in zip((key, response), compared.all_partners, sides, strict=True):
        for chosen in (partner >= 0, partner > -2):  # the common mentions; all mentions
            at = np.flatnonzero(chosen)
            rows.append((chains.document[at], np.full(len(at), column), label[at]))
            column += 1
    document, columns, group = (np.concatenate(c) for c in zip(*rows, strict=True))
    return names, Tally(document, columns, np.ones_like(group), np.full(len(group), -1), group)


def _by_list(tokens: KeyTokens, options: Options) -> bool:
    """Whether pronouns are recognised by the word list of the chosen language, for lack of tags.

    Variants that look for particular tags (`code` of immediate) need tags.
    """
    if not tokens.language_chosen or options.applications.get("immediate") == "code":
        return False
    return tokens.known_tagset(options.tagset) is None and tokens.has("word")


def load_tokens(tokens: KeyTokens, options: Options, by: str | None) -> None:
    """Read the columns for the options and a breakdown; raises DataError if one is missing."""
    wanted: list[str] = []
    optional: list[str] = []
    for name, variant in options.applications.items():
        if isinstance(metric := metrics.get(name), MentionMetric):
            wanted += metric.needed(variant)
            optional += metric.only_for_classes.get(variant, ())
    if by in BREAKDOWNS:
        wanted += FEATURES[by].tokens
    by_list = "pos" in wanted and _by_list(tokens, options)
    if by_list:
        wanted = ["word" if name == "pos" else name for name in wanted]
    if optional:
        tokens.prefetch(*wanted, *optional)
    tokens.load(*wanted)
    wanted += [name for name in optional if name not in wanted and tokens.has(name)]
    if by in BREAKDOWNS:
        columns = FEATURES[by].tokens
        tokens.must_have(*(name for name in columns if name != "pos" or not by_list))
    if "pos" in wanted and options.tagset == "auto" and not by_list:
        tokens.tagset  # noqa: B018 (raises if it cannot be detected)
    if "ne" in wanted:
        tokens.name_spans  # noqa: B018 (raises if brackets do not compared)
    if by == "distance":
        tokens.sentence_in_document  # noqa: B018 (raises if there are no files)
