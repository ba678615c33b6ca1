"""Policies on the command line: their options, and --policy."""

import json
import re

import pytest

from corefkit.core.options import POLICIES, RARE
from tests.cli.test_outputs import complete
from tests.support import EXAMPLES, run

KEY, CAREFUL = EXAMPLES / "key.conll", EXAMPLES / "careful.conll"
COMMANDS = ("score", "compare", "errors", "report", "outcomes")


def scored(*options: str) -> tuple[str, str]:
    """What `score` writes with these options, and what it says."""
    done = run("score", KEY, CAREFUL, "-m", "muc,blanc", "-f", "json", *options)
    assert done.status == 0, done.err
    return done.out, done.err


@pytest.mark.parametrize("name", POLICIES)
def test_every_policy_can_be_set_by_policy(name: str) -> None:
    value = list(POLICIES[name])[-1]
    if (name, value) == ("match", "min"):  # of ARRAU files
        value = "partial"
    done = run("score", KEY, CAREFUL, "-m", "muc", "-f", "json", "--policy", f"{name}={value}")
    if done.out:
        assert f"|{name}:{value}|" in json.loads(done.out)["signature"]
    else:
        assert f"{name}" in done.err or "head" in done.err


def test_several_policies_in_one_command() -> None:
    text, _ = scored("--policy", "blanc=either", "--policy", "singletons=drop", "--zeros", "drop")
    signature = json.loads(text)["signature"]
    assert all(
        part in signature for part in ("|blanc:either|", "|singletons:drop|", "|zeros:drop|")
    )
    assert text == scored("--policy", "blanc=either", "--singletons", "drop", "--zeros", "drop")[0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--policy", "idz=any"], "there is no policy 'idz'; choose from match"),
        (["--policy", "idz=any"], "Did you mean ids?"),
        (["--policy", "ids=digit"], "ids has no value 'digit'; choose from any, digits"),
        (["--policy", "ids=digit"], "Did you mean digits?"),
        (["--policy", "ids"], "'ids' is not of the form NAME=VALUE"),
        (["--policy", "ids=any", "--policy", "ids=digits"], "ids is set to any and to digits"),
        (["--policy", "ids=any", "--ids", "digits"], "No such option"),
        (["--policy", "match=head", "--match", "exact"], "contradicts --match exact"),
    ],
)
def test_wrong_policies(options: list[str], message: str) -> None:
    done = run("score", KEY, CAREFUL, *options)
    assert done.status == 2
    assert message in " ".join(done.err.split())


@pytest.mark.parametrize("command", COMMANDS)
def test_help_lists_each_option_once(command: str) -> None:
    for help in (run(command, "--help").out, run(command, "--help-all").out):
        names = re.findall(r"(?<![\w=\[-])--[a-z][a-z-]+", help[help.index("Options:") :])
        listed = help[help.index("More options") :] if "More options" in help else ""
        assert len(re.findall(r"--layer\b", listed or help)) == 1
        assert "--policy" in names
        assert not {f"--{name}" for name in RARE} & set(names)
    assert all(f"--policy {name}=" in run(command, "--help-all").out for name in RARE)


def test_completion() -> None:
    assert complete("score", "--policy", "bl") == ["plain:blanc=key", "plain:blanc=either"]
    assert complete("score", "--gl") == []


def test_a_signature_restores_all_policies() -> None:
    rare = [f"{name}={list(POLICIES[name])[1]}" for name in RARE]
    text, _ = scored(*(word for setting in rare for word in ("--policy", setting)))
    signature = json.loads(text)["signature"]
    parsed = run("signature", "parse", signature).out
    assert all(f"--policy {setting}  (" in parsed for setting in rare)
    again = run("score", KEY, CAREFUL, "-f", "json", "--signature", signature)
    assert again.out == text


def test_means_over_documents_where_they_make_no_sense() -> None:
    """Texts of scorers and published results know micro-averages only."""
    for options, message in (
        (("-f", "conll"), "-f conll has no --average documents"),
        (("-f", "corefud"), "-f corefud has no --average documents"),
        (("--by", "class"), "means over documents (average documents) cannot be split"),
    ):
        done = run("score", KEY, CAREFUL, "--average", "documents", *options)
        assert (done.status, done.out) == (2, "")
        assert message in done.err
