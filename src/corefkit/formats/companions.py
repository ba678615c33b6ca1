"""Files that belong to another one and are read along with it, told by their names."""

import os
from collections.abc import Callable, Iterable

_COMPANIONS = {
    ".ann": (".txt",),
    ".entities": (".tokens", ".quotes", ".supersense", ".book", ".book.html", ".txt"),
}
"""What belongs to a file of that kind and is no document by itself."""

_MMAX = frozenset({"Basedata", "Markables", "Schemes", "Styles", "Customizations"})


def without_companions(files: list[str]) -> list[str]:
    """The files that are documents: not the `.txt` beside an `.ann`, and the like.

    >>> without_companions(["a.ann", "a.txt", "b.txt"])
    ['a.ann', 'b.txt']
    """
    belongs = companion_test(files)
    return [file for file in files if not belongs(file)]


def companion_test(files: Iterable[str]) -> Callable[[str], bool]:
    """Tells of a file whether it belongs to one of these, and is read along with it.

    >>> list(map(companion_test(["a.ann", "b.txt"]), ["a.txt", "b.txt"]))
    [True, False]
    """
    plain = [name.removesuffix(".gz") for name in files]
    companions = {
        name.removesuffix(kind) + other
        for name in plain
        for kind, others in _COMPANIONS.items()
        if name.endswith(kind)
        for other in others
    }
    configured = {os.path.dirname(name) for name in plain if name.endswith(".ann")}
    projects = {os.path.dirname(name) for name in plain if name.endswith(".mmax")}

    def belongs(file: str) -> bool:
        name = file.removesuffix(".gz")
        setting = name.endswith(".conf") and os.path.dirname(name) in configured
        return name in companions or setting or (bool(projects) and _of_mmax(name, projects))

    return belongs


def _of_mmax(name: str, projects: set[str]) -> bool:
    """Whether a file belongs to an MMAX2 project: its words, its markables, its settings."""
    folder, file = os.path.split(name)
    above, inside = os.path.split(folder)
    settings = file == "common_paths.xml" and folder in projects
    return settings or (inside in _MMAX and above in projects)
