"""corefkit corpus heads, and the other commands on CorefUD files."""

import json
from pathlib import Path

from corefkit import read
from corefkit.formats.conllu.dependency_trees import count_moved_heads, tree_heads
from tests.support import EXAMPLES, run

KEY, SYSTEM = EXAMPLES / "drawer.conllu", EXAMPLES / "drawer-system.conllu"


def test_heads_of_a_key_stay_as_they_are() -> None:
    done = run("corpus", "heads", KEY)
    assert done.status == 0
    assert done.out == KEY.read_text(encoding="utf-8")
    assert "0 with a new head" in done.err


def test_heads_of_a_system(tmp_path: Path) -> None:
    target = tmp_path / "out.conllu.gz"
    done = run("corpus", "heads", SYSTEM, "-o", target)
    assert (done.status, done.out) == (0, "")
    before, after = read(SYSTEM), read(target)
    assert count_moved_heads(before, after) == 3
    assert count_moved_heads(tree_heads(before), after) == 0


def test_heads_of_other_formats_are_refused() -> None:
    assert run("corpus", "heads", EXAMPLES / "key.conll").status == 2
    assert run("corpus", "heads", "nowhere.conllu").status == 1


def test_split_lists_the_documents(tmp_path: Path) -> None:
    text = KEY.read_text(encoding="utf-8").replace("newdoc id = drawer", "newdoc id = drawer_1")
    (tmp_path / "one.conllu").write_text(text, encoding="utf-8")
    assert run("corpus", "split", tmp_path / "one.conllu").out == "test\tdrawer_1\n"


def test_stats_count_nodes() -> None:
    found = json.loads(run("stats", KEY, "-f", "json").out)
    wanted = {"words": 27, "empty_nodes": 1, "zeros": 1, "discontinuous": 1, "bridges": 0}
    assert {name: found[name] for name in wanted} == wanted
    assert found["mention_lengths"] == {"1": 5, "2": 1, "3": 2, "5": 1}


def test_outcomes_and_applications_take_upos() -> None:
    done = run("score", KEY, SYSTEM, "-m", "immediate,inferred", "-f", "json")
    assert done.status == 0
    assert "tagset:ud" in json.dumps(json.loads(done.out))
    assert run("outcomes", KEY, SYSTEM).status == 0
    assert run("agree", KEY, SYSTEM).status == 0
