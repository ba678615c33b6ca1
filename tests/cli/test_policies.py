"""Policies on the command line: an option for each, and --strict and --lax."""

import json
import re

import pytest

from corefkit.core.options import GONE, POLICIES
from tests.support import EXAMPLES, run

pytestmark = pytest.mark.usefixtures("own_options")

KEY, CAREFUL = EXAMPLES / "key.conll", EXAMPLES / "careful.conll"
COMMANDS = ("score", "compare", "errors", "report", "outcomes")


def scored(*options: str) -> tuple[str, str]:
    """What `score` writes with these options, and what it says."""
    done = run("score", KEY, CAREFUL, "-m", "muc,blanc", "-f", "json", *options)
    assert done.status == 0, done.err
    return done.out, done.err


@pytest.mark.parametrize("name", [name for name in POLICIES if name != "layer"])
def test_every_policy_has_an_option(name: str) -> None:
    value = list(POLICIES[name])[-1]
    if (name, value) == ("match", "min"):  # of ARRAU files
        value = "partial"
    done = run("score", KEY, CAREFUL, "-m", "muc", "-f", "json", f"--{name}", value)
    if done.out:
        assert f"|{name}:{value}|" in json.loads(done.out)["signature"]
    else:
        assert f"{name}" in done.err or "head" in done.err


@pytest.mark.parametrize("command", COMMANDS)
def test_help_lists_each_option_once(command: str) -> None:
    for help in (run(command, "--help").out, run(command, "--help-all").out):
        names = re.findall(r"(?<![\w=\[-])--[a-z][a-z-]+", help[help.index("Options:") :])
        if "--help-all explains" not in help:
            assert len(re.findall(r"--layer\b", help)) == 1
            assert {"--strict", "--lax"} < set(names)
        assert not {"--policy", *(f"--{name}" for name in GONE)} & set(names)


@pytest.mark.parametrize("options", [("--strict",), ("--lax", "--profile", "ua")])
def test_a_signature_restores_what_becomes_of_defects(options: tuple[str, ...]) -> None:
    text, _ = scored(*options)
    signature = json.loads(text)["signature"]
    assert f"|defects:{options[0][2:]}|" in signature
    assert f"{options[0]}\n" in run("explain", signature).out
    again = run("score", KEY, CAREFUL, "-f", "json", "--signature", signature)
    assert again.out == text


def test_strict_or_lax() -> None:
    done = run("score", KEY, CAREFUL, "--strict", "--lax")
    assert done.status == 2
    assert "--strict cannot be combined with --lax" in done.err


def test_means_over_documents_where_they_make_no_sense() -> None:
    """Texts of scorers and published results know micro-averages only."""
    for options, message in (
        (("-f", "conll"), "-f conll cannot be combined with --average documents"),
        (("-f", "corefud"), "-f corefud cannot be combined with --average documents"),
        (("--by", "class"), "means over documents cannot be divided; leave out --average"),
    ):
        done = run("score", KEY, CAREFUL, "--average", "documents", *options)
        assert (done.status, done.out) == (2, "")
        assert message in " ".join(done.err.split())
