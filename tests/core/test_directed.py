"""Tables of what entities share."""

from itertools import permutations

from corefkit import Corpus, score

KEY = [[2, 4, 7, 17, 18, 19], [5, 8, 9, 14, 16], [3, 11], [0, 1, 6, 13, 15]]
RESPONSE = [[0, 1, 7, 11, 12, 14, 16], [13], [3, 8, 9, 15], [2, 4], [5, 17, 19]]
"""Two alignments of these have the same φ₄ in fractions, and not in floating-point numbers."""


def corpus(*entities: list[int]) -> Corpus:
    return Corpus.from_clusters(
        {"d": [[(token, token) for token in tokens] for tokens in entities]}
    )


def test_scores_do_not_depend_on_the_order_of_entities() -> None:
    expected = score(corpus(*KEY), corpus(*RESPONSE)).to_dict()
    for ours in permutations(KEY):
        assert score(corpus(*ours), corpus(*RESPONSE[::-1])).to_dict() == expected
