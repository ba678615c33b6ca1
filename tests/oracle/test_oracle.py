"""The oracle itself, pinned to figures worked out by hand."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from . import conll, metrics
from .conll import ConllDocument, Span, first_copies, read
from .metrics import METRICS, Document, Entity, Ratio, count, score


def side(text: str) -> list[Entity]:
    """Entities from words: each word is an entity, each letter a mention."""
    return [frozenset(word) for word in text.split()]


def doc(key: str, response: str) -> Document:
    """A document written as two lines of words."""
    return side(key), side(response)


def fractions(*texts: str) -> tuple[Fraction, ...]:
    """Exact numbers from their text."""
    return tuple(Fraction(text) for text in texts)


def ratio(numerator: str | int, denominator: int) -> Ratio:
    """A numerator and a denominator."""
    return Fraction(numerator), Fraction(denominator)


# The example of Pradhan et al. 2014

EXAMPLE = doc("abc defg", "ab cd fghi")


@pytest.mark.parametrize(
    ("metric", "recall", "precision", "f"),
    [
        # common: a b c d f g
        ("mentions", ratio(6, 7), ratio(6, 8), "4/5"),
        # abc falls into ab, c; defg into d, e, fg: 1 of 2 + 1 of 3.
        # ab stays whole; cd falls into c, d; fghi into fg, h, i: 1 of 1 + 0 of 1 + 1 of 3.
        ("muc", ratio(2, 5), ratio(2, 5), "2/5"),
        # a 2/3, b 2/3, c 1/3, d 1/4, e 0, f 2/4, g 2/4: 35/12, and 35/12 / 7 = 35/84.
        # a 1, b 1, c 1/2, d 1/2, f 1/2, g 1/2, h 0, i 0: 4.
        ("bcub", ratio("35/12", 7), ratio(4, 8), "5/11"),
        # abc with ab: 2, defg with fghi: 2.
        ("ceafm", ratio(4, 7), ratio(4, 8), "8/15"),
        # abc with ab: 4/5, defg with fghi: 4/8.
        ("ceafe", ratio("13/10", 2), ratio("13/10", 3), "13/25"),
        # Links of abc: ab ac bc, found ab, so 3 * 1/3 = 1. Links of defg: de df dg ef eg fg,
        # found fg, so 4 * 1/6 = 2/3. Recall 5/3 of 7 = 5/21.
        # Link of ab: found, so 2 * 1/1 = 2. Link of cd: not found. Links of fghi: fg fh fi gh
        # gi hi, found fg, so 4 * 1/6 = 2/3. Precision 8/3 of 8 = 1/3.
        # F = 2 * 5/21 * 7/21 / (12/21) = 70/252 = 5/18.
        ("lea", ratio("5/3", 7), ratio("8/3", 8), "5/18"),
    ],
)
def test_example(metric: str, recall: Ratio, precision: Ratio, f: str) -> None:
    assert count(metric, [EXAMPLE]) == {"recall": recall, "precision": precision}
    expected = (recall[0] / recall[1], precision[0] / precision[1], Fraction(f))
    assert score(metric, [EXAMPLE]) == expected


def test_example_blanc() -> None:
    # Coreference links of the key: 3 + 6, of the response: 1 + 1 + 6, of both: ab, fg.
    # Other links of the key: 3 * 4, of the response: 2*2 + 2*4 + 2*4, of both: those of a and b
    # with d, f, g and those of c with f, g.
    assert count("blanc", [EXAMPLE]) == {
        "coreference": {"recall": ratio(2, 9), "precision": ratio(2, 8)},
        "noncoreference": {"recall": ratio(8, 12), "precision": ratio(8, 20)},
    }
    # F_c = 4/17, F_n = 1/2.
    assert score("blanc", [EXAMPLE]) == fractions("4/9", "13/40", "25/68")


def test_example_conll() -> None:
    assert metrics.conll([EXAMPLE]) == (Fraction(2, 5) + Fraction(5, 11) + Fraction(13, 25)) / 3


def test_counts_add_before_they_are_divided() -> None:
    # muc recall 2/5 and 1/1: 3/6, not the mean 7/10.
    documents = [EXAMPLE, doc("ab", "ab")]
    assert score("muc", documents) == fractions("1/2", "1/2", "1/2")


# Small cases


@pytest.mark.parametrize(
    ("metric", "key", "response", "expected"),
    [
        # Singletons have no link for muc, one for lea.
        ("muc", "a b", "a b", ("0", "0", "0")),
        ("lea", "a b", "a b", ("1", "1", "1")),
        # lea: a is no singleton in the response, which lacks the link of a with itself.
        ("lea", "a", "ab", ("0", "0", "0")),
        # lea: only one of two singletons is found; ab is not.
        ("lea", "a b", "a bc", ("1/2", "1/3", "2/5")),
        # ceafm: one of two shares of the same entity counts.
        ("ceafm", "abcd", "ab cd", ("1/2", "1/2", "1/2")),
        # ceafe: abcd with ab 4/6, of one key entity and two response entities.
        ("ceafe", "abcd", "ab cd", ("2/3", "1/3", "4/9")),
        # The largest overlap (abc: 3) leaves nothing to align: de and fg, 2 + 2, are better.
        ("ceafm", "abcde fg", "abcfg de", ("4/7", "4/7", "4/7")),
        # Nothing on one side or on both.
        *((metric, "ab", "", ("0", "0", "0")) for metric in METRICS),
        *((metric, "", "ab", ("0", "0", "0")) for metric in METRICS),
        *((metric, "", "", ("0", "0", "0")) for metric in METRICS),
        # A perfect response.
        *((metric, "ab c", "ab c", ("1", "1", "1")) for metric in METRICS),
    ],
)
def test_small(metric: str, key: str, response: str, expected: tuple[str, str, str]) -> None:
    assert score(metric, [doc(key, response)]) == fractions(*expected)


def test_no_documents() -> None:
    assert score("bcub", []) == fractions("0", "0", "0")
    assert count("mentions", []) == {"recall": ratio(0, 0), "precision": ratio(0, 0)}


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        # The key has no coreference link: only N counts; ac, bc of ab, ac, bc are found.
        ("a b c", "ab c", ("2/3", "1", "4/5")),
        # The same with a response that has no N: 0/3 and 0/0.
        ("a b c", "abc", ("0", "0", "0")),
        # The key has no N: only C counts, the response's wrong N do not; ab of ab, ac, bc.
        ("abc", "ab c", ("1/3", "1", "1/2")),
        # The response lacks N, the key does not: both count. C: 1/1, 1/3, 1/2; N: 0/2, 0/0, 0.
        ("ab c", "abc", ("1/2", "1/6", "1/4")),
        # The response lacks C: C is 0/1, 0/0, 0; N: 2/2, 2/3, 4/5.
        ("ab c", "a b c", ("1/2", "1/3", "2/5")),
        # The key has neither, whatever the response.
        ("a", "a", ("0", "0", "0")),
        ("a", "ab c", ("0", "0", "0")),
        # One entity or only singletons, found whole: the other kind does not pull them down.
        ("ab", "ab", ("1", "1", "1")),
        ("a b", "a b", ("1", "1", "1")),
    ],
)
def test_blanc_without_a_kind_of_link(
    key: str, response: str, expected: tuple[str, str, str]
) -> None:
    assert score("blanc", [doc(key, response)]) == fractions(*expected)


def test_blanc_looks_for_kinds_in_the_whole_corpus() -> None:
    # C comes from the first document: 1/3, 1/1, F 1/2. N from the second: 1/1, 1/3, F 1/2.
    # No link leads from one document into another although the mentions have the same names.
    documents = [doc("abc", "ab c"), doc("a b", "a b")]
    assert score("blanc", documents) == fractions("2/3", "2/3", "1/2")


@pytest.mark.parametrize("metric", METRICS)
def test_bad_entities_are_refused(metric: str) -> None:
    with pytest.raises(ValueError, match="two entities"):
        count(metric, [doc("ab bc", "ab")])
    with pytest.raises(ValueError, match="empty"):
        count(metric, [([frozenset()], side("ab"))])


def partition(labels: Iterable[int]) -> list[Entity]:
    """Entities from a label for each mention; negative labels leave the mention out."""
    labels = list(labels)
    return [
        frozenset(mention for mention, own in enumerate(labels) if own == label)
        for label in sorted({label for label in labels if label >= 0})
    ]


partitions = st.lists(st.integers(-1, 4), max_size=12).map(partition)


@given(partitions, partitions, st.sampled_from([metrics.phi3, metrics.phi4]))
def test_alignment_is_as_good_as_the_best_permutation(
    key: list[Entity],
    response: list[Entity],
    similarity: Callable[[Entity, Entity], Fraction],
) -> None:
    smaller, larger = sorted((key, response), key=len)
    best = max(
        sum((similarity(*pair) for pair in zip(smaller, order, strict=True)), Fraction(0))
        for order in permutations(larger, len(smaller))
    )
    assert metrics.best_alignment(key, response, similarity) == best


@given(st.lists(st.tuples(partitions, partitions), max_size=3))
def test_bcub_and_muc_agree_with_their_sums_over_pairs_of_entities(
    documents: list[tuple[list[Entity], list[Entity]]],
) -> None:
    bcub = Fraction(0)
    muc = 0
    for key, response in documents:
        overlaps = [(k, len(k & r)) for k in key for r in response if k & r]
        bcub += sum((Fraction(n * n, len(k)) for k, n in overlaps), Fraction(0))
        muc += sum(n - 1 for _, n in overlaps)
    assert count("bcub", documents)["recall"][0] == bcub
    assert count("muc", documents)["recall"][0] == muc


# Files

TOKENS = "d\t0\t0\tw\t(1\nd\t0\t1\tw\t1)\n"


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("#begin document (nw/wsj/07/wsj_0771); part 000", "(nw/wsj/07/wsj_0771); part 000"),
        ("#begin document (LuoTestCase); ", "(LuoTestCase);"),
        ("# begin document (a); part 001", "(a); part 001"),
        ("#begin document test_events", "test_events"),
        ("#begin document(name);", "(name);"),
        ("#begin document (a)", "(a)"),
        ("#begin document \t (a)\t", "(a)"),
        ("#begin document two words", "two words"),
        ("#begin document (a); part 000\n", "(a); part 000"),
        ("\ufeff#begin document (a)", "(a)"),
        ("# a comment before\n\n#begin document (a)\n# another", "(a)"),
    ],
)
@pytest.mark.parametrize("footer", ["", "#end document", "# end document\n", "#end document (a)\n"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_headers(header: str, name: str, footer: str, newline: str) -> None:
    text = (header + "\n" + TOKENS + footer).replace("\n", newline)
    assert read(text) == [ConllDocument(name, 2, {"1": [(0, 1)]})]


def test_documents_follow_each_other() -> None:
    text = f"#begin document a\n{TOKENS}#begin document b\n#end document\n\n#begin document c\nw -"
    assert [(document.name, document.tokens) for document in read(text)] == [
        ("a", 2),
        ("b", 0),
        ("c", 1),
    ]


def entities(*cells: str, separator: str = "\t") -> Mapping[str, list[Span]]:
    """The entities of a document with these coreference cells."""
    lines = [f"d{separator}word{separator}{cell}" for cell in cells]
    return read("#begin document d\n" + "\n".join(lines) + "\n#end document\n")[0].entities


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (("-", "_", "*", ""), {}),
        (("(12)",), {"12": [(0, 0)]}),
        (("(1|(2", "2)|1)"), {"1": [(0, 1)], "2": [(0, 1)]}),
        (("(1(2)", "1)"), {"1": [(0, 1)], "2": [(0, 0)]}),
        (("(1", "1)(2", "2)"), {"1": [(0, 1)], "2": [(1, 2)]}),
        (("(1(2", "1)2)"), {"1": [(0, 1)], "2": [(0, 1)]}),
        (("(1(2", "2)(3)1)"), {"1": [(0, 1)], "2": [(0, 1)], "3": [(1, 1)]}),
        (("(1(2|(3", "-", "1)|2)3)"), {"1": [(0, 2)], "2": [(0, 2)], "3": [(0, 2)]}),
        (("(PER1)|(abstract-3)",), {"PER1": [(0, 0)], "abstract-3": [(0, 0)]}),
        (("(-)|(*)|(_)",), {"-": [(0, 0)], "*": [(0, 0)], "_": [(0, 0)]}),
        (
            ("(17740950239373139)|(0)|(00)",),
            {"17740950239373139": [(0, 0)], "0": [(0, 0)], "00": [(0, 0)]},
        ),
        # Entities may cross, mentions of one entity nest.
        (("(1", "(2", "1)", "2)"), {"1": [(0, 2)], "2": [(1, 3)]}),
        (("(1", "(1", "1)", "1)"), {"1": [(0, 3), (1, 2)]}),
        (("(1|(1", "1)", "1)"), {"1": [(0, 2), (0, 1)]}),
        # Openings come before closings, in whatever order the cell has them.
        (("(1", "1)|(1", "1)"), {"1": [(0, 2), (1, 1)]}),
        (("(1", "(1|1)", "1)"), {"1": [(0, 2), (1, 1)]}),
        (("(1", "1)|(1)"), {"1": [(0, 1), (1, 1)]}),
        (("(1", "(1)|1)"), {"1": [(0, 1), (1, 1)]}),
        # Copies stay.
        (("(1)|(1)",), {"1": [(0, 0), (0, 0)]}),
        (("(1|(1", "1)|1)"), {"1": [(0, 1), (0, 1)]}),
    ],
)
def test_brackets(cells: tuple[str, ...], expected: dict[str, list[Span]]) -> None:
    assert entities(*cells) == expected
    if "" not in cells:
        assert entities(*cells, separator="  ") == expected


@pytest.mark.parametrize(
    "cells",
    [
        ("(1",),
        ("1)",),
        ("1)", "(1"),
        ("(1", "2)"),
        ("(1", "(1", "1)"),
        ("(1)|1)",),
        ("1",),
        ("word",),
        ("(",),
        (")",),
        ("()",),
        ("|",),
        ("(1)|",),
        ("(1)||(2)",),
        ("(1)2",),
        ("1(2)",),
        ("(1)|-",),
        ("--",),
    ],
)
def test_bad_cells(cells: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=r"bracket|open|closed"):
        entities(*cells)


def test_brackets_do_not_pair_across_documents() -> None:
    with pytest.raises(ValueError, match="never closed"):
        read("#begin document a\nw (1\n#begin document b\nw 1)\n")


def test_the_same_name_twice() -> None:
    with pytest.raises(ValueError, match="line 3: document 'a' stands here twice"):
        read("#begin document a\n#end document\n#begin document  a \n")


@pytest.mark.parametrize(
    "text", ["w -\n", "#begin document a\n#end document\nw -\n", "#a\t-\n#begin document a\n"]
)
def test_tokens_outside_of_documents(text: str) -> None:
    with pytest.raises(ValueError, match="outside"):
        read(text)


@pytest.mark.parametrize("text", ["", "\n", "# nothing\n"])
def test_no_document(text: str) -> None:
    with pytest.raises(ValueError, match="no document"):
        read(text)


def test_lines() -> None:
    text = (
        "#begin document d\n"
        "# a comment\n"
        "d\t0\t#\t(1\n"
        " \t\n"
        "#\t1\tw w\t-\n"  # a token because of its tabs
        "\n"
        "d 2   w  1)  \n"  # tabs or blanks, line by line
        "\n\n"
        "(2)\n"
        "d\t3\tw\t(3)\t \t\n"
    )
    assert read(text) == [ConllDocument("d", 5, {"1": [(0, 2)], "2": [(3, 3)], "3": [(4, 4)]})]


def test_an_empty_last_field_is_the_column_where_other_lines_fill_it() -> None:
    text = "#begin document d\nd\tone\t\nd\ttwo\t(1)\nd\tthree\t \n"
    assert read(text) == [ConllDocument("d", 3, {"1": [(1, 1)]})]


def test_an_empty_last_field_is_ignored_where_no_other_line_fills_it() -> None:
    text = "#begin document d\nd\tone\t(1)\t\nd\ttwo\t-\n"
    assert read(text) == [ConllDocument("d", 2, {"1": [(0, 0)]})]
    with pytest.raises(ValueError, match="'one'"):
        read("#begin document d\nd\tone\t\n")


def test_documents_that_fill_the_column_tell_it_of_others() -> None:
    text = "#begin document d\nd\tone\t\n#begin document e\nd\ttwo\t(1)\n"
    assert read(text) == [ConllDocument("d", 1, {}), ConllDocument("e", 1, {"1": [(0, 0)]})]


# Repeated spans


@pytest.mark.parametrize(
    ("given_entities", "expected"),
    [
        ([], []),
        ([[]], []),
        ([[(0, 0), (2, 2), (0, 0)]], [{(0, 0), (2, 2)}]),
        # [a c] comes before [b c] and keeps c.
        ([[(1, 1), (2, 2)], [(0, 0), (2, 2)]], [{(0, 0), (2, 2)}, {(1, 1)}]),
        # The longer span comes first.
        ([[(0, 0), (5, 5)], [(0, 3), (5, 5)]], [{(0, 3), (5, 5)}, {(0, 0)}]),
        # A prefix comes first.
        ([[(0, 0), (1, 1)], [(0, 0)]], [{(0, 0)}, {(1, 1)}]),
        # Copies within an entity go before entities are compared: [a c] precedes [a d].
        ([[(0, 0), (3, 3)], [(2, 2), (0, 0), (2, 2)]], [{(0, 0), (2, 2)}, {(3, 3)}]),
        ([[(0, 0), (0, 0), (9, 9)], [(0, 0), (1, 1)]], [{(0, 0), (1, 1)}, {(9, 9)}]),
        # An entity left empty goes.
        ([[(0, 0), (1, 1)], [(1, 1)], [(1, 1), (0, 0)]], [{(0, 0), (1, 1)}]),
        # Entities are compared as they were, not as earlier ones leave them:
        # [a b] keeps a, b; [b d] keeps d although [c d] would now come first.
        (
            [[(2, 2), (3, 3)], [(1, 1), (3, 3)], [(0, 0), (1, 1)]],
            [{(0, 0), (1, 1)}, {(3, 3)}, {(2, 2)}],
        ),
    ],
)
def test_first_copies(given_entities: list[list[Span]], expected: list[set[Span]]) -> None:
    for order in permutations(given_entities):
        assert first_copies(order) == expected
        assert first_copies([entity[::-1] for entity in order]) == expected


def test_text_order() -> None:
    spans = [(1, 1), (0, 0), (0, 5), (1, 3)]
    assert sorted(spans, key=conll.text_order) == [(0, 5), (0, 0), (1, 3), (1, 1)]
