"""Break-downs: each feature against a simple loop, and what all of them have in common."""

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

import corefkit
from corefkit import Corpus, Feature, Scores, Tagset
from corefkit.core.names import genre
from corefkit.core.options import UsageError
from corefkit.features.chains import Chains, KeyTokens
from corefkit.features.features import FEATURES
from corefkit.formats.conll.lines import token_lines
from corefkit.formats.conll.reader import parse
from corefkit.metrics import BREAKDOWNS, VARIANTS
from tests.support import EXAMPLES

KEY = EXAMPLES / "key.conll"
METRICS = ["mentions", *VARIANTS]


@pytest.fixture(scope="module")
def scores() -> Scores:
    return corefkit.score(KEY, EXAMPLES / "hasty.conll", METRICS)


def test_the_command_line_knows_all_of_them() -> None:
    assert {*BREAKDOWNS, "genre"} == FEATURES.keys()


@pytest.mark.parametrize("by", FEATURES)
def test_groups_add_up(scores: Scores, by: str) -> None:
    """Every mention has one label, so the counts of the groups are those of the whole."""
    groups = scores.by(FEATURES[by])
    for metric in METRICS:
        sums = [part.scores.counts.total(metric) for part in groups.values()]
        assert [sum(column) for column in zip(*sums, strict=True)] == list(
            scores.counts.total(metric)
        )
    for metric in VARIANTS:  # and so are their classes
        classes: Counter[tuple[str, int]] = Counter()
        for part in groups.values():
            for label, numbers in part.scores.counts.by_class[metric].totals().items():
                classes.update({(label, i): n for i, n in enumerate(numbers)})
        for label, numbers in scores.counts.by_class[metric].totals().items():
            assert numbers == [classes[label, i] for i in range(len(numbers))]


def test_genre_of_mentions_is_genre_of_documents(scores: Scores) -> None:
    by_mention = scores.by(FEATURES["genre"])
    by_document = scores.by("genre")
    assert {g: s.to_dict() for g, s in by_mention.items()} == {
        g: s.to_dict() for g, s in by_document.items()
    }


def tokens(corpus: Corpus, document: int) -> list[tuple[int, list[str]]]:
    """The sentence and the fields of each token."""
    found = corpus.document_bytes(document)
    assert found
    sentence, rows = -1, []
    for _, begins, fields in token_lines(found[0].data, found[1], found[2]):
        sentence += begins
        rows.append((sentence, fields))
    return rows


def size_of(number: int) -> str:
    return str(number) if number < 5 else "5-9" if number < 10 else "10-19"


Labeller = Callable[[list[tuple[int, list[str]]], list[tuple[int, int]], int], str]


def slow_word(rows: list[tuple[int, list[str]]], chain: list[tuple[int, int]], place: int) -> str:
    start, end = chain[place]
    return rows[start][1][3].lower() if start == end else "(several words)"


def slow_length(rows: list[tuple[int, list[str]]], chain: list[tuple[int, int]], place: int) -> str:
    number = chain[place][1] - chain[place][0] + 1
    return str(number) if number < 5 else "5-9" if number < 10 else "10+"


def slow_distance(
    rows: list[tuple[int, list[str]]], chain: list[tuple[int, int]], place: int
) -> str:
    if place == 0:
        return "first"
    back = rows[chain[place][0]][0] - rows[chain[place - 1][0]][0]
    return str(back) if back < 3 else "3-4" if back < 5 else "5-9" if back < 10 else "10+"


def slow_speaker(
    rows: list[tuple[int, list[str]]], chain: list[tuple[int, int]], place: int
) -> str:
    return rows[chain[place][0]][1][9]


def slow_size(rows: list[tuple[int, list[str]]], chain: list[tuple[int, int]], place: int) -> str:
    return size_of(len(chain))


@pytest.mark.parametrize(
    ("by", "label"),
    [
        ("word", slow_word),
        ("length", slow_length),
        ("distance", slow_distance),
        ("speaker", slow_speaker),
        ("entity-size", slow_size),
    ],
)
def test_labels(scores: Scores, by: str, label: Labeller) -> None:
    """How many key mentions have each label, as `mentions` counts them."""
    corpus = corefkit.read(KEY)
    expected: Counter[str] = Counter()
    for number, chains in enumerate(corpus.clusters().values()):
        rows = tokens(corpus, number)
        for chain in chains:
            in_order = sorted(chain, key=lambda span: (span[0], -span[1]))
            expected.update(label(rows, in_order, place) for place in range(len(in_order)))
    found = {name: part["mentions"].counts["recall"][1] for name, part in scores.by(by).items()}
    assert {name: n for name, n in found.items() if n} == dict(expected)


def test_a_feature_of_ones_own(scores: Scores) -> None:
    def of_genre(chains: Chains) -> list[str]:
        return [genre(chains.corpus.names[i]) for i in chains.document.tolist()]

    found = scores.by(Feature("mine", of_genre))
    assert {g: part.scores.to_dict() for g, part in found.items()} == {
        g: part.scores.to_dict() for g, part in scores.by("genre").items()
    }
    with pytest.raises(ValueError, match="3 labels of"):
        scores.by(Feature("short", lambda chains: ["a", "b", "c"]))


def test_names_are_those_of_the_own_document() -> None:
    """With lengths ignored a mention may lie behind its document: in the next one are no names."""
    lines = [
        f"#begin document {d}\n{d} 0 0 Ada NNP * - - - - (PERSON) -\n#end document" for d in "ab"
    ]
    tokens = KeyTokens(parse("\n".join(lines).encode(), "-"))
    document, place = np.array([0, 0, 0, 1, 1]), np.array([-1, 0, 1, 0, 1])
    assert tokens.names.labels == ("PERSON",)
    assert tokens.name_over(document, place, place).tolist() == [-1, 0, -1, 0, -1]


def test_what_cannot_be_broken_down() -> None:
    muc = corefkit.score(KEY, KEY, "muc")
    with pytest.raises(corefkit.UsageError, match=r"no share of a single mention.*entity:size"):
        corefkit.score(KEY, KEY, "ceafe,conll").by("class")
    with pytest.raises(corefkit.UsageError, match="unknown value 'colour'"):
        muc.by("colour")
    counted = corefkit.Evaluator("mentions").update([["a"]], [["a"]]).scores()
    with pytest.raises(corefkit.UsageError, match="corpora"):
        counted.by("length")
    with pytest.raises(corefkit.UsageError, match="needs tags"):
        corefkit.Evaluator("anchor")


def test_corpora_without_files() -> None:
    """Some features need no tokens; the others say what is missing."""
    key = Corpus.from_clusters({"a": [[(0, 0), (2, 3)], [(5, 5)]]})
    response = Corpus.from_clusters({"a": [[(0, 0), (5, 5)]]})
    scores = corefkit.score(key, response, "mentions")
    assert {n: s["mentions"].counts for n, s in scores.by("length").items()} == {
        "1": {"recall": [2, 2], "precision": [2, 2]},
        "2": {"recall": [0, 1], "precision": [0, 0]},
    }
    assert list(scores.by("entity-size")) == ["1", "2"]
    for by in ("class", "word", "distance"):
        with pytest.raises(corefkit.DataError, match="no token columns"):
            scores.by(by)
    # (2, 3) has lost its antecedent, and (5, 5) has one where there is none.
    immediate = corefkit.score(key, response, "immediate")["immediate"]
    assert immediate.counts == {"tp": 0, "wl": 0, "fn": 1, "fp": 1}
    assert list(immediate.classes or {}) == ["all"]
    for metric in ("inferred", "anchor"):
        with pytest.raises(corefkit.DataError, match="no token columns"):
            corefkit.score(key, response, metric)


def test_what_is_called_wrongly(scores: Scores) -> None:
    careful = EXAMPLES / "careful.conll"
    short = Tagset("short", bool, bool, nominal=lambda chains: [True])
    with pytest.raises(UsageError, match="mentions"):
        corefkit.score(KEY, careful, "immediate", tagset=short)
    with pytest.raises(UsageError, match="Feature"):
        scores.by(lambda chains: chains.start)  # type: ignore[attr-defined]
    assert list(scores.by(lambda name: name[1:3])) == list(scores.by("genre"))
    with pytest.raises(UsageError, match="metrics='muc'"):
        corefkit.outcomes(KEY, careful, "muc")


def test_variants_as_a_mapping() -> None:
    careful = EXAMPLES / "careful.conll"
    found = corefkit.score(KEY, careful, "inferred", variant={"inferred": "clean"})
    assert "inferred=clean" in found.signature


@pytest.mark.parametrize("by", ["ne", "class"])
def test_labels_come_in_alphabetical_order(scores: Scores, by: str) -> None:
    """After the one for all others; not in the order in which a table of values has them."""
    first, *others = scores.by(by)
    assert first == ("None" if by == "ne" else "NOUN")
    assert len(others) > 2 and others == sorted(others)
