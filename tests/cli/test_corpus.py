"""corefkit corpus, and the names that its commands had before."""

import pytest

from corefkit.cli.app import MOVED
from corefkit.cli.corpus import COMMANDS
from tests.support import EXAMPLES, run

KEY, TREES = EXAMPLES / "key.conll", EXAMPLES / "drawer.conllu"
CALLS = {
    "boundaries": (KEY, "--kind", "gm"),
    "heads": (TREES,),
    "layers": (KEY, "--layer", "parse"),
    "skeleton": ("mask", KEY),
    "split": (KEY, "-f", "json"),
    "text": (TREES,),
}


def test_every_command_of_the_group_has_an_old_name() -> None:
    listed = {name for section in COMMANDS.values() for name in section}
    assert listed == set(MOVED) == set(CALLS)


@pytest.mark.parametrize("name", CALLS)
def test_old_names_work_and_say_the_new_one(name: str) -> None:
    new, old = run("corpus", name, *CALLS[name]), run(name, *CALLS[name])
    assert new.out
    assert (old.status, old.out) == (new.status, new.out) == (0, new.out)
    assert old.err == f"note: corefkit {name} is now corefkit corpus {name}\n{new.err}"


def test_only_new_names_are_listed() -> None:
    assert not any(f"  {name} " in run("--help").out for name in MOVED)
    assert all(f"  {name} " in run("corpus", "--help").out for name in MOVED)
    assert "corpus split [OPTIONS]" in run("corpus", "split", "--help").out


def test_did_you_mean() -> None:
    assert "Did you mean split?" in run("corpus", "spilt").err
    assert "Did you mean skeleton?" in run("skeletn").err
    assert run("corpus", "score").status == 2
