"""Figures of papers: the same as far as they were printed, and nothing beyond that."""

import pytest

from tests import damages
from tests.support import run

SIGNATURE = "profile:standard|version:0.1.0"
FIGURES = {"conll": 76.85356623124743, "muc.recall": 3000 / 41}
"""As computed by the oracle and by hand: 30 of 41 links."""


@pytest.fixture
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    folder = tmp_path_factory.mktemp("files")
    for name, corpus in (("k", damages.key()), ("r", damages.response())):
        (folder / f"{name}.conll").write_text(damages.conll(corpus))
    return str(folder / "k.conll"), str(folder / "r.conll")


@pytest.mark.parametrize(
    ("text", "told", "status"),
    [
        ("76.85", "same: conll is 76.85", 0),
        ("conll=0.769", "same: conll is 0.769", 0),
        ("77", "same: conll is 77", 0),
        ("76.8", "other: conll is 76.9, not 76.8", 3),
        ("76.80", "other: conll is 76.85, not 76.80", 3),
        ("muc.recall=73.17", "same: muc.recall is 73.17", 0),
    ],
)
def test_a_figure(files: tuple[str, str], text: str, told: str, status: int) -> None:
    done = run("verify", "--expect", text, "--signature", SIGNATURE, *files)
    assert (done.out, done.status) == (f"{told}\n", status)


def test_all_figures_are_compared(files: tuple[str, str]) -> None:
    wrong_first = ("--expect", "12.34", "--expect", "muc.recall=73.17")
    done = run("verify", *wrong_first, "--signature", SIGNATURE, *files)
    told = "other: conll is 76.85, not 12.34\nsame: muc.recall is 73.17\n"
    assert (done.out, done.status) == (told, 3)


def test_what_is_not_compared_is_said(files: tuple[str, str]) -> None:
    done = run("verify", "--expect", "76.85", "--signature", f"{SIGNATURE}|window:20", *files)
    whole = "same: conll is 76.85 on whole documents; the windows of the signature are not compared"
    assert (done.out, done.status) == (f"{whole}\n", 0)
    across = f"{SIGNATURE}|across:topic+corpus|topic:(.)"
    told = run("verify", "--expect", "1", "--signature", across, *files).out
    assert told.endswith(", not 1 at the level corpus; other levels are not compared\n")


def test_how_intervals_were_made_moves_no_figure(files: tuple[str, str]) -> None:
    of_compare = f"{SIGNATURE}|samples:10000|seed:2012|interval:jackknife"
    done = run("verify", "--expect", "76.85", "--signature", of_compare, *files)
    assert (done.out, done.status) == ("same: conll is 76.85\n", 0)


@pytest.mark.parametrize("text", ["x", "conll.recall=3", "nan", "-1", "101", "muc.f2=3"])
def test_what_is_no_figure(files: tuple[str, str], text: str) -> None:
    assert run("verify", "--expect", text, "--signature", SIGNATURE, *files).status == 2
    assert run("verify", "--expect", "3", *files).status == 2


def test_a_signature_without_metrics_takes_some(files: tuple[str, str]) -> None:
    done = run("score", *files, "--signature", SIGNATURE, "-m", "muc,conll")
    assert done.status == 0
    assert "bcub" not in done.out
    assert "76.85" in done.out
    refused = run("score", *files, "--signature", f"metrics:muc|{SIGNATURE}", "-m", "conll")
    assert refused.status == 2


def test_the_signature_of_this_release_is_no_reason_for_a_warning(files: tuple[str, str]) -> None:
    assert "warning" not in run("score", *files, "--signature", SIGNATURE).err
    assert (
        "of corefkit 0.0.1" in run("score", *files, "--signature", "profile:e2e|version:0.0.1").err
    )
