"""A small task for the tests: the example, and ones made on the spot."""

from pathlib import Path

from tests.support import EXAMPLES

TASK = EXAMPLES / "task" / "task.toml"

KEY = """#begin document (nw/a/00/a_0001); part 000
a\t0\t0\tx\t(1)
a\t0\t1\ty\t(1)
a\t0\t2\tz\t-
#end document
"""

MANIFEST = """name = "tiny"
[languages.english]
key = "key.conll"
[systems.one.responses]
"english/closed/NB" = "one.conll"
"""


def write_task(folder: Path, manifest: str = MANIFEST) -> Path:
    """A task of one system that repeats the key."""
    for name in ("key.conll", "one.conll"):
        (folder / name).write_text(KEY, encoding="utf-8")
    path = folder / "task.toml"
    path.write_text(manifest, encoding="utf-8")
    return path


def tree(folder: Path) -> dict[str, bytes]:
    """All files below a folder."""
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }
