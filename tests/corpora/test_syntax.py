"""Gold boundaries and gold mentions."""

from pathlib import Path

import numpy as np
import pytest

import corefkit
from corefkit.corpora.syntax import gold_boundaries, gold_mentions
from corefkit.formats.conll.lines import token_lines
from corefkit.formats.conll.reader import parse
from tests.corpora.samples import conll
from tests.support import CONFORMANCE, EXAMPLES, needs_conformance, run

KEY = EXAMPLES / "key.conll"
TEXT = conll(
    [
        "Ana NNP (S(NP* - - - - * (1",
        "Lee NNP *) - - - - * 1)",
        "lost VBD (VP* - - - - * (2)",
        "her PRP$ (NP* - - - - * (3|(1)",
        "New NNP (NML* - - - - * (4",
        "York NNP *) - - - - * 4)",
        "map NN *)) - - - - * 3)",
        ". . *) - - - - * -",
    ]
)


def test_by_hand() -> None:
    corpus = parse(TEXT, "a")
    name = corpus.names[0]
    # The NML is a constituent, though no noun phrase: it is not among the boundaries.
    expected = [[(0, 1)], [(2, 2)], [(3, 6)], [(3, 3)]]
    assert gold_boundaries(corpus).clusters()[name] == expected
    mentions = [[(0, 1)], [(2, 2)], [(3, 6)], [(3, 3)], [(4, 5)]]
    assert gold_mentions(corpus).clusters()[name] == mentions


@needs_conformance
def test_ontonotes() -> None:
    key = corefkit.read(CONFORMANCE / "ontonotes-dev" / "key.conll.gz")
    mentions = gold_mentions(key)
    assert mentions.mentions == mentions.entities == 19155  # one span is in two entities
    boundaries = gold_boundaries(key)
    scores = corefkit.score(key, boundaries, "mentions")
    found, total = scores["mentions"].counts["recall"]
    lacking = total - found
    assert (boundaries.mentions, lacking) == (54779, 190)


def test_only_columns_can_be_rewritten(tmp_path: Path) -> None:
    """Files of other formats came out as they were."""
    path = tmp_path / "a.jsonlines"
    path.write_text('{"doc_key": "a", "sentences": [["She", "slept"]], "clusters": [[[0, 0]]]}')
    done = run("corpus", "boundaries", path, "--kind", "gm")
    assert (done.status, done.out) == (1, "")
    assert "[no-document]" in done.err


@pytest.mark.parametrize("kind", ["gm", "gb"])
def test_command(tmp_path: Path, kind: str) -> None:
    out = tmp_path / "out.conll"
    assert run("corpus", "boundaries", KEY, "--kind", kind, "-o", out).status == 0
    made = corefkit.read(out)
    assert np.all(made.entity_size == 1)
    before, after = (list(token_lines(f.read_bytes())) for f in (KEY, out))
    assert [b.fields[:-1] for b in before] == [a.fields[:-1] for a in after]
    expected = gold_mentions if kind == "gm" else gold_boundaries
    for name, clusters in expected(corefkit.read(KEY)).clusters().items():
        assert sorted(made.clusters()[name]) == sorted(clusters)
    if kind == "gm":
        assert corefkit.score(KEY, out, "mentions")["mentions"].f1 == 1


def test_bad_input() -> None:
    assert run("corpus", "boundaries", EXAMPLES / "hasty.conll", "--kind", "gb").status == 1
    assert run("corpus", "boundaries", KEY, "--kind", "gs").status == 2
    assert run("corpus", "boundaries", KEY).status == 2


def test_comments_and_separators_stay(tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    text = (
        "\ufeff# a comment\n#begin document a\na   0   0   w   (7\n# another\na   0   1   w    7)\n"
    )
    path.write_text(text, encoding="utf-8")
    out = tmp_path / "out.conll"
    assert run("corpus", "boundaries", path, "--kind", "gm", "-o", out).status == 0
    assert out.read_text(encoding="utf-8") == text.replace("7", "0")
