"""Adjudication: a draft, the decisions of curators, and the result of both.

>>> import corefkit
>>> result = corefkit.adjudicate("examples/key.conll", "examples/careful.conll")
>>> result
Adjudication(key, careful: 8 documents, 41 open items)
"""

import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from os import PathLike
from typing import Any, ClassVar, Unpack

import numpy as np

from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import (
    Collector,
    DataError,
    Incident,
    Severity,
    data_error,
    make_incident,
)
from corefkit.core.links import KINDS
from corefkit.core.names import Response, path_name, path_of, system_names
from corefkit.core.options import PLAIN, ReadChoices, Reading, UsageError
from corefkit.core.results import Result
from corefkit.core.texts import count_of, shorten
from corefkit.formats.kit.annotators import (
    CURATION,
    annotations_of,
    nothing_marked,
    split_annotator,
    with_annotators,
)
from corefkit.formats.options import readings_of
from corefkit.plugins.adjudication.decisions import (
    Decision,
    DecisionFile,
    parse_decisions,
    read_decisions,
)
from corefkit.plugins.adjudication.draft import DisputedItem, DocumentDraft, Draft, make_draft
from corefkit.plugins.adjudication.gold import make_gold
from corefkit.plugins.adjudication.replay import DecisionAbout, Replay, replay
from corefkit.plugins.adjudication.report_rows import ReportRow, report_rows
from corefkit.plugins.adjudication.units import Certain, Certainty
from corefkit.scorers import make_options
from corefkit.scorers.comparison import Readable
from corefkit.scoring.hashes import hash_files
from corefkit.stats.agreement import (
    Agreement,
    Annotator,
    PairAgreement,
    agreement_with,
    compare_annotators,
    refuse_unreadable,
)

GivenDecisions = str | PathLike[str] | Mapping[str, Any] | DecisionFile
"""Decisions: the name of a file, or the content of one."""

METRICS = ("mentions", "conll")
"""The metrics, besides α, for agreement before and after adjudication."""


@frozen(eq=False)
class Adjudication(Result):
    """The draft, and each of its documents after the decisions.

    Attributes:
        draft: what is certain and what is asked.
        replays: the documents after the decisions, in the order of the draft.
        before: the agreement of the annotators.
        elsewhere: the ids of decisions about documents that do not exist.
        disputed: item → the two curators or files that decided it differently.
        incidents: the problems of files and decisions.
        notes: remarks that are not problems, as sentences.
    """

    kind: ClassVar[str] = "adjudication"

    draft: Draft
    replays: tuple[Replay, ...]
    before: Agreement
    elsewhere: tuple[str, ...]
    disputed: Mapping[str, tuple[str, str]]
    incidents: tuple[Incident, ...]
    notes: tuple[str, ...]

    @property
    def lacks_unfinished(self) -> bool:
        """Whether unfinished annotations were left out."""
        return any(note.startswith(_WITHOUT_VOTE) for note in self.notes)

    @property
    def undecided(self) -> int:
        """The number of items that still need a decision."""
        return sum(len(replayed.open) for replayed in self.replays)

    def open_items(self, *, draft: bool) -> list[Incident]:
        """The incident, if any, about items that still need a decision.

        It is an error, or a warning if a draft is to be written.
        """
        undecided = [item for replayed in self.replays for item in replayed.open]
        if not undecided:
            return []
        items = sum(len(document.items) for document in self.draft.documents)
        details: dict[str, Any] = {"number": len(undecided), "items": items, "item": undecided[0]}
        severity: Severity = "warning" if draft else "error"
        variant = "draft" if draft else ""
        return [make_incident("undecided", variant, severity=severity, **details)]

    @property
    def unused(self) -> tuple[str, ...]:
        """The ids of decisions about documents, spans or items that do not exist."""
        return tuple(
            sorted({*self.elsewhere, *(i for replayed in self.replays for i in replayed.unused)})
        )

    @property
    def changed(self) -> tuple[str, ...]:
        """The ids of decisions about blocks that have changed since."""
        return tuple(sorted(i for replayed in self.replays for i in replayed.changed))

    @property
    def conflicts(self) -> tuple[str, ...]:
        """The ids that files decide differently, and of decisions that others contradict."""
        items = {conflict.item for replay in self.replays for conflict in replay.conflicts}
        return tuple(sorted({*self.disputed, *items}))

    @cached_property
    def corpus(self) -> Corpus:
        """The result: the kept mentions and entities, with the defaults for open items."""
        return make_gold(self.draft, self.replays)

    @property
    def lost(self) -> list[Incident]:
        """An incident for each kind of annotation that is neither adjudicated nor kept.

        Its number is that of the annotator who has most of the kind.
        """
        numbers = Counter[str]()
        for corpus in (annotator.side.corpus for annotator in self.before.annotators):
            lost = Counter[str]()
            if corpus.links is not None:
                lost.update(f"{KINDS[kind]} links" for kind in corpus.links.kind.tolist())
            if corpus.referring is not None:
                lost["non-referring mentions"] = int((~corpus.referring).sum())
            numbers |= lost
        return [
            make_incident("layer-dropped", "adjudication", number=number, what=what)
            for what, number in numbers.items()
            if number
        ]

    @cached_property
    def after(self) -> tuple[PairAgreement, ...]:
        """The agreement of each annotator with the result."""
        try:
            corpus = self.corpus
        except DataError:  # The result cannot be written, but it can be compared.
            corpus = make_gold(self.draft, self.replays, written=False)
        return agreement_with(self.before, corpus, "adjudicated")

    @property
    def report(self) -> list[ReportRow]:
        """Every item with its passage: open items first, outvoted ones last."""
        return report_rows(self.draft, self.replays)

    def rows(self) -> list[dict[str, Any]]:
        """One flat dict per item, as in the report."""
        return [row.to_dict() for row in self.report]

    def to_dict(self) -> dict[str, Any]:
        """The JSON of `corefkit adjudicate`."""
        documents = zip(self.draft.documents, self.replays, strict=True)
        return {
            "annotators": [*self.draft.annotators],
            "certain": self.draft.rule.certain,
            "ask_mentions": self.draft.rule.ask_mentions,
            "documents": [_document_dict(document, replayed) for document, replayed in documents],
            "undecided": self.undecided,
            "unused": [*self.unused],
            "changed": [*self.changed],
            "conflicts": [*self.conflicts],
            "agreement": {
                "before": [*map(_pair_dict, self.before.pairs)],
                "after": [*map(_pair_dict, self.after)],
            },
        }

    def __repr__(self) -> str:
        names = ", ".join(self.draft.annotators)
        documents = count_of(len(self.replays), "document")
        return f"Adjudication({names}: {documents}, {count_of(self.undecided, 'open item')})"


def _document_dict(draft: DocumentDraft, replayed: Replay) -> dict[str, Any]:
    return {
        "name": draft.name,
        "annotators": [*draft.annotators],
        "mentions": draft.states(),
        "blocks": len(draft.blocks),
        "items": [item.to_dict() for item in draft.items],
        "outvoted": [entry.to_dict() for entry in draft.outvoted],
        "open": [*replayed.open],
        "void": [*replayed.void],
        "implied": [
            {**decision._asdict(), "chain": [*decision.chain]} for decision in replayed.implied
        ],
    }


def _pair_dict(pair: PairAgreement) -> dict[str, Any]:
    return {"a": pair.a, "b": pair.b, **agreement_figures(pair)}


def agreement_figures(pair: PairAgreement) -> dict[str, float | int | None]:
    """The number of documents compared, the F1 of mentions, the CoNLL average, and α."""
    scores = pair.scores
    return {
        "documents": 0 if scores is None else len(scores.counts),
        "mentions": None if scores is None else scores["mentions"].f1,
        "conll": None if scores is None else scores.conll,
        "alpha": None if pair.alpha is None else pair.alpha.alpha(),
    }


def adjudicate(
    *annotators: Readable,
    decisions: GivenDecisions | Sequence[GivenDecisions] = (),
    certain: Certain = "majority",
    ask_mentions: int | None = None,
    force: bool = False,
    **how: Unpack[ReadChoices],
) -> Adjudication:
    """Find what two or more annotators agree on and dispute, and apply decisions to it.

    Annotators are paths or Corpora of the same text, or a project with several annotators. With
    `certain="all"` only what all annotators have is certain; `ask_mentions` is the number of votes
    a mention needs to be asked about. `decisions` are files, or the content of such files; `force`
    accepts decisions made for other annotators or settings. Other keywords are reading options, as
    in `read`.

    Raises DataError where a side or the decisions cannot be read, and UsageError where there are
    fewer than two annotators or they share no document.
    """
    choices: dict[str, Any] = {"unfinished": "drop", **how}
    if isinstance(decisions, (str, PathLike, Mapping, DecisionFile)):
        decisions = [decisions]
    files = [_decision_file(given) for given in decisions]
    rule = Certainty(certain, ask_mentions)
    return run_adjudication(annotators, files, rule, readings_of(choices).key, force=force)


def _decision_file(given: Any) -> DecisionFile:
    if isinstance(given, DecisionFile):
        return given
    if isinstance(given, Mapping):
        return parse_decisions(given)
    return read_decisions(path_name(given))


def run_adjudication(
    annotators: Sequence[Readable],
    files: Sequence[DecisionFile] = (),
    rule: Certainty | None = None,
    reading: Reading = PLAIN,
    *,
    force: bool = False,
) -> Adjudication:
    """Adjudicate with decisions that have been read; see `adjudicate`."""
    rule = rule or Certainty()
    sides = _sides(annotators, reading)
    if not any(isinstance(side, Response) or "#" in path_of(side) for side in sides):
        reading = reading.with_options(unfinished=None)  # Only projects have unfinished documents.
    before = compare_annotators(sides, None, make_options(METRICS), reading)
    if sides != [*annotators] and not any(a.side.corpus.mentions for a in before.annotators):
        raise nothing_marked(path_of(annotators[0]))
    number = np.array([annotator.present for annotator in before.annotators]).sum(axis=0)
    if not (number > 1).any():
        names = ", ".join(annotator.name for annotator in before.annotators)
        raise UsageError(f"{names}: no document has two annotators")
    fit = before.compared | (number == 1)
    if not fit.any():  # No document is left to adjudicate.
        raise DataError(before.incidents)
    left_out = {before.documents[n] for n in np.flatnonzero(~fit).tolist()}
    alone = [before.documents[n] for n in np.flatnonzero(number == 1).tolist()]
    inputs = {a.name: _digest(a) for a in before.annotators}
    draft = make_draft(before.annotators, rule, inputs, left_out)
    notes = [
        *_note_unfinished(annotators, _annotators_of(sides), reading),
        *_note_documents(alone, "with only one annotator, taken over as marked"),
        *_note_documents(sorted(left_out), "left out, with different numbers of tokens"),
        *_check_files(draft, files, force=force),
    ]
    decisions, disputed = merge_decisions(draft, files)
    by_document, elsewhere = _by_document(draft, decisions)
    replays = tuple(replay(document, by_document[document.name]) for document in draft.documents)
    draft = replace(draft, decisions=decisions)
    kept = [i for i in before.incidents if not _is_irrelevant(i)]
    result = Adjudication(draft, replays, before, elsewhere, disputed, (), tuple(notes))
    return replace(result, incidents=(*kept, *_decision_incidents(result, files)))


def _is_irrelevant(incident: Incident) -> bool:
    """Whether an incident of the agreement does not matter here: unfinished has a default."""
    if incident.id == "option-unused":
        return "--read unfinished " in incident.message
    return incident.id in ("document-unshared", "nothing-shared")


def _sides(annotators: Sequence[Readable], reading: Reading) -> list[Readable]:
    """The sides without curated versions.

    Raises UsageError where there are fewer than two, or where one is given twice.
    """
    listed = with_annotators(annotators, reading)
    sides = [s for s in listed if isinstance(s, Corpus) or _annotator(s) != CURATION]
    if len(sides) < 2:
        refuse_unreadable(listed, reading)
        hint = " (the curated version does not vote)" if len(sides) < len(listed) else ""
        raise UsageError(f"adjudication needs at least two annotators{hint}")
    identities = [id(s) if isinstance(s, Corpus) else _identity(path_name(s)) for s in sides]
    for number, identity in enumerate(identities):
        if identity in identities[:number]:
            name = system_names([sides[number]])[0]
            raise UsageError(f"{name}: the same annotator is given twice")
    return sides


def _annotators_of(sides: Iterable[Readable]) -> set[str | None]:
    """The names of the annotators of projects among the sides; None for plain files."""

    return {_annotator(side) for side in sides if not isinstance(side, Corpus)}


def _annotator(side: Any) -> str | None:
    return split_annotator(path_name(side))[1]


def _identity(path: str) -> tuple[str, str | None]:
    base, annotator = split_annotator(path)
    return os.path.realpath(base), annotator


def _digest(annotator: Annotator) -> str | None:
    """The SHA-256 of an annotator's files; in a project, of the list of hashes of her documents.

    None where the corpus was made in Python.
    """
    corpus, path = annotator.side.corpus, annotator.side.path
    if split_annotator(path)[1] is None:
        return hash_files(path, corpus.sources).sha256 if corpus.sources else None
    lines = sorted(
        f"{sha256(source.data).hexdigest()}  {corpus.names[source.first_document]}\n"
        for source in corpus.sources
    )
    return sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


_UNFINISHED = "IN_PROGRESS"
_WITHOUT_VOTE = "unfinished, so without a vote"


def _note_unfinished(
    annotators: Sequence[Readable], names: Collection[str | None], reading: Reading
) -> Iterator[str]:
    """A note about documents that have no vote because they are unfinished."""
    if reading.get("unfinished") != "drop":
        return
    paths = {split_annotator(path_name(a))[0] for a in annotators if not isinstance(a, Corpus)}
    known = {annotation for path in sorted(paths) for annotation in annotations_of(path, reading)}
    listed = sorted(f"{a} of {d}" for d, a, state in known if state == _UNFINISHED and a in names)
    if listed:
        shown = shorten(", ".join(listed), 200)
        yield f"{_WITHOUT_VOTE} (--read unfinished=keep gives them one): {shown}"


def _note_documents(names: Iterable[str], what: str) -> Iterator[str]:
    """A note about these documents, if there are any."""
    if listed := [*names]:
        number, shown = count_of(len(listed), "document"), shorten(", ".join(listed), 200)
        yield f"{number} {what}: {shown}"


def _check_files(draft: Draft, files: Sequence[DecisionFile], *, force: bool) -> Iterator[str]:
    """Notes about annotations that have changed since the decisions were made.

    Raises DataError for decisions about other annotators or settings, unless `force`.
    """
    for file in files:
        if not force and (difference := _difference(draft, file)):
            found, expected = difference
            raise data_error("decisions-other", file=file.path, found=found, expected=expected)
        changed = [
            name
            for name, digest in file.inputs.items()
            if digest and name in draft.inputs and digest != draft.inputs[name]
        ]
        if changed:
            listed = ", ".join(changed)
            yield f"{file.path}: the annotations of {listed} have changed since these decisions"


def _difference(draft: Draft, file: DecisionFile) -> tuple[str, str] | None:
    """The annotators or settings of a file, and those of the draft; None if they are the same."""
    if file.inputs and {*file.inputs} != {*draft.inputs}:
        return _listed(file.inputs), _listed(draft.inputs)
    if file.rule != draft.rule:
        return file.rule.described(), draft.rule.described()
    return None


def _listed(annotators: Iterable[str]) -> str:
    return f"annotators {', '.join(sorted(annotators))}"


def merge_decisions(
    draft: Draft, files: Sequence[DecisionFile]
) -> tuple[tuple[Decision, ...], dict[str, tuple[str, str]]]:
    """A common log of all files, and the items on which they differ.

    A single file is taken as it is. From each of several files, the last entry about each item
    counts. An item that two files decide differently is not decided; it is returned with the two
    curators, or files.
    """
    if len(files) < 2:
        return tuple(d for file in files for d in file.decisions), {}
    by_name = {document.name: document for document in draft.documents}
    items = {item.id: item for document in draft.documents for item in document.items}
    merged: dict[str, tuple[Decision, DecisionFile]] = {}
    disputed: dict[str, tuple[str, str]] = {}
    for file in files:
        last: dict[str, Decision] = {}
        for decision in file.decisions:
            resolved = decision.resolve(by_name)
            document = by_name.get(resolved[0]) if resolved else None
            item = decision.item if document is None else DecisionAbout.of(document, decision).id
            last.pop(item, None)
            last[item] = decision
        for item, decision in last.items():
            earlier, _ = merged.get(item, (None, None))
            choice = earlier and earlier.choice
            # An earlier one of the same choice may be about blocks that have changed.
            if choice is None or (
                choice == decision.choice and _is_about(items.get(item), decision)
            ):
                merged[item] = decision, file
            elif decision.choice not in (None, choice):
                disputed[item] = _who(*merged[item]), _who(decision, file)
    kept = (decision for item, (decision, _) in merged.items() if item not in disputed)
    return tuple(kept), disputed


def _is_about(item: DisputedItem | None, decision: Decision) -> bool:
    """Whether a decision names the present units of a link's blocks."""
    blocks = decision.fields.get("left"), decision.fields.get("right")
    return item is not None and blocks == ([*item.left], [*item.right])


def _who(decision: Decision, file: DecisionFile) -> str:
    """Who decided, or the name of the file where it does not say."""
    return decision.by or file.path


def _by_document(
    draft: Draft, decisions: Iterable[Decision]
) -> tuple[dict[str, list[Decision]], tuple[str, ...]]:
    """The decisions about each document, and the ids of those about unknown documents."""
    listed: dict[str, list[Decision]] = {document.name: [] for document in draft.documents}
    elsewhere = []
    for decision in decisions:
        resolved = decision.resolve(listed)
        if resolved is not None:
            listed[resolved[0]].append(decision)
        elif decision.choice is not None:
            elsewhere.append(decision.item)
    return listed, tuple(dict.fromkeys(elsewhere))


def _decision_incidents(result: Adjudication, files: Sequence[DecisionFile]) -> Iterator[Incident]:
    """Incidents about decisions that do not apply, or that contradict each other."""
    collector = Collector(", ".join(file.path for file in files if file.path) or None)
    for item in result.unused:
        collector.note("decision-unused", item=item)
    for item in result.changed:
        collector.note("decision-changed", item=item)
    for item, (one, other) in sorted(result.disputed.items()):
        collector.note("decisions-conflict", "curators", item=item, one=one, other=other)
    for conflict in (c for replayed in result.replays for c in replayed.conflicts):
        if conflict.chain:
            chain = ", ".join(conflict.chain)
            collector.note("decisions-conflict", item=conflict.item, chain=chain)
        else:
            collector.note("decisions-conflict", "span", item=conflict.item)
    yield from collector
