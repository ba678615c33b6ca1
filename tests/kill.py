"""Kill campaigns at random and let them go on: in the end every byte is that of a quiet run.

`python -m tests.kill --campaigns 200` is for hand; tests/test_kill.py runs a few. A campaign is
killed one to four times, each time at a moment by chance, by a signal that nobody can catch or by
Ctrl-C, with one process or two; then it is run to its end.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.plugins.task.support import TASK, tree
from tests.support import run

SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGINT, signal.SIGTERM)


def campaign(rng: random.Random, folder: Path, seconds: float, *options: str) -> int:
    """Run a campaign that is killed on its way, `seconds` being what a whole one takes.

    Returns how often it was killed before it was done. What it leaves behind, files of parts and
    temporary ones, is met by the next run.
    """
    killed = 0
    for _ in range(rng.randint(1, 4)):
        jobs = ["--jobs", rng.choice("12")]
        command = [sys.executable, "-m", "corefkit", *_arguments(folder, *jobs, *options)]
        with subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        ) as process:
            try:
                process.wait(rng.uniform(0, 1.1 * seconds))
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, rng.choice(SIGNALS))
                killed += 1
            process.wait()
    return killed


def _arguments(folder: Path, *options: str) -> list[str]:
    return ["task", "run", str(TASK), "-o", str(folder), "--no-plots", "--allow-broken", *options]


def run_campaigns(seed: int, campaigns: int, *options: str) -> int:
    """Kill that many campaigns and compare them with a quiet one; how many kills there were."""
    rng = random.Random(seed)
    killed = 0
    with TemporaryDirectory() as scratch:
        quiet = Path(scratch) / "quiet"
        began = time.perf_counter()
        command = [sys.executable, "-m", "corefkit", *_arguments(quiet, *options)]
        subprocess.run(command, check=True, capture_output=True)
        seconds = time.perf_counter() - began
        wanted = tree(quiet)
        for number in range(campaigns):
            folder = Path(scratch) / str(number)
            killed += campaign(rng, folder, seconds, *options)
            done = run(*_arguments(folder, *options))
            assert done.status == 0, (seed, number, done.err)
            found = tree(folder)
            differing = {n for n in {*found, *wanted} if found.get(n) != wanted.get(n)}
            assert differing == set(), (seed, number, sorted(differing))
            if number % 20 == 19:
                sys.stderr.write(f"{number + 1} campaigns, killed {killed} times\n")
    return killed


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--campaigns", type=int, default=200)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--reports", action="store_true", help="with a page for each response")
    given = parser.parse_args()
    began = time.perf_counter()
    options = ["--reports"] if given.reports else []
    killed = run_campaigns(given.seed, given.campaigns, *options)
    taken = time.perf_counter() - began
    sys.stdout.write(
        f"{given.campaigns} campaigns, seed {given.seed}, killed {killed} times, {taken:,.0f} s: "
        "all files are those of a quiet run\n"
    )


if __name__ == "__main__":
    main()
