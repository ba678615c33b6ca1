"""corefkit task published, and score --among."""

import json

import pytest

from corefkit.plugins.published import scorer_warning, standings
from tests.support import EXAMPLES, run

KEY, CAREFUL, HASTY = (EXAMPLES / f"{name}.conll" for name in ("key", "careful", "hasty"))


def test_list() -> None:
    done = run("task", "published")
    assert done.status == 0
    assert "acl-2014/table-1" in done.out
    assert "conll-2012/english@v8" in done.out
    assert len(json.loads(run("task", "published", "-f", "json").out)["published"]) == 26


@pytest.mark.parametrize(
    ("form", "first"),
    [("csv", "name,rows,scorer,title"), ("tsv", "name\trows\tscorer\ttitle")],
)
def test_list_as_a_table(form: str, first: str) -> None:
    lines = run("task", "published", "-f", form).out.splitlines()
    assert (lines[0], len(lines)) == (first, 27)


def test_list_for_papers() -> None:
    assert "| name | rows | scorer | title |" in run("task", "published", "-f", "markdown").out
    assert "\\toprule" in run("task", "published", "-f", "latex").out


def test_json() -> None:
    found = json.loads(run("task", "published", "conll-2012/table-17", "-f", "json").out)
    assert found["name"] == "conll-2012/table-17"
    assert found["scorer"] == "v4"
    assert "Table 17" in found["source"]
    assert len(found["rows"]) == 16


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "csv", "tsv"])
def test_formats(form: str) -> None:
    done = run("task", "published", "conll-2012/english", "-f", form)
    assert done.status == 0
    assert "fernandes" in done.out
    assert "60.7" in done.out


def test_unknown_settings_and_wrong_rows_are_marked() -> None:
    assert "?" in run("task", "published", "conll-2012/table-20").out
    assert "† 1.13: The average" in run("task", "published", "acl-2014/table-1").out


def test_unknown() -> None:
    done = run("task", "published", "klingon")
    assert done.status == 2
    assert "conll-2012/english@v8" in done.err
    assert "conll-2012/table-17" in done.err


def test_among() -> None:
    profile = ("--profile", "conll-8.01")
    done = run("score", KEY, CAREFUL, HASTY, *profile, "--among", "conll-2012/english")
    assert done.status == 0
    lines = [line.split() for line in done.out.split("Among ")[1].splitlines()]
    assert lines[4][:3] == ["1", "→", "careful"]
    assert lines[5][:3] == ["2", "→", "hasty"]
    assert lines[6][:2] == ["3", "fernandes"]
    assert "warning: the figures" not in done.err


def test_among_json() -> None:
    profile = ("--profile", "conll-8.01")
    out = run("score", KEY, HASTY, *profile, "--among", "conll-2012/arabic", "-f", "json").out
    found = json.loads(out)["among"]
    assert (found["name"], found["scorer"]) == ("conll-2012/arabic@v8", "v8")
    assert [row["published"] for row in found["rows"]] == [False] + [True] * 7
    assert [row["place"] for row in found["rows"]] == list(range(1, 9))
    assert "warning" not in found


def test_scorers_differ() -> None:
    done = run("score", KEY, CAREFUL, "--among", "conll-2012/chinese@v4")
    assert done.status == 0
    assert "scorer v4" in done.err
    out = run("score", KEY, CAREFUL, "--among", "conll-2012/chinese@v4", "-f", "json").out
    assert json.loads(out)["among"]["warning"] in done.err


@pytest.mark.parametrize(
    ("name", "theirs"),
    [
        ("conll-2012/english", "conll-8.01"),
        ("conll-2012/english@v8", "conll-8.01"),
        ("crac-2024/hu_korkor", "corefud"),
    ],
)
def test_profiles_differ(name: str, theirs: str) -> None:
    done = run("score", KEY, CAREFUL, "--among", name)
    words = f"were computed with the profile {theirs}, yours with standard; add --profile {theirs}"
    assert words in done.err
    warning = scorer_warning(standings(name), "standard")
    assert warning and warning in done.err
    assert scorer_warning(standings(name), theirs) is None


def test_no_rank_among_means() -> None:
    done = run("score", KEY, CAREFUL, "--among", "crac-2024")
    assert done.status == 2
    assert "means over datasets" in done.err and "crac-2024/DATASET" in done.err
    assert run("task", "published", "crac-2024").status == 0


def test_an_unknown_name_is_answered_with_similar_ones() -> None:
    done = run("score", KEY, CAREFUL, "--among", "conll-2012")
    assert done.status == 2
    words = "Did you mean conll-2012/arabic@v4 or conll-2012/arabic@v8 or conll-2012/chinese@v4?"
    assert f"no published standings 'conll-2012'. {words}" in " ".join(done.err.split())
    assert len(done.err) < 600
    mistyped = run("score", KEY, CAREFUL, "--among", "conll-2012/englsh").err
    assert "Did you mean conll-2012/english" in " ".join(mistyped.split())


@pytest.mark.parametrize(
    "more",
    [
        ["--among", "x"],
        ["--among", "conll-2012/english", "-f", "csv"],
        ["--among", "conll-2012/english", "-m", "muc"],
    ],
)
def test_usage(more: list[str]) -> None:
    assert run("score", KEY, CAREFUL, *more).status == 2
