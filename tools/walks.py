"""python tools/walks.py [SOURCE]: the shape of the program, and the way of its commands through it.

SOURCE is a folder with the package, src/ unless given. Modules are counted with their lines and
importers. Each command runs on the examples in a process of its own; functions are listed in the
order in which they are first entered, and a hop is a change of module, or of package, between two
that follow each other.
"""

import ast
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

HOME = Path(__file__).parent.parent
COMMANDS = {
    "score": ["score", "key.conll", "careful.conll"],
    "errors": ["errors", "key.conll", "careful.conll"],
    "report": ["report", "key.conll", "careful.conll", "-o", "OUT/report.html"],
    "task run": ["task", "run", "task/task.toml", "-o", "OUT/task", "--jobs", "1"],
}
_TRACER = """
import sys, threading
entered = {}
def note(frame, event, _):
    if event == "call":
        name, code = frame.f_globals.get("__name__", ""), frame.f_code
        is_ours = name.startswith("corefkit") and not code.co_filename.startswith("<")
        if is_ours and code.co_flags & 1 and not code.co_name.startswith("<"):  # no class bodies
            entered.setdefault((name, code.co_qualname), None)
from corefkit.cli.app import corefkit
sys.setprofile(note)
threading.setprofile(note)  # files may be read in a thread
try:
    corefkit(sys.argv[2:], standalone_mode=False)
finally:
    sys.setprofile(None)
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.writelines(f"{module}\\n" for module, _ in entered)
"""


def modules(source: Path) -> dict[str, tuple[str, ast.Module]]:
    """The text and the syntax of each module by its dotted name."""
    found = {}
    for file in sorted((source / "corefkit").rglob("*.py")):
        parts = file.relative_to(source).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        text = file.read_text(encoding="utf-8")
        found[name] = text, ast.parse(text)
    return found


def imported(syntax: ast.Module, names: set[str]) -> Iterator[str]:
    """The modules among `names` that a module imports anywhere."""
    for node in ast.walk(syntax):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name for name in inside if name in names)
            if node.module in names and not all(name in names for name in inside):
                yield node.module


def shape(source: Path) -> str:
    """Modules, their sizes, and how many have one importer."""
    known = modules(source)
    importers = defaultdict(set)
    for name, (_, syntax) in known.items():
        for other in imported(syntax, {*known}):
            importers[other].add(name)
    sizes = {name: len(text.splitlines()) for name, (text, _) in known.items()}
    largest = max(sizes, key=lambda name: sizes[name])
    single = [name for name in known if len(importers[name] - {name}) == 1]
    return (
        f"{len(known)} modules, {sum(sizes.values()):,} lines; median "
        f"{statistics.median(sizes.values()):.0f}, largest {largest} {sizes[largest]}; "
        f"{len(single)} with one importer"
    )


def walk(source: Path, arguments: list[str]) -> str:
    """How many functions, modules and hops a command takes."""
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "trace"
        command = [sys.executable, "-c", _TRACER, str(trace)]
        command += [argument.replace("OUT", folder) for argument in arguments]
        environment = {"PYTHONPATH": str(source.resolve())}
        done = subprocess.run(
            command,
            cwd=HOME / "examples",
            capture_output=True,
            text=True,
            env=environment,
            check=False,
        )
        if not trace.exists():
            sys.exit(done.stderr)
        path = trace.read_text(encoding="utf-8").split()
    packages = [name.split(".")[1] if "." in name else "" for name in path]
    return f"{len(path):9,} {len({*path}):8,} {_hops(path):12,} {_hops(packages):13,}"


def _hops(stations: list[str]) -> int:
    return sum(one != other for one, other in pairwise(stations))


def main() -> None:
    """Print the shape and the walks."""
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else HOME / "src"
    print(shape(source))
    print(f"\n{'':9} functions  modules  module hops  package hops")
    for name, arguments in COMMANDS.items():
        print(f"{name:9} {walk(source, arguments)}")


if __name__ == "__main__":
    main()
