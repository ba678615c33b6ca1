"""corefkit audit: what is asked for, what is written, and how it ends."""

import json
import sys
from pathlib import Path

import pytest

from corefkit.plugins.audit.battery import BATTERY
from corefkit.plugins.audit.behaviours import Behaviour
from tests.support import EXAMPLES, run

KEY = EXAMPLES / "key.conll"

PASTED = f"{EXAMPLES}/pasted_metrics.py:CorefEvaluator"


def table(rule: str = "standard", scale: int = 100) -> str:
    """A table as somebody would fill it in, of bcub by some rule."""
    lines = ["probe\tmetric\trecall\tprecision\tf1"]
    for probe in BATTERY:
        values = Behaviour("bcub", rule).predict(probe.documents).values
        assert values is not None
        cells = "\t".join(f"{scale * float(value):.2f}" for value in values)
        lines.append(f"{probe.id}\tB3\t{cells}")
    return "\n".join(lines) + "\n"


def test_a_pasted_class_as_text_json_and_markdown(tmp_path: Path) -> None:
    shown = run("audit", PASTED, "--once", "--shrink", "--about", "v1 @someone `x`")
    assert shown.status == 3, shown.err
    assert "B³      departs   drops singletons from both sides first" in shown.out
    assert shown.out.endswith("exit status 3: every departure is a known one\n")
    report = run("audit", "--python", PASTED, "--once", "--shrink", "-o", tmp_path / "a.md")
    text = (tmp_path / "a.md").read_text()
    assert report.status == 3
    assert "<details><summary>bcub: {bc} / {a} {bc}</summary>" in text
    assert "#begin document (probe/d00); part 000" in text
    assert text.endswith("exit status 3: every departure is a known one\n")
    run("audit", PASTED, "--once", "-m", "bcub", "-o", tmp_path / "a.json")
    found = json.loads((tmp_path / "a.json").read_text())
    assert [*found["metrics"]] == ["bcub"]
    assert found["metrics"]["bcub"]["rule"] == "singletons-both"
    assert found["scorer"]["style"] == "e2e"
    assert found["battery"] == {"probes": 35, "random": 12, "seed": 0, "left_out": []}
    assert found["exit"] == 3
    assert len(found["observed"]) == 47


SHORT = """
def zeros(keys, responses):
    return {name: {"recall": 0, "precision": 0, "f1": 0} for name in ("muc", "bcub", "conll")}

def one_side(entities, others, single):
    owner = {mention: entity for entity in others for mention in entity}
    earned = total = 0
    for entity in entities:
        for mention in entity:
            total += 1
            if len(entity) == 1:
                earned += single
            elif mention in owner:
                earned += len({*entity} & {*owner[mention]}) / len(entity)
    return earned, total

def bcub(keys, responses, single):
    sums = [0, 0, 0, 0]
    for key, response in zip(keys, responses):
        found = (*one_side(key, response, single), *one_side(response, key, single))
        sums = [a + b for a, b in zip(sums, found)]
    recall, precision = (a / b if b else 0 for a, b in (sums[:2], sums[2:]))
    both = recall + precision
    f1 = 2 * recall * precision / both if both else 0
    return {"bcub": {"recall": recall, "precision": precision, "f1": f1}}

def nothing(keys, responses):
    return bcub(keys, responses, 0)

def always(keys, responses):
    return bcub(keys, responses, 1)
"""


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("zeros", "always 0"),
        ("nothing", "a singleton earns nothing"),
        ("always", "a singleton always earns"),
    ],
)
def test_frequent_mistakes_have_names(tmp_path: Path, name: str, words: str) -> None:
    (tmp_path / "short.py").write_text(SHORT)
    done = run("audit", f"{tmp_path / 'short.py'}:{name}", "--style", "corpus", "--once")
    assert (done.status, f"B³      departs  {words}" in done.out) == (3, True), done.out
    assert ("CoNLL   departs  always 0" in done.out) == (name == "zeros")


def test_the_table_is_the_same_with_examples() -> None:
    """A mean of figures that depart is not called standard, and details are in both tables."""
    for options in ((), ("--shrink",)):
        out = run("audit", PASTED, "--once", *options, "-f", "markdown").out
        assert "| MUC | standard | as published but for repeated mentions |" in out
        assert "| CoNLL | – | the mean of the three F1 above |" in out


def test_only_the_conll_score_is_asked_for() -> None:
    """The three metrics are given, too, but what they depart in is then said of the score."""
    base = ("audit", "corefkit.compat.e2e:CorefEvaluator", "--once", "--random", "0")
    assert "the mean of the three F1 above" in run(*base).out
    alone = run(*base, "-m", "conll").out
    assert "the mean of the three F1; drops singletons from both sides first" in alone


def test_a_style_on_which_nearly_all_probes_fail(tmp_path: Path) -> None:
    (tmp_path / "picky.py").write_text(
        "def score(keys, responses):\n"
        "    if len(keys) != 2:\n"
        "        raise TypeError('two lists are needed')\n"
        "    return {'muc': {'recall': 1, 'precision': 1, 'f1': 1}}\n"
    )
    done = run("audit", f"{tmp_path / 'picky.py'}:score", "--style", "corpus", "--once")
    assert "nearly all probes fail: is --style corpus how the scorer is called?" in done.out


def test_foreign_text_cannot_leave_its_quotation(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text(table())
    out = run(
        "audit", "--answers", tmp_path / "a.tsv", "-f", "markdown", "--about", "`<b>@all|\x1b"
    ).out
    assert "&#96;&lt;b&gt;&#64;all&#124;\\x1b" in out


def test_answers_by_hand(tmp_path: Path) -> None:
    run("audit", "--write", tmp_path / "probes")
    files = sorted(path.name for path in (tmp_path / "probes").iterdir())
    assert len(files) == 72
    assert files[0] == "01-same.key.conll"
    assert run("audit", "--write", tmp_path / "probes").status == 2
    assert run("audit", "--write", tmp_path / "probes", "--force").status == 0
    given = tmp_path / "answers.tsv"
    given.write_text(table())
    done = run("audit", given)
    assert (done.status, "exit status 0" in done.out) == (0, True)
    given.write_text(table("per-entity"))
    done = run("audit", "--answers", given)
    assert done.status == 3
    assert "averages over entities, not over mentions" in done.out
    empty = (tmp_path / "probes" / "answers.tsv").read_text()
    given.write_text(empty)
    assert run("audit", given).status == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("same\tB3", "sane\tB3"), "there is no probe 'sane'"),
        (("same\tB3", "same\tB4"), "there is no metric 'B4'"),
        (("paper\tB3", "same\tB3"), "same has bcub twice"),
        (("same\tB3\t100.00", "same\tB3\t100,00"), "write decimals with a point, not a comma"),
        (("same\tB3\t100.00\t100.00\t100.00", "same\tB3\t1.0\t1.0\t1.0"), "are mixed"),
        (("paper\tB3\t41.67", "paper\tB3\t0.42"), "are mixed, see paper"),
        (("same\tB3\t100.00", "same\tB3\t100\t00"), "more cells than columns"),
        (("probe\t", "probes\t"), "no column 'probe'"),
    ],
)
def test_answers_that_cannot_be_read(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    given = tmp_path / "answers.tsv"
    given.write_text(table().replace(*change, 1))
    done = run("audit", "--answers", given)
    assert done.status == 1
    assert message in done.err
    assert "[answers-unreadable]" in done.err


def test_answers_in_json(tmp_path: Path) -> None:
    lines = [line.split("\t") for line in table().splitlines()[1:]]
    found = {
        probe: {"b_cubed": {"recall": float(r), "precision": float(p), "f1": float(f)}}
        for probe, _, r, p, f in lines
    }
    given = tmp_path / "answers.json"
    given.write_text(json.dumps(found))
    assert run("audit", given).status == 0
    given.write_text('{"same": 3}')
    assert run("audit", given).status == 1
    given.write_text('{"same": {}, "same": {}}')
    assert "twice" in run("audit", given).err


def test_what_is_expected() -> None:
    base = ("audit", PASTED, "--once", "--random", "0")
    assert run(*base, "-m", "muc", "--expect", "e2e").status == 0
    done = run(*base, "--expect", "e2e")
    assert (done.status, done.out.splitlines()[-1]) == (
        3,
        "exit status 3: is not the profile e2e",
    )
    assert run(*base, "-m", "muc", "--all-departures").status == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "give one scorer"),
        (("--command", "x {key}"), "has no {response}"),
        (("--command", "x {key} {response}", "--python", "a:b"), "give one scorer"),
        (("--command", "x {key} {response}", "--read", "nonsense"), "a group named f1"),
        (("--command", "x {key} {response}", "--read", "("), "is not a pattern"),
        (("--python", "metrics"), "MODULE:NAME"),
        (("metrics.py",), "name the class or function, too: metrics.py:NAME"),
        (("--python", "a:b", "--documents", "each"), "needs --style pairs"),
        (("--python", "a:b", "-m", "gap"), "the behaviours of 'gap' are unknown"),
        (("--write", "x", "a:b"), "takes no scorer"),
        (("x {key} {response}", "--files", KEY, KEY, "-f", "markdown"), "choose -f text or json"),
    ],
)
def test_command_lines_that_are_wrong(arguments: tuple[str, ...], message: str) -> None:
    done = run("audit", *arguments)
    assert done.status == 2
    assert message in done.err


def test_a_scorer_that_cannot_be_run_ends_with_one() -> None:
    done = run("audit", "--command", "no-such-thing {key} {response}")
    assert done.status == 1
    assert "[scorer-unusable]" in done.err
    assert "Traceback" not in done.err


def test_the_smallest_part_of_files(tmp_path: Path) -> None:
    """A scorer that gives half a point for everything: the smallest files are of one entity."""
    line = f"{sys.executable} -I -S -c \"print('muc Recall: 50 Precision: 50 F1: 50.00')\""
    asked = ("audit", f"{line} {{key}} {{response}}", "-m", "muc", "--files", KEY, KEY)
    done = run(*asked, "--budget", "30", "-f", "json", "-o", tmp_path / "small")
    assert done.status == 0, done.err
    found = json.loads(done.out)
    assert [scorer["f1"]["muc"] for scorer in found["scorers"]] == [0.0, 0.5]
    assert len(found["documents"]) == 1
    small = [tmp_path / f"small.{side}.conll" for side in ("key", "response")]
    assert json.loads(run("score", *small, "-m", "muc", "-f", "json").out)["systems"]
    as_text = run(*asked, "--budget", "3").out
    assert "the budget was used up" in as_text
    same = ("audit", "--python", "corefkit.compat.scorch:muc", "--style", "pairs", "-m", "muc")
    done = run(*same, "--files", KEY, EXAMPLES / "hasty.conll")
    assert done.status == 2
    assert "differ by 0 points at most" in done.err
