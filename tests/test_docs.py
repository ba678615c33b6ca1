"""The documentation is executed: every command and every line of Python on our pages runs here.

In a ```sh block, lines that start with "$ " are commands and the lines below a command are what it
prints, word for word; a line "…" stands for any number of lines. A block without "$ " is all
commands. Whatever a reader would install or make is not run, but must exist. A command that fails
must be followed by `$ echo $?`, so that the page admits it.

```python blocks of one page share their names; those with >>> are doctests. All blocks of a page
run in order, in a copy of the repository's root that holds nothing but the examples. A command of
ours without pipes and the like runs in the process of the test, all others run in a shell.

Pages show the version of the release that they describe, which CITATION.cff names: whatever version
is tested counts as that one when outputs are compared.
"""

import contextlib
import doctest
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import corefkit
from corefkit.metrics import NAMES
from corefkit.plugins.audit.audit_result import EXITS
from corefkit.scorers import PROFILES
from tests.support import EXAMPLES, ROOT, run, run_corefud_scorer, run_scorer, run_ua_scorer

PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    EXAMPLES / "README.md",
]
EXECUTED = ("sh", "python")
SHOWN = ("text", "json", "make", "diff")
NOT_RUN = ("make", "pip", "git")
ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith("COREFKIT_")} | {
    "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])),
    "COLUMNS": "80",
    "PYTHONUTF8": "1",
}
CHANGED = {k: ENVIRONMENT.get(k) for k in {*os.environ, *ENVIRONMENT}}
OURS = {
    "corefkit": run,
    "corefkit-scorer": run_scorer,
    "corefkit-corefud-scorer": run_corefud_scorer,
    "corefkit-ua-scorer": run_ua_scorer,
}

NEEDED: dict[str, dict[str, tuple[str, ...]]] = {
    "cross-document.md": {"import duckdb": ("duckdb",)},
    "python.md": {
        "to_frame()": ("pandas", "polars"),
        "import spacy": ("spacy",),
        "import evaluate": ("evaluate",),
        "inspect_example": ("inspect_ai",),
        "lm_eval_example": ("lm_eval",),
    },
}
"""Packages without which a block with this text cannot run, nor the rest of its page."""
CITED = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
RELEASE = CITED[1] if CITED else ""

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, and the line (from 1) its text begins on."""

    language: str
    text: str
    line: int


@dataclass(frozen=True)
class Command:
    """A command of a page and what the page says it prints: nothing said is None."""

    text: str
    prints: list[str] | None


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for found in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield Block(found[1], found[2], text.count("\n", 0, found.start()) + 2)


def commands(block: str) -> Iterator[Command]:
    """The commands of a block; a backslash at the end of a command joins the next line to it."""
    lines = re.sub(r"^(\$ .*)\\\n", r"\1", block, flags=re.MULTILINE).splitlines()
    starts = [i for i, line in enumerate(lines) if line.startswith("$ ")]
    if not starts:
        yield from (Command(line, None) for line in lines if line.strip())
        return
    assert starts[0] == 0, "a block begins with a command"
    for start, end in pairwise([*starts, len(lines)]):
        yield Command(lines[start].removeprefix("$ "), lines[start + 1 : end] or None)


def looks_like(printed: str, expected: Sequence[str]) -> bool:
    """Whether the lines are the expected ones; a line "…" stands for any number of lines."""
    lines = [r"(?:[^\n]*\n)*" if e == "…" else re.escape(e) + "\n" for e in expected]
    return re.fullmatch("".join(lines).rstrip("\n") + "\n*", as_released(printed)) is not None


def as_released(printed: str) -> str:
    """What a released version would print."""
    return printed.replace(corefkit.__version__, RELEASE)


class ReleaseChecker(doctest.OutputChecker):
    """Compares as if the version were that of the release."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        return super().check_output(want, as_released(got), optionflags)


def run_shell(text: str, folder: Path) -> None:
    """Run the commands of a block; each sees the exit status of the one before it as $?."""
    status, failed = 0, ""
    for command in commands(text):
        words = shlex.split(command.text, comments=True)
        if words and words[0] in NOT_RUN:
            must_exist(words)
            continue
        assert not failed or command.text == "echo $?", f"failed, status {status}: {failed}"
        plain, quiet = without_silence(command.text)
        if words and words[0] in OURS and not needs_shell(plain):
            with contextlib.chdir(folder):
                done = OURS[words[0]](*shlex.split(plain, comments=True)[1:], environment=CHANGED)
            shown = {"": done.shown, "2": done.out, "1": done.err, "12": "", "21": ""}[quiet]
            status = done.status
        else:
            status, shown = in_shell(f"(exit {status}); {command.text}", folder)
        failed = command.text if status else ""
        if command.prints is not None:
            same, wanted = looks_like(shown, command.prints), "\n".join(command.prints)
            assert same, f"$ {command.text}\n--- prints\n{shown}\n--- the page says\n{wanted}"
    assert not failed, f"failed, status {status}: {failed}"


def without_silence(text: str) -> tuple[str, str]:
    """The command without `> /dev/null` and `2> /dev/null`, and the streams that are silent."""
    plain, *silent = re.split(r" (2?)> /dev/null\b", text)
    return "".join([plain, *silent[1::2]]), "".join(number or "1" for number in silent[::2])


def needs_shell(text: str) -> bool:
    """Whether a command has pipes, redirections, variables or patterns; a few others count, too."""
    tokens = shlex.shlex(text, posix=True, punctuation_chars=True)
    return any(set(t) <= set("();<>|&") for t in tokens) or any(c in text for c in "$`*?[~")


def in_shell(text: str, folder: Path) -> tuple[int, str]:
    """The exit status of a command and what it prints on either stream."""
    done = subprocess.run(
        ["sh", "-c", text],
        cwd=folder,
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout


def must_exist(words: Sequence[str]) -> None:
    """What is made or installed must be there: targets of the Makefile, extras of the package."""
    if words[0] == "make":
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        for target in words[1:]:
            known = "=" in target or re.search(rf"^{re.escape(target)}:", makefile, re.MULTILINE)
            assert known, f"the Makefile has no target {target!r}"
    if words[0] == "pip":
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        found = re.findall(r"\.\[([\w,]+)\]", " ".join(words))
        for extra in ",".join(found).split(",") if found else ():
            assert extra in project["optional-dependencies"], f"there is no extra {extra!r}"


def run_python(block: Block, names: dict[str, Any], page: str) -> None:
    if not re.search(r"^>>> ", block.text, re.MULTILINE):
        exec(compile("\n" * (block.line - 1) + block.text, page, "exec"), names)
        return
    name = f"{page}:{block.line}"
    test = doctest.DocTestParser().get_doctest(block.text, names, name, page, block.line - 1)
    told: list[str] = []
    runner = doctest.DocTestRunner(ReleaseChecker(), False, doctest.ELLIPSIS)
    outcome = runner.run(test, out=told.append, clear_globs=False)
    names.update(test.globs)
    assert not outcome.failed, "".join(told)


@pytest.mark.parametrize(
    "page",
    [pytest.param(p, marks=[pytest.mark.long] if p.parent != ROOT else []) for p in PAGES],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    name = str(page.relative_to(ROOT))
    names: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks(page):
        for text, packages in NEEDED.get(page.name, {}).items():
            for package in packages if text in block.text else ():
                reason = f"{package} is not installed: `make integrations`"
                pytest.importorskip(package, reason=reason)
        try:
            if block.language == "sh":
                run_shell(block.text, tmp_path)
            elif block.language == "python":
                run_python(block, names, name)
        except Exception as error:
            error.add_note(f"in the block at {name}:{block.line}")
            raise


@each_page
def test_no_block_escapes(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    languages = [block.language for block in blocks(page)]
    assert len(re.findall(r"^\s*```", text, re.MULTILINE)) == 2 * len(languages)
    assert set(languages) <= {*EXECUTED, *SHOWN}


@each_page
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), f"{page.name}: there is no {path}"
        assert not anchor or anchor in anchors(target), f"{page.name}: there is no {link}"


def anchors(page: Path) -> set[str]:
    """The anchors of the headings, as code hosts make them."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


def test_the_benchmark_table_is_there_and_good() -> None:
    text = (ROOT / "docs" / "speed.md").read_text(encoding="utf-8")
    table = text.partition("<!-- bench -->")[2].partition("<!-- /bench -->")[0]
    assert table.count("| ok |") > 15
    assert "NOT OK" not in table
    assert "not measured" not in table


def test_every_metric_is_explained() -> None:
    text = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
    explained = {*anchors(ROOT / "docs" / "metrics.md"), *re.findall(r"`(\w+)`", text)}
    assert [name for name in NAMES if name not in explained] == []


def test_every_page_is_listed() -> None:
    text = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    pages = {page.name for page in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert pages - set(re.findall(r"\]\(([\w-]+\.md)\)", text)) == set()


def test_the_readme_counts_the_formats() -> None:
    formats = json.loads(run("formats", "-f", "json").out)["formats"]
    read, written = (sum(one[way] for one in formats) for way in ("read", "written"))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"[{read} formats](docs/formats.md) in, {written} of them out" in readme
    assert readme.count("\n") <= 120


def test_every_exit_status_and_profile_is_explained() -> None:
    text = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    statuses = text.partition("\n## Exit status\n")[2].partition("\n## ")[0]
    assert [status for status in EXITS if f"\n| {status} | " not in statuses] == []
    text = (ROOT / "docs" / "reproducing.md").read_text(encoding="utf-8")
    profiles = text.partition("\n## Profiles\n")[2].partition("\n## ")[0]
    assert [name for name in PROFILES if f"`{name}`" not in profiles] == []


def test_every_public_name_is_explained() -> None:
    text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    assert [name for name in dir(corefkit) if name not in text] == []


def apply(diff: str, root: Path) -> None:
    """Apply a diff, whose hunks have no line numbers; what they remove must be there once."""
    for name, hunks in re.findall(
        r"^--- a/(.*)\n\+\+\+ .*\n((?:[@ +-].*\n)+?)(?=---|\Z)", diff, re.M
    ):
        text = (root / name).read_text(encoding="utf-8")
        for hunk in hunks.split("@@\n")[1:]:
            before, after = (
                "".join(re.findall(rf"^[ {sign}](.*\n)", hunk, re.MULTILINE)) for sign in "-+"
            )
            assert text.count(before) == 1, f"{name}: {before}"
            text = text.replace(before, after)
        (root / name).write_text(text, encoding="utf-8")


def test_the_worked_changes_work(tmp_path: Path) -> None:
    """The diffs of CONTRIBUTING, applied to a copy: a metric by its name, and the last copy."""
    shutil.copytree(ROOT / "src", tmp_path / "src")
    diffs = [b.text for b in blocks(ROOT / "CONTRIBUTING.md") if b.language == "diff"]
    assert len(diffs) == 2
    for diff in diffs:
        apply(diff, tmp_path)
    program = """
from corefkit import Evaluator
evaluator = Evaluator("whole")
scores = evaluator.update(["ab", "cd", "e"], ["ab", "bcd", "e"]).scores()
print(*scores["whole"].counts["recall"])
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=ENVIRONMENT | {"PYTHONPATH": str(tmp_path / "src")},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    # Without the second b all three entities are whole; without the first one, only the last is.
    assert done.stdout == "1 3\n", done.stderr


@pytest.mark.long
def test_demo_runs(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    done = subprocess.run(
        ["sh", "examples/demo.sh"],
        cwd=tmp_path,
        env=ENVIRONMENT | {"BIN": str(Path(sys.executable).parent)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (
        f"{100 * corefkit.score(EXAMPLES / 'key.conll', EXAMPLES / 'careful.conll').conll:.2f}"
        in (done.stdout)
    )
    written = {path.name for path in (tmp_path / "out").iterdir()}
    assert written
    assert all(f"out/{name}" in done.stdout for name in written)
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 100
    assert len(lines) + len(done.stderr.splitlines()) <= 120


def test_figures_of_the_examples() -> None:
    text = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    figures = re.findall(r"^\| `(\w+\.conll)` \|((?: \d+ \|){6})$", text, re.MULTILINE)
    assert len(figures) == 4
    for name, cells in figures:
        corpus = corefkit.read(EXAMPLES / name)
        assert [int(n) for n in re.findall(r"\d+", cells)] == [
            len({document.partition(";")[0] for document in corpus.names}),
            len(corpus.names),
            int(corpus.tokens.sum()),
            corpus.mentions,
            corpus.entities,
            int((corpus.entity_size == 1).sum()),
        ]
    rough = re.findall(r"^\| `(\w+\.conll)` \|.*\| (\d+) \|$", text, re.MULTILINE)[:3]
    for name, f1 in rough:
        scores = corefkit.score(EXAMPLES / "key.conll", EXAMPLES / name)
        assert round(100 * scores.conll) == int(f1)


@pytest.mark.parametrize(
    ("printed", "expected", "alike"),
    [
        ("a\nb\n", ["a", "b"], True),
        ("a\nb\n", ["a"], False),
        ("a\nb\nc\n", ["a", "…", "c"], True),
        ("a\n", ["a", "…"], True),
        ("a\nb\n", ["…", "b"], True),
        ("a\nb\n", ["…", "a"], False),
        ("a.b\n", ["a b"], False),
        ("", ["a"], False),
    ],
)
def test_looks_like(printed: str, expected: list[str], alike: bool) -> None:
    assert looks_like(printed, expected) is alike


@pytest.mark.parametrize(
    "block",
    [
        "$ echo a\nb\n",
        "false\n",
        "$ false\n",
        "$ false\n$ echo b\nb\n",
        "make nothing\n",
        "pip install '.[nothing]'\n",
        "a\n$ echo a\n",
    ],
)
def test_a_page_that_is_wrong_fails(block: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        run_shell(block, tmp_path)


def test_a_page_that_is_right_passes(tmp_path: Path) -> None:
    run_shell("$ echo a\na\n\n$ false\n$ echo $?\n1\n$ echo b \\\n  c\nb c\n", tmp_path)
    run_shell("make demo PYTHON=python3\npip install '.[dev]'  # once\necho b > c\n", tmp_path)
    assert (tmp_path / "c").read_text() == "b\n"
