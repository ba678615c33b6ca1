"""corefkit help, and no text that sends people to a file which they do not have."""

import re

import click
import pytest

from corefkit.cli.app import corefkit as command_line
from corefkit.core.incidents import all_kinds
from tests.support import ROOT, run

PAGES = sorted(path.stem for path in (ROOT / "docs").glob("*.md") if path.stem != "README")


def test_pages_are_listed_with_their_titles() -> None:
    lines = run("help").out.splitlines()
    listed = {line.split()[0]: line.split(maxsplit=1)[1] for line in lines[: len(PAGES)]}
    assert sorted(listed) == PAGES
    assert listed["significance"] == "Statistical significance"


@pytest.mark.parametrize("topic", ["strata", "docs/strata.md", "strata.md"])
def test_a_page(topic: str) -> None:
    assert run("help", topic).out == (ROOT / "docs" / "strata.md").read_text() + "\n"


def test_a_command() -> None:
    assert "Score each RESPONSE against KEY" in run("help", "score").out


def test_an_unknown_topic_names_the_nearest() -> None:
    done = run("help", "stratas")
    assert done.status == 2
    assert "Did you mean strata?" in done.err


def test_nobody_is_sent_to_a_file_of_the_sources() -> None:
    """Installed packages have no docs/x.md: texts name `corefkit help x`, which exists."""
    context = command_line.make_context("corefkit", ["score"])
    texts = {name: run(name, "--help").out for name in command_line.list_commands(context)}
    texts |= {name: f"{kind.what} {kind.do} {kind.messages}" for name, kind in all_kinds().items()}
    for name, text in texts.items():
        if name != "help":
            assert "docs/" not in text, name
        for topic in re.findall(r"`corefkit help ([a-z-]+)`", text):
            assert topic in (*PAGES, "plugins"), (name, topic)


def commands(group: click.Group, *before: str) -> list[tuple[str, ...]]:
    """The words of every command, with those of groups of commands."""
    found = [before]
    for name in group.list_commands(context := click.Context(group)):
        command = group.get_command(context, name)
        words = (*before, name)
        found += commands(command, *words) if isinstance(command, click.Group) else [words]
    return found


@pytest.mark.parametrize("words", commands(command_line), ids=" ".join)
def test_help_fits_100_columns(words: tuple[str, ...]) -> None:
    """However narrow the terminal is: what click does not wrap are metavars and examples."""
    for option in ("--help", "--help-all"):
        wide = [line for line in run(*words, option).out.splitlines() if len(line) > 100]
        assert wide == []


def test_a_topic_that_is_like_none_says_where_the_lists_are() -> None:
    err = run("help", "foo").err
    assert "'foo'; `corefkit help` lists the pages, `corefkit --help` the commands" in err
    assert "Did you mean" in run("help", "formatz").err
