"""corefkit report: the page that shows what went wrong, and what it cost."""

from collections.abc import Sequence
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Unpack

from corefkit import metrics as registry
from corefkit._version import __version__
from corefkit.analysis.types import TYPES
from corefkit.data.incidents import DataError
from corefkit.data.options import Options, Policies, UsageError
from corefkit.formats.files import write_atomically
from corefkit.mentions.kinds import KINDS
from corefkit.profiles import make_options
from corefkit.profiles.signature import signature
from corefkit.render.pages.assemble import assemble, read
from corefkit.render.pages.payload import MOST_TOKENS, SystemData, Texted, choose_shown
from corefkit.scoring.errors import ErrorReport, find_errors
from corefkit.scoring.run import Readable, score_systems
from corefkit.scoring.scores import Scores
from corefkit.stats.significance import compare

if TYPE_CHECKING:
    from corefkit.metrics.base import Metrics

STYLES = ("shared/base.css", "report/report.css")
SCRIPTS = (
    *(f"shared/{name}.js" for name in ("dom", "order")),
    *(
        f"report/{name}.js"
        for name in ("table", "state", "overview", "document", "entities", "errors", "main")
    ),
)
SAMPLES = 2000


def report(
    key: Readable,
    *responses: Readable,
    output: str | PathLike[str] | None = None,
    metrics: "Metrics" = "conll",
    documents: Sequence[str] | None = None,
    profile: str = "standard",
    **policies: Unpack[Policies],
) -> str:
    """The page of errors of one or more responses, as HTML; written to `output` if it is given.

    `metrics`: the first one's lost points are shared out. `documents` are the names of those
    whose texts are shown; otherwise all, or, in a large corpus, those that lose most. Raises
    DataError if the data cannot be scored.
    """
    if not responses:
        raise UsageError("report: give at least one response")
    chosen: dict[str, Any] = {**policies}
    options = make_options(metrics, profile, **chosen)
    page = render_report(find_errors(key, responses, options), key, responses, documents)
    if output is not None:
        write_atomically(fspath(output), page.encode("utf-8", "replace"))
    return page


def render_report(
    found: ErrorReport,
    key: Readable,
    responses: Sequence[Readable],
    documents: Sequence[str] | None = None,
) -> str:
    """The page of errors that were found."""
    if documents:
        unknown = [name for name in documents if name not in found.key.scored.names]
        if unknown:
            raise UsageError(f"documents: the key has no document {unknown[0]!r}")
    scores = _scores(key, responses, found.options)
    return assemble(
        f"Errors: {', '.join(s.name for s in found.systems)}",
        read("report/report.html"),
        STYLES,
        SCRIPTS,
        page_data(found, scores, documents),
    )


def _scores(key: Readable, responses: Sequence[Readable], options: Options) -> dict[str, Scores]:
    """The scores of all metrics that the profile offers by default."""
    policies = {name: getattr(options, name) for name in options.policies}
    wanted = make_options(None, options.profile, tagset=options.tagset, **policies)
    made = score_systems(key, responses, wanted)
    if len(made.scores) < len(responses):
        raise DataError(made.incidents)
    return made.scores


def page_data(
    found: ErrorReport, scores: dict[str, Scores], documents: Sequence[str] | None = None
) -> dict[str, Any]:
    """Everything the page knows."""
    shown = choose_shown(found.systems, documents)
    first = found.systems[0]
    first.joint.tokens.read_ahead(["speaker", "ne"])
    texted = Texted(first.details.texts, first.joint.key.names, shown)
    systems = [SystemData(errors, shown) for errors in found.systems]
    size = found.key.size
    return {
        "version": __version__,
        "signature": signature(found.options),
        "metric": first.metric,
        "types": list(TYPES),
        "kinds": list(KINDS),
        "features": systems[0].features,
        "most": MOST_TOKENS,
        "key": {
            "path": found.key.path,
            "documents": size.documents,
            "mentions": size.mentions,
            "entities": size.entities,
        },
        "documents": [texted.document(n) for n in range(len(texted.names))],
        "systems": [
            {**system.to_dict(shares=True), "scores": _figures(scores, system.errors.name)}
            for system in systems
        ],
        "incidents": [incident.to_dict() for incident in found.incidents],
    }


def _figures(scores: dict[str, Scores], name: str) -> list[list[Any]]:
    """Title, recall, precision, F1 and the ends of its interval, for each metric."""
    one = scores[name]
    intervals = compare({name: one}, samples=SAMPLES).systems[name]
    rows = []
    for metric, score in one.items():
        title = registry.get(metric).title or metric
        low, high = _interval(intervals[metric])
        rows.append([title, score.recall, score.precision, score.f1, low, high])
    return rows


def _interval(found: Any) -> tuple[float | None, float | None]:
    interval = found.interval
    return (None, None) if interval is None else (interval[0], interval[1])
