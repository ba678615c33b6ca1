"""Why a scorer fails: the condition that holds of the documents of all failing probes."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from corefkit.audits.battery import Probe
from corefkit.audits.behaviours import repeats
from corefkit.audits.rule_counts import Listed, ProbeDocument
from corefkit.core.carriers import frozen


@frozen
class Failures:
    """The probes on which a scorer fails, the reason in words, and the last line of the error.

    `reason` is None where no condition explains them; `not_always`: other probes have it too.
    """

    reason: str | None
    probes: tuple[str, ...]
    error: str
    not_always: bool = False


def _mentions(side: Listed) -> set[object]:
    return {mention for entity in side for mention in entity}


def _lacks_links(side: Listed) -> bool:
    return all(len({*entity}) < 2 for entity in side)


CONDITIONS: tuple[tuple[str, Callable[[ProbeDocument], bool]], ...] = (
    (
        "a key mention that the response lacks",
        lambda document: not _mentions(document.key) <= _mentions(document.response),
    ),
    (
        "a mention that one side lacks",
        lambda document: _mentions(document.key) != _mentions(document.response),
    ),
    ("a singleton", lambda document: any(len(e) == 1 for side in document for e in side)),
    ("a repeated mention", lambda document: any(map(repeats, document))),
    ("a side without mentions", lambda document: not all(document)),
    ("a side without links", lambda document: any(map(_lacks_links, document))),
)
"""What documents may have that makes a scorer fail, in words; tried in this order."""


def explain_failures(asked: Sequence[Probe], errors: Mapping[str, str]) -> Failures | None:
    """The failures among the probes that were asked; `errors` has the error of each that failed."""
    failing = [probe for probe in asked if probe.id in errors]
    if not failing:
        return None
    names, last = tuple(probe.id for probe in failing), errors[failing[0].id]
    readings = [(words, {p.id for p in asked if has(p)}) for words, has in _readings()]
    for words, having in readings:
        if having == {*names}:
            return Failures(words, names, last)
    for words, having in readings:
        if {*names} <= having and len(having) < 2 * len(names):
            return Failures(f"{words}, not always", names, last, not_always=True)
    return Failures(None, names, last)


def _readings() -> Iterator[tuple[str, Callable[[Probe], bool]]]:
    """Each condition in two readings: some document has it, all documents have it."""
    for words, has in CONDITIONS:
        yield words, lambda probe, has=has: any(map(has, probe.documents))  # type: ignore[misc]
        yield (
            f"{words} in every document",
            lambda probe, has=has: all(map(has, probe.documents)),  # type: ignore[misc]
        )
