"""How a scorer is asked: by a command line, in a child process, in this process, from a table.

Foreign programs run with the rights of the user, without a shell, in a process group of their own,
with limits on time, output, memory, file size and number of processes. What goes wrong with one
probe is a finding. A scorer that cannot be run at all is a RunError.
"""

import json
import os
import re
import selectors
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any

from corefkit.core.carriers import frozen
from corefkit.core.incidents import data_error
from corefkit.core.options import UsageError, choose
from corefkit.core.texts import quote, visible
from corefkit.formats.kit.files import load
from corefkit.plugins.audit.answers import (
    METRIC_NAMES,
    GivenRates,
    ReadingError,
    ScorerAnswer,
    find_figures,
    has_order,
    read_answers,
    text_reader,
)
from corefkit.plugins.audit.battery import (
    BATTERY,
    FORMS,
    Probe,
    file_names,
    probe_files,
    writable,
)
from corefkit.plugins.audit.behaviours import PARTS
from corefkit.plugins.audit.processes import (
    end_group,
    has_ended,
    last_line,
    limit_resources,
    own_tasks,
    terminate,
)
from corefkit.plugins.audit.styles import STYLES, call_style
from corefkit.scoring.shrink import BUDGET

MOST_OUTPUT = 1 << 20
"""The most bytes of output in one run; more is a failure."""

STARTING = 60.0
"""The seconds that the import of a Python module may take, if the time-out is not longer."""


class RunError(Exception):
    """A scorer that cannot be run at all, cannot be imported, or whose output cannot be read.

    The variant says which: "", "import", or "output" with the output.
    """

    def __init__(self, reason: str, variant: str = "", output: str | None = None) -> None:
        super().__init__(reason)
        self.variant, self.output = variant, output


class FailureError(Exception):
    """A run without figures: why, and whether it took too long."""

    def __init__(self, reason: str, *, timed_out: bool = False) -> None:
        super().__init__(reason)
        self.timed_out = timed_out


PATIENCE = 3
"""The number of time-outs in a row after which a scorer is no longer run."""


@frozen
class ScorerCall:
    """How a scorer is called, and how its answers are read.

    Attributes:
        style: how a Python object is called; see `STYLES`.
        documents: "each" where a function of the style `pairs` takes one document at a time.
        order: the order of three numbers without names.
        path: the folder of a Python module.
        read: how the output of a command is read; see `text_reader`.
        input: the format of the files of a command.
        timeout: the seconds that a run may take.
        stderr: whether the standard error of a command is read, too.
        any_status: whether an exit status of a command other than 0 is no failure.
        metrics: the metrics that are asked for.
    """

    style: str = "e2e"
    documents: str = "all"
    order: str = "rpf"
    path: str | None = None
    read: str | Sequence[str] = ()
    input: str = "conll"
    timeout: float = 30.0
    stderr: bool = False
    any_status: bool = False
    metrics: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        choose("style", self.style, [style for style in STYLES if style != "pairs-each"])
        choose("input", self.input, FORMS)
        if self.documents == "each" and self.style != "pairs":
            raise UsageError("--documents each needs --style pairs")

    @property
    def style_name(self) -> str:
        """The name of the style in `STYLES`."""
        return "pairs-each" if self.documents == "each" else self.style


USUAL = ScorerCall()


class Runner:
    """Something that can be asked for the scores of documents, until it has timed out too often.

    Attributes:
        kind: the kind of scorer: "command", "python" or "answers".
        named: the name of the scorer, fit to be shown.
        style: how a Python object is called; empty for the other kinds.
        budget: the most runs of the scorer for one example.
        first_output: the first output of a command.
        timeouts: the number of time-outs in a row.
    """

    kind = "python"
    style = ""
    budget = BUDGET
    first_output: str | None = None
    timeouts = 0

    def __init__(self, named: str, call: ScorerCall = USUAL) -> None:
        self.named, self.call = presentable(named), call

    @property
    def stopped(self) -> bool:
        """Whether the scorer is no longer run."""
        return self.timeouts >= PATIENCE

    def can_ask(self, probe: Probe) -> bool:
        """Whether the scorer can be asked this probe, and has not been given up."""
        return not self.stopped and self.takes(probe)

    def takes(self, probe: Probe) -> bool:
        """Whether the probe can be put to the scorer."""
        raise NotImplementedError

    def ask(self, probe: Probe) -> ScorerAnswer:
        """The answer of the scorer to a probe; a failure is an answer, too."""
        try:
            answer = self.answer(probe)
        except FailureError as failure:
            answer = ScorerAnswer(error=str(failure), timed_out=failure.timed_out)
        self.timeouts = self.timeouts + 1 if answer.timed_out else 0
        return answer

    def answer(self, probe: Probe) -> ScorerAnswer:
        """Run the scorer on a probe; FailureError where it gives no figures."""
        raise NotImplementedError

    def close(self) -> None:
        """End the processes that were started."""


def presentable(text: str) -> str:
    """Foreign text, fit to be shown: without control characters, with `~` for the home folder."""
    home = str(Path("~").expanduser())
    shown = visible(text)
    return shown.replace(home, "~") if len(home) > 1 else shown


# Command lines

_PLACEHOLDER = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")
_KNOWN = ("key", "response", "metric", "folder")


class CommandRunner(Runner):
    """A command line with `{key}` and `{response}`, run once per probe, or once per metric."""

    kind = "command"
    budget = 500

    def __init__(self, command: str, call: ScorerCall = USUAL) -> None:
        super().__init__(command, call)
        try:
            self.parts = shlex.split(command)
        except ValueError as error:
            raise UsageError(f"--command: {error}") from None
        names = {m[1] for part in self.parts for m in _PLACEHOLDER.finditer(part)} - {None}
        if unknown := sorted(names - {*_KNOWN}):
            raise UsageError(
                f"--command: {{{unknown[0]}}} is not a placeholder; there are "
                + ", ".join(f"{{{name}}}" for name in _KNOWN)
                + ", and {{ stands for a brace"
            )
        if lacking := [name for name in ("key", "response") if name not in names]:
            raise UsageError(f"--command: the line has no {{{lacking[0]}}}")
        self.names = names
        self.reader = text_reader([call.read] if isinstance(call.read, str) else call.read)
        self.metrics = call.metrics or (PARTS if "metric" in names else ())
        own_tasks()

    def takes(self, probe: Probe) -> bool:
        """Whether the form of the files can express the probe."""
        return writable(probe, self.call.input)

    def answer(self, probe: Probe) -> ScorerAnswer:
        """Write the files, run the command and read its output."""
        if "metric" not in self.names:
            return ScorerAnswer(self._figures(probe, self.metrics))
        figures: dict[str, GivenRates] = {}
        failures = []
        for metric in self.metrics:
            try:
                found = self._figures(probe, (metric,))
            except FailureError as failure:
                failures.append(failure)
            else:
                figures |= {n: f for n, f in found.items() if n in (metric, "mentions")}
        error = str(failures[0]) if len(failures) == len(self.metrics) else None
        return ScorerAnswer(figures, error, timed_out=any(f.timed_out for f in failures))

    def _figures(self, probe: Probe, metrics: Sequence[str]) -> Mapping[str, GivenRates]:
        """The figures of one run; of the only metric, if it has a place in the line."""
        with TemporaryDirectory(prefix="corefkit-audit-", ignore_cleanup_errors=True) as folder:
            paths = [Path(folder) / name for name in file_names(self.call.input)]
            for path, data in zip(
                paths, probe_files(probe.documents, self.call.input), strict=True
            ):
                path.write_bytes(data)
            work_folder = Path(folder) / "work"
            work_folder.mkdir()
            texts = (*map(str, paths), metrics[0] if metrics else "", str(work_folder))
            values = dict(zip(_KNOWN, texts, strict=True))
            words = [_PLACEHOLDER.sub(lambda m: _filled(m, values), part) for part in self.parts]
            status, output, errors = self._run(
                words, str(work_folder) if "folder" in self.names else None
            )
        text = output.decode("utf-8", "backslashreplace").replace("\r\n", "\n")
        if status and not self.call.any_status:
            said = errors if errors.strip() else errors + b"\n" + output
            raise FailureError(f"exit status {status}{_last_line(said)}")
        if self.first_output is None:
            self.first_output = text
        figures = self.reader(text, metrics)
        if not figures:
            raise FailureError("no score could be read from the output")
        return figures

    def _run(self, words: list[str], folder: str | None) -> tuple[int, bytes, bytes]:
        """The exit status, output and errors."""
        try:
            process = subprocess.Popen(
                words,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT if self.call.stderr else subprocess.PIPE,
                start_new_session=True,
                preexec_fn=limit_resources if os.name == "posix" else None,  # noqa: PLW1509
            )
        except OSError as error:
            raise RunError(f"{quote(words[0])} cannot be run: {error.strerror}") from None
        streams = [stream for stream in (process.stdout, process.stderr) if stream is not None]
        outputs = {stream: bytearray() for stream in streams}
        try:
            _collect(process, outputs, self.call.timeout)
        finally:  # also where a signal ends the audit
            end_group(process)
            for stream in streams:
                stream.close()
        output, *errors = map(bytes, outputs.values())
        return process.returncode, output, b"".join(errors)


def _filled(match: "re.Match[str]", values: Mapping[str, str]) -> str:
    return values[match[1]] if match[1] is not None else match[0][0]


def _last_line(output: bytes) -> str:
    """The last line of an output, quoted."""
    text = output.decode("utf-8", "backslashreplace")
    lines = [line for line in text.splitlines() if line.strip()]
    return f": {presentable(lines[-1][:300])}" if lines else ""


def _collect(
    process: "subprocess.Popen[bytes]",
    outputs: Mapping[Any, bytearray],
    seconds: float,
    *,
    line: bool = False,
) -> None:
    """Read until the process has ended; FailureError where a limit is exceeded.

    With `line`, a line of output or its end is enough. It does not wait for a grandchild that keeps
    the pipe open.
    """
    deadline = time.monotonic() + seconds
    with selectors.DefaultSelector() as selector:
        for stream in outputs:
            selector.register(stream, selectors.EVENT_READ)
        while True:
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                terminate(process)
                raise FailureError(f"did not finish within {seconds:g} s", timed_out=True)
            if not selector.get_map():
                if line or has_ended(process):
                    return
                time.sleep(0.005)
                continue
            ended = has_ended(process)
            ready = selector.select(0 if ended else min(remaining, 0.1))
            for key, _ in ready:
                data = os.read(key.fd, 1 << 16)
                if not data:
                    selector.unregister(key.fileobj)
                outputs[key.fileobj].extend(data)
                if sum(map(len, outputs.values())) > MOST_OUTPUT:
                    raise FailureError("more than 1 MB of output")
                if line and b"\n" in data:
                    return
            if ended and not ready:
                return


# Python, in a child process and in this one


class _StyledRunner(Runner):
    """A runner of Python code, which is called in a style."""

    def __init__(self, named: str, call: ScorerCall) -> None:
        super().__init__(named, call)
        self.style = call.style_name

    def output(self, probe: Probe) -> object:
        """What the code returns for the documents."""
        raise NotImplementedError

    def takes(self, probe: Probe) -> bool:
        """Whether the style can see all documents of the probe."""
        return STYLES[self.style].corpus or len(probe.documents) == 1

    def answer(self, probe: Probe) -> ScorerAnswer:
        """The figures in the result; UsageError where it is unclear what they are."""
        output, order, metrics = self.output(probe), self.call.order, self.call.metrics
        figures = find_figures(output, order, metrics)
        if not figures and len(metrics) != 1:
            if isinstance(output, int | float):
                raise UsageError(
                    "the scorer returns a number without a name: name its metric with -m"
                )
            if find_figures(output, order, ["muc"]):
                raise UsageError(
                    "the scorer returns a tuple without names: name its metric with -m"
                )
        if not figures:
            names = ", ".join(METRIC_NAMES)
            raise FailureError(f"what it returns contains no score of {names}")
        free = STYLES[self.style].free  # Otherwise the style knows the order.
        return ScorerAnswer(figures, in_order=free and has_order(output))


class CallableRunner(_StyledRunner):
    """A Python object of the caller, called in this process, without limits."""

    def __init__(self, target: Callable[..., Any], call: ScorerCall = USUAL) -> None:
        module = getattr(target, "__module__", None)
        name = getattr(target, "__qualname__", type(target).__qualname__)
        super().__init__(f"{module}:{name}" if module else name, call)
        self.target, self.module = target, sys.modules.get(module or "")

    def output(self, probe: Probe) -> object:
        """Call the object; an exception is a failure."""
        documents = [document.sides for document in probe.documents]
        try:
            return call_style(self.style, self.target, self.module, documents)
        except Exception as error:
            raise FailureError(presentable(last_line(error))) from None


class PythonRunner(_StyledRunner):
    """A class or function in a module, called in a child process that is started when needed."""

    def __init__(self, target: str, call: ScorerCall = USUAL) -> None:
        super().__init__(target, call)
        self.module, colon, self.name = target.rpartition(":")
        if not colon or not self.module or not self.name:
            raise UsageError(f"--python takes MODULE:NAME, not {quote(target)}")
        if os.name != "posix":
            raise UsageError("--python needs a POSIX system; use --answers elsewhere")
        self._process: subprocess.Popen[bytes] | None = None

    def output(self, probe: Probe) -> object:
        """Send the documents to the child and read its reply."""
        if self._process is None:
            self._start()
        reply = self._exchange({"documents": [d.sides for d in probe.documents]}, self.call.timeout)
        if "found" not in reply:
            raise FailureError(presentable(str(reply.get("error"))))
        return reply["found"]

    def _start(self) -> None:
        self._errors = TemporaryFile()  # noqa: SIM115 (closed with the process)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "corefkit.plugins.audit.processes"],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            start_new_session=True,
        )
        paths = [*filter(None, [self.call.path]), str(Path.cwd())]
        setup = {"module": self.module, "name": self.name, "style": self.style, "paths": paths}
        try:
            reply = self._exchange(setup, max(self.call.timeout, STARTING))
        except FailureError as failure:
            reply = {"broken": str(failure)}
        if "ready" not in reply:
            self.close()
            reason = presentable(str(reply.get("broken")))
            raise RunError(f"{self.named} cannot be imported: {reason}", "import")

    def _exchange(self, message: Mapping[str, object], patience: float) -> dict[str, Any]:
        """Send a message and return the reply; a child without a reply is ended."""
        process, data = self._process, bytearray()
        assert process is not None
        assert process.stdin is not None
        try:
            process.stdin.write((json.dumps(message) + "\n").encode())
            _collect(process, {process.stdout: data}, patience, line=True)
            reply = json.loads(data)
        except FailureError:
            self.close()
            raise
        except (OSError, ValueError):
            raise FailureError(f"the process ended{self._last_words()}") from None
        if not isinstance(reply, dict):
            raise FailureError("an unexpected reply")
        return reply

    def _last_words(self) -> str:
        """End the child; the last line that it wrote to standard error, quoted."""
        assert self._process is not None
        deadline = time.monotonic() + 1
        while not has_ended(self._process) and time.monotonic() < deadline:
            time.sleep(0.01)
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(size - 2000, 0))
        said = self._errors.read()
        self.close()
        return _last_line(said)

    def close(self) -> None:
        """End the child and its whole group."""
        if self._process is None:
            return
        end_group(self._process)
        for stream in (self._process.stdin, self._process.stdout, self._errors):
            assert stream is not None
            stream.close()
        self._process = None


class AnswersRunner(Runner):
    """Figures that were typed into a table; missing ones were not asked for."""

    kind = "answers"

    def __init__(self, path: str, call: ScorerCall = USUAL) -> None:
        super().__init__(path, call)
        try:
            self.answers = read_answers(load(path), path, [probe.id for probe in BATTERY])
        except ReadingError as error:
            raise data_error("answers-unreadable", reason=str(error)) from None

    def takes(self, probe: Probe) -> bool:
        """Whether the table has the probe."""
        return probe.id in self.answers and bool(self.answers[probe.id].figures)

    def answer(self, probe: Probe) -> ScorerAnswer:
        """The answer in the table."""
        return self.answers[probe.id]


RUNNERS: dict[str, Callable[[str, ScorerCall], Runner]] = {
    "command": CommandRunner,
    "python": PythonRunner,
    "answers": AnswersRunner,
}
"""Who asks a scorer: a command line, MODULE:NAME, or the file of a table."""
