"""The error page, `corefkit report`: what went wrong, and what it cost.

Here its data is put together, from its documents, its systems and what changes between them; the
scripts beside show it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, Unpack
from warnings import warn

from corefkit import metrics as registry
from corefkit._version import __version__
from corefkit.analysis.antecedents import RELATIONS
from corefkit.analysis.errors import Same, identities
from corefkit.analysis.types import TYPES
from corefkit.core.incidents import DataError
from corefkit.core.names import path_name
from corefkit.core.options import ScoreChoices, UsageError
from corefkit.core.tagsets import Tagset
from corefkit.formats import files_of, refuse_overwriting, split_readings, write_atomically
from corefkit.metrics import VARIANTS
from corefkit.metrics.base import Metrics
from corefkit.render.pages import assemble, read_part
from corefkit.render.pages.report.changes import changes_data
from corefkit.render.pages.report.documents import MOST_TOKENS, DocumentTexts, choose_shown
from corefkit.render.pages.report.strata import strata_data
from corefkit.render.pages.report.system_errors import SystemData
from corefkit.scorers import make_options, parse_variants, scorer_for
from corefkit.scorers.comparison import Readable
from corefkit.scorers.signature import signature
from corefkit.scoring.errors import SHARED_OUT, ErrorReport, find_errors
from corefkit.scoring.outcomes import in_all, list_comparisons
from corefkit.scoring.run import score_comparison
from corefkit.scoring.scores import Scores
from corefkit.stats.significance import compare_scores

STYLES = ("shared/base.css", "report/report.css")
SCRIPTS = (
    "shared/dom.js",
    "shared/order.js",
    "shared/unpack.js",
    "report/table.js",
    "report/state.js",
    "report/explanation.js",
    "report/strata.js",
    "report/overview.js",
    "report/compare.js",
    "report/marks.js",
    "report/pinned.js",
    "report/document.js",
    "report/entities.js",
    "report/errors.js",
    "report/changes.js",
    "report/main.js",
)
SAMPLES = 2000


def report(  # noqa: PLR0913 (as many as there are options)
    key: Readable,
    *responses: Readable,
    output: str | PathLike[str] | None = None,
    metrics: Metrics | None = None,
    shown: Sequence[str] | None = None,
    documents: Sequence[str] | None = None,
    profile: str = "standard",
    tagset: str | Tagset = "auto",
    pronouns: Iterable[str] | None = None,
    **policies: Unpack[ScoreChoices],
) -> str:
    """The page of errors of one or more responses, as HTML; written to `output` if it is given.

    The points lost in the first of the `metrics` are shared out, conll unless some are named.
    `shown` are the names of the documents whose texts are shown; otherwise all, or, in a large
    corpus, those that lose most (`documents` is the old name of `shown`). The other options are
    those of `corefkit.errors`. Raises DataError if the data cannot be scored, UsageError if
    `output` is one of the files that are read.
    """
    if documents is not None:
        text = "report: documents= is deprecated for the documents that are shown; write shown="
        warn(text, DeprecationWarning, stacklevel=2)
        shown = documents
    if not responses:
        raise UsageError("report: give at least one response")
    if output is not None:
        sources = [name for source in (key, *responses) for name in files_of(source)]
        refuse_overwriting([path_name(output)], sources)
    chosen: dict[str, Any] = {**policies}
    readings = split_readings(chosen)
    metrics = SHARED_OUT if metrics is None else metrics
    options = make_options(metrics, profile, tagset=tagset, **chosen)
    error_report = find_errors(key, responses, options, pronouns=pronouns, readings=readings)
    page = render_error_page(error_report, shown)
    if output is not None:
        write_atomically(path_name(output), page.encode("utf-8", "replace"))
    return page


def render_error_page(error_report: ErrorReport, documents: Sequence[str] | None = None) -> str:
    """The page of errors, as HTML; `documents` are those whose texts are shown."""
    if documents:
        unknown = [name for name in documents if name not in error_report.key.scored.names]
        if unknown:
            raise UsageError(f"documents: the key has no document {unknown[0]!r}")
    return assemble(
        f"Errors: {', '.join(s.name for s in error_report.systems)}",
        read_part("report/report.html"),
        STYLES,
        SCRIPTS,
        page_data(error_report, documents),
    )


def page_data(error_report: ErrorReport, documents: Sequence[str] | None = None) -> dict[str, Any]:
    """Everything the page knows."""
    shown = choose_shown(error_report.systems, documents)
    first = error_report.systems[0]
    first.joint.tokens.prefetch("speaker", "ne")
    texts = DocumentTexts(first.details.texts, first.joint.key.names, shown)
    numbers = numbered([identities(errors) for errors in error_report.systems])
    systems = [
        SystemData(errors, shown, same, texts.unspaced)
        for errors, same in zip(error_report.systems, numbers, strict=True)
    ]
    return {
        "version": __version__,
        "signature": signature(error_report.options),
        "metric": first.metric,
        "types": list(TYPES),
        "kinds": list(first.joint.sources.shown),
        "relations": list(RELATIONS),
        "features": list(systems[0].features),
        "most": MOST_TOKENS,
        "chosen": bool(documents),
        "key": {"file": Path(error_report.key.path).name, **error_report.key.size._asdict()},
        "documents": [texts.document(n) for n in range(len(texts.names))],
        "systems": [
            {
                **system.to_dict(shares=True),
                "scores": _figures(scores),
                "losses": system.errors.corners[first.metric]._asdict(),
                "strata": strata_data(system.errors, scores, SAMPLES),
            }
            for system, scores in zip(systems, _scores(error_report), strict=True)
        ],
        **(_changes(error_report, texts.unspaced) if len(systems) > 1 else {}),
    }


def numbered(systems: Sequence[Sequence[Same]]) -> list[list[int]]:
    """A number for each error of each system: errors that are the same have the same."""
    number: dict[Same, int] = {}
    return [[number.setdefault(one, len(number)) for one in errors] for errors in systems]


def _scores(error_report: ErrorReport) -> list[Scores]:
    """The scores of each system in all metrics that the profile offers by default."""
    options = error_report.options
    wanted = make_options(None, options.profile, tagset=options.tagset, **options.policies)
    scorer = scorer_for(wanted)
    scores = []
    for errors, comparison in zip(error_report.systems, error_report.comparisons, strict=True):
        one = score_comparison(scorer, comparison, errors.name).scores
        assert one is not None  # what could not be compared has no errors either
        scores.append(one)
    return scores


def _changes(error_report: ErrorReport, unspaced: frozenset[int]) -> dict[str, Any]:
    """The transitions of outcomes from each system to the others, or why there are none."""
    options = replace(
        error_report.options, metrics=tuple(VARIANTS), variants=parse_variants("", tuple(VARIANTS))
    )
    comparisons = error_report.comparisons
    if options.missing == "skip":
        common = in_all(comparisons)
        comparisons = tuple(comparison.within(common) for comparison in comparisons)
    names = [errors.name for errors in error_report.systems]
    try:
        listing, _ = list_comparisons(dict(zip(names, comparisons, strict=True)), options)
    except DataError as error:
        first = error.incidents[0]
        return {"unchanged": ". ".join(text for text in (first.message, first.hint) if text)}
    return {"changes": changes_data(listing, unspaced)}


def _figures(scores: Scores) -> list[list[Any]]:
    """Title, recall, precision, F1 and the ends of its interval, for each metric."""
    (intervals,) = compare_scores({"": scores}, samples=SAMPLES).systems.values()
    rows = []
    for metric, score in scores.items():
        title = registry.get(metric).title or metric
        ends = intervals[metric].interval or (None, None)
        rows.append([title, score.recall, score.precision, score.f1, *ends])
    return rows
