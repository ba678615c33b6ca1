"""python tools/code_lines.py [REVISION]: code lines of src/ by package, now or at a commit.

A line counts if something stands in it besides comments and docstrings.
"""

import ast
import io
import subprocess
import sys
import tokenize
from collections import Counter
from pathlib import Path, PurePosixPath

HOME = Path(__file__).parent.parent
PACKAGE = "src/corefkit"
SILENT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


def code_lines(text: str) -> int:
    """How many lines of a module are code."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in SILENT:
            lines |= set(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(
            node
        ):
            first = node.body[0]
            lines -= set(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return len(lines)


def modules(revision: str | None) -> dict[str, str]:
    """The text of each module by its path."""
    if revision is None:
        paths = (HOME / PACKAGE).rglob("*.py")
        return {p.relative_to(HOME).as_posix(): p.read_text(encoding="utf-8") for p in paths}
    listed = _git("ls-tree", "-r", "--name-only", revision, PACKAGE).split()
    return {p: _git("show", f"{revision}:{p}") for p in listed if p.endswith(".py")}


def _git(*arguments: str) -> str:
    command = ["git", "-C", str(HOME), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def main() -> None:
    """Print the table."""
    found: Counter[str] = Counter()
    texts = modules(sys.argv[1] if len(sys.argv) > 1 else None)
    for path, text in texts.items():
        inside = PurePosixPath(path).relative_to(PACKAGE)
        depth = 2 if inside.parts[0] == "plugins" else 1
        package = "/".join(inside.parts[:depth]) if len(inside.parts) > depth else "."
        found[package] += code_lines(text)
    for name, number in found.most_common():
        print(f"{number:7,}  {name}")
    print(f"{found.total():7,}  in {len(texts)} modules")


if __name__ == "__main__":
    main()
