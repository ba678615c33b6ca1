"""Every check of a mention, a link and a text, whatever the format."""

from typing import Any

import pytest

from corefkit.core.incidents import Collector
from corefkit.formats.kit.draft import Draft, corpus_of

TEXT = "Ada 😀 saw her"


def told(collector: Collector) -> list[tuple[str, int | None, str | None, str | None]]:
    return [(i.id, i.line, i.found, i.expected) for i in collector]


@pytest.mark.parametrize(
    ("how", "runs", "found"),
    [
        ({}, [(0, 14)], ("span-outside", "0 to 14, m", "spans within 13 characters")),
        ({}, [(-1, 3)], ("span-outside", "-1 to 3, m", "spans within 13 characters")),
        ({}, [(3, 3)], ("span-empty", "3 to 3, m", "begin < end")),
        ({}, [(4, 3)], ("span-empty", "4 to 3, m", "begin < end")),
        ({}, [(0, 3), (9, 9)], ("span-empty", "0 to 3, 9 to 9, m", "begin < end")),
        (
            {"inclusive": True},
            [(0, 13)],
            ("span-outside", "0 to 13, m", "spans within 13 characters"),
        ),
        (
            {"inclusive": True},
            [(4, 3)],
            ("span-empty", "4 to 3, m", "begin ≤ end: both belong to the span"),
        ),
        (
            {"utf16": True},
            [(4, 5)],
            (
                "span-outside",
                "4 to 5, m; 5 is inside a character of two units",
                "spans within 14 UTF-16 units",
            ),
        ),
    ],
)
def test_places(how: dict[str, Any], runs: list[tuple[int, int]], found: tuple[str, ...]) -> None:
    collector = Collector("x")
    draft = Draft("x", collector, text=TEXT, **how)
    assert not draft.mention("m", runs, 7)
    kind, *rest = found
    assert told(collector) == [(kind, 7, *rest)]


def test_units() -> None:
    """The same words by characters, by UTF-16 units and by ends that are included."""
    for how, end in (({}, 13), ({"utf16": True}, 14), ({"inclusive": True}, 12)):
        draft = Draft("x", Collector("x"), text=TEXT, **how)  # type: ignore[arg-type]
        assert draft.mention(None, [(end - 3 + draft.inclusive, end)], 1, text="her")
        corpus = corpus_of("none", b"", [draft], Collector("x"))
        assert (corpus.start.tolist(), corpus.end.tolist()) == ([10], [12])


def test_parts_that_touch_are_joined() -> None:
    draft = Draft("x", Collector("x"), words=["a", "b", "c", "d", "e"], lengths=[5])
    draft.mention(1, [(3, 4), (0, 1), (1, 2)], 1)
    corpus = corpus_of("none", b"", [draft], Collector("x"))
    assert corpus.nodes is not None
    assert corpus.nodes.at(0) == [(0, 0), (1, 0), (3, 0)]


def test_links() -> None:
    """A refused mention still links others; an id that there is not is reported."""
    collector = Collector("x")
    draft = Draft("x", collector, words=["a"] * 9, lengths=[9])
    for id, run in (("a", (0, 1)), ("b", (8, 10)), ("c", (2, 3)), ("d", (4, 5)), ("a", (5, 6))):
        draft.mention(id, [run], 3)
    draft.link(["a", "b"], 4)
    draft.link(["b", "c", "z"], 5)
    draft.bridge(["d", "b"], 6)
    draft.bridge(["d", "a"], 6, "part")
    corpus = corpus_of("none", b"", [draft], collector)
    assert corpus.entity.tolist() == [0, 0, 1]
    assert [(i.id, i.line) for i in collector] == [
        ("span-outside", 3),
        ("id-twice", 3),
        ("mention-unknown", 5),
    ]
    assert corpus.links is not None
    assert (corpus.links.source.tolist(), corpus.links.target.tolist()) == ([2], [0])
    assert corpus.links.label == ("part",)


@pytest.mark.parametrize(("differing", "severity"), [(1, "warning"), (2, "error")])
def test_texts(differing: int, severity: str) -> None:
    """One text in ten may differ; with more, the file belongs to another text."""
    collector = Collector("x")
    draft = Draft("x", collector, text="a " * 10)
    for n in range(10):
        draft.mention(n, [(2 * n, 2 * n + 1)], n, text="b" if n < differing else "a")
    corpus_of("none", b"", [draft], collector)
    assert [(i.id, i.severity) for i in collector] == [
        ("mention-text-differs", severity)
    ] * differing


def test_what_is_not_read_is_counted() -> None:
    drafts = [Draft(name, Collector("x"), text="a") for name in "xy"]
    for number, draft in enumerate(drafts):
        draft.unread["Color"] += number
        draft.unread["Key"] += 2
    (source,) = corpus_of("none", b"", drafts, Collector("x")).sources
    assert source.unread == {"Color": 1, "Key": 4}


def test_what_is_said_of_dropped_mentions_goes_with_them() -> None:
    """Links, bridging links, names and members of entities."""
    draft = Draft("x", Collector("x"), text=TEXT)
    for id, begin in (("a", 0), ("b", 6), ("c", 10)):
        assert draft.mention(id, [(begin, begin + 3)], 1, entity=f"entity {id}")
    draft.link(["a", "c"], 1)
    draft.bridge(["a", "b"], 1, "part")
    draft.bridge(["a", "c"], 1, "part")
    draft.call("c", "her", 1)
    draft.group("both", "entity b")
    draft.group("both", "entity c")
    draft.keep({"a": "entity a", "b": "entity b"})
    document = draft.document()
    assert len(document.mentions) == 2
    assert document.bridging == [(0, 1)]
    assert document.groups == [("both", "entity b")]
    assert not draft.linked


def test_places_and_ids_without_mentions() -> None:
    """As link lists and queries ask: a place alone, ids in a file beside, words of the format."""
    collector = Collector("x")
    draft = Draft("d", collector, unit="token", inclusive=True)
    assert draft.placed([(2, 3)], 1) == [(2, 3)]
    assert draft.placed([(3, 2)], 2) is None
    draft.declare("q1", 3)
    draft.file, draft.variants = "beside", {"mention-unknown": "query"}
    assert draft.known(["q1", "q2"], 4) == ["q1"]
    empty, unknown = collector
    assert (empty.id, empty.file, empty.line, empty.found) == ("span-empty", "x", 2, "3 to 2")
    assert (unknown.id, unknown.file, unknown.line) == ("mention-unknown", "beside", 4)
    assert unknown.message == "an answer refers to a query that does not exist"
    assert len(draft.document().mentions) == 0
