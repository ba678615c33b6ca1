"""Scorer: the rules by which a key and a response are read, prepared, compared and counted.

The class here has the standard rules. Other scorers are classes that override what they do
otherwise, each in a module of this package; `corefkit.scorers.scorer_for` finds the one that
options ask for.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from corefkit import metrics
from corefkit.core.arrays import BoolArray, IntArray
from corefkit.core.carriers import frozen
from corefkit.core.corpus import UNPLACED, Corpus
from corefkit.core.counts import Counts
from corefkit.core.incidents import (
    DataError,
    Incident,
    Severity,
    errors,
    failure_as_incident,
    make_incident,
)
from corefkit.core.links import with_plurals
from corefkit.core.names import path_of
from corefkit.core.nodes import (
    crossing_mentions,
    first_copies,
    is_zero,
    listed_copies,
    repeated_spans,
)
from corefkit.core.options import DEFAULT, PLAIN, Options, Reading, UsageError
from corefkit.core.overlap import Overlap, Pairs
from corefkit.formats import read_all
from corefkit.matching import match as match_by_rule
from corefkit.metrics import NAMES
from corefkit.metrics.base import MentionMetric
from corefkit.scorers import scorer_class
from corefkit.scorers.checks import (
    check_documents,
    check_identifiers,
    check_labels,
    check_matches,
    check_spans,
    compare_words,
    with_path,
)
from corefkit.scorers.comparison import Comparison, Readable, Side
from corefkit.scorers.counting import (
    Tables,
    count_by_definition,
    count_half,
    count_overlap,
    count_split,
    nothing_split,
    plurals_alone,
)
from corefkit.scorers.documents import (
    as_the_task_reads,
    common_documents,
    same_names,
    same_unit,
    with_documents_of,
)
from corefkit.scorers.preparation import report_copies, with_digits, without_glued

if TYPE_CHECKING:
    from corefkit.scorers.windows import Windows


@frozen
class Scorer:
    """The standard rules: the definitions of the papers; bad input is refused or reported.

    What a subclass declares:

    Attributes:
        metrics: what is scored when nothing is said.
        others: what is scored when it is asked for.
        policies: the policies that differ from the standard.
        rules: the rules of matching that it knows; None for all.
        counting: how it counts, in a line, if it has a way of its own: then the policy
            `duplicates` chooses nothing, and naming one means the standard way of counting.
        equivocal: whether a span may occur twice in what is compared.
        divisible: whether its counts can be split by entity, where no span is repeated.
        nearest: the options that come nearest to it and whose counts can be split.
        grouped: whether its scores are also given for groups (`by`).
        needs_files: whether it asks for the order of brackets, which lists of clusters lack.
        needs_spans: whether a mention must be a span, because its head or its place matters.
    """

    options: Options

    metrics: ClassVar[tuple[str, ...]] = DEFAULT
    others: ClassVar[tuple[str, ...]] = NAMES
    policies: ClassVar[Mapping[str, str]] = {}
    rules: ClassVar[tuple[str, ...] | None] = None
    counting: ClassVar[str] = ""
    equivocal: ClassVar[bool] = False
    needs_files: ClassVar[bool] = False
    labels: ClassVar[tuple[str, ...]] = ()
    """The labels that mentions must share where none are named."""
    divisible: ClassVar[bool] = True
    nearest: ClassVar[str] = "--profile standard"
    grouped: ClassVar[bool] = True
    needs_spans: ClassVar[bool] = False
    official: ClassVar[str] = ""
    """What the official score of its task is, where it is not that of all files together."""
    copies_hint: ClassVar[str] = ""
    """The hint of the incident about each copy of a repeated span."""

    def check_matching(self) -> None:
        """UsageError for a rule of matching that this scorer does not know."""
        rule = self.options.match
        if self.rules is not None and rule not in self.rules:
            known = ", ".join(self.rules)
            raise UsageError(
                f"match: the profile {self.options.scorer} has no {rule}; choose from {known}"
            )
        if self.rules is None and rule in _OF_SCORERS:
            raise UsageError(f"match: {rule} is for the profile {_OF_SCORERS[rule]}")

    # Reading and preparing one side.

    def read(
        self,
        source: Readable,
        reading: Reading = PLAIN,
        loaded: Mapping[str, bytes] | None = None,
        *,
        whole: bool = False,
    ) -> Side:
        """Read one side, check it and prepare it; `loaded` are its files, if they were read.

        With `whole`, columns are looked at that no score depends on.
        """
        path = path_of(source)
        ids = self.options.ids
        how = replace(reading, ids=ids, all_columns=whole, token_columns=whole)
        try:
            corpus = source if isinstance(source, Corpus) else read_all(source, how, loaded)
            with failure_as_incident(path):
                return self._read_corpus(source, corpus, path)
        except DataError as error:
            nothing = Corpus.from_clusters({})
            return Side(path, nothing, nothing, error.incidents)

    def _read_corpus(self, source: Readable, corpus: Corpus, path: str) -> Side:
        """The side of a corpus that was read from a source, or is it."""
        made = corpus is source and not corpus.sources  # in Python, and nobody has looked at it yet
        incidents = tuple(crossing_mentions(corpus)) if made else corpus.incidents
        if self.options.cross == "pool" or self.options.across:
            incidents = tuple(i for i in incidents if i.id != "cross-document")
        written = corpus
        if self.options.labels:
            from corefkit.matching.labels import with_labels

            corpus = with_labels(corpus, self.options.labels)
        if self.options.heads == "tree" and corpus.head is not None:
            from corefkit.formats import tree_heads

            corpus = tree_heads(corpus)
        corpus = self.reinterpret(corpus)
        scored, changes = self.prepare(corpus)
        return Side(
            path,
            corpus,
            scored,
            (*incidents, *with_path(changes, corpus, path)),
            as_written=None if written is corpus else written,
            language=self.options.language,
        )

    def prepare_again(self, side: Side) -> Side:
        """A side that was read, perhaps by another scorer, as this scorer wants it."""
        corpus = side.corpus if side.as_written is None else side.as_written
        return replace(self.read(corpus), path=side.path)

    def reinterpret(self, corpus: Corpus) -> Corpus:
        """The corpus as this scorer understands what was read, e.g. with zeros as tokens."""
        return corpus

    def prepare(self, corpus: Corpus) -> tuple[Corpus, list[Incident]]:
        """The corpus as it is scored, and every change that is reported."""
        incidents: list[Incident] = []
        if self.options.ids == "digits":
            corpus, unseen = with_digits(corpus)
            incidents += unseen
        if self.options.glued == "last":
            corpus, glued = without_glued(corpus)
            incidents += glued
        corpus, copies = self.choose_mentions(corpus)
        return corpus, incidents + copies

    def choose_mentions(self, corpus: Corpus) -> tuple[Corpus, list[Incident]]:
        """The mentions that are scored: split antecedents added; non-referring expressions, zeros,
        copies of repeated spans and singletons taken out, in this order.
        """
        options = self.options
        if options.split != "drop" and corpus.links is not None:
            corpus = with_plurals(corpus, zeros=options.zeros != "drop")
        corpus = self.drop_nonreferring(corpus)
        if options.zeros == "drop" and (corpus.zero is not None or corpus._head_zero is not None):
            unplaced = corpus.zero > UNPLACED if corpus.zero is not None else False
            corpus = corpus.take(~is_zero(corpus) | unplaced)
        corpus, incidents = self.drop_copies(corpus)
        if options.singletons == "drop":
            corpus = corpus.drop_singletons()
        return corpus, incidents

    def drop_nonreferring(self, corpus: Corpus) -> Corpus:
        """The corpus without non-referring expressions."""
        return corpus if corpus.referring is None else corpus.take(corpus.referring)

    def drop_copies(self, corpus: Corpus) -> tuple[Corpus, list[Incident]]:
        """The corpus without the copies of repeated spans that are not scored."""
        by_label = corpus
        if self.options.labels:  # a span with other labels is not a copy
            from corefkit.matching.labels import by_labels

            (by_label,) = by_labels(self.options.labels, corpus)
        repeated = repeated_spans(by_label)
        if not repeated.any():
            return corpus, []
        choose = listed_copies if self.options.duplicates == "listed" else first_copies
        first = choose(by_label, repeated)
        # A copy stands in several cells, so that the counts of e2e could not be split.
        refused = self.options.duplicates == "error" or (self.counting and self.options.by)
        severity: Severity = "error" if refused else "warning"
        hint = self.copies_hint or ("error" if severity == "error" else "")
        incidents = report_copies(corpus, repeated, first, hint=hint, severity=severity)
        return corpus.take(self.kept_copies(corpus, first)), incidents

    def kept_copies(self, corpus: Corpus, first: BoolArray) -> BoolArray:
        """bool (mentions,): the mentions that stay where spans are repeated.

        `first`, bool (mentions,), are those that are not later copies of others.
        """
        del corpus
        return first

    def describe_key(self, side: Side) -> Side:
        """The key with what this scorer says of it."""
        return side

    # Comparing two sides.

    def compare(self, key: Side, response: Side, documents: set[str] | None = None) -> Comparison:
        """Documents paired, units made equal, both sides checked; mentions are matched on demand.

        `documents` are those of the key that are scored, by name, where they are listed. What
        keeps the two from being compared is an error among the incidents: see
        `Comparison.failed`.
        """
        try:
            with failure_as_incident(response.path):
                return self._compare(key, response, documents)
        except DataError as error:
            incidents = (*response.incidents, *error.incidents)
            return self.compare_unified(key, response, documents, incidents)

    def _compare(self, key: Side, response: Side, documents: set[str] | None) -> Comparison:
        options = self.options
        key, response = self.unify(key, response)
        incidents = response.incidents
        if not errors(incidents):
            if documents is None and (options.documents == "common" or options.missing == "skip"):
                documents, left_out = common_documents(key.corpus, response.corpus)
                incidents += left_out
            if documents is not None:
                key, response = key.within(documents), response.within(documents)
        if not errors(incidents):
            incidents += tuple(self.check(key, response, documents))
        if options.cross == "pool" and not errors(incidents):
            key, response, pooled = self._pooled(key, response, documents)
            # Those that the key lacks are scored, with their topic.
            extra = [i for i in incidents if i.id == "document-extra" and i.document in pooled]
            incidents = tuple(i for i in incidents if i not in extra)
            documents = None
        return self.compare_unified(key, response, documents, incidents)

    def _pooled(
        self, key: Side, response: Side, documents: set[str] | None
    ) -> tuple[Side, Side, set[str]]:
        """Both sides with their documents, or those of each topic, as one; and which these are."""
        from corefkit.formats import pool_together

        ours, theirs, pooled = pool_together(key.corpus, response.corpus, documents)
        key = replace(key, corpus=ours, scored=self.prepare(ours)[0])
        return key, replace(response, corpus=theirs, scored=self.prepare(theirs)[0]), pooled

    def compare_unified(
        self,
        key: Side,
        response: Side,
        documents: set[str] | None = None,
        incidents: tuple[Incident, ...] = (),
    ) -> Comparison:
        """The comparison of two sides that are unified; what has to be checked was checked."""
        comparison = Comparison(
            key.scored,
            response.scored,
            self.match,
            self.options.match,
            self.options.ties,
            sides=(key, response),
            documents=documents,
            incidents=incidents,
        )
        return comparison if comparison.failed else self._ready_to_match(comparison)

    def compare_corpora(self, key: Corpus, response: Corpus) -> Comparison:
        """Two corpora of the same documents, e.g. of an Evaluator; nothing is checked."""
        ours, theirs = self.prepare(key)[0], self.prepare(response)[0]
        rule, ties = self.options.match, self.options.ties
        return Comparison(ours, theirs, self.match, rule, ties, annotated=(key, response))

    def _ready_to_match(self, comparison: Comparison) -> Comparison:
        """The comparison as it is matched: documents aligned, then what this scorer changes in the
        response, then what is left out, then heads and minimum spans where the rule needs them."""
        aligned = with_documents_of(comparison.key, comparison.response)
        ready = self.adjust_response(replace(comparison, response=aligned))
        if self.options.leave_out:
            from corefkit.scorers.leave_out import leave_out

            ready = leave_out(ready, self.options.leave_out)
        read = comparison.key_side.corpus, comparison.response_side.corpus
        ours, theirs, lacking = self.complete(ready.key, ready.response, *read)
        return replace(
            ready,
            key=ours,
            response=theirs,
            annotated=(read[0], with_documents_of(*read)),
            incidents=(*ready.incidents, *lacking),
        )

    def unify(self, key: Side, response: Side) -> tuple[Side, Side]:
        """Both sides with the same names for the same documents, and the same unit.

        What had to be done, and what could not be, stands among the incidents of the response.
        """
        options = self.options
        if options.align == "crac" and response.corpus.sources and not errors(key.incidents):
            corpus, repairs = as_the_task_reads(key.corpus, response.corpus)
            scored = self.prepare(corpus)[0]
            response = replace(response, corpus=corpus, scored=scored, incidents=tuple(repairs))
        if errors(key.incidents) or errors(response.incidents):
            return key, response
        renamed, renaming = same_names(key.corpus, response.corpus, options)
        if errors(renaming):
            return key, response.with_incidents(*renaming)
        ours, theirs, moving, coverage = same_unit(key.corpus, renamed, options)
        if coverage is not None:
            response = replace(response, coverage=coverage)
        if ours is not key.corpus:
            key = replace(key, corpus=ours, scored=self.prepare(ours)[0])
        if theirs is not response.corpus:
            scored = (
                replace(response.scored, names=theirs.names)
                if theirs is renamed
                else self.prepare(theirs)[0]
            )
            response = replace(response, corpus=theirs, scored=scored)
        return key, response.with_incidents(*renaming, *moving)

    def check(
        self, key: Side, response: Side, documents: set[str] | None = None
    ) -> Iterable[Incident]:
        """What is different about the documents, tokens and words of two unified sides."""
        both = key.corpus, response.corpus
        unwanted = set() if documents is None else {*key.corpus.names} - documents
        compared = [i for i in check_documents(*both, self.options) if i.document not in unwanted]
        yield from with_path(compared, response.corpus, response.path)
        yield from check_spans(*both, self.options)
        yield from check_identifiers(*both)
        if self.options.labels not in (self.labels, scorer_class(self.options.profile).labels):
            # Those of a profile are compared where they are.
            named = {key.path: key.corpus, response.path: response.corpus}
            yield from check_labels(named, self.options.labels)
        if self.options.words != "ignore":
            grave: Severity = "error" if self.options.words == "error" else "warning"
            yield from compare_words(*both, grave)

    def check_matches(self, counts: Counts, path: str | None = None) -> list[Incident]:
        """An incident where both sides have mentions and none matches, if this scorer counts
        mentions at all.
        """
        counted = "mentions" in (*self.metrics, *self.others)
        return check_matches(counts, path) if counted else []

    def adjust_response(self, comparison: Comparison) -> Comparison:
        """The comparison with those changes of the response that depend on the key, if any."""
        return comparison

    def complete(
        self, key: Corpus, response: Corpus, key_texts: Corpus, response_texts: Corpus
    ) -> tuple[Corpus, Corpus, list[Incident]]:
        """Both sides with what the rule of matching looks at besides spans: heads, minimum spans.

        `key_texts` and `response_texts` are the corpora as they were read. Errors where the files
        do not tell.
        """
        rule = self.options.match
        if rule in ("head", "partial"):
            return self._with_heads(key, response, key_texts)
        try:
            if rule == "mina":
                return *self.with_minima(key, response, key_texts, response_texts), []
            if rule == "semeval":
                from corefkit.applications.heads import with_semeval_heads

                return with_semeval_heads(key, key_texts), response, []
        except DataError as error:
            return key, response, list(error.incidents)
        return key, response, []

    def with_minima(
        self, key: Corpus, response: Corpus, key_texts: Corpus, response_texts: Corpus
    ) -> tuple[Corpus, Corpus]:
        """Both sides with the minimum spans of their mentions, by the parse trees of the key."""
        from corefkit.applications.minima import with_match_classes

        del response_texts
        return with_match_classes(key, response, key_texts)

    def _with_heads(
        self, key: Corpus, response: Corpus, texts: Corpus
    ) -> tuple[Corpus, Corpus, list[Incident]]:
        """Both sides with the heads of the key, and for the rule `head` those of the response.

        Where files declare none they come from the trees of the key (`texts`), for the response,
        too; a mention that is not a constituent has its last token as head. An error where there
        is neither.
        """
        from corefkit.applications.heads import UNKNOWN, heads_by_tree, with_heads

        rule = self.options.match
        if rule == "partial" and key.minimum is not None:
            return key, response, [] if (key.minimum >= 0).any() else [make_incident("min-none")]
        for side in (key, response) if rule == "head" else (key,):
            undeclared = side.end > side.start
            if side.head is not None:
                undeclared &= side.head == UNKNOWN
            rows = np.flatnonzero(undeclared)
            if len(rows) and not (heads_by_tree(side, texts, rows) >= 0).any():
                expected = "heads declared in the files, or trees in the key"
                return key, response, [make_incident("head-unknown", match=rule, expected=expected)]
        known = with_heads(response, texts) if rule == "head" else response
        return with_heads(key, texts), known, []

    def match(self, key: Corpus, response: Corpus) -> Pairs:
        """Which mentions stand for which, by the rule of the policy `match`."""
        if self.options.labels:
            from corefkit.matching.labels import by_labels

            key, response = by_labels(self.options.labels, key, response)
        return match_by_rule(key, response, self.options.match, self.options.policies)

    # Cutting long documents, and joining those of a topic.

    def check_windows(self) -> None:
        """UsageError where documents cannot be cut into the windows of the options."""
        self.check_pairing("window")

    def check_pairing(self, option: str) -> None:
        """UsageError, which names the option, where mentions are not paired once and for all, so
        that documents can be neither cut nor joined.
        """
        if self.options.match == "min":
            raise UsageError(
                f"{option}: cannot be combined with match min, by which a mention matches several"
            )

    def token_windows(self, lengths: IntArray, width: int) -> "Windows":
        """The windows of one width over documents with so many tokens, int64 (documents,)."""
        from corefkit.scorers.windows import regular_windows

        return regular_windows(lengths, width)

    @property
    def drops_pieces(self) -> bool:
        """Whether entities of which one mention is left in a window are dropped."""
        return self.options.singletons == "drop" and self.options.window_singletons == "follow"

    @property
    def counts_overlaps(self) -> bool:
        """Whether all that it counts of partitions are functions of an Overlap."""
        plain = self.options.singletons in ("keep", "drop") and self.options.match != "semeval"
        return plain and not self.counting

    # Counting.

    def count(self, comparison: Comparison) -> Counts:
        """Count the metrics of the options that need no tokens.

        Two policies, `singletons` and `match semeval`, bring a counting of their own and come
        first; then this scorer's; what they leave is counted with split antecedents where there
        are any, and by the definitions of the metrics. By `split only` a count that knows nothing
        of split antecedents gives way to that of the plurals alone.
        """
        names = [n for n in self._counted if not isinstance(metrics.get(n), MentionMetric)]
        tables = self.count_singletons(comparison, names)
        if self.options.match == "semeval":
            tables = {**count_half(comparison, _without(names, tables)), **tables}
        tables = {**self.count_own(comparison, _without(names, tables)), **tables}
        split = self.options.split
        if split == "only":
            tables = plurals_alone(tables)
        tables = {**count_split(comparison, _without(names, tables), split), **tables}
        tables = {**count_by_definition(comparison, _without(names, tables)), **tables}
        return Counts(comparison.key.names, {name: tables[name] for name in (*names, *tables)})

    def count_singletons(self, comparison: Comparison, names: list[str]) -> Tables:
        """The counts of those of the metrics that skip singletons by the policy `singletons`."""
        if self.options.singletons in ("keep", "drop"):
            return {}
        from corefkit.scorers.e2e import count_large

        return count_large(comparison, names, self.options.singletons)

    def count_own(self, comparison: Comparison, names: list[str]) -> Tables:
        """The counts of those of the metrics that this scorer counts otherwise."""
        del comparison, names
        return {}

    def count_overlap(self, overlap: Overlap, documents: Iterable[str]) -> Counts:
        """Like `count` where there is an Overlap only, e.g. of an Evaluator or of repairs."""
        names = self._counted
        tables = count_overlap(overlap, names)
        if self.options.singletons not in ("keep", "drop"):
            from corefkit.scorers import e2e

            tables |= e2e.count_overlap(overlap, names, self.options.singletons)
        if self.options.split == "only":  # an Overlap has no plurals
            tables |= nothing_split(overlap.documents, names)
        return Counts(tuple(documents), tables)

    @property
    def _counted(self) -> list[str]:
        """What is counted: mentions always, so that any group can say its size."""
        return list(dict.fromkeys((*metrics.counted(self.options.metrics), "mentions")))


_OF_SCORERS = {"min": "arrau or ua-1"}
"""Rules of matching that only these scorers know."""


def _without(names: Iterable[str], tables: Tables) -> list[str]:
    return [name for name in names if name not in tables]
