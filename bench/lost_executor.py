"""A run on Spark that loses an executor. `python -m bench.lost_executor` kills one and compares.

Spark's `local-cluster` has two executors, which are processes of their own; one of them is killed
in the middle of a run whose tables are in a shared folder. The scores must be those of memory, to
the last digit. With `--local` tables stay on the executors, and the run is lost.
"""

import argparse
import os
import signal
import threading
import time
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import Any

from bench.engines import SHAPES, write_parquet
from bench.table import seconds
from corefkit import DataError, score
from corefkit.plugins.engines import Setup

_AFTER = 7
"""The executor is killed after so many tables of eleven: the key is loaded, the response nearly."""

_SESSION = {
    "spark.driver.host": "localhost",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.executor.memory": "1g",
    "spark.log.level": "OFF",
    "spark.sql.shuffle.partitions": "4",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


def main() -> int:
    """Run, kill, compare; 1 where the digits differ, or nothing could be killed."""
    parser = argparse.ArgumentParser(prog="python -m bench.lost_executor", description=__doc__)
    parser.add_argument("mentions", type=int, nargs="?", default=20_000, help="how many mentions")
    parser.add_argument("--shape", default="documents", choices=SHAPES)
    parser.add_argument("--local", action="store_true", help="leave tables to the executors")
    arguments = parser.parse_args()
    with TemporaryDirectory(prefix="corefkit-bench-") as folder:
        return _lose_one(Path(folder), arguments.mentions, arguments.shape, arguments.local)


def _lose_one(folder: Path, mentions: int, shape: str, local: bool) -> int:
    files = write_parquet(mentions, folder, shape)
    begun = time.perf_counter()
    session = _start(folder)
    print(f"a cluster of two executors after {seconds(time.perf_counter() - begun)}", flush=True)
    spill = folder / "shared"
    spill.mkdir()
    java = session.sparkContext._gateway.proc.pid
    killer = _Killer(java, folder if local else spill, at_once=local)
    killer.start()
    begun = time.perf_counter()
    try:
        setup = Setup(session, spill=None if local else str(spill))
        found = score(*files, engine=setup)
    except DataError as error:
        print(f"killed {killer.killed}; the run is lost: {str(error).splitlines()[0]}")
        return 0 if local else 1
    finally:
        killer.going = False
        logs = Path(os.environ["SPARK_HOME"], "work", session.sparkContext.applicationId)
        session.stop()
        rmtree(logs, ignore_errors=True)
    same = found == score(*files)
    print(
        f"killed {killer.killed} after {killer.tables} tables; the run ended after "
        f"{seconds(time.perf_counter() - begun)}; the digits are "
        f"{'those of memory' if same else 'OTHERS'}; {len(list(spill.iterdir()))} folders left"
    )
    return 0 if same and killer.killed else 1


def _start(folder: Path) -> Any:
    # Master and workers must find each other whatever the machine is called.
    os.environ |= {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_LOCAL_HOSTNAME": "localhost"}
    from pyspark.find_spark_home import _find_spark_home
    from pyspark.sql import SparkSession

    os.environ["SPARK_HOME"] = _find_spark_home()  # its workers want to know it, too
    builder = SparkSession.builder.master("local-cluster[2,1,1024]")
    for name, value in {**_SESSION, "spark.local.dir": str(folder)}.items():
        builder = builder.config(name, value)
    session: Any = builder.getOrCreate()
    session.range(1000).repartition(4).count()  # both executors are there
    return session


class _Killer(threading.Thread):
    """Kills one executor once so many tables have been written, or after a few seconds."""

    def __init__(self, java: int, spill: Path, *, at_once: bool) -> None:
        super().__init__(daemon=True)
        self.going, self.tables = True, 0
        self.killed: int | None = None
        self._java, self._spill, self._at_once = java, spill, at_once

    def run(self) -> None:
        since = time.perf_counter()
        while self.going:
            written = [int(p.name) for p in self._spill.glob("corefkit-*/*") if p.name.isdigit()]
            self.tables = max([self.tables, *written])
            late = self._at_once and time.perf_counter() - since > _SECONDS
            if self.tables >= _AFTER or late:
                self.killed = min(_executors(self._java))
                os.kill(self.killed, signal.SIGKILL)
                return
            time.sleep(0.02)


_SECONDS = 8.0
"""Without a shared folder nothing shows how far a run is."""


def _executors(java: int) -> list[int]:
    """The processes below one that are executors."""
    parents, commands = {}, {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            status = dict(
                line.split(":", 1) for line in (process / "status").read_text().splitlines()
            )
            commands[int(process.name)] = (process / "cmdline").read_bytes()
        except (OSError, ValueError):  # gone meanwhile
            continue
        parents[int(process.name)] = int(status["PPid"])
    below = {java}
    while more := {p for p, above in parents.items() if above in below} - below:
        below |= more
    return [p for p in below - {java} if b"CoarseGrainedExecutorBackend" in commands[p]]


if __name__ == "__main__":
    raise SystemExit(main())
