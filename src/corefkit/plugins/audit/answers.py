"""The figures in the answers of scorers: dicts, texts, and tables filled in by hand.

A figure remembers with how many digits it was written. Metrics are recognised by the names that
people use: `b_cubed`, `ceaf_phi4`, `muc_f1`, `{"bcub": {"recall": …}}`.
"""

import csv
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from corefkit.core.carriers import frozen
from corefkit.core.options import UsageError
from corefkit.core.texts import quote

METRIC_NAMES = {
    "mentions": ("mentions", "mention", "md"),
    "muc": ("muc",),
    "bcub": ("bcub", "bcubed", "b3", "b³"),
    "ceafm": ("ceafm", "ceafphi3", "mceaf", "mentionceaf", "ceafmention", "ceafmentions"),
    "ceafe": ("ceafe", "ceafphi4", "ceaf", "eceaf", "entityceaf", "ceafentity", "ceafentities"),
    "blanc": ("blanc",),
    "lea": ("lea",),
    "conll": ("conll", "conll2012", "avg", "average", "bakeoff"),
}
"""The names that people use for each metric, without `_ - / .` and blanks."""

_METRIC_OF = {name: metric for metric, names in METRIC_NAMES.items() for name in names}
_RATE_OF = {
    **dict.fromkeys(("r", "rec", "recall"), 0),
    **dict.fromkeys(("p", "prec", "precision"), 1),
    **dict.fromkeys(("f", "f1", "fscore", "fmeasure", "f1score"), 2),
}
RATES = ("recall", "precision", "f1")


def metric_named(name: str) -> str | None:
    """The metric that has this name, in any spelling; None where there is none."""
    return _METRIC_OF.get(re.sub(r"[\s_\-/.]", "", name.lower()))


class Figure(NamedTuple):
    """A number, and how many digits it was written with after the point.

    `digits` is None for a number, not a text, without a fraction, and where it is not finite.
    """

    value: float
    digits: int | None


GivenRates = tuple[Figure | None, Figure | None, Figure | None]
"""Recall, precision and F1, as far as they are given."""


@frozen
class ScorerAnswer:
    """The answer of a scorer to one probe.

    Attributes:
        figures: the figures of each metric.
        error: why the scorer gave none; None where it did not fail.
        partial: whether a missing metric means that it was not asked for, as in a table filled in
            by hand.
        timed_out: whether it failed because it took too long.
        in_order: whether numbers without names were read as recall, precision and F1 by their
            order.
    """

    figures: Mapping[str, GivenRates] = field(default_factory=dict)
    error: str | None = None
    partial: bool = False
    timed_out: bool = False
    in_order: bool = False


class ReadingError(Exception):
    """An output from which no figure can be read."""


def figure(number: object) -> Figure | None:
    """A number with the digits it was given with; None where it is not a number.

    >>> figure("66.70"), figure(0.5), figure(1.0)
    (Figure(value=66.7, digits=2), Figure(value=0.5, digits=1), Figure(value=1.0, digits=None))
    """
    if isinstance(number, bool) or not isinstance(number, int | float | str):
        return None
    text = number.strip().rstrip("%").strip() if isinstance(number, str) else repr(number)
    try:
        decimal = Decimal(text)
        value = float(text)
    except (InvalidOperation, ValueError):
        return None
    if not math.isfinite(value):
        return Figure(value, None)
    exponent = decimal.as_tuple().exponent
    digits = max(-exponent, 0) if isinstance(exponent, int) else 0
    if not isinstance(number, str) and decimal == decimal.to_integral_value():
        return Figure(value, None)
    return Figure(value, digits)


# Dicts and tuples


def find_figures(
    output: object, order: str = "rpf", only: Sequence[str] = ()
) -> dict[str, GivenRates]:
    """The figures of metrics anywhere in a value of dicts and lists.

    Three numbers without names are read in `order`, for example "rpf". Figures without the name of
    a metric belong to the metric in `only`, if there is just one. Raises UsageError where two
    numbers claim the same place.
    """
    found: dict[str, dict[int, Figure]] = {}
    names: dict[tuple[str, int], str] = {}
    for path, number in _leaves(output, (), order):
        metric, rate = _named(path, only)
        if metric is not None:
            name = "/".join(path)
            if earlier := names.get((metric, rate)):
                listed = f"{earlier}, {name}"
                raise UsageError(f"two candidates for the {RATES[rate]} of {metric}: {listed}")
            names[metric, rate] = name
            found.setdefault(metric, {})[rate] = number
    return {metric: triple_of(map(rates.get, range(3))) for metric, rates in found.items()}


def has_order(output: object) -> bool:
    """Whether a value contains three numbers that only their order identifies.

    >>> has_order({"muc": [0.5, 1, 0.7]}), has_order({"muc": {"recall": 0.5}})
    (True, False)
    """
    if isinstance(output, Mapping):
        return any(map(has_order, output.values()))
    return isinstance(output, list) and len(output) == 3 and all(map(figure, output))


def triple_of(figures: Iterable[Figure | None]) -> GivenRates:
    """Three figures as a triple."""
    recall, precision, f1 = figures
    return recall, precision, f1


def _leaves(
    output: object, path: tuple[str, ...], order: str
) -> Iterator[tuple[tuple[str, ...], Figure]]:
    """The numbers in a value, each with the path of names that leads to it."""
    if isinstance(output, Mapping):
        for name, value in output.items():
            yield from _leaves(value, (*path, str(name)), order)
    elif isinstance(output, list | tuple) and len(output) == 3 and all(map(figure, output)):
        for letter, value in zip(order, output, strict=True):
            yield from _leaves(value, (*path, letter), order)
    elif isinstance(output, list | tuple):
        for value in output:
            if isinstance(value, Mapping):
                yield from _leaves(value, path, order)
    elif isinstance(output, int | float | str) and (number := figure(output)):
        yield path, number


def _named(path: Iterable[str], only: Sequence[str]) -> tuple[str | None, int]:
    """The metric and the index in `RATES` that a path names; by default that of F1.

    >>> _named(["eval", "b_cubed-precision"], ()), _named(["ceaf_e", "f1"], ())
    (('bcub', 1), ('ceafe', 2))
    """
    words = [word for name in path for word in re.split(r"[\s_\-/.]+", name.lower()) if word]
    metric, rate, metric_words = None, 2, set[int]()
    for size in (3, 2, 1):
        for first in range(len(words) - size + 1):
            if metric is None and "".join(words[first : first + size]) in _METRIC_OF:
                metric = _METRIC_OF["".join(words[first : first + size])]
                metric_words = {*range(first, first + size)}
    others = [word for number, word in enumerate(words) if number not in metric_words]
    named = [_RATE_OF[word] for word in (*others, "".join(others[-2:])) if word in _RATE_OF]
    if metric is None and len(only) == 1 and (named or not words):
        metric = only[0]
    if named:
        rate = named[-1]
    elif metric and others and others[-1] not in ("score", "2012"):
        # `muc_support` or `muc/count` is not a score; a prefix such as `eval/` does not matter.
        last = max(metric_words, default=-1)
        if last < len(words) - 1:
            return None, 2
    return metric, rate


# Texts

OutputReader = Callable[[str, Sequence[str]], dict[str, GivenRates]]
"""Finds the figures in an output, given the metrics that were asked for."""

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?nan|[-+]?inf(?:inity)?"
_SCORER_LINE = re.compile(
    rf"^(?P<what>Identification of Mentions|Coreference|BLANC): *"
    rf"Recall: *\([^)]*\) *(?P<recall>{_NUMBER})%?\s+"
    rf"Precision: *\([^)]*\) *(?P<precision>{_NUMBER})%?\s+F1: *(?P<f1>{_NUMBER})%?",
    re.MULTILINE | re.IGNORECASE,
)
_COVAL = (
    rf"(?i)^\s*(?P<metric>[\w.]+)\s+Recall:\s*(?P<recall>{_NUMBER})\s+"
    rf"Precision:\s*(?P<precision>{_NUMBER})\s+F1:\s*(?P<f1>{_NUMBER})",
    rf"conll=(?i)CoNLL score:\s*(?P<f1>{_NUMBER})",
)
_TABLE = (
    rf"^(?P<metric>{'|'.join(METRIC_NAMES)})\s+(?:(?P<recall>{_NUMBER})\s+(?P<precision>{_NUMBER})\s+)?"
    rf"(?P<f1>{_NUMBER})\s*$"
)


def pattern_reader(*given: str) -> OutputReader:
    """A reader by patterns, each with its metric (`metric=PATTERN`) or with a group `metric`.

    Of several matches for a metric the last counts. Raises UsageError where a pattern is invalid
    or has no group `f1`.
    """
    patterns = [_pattern(text) for text in given]

    def read(text: str, only: Sequence[str]) -> dict[str, GivenRates]:
        figures: dict[str, GivenRates] = {}
        for metric, pattern in patterns:
            for match in pattern.finditer(text):
                name = metric or metric_named(match.groupdict().get("metric") or "")
                name = name or (only[0] if len(only) == 1 else None)
                if name:
                    figures[name] = _groups(match)
        return figures

    return read


def _pattern(text: str) -> tuple[str | None, "re.Pattern[str]"]:
    """The metric that a text `metric=PATTERN` names, or None, and the compiled pattern."""
    name, equals, expression = text.partition("=")
    metric = metric_named(name) if equals else None
    try:
        pattern = re.compile(expression if metric else text, re.MULTILINE)
    except re.error as error:
        raise UsageError(f"--read: {quote(text)} is not a pattern: {error}") from None
    if "f1" not in pattern.groupindex:
        known = ", ".join(PRESETS)
        raise UsageError(
            f"--read: {quote(text)} is not one of {known}, nor a pattern with a group named f1, "
            "e.g. '(?P<metric>\\w+): (?P<f1>[0-9.]+)'"
        )
    return metric, pattern


def _read_scorer_pl(text: str, only: Sequence[str]) -> dict[str, GivenRates]:
    """The text of scorer.pl: the totals of each `METRIC x:` block."""
    figures: dict[str, GivenRates] = {}
    pieces = re.split(r"^METRIC (\w+):\s*$", text, flags=re.MULTILINE)
    if len(pieces) == 1:
        pieces = ["", only[0] if len(only) == 1 else "", text]
    for name, block in zip(pieces[1::2], pieces[2::2], strict=True):
        for match in _SCORER_LINE.finditer(block.rpartition("TOTALS")[2]):
            kind = match["what"].lower()
            metric = "mentions" if kind.startswith("identification") else _METRIC_OF.get(name, "")
            if metric == "blanc" and kind == "coreference":
                continue
            if metric and (not only or metric in only):
                figures[metric] = _groups(match)
    return figures


def _read_json(text: str, only: Sequence[str]) -> dict[str, GivenRates]:
    """The figures of the last JSON value that begins a line; other lines may surround it."""
    decoder = json.JSONDecoder()
    begins = [match.start() for match in re.finditer(r"^[{\[]", text, re.MULTILINE)]
    for begin in reversed(begins):
        try:
            output, _ = decoder.raw_decode(text, begin)
        except (ValueError, RecursionError):
            continue
        if figures := find_figures(output, only=only):
            return figures
    return {}


def _read_corefkit(text: str, only: Sequence[str]) -> dict[str, GivenRates]:
    """The table that `corefkit score` prints, or its JSON."""
    if not text.lstrip().startswith("{"):
        return _read_table(text, ())
    try:
        scores = json.loads(text)["systems"][0]["scores"] or {}
    except (ValueError, LookupError, TypeError):
        return {}
    return {
        name: triple_of(figure(score.get(rate)) for rate in RATES)
        for name, score in scores.items()
        if name in METRIC_NAMES and isinstance(score, dict)
    }


_read_lines, _read_table = pattern_reader(*_COVAL), pattern_reader(_TABLE)

PRESETS: dict[str, OutputReader] = {
    "scorer.pl": _read_scorer_pl,
    "coval": lambda text, only: _read_lines(text, ()),
    "json": _read_json,
    "corefkit": _read_corefkit,
}


def text_reader(given: Sequence[str]) -> OutputReader:
    """The reader that `--read` names: a preset, a pattern, or `metric=PATTERN` for several."""
    if not given:
        return _read_as_any
    return PRESETS[given[0]] if len(given) == 1 and given[0] in PRESETS else pattern_reader(*given)


def _read_as_any(text: str, only: Sequence[str]) -> dict[str, GivenRates]:
    """The figures by the first preset that finds any.

    A table of corefkit counts only if it has a signature.
    """
    for name, read in PRESETS.items():
        applies = name != "corefkit" or "signature: " in text
        if applies and (figures := read(text, only)):
            return figures
    return {}


def _groups(match: "re.Match[str]") -> GivenRates:
    groups = match.groupdict()
    return triple_of(figure(groups.get(rate) or "") for rate in RATES)


# Tables that people filled in


def read_answers(data: bytes, path: str, probes: Iterable[str]) -> dict[str, ScorerAnswer]:
    """The answers in a file: JSON, or a table of probe, metric, recall, precision and f1.

    A missing cell means that nothing was asked; it is never 0. Raises ReadingError, with the place,
    where something is wrong.
    """
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    rows = _json_rows(text, path) if text.lstrip().startswith("{") else _table_rows(text, path)
    known = {*probes}
    answers: dict[str, dict[str, GivenRates]] = {}
    for where, probe, metric, cells in rows:
        if probe not in known:
            raise ReadingError(f"{where}: there is no probe {quote(probe)}")
        name = metric_named(metric)
        if name is None:
            raise ReadingError(f"{where}: there is no metric {quote(metric)}")
        figures = answers.setdefault(probe, {})
        if name in figures:
            raise ReadingError(f"{where}: {probe} has {name} twice")
        triple = triple_of(_cell(cell, where) for cell in cells)
        if any(triple):
            figures[name] = triple
    _check_scales(answers, path)
    return {probe: ScorerAnswer(figures, partial=True) for probe, figures in answers.items()}


_DECIMALS = "; write decimals with a point, not a comma"

_AnswerRow = tuple[str, str, str, list[object]]


def _json_rows(text: str, path: str) -> Iterator[_AnswerRow]:
    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [name for name, _ in items]
        for name in names:
            if names.count(name) > 1:
                raise ReadingError(f"{path}: {quote(name)} occurs twice")
        return dict(items)

    try:
        content = json.loads(text, object_pairs_hook=pairs)
    except (ValueError, RecursionError) as error:
        raise ReadingError(f"{path}: not JSON: {error}") from None
    for probe, metrics in content.items():
        if not isinstance(metrics, dict):
            raise ReadingError(f"{path}: {quote(probe)} has no dict of metrics")
        for metric, cells in metrics.items():
            if not isinstance(cells, dict) or (unknown := [n for n in cells if n not in RATES]):
                odd = f"not {quote(str(unknown[0]))}" if isinstance(cells, dict) else "as a dict"
                raise ReadingError(f"{path}: {probe}, {metric}: recall, precision and f1, {odd}")
            yield f"{path}: {probe}", probe, metric, [cells.get(rate) for rate in RATES]


def _table_rows(text: str, path: str) -> Iterator[_AnswerRow]:
    lines = text.splitlines()
    head = lines[0] if lines else ""
    delimiter = "\t" if "\t" in head else ";" if ";" in head else ","
    reader = csv.reader(lines, delimiter=delimiter)
    columns = [name.strip().lower() for name in next(reader, [])]
    if lacking := [name for name in ("probe", "metric", "f1") if name not in columns]:
        raise ReadingError(
            f"{path}:1: no column {lacking[0]!r}; a table has probe, metric, recall, precision, f1"
        )
    for number, cells in enumerate(reader, 2):
        if len(cells) > len(columns):
            raise ReadingError(f"{path}:{number}: more cells than columns{_DECIMALS}")
        row = dict(zip(columns, (cell.strip() for cell in cells), strict=False))
        if row.get("probe"):
            listed: list[object] = [row.get(rate) or None for rate in RATES]
            yield f"{path}:{number}", row["probe"], row.get("metric", ""), listed


def _cell(cell: object, where: str) -> Figure | None:
    given = figure(cell)
    if given is None and cell not in (None, ""):
        hint = _DECIMALS if isinstance(cell, str) and "," in cell else ""
        raise ReadingError(f"{where}: {quote(str(cell))} is not a number{hint}")
    return given


def _check_scales(answers: Mapping[str, Mapping[str, GivenRates]], path: str) -> None:
    """Raise ReadingError where percentages and fractions of one metric are mixed.

    On the probes of the battery no metric lies between 0 and 1 percent.
    """
    for metric in METRIC_NAMES:
        values = [
            (probe, figure.value)
            for probe, figures in answers.items()
            for figure in figures.get(metric, ())
            if figure is not None
        ]
        small = [probe for probe, value in values if 0 < value <= 1]
        if small and any(20 < value <= 100 for _, value in values):
            mixed = f"percentages and fractions are mixed, see {small[0]}"
            raise ReadingError(f"{path}: {metric}: {mixed}")
