"""Decided links: what they join and keep apart, and the shortest chain that shows it."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from corefkit.plugins.adjudication.blocks import NO, YES, DecidedLink, DecidedLinks

BLOCKS = 5
LINKS = st.lists(
    st.builds(
        DecidedLink,
        st.sampled_from("abcdefgh"),
        st.integers(0, BLOCKS - 1),
        st.integers(0, BLOCKS - 1),
        st.sampled_from([YES, YES, NO]),
    ).filter(lambda link: link.left < link.right),
    max_size=6,
    unique_by=lambda link: link.id,
)


def shortest(links: list[DecidedLink], left: int, right: int, noes: int) -> tuple[str, ...] | None:
    """Every order of every choice of links is tried; the fewest, and of these the first ids."""
    for size in range(len(links) + 1):
        found = []
        for chain in permutations(links, size):
            place = left
            for link in chain:
                if place not in (link.left, link.right):
                    break
                place = link.right if place == link.left else link.left
            else:
                if place == right and sum(link.choice == NO for link in chain) == noes:
                    found.append(tuple(link.id for link in chain))
        if found:
            return min(found)
    return None


@given(LINKS, st.integers(0, BLOCKS - 2), st.integers(1, BLOCKS - 1))
def test_chains(links: list[DecidedLink], left: int, right: int) -> None:
    graph = DecidedLinks(links)
    if left == right:
        return
    by_yes, by_no = (shortest(links, left, right, noes) for noes in (0, 1))
    choice = YES if by_yes is not None else NO if by_no is not None else None
    assert graph.implies(left, right) == choice
    if choice is not None:
        assert graph.chain(left, right, choice) == (by_yes if choice == YES else by_no)
    expected = [
        (link.id, shortest(links, link.left, link.right, 0))
        for link in sorted(links)
        if link.choice == NO and shortest(links, link.left, link.right, 0) is not None
    ]
    assert [*graph.contradictions()] == expected


def test_of_equal_chains_the_one_that_sorts_first() -> None:
    links = [
        DecidedLink("d", 0, 1, YES),
        DecidedLink("a", 1, 3, YES),
        DecidedLink("c", 0, 2, YES),
        DecidedLink("b", 2, 3, YES),
    ]
    assert DecidedLinks(links).chain(0, 3, YES) == ("c", "b")


def test_a_long_chain_is_found_without_a_deep_stack() -> None:
    links = [DecidedLink(f"{n:05}", n, n + 1, YES) for n in range(5000)]
    assert len(DecidedLinks(links).chain(0, 5000, YES)) == 5000
