"""What ends the audit ends the scorer, and takes its folder away."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SCORER = "import os, sys, time; open(sys.argv[1], 'w').write(str(os.getpid())); time.sleep(60)"


def is_running(pid: int) -> bool:
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and ") Z " not in status.read_text()


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_scorer(tmp_path: Path, number: signal.Signals) -> None:
    told, scratch = tmp_path / "pid", tmp_path / "scratch"
    scratch.mkdir()
    (tmp_path / "scorer.py").write_text(SCORER)
    line = f"{sys.executable} {tmp_path}/scorer.py {told} {{key}} {{response}}"
    audit = subprocess.Popen(
        [sys.executable, "-m", "corefkit", "audit", "--command", line],
        env={**os.environ, "TMPDIR": str(scratch)},
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler) and None,  # noqa: PLW1509
    )
    deadline = time.monotonic() + 60
    while not (told.exists() and told.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    scorer = int(told.read_text())
    assert is_running(scorer)
    audit.send_signal(number)
    assert audit.wait(30) == 128 + number
    assert not is_running(scorer)
    assert list(scratch.iterdir()) == []
