"""Scorer: the rules by which a key and a response are read, prepared and compared, and looked up.

This class has the standard rules. Other scorers, in modules of this package, are subclasses that
override what they do differently; `corefkit.scorers.scorer_for` returns the one for given options.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from corefkit.core.arrays import BoolArray, IntArray
from corefkit.core.carriers import frozen
from corefkit.core.corpus import UNPLACED, Corpus
from corefkit.core.counts import Counts
from corefkit.core.directed import Lookups, Pairs, lookups_of_pairs
from corefkit.core.incidents import DataError, Incident, Severity, errors, failure_as_incident
from corefkit.core.links import with_plurals
from corefkit.core.names import path_of
from corefkit.core.nodes import CopyOrder, crossing_mentions, is_zero
from corefkit.core.options import DEFAULT, PLAIN, Options, Reading, UsageError
from corefkit.formats.kit.reading import read_all
from corefkit.matching import match as match_by_rule
from corefkit.metrics import NAMES
from corefkit.metrics.base import Counted
from corefkit.metrics.counting import SKIPPED, Skipped
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
from corefkit.scorers.documents import (
    as_the_task_reads,
    choose_of_both,
    same_names,
    same_unit,
    with_documents_of,
)
from corefkit.scorers.lookups import too_many_copies
from corefkit.scorers.mistakes import likely_mistakes
from corefkit.scorers.preparation import (
    Copies,
    find_copies,
    report_copies,
    with_digits,
    with_known_heads,
    without_glued,
)
from corefkit.scorers.rules import STANDARD_RULES, Rules

if TYPE_CHECKING:
    from corefkit.metrics.split_antecedents import ElementMentions, SplitAntecedents
    from corefkit.scorers.windows import Windows

OwnMetrics: TypeAlias = Mapping[str, Callable[[Comparison], Counted]]
"""Metrics of mentions that a scorer counts in its own way, by name."""


@frozen
class Scorer:
    """The standard rules: the definitions of the papers; bad input is refused or reported.

    Subclasses declare:

    Attributes:
        metrics: the metrics that are scored by default.
        others: further metrics that can be scored.
        own: the metrics of mentions that it counts in its own way.
        policies: the policies that differ from the standard.
        refused: the kinds of defective input that it refuses (`core.options.DEFECTS`).
        documents: which documents it scores, unless others are chosen.
        rules: its rules that are no options, such as how ties are broken.
        matches: the matching rules that it supports; None for all.
        keeps_copies: whether it keeps copies of repeated spans and counts them in its own way: then
            the policy `duplicates` has no effect, and giving a value means the standard way.
        counting: a line on how it counts them, for people.
        labels: the labels that mentions must share, unless others are given.
        divisible: whether its counts can be split by entity.
        grouped: whether a command gives its scores for groups of documents, too.
        needs_files: whether it needs the order of brackets, which lists of clusters lack.
        needs_spans: whether a mention must be a span, because its head or position matters.
        official_score: what that of its task is, for people, if not that of all files together.
        copies_hint: the variant of the hint in incidents about copies of repeated spans.
    """

    options: Options
    reports_words: bool = False
    """Whether other words than those of the key are a warning where they are not refused."""

    metrics: ClassVar[tuple[str, ...]] = DEFAULT
    others: ClassVar[tuple[str, ...]] = NAMES
    own: ClassVar[OwnMetrics] = {}
    policies: ClassVar[Mapping[str, str]] = {}
    refused: ClassVar[tuple[str, ...]] = ()
    documents: ClassVar[str] = "all"
    rules: ClassVar[Rules] = STANDARD_RULES
    matches: ClassVar[tuple[str, ...] | None] = None
    keeps_copies: ClassVar[bool] = False
    counting: ClassVar[str] = "the first copy of a span in the text is kept"
    labels: ClassVar[tuple[str, ...]] = ()
    divisible: ClassVar[bool] = True
    grouped: ClassVar[bool] = True
    needs_files: ClassVar[bool] = False
    needs_spans: ClassVar[bool] = False
    official_score: ClassVar[str] = ""
    copies_hint: ClassVar[str] = ""

    def check_matching(self) -> None:
        """Raise UsageError for a matching rule that this scorer does not support."""
        rule = self.options.match
        if self.matches is not None and rule not in self.matches:
            known = ", ".join(self.matches)
            raise UsageError(
                f"match: the profile {self.options.scorer} has no {rule}; choose from {known}"
            )
        if self.matches is None and rule in _SPECIAL_RULES:
            raise UsageError(f"match: {rule} is for the profile {_SPECIAL_RULES[rule]}")

    # Reading and preparing one side.

    def read(
        self,
        source: Readable,
        reading: Reading = PLAIN,
        loaded: Mapping[str, bytes] | None = None,
        *,
        whole: bool = False,
    ) -> Side:
        """Read, check and prepare one side; `loaded` are the bytes of its files, if already read.

        With `whole`, columns that do not affect scores are checked, too.
        """
        return self.prepare(self.load(source, reading, loaded, whole=whole))

    def load(
        self,
        source: Readable,
        reading: Reading = PLAIN,
        loaded: Mapping[str, bytes] | None = None,
        *,
        whole: bool = False,
    ) -> Side:
        """One side as in its files, for all scorers that read ids as this one does."""
        path = path_of(source)
        how = replace(reading, ids=self.options.ids, all_columns=whole, token_columns=whole)
        try:
            corpus = source if isinstance(source, Corpus) else read_all(source, how, loaded)
        except DataError as error:
            return Side.of(path, reading, None, *error.incidents)
        if corpus is source and not corpus.sources:  # made in Python, and not checked yet
            corpus = replace(corpus, incidents=tuple(crossing_mentions(corpus)))
        return Side.of(path, reading, corpus)

    def prepare(self, side: Side) -> Side:
        """A side as this scorer interprets and scores it, with an incident for every change that is
        reported. It may have been prepared by another scorer; one that could not be read stays so.
        """
        if not side.written.sources and errors(side.incidents):
            return side
        corpus, options = side.written, self.options
        try:
            with failure_as_incident(side.path):
                incidents = corpus.incidents
                if options.across:
                    incidents = tuple(i for i in incidents if i.id != "cross-document")
                if options.heads == "tree" and corpus.head is not None:
                    from corefkit.formats import tree_heads

                    corpus = tree_heads(corpus)
                corpus = self.reinterpret(corpus)
                prepared, changes = self._with_scored(side, corpus)
        except DataError as error:
            return Side.of(side.path, side.reading, None, *error.incidents)
        incidents = (*incidents, *with_path(changes, corpus, side.path))
        return replace(prepared, incidents=incidents, language=options.language)

    def moved(self, side: Side, corpus: Corpus) -> Side:
        """The side with its mentions moved, e.g. to another unit; copies are not reported again."""
        return self._with_scored(side, corpus)[0]

    def _with_scored(self, side: Side, corpus: Corpus) -> tuple[Side, list[Incident]]:
        """The side with this corpus, as interpreted, and the mentions of it that are scored: those
        of brackets that this scorer reads, and of these those that it chooses.
        """
        options, seen, incidents = self.options, corpus, list[Incident]()
        if options.ids == "digits":
            seen, unseen = with_digits(seen)
            incidents += unseen
        if options.glued == "last":
            seen, glued = without_glued(seen)
            incidents += glued
        scored, copies = self.choose_mentions(seen)
        if options.refuses("copies") and not copies:
            copies = self.report_copies(scored, self.find_copies(scored))
        joinable = None
        if options.across and options.singletons == "drop":
            keeping = replace(self, options=replace(options, singletons="keep"))
            joinable, _ = keeping.choose_mentions(seen)
        return replace(side, corpus=corpus, scored=scored, joinable=joinable), incidents + copies

    def reinterpret(self, corpus: Corpus) -> Corpus:
        """The corpus as this scorer interprets what was read, e.g. with zeros as tokens."""
        return corpus

    def choose_mentions(self, corpus: Corpus) -> tuple[Corpus, list[Incident]]:
        """The mentions of a side that are scored, and an incident for every reported change.

        Split antecedents are added; then, depending on the policies, non-referring expressions,
        zeros, copies of repeated spans and singletons are removed, in this order.
        """
        options = self.options
        if options.split != "drop" and corpus.links is not None:
            corpus = with_plurals(corpus, zeros=options.zeros != "drop")
        corpus = self.drop_nonreferring(corpus)
        if options.zeros == "drop" and (corpus.zero is not None or corpus.head_zero is not None):
            unknown = corpus.zero > UNPLACED if corpus.zero is not None else False
            corpus = corpus.take(~is_zero(corpus) | unknown)
        corpus, copies = self.drop_copies(corpus)
        if options.singletons == "drop":
            corpus = corpus.drop_singletons()
        return corpus, copies

    def drop_nonreferring(self, corpus: Corpus) -> Corpus:
        """The corpus without non-referring expressions."""
        return corpus if corpus.referring is None else corpus.take(corpus.referring)

    def drop_copies(self, corpus: Corpus) -> tuple[Corpus, list[Incident]]:
        """The corpus without the copies of repeated spans that are not scored, which are reported.

        The policy `duplicates` is the same for both sides.
        """
        copies = self.find_copies(corpus)
        if not copies.repeated.any():
            return corpus, []
        scored = corpus.take(self.scored_copies(corpus, copies.kept))
        return scored, self.report_copies(corpus, copies)

    def find_copies(self, corpus: Corpus) -> Copies:
        """The spans of a corpus that occur more than once; with other labels, a span is another."""
        order: CopyOrder = "listed" if self.options.duplicates == "listed" else "first"
        return find_copies(corpus, order, self.options.labels)

    def report_copies(self, corpus: Corpus, copies: Copies) -> list[Incident]:
        """An incident for every repeated span: an error where these are refused."""
        severity: Severity = "error" if self.options.refuses("copies") else "warning"
        hint = self.copies_hint or ("error" if severity == "error" else "")
        return report_copies(corpus, copies, severity, hint)

    def scored_copies(self, corpus: Corpus, kept: BoolArray) -> BoolArray:
        """bool (mentions,): the mentions that are scored if spans are repeated.

        `kept`, bool (mentions,), are those that are not later copies of others.
        """
        del corpus
        return kept

    # Comparing two sides.

    def compare(self, key: Side, response: Side, documents: set[str] | None = None) -> Comparison:
        """Pair the documents, convert both sides to the same unit and check them.

        Mentions are matched on demand. `documents` are the names of the documents of the key that
        are scored, if they are listed. If the two sides cannot be compared, the incidents include
        an error: see `Comparison.failed`.
        """
        try:
            with failure_as_incident(response.path):
                unified_key, unified_response = self.unify(key, response)
                incidents, chosen = unified_response.incidents, documents
                if not errors(incidents):
                    unified_key, unified_response, chosen, noticed = choose_of_both(
                        unified_key, unified_response, documents, self.options
                    )
                    incidents += (*noticed, *self.check(unified_key, unified_response, chosen))
                comparison = self.compare_unified(unified_key, unified_response, chosen, incidents)
                if self.keeps_copies and not comparison.failed:
                    refusals = (*comparison.incidents, *too_many_copies(comparison))
                    comparison = replace(comparison, incidents=refusals)
                found = unified_response.written  # an empty one may have lost its files
                if comparison.failed or (found.mentions and not found.sources):
                    return comparison
                mistakes = likely_mistakes(comparison)
                return replace(comparison, incidents=(*comparison.incidents, *mistakes))
        except DataError as error:
            incidents = (*response.incidents, *error.incidents)
            return self.compare_unified(key, response, documents, incidents)

    def compare_unified(
        self,
        key: Side,
        response: Side,
        documents: set[str] | None = None,
        incidents: tuple[Incident, ...] = (),
    ) -> Comparison:
        """The comparison of two sides that are already unified and checked.

        The response gets the documents of the key, then come this scorer's changes of the response,
        the mentions to be left out, and the heads or minimum spans that the rule needs.
        """
        read = key.corpus, response.corpus
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
        if comparison.failed:
            return comparison
        aligned = with_documents_of(key.scored, response.scored)
        ready = self.adjust_response(replace(comparison, response=aligned))
        if self.options.leave_out:
            from corefkit.scorers.leave_out import leave_out

            ready = leave_out(ready, self.options.leave_out)
        completed_key, completed_response, lacking = self.complete(ready.key, ready.response, *read)
        return replace(
            ready,
            key=completed_key,
            response=completed_response,
            annotated=(read[0], with_documents_of(*read)),
            incidents=(*ready.incidents, *lacking),
        )

    def unify(self, key: Side, response: Side) -> tuple[Side, Side]:
        """Both sides with the same names for the same documents, and in the same unit.

        The incidents of the response say what was done, and what could not be done.
        """
        options = self.options
        if options.align == "crac" and response.corpus.sources and not errors(key.incidents):
            corpus, repairs = as_the_task_reads(key.corpus, response.corpus)
            response = replace(self.moved(response, corpus), incidents=tuple(repairs))
        if errors(key.incidents) or errors(response.incidents):
            return key, response
        renamed, renaming = same_names(key.corpus, response.corpus, options)
        if errors(renaming):
            return key, response.with_incidents(*renaming)
        key_corpus, response_corpus, moving, coverage = same_unit(key.corpus, renamed, options)
        if coverage is not None:
            response = replace(response, coverage=coverage)
        if key_corpus is not key.corpus:
            key = self.moved(key, key_corpus)
        if response_corpus is renamed and renamed is not response.corpus:
            response = replace(response, corpus=renamed)
            response = response.with_scored(partial(replace, names=renamed.names))
        elif response_corpus is not renamed:
            response = self.moved(response, response_corpus)
        return key, response.with_incidents(*renaming, *moving)

    def check(
        self, key: Side, response: Side, documents: set[str] | None = None
    ) -> Iterable[Incident]:
        """Incidents about differences in the documents, tokens and words of two unified sides."""
        both = key.corpus, response.corpus
        ignored = set() if documents is None else {*key.corpus.names} - documents
        compared = [i for i in check_documents(*both, self.options) if i.document not in ignored]
        yield from with_path(compared, response.corpus, response.path)
        yield from check_spans(*both, self.options)
        yield from check_identifiers(*both)
        if self.options.labels not in (self.labels, scorer_class(self.options.profile).labels):
            # The labels of a profile are compared if they exist.
            named = {key.path: key.corpus, response.path: response.corpus}
            yield from check_labels(named, self.options.labels)
        if self.options.refuses("words"):
            yield from compare_words(*both, "error")
        elif self.reports_words:
            yield from compare_words(*both, "warning")

    def check_matches(
        self, counts: Counts, path: str | None = None, *, listed: bool = False
    ) -> list[Incident]:
        """An incident if both sides have mentions and none matches; [] if this scorer does not
        count mentions. If they are `listed`, no reader has said that the response has none.
        """
        counted = "mentions" in (*self.metrics, *self.others)
        return check_matches(counts, path, listed=listed) if counted else []

    def adjust_response(self, comparison: Comparison) -> Comparison:
        """The comparison with the changes of the response that depend on the key, if any."""
        return comparison

    def complete(
        self, key: Corpus, response: Corpus, key_texts: Corpus, response_texts: Corpus
    ) -> tuple[Corpus, Corpus, list[Incident]]:
        """Both sides with the heads or minimum spans that the matching rule needs, and incidents.

        `key_texts` and `response_texts` are the corpora as read. The incidents are errors if the
        files do not have what is needed.
        """
        rule = self.options.match
        if rule in ("head", "partial"):
            return with_known_heads(key, response, key_texts, rule)
        try:
            if rule == "mina":
                return *self.with_minima(key, response, key_texts, response_texts), []
            if rule == "semeval":
                from corefkit.features.heads import with_semeval_heads

                return with_semeval_heads(key, key_texts), response, []
        except DataError as error:
            return key, response, list(error.incidents)
        return key, response, []

    def with_minima(
        self, key: Corpus, response: Corpus, key_texts: Corpus, response_texts: Corpus
    ) -> tuple[Corpus, Corpus]:
        """Both sides with the minimum spans of their mentions, from the parse trees of the key."""
        from corefkit.features.minima import with_match_classes

        del response_texts
        return with_match_classes(key, response, key_texts)

    def match(self, key: Corpus, response: Corpus) -> Pairs:
        """The matching mentions by the rule of the policy `match`."""
        if self.options.labels:
            from corefkit.matching.labels import by_labels

            key, response = by_labels(self.options.labels, key, response)
        return match_by_rule(key, response, self.options.match, self.options.of_matching)

    # Cutting long documents into windows, and joining the documents of a topic.

    def check_windows(self) -> None:
        """Raise UsageError if documents cannot be cut into the windows of the options."""
        self.check_pairing("window")

    def check_pairing(self, option: str) -> None:
        """Raise UsageError, naming the option, if mentions are not paired one to one, so that
        documents can be neither cut nor joined.
        """
        if self.options.match == "min":
            raise UsageError(
                f"{option}: cannot be combined with match min, by which a mention matches several"
            )

    def token_windows(self, lengths: IntArray, width: int) -> "Windows":
        """Windows of this width over documents with these numbers of tokens, int64 (documents,)."""
        from corefkit.scorers.windows import regular_windows

        return regular_windows(lengths, width)

    @property
    def drops_pieces(self) -> bool:
        """Whether singletons that the cutting creates are dropped."""
        return self.options.singletons == "drop" and self.options.window_singletons == "follow"

    # Counting.

    def lookups(self, comparison: Comparison) -> Lookups:
        """In which entity of the other side each mention is found: that of its partner."""
        return lookups_of_pairs(comparison.key, comparison.response, comparison.pairs)

    def elements(self, comparison: Comparison) -> "Mapping[str, ElementMentions]":
        """What the elements of split antecedents have in common, for each pair of tables."""
        from corefkit.metrics.split_antecedents import MatchedElements

        matched = MatchedElements(comparison)
        return {"sides": matched, "listed": matched, "linked": matched}

    def split_antecedents(
        self, comparison: Comparison, lookups: Lookups
    ) -> "SplitAntecedents | None":
        """The lookups with the virtual mentions of split antecedents; None if there are none."""
        if comparison.key.plurals is None and comparison.response.plurals is None:
            return None
        from corefkit.metrics.split_antecedents import SplitAntecedents

        elements, weighed = self.elements(comparison), self.weighs_plurals()
        return SplitAntecedents(
            comparison, lookups, elements, weighed=weighed, skipping=self.skipped
        )

    def weighs_plurals(self) -> bool:
        """Whether split antecedents have virtual mentions."""
        return True

    @property
    def skipped(self) -> Mapping[str, Skipped]:
        """The singletons that metrics skip."""
        return SKIPPED[self.options.singletons]

    def as_added(
        self, tables: dict[str, Counted], comparison: Comparison, lookups: Lookups
    ) -> dict[str, Counted]:
        """The counts of partition metrics, for a scorer whose order of additions is reproduced."""
        del comparison, lookups
        return tables


_SPECIAL_RULES = {"min": "arrau or ua-1"}
"""Matching rules that only these profiles support."""
