"""The output of older scorers, to the letter, for scripts that read it: `score -f conll|corefud`.

`conll` is the output of the Perl reference scorer and `corefud` that of corefud-scorer; `ua` and
`ua-1` are those of the Universal Anaphora scorer, used only by `corefkit-ua-scorer`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import add

from corefkit._version import __version__
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus, Span
from corefkit.core.counts import Counts, Number
from corefkit.core.options import Options
from corefkit.metrics import blanc
from corefkit.metrics.conll import CONLL
from corefkit.scorers.comparison import Comparison
from corefkit.scorers.conll801 import MOST_REPEATS, Repeat
from corefkit.scoring.report import Report

METRICS = {
    "conll": ("muc", "bcub", "ceafm", "ceafe", "blanc"),
    "corefud": ("muc", "bcub", "ceafe", "ceafm", "blanc", "lea", "mor", "zero"),
}
"""The formats, and the metrics that each scorer knows, in its order."""

REFUSAL = (
    "Found too many repeated mentions (> 10) in the response, so refusing to score. "
    "Please fix the output."
)

_RULE = "-" * 74


@frozen
class Block:
    """One document: the entities of both sides as lists of spans, repeated mentions included.

    `response` is None if the response lacks the document.
    """

    name: str
    key: Sequence[Sequence[Span]]
    response: Sequence[Sequence[Span]] | None


@frozen
class ScorerRun:
    """Everything that one run of the reference scorer prints.

    `counts` is None if it refuses before it counts. `repeats` are the repeated mentions of both
    sides. With `blocks` it prints each document; `single` means that one was requested by name.
    """

    counts: Counts | None
    repeats: Sequence[Repeat]
    blocks: Sequence[Block] = ()
    single: bool = False


def render_scorer_text(report: Report, form: str) -> str:
    """The output about the only system of the report: conll, corefud, ua or ua-1."""
    if form == "conll":
        return _conll_text(report)[0]
    lines = {"corefud": _corefud_lines, "ua": _ua_lines, "ua-1": _older_ua_lines}[form]
    return "".join(f"{line}\n" for line in lines(report)) if report.systems[0].scores else ""


def refused(report: Report) -> bool:
    """Whether the reference scorer stops because of too many repeated mentions."""
    return _conll_text(report)[1]


def _conll_text(report: Report) -> tuple[str, bool]:
    """The output of `scorer.pl all KEY RESPONSE none`, and whether it stops short."""
    metrics = [m for m in METRICS["conll"] if m in report.options.metrics]
    return scorer_text(make_run(report), metrics, headings=True)


def make_run(report: Report) -> ScorerRun:
    """The run for the only system of the report, with totals only."""
    system = report.systems[0]
    counts = system.scores.counts if system.scores else None
    in_key = report.key_repeats if counts or system.repeats else []
    return ScorerRun(counts, [*in_key, *system.repeats])


def scorer_text(run: ScorerRun, metrics: Sequence[str], *, headings: bool) -> tuple[str, bool]:
    """The output, and whether it stops short because of too many repeated mentions.

    Each metric counts the repeated mentions again, and the counts add up.
    """
    if run.counts is None and not run.repeats:
        return "", False
    lines, repeated = [f"version: 8.01 corefkit {__version__}"], 0
    for line in _lines(run, metrics, headings=headings):
        lines.append(line.line if isinstance(line, Repeat) else line)
        repeated += isinstance(line, Repeat) and line.side == "response"
        if repeated > MOST_REPEATS:
            break
    return "\n".join(lines) + "\n", repeated > MOST_REPEATS


def make_blocks(comparison: Comparison) -> list[Block]:
    """The documents of the key, each with its name as written in the file."""
    key, response = comparison.key_side, comparison.response_side
    key_entities, response_entities = key.scored.clusters(), response.scored.clusters()
    sent = set(response.corpus.names)
    return [
        Block(
            _written_name(key.corpus, number),
            key_entities[name],
            response_entities[name] if name in sent else None,
        )
        for number, name in enumerate(key.scored.names)
    ]


_HEADER = re.compile(rb"#\s*begin document (.*)")


def _written_name(corpus: Corpus, document: int) -> str:
    """The name of a document with the blanks around it, as the original prints it."""
    location = corpus.document_bytes(document)
    if location is not None:
        source, begin, _ = location
        line = source.data[begin : source.data.find(b"\n", begin) % (len(source.data) + 1)]
        if header := _HEADER.match(line.removesuffix(b"\r")):
            return header[1].decode("utf-8", "replace")
    return corpus.names[document]


def _lines(run: ScorerRun, metrics: Sequence[str], *, headings: bool) -> Iterator[str | Repeat]:
    """The lines of all metrics, with a Repeat in place of the line of a repeated mention.

    For each metric the documents come first, if they are printed, then the totals.
    """
    repeats: dict[int, list[Repeat]] = {}
    for repeat in sorted(run.repeats, key=lambda r: (r.document, r.side)):
        repeats.setdefault(repeat.document, []).append(repeat)
    for metric in metrics:
        if headings:
            yield from ("", f"METRIC {metric}:")
        for document, block in enumerate(run.blocks):
            # For blanc the original prints the name that was requested, which is often empty.
            heading = f"{block.name if run.single or metric != 'blanc' else ''}:"
            listed = [*_entities(block.name, block.key)]
            listed += (
                _entities(block.name, block.response) if block.response is not None else _MISSING
            )
            yield from [heading, *listed] if run.single else [*listed, heading]
            yield from repeats.get(document, ())
            yield from _document(run, metric, document, block)
        if not run.blocks:
            yield from (repeat for listed in repeats.values() for repeat in listed)
        if run.counts:
            yield from _totals(metric, run.counts)


def _document(run: ScorerRun, metric: str, document: int, block: Block) -> Iterable[str]:
    """The counts of one document."""
    assert run.counts is not None
    tables = run.counts.tables
    matched, key, _, response = (int(c[document]) for c in tables["mentions"])
    copies = sum(map(len, block.key)) - key
    yield f"Total key mentions: {key}"
    yield f"Total response mentions: {response}"
    yield f"Strictly correct identified mentions: {matched}"
    yield "Partially correct identified mentions: 0"
    yield f"No identified: {key - matched}"
    yield f"Invented: {copies + response - matched}"
    if metric != "blanc":
        yield from _scores("", [c[document].item() for c in tables[metric]])


_MISSING = ("====> :", "File :")
"""The entities of a document that the response lacks: the original prints them without a name."""


def _entities(name: str, entities: Sequence[Sequence[Span]]) -> Iterable[str]:
    yield from (f"====> {name}:", f"File {name}:")
    for number, entity in enumerate(entities):
        yield f"Entity {number}:" + "".join(f" ({start},{end})" for start, end in entity)


def _totals(metric: str, counts: Counts) -> Iterable[str]:
    yield from ("", "====== TOTALS =======")
    yield from _scores("Identification of Mentions: ", _sums(counts, "mentions"))
    sums = _sums(counts, metric)
    if metric != "blanc":
        yield from _scores("Coreference: ", sums)
        return
    kinds = blanc.kinds(sums)
    yield from ("", "Coreference:")
    yield from _scores("Coreference links: ", kinds["coreference"])
    yield from _scores("Non-coreference links: ", kinds["noncoreference"])
    means = _blanc_values(sums)
    yield from _scores("BLANC: ", (means[0], 1, means[1], 1), means)


def _sums(counts: Counts, metric: str) -> list[Number]:
    """The sums over documents, rounded like those of the original."""
    # Newer versions of `sum` compensate for rounding errors, which the original does not.
    return [reduce(add, column.tolist(), 0) for column in counts.tables[metric]]


def _values(sums: Sequence[Number]) -> tuple[float, float, float]:
    """Recall, precision and F1 by the operations of the original.

    Percentages are truncated, so that even the last bit matters.
    """
    recall = sums[0] / sums[1] if sums[1] else 0.0
    precision = sums[2] / sums[3] if sums[3] else 0.0
    return _with_f1(recall, precision)


def _with_f1(recall: float, precision: float) -> tuple[float, float, float]:
    """Recall, precision and F1, computed from the rounded quotients as both originals do."""
    f1 = 2 * recall * precision / (recall + precision) if recall + precision else 0.0
    return recall, precision, f1


def _blanc_values(sums: Sequence[Number], either: bool = False) -> tuple[float, float, float]:
    """Recall, precision and F1 of blanc: the means of the kinds of links that count."""
    kinds = blanc.kinds(sums)
    used = [_values(kinds[name]) for name in blanc.counting_kinds(sums, either)]
    recall, precision, f1 = (sum(v[i] for v in used) / max(len(used), 1) for i in range(3))
    return recall, precision, f1


def _scores(name: str, sums: Sequence[Number], values: Sequence[float] = ()) -> Iterable[str]:
    """A line of ratios and a rule; `values` are given if they are not the ratios of the sums."""
    recall, precision, f1 = values or _values(sums)
    yield (
        f"{name}Recall: ({sums[0]:.15g} / {sums[1]:.15g}) {_cut(recall)}%"
        f"\tPrecision: ({sums[2]:.15g} / {sums[3]:.15g}) {_cut(precision)}%\tF1: {_cut(f1)}%"
    )
    yield _RULE


def _cut(value: float) -> str:
    """A percentage, truncated to two decimals."""
    return f"{int(value * 10000) / 100:.15g}"


_MATCH = {"partial": "partial-corefud"}


def _corefud_lines(report: Report) -> Iterable[str]:
    """The output of `corefud-scorer KEY RESPONSE`."""
    chosen = [name for name in report.options.metrics if name in METRICS["corefud"]]
    match = _MATCH.get(report.options.match, report.options.match)
    yield (
        f"The scorer is evaluating {_scope(report, chosen)} using {match} match evaluation setting."
    )
    yield f"The following metrics will be evaluated: {', '.join(chosen)}"
    yield ""
    yield from _blocks(report, chosen)


def _blocks(report: Report, chosen: Sequence[str]) -> Iterator[str]:
    """Name and values of each metric, then the CoNLL score if its three metrics are chosen."""
    f1 = {}
    for name in chosen:
        if name in _OTHER_BLOCKS:
            yield from _other_block(report, name)
            continue
        values = _ratios(report, name)
        f1[name] = values[2]
        yield _UA_NAMES.get(name, name)
        yield _values_line(values)
    if all(part in chosen for part in CONLL.parts):
        conll = reduce(add, (f1[part] for part in CONLL.parts)) / len(CONLL.parts)
        yield f"CoNLL score: {100 * conll:.2f}"


def _ratios(report: Report, name: str) -> tuple[float, float, float]:
    """Recall, precision and F1, computed as these scorers do."""
    scores = report.systems[0].scores
    assert scores is not None
    if name == "blanc":
        return _blanc_values(scores.counts.total(name), report.options.blanc == "either")
    return _with_f1(scores[name].recall or 0.0, scores[name].precision or 0.0)


def _values_line(values: Sequence[float]) -> str:
    named = zip(("Recall", "Precision", "F1"), values, strict=True)
    return "  ".join(f"{name}: {100 * value:.2f}" for name, value in named)


def _scope(report: Report, chosen: list[str]) -> str:
    """What is evaluated, in the words of corefud-scorer; empty if only `mor` is."""
    if chosen == ["mor"]:
        return ""
    parts = ["coreferential mentions"]
    if report.options.singletons == "keep":
        parts.append("singletons")
    if report.options.zeros != "drop":
        parts.append(f"zeros (using {report.options.zeros} match method)")
    return ", ".join(parts)


_UA_NAMES = {"mentions": "mention", "nonreferring": "non-referring"}
"""The names of metrics in the Universal Anaphora scorer, if they differ from ours."""

_OTHER_BLOCKS = {
    "nonreferring": {"": "Non-referring markable identification scores:"},
    "bridging": {
        "anaphor": "Bridging anaphora recognition scores:",
        "mention": "Full bridging scores (Markable Level):",
        "entity": "Full bridging scores (Entity Level):",
    },
}
"""Metrics with their own block in that scorer: their levels, and the heading of each."""


def _other_block(report: Report, name: str) -> Iterator[str]:
    scores = report.systems[0].scores
    assert scores is not None
    yield "=" * 44
    for level, heading in _OTHER_BLOCKS[name].items():
        score = (scores[name].levels or {})[level] if level else scores[name]
        yield heading
        yield _values_line(_with_f1(score.recall or 0.0, score.precision or 0.0))


def _ua_lines(report: Report) -> Iterable[str]:
    """The output of version 2.0 of the Universal Anaphora scorer."""
    options, chosen = report.options, report.options.metrics
    method = {"partial": "default", "craft": "craft"}.get(options.match)
    setting = "exact match evaluation setting"
    if method:
        setting = f"partial match evaluation setting with {method} method"
    yield f"The scorer is evaluating {_ua_scope(options)} using {setting}."
    names = ", ".join(_UA_NAMES.get(name, name) for name in chosen)
    yield f"The following metrics will be evaluated: {names}"
    yield ""
    yield from _blocks(report, chosen)


def _ua_scope(options: Options) -> str:
    if options.layer == "deixis":
        return "discourse deixis"
    if options.split == "only":
        return "only split-antecedents"
    others = [text for name, text in _UA_OTHERS.items() if name in options.metrics]
    if all(name in _UA_OTHERS for name in options.metrics):
        return ", ".join(others)
    parts = ["coreferent markables"]
    parts += ["singletons"] if options.singletons == "keep" else []
    parts += ["split-antecedents"] if options.split == "keep" else []
    parts += [f"zeros (using {options.zeros} match method)"] if options.zeros != "drop" else []
    return ", ".join(parts + others)


_UA_OTHERS = {"nonreferring": "non-referring mentions", "bridging": "bridging relations"}


def _older_ua_lines(report: Report) -> Iterable[str]:
    """The output of version 1 of the Universal Anaphora scorer, with its blanks and spelling."""
    options = report.options
    if options.layer == "deixis":
        scope = "only discourse deixis"
    elif options.split == "only":
        scope = "only split-antecedents"
    else:
        parts = ["corferent markables"]
        parts += ["singletons"] if options.singletons == "keep" else []
        parts += ["split-antecedents"] if options.split == "keep" else []
        parts += [text for name, text in _UA_OTHERS.items() if name in options.metrics]
        scope = ", ".join(parts)
    minimum = " using the minimum span evaluation setting " if options.match == "min" else ""
    yield f"The scorer is evaluating  {scope} {minimum}"
    yield from _blocks(report, [name for name in options.metrics if name not in _OTHER_BLOCKS])
    for name in options.metrics:
        if name in _OTHER_BLOCKS:
            yield from _other_block(report, name)
