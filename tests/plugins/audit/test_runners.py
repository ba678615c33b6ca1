"""How scorers are asked: every style, command lines, and scorers that misbehave."""

import hashlib
import json
import sys
import time
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

import corefkit
from corefkit.core.incidents import DataError
from corefkit.core.options import UsageError
from corefkit.plugins.audit.audit_result import Audit, AuditPlan
from corefkit.plugins.audit.battery import BATTERY, REVERSED, probe_files, random_probes
from corefkit.plugins.audit.run import run_audit
from corefkit.plugins.audit.runners import (
    CommandRunner,
    PythonRunner,
    Runner,
    ScorerCall,
    presentable,
)
from tests.strategies import some_of
from tests.support import needs_conformance

from .scorers import audit_file, scorer_of
from .test_verdict import check

EVALUATORS = str(Path(__file__).with_name("evaluators.py"))
QUICK = AuditPlan(random=0, once=True)


def audited(name: str, style: str = "corpus", plan: AuditPlan = QUICK, **more: Any) -> Audit:
    return run_audit(PythonRunner(f"{EVALUATORS}:{name}", ScorerCall(style, **more)), plan)


def command_runner(line: str, **how: Any) -> Runner:
    return CommandRunner(line, ScorerCall(**how))


@pytest.mark.parametrize(
    ("name", "style", "metrics"),
    [
        ("standard", "corpus", ["muc"]),
        ("Named", "e2e-named", ["muc", "bcub", "ceafe", "conll"]),
        ("Checker", "checker", ["muc", "bcub", "ceafe", "lea", "conll"]),
        ("evaluate", "coval", ["muc"]),
    ],
)
def test_styles(name: str, style: str, metrics: list[str]) -> None:
    audit = audited(name, style)
    assert {metric: v.verdict for metric, v in audit.metrics.items()} == dict.fromkeys(
        metrics, "standard"
    )
    assert audit.exit == 0
    assert audit.profile == "standard" or name == "evaluate"


def test_pairs_with_the_order_of_the_triple() -> None:
    audit = audited("pair", "pairs", order="prf", metrics=("muc",))
    assert audit.metrics["muc"].words == "as standard"
    wrong = audited("pair", "pairs", order="rpf", metrics=("muc",))
    assert wrong.metrics["muc"].words == "precision and recall are exchanged"
    each = audited("pair", "pairs", documents="each", order="prf", metrics=("muc",))
    assert "uneven" in each.left_out
    assert each.exit == 0
    with pytest.raises(UsageError, match="name its metric"):
        audited("pair", "pairs")


def test_two_candidates_are_a_usage_error() -> None:
    with pytest.raises(UsageError, match="two candidates for the f1 of muc: muc/f1, micro/muc"):
        audited("two_names")


def test_what_a_scorer_may_do_to_its_process() -> None:
    """Forks, prints megabytes, goes elsewhere: the figures are what they are."""
    for name in ("forks", "prints", "moves"):
        audit = audited(name)
        assert (audit.exit, audit.profile) == (0, "standard"), name


@pytest.mark.long
def test_a_scorer_that_hangs_is_ended(tmp_path: Path) -> None:
    begin = time.monotonic()
    audit = audited("hangs", timeout=0.3, plan=AuditPlan(random=0, once=True))
    assert audit.fails is not None
    assert audit.fails.error == "did not finish within 0.3 s"
    assert audit.stopped or set(audit.fails.probes) < {probe.id for probe in BATTERY}
    with pytest.raises(DataError, match="no probe gave a value: did not finish within"):
        audited("always_hangs", timeout=0.2)
    assert time.monotonic() - begin < 60


def test_a_scorer_that_ends_the_interpreter() -> None:
    audit = audited("ends")
    assert audit.fails is not None
    assert audit.fails.error == "the process ended: the end"
    assert "uneven" in audit.fails.probes
    assert "nothing" not in audit.fails.probes
    left = audited("exits")
    assert left.fails is not None
    assert left.fails.error == "SystemExit: bye"


@pytest.mark.parametrize(
    ("name", "error", "timed_out"),
    [
        ("huge", "more than 1 MB of output", False),
        ("closes", "the process ended", False),
        pytest.param("deaf", "did not finish within 0.2 s", True, marks=pytest.mark.long),
    ],
)
def test_what_is_a_failure_each_time(name: str, error: str, timed_out: bool) -> None:
    """Replies of megabytes, all descriptors closed, signals caught: the next run starts anew."""
    call = ScorerCall("corpus", timeout=0.2 if timed_out else 30.0)
    runner = PythonRunner(f"{EVALUATORS}:{name}", call)
    answers = [runner.ask(BATTERY[0]), runner.ask(BATTERY[0])]
    runner.close()
    assert answers[0] == answers[1]
    assert answers[0].error is not None and answers[0].error.startswith(error)
    assert answers[0].timed_out == timed_out


def test_modules_that_cannot_be_imported(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("raise RuntimeError('first\\nlast line')")
    for target, message in [
        (f"{tmp_path}/broken.py:x", "RuntimeError: last line"),
        ("no_such_module:x", "ModuleNotFoundError: No module named 'no_such_module'"),
        (f"{EVALUATORS}:nothing", "has no attribute 'nothing'"),
    ]:
        with pytest.raises(DataError, match="cannot be imported") as raised:
            run_audit(PythonRunner(target, ScorerCall("corpus")), QUICK)
        assert message in str(raised.value)
        assert "--path DIR" in str(raised.value)
        assert "--style" not in str(raised.value)
    with pytest.raises(UsageError, match="MODULE:NAME"):
        PythonRunner("metrics")


def test_the_working_process_never_imports_foreign_code() -> None:
    audited("standard")
    assert "evaluators" not in sys.modules


def test_our_modules_come_before_those_of_the_path(tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text("raise RuntimeError('shadowed')")
    (tmp_path / "one.py").write_text(Path(EVALUATORS).read_text())
    runner = PythonRunner("one:standard", ScorerCall("corpus", path=str(tmp_path)))
    assert run_audit(runner, QUICK).exit == 0


# Command lines

LOOK_UP = """\
import hashlib, json, sys
answers = json.load(open(sys.argv[1]))
name = hashlib.md5(open(sys.argv[2], "rb").read() + open(sys.argv[3], "rb").read()).hexdigest()
if answers[name] is None: sys.exit("no value")
sys.stdout.write(answers[name])
"""


def command_for(described: dict[str, Any], folder: Path, probes: list[Any]) -> str:
    """A command that prints what a scorer of the conformance folder says, as text."""
    scorer = scorer_of(described)
    answers: dict[str, str | None] = {}
    for probe in probes:
        key, response = probe_files(probe.documents, "conll")
        name = hashlib.md5(key + response, usedforsecurity=False).hexdigest()
        sides = zip(*(d.sides for d in probe.documents), strict=True)
        try:
            found = scorer(*sides)
        except ValueError:
            answers[name] = None
            continue
        digits = min(described["digits"], 12)
        lines = [
            f"{metric}: " + " ".join(f"{p}={v:.{digits}f}" for p, v in values.items())
            for metric, values in found.items()
        ]
        answers[name] = "\n".join(lines) + "\n"
    (folder / "answers.json").write_text(json.dumps(answers))
    (folder / "look_up.py").write_text(LOOK_UP)
    program = f"{sys.executable} -I -S {folder}/look_up.py {folder}/answers.json"
    return f"{program} {{key}} {{response}}"


PATTERN = (
    r"^(?P<metric>\w+):(?: recall=(?P<recall>\S+))?(?: precision=(?P<precision>\S+))?"
    r" f1=(?P<f1>\S+)$"
)


@needs_conformance
@pytest.mark.more
@pytest.mark.parametrize("number", some_of([4, 0, 2, 8], 4))
def test_scorers_of_the_conformance_folder_as_commands(number: int, tmp_path: Path) -> None:
    described = audit_file("verdicts")[number]
    probes = [*BATTERY, *(p.reversed for p in BATTERY if p.id in REVERSED)]
    command = command_for(described, tmp_path, probes)
    runner = command_runner(command, read=PATTERN)
    audit = run_audit(runner, AuditPlan(random=0, once=True))
    check(audit.to_dict(), described["expected"])


def shell(script: str) -> str:
    return f"sh -c '{script}' sh {{key}} {{response}}"


@pytest.mark.parametrize(
    ("script", "error"),
    [
        ("exit 3", "exit status 3"),
        ("echo oops >&2; exit 1", "exit status 1: oops"),
        ("echo nothing here", "found:    nothing here"),
        ("head -c 3000000 /dev/zero", "more than 1 MB of output"),
        ("exec >&- 2>&-; sleep 9", "did not finish within 0.3 s"),
        ("sleep 9", "did not finish within 0.3 s"),
        ('printf "\\\\033[31m\\\\377"', r"found:    \x1b[31m\xff"),
    ],
)
def test_commands_that_come_to_no_good_end(script: str, error: str) -> None:
    limit = 0.3 if "sleep" in script else 20.0  # a busy machine takes its time to start a shell
    with pytest.raises(DataError) as raised:
        run_audit(command_runner(shell(script), timeout=limit), QUICK)
    assert error in str(raised.value)


def test_what_a_command_leaves_running_is_killed(tmp_path: Path) -> None:
    script = f"sleep 77 & echo $! >> {tmp_path}/children; echo muc: f1=0.5"
    runner = command_runner(shell(script), read=PATTERN, timeout=5.0)
    assert runner.ask(BATTERY[0]).error is None
    children = (tmp_path / "children").read_text().split()
    end = monotonic() + 10
    while any(map(_is_running, children)):  # the signal is sent; on a busy machine it takes a while
        assert monotonic() < end
        sleep(0.01)


def _is_running(number: str) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False


def test_a_command_that_cannot_be_run(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("x")
    for command, reason in [
        ("no-such-program", "No such file"),
        (f"{tmp_path}/text", "Permission"),
    ]:
        with pytest.raises(DataError, match=f"cannot be run: {reason}"):
            corefkit.audit(f"{command} {{key}} {{response}}")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("x {key}", "has no {response}"),
        ("x {key} {response} {other}", "{other} is not a placeholder"),
        ("x '{key} {response}", "No closing quotation"),
    ],
)
def test_command_lines_that_are_wrong(command: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        corefkit.audit(command)


def test_braces_folders_and_metrics(tmp_path: Path) -> None:
    script = tmp_path / "show"
    script.write_text(
        "#!/bin/sh\n"
        f'echo "$1 $4 $(pwd)" >> {tmp_path}/log; test -s "$2" && test -s "$3"; '
        'touch beside; echo "$1: f1=0.25"\n'
    )
    script.chmod(0o755)
    line = f"{script} {{metric}} {{key}} {{response}} a{{{{b}}}}"
    runner = command_runner(
        line + " {folder}", metrics=("muc", "lea"), read=PATTERN, input="jsonlines", timeout=5.0
    )
    for probe in BATTERY[:3]:
        assert runner.ask(probe).figures.keys() == {"muc", "lea"}
    logged = (tmp_path / "log").read_text().splitlines()
    assert {line.split()[0] for line in logged} == {"muc", "lea"}
    assert {line.split()[1] for line in logged} == {"a{b}"}
    folders = {line.split()[2] for line in logged}
    assert len(folders) == len(logged)
    assert not any(Path(folder).exists() for folder in folders)


def test_home_folders_and_escapes_are_not_quoted() -> None:
    home = str(Path("~").expanduser())
    assert presentable(f"{home}/x\x1b[31m") in ("~/x\\x1b[31m", f"{home}/x\\x1b[31m")


def test_a_scorer_that_is_called_in_this_process() -> None:
    def scorer(keys: Any, responses: Any) -> Any:
        if any(not side for side in keys):
            raise ZeroDivisionError("division by zero")
        evaluator = corefkit.Evaluator("bcub")
        for key, response in zip(keys, responses, strict=True):
            evaluator.update(key, response)
        return {"b_cubed": evaluator.scores()["bcub"].to_dict()}

    audit = corefkit.audit(scorer, style="corpus", shrink=True)
    assert audit.fails is not None
    assert audit.fails.error == "ZeroDivisionError: division by zero"
    assert audit.fails.reason is not None
    assert audit.exit == 3
    assert "bcub standard" in repr(audit)


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        ({"metrics": ("gap",)}, "the behaviours of 'gap' are unknown"),
        ({"expect": "nobody"}, "expect: unknown value 'nobody'"),
        ({"nonsense": 1}, "audit: got an unexpected keyword argument 'nonsense'"),
        ({"style": "own"}, "style: unknown value 'own'"),
        ({"input": "own"}, "input: unknown value 'own'"),
        ({"style": "corpus", "documents": "each"}, "--documents each needs --style pairs"),
    ],
)
def test_plans_and_calls_that_are_wrong(plan: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        corefkit.audit(dict, **plan)


def test_probes_are_asked_in_fresh_files_each_time() -> None:
    """A scorer that spoils its input spoils nothing for the next run."""
    script = "rm -f $1 $2; echo muc: f1=1"
    runner = command_runner(shell(script), read=PATTERN, timeout=5.0)
    assert {runner.ask(BATTERY[0]).error for _ in range(2)} == {None}


def test_every_form_holds_the_probes() -> None:
    for probe in (*BATTERY, *random_probes(3)):
        documents = {f"d{n:02}": document for n, document in enumerate(probe.documents)}
        for form in ("conll", "jsonlines", "corefud"):
            if form == "corefud" and probe.copies:
                continue
            for place, data in enumerate(probe_files(probe.documents, form)):
                corpus = read_bytes(data, form)
                clusters = corpus.clusters()
                assert len(clusters) == len(documents)
                for made, document in zip(clusters.values(), documents.values(), strict=True):
                    assert as_sets(made) == as_sets(document[place])


def read_bytes(data: bytes, form: str) -> corefkit.Corpus:
    import tempfile

    endings = {"conll": ".conll", "jsonlines": ".jsonl", "corefud": ".conllu"}
    with tempfile.NamedTemporaryFile(suffix=endings[form]) as file:
        file.write(data)
        file.flush()
        return corefkit.read(file.name)


def as_sets(side: Any) -> list[Any]:
    return sorted(sorted({(int(start), int(end)) for start, end in e}) for e in side)
