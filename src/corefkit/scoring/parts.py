"""Part: a named part of the figures of a system: a group of documents, a stratum, a window, …

A division such as `genre` or `entity:size` has one part per label. Divisions can be nested: the
genre nw in windows of 500 tokens is the part `(("window", "500"), ("genre", "nw"))`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from corefkit.core.carriers import frozen
from corefkit.core.counts import Size, add
from corefkit.core.names import is_of_documents
from corefkit.metrics import BREAKDOWNS
from corefkit.metrics.base import Score

if TYPE_CHECKING:
    from corefkit.scoring.scores import Scores

WINDOW, ACROSS, REACH, RUN = "window", "across", "reach", "run"
"""Divisions that are neither groups of documents nor strata."""

WHOLE = "all"
"""The name of the part that is everything."""


Figures_co = TypeVar("Figures_co", bound=Mapping[str, Any], covariant=True)


class PartSize(NamedTuple):
    """How much of a side is in a part; None for what is not counted there."""

    entities: int | None = None
    mentions: int | None = None
    links: int | None = None
    documents: int | None = None

    @classmethod
    def of(cls, size: Size) -> "PartSize":
        """The size of a side."""
        return cls(size.entities, size.mentions, documents=size.documents)

    @classmethod
    def together(cls, sizes: Iterable["PartSize"]) -> "PartSize":
        """The sum of sizes; nothing is known of it that is unknown of one of them."""
        columns = zip(*sizes, strict=True)
        return cls(*(None if None in column else sum(column) for column in columns))

    def to_dict(self) -> dict[str, int]:
        """The size as it appears in the JSON output."""
        return {name: number for name, number in self._asdict().items() if number is not None}


@frozen(eq=False)
class Part(Mapping[str, Any], Generic[Figures_co]):
    """Figures in a part of a comparison: a mapping from the name of a metric to its figure.

    Attributes:
        at: where: division and label, from the outside in; () is the whole.
        scores: metric → its score, mean or difference; None where there is nothing to divide by.
        key, response: how much of the two sides is in it, where that is counted.
        windows: how many windows there are, including those without a mention.
        documents: in how many documents it is, where systems are compared.
        smallest_p: the smallest p-value that a test over so many documents can give.
        sum: whether it is the sum of all parts of its division; its label is then WHOLE, as that of
            a part may be, too.
    """

    at: tuple[tuple[str, str], ...]
    scores: Figures_co
    key: PartSize = PartSize()
    response: PartSize = PartSize()
    windows: int | None = None
    documents: int | None = None
    smallest_p: float | None = None
    sum: bool = False

    def __getitem__(self, metric: str) -> Any:
        return self.scores[metric]

    def __iter__(self) -> Iterator[str]:
        return iter(self.scores)

    def __len__(self) -> int:
        return len(self.scores)

    def __repr__(self) -> str:
        return f"Part({self.label}: {self.scores!r})"

    @property
    def by(self) -> str:
        """The division, the innermost of several; empty for the whole."""
        return self.at[-1][0] if self.at else ""

    @property
    def label(self) -> str:
        """The label in this division."""
        return self.at[-1][1] if self.at else WHOLE

    @property
    def name(self) -> str:
        """The part in one word, without its run: `all`, `nw`, `entity:size:2`, `window:500:nw`."""
        names = (
            label if is_of_documents(by) else f"{by}:{label}" for by, label in self.at if by != RUN
        )
        return ":".join(names) or WHOLE

    def inside(self, *at: tuple[str, str]) -> "Part[Figures_co]":
        """The same part, in a part of something larger."""
        return replace(self, at=(*at, *self.at))

    def rows(self) -> Iterator[dict[str, Any]]:
        """One flat dict per metric, and per class, part and kind of links of a metric.

        Classes are left out where the part is itself one of a feature of mentions.
        """
        from corefkit.scoring.scores import Scores, score_rows

        classes = self.by not in BREAKDOWNS
        micro = not isinstance(self.scores, Scores) or self.scores.options.average == "micro"
        for name, figure in self.scores.items():
            if isinstance(figure, Score):
                rows = score_rows(name, figure, classes, micro)
            else:
                rows = iter([figure_row(name, figure)])
            yield from (self.sizes() | row for row in rows)

    def sizes(self) -> dict[str, int]:
        """`windows`, `documents`, `key_entities`, …, as far as they are known."""
        sides = {"key": self.key, "response": self.response}
        whole = {"windows": self.windows, "documents": self.documents}
        return {name: number for name, number in whole.items() if number is not None} | {
            f"{side}_{unit}": number
            for side, size in sides.items()
            for unit, number in size.to_dict().items()
        }

    def to_dict(self) -> dict[str, Any]:
        """The part as it appears in the JSON output; the whole has no name."""
        known = {name: getattr(self, name) for name in ("windows", "documents", "smallest_p")}
        sides = {"key": self.key.to_dict(), "response": self.response.to_dict()}
        return {
            **({"part": dict(self.at)} if self.at else {}),
            **{name: value for name, value in known.items() if value is not None},
            **{name: size for name, size in sides.items() if size},
            "scores": {name: score and score.to_dict() for name, score in self.scores.items()},
        }


def figure_row(name: str, figure: Any) -> dict[str, Any]:
    """The row of a metric with an interval, a mean or a difference; None has no values."""
    values = figure.to_dict() if figure else {}
    low, high = values.pop("interval", None) or (None, None)
    return {"metric": name, **values, "low": low, "high": high}


def rows_of(parts: Iterable[Part[Any]], **of: Any) -> Iterator[dict[str, Any]]:
    """The rows of parts; `of` says whose they are, `system` for example."""
    for part in parts:
        fields = {**of, "part": part.name, "by": part.by, "label": part.label}
        fields |= {"sum": True} if part.sum else {}
        yield from (fields | row for row in part.rows())


def sums_of(parts: Iterable[Part["Scores"]]) -> "Iterator[Part[Scores]]":
    """The sum of all parts of a division, if there are any."""
    listed = list(parts)
    if listed:
        counts = add(part.scores.counts for part in listed)
        key, response = (
            PartSize.together([getattr(part, side) for part in listed])
            for side in ("key", "response")
        )
        scores = replace(listed[0].scores, counts=counts)
        yield Part(((listed[0].by, WHOLE),), scores, key, response, sum=True)


def under(parts: Iterable[Part[Any]], window: str = "") -> Iterator[Part[Any]]:
    """The parts of a window as if it were the whole; without a name, those of whole documents."""
    for part in parts:
        if part.at[:1] == ((WINDOW, window),):
            yield replace(part, at=part.at[1:])
        elif not window and (not part.at or part.at[0][0] != WINDOW):
            yield part


def body(parts: Sequence[Part[Any]]) -> dict[str, Any]:
    """The whole, and its parts, as they appear in the JSON output."""
    (whole,) = (part for part in parts if not part.at)
    return {**whole.to_dict(), "parts": [part.to_dict() for part in parts if part.at]}


def parts_of_scores(
    scores: "Scores", by: str | None = None, *, sums: bool = False
) -> Iterator[Part[Any]]:
    """The windows of scores, the whole, the levels, and links by their reach.

    Each window and the whole are followed by their parts: groups of documents if `by` groups them,
    and strata if the scores are split, with their `sums` if these are wanted.
    """
    for window in scores.windows or (Part((), scores),):
        yield window
        for part in _divided(window.scores, by, sums=sums):
            yield part.inside(*window.at)
    yield from scores.levels
    yield from scores.reaches


def parts_of_classes(scores: "Scores") -> Iterator[Part[Any]]:
    """The classes that application scores have, each with those that count it."""
    by_label: dict[str, dict[str, Score]] = {}
    for metric in scores.options.applications:
        score = scores[metric]
        for label, figure in (score.classes or {}).items():
            by_label.setdefault(label, {})[metric] = figure
        if score.detection and score.mentions:
            from corefkit.metrics.anchor import score_of_anchors

            both = [score.detection.classes or {}, score.mentions.classes or {}]
            for label in dict.fromkeys((*both[0], *both[1])):
                figure = score_of_anchors(*(classes.get(label) for classes in both))
                by_label.setdefault(label, {})[metric] = figure
    for label, figures in by_label.items():
        yield Part((("class", label),), figures)


def _divided(scores: "Scores", by: str | None, *, sums: bool) -> Iterator[Part[Any]]:
    """The groups and the strata of scores that are of one window, or whole.

    A feature of mentions is both where application scores are broken down by it: one part then has
    the scores of both.
    """
    groups = scores.groups(by) if by else {}
    broken_down = groups if by in BREAKDOWNS else {}
    strata: list[Part[Any]] = []
    for division in scores.options.by:
        split = scores.split(division)
        for label, stratum in split.items():
            also: Mapping[str, Any] = broken_down.pop(label, {}) if stratum.by == by else {}
            more = {*also} - {*stratum}
            figures: Mapping[str, Any] = {**also, **stratum} if more else stratum.scores
            strata.append(Part(stratum.at, figures, stratum.key, stratum.response))
        if sums:
            strata += sums_of(split.values())
    yield from groups.values()
    yield from strata
