"""What the reader of CorefUD files is made of: counts, numbers, and the order of attributes."""

import random

import pytest

from corefkit.formats.conllu.reader import parse

TOP = "# newdoc id = d\n# global.Entity = {}\n# sent_id = 1\n"
ROW = "{}\tw\t_\tX\t_\t_\t0\t_\t_\t{}\n"


@pytest.mark.parametrize(
    ("declared", "bracket"),
    [
        ("eid-etype-head-other", "(e1-person-2-x:y"),
        ("etype-eid-head", "(person-e1-2"),
        ("head-eid-etype", "(2-e1-person"),
        ("eid-head-etype", "(e1-2-person"),
    ],
)
def test_any_order_of_attributes(declared: str, bracket: str) -> None:
    """The head is the second node and the type a known one, wherever they are declared."""
    rows = ROW.format(1, f"Entity={bracket}") + ROW.format(2, "Entity=e1)") + "\n"
    corpus = parse((TOP.format(declared) + rows).encode(), "f")
    assert corpus.labels == ("e1",)
    assert corpus.head is not None
    assert corpus.head.tolist() == [1]
    assert {incident.id for incident in corpus.incidents} <= {"declaration-order"}


def test_unknown_type_declared_first() -> None:
    rows = ROW.format(1, "Entity=(PER-e1-1)") + "\n"
    corpus = parse((TOP.format("etype-eid-head") + rows).encode(), "f")
    assert [i.id for i in corpus.incidents] == ["declaration-order", "etype-unknown"]


@pytest.mark.parametrize("seed", range(40))
def test_one_incident_for_each_entity_of_two_types(seed: int) -> None:
    """At the first bracket, as the text runs, whose type is another than that of the first bracket
    of the entity that has one. An outer mention is complete after those in it, yet opens first."""
    rng = random.Random(seed)
    first: dict[str, str] = {}
    expected: dict[str, int] = {}
    rows, open_now = "", list[str]()
    for number in range(1, 9):
        cell = ""
        for _ in range(rng.randrange(3)):
            entity, etype = rng.choice(["e1", "e2", "e3"]), rng.choice(["", "person", "place"])
            closed = rng.random() < 0.6
            cell += f"({entity}-{etype}-1{')' * closed}"
            if not closed:
                open_now.append(entity)
            if etype and first.setdefault(entity, etype) != etype:
                expected.setdefault(entity, number + 3)
        while open_now and (number == 8 or rng.random() < 0.4):
            cell += f"{open_now.pop()})"
        rows += ROW.format(number, f"Entity={cell}" if cell else "_")
    corpus = parse((TOP.format("eid-etype-head") + rows + "\n").encode(), "f")
    told = [i for i in corpus.incidents if i.id == "etype-differs"]
    assert sorted((i.line, i.message) for i in told) == sorted(
        (line, f"entity {entity} has mentions of two types") for entity, line in expected.items()
    )
