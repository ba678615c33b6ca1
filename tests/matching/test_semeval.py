"""The matching of SemEval-2010 against a walk through all pairs, and through files."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import Corpus
from corefkit.matching import match
from tests.strategies import examples
from tests.support import run

Mention = tuple[int, int, int]
"""Start, end and head."""

mentions = st.tuples(st.integers(0, 7), st.integers(0, 4), st.integers(0, 4)).map(
    lambda m: (m[0], m[0] + m[1], m[0] + min(m[1], m[2]))
)
clusters = st.lists(st.lists(mentions, min_size=1, max_size=4), max_size=4)


def corpus(entities: list[list[Mention]]) -> Corpus:
    """Each span once, rows in the order of the lists."""
    seen: set[tuple[int, int]] = set()
    rows = []
    for number, cluster in enumerate(entities):
        for mention in cluster:
            if mention[:2] not in seen:
                seen.add(mention[:2])
                rows.append((0, *mention, number))
    document, start, end, head, entity = np.array(rows, dtype=np.int64).reshape(-1, 5).T
    labels = tuple(map(str, range(len(entities))))
    return Corpus(
        names=("tale",),
        tokens=np.array([12]),
        document=document,
        start=start,
        end=end,
        entity=entity,
        labels=labels,
        head=head,
    )


def walk(key: Corpus, response: Corpus) -> set[tuple[int, int]]:
    found: dict[int, int] = {}
    for r in range(response.mentions):
        for k in range(key.mentions):
            if (key.start[k], key.end[k]) == (response.start[r], response.end[r]):
                found[r] = k
    for r in range(response.mentions):
        if r in found:
            continue
        for k in range(key.mentions):
            assert key.head is not None
            around = key.start[k] <= response.start[r] and response.end[r] <= key.end[k]
            if (
                k not in found.values()
                and around
                and response.start[r] <= key.head[k] <= response.end[r]
            ):
                found[r] = k
                break
    return {(k, r) for r, k in found.items()}


@examples(50)
@given(clusters, clusters)
def test_pairs_are_those_of_the_walk(
    ours: list[list[Mention]], theirs: list[list[Mention]]
) -> None:
    key, response = corpus(ours), corpus(theirs)
    pairs = match(key, response, "semeval")
    found = list(zip(pairs.key.tolist(), pairs.response.tolist(), strict=True))
    assert len(found) == len(set(found))
    assert set(found) == walk(key, response)


KEY = """\
#begin document tale
1\tThe\t_\t_\t_\t_\t_\t_\t2\t_\t_\t(1
2\towner\t_\t_\t_\t_\t_\t_\t4\t_\t_\t_
3\tthere\t_\t_\t_\t_\t_\t_\t2\t_\t_\t1)
4\tslept\t_\t_\t_\t_\t_\t_\t0\t_\t_\t(2)

1\tWe\t_\t_\t_\t_\t_\t_\t2\t_\t_\t_
2\tsang\t_\t_\t_\t_\t_\t_\t0\t_\t_\t_

#end document
"""


def test_half_credit_for_the_head(tmp_path: Path) -> None:
    key, good, bad = (tmp_path / f"{name}.txt" for name in ("key", "good", "bad"))
    key.write_text(KEY)
    good.write_text(KEY.replace("_\t1)", "_\t_").replace("4\t_\t_\t_\n", "4\t_\t_\t1)\n"))
    bad.write_text(KEY.replace("_\t(1\n", "_\t(1)\n").replace("_\t1)", "_\t_"))
    scores = corefkit.score(key, good, match="semeval")
    assert scores["mentions"].counts == {"recall": [1.5, 2], "precision": [1.5, 2]}
    assert scores["bcub"].recall == 1
    assert corefkit.score(key, bad, match="semeval")["mentions"].counts["recall"] == [1, 2]
    assert corefkit.score(key, key, match="semeval")["mentions"].recall == 1


def test_other_files_have_no_such_heads(tmp_path: Path) -> None:
    path = tmp_path / "key.conll"
    path.write_text("#begin document (tale); part 000\ntale\t0\t0\tdog\t(1)\n\n#end document\n")
    done = run("score", path, path, "--match", "semeval")
    assert (done.status, "[column-missing]" in done.err) == (1, True)


def test_errors_know_no_half_credit(tmp_path: Path) -> None:
    key = tmp_path / "key.txt"
    key.write_text(KEY)
    done = run("errors", key, key, "--match", "semeval")
    assert (done.status, "half credit" in done.err) == (2, True)


def test_an_evaluator_takes_heads() -> None:
    evaluator = corefkit.Evaluator("mentions,muc", match="semeval")
    evaluator.update([[(0, 2, 1), (5, 5)]], [[(0, 1), (5, 5)]])
    assert evaluator.scores()["mentions"].counts["recall"] == [1.5, 2]
    assert evaluator.scores()["muc"].recall == 1
    with pytest.raises(ValueError, match="has no head"):
        corefkit.Evaluator(match="semeval").update([[(0, 2)]], [[(0, 1)]])
