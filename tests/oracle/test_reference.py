"""The re-implemented reference scorer, pinned to hand-made cases.

What v8.01 printed is compared with corefkit itself, which is compared with this oracle.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from . import metrics, reference
from .reference import Pair, TooManyRepeats, count, output, run

# Small cases


def document(*cells: str, name: str = "d") -> str:
    lines = "".join(f"{name}\tword\t{cell}\n" for cell in cells)
    return f"#begin document {name}\n{lines}#end document\n"


def test_order_within_a_token() -> None:
    # One-token mentions come first, then openings: 1, 4, 2, 3. 2 is completed after (1,1).
    (read,) = reference.read(document("(2|(1)|(3(4)", "3)2)", "(3|(2)", "(2", "3)2)|(1)"))
    assert list(read.entities.items()) == [
        ("1", [(0, 0), (4, 4)]),
        ("4", [(0, 0)]),
        ("2", [(0, 1), (2, 2), (3, 4)]),
        ("3", [(0, 1), (2, 4)]),
    ]


def test_a_bracket_is_open_before_it_is_closed() -> None:
    (read,) = reference.read(document("(1", "1)|(1", "(1)|1)"))
    assert read.entities == {"1": [(1, 1), (2, 2), (0, 2)]}


@pytest.mark.parametrize("cell", ["(PER1)", "(12a", "a-3)", "-", "", "8", "()", "(1x)|(²)"])
def test_other_brackets_are_not_seen(cell: str) -> None:
    (read,) = reference.read(document(cell, "(1)"))
    assert read.entities == {"1": [(1, 1)]}


@pytest.mark.parametrize("cells", [("(1",), ("1)",), ("(1", "2)"), ("(1)|1)",)])
def test_brackets_that_do_not_pair(cells: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=r"open|closed"):
        reference.read(document(*cells))


def test_numbers() -> None:
    # a and then b are 0 and 1, the second b is 2, c is 3, the new d is 4.
    a, b, c, d = ((token, token) for token in range(4))
    assert reference.number([[a, b], [b, c]], [[d, c], [b, d], [c, b], [b], [a]]) == Pair(
        [[0, 2], [2, 3]],
        [[4, 3], [2, 4], [0]],
        ["Repeated mention in the key: 1, 1 12\n"],
        [
            "Repeated mention in the response: 2, 2 33\n",
            "Repeated mention in the response: 1, 1 22\n",
            "Repeated mention in the response: 1, 1 22\n",
        ],
    )


def test_a_key_repeats_a_span() -> None:
    """The line about the response is the one that users of version 9 have seen."""
    file = document("(0)|(1)", "-", "-", "(1)")
    lines = "Repeated mention in the key: 0, 0 01\nRepeated mention in the response: 0, 0 11\n"
    assert output("muc", file, file).startswith(lines + "\n====== TOTALS =======\n")


def plain(counts: reference.AllCounts) -> dict[str, list[list[float]]]:
    """Numerators and denominators of recall and of precision."""
    return {
        metric: [list(line["recall"]), list(line["precision"])]
        for metric, line in [
            ("mentions", counts["mentions"]),
            ("muc", counts["muc"]),
            ("bcub", counts["bcub"]),
            ("ceafm", counts["ceafm"]),
            ("ceafe", counts["ceafe"]),
            ("coreference", counts["blanc"]["coreference"]),
            ("noncoreference", counts["blanc"]["noncoreference"]),
        ]
    }


def test_a_twinless_span_in_two_response_entities() -> None:
    # K = ab; R = ax, bx.
    counts = count(document("(1", "1)", "(1)", "-"), document("(1", "1)", "(2)", "(1)|(2)"))
    assert plain(counts) == {
        "mentions": [[2, 2], [2, 3]],
        "muc": [[0, 1], [0, 2]],
        "bcub": [[1, 2], [1, 4]],  # a and b: 1/2 each
        "ceafm": [[1, 2], [1, 4]],
        "ceafe": [[0.5, 1], [0.5, 2]],
        "coreference": [[0, 1], [0, 2]],  # ab; ax bx
        "noncoreference": [[0, 0], [0, 4]],  # ab ax xb xx
    }


def test_a_span_in_two_key_entities() -> None:
    # K = ax, xb; R = axb; x belongs to xb.
    counts = count(document("(1)", "(1)|(2)", "(2)"), document("(1)", "(1)", "(1)"))
    assert plain(counts) == {
        "mentions": [[3, 3], [3, 3]],
        "muc": [[1, 2], [1, 2]],  # b follows x
        "bcub": [[3, 4], [2, 3]],  # a shares ax, x and b share xb: 2/2 and 2/3 each
        "ceafm": [[2, 4], [2, 3]],
        "ceafe": [[0.8, 2], [0.8, 1]],
        "coreference": [[2, 2], [2, 3]],  # ax xb; ax ab xb
        "noncoreference": [[0, 4], [0, 0]],  # ax ab xx xb
    }


def test_a_span_twice_in_an_entity() -> None:
    # K = aa b; R = a xx.
    counts = count(document("(1)|(1)", "(2)", "-"), document("(1)", "-", "(2)|(2)"))
    assert plain(counts) == {
        "mentions": [[1, 2], [1, 2]],
        "muc": [[0, 1], [0, 1]],
        "bcub": [[0.5, 3], [1, 3]],
        "ceafm": [[2, 3], [2, 3]],  # both copies of a are in the response
        "ceafe": [[1 - (1 - 4 / 3), 2], [1 - (1 - 4 / 3), 2]],
        "coreference": [[0, 1], [0, 1]],  # aa; xx
        "noncoreference": [[0, 1], [0, 1]],  # ab; ax
    }


def test_precision_beyond_one() -> None:
    """The example of the specification."""
    key, response = document("(1)|(1)", "(1)", "(2)", "(2)"), document("(1)", "(1)", "(2)", "(2)")
    counts = count(key, response)
    assert plain(counts)["ceafm"] == [[5, 5], [5, 4]]
    assert plain(counts)["ceafe"] == [[2.2, 2], [2.2, 2]]
    assert "Repeated mention in the key: 0, 0 01\n" in output("ceafm", key, response)


def test_ceaf_adds_what_munkres_left() -> None:
    """1 - (1 - 1/5) is 0.19999999999999996, and its percentage is cut."""
    key = document("(1)", "(1)", "(1)", "(1)", "(1)", "-", "-", "-", "-")
    response = document("(1)", "-", "-", "-", "-", "(1)", "(1)", "(1)", "(1)")
    assert count(key, response)["ceafe"]["printed"][0] == 19.99


def test_documents() -> None:
    """Those that the response lacks are empty, those that the key lacks are ignored."""
    key = document("(1)", "(1)", name="a") + document("(1)", "(1)", "(2)", name="b")
    response = document("(1)", name="x") + document("(7)", "(7)", "(7)", "(8)", name="b")
    counts = plain(count(key, response))
    assert counts["mentions"] == [[3, 5], [3, 4]]
    assert counts["muc"] == [[1, 2], [1, 2]]
    assert counts["bcub"] == [[3, 5], [pytest.approx(2 / 3 + 2 / 3 + 1 / 3), 4]]


@pytest.mark.parametrize(
    ("recall", "precision", "printed"),
    [(1.0, 0.6, (100, 60, 74.99)), (0.57, 0.57, (56.99, 56.99, 56.99)), (0, 0, (0, 0, 0))],
)
def test_percentages_are_cut(
    recall: float, precision: float, printed: tuple[float, float, float]
) -> None:
    f = reference.f1(recall, precision)
    assert reference.printed(recall, precision, f) == printed


def repeats(times: int, name: str) -> str:
    return document("(1)" + "(2)" * times, name=name)


def test_ten_repeats_are_scored_and_eleven_are_not() -> None:
    key = document("(1)", name="a") + document("(1)", name="b")
    line = "Repeated mention in the response: 0, 0 00\n"
    ten = repeats(4, "a") + repeats(6, "b")
    assert run("muc", key, ten) == reference.Run(output("muc", key, ten), "", 0)
    assert output("muc", key, ten).startswith(line * 10 + "\n====== TOTALS =======\n")
    assert count(key, ten)["mentions"]["printed"] == (100, 100, 100)
    eleven = repeats(4, "a") + repeats(8, "b")
    assert run("muc", key, eleven) == reference.Run(line * 11, reference.REFUSAL, 1)
    with pytest.raises(TooManyRepeats):
        count(key, eleven)


def test_all_metrics_count_the_same_repeats_again() -> None:
    key, four = document("(1)"), repeats(4, "d")
    result = run("all", key, four)
    assert (result.stderr, result.status) == (reference.REFUSAL, 1)
    assert result.stdout.count("TOTALS") == 2
    line = "Repeated mention in the response: 0, 0 00\n"
    assert result.stdout.endswith("\n\nMETRIC ceafm:\n" + line * 3)


labels = st.lists(st.integers(-1, 4), min_size=12, max_size=12)


def as_document(entities: list[int]) -> str:
    return document(*("-" if entity < 0 else f"({entity})" for entity in entities))


def as_sets(entities: list[int]) -> list[metrics.Entity]:
    return [
        frozenset(token for token, own in enumerate(entities) if own == entity)
        for entity in sorted(set(entities) - {-1})
    ]


@given(labels, labels)
def test_without_repeats_it_is_the_standard(key: list[int], response: list[int]) -> None:
    counts = plain(count(as_document(key), as_document(response)))
    standard = [(as_sets(key), as_sets(response))]
    blanc = metrics.count_blanc(standard)
    kinds = {"coreference": blanc["coreference"], "noncoreference": blanc["noncoreference"]}
    for metric, found in counts.items():
        wanted = kinds[metric] if metric in kinds else metrics.count_plain(metric, standard)
        recall, precision = wanted["recall"], wanted["precision"]
        for ours, fraction in zip(found, (recall, precision), strict=True):
            assert ours == pytest.approx([float(n) for n in fraction], rel=1e-14)
