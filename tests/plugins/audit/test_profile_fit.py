"""Every profile of corefkit is found under its own name, by what its command prints."""

import sys
from pathlib import Path
from typing import Any

import pytest

from corefkit.compat import checker, official, scorch, tanl
from corefkit.plugins.audit.answers import PRESETS, ScorerAnswer
from corefkit.plugins.audit.audit_result import Audit, AuditPlan
from corefkit.plugins.audit.battery import Probe, file_names, probe_files, writable
from corefkit.plugins.audit.behaviours import Behaviour
from corefkit.plugins.audit.run import run_audit
from corefkit.plugins.audit.runners import (
    CallableRunner,
    CommandRunner,
    PythonRunner,
    Runner,
    ScorerCall,
)
from corefkit.scorers import PROFILES
from tests.strategies import some_of
from tests.support import run, run_scorer

from .scorers import scorer_of

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # figures without mentions

QUICK = AuditPlan(random=4, once=True)


class InProcess(Runner):
    """A command of ours that is called in this process, on files as a command gets them."""

    kind = "command"

    def __init__(
        self, folder: Path, *words: str, form: str = "conll", preset: str = "corefkit"
    ) -> None:
        super().__init__(" ".join(words))
        self.folder, self.words, self.form, self.preset = folder, words, form, preset

    def takes(self, probe: Probe) -> bool:
        return writable(probe, self.form)

    def answer(self, probe: Probe) -> ScorerAnswer:
        paths = [self.folder / name for name in file_names(self.form)]
        for path, data in zip(paths, probe_files(probe.documents, self.form), strict=True):
            path.write_bytes(data)
        call: Any = run_scorer if self.words[0] == "corefkit-scorer" else run
        named = {"{key}": paths[0], "{response}": paths[1]}
        done = call(*(named.get(word, word) for word in self.words[1:]))
        if done.status:
            return ScorerAnswer(error=done.err.strip().splitlines()[-1])
        return ScorerAnswer(PRESETS[self.preset](done.out, ()))


def audited(runner: InProcess) -> Audit:
    return run_audit(runner, QUICK)


@pytest.mark.more
@pytest.mark.parametrize("profile", some_of([*PROFILES], 6))
def test_profiles_are_found_under_their_names(profile: str, tmp_path: Path) -> None:
    form = "corefud" if profile.startswith("corefud") else "conll"
    words = ("corefkit", "score", "{key}", "{response}", "--profile", profile, "-f", "json")
    is_the_profile(audited(InProcess(tmp_path, *words, form=form)), profile)


@pytest.mark.long
@pytest.mark.more
@pytest.mark.parametrize("profile", some_of([*PROFILES], 12))
def test_profiles_as_commands(profile: str) -> None:
    """Each run is a process of its own, as users audit a command line."""
    form = "corefud" if profile.startswith("corefud") else "conll"
    command = f"{sys.executable} -m corefkit score {{key}} {{response}} --profile {profile} -f json"
    runner = CommandRunner(command, ScorerCall(read="corefkit", input=form, timeout=120))
    is_the_profile(run_audit(runner, AuditPlan(random=0, once=True)), profile)


def is_the_profile(audit: Audit, profile: str) -> None:
    """What an audit must say about a profile of corefkit."""
    assert profile in [name for name, _ in audit.profiles], audit
    assert audit.fails is None
    assert not audit.order
    if profile == "standard":
        copies = {name: v.copies for name, v in audit.metrics.items() if name != "conll"}
        assert copies.pop("mentions") == "first"
        assert {*copies.values()} == {"sorted"}
    if profile in ("standard", "conll-8.01", "coval", "e2e", "e2e-singletons", "corefud"):
        assert audit.profile == profile
    assert audit.exit == (3 if profile.startswith(("e2e", "corefud", "ua")) else 0)


def test_the_text_of_the_reference_scorer(tmp_path: Path) -> None:
    words = ("corefkit-scorer", "all", "{key}", "{response}", "none")
    audit = audited(InProcess(tmp_path, *words, preset="scorer.pl"))
    assert audit.profile == "conll-8.01"
    assert [*audit.metrics] == ["mentions", "muc", "bcub", "ceafm", "ceafe", "blanc"]
    notes = {verdict.note for verdict in audit.metrics.values()}
    assert all(note and "figures are truncated, not rounded" in note for note in notes)
    assert any(note and "as in the profile conll-8.01" in note for note in notes)
    assert audit.exit == 0


def test_the_table_of_score(tmp_path: Path) -> None:
    audit = audited(InProcess(tmp_path, "corefkit", "score", "{key}", "{response}"))
    assert (audit.profile, audit.exit) == ("standard", 0)
    assert {verdict.scale and verdict.scale[:2] for verdict in audit.metrics.values()} == {(100, 2)}


@pytest.mark.parametrize(
    ("target", "style", "profile"),
    [
        ("corefkit.compat.e2e:CorefEvaluator", "e2e", "e2e"),
        ("corefkit.compat.coval:evaluator.evaluate_documents", "coval", "coval"),
    ],
)
def test_classes_of_compat_are_their_profiles(target: str, style: str, profile: str) -> None:
    audit = run_audit(PythonRunner(target, ScorerCall(style)), QUICK)
    assert audit.profile == profile
    assert audit.exit == (3 if profile == "e2e" else 0)


def test_the_other_classes_of_compat() -> None:
    """Those whose profile several others are equal to, on the metrics that they have."""
    classes: dict[str, tuple[Any, str]] = {
        "e2e-singletons": (official.OfficialCoNLL2012CorefEvaluator, "e2e-named"),
        "standard": (_tanl, "corpus"),
    }
    for profile, (target, style) in classes.items():
        audit = run_audit(CallableRunner(target, ScorerCall(style)), QUICK)
        assert profile in [name for name, _ in audit.profiles]
        assert audit.exit == 0
    audit = run_audit(CallableRunner(checker.ClusterChecker, ScorerCall("checker")), QUICK)
    verdicts = {name: verdict.verdict for name, verdict in audit.metrics.items()}
    assert verdicts.pop("lea") == "departs"  # without singletons, as the original
    assert {*verdicts.values()} == {"standard"}
    assert {v.zero for name, v in audit.metrics.items() if name != "conll"} == {"0"}
    assert {v.epsilon for v in audit.metrics.values()} == {None}


def _tanl(keys: Any, responses: Any) -> Any:
    return tanl.CorefAllMetrics().get_all_metrics(keys, responses)["micro"]


@pytest.mark.parametrize(
    ("function", "metric"),
    [
        (scorch.muc, "muc"),
        (scorch.b_cubed, "bcub"),
        (scorch.ceaf_m, "ceafm"),
        (scorch.ceaf_e, "ceafe"),
        (scorch.conll2012, "conll"),
    ],
)
def test_functions_of_scorch(function: Any, metric: str) -> None:
    plan = AuditPlan(metrics=(metric,), random=4, once=True)
    audit = run_audit(CallableRunner(function, ScorerCall("pairs", metrics=(metric,))), plan)
    assert "standard" in [name for name, _ in audit.profiles]
    assert audit.exit == 0


@pytest.mark.parametrize(("copies", "profile"), [("first", "corefud"), ("copies", "e2e")])
def test_the_profile_with_these_copies_comes_first(copies: str, profile: str) -> None:
    """Files of CorefUD hold no repeated mentions, so it is the profile of nobody who keeps them."""
    behaviour = {**vars(Behaviour("bcub", "singletons-both")), "copies": copies}
    described = {"metrics": {"bcub": behaviour}, "scale": 1, "digits": 15, "only": None}
    runner = CallableRunner(scorer_of(described), ScorerCall("corpus"))
    assert run_audit(runner, QUICK).profile == profile
