"""corefkit task published."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from corefkit.plugins.published import scorer_warning, standings
from tests.support import EXAMPLES, run

KEY, CAREFUL, HASTY = (EXAMPLES / f"{name}.conll" for name in ("key", "careful", "hasty"))


def test_list() -> None:
    done = run("task", "published")
    assert done.status == 0
    assert "acl-2014/table-1" in done.out
    assert "conll-2012/english@v8" in done.out
    assert len(json.loads(run("task", "published", "-f", "json").out)["listed"]) == 26


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


@pytest.fixture
def scored(tmp_path: Path) -> Callable[..., str]:
    """Scores files as `corefkit score` does; the path of its JSON."""

    def score(*arguments: str | Path) -> str:
        path = tmp_path / "result.json"
        done = run("score", KEY, *arguments, "-f", "json", "-o", path)
        assert done.status == 0, done.err
        return str(path)

    return score


def test_where_systems_would_stand(scored: Callable[..., str]) -> None:
    result = scored(CAREFUL, HASTY, "--profile", "conll-8.01")
    done = run("task", "published", "conll-2012/english", result)
    assert done.status == 0
    lines = [line.split() for line in done.out.split("Among ")[1].splitlines()]
    assert lines[4][:3] == ["1", "→", "careful"]
    assert lines[5][:3] == ["2", "→", "hasty"]
    assert lines[6][:2] == ["3", "fernandes"]
    assert done.err == ""
    found = json.loads(run("task", "published", "conll-2012/arabic", result, "-f", "json").out)
    assert (found["name"], found["scorer"]) == ("conll-2012/arabic@v8", "v8")
    assert [row["published"] for row in found["rows"]] == [False] * 2 + [True] * 7
    assert [row["place"] for row in found["rows"]] == list(range(1, 10))
    assert found["warnings"] == []


@pytest.mark.parametrize(
    ("name", "theirs"),
    [
        ("conll-2012/english", "conll-8.01"),
        ("conll-2012/english@v8", "conll-8.01"),
        ("conll-2012/chinese@v4", None),
        ("crac-2024/hu_korkor", "corefud"),
    ],
)
def test_profiles_differ(name: str, theirs: str | None, scored: Callable[..., str]) -> None:
    result = scored(CAREFUL)
    done = run("task", "published", name, result)
    words = f"were computed with the profile {theirs}, yours with standard; add --profile {theirs}"
    assert (words if theirs else "were computed with scorer v4") in done.err
    found = json.loads(run("task", "published", name, result, "-f", "json").out)
    assert [f"warning: {warning}" for warning in found["warnings"]] == done.err.splitlines()
    assert theirs is None or scorer_warning(standings(name), theirs) is None


def test_no_rank_among_means(scored: Callable[..., str]) -> None:
    done = run("task", "published", "crac-2024", scored(CAREFUL))
    assert done.status == 2
    assert "means over datasets" in done.err and "crac-2024/DATASET" in done.err
    assert run("task", "published", "crac-2024").status == 0


def test_an_unknown_name_is_answered_with_similar_ones(scored: Callable[..., str]) -> None:
    done = run("task", "published", "conll-2012", scored(CAREFUL))
    assert done.status == 2
    words = "Did you mean conll-2012/arabic@v4 or conll-2012/arabic@v8 or conll-2012/chinese@v4?"
    assert f"no published standings 'conll-2012'. {words}" in " ".join(done.err.split())
    assert len(done.err) < 600


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-m", "muc"), "ranked by conll"),
        (("--average", "documents"), "micro-averages"),
    ],
)
def test_results_that_have_no_rank(
    arguments: tuple[str, ...], message: str, scored: Callable[..., str]
) -> None:
    done = run("task", "published", "conll-2012/english", scored(CAREFUL, *arguments))
    assert done.status == 2
    assert message in done.err


@pytest.mark.parametrize(("content", "message"), [("{}", "only results of"), ("words", "not JSON")])
def test_files_that_are_no_results(content: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "no.json").write_text(content)
    done = run("task", "published", "conll-2012/english", tmp_path / "no.json")
    assert done.status == 2
    assert message in done.err
