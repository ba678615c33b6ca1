"""The table of what entities share."""

from itertools import permutations

from corefkit import Corpus, score
from corefkit.core.overlap import make_overlap
from corefkit.matching import match

KEY = [[2, 4, 7, 17, 18, 19], [5, 8, 9, 14, 16], [3, 11], [0, 1, 6, 13, 15]]
RESPONSE = [[0, 1, 7, 11, 12, 14, 16], [13], [3, 8, 9, 15], [2, 4], [5, 17, 19]]
"""Two alignments of these have the same φ₄ in fractions, and not in floating-point numbers."""


def corpus(*entities: list[int]) -> Corpus:
    return Corpus.from_clusters(
        {"d": [[(token, token) for token in tokens] for tokens in entities]}
    )


def test_neither_cells_nor_scores_depend_on_the_order_of_entities() -> None:
    expected = score(corpus(*KEY), corpus(*RESPONSE)).to_dict()
    tables = set()
    for ours in permutations(KEY):
        key, response = corpus(*ours), corpus(*RESPONSE[::-1])
        overlap = make_overlap(key, response, match(key, response))
        columns = overlap.key_entity, overlap.response_entity, overlap.count
        tables.add(tuple(tuple(column.tolist()) for column in columns))
        assert score(key, response).to_dict() == expected
    assert len(tables) == 1
