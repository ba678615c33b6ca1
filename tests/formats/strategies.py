"""Random corpora with words: nested, crossing, repeated, one-token and document-long mentions."""

from hypothesis import strategies as st

from corefkit import Corpus

WORDS = st.sampled_from(
    ["She", "the", "crew", "😀", "naïve", "don't", "(", "]", "|", "10", '"', "漢"]
)


@st.composite
def rows(
    draw: st.DrawFn, most: int = 3, *, nested: bool = False, fewest: int = 0
) -> list[dict[str, object]]:
    """Documents as e2e dicts; with `nested` no two mentions of one entity cross."""
    made: list[dict[str, object]] = []
    for number in range(draw(st.integers(fewest, most))):
        sentences = draw(st.lists(st.lists(WORDS, min_size=1, max_size=4), max_size=3))
        size = sum(map(len, sentences))
        clusters: list[list[list[int]]] = []
        if size:
            place = st.integers(0, size - 1)
            span = st.tuples(place, place).map(lambda two: [min(two), max(two)])
            wanted = st.lists(st.lists(span, min_size=1, max_size=4), max_size=3)
            clusters = draw(wanted | st.just([[[0, size - 1]]]))
        if nested:
            clusters = [_nested(cluster) for cluster in clusters]
        made.append({"doc_key": f"tale_{number}", "sentences": sentences, "clusters": clusters})
    return made


def _nested(cluster: list[list[int]]) -> list[list[int]]:
    kept: list[list[int]] = []
    for start, end in cluster:
        if all(not (a < start <= b < end or start < a <= end < b) for a, b in kept):
            kept.append([start, end])
    return kept


def canonical(corpus: Corpus) -> dict[str, list[list[tuple[int, int]]]]:
    """The clusters by document, whatever the order; repeated spans of an entity once."""
    return {
        name: sorted(sorted(set(cluster)) for cluster in clusters)
        for name, clusters in corpus.clusters().items()
    }
