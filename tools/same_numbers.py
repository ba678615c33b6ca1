"""python tools/same_numbers.py --old ENVIRONMENT: do old and new state give the same numbers?

For the time of the redesign. ENVIRONMENT is one with the state of 41978e22, e.g. a checkout of it
with a `.venv`; the new state is the environment that runs this file. Typical uses:

    python tools/same_numbers.py --quick                  a third of the commands, the fast ones
    python tools/same_numbers.py                          all commands (about five minutes)
    python tools/same_numbers.py --only 'compare|agree'   commands that match a pattern
    python tools/same_numbers.py --formats [--only brat]  what is read from files, and conversions
    python tools/same_numbers.py --show 'score own/plain' both outputs of one command, in full

The commands are in same_numbers/commands.toml, each a pattern times its lists. `[[rename]]` there
gives old words their new form. What differs on purpose is in same_numbers/exceptions.toml: a
pattern for commands, one for fields, and the sentence that allows it; one that no longer occurs is
told, too. Outputs are flattened to (system/part/metric/field) → exact text, with the exit status
and the incidents (id, line, document); only the version, paths and times are left out.

Outputs of the old state are kept in --cache, so that a second run only runs the new side. --old and
--cache may also be set by COREFKIT_OLD and COREFKIT_NET. The old benchmark stays runnable, too:
`ENVIRONMENT/bin/python -m bench` in the checkout of 41978e22.
"""

import argparse
import gzip
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import product
from math import isclose
from pathlib import Path
from queue import SimpleQueue
from typing import Any

HOME = Path(__file__).parent
sys.path.append(str(HOME.parent))

from tools.net_files import write_all  # noqa: E402
from tools.net_shapes import bare_list, new_shape, with_parts  # noqa: E402

DATA = HOME / "same_numbers"
SHARED = Path(os.environ.get("COREFKIT_SHARED", HOME.parent.parent / "shared"))
FAST = 400
"""Milliseconds that a command of --quick takes at most."""

Flat = dict[str, str]
"""What a command gave: field → exact text."""


@dataclass(frozen=True)
class Job:
    """One thing to run on both sides; `group` is the heading that it is counted under."""

    group: str
    name: str
    old: Mapping[str, Any]
    new: Mapping[str, Any]


@dataclass
class Allowance:
    """A difference that is right, by patterns of commands and fields."""

    commands: re.Pattern[str]
    fields: re.Pattern[str]
    why: str
    digits: int = 0
    """If given, only numbers that agree to so many digits may differ."""
    seen: int = 0
    possible: bool = False


@dataclass
class Verdict:
    """What the comparison found."""

    commands: int = 0
    numbers: int = 0
    values: int = 0
    differing: dict[str, list[tuple[str, str | None, str | None]]] = field(default_factory=dict)


class Side:
    """Workers of one environment; each runs one job at a time."""

    def __init__(self, python: Path, workers: int) -> None:
        self._free: SimpleQueue[subprocess.Popen[str]] = SimpleQueue()
        environment = {n: v for n, v in os.environ.items() if not n.startswith("COREFKIT_")}
        environment |= {"PYTHONHASHSEED": "0", "COLUMNS": "100", "OPENBLAS_NUM_THREADS": "1"}
        environment["PATH"] = f"{python.parent}{os.pathsep}{environment.get('PATH', '')}"
        for _ in range(workers):
            command = [str(python), "-P", str(HOME / "net_worker.py")]
            worker = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
            )
            self._free.put(worker)
        self._ready: set[int] = set()

    def run(self, job: Mapping[str, Any], folder: Path) -> dict[str, Any]:
        """The status and the time of a job; its output is in the folder."""
        worker = self._free.get()
        assert worker.stdin is not None
        assert worker.stdout is not None
        try:
            if worker.pid not in self._ready:
                worker.stdout.readline()
                self._ready.add(worker.pid)
            worker.stdin.write(json.dumps({**job, "folder": str(folder)}) + "\n")
            worker.stdin.flush()
            ended: dict[str, Any] = json.loads(worker.stdout.readline())
            return ended
        finally:
            self._free.put(worker)

    def close(self) -> None:
        """End the workers."""
        while not self._free.empty():
            worker = self._free.get()
            worker.kill()
            worker.wait()


class Net:
    """Runs jobs on both sides and keeps the outputs of the old one."""

    def __init__(self, old: Path, cache: Path, workers: int) -> None:
        self.cache = cache
        cache.mkdir(parents=True, exist_ok=True)
        self._own = _written(cache)
        inputs = [SHARED / "conformance", SHARED / "made", self._own, old.parent / "examples"]
        inputs.append(DATA / "receipts")
        self._links = dict(zip(("conf", "made", "own", "ex", "receipts"), inputs, strict=True))
        self._inputs = _digest(inputs)
        self._receipts = _rewritten(DATA / "receipts", cache)
        self._sides = Side(old / "bin/python", workers), Side(Path(sys.executable), workers)
        self._old = old

    def kept(self, job: Job) -> Path:
        """Where the output of the old state is kept."""
        what = json.dumps([str(self._old.resolve()), self._inputs, job.old], sort_keys=True)
        if job.old["kind"] in ("readings", "mutants"):  # what is kept of a corpus is decided there
            what += (HOME / "net_worker.py").read_text(encoding="utf-8")
        return self.cache / f"{sha256(what.encode()).hexdigest()[:24]}.json.gz"

    def old_output(self, job: Job) -> dict[str, Any]:
        """The output of the old state, kept or run now."""
        kept = self.kept(job)
        if not kept.exists():
            output = self._run(0, job.old)
            partial = kept.with_suffix(f".{os.getpid()}")
            partial.write_bytes(gzip.compress(json.dumps(output).encode(), 3))
            partial.rename(kept)
        loaded: dict[str, Any] = json.loads(gzip.decompress(kept.read_bytes()))
        return loaded

    def new_output(self, job: Job) -> dict[str, Any]:
        """The output of the new state."""
        return self._run(1, job.new)

    def _run(self, side: int, job: Mapping[str, Any]) -> dict[str, Any]:
        with tempfile.TemporaryDirectory(prefix="net-") as name:
            folder = Path(name)
            links = {**self._links, "receipts": self._receipts} if side else self._links
            for link, target in links.items():
                (folder / link).symlink_to(Path(target).resolve())
            for file in job.get("beside", ()):
                shutil.copy(file, folder)
            beside = {Path(file).name for file in job.get("beside", ())} | set(self._links)
            output = self._sides[side].run(job, folder)
            for path in sorted(p for p in folder.rglob("*") if p.is_file()):
                inside = path.relative_to(folder)
                if inside.parts[0] not in beside:
                    output.setdefault("files", {})[str(inside)] = _text(path, folder)
        return output

    def close(self) -> None:
        """End all workers."""
        for side in self._sides:
            side.close()


def _text(path: Path, folder: Path) -> str:
    data = path.read_bytes()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    if b"\0" in data[:4096]:
        return sha256(data).hexdigest()
    text = data.decode("utf-8", "backslashreplace")
    return text.replace(str(folder), "FOLDER")


def _written(cache: Path) -> Path:
    """The folder of small corpora of ours; its name is that of its contents."""
    with tempfile.TemporaryDirectory(dir=cache) as name:
        made = Path(name) / "made"
        write_all(made)
        final = cache / f"own-{_digest([made])[:12]}"
        if not final.exists():
            made.rename(final)
    return final


def _rewritten(receipts: Path, cache: Path) -> Path:
    """The receipts of the old state as the new one writes them, so that it can repeat them."""
    folder = cache / "receipts"
    folder.mkdir(exist_ok=True)
    for file in receipts.iterdir():
        content = new_shape(json.loads(file.read_text("utf-8")))
        partial = folder / f"{file.name}.{os.getpid()}"
        partial.write_text(json.dumps(content), "utf-8")
        partial.rename(folder / file.name)
    return folder


def _digest(folders: Sequence[Path]) -> str:
    """A hash over the names and sizes of all files, and the contents of small ones."""
    digest = sha256()
    for folder in folders:
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            size = path.stat().st_size
            digest.update(f"{path.relative_to(folder)} {size}\n".encode())
            if size < 50_000:
                digest.update(path.read_bytes())
    return digest.hexdigest()


# What is run


def jobs(table: Mapping[str, Any]) -> Iterator[Job]:
    """All commands and pieces of Python of the list."""
    renames = [(re.compile(r["old"]), r["new"]) for r in table.get("rename", ())]
    sets = table["sets"]
    for group in table["commands"]:
        kind = "process" if group.get("process") else "command"
        for line, new in _lines(group, sets):
            said = new or line
            for pattern, replacement in renames if new is None else ():
                said = pattern.sub(replacement, said)
            yield Job(group["name"], line, _command(line, kind), _command(said, kind))
    for one in table.get("python", ()):
        name = f"python {one['name']}"
        code, changed = (table["prelude"] + one.get(n, one["code"]) for n in ("code", "new"))
        job = {"kind": "python", "name": name}
        yield Job("python", name, {**job, "code": code}, {**job, "code": changed})


def _lines(group: Mapping[str, Any], sets: Mapping[str, Any]) -> Iterator[tuple[str, str | None]]:
    """The lines of a group: its words with each combination of its lists, old and new."""
    names = re.findall(r"<(\w+)>", group["words"])
    names = list(dict.fromkeys(names))
    lists = [_listed(group[name], sets) for name in names]
    for values in product(*lists):
        old, new = group["words"], group.get("new")
        for name, value in zip(names, values, strict=True):
            old = old.replace(f"<{name}>", value)
            new = new and new.replace(f"<{name}>", value)
        yield " ".join(old.split()), new


def _listed(value: Any, sets: Mapping[str, Any]) -> list[str]:
    """A list, with `@name` replaced by the set of that name; `*` in one stands for files."""
    found: list[str] = []
    for one in [value] if isinstance(value, str) else value:
        if one.startswith("@"):
            found += _listed(sets[one[1:]], sets)
        elif one.startswith("pairs "):
            found += _pairs(*one.split()[1:])
        elif one.startswith(("files ", "twice ")):
            kind, pattern = one.split()
            found += [f"{f} {f}" if kind == "twice" else f for f in _shared(pattern)]
        else:
            found.append(one)
    return found


def _pairs(key: str, *responses: str) -> list[str]:
    """Pairs `KEY RESPONSE` of shared files: each key that fits, with its responses.

    In the pattern of a response, STEM and END are what stands before and after `.key`.
    """
    found = []
    for path in _shared(key):
        stem, _, end = path.partition(".key")
        for response in responses:
            fitting = _shared(response.replace("STEM", stem).replace("END", end))
            found += [f"{path} {other}" for other in fitting]
    return found


def _shared(pattern: str) -> list[str]:
    """The files of the shared folders that fit a pattern, as jobs see them."""
    link, _, inside = pattern.partition("/")
    root = SHARED / {"conf": "conformance", "made": "made"}[link]
    return sorted(f"{link}/{path.relative_to(root)}" for path in root.glob(inside))


def _command(line: str, kind: str) -> dict[str, Any]:
    words = shlex.split(line)
    if not words[0].startswith("corefkit"):
        words.insert(0, "corefkit")
    return {"kind": kind, "words": words}


def format_jobs(table: Mapping[str, Any], old: Path, cache: Path) -> Iterator[Job]:
    """Readings of all files and samples, mutants of the samples, and conversions."""
    root = SHARED / "conformance"
    folders: dict[str, list[list[Any]]] = defaultdict(list)
    for path in sorted(root.rglob("*")):
        inside = str(path.relative_to(root))
        group = "/".join(Path(inside).parts[:2])
        if path.is_dir():
            folders[f"folders of {Path(inside).parts[0]}"].append([inside, f"conf/{inside}", {}])
            continue
        folders[group].append([inside, f"conf/{inside}", {}])
        if path.suffix in (".json", ".jsonlines", ".jsonl"):
            how = {"role": "response"}
            folders[group].append([f"{inside} as response", f"conf/{inside}", how])
    for one in table.get("reading", ()):
        for path in sorted(root.glob(one["files"])):
            inside = str(path.relative_to(root))
            listed = [f"{inside} {one['how']}", f"conf/{inside}", one["how"]]
            folders["/".join(Path(inside).parts[:2])].append(listed)
    for group, files in folders.items():
        for at in range(0, len(files), 40):
            part = files[at : at + 40]
            job: dict[str, Any] = {"kind": "readings", "files": part}
            yield Job(group, f"read {group} {at // 40}", job, job)
    samples = _samples(old, cache)
    companions = sorted(str(p) for p in (samples / "beside").iterdir())
    for path in sorted(p for p in samples.iterdir() if p.is_file() and p.name != "names.json"):
        name = path.name
        file = json.loads((samples / "names.json").read_text())[name]
        job = {"kind": "mutants", "format": name, "sample": str(path), "path": file}
        job |= {"number": 0 if name in ("parquet", "spacy") else 250, "beside": companions}
        yield Job(name, f"mutants {name}", job, job)
    for group in table["convert"]:
        for line, new in _lines(group, table["sets"]):
            yield Job("convert", line, _command(line, "command"), _command(new or line, "command"))


_SAMPLES = """
import json, sys
from pathlib import Path
from corefkit.formats import registry
from tests.formats.samples import path_of, put_companions, sample
folder, names = Path(sys.argv[1]), {}
(folder / "beside").mkdir(parents=True)
put_companions(folder / "beside")
for name in registry.format_names():
    try:
        (folder / name).write_bytes(sample(name))
    except Exception as error:
        print(name, error)
    else:
        names[name] = Path(path_of(name, folder)).name
(folder / "names.json").write_text(json.dumps(names))
"""


def _samples(old: Path, cache: Path) -> Path:
    """The samples of all formats, made once by the tests of the old state."""
    folder = cache / "samples"
    if not folder.exists():
        command = [str(old / "bin/python"), "-c", _SAMPLES, str(folder)]
        subprocess.run(command, check=True, cwd=old.parent)
    return folder


# What is compared


class _Number(str):
    """A number of JSON as it is written."""

    __slots__ = ()


def flatten(output: Mapping[str, Any], shape: Callable[[Any], Any] = lambda value: value) -> Flat:
    """The output of a command, field by field; JSON in another `shape`."""
    found: Flat = {"exit": str(output["status"])}
    for name, text in output.get("files", {}).items():
        if name == "stderr":
            found |= _shown(text)
        else:
            prefix = "" if name == "stdout" else f"{name}: "
            found |= {prefix + key: value for key, value in _fields(text, shape)}
    return found


def _fields(text: str, shape: Callable[[Any], Any]) -> Iterator[tuple[str, str]]:
    """The values of JSON; the lines of any other text."""
    if text[:1] in ("{", "["):
        try:
            value = json.loads(text, parse_float=_Number, parse_int=_Number)
        except ValueError:
            pass
        else:
            yield from _values(shape(value), "")
            return
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith(("{", "[")):
            try:
                value = json.loads(line, parse_float=_Number, parse_int=_Number)
            except ValueError:
                pass
            else:
                yield from _values(value, f"line {number}")
                continue
        yield f"line {number}", re.sub(r"version:[^|\"\s]+", "version:", line.rstrip())


_LEFT_OUT = {"version", "result", "schema", "fingerprint", "seconds", "time", "date", "generator"}


def _values(value: Any, at: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, one in value.items():
            inside = f"{at}/{name}" if at else name
            if name == "signature" and isinstance(one, str):
                yield from _signature(one, inside)
            elif name == "incidents" and isinstance(one, list):
                yield from _incidents(one, inside)
            elif name not in _LEFT_OUT:
                yield from _values(one, inside)
    elif isinstance(value, list):
        names = [_name(one) if isinstance(one, dict) else None for one in value]
        unique = len(set(names)) == len(names) and all(isinstance(n, str) for n in names)
        for number, one in enumerate(value):
            yield from _values(one, f"{at}/{names[number] if unique else number}")
        if not value:
            yield at, "[]"
    else:
        text = value if isinstance(value, _Number) else json.dumps(value, ensure_ascii=False)
        if "/counts/" in at:  # whole counts are whole numbers, or were floats without a fraction
            text = re.sub(r"^(\d+)\.0$", r"\1", text)
        if at.endswith("/name"):
            text = text.replace('.response"', '"')
        yield at, re.sub(r", this is [\w.+]+", "", text)


def _name(item: Mapping[str, Any]) -> Any:
    """The name of a system (without an ending that the old state kept), or where a part is."""
    part = item.get("part")
    if not isinstance(part, dict):
        name = item.get("name")
        return name.removesuffix(".response") if isinstance(name, str) else name
    return ",".join(f"{by}:{label}" for by, label in sorted(part.items()))


def _signature(text: str, at: str) -> Iterator[tuple[str, str]]:
    for part in text.split("|"):
        name, _, value = part.partition(":")
        if name != "version":
            yield f"{at}/{name}", value


def _incidents(listed: Sequence[Mapping[str, Any]], at: str) -> Iterator[tuple[str, str]]:
    kinds = ("severity", "id", "file", "line", "document")
    rows = Counter(" ".join(str(one.get(k)) for k in kinds) for one in listed)
    for row, number in rows.items():
        yield f"{at}/{row}", str(number)


def _shown(text: str) -> Flat:
    """The incidents on standard error; a traceback by its last line."""
    rows: Counter[str] = Counter()
    last = ""
    for line in text.splitlines():
        if found := re.match(r"(.*?)(error|warning): .* \[([a-z0-9-]+)\]$", line):
            place = found[1].removesuffix(": ")
            line_number = re.search(r":(\d+)(:\d+)?$", place)
            last = f"{found[2]} {found[3]} {line_number[1] if line_number else ''}".strip()
            rows[last] += 1
        elif (more := re.match(r"\s*… and ([\d,]+) more", line)) and last:
            rows[f"{last}, more"] = int(more[1].replace(",", ""))
    shown = {f"shown/{row}": str(number) for row, number in rows.items()}
    if "Traceback (most recent call last)" in text:
        shown["traceback"] = text.strip().splitlines()[-1]
    return shown


def differences(old: Flat, new: Flat) -> list[tuple[str, str | None, str | None]]:
    """The fields that differ, with both values; None where a side lacks one."""
    names = dict.fromkeys([*old, *new])
    rows = ((name, old.get(name), new.get(name)) for name in names)
    return [row for row in rows if row[1] != row[2]]


def _agree(old: str | None, new: str | None, digits: int) -> bool:
    """Whether two numbers agree to so many digits; with 0, whatever they are."""
    if not digits:
        return True
    try:
        return (
            old is not None
            and new is not None
            and isclose(float(old), float(new), rel_tol=10**-digits)
        )
    except ValueError:
        return False


def _readable(name: str, flat: Flat) -> str:
    return "\n".join(f"{name} {field} = {value}" for field, value in flat.items())


def load_exceptions() -> list[Allowance]:
    """The differences that are right."""
    table = tomllib.loads((DATA / "exceptions.toml").read_text(encoding="utf-8"))
    return [
        Allowance(re.compile(e["commands"]), re.compile(e["fields"]), e["why"], e.get("digits", 0))
        for e in table.get("exception", ())
    ]


def compare(job: Job, old: Flat, new: Flat, allowed: list[Allowance], verdict: Verdict) -> None:
    """Compare the two outputs of a job, and note what differs without an exception."""
    verdict.commands += 1
    verdict.values += len(old)
    verdict.numbers += sum(bool(re.fullmatch(r"-?\d[\d.e+-]*", v)) for v in old.values())
    fitting = [e for e in allowed if e.commands.search(job.name)]
    for exception in fitting:
        exception.possible = True
    left = []
    for row in differences(old, new):
        for exception in fitting:
            if exception.fields.search(row[0]) and _agree(row[1], row[2], exception.digits):
                exception.seen += 1
                break
        else:
            left.append(row)
    if left:
        verdict.differing[job.name] = left


def main() -> int:
    """Compare old and new."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    variable = os.environ.get
    parser.add_argument("--old", type=Path, default=variable("COREFKIT_OLD"))
    parser.add_argument("--cache", type=Path, default=variable("COREFKIT_NET"))
    parser.add_argument("--only", default="", help="commands that match this pattern")
    parser.add_argument("--quick", action="store_true", help="a third of the fast commands")
    parser.add_argument("--formats", action="store_true", help="readers and writers")
    parser.add_argument("--show", help="print both outputs of the commands that match")
    parser.add_argument("--list", action="store_true", help="print the commands and stop")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--most", type=int, default=6, help="differences shown for a command")
    parser.add_argument("--report", type=Path, help="write all differences to a JSON file")
    chosen = parser.parse_args()
    if not chosen.old:
        parser.error("--old: an environment with the old state; or set COREFKIT_OLD")
    cache = chosen.cache or Path(tempfile.gettempdir()) / f"corefkit-net-{os.getuid()}"
    table = tomllib.loads((DATA / "commands.toml").read_text(encoding="utf-8"))
    net = Net(chosen.old.absolute(), cache.absolute(), chosen.jobs)
    try:
        listed = list(
            format_jobs(table, chosen.old.absolute(), cache.absolute())
            if chosen.formats
            else jobs(table)
        )
        pattern = re.compile(chosen.show or chosen.only)
        listed = [j for j in listed if pattern.search(f"{j.group}: {j.name}")]
        if chosen.quick:
            listed = [j for n, j in enumerate(listed) if n % 3 == 0 and _is_fast(net, j)]
        if chosen.list:
            print("\n".join(f"{job.group}: {job.name}" for job in listed))
            return 0
        if chosen.show:
            return _show(net, listed)
        return _judge(net, listed, chosen)
    finally:
        net.close()


def _is_fast(net: Net, job: Job) -> bool:
    kept = net.kept(job)
    return not kept.exists() or net.old_output(job)["ms"] < FAST


def _show(net: Net, listed: Sequence[Job]) -> int:
    for job in listed:
        for side, output in (("old", net.old_output(job)), ("new", net.new_output(job))):
            for name, text in output.get("files", {}).items():
                print(f"── {side} {name}: {job.name}\n{text}")
    return 0


def _judge(net: Net, listed: Sequence[Job], chosen: argparse.Namespace) -> int:
    allowed, verdict = load_exceptions(), Verdict()

    def run(job: Job) -> tuple[dict[str, Any], dict[str, Any]]:
        return net.old_output(job), net.new_output(job)

    groups: Counter[str] = Counter()
    spent: Counter[str] = Counter()
    with ThreadPoolExecutor(chosen.jobs) as pool:
        for job, (old, new) in zip(listed, pool.map(run, listed), strict=True):
            compare(job, flatten(old, with_parts), flatten(new, bare_list), allowed, verdict)
            groups[job.group] += job.name in verdict.differing
            spent["old"] += old["ms"]
            spent["new"] += new["ms"]
            if job.name in verdict.differing:
                _tell(job, verdict.differing[job.name], chosen.most)
    _conclude(verdict, groups, allowed, spent)
    if chosen.report:
        chosen.report.write_text(json.dumps(verdict.differing, indent=1, ensure_ascii=False))
    return 1 if verdict.differing else 0


def _tell(job: Job, rows: Sequence[tuple[str, str | None, str | None]], most: int) -> None:
    print(f"DIFFERS  {job.group}: {job.name}   ({len(rows)} fields)")
    for name, old, new in rows[:most]:
        print(f"    {name}: {_short(old)} → {_short(new)}")
    sys.stdout.flush()


def _short(value: str | None) -> str:
    return "nothing" if value is None else value if len(value) < 160 else value[:160] + "…"


def _conclude(
    verdict: Verdict, groups: Counter[str], allowed: Sequence[Allowance], spent: Counter[str]
) -> None:
    print()
    for name, number in groups.items():
        if number:
            print(f"{name}: {number} commands differ")
    for exception in allowed:
        if exception.seen:
            print(f"exception, {exception.seen} values: {exception.why}")
        elif exception.possible:
            print(f"exception that no longer occurs: {exception.why}")
    values = sum(map(len, verdict.differing.values()))
    print(
        f"{verdict.commands} commands, {verdict.values:,} values, {verdict.numbers:,} of them "
        f"numbers; {len(verdict.differing)} commands differ, in {values} values "
        f"(old {spent['old'] / 1000:.0f} s, new {spent['new'] / 1000:.0f} s)"
    )


if __name__ == "__main__":
    sys.exit(main())
