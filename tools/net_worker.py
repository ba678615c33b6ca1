"""What one side of `same_numbers.py` runs: commands, pieces of Python, and readings of files.

The Python of either environment starts this file; nothing of the project but what is public is
imported, so it works with any state of corefkit. Jobs come as lines of JSON, and each runs in a
child of its own: `folder` is where, `stdout` and `stderr` are written there.
"""

import ctypes
import importlib
import json
import os
import pkgutil
import random
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

PIECES = [b"\t", b"\n", b'"', b"[", b"]", b"{", b"}", b"-1", b"99999999999999999999", b"null", b"|"]
PIECES += [b"\xff", b"<", b">", b"->", b"[1_1]", b"_", b"\\", b"0", b",", b":", b"T1", b"\r"]
PIECES += [b"1e9", b"(", b")", b"(1", b"1)", b"=", b"#", b" "]

LONG = 4_000
"""A part of a corpus that is longer, as JSON, is kept as its first characters and a hash."""


def serve() -> None:
    """Run the jobs of standard input, one after another; say how each ended."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    _import_all()
    print(json.dumps({"ready": True}), file=answers, flush=True)
    for line in sys.stdin:
        job = json.loads(line)
        started = time.perf_counter()
        child = os.fork()
        if not child:
            _run_and_leave(job)
        _, status = os.waitpid(child, 0)
        ended = {"status": os.waitstatus_to_exitcode(status)}
        ended["ms"] = round(1000 * (time.perf_counter() - started))
        print(json.dumps(ended), file=answers, flush=True)


def _import_all() -> None:
    """Import every module, so that a child has them; some need packages that are not there."""
    package = importlib.import_module("corefkit")
    for found in pkgutil.walk_packages(package.__path__, "corefkit."):
        if not any(x in found.name for x in ("integrations", "__main__", "engines", "spark")):
            with suppress(Exception):
                importlib.import_module(found.name)
    for name in ("scipy.optimize", "scipy.sparse.csgraph", "tomllib", "xml.etree.ElementTree"):
        importlib.import_module(name)


def _run_and_leave(job: dict[str, Any]) -> None:
    with suppress(OSError):
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # end with the parent
    signal.alarm(int(job.get("limit", 120)))
    os.chdir(job["folder"])
    for name, number in (("stdout", 1), ("stderr", 2)):
        file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(file, number)
    os.dup2(os.open(job.get("stdin", os.devnull), os.O_RDONLY), 0)
    status = 70
    try:
        status = _KINDS[job["kind"]](job)
    except SystemExit as left:
        status = left.code if isinstance(left.code, int) else int(left.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _command(job: dict[str, Any]) -> int:
    """Call a command in this process, as its script does."""
    script, *words = job["words"]
    (found,) = entry_points(group="console_scripts", name=script)
    sys.argv = [script, *words]
    left = found.load()()
    return left if isinstance(left, int) else 0


def _process(job: dict[str, Any]) -> int:
    """Call a command as a process."""
    script, *words = job["words"]
    return subprocess.run(
        [str(Path(sys.executable).parent / script), *words], check=False
    ).returncode


def _python(job: dict[str, Any]) -> int:
    """Run Python that leaves its `result`."""
    names: dict[str, Any] = {"__name__": "net"}
    exec(compile(job["code"], job["name"], "exec"), names)
    print(json.dumps(_plain(names["result"])))
    return 0


def _plain(value: Any) -> Any:
    """A result as JSON has it."""
    if hasattr(value, "to_dict"):
        value = value.to_dict()
    elif hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, dict):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(one) for one in value]
    if hasattr(value, "tolist"):
        return value.tolist()
    return value if isinstance(value, (str, int, float, bool, type(None))) else repr(value)


def _readings(job: dict[str, Any]) -> int:
    """Read files, each with keywords of `corefkit.read`; print what was read."""
    found = {name: read(path, how) for name, path, how in job["files"]}
    print(json.dumps(found))
    return 0


def _mutants(job: dict[str, Any]) -> int:
    """Read a sample of a format, and broken copies of it, all as one path with companions."""
    sound, path = Path(job["sample"]).read_bytes(), Path(job["path"])
    chance, found = random.Random(job["format"]), {}
    for number in range(job["number"] + 1):
        path.write_bytes(mutated(chance, sound) if number else sound)
        found[f"mutant {number}" if number else "sample"] = read(
            str(path), {"format": job["format"]}
        )
        if number % 5 == 0:
            found[f"mutant {number}, detected"] = read(str(path), {})
    path.unlink()
    print(json.dumps(found))
    return 0


def mutated(chance: random.Random, data: bytes) -> bytes:
    """The bytes with a few of them replaced."""
    for _ in range(chance.randint(1, 4)):
        at, size = chance.randrange(len(data) + 1), chance.randrange(6)
        data = data[:at] + chance.choice([b"", *PIECES]) + data[at + size :]
    return data[: chance.randrange(len(data) + 1)] if chance.random() < 0.1 else data


def read(path: str, how: dict[str, Any]) -> dict[str, str]:
    """What a reader makes of a file, in parts, each as text."""
    import corefkit

    try:
        corpus = corefkit.read(path, **how)
    except corefkit.DataError as error:
        return _incidents(error.incidents)
    except corefkit.UsageError as error:
        return {"usage": str(error)}
    except Exception as error:
        return {"exception": f"{type(error).__name__}: {error}"}
    found = _incidents(corpus.incidents)
    for name, part in _PARTS.items():
        try:
            value = part(corpus)
        except corefkit.DataError as error:
            value = [i.id for i in error.incidents]
        except Exception as error:
            value = f"{type(error).__name__}: {error}"
        text = json.dumps(value, ensure_ascii=False)
        digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        found[name] = text if len(text) < LONG else f"{text[:200]}… {len(text)} {digest}"
    return found


def _incidents(incidents: Any) -> dict[str, str]:
    rows = sorted((i.severity, i.id, i.line or 0, i.document or "", i.count) for i in incidents)
    left = [row for row in rows if row[1] != "format-differs"]
    found = {"incidents": json.dumps(left, ensure_ascii=False)}
    return found if left == rows else {**found, "looks like another format": "true"}


def _column(corpus: Any, name: str) -> list[Any]:
    column = getattr(corpus, name)
    return [None] * len(corpus.start) if column is None or not len(column) else column.tolist()


def _mentions(corpus: Any) -> list[Any]:
    """The nodes of each mention in the order of rows: document, start, end, zero, parts."""
    listed = corpus.parts if hasattr(corpus, "parts") else corpus.nodes  # the old name, the new
    parts: dict[int, Any] = dict(listed or ())
    columns = (_column(corpus, n) for n in ("document", "start", "end", "zero"))
    rows = enumerate(zip(*columns, strict=True))
    return [[d, s, e, z or 0, parts.get(row)] for row, (d, s, e, z) in rows]


def _clusters(corpus: Any) -> list[Any]:
    """The entities as sorted lists of mentions, without their ids."""
    found: dict[int, list[str]] = {}
    for entity, mention in zip(_column(corpus, "entity"), _mentions(corpus), strict=True):
        found.setdefault(entity, []).append(json.dumps(mention))
    return sorted(sorted(one) for one in found.values())


def _of_mentions(corpus: Any, values: Any) -> list[Any]:
    """What mentions have, by mention, whatever the order of rows."""
    pairs = zip(_mentions(corpus), values, strict=True)
    return sorted(json.dumps([mention, one], ensure_ascii=False) for mention, one in pairs)


def _labels(corpus: Any) -> dict[str, list[Any]]:
    labels = corpus.mention_labels
    names = labels.columns if labels is not None else ()
    return {name: _of_mentions(corpus, labels.values(name)) for name in sorted(names)}


def _links(corpus: Any) -> list[Any]:
    """Links other than identity, their ends as mentions or as the first mention of an entity."""
    links = corpus.links
    if links is None:
        return []
    mentions, entity = _mentions(corpus), _column(corpus, "entity")
    first: dict[int, Any] = {}
    for row, number in enumerate(entity):
        first.setdefault(number, mentions[row])

    def end(number: int, is_entity: bool) -> Any:
        return first.get(number) if is_entity else mentions[number]

    ends = {0: (True, True), 1: (False, False), 2: (False, True), 3: (True, True)}
    columns = links.kind.tolist(), links.source.tolist(), links.target.tolist(), links.label
    rows = zip(*columns, strict=True)
    found = [[k, end(s, ends[k][0]), end(t, ends[k][1]), label] for k, s, t, label in rows]
    return sorted(json.dumps(row, ensure_ascii=False) for row in found)


def _minimum(corpus: Any) -> list[Any]:
    return _of_mentions(corpus, _column(corpus, "minimum"))


def _of_column(name: str) -> Callable[[Any], Any]:
    def part(corpus: Any) -> Any:
        values = [None if v in (-2, None) else v for v in _column(corpus, name)]
        return _of_mentions(corpus, values) if any(v is not None for v in values) else None

    return part


_PARTS: dict[str, Callable[[Any], Any]] = {
    "documents": lambda corpus: [list(corpus.names), corpus.tokens.tolist(), corpus.unit],
    "mentions": lambda corpus: sorted(json.dumps(m) for m in _mentions(corpus)),
    "clusters": _clusters,
    "ids": lambda corpus: _of_mentions(
        corpus, [corpus.labels[e] for e in _column(corpus, "entity")]
    ),
    "heads": _of_column("head"),
    "minima": _minimum,
    "referring": _of_column("referring"),
    "lines": _of_column("line"),
    "links": _links,
    "labels": _labels,
    "words": lambda corpus: corpus.column("word"),
    "order of mentions": _mentions,
    "order of entities": lambda corpus: _column(corpus, "entity"),
}

_KINDS = {
    "command": _command,
    "process": _process,
    "python": _python,
    "readings": _readings,
    "mutants": _mutants,
}

if __name__ == "__main__":
    serve()
