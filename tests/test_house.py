"""The house: which package may import which, and that no package is forgotten."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from runpy import run_path

import pytest

import corefkit
from corefkit._lazy import DOORS
from tests.support import syntax

SOURCE = Path(corefkit.__file__).parent
FLOORS = (
    "core",
    "matching",
    "alignment",
    "formats",
    "applications",
    "metrics",
    "scorers",
    "engines",
    "analysis",
    "scoring",
    "stats",
    "corpora",
    "published",
    "render",
    "task",
    "integrations",
    "cli",
)
"""Each package may import those before it; `_version`, `_lazy` and `_process` everybody may."""


def imported(file: Path) -> Iterator[str]:
    for node in ast.walk(syntax(file)):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            if node.module == "corefkit":
                yield from (f"corefkit.{alias.name}" for alias in node.names)
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


@pytest.mark.parametrize("floor", FLOORS)
def test_imports_go_down(floor: str) -> None:
    allowed = {*FLOORS[: FLOORS.index(floor) + 1], "_version", "_lazy", "_process", "__version__"}
    wrong = [
        f"{file.relative_to(SOURCE)} imports {name}"
        for file in sorted((SOURCE / floor).rglob("*.py"))
        for name in imported(file)
        if name.startswith("corefkit.") and name.split(".")[1] not in allowed
    ]
    assert not wrong


def named_in_strings(file: Path) -> Iterator[str]:
    """The modules that strings name, "corefkit.x.y" or "x.y" where there is such a module."""
    tree = syntax(file)
    prose = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            name = node.value.partition(":")[0].removeprefix("corefkit.")
            dotted = re.fullmatch(r"[a-z_]+(\.\w+)+", name)
            if node.value.startswith("corefkit.") or (dotted and is_module(name)):
                yield f"corefkit.{name}"


def is_module(name: str) -> bool:
    path = SOURCE / name.replace(".", "/")
    return path.with_suffix(".py").is_file() or path.is_dir()


@pytest.mark.parametrize("floor", FLOORS)
def test_strings_lead_down_too(floor: str) -> None:
    """A table of modules to import, too, names those of its own floor and of lower ones."""
    allowed = {*FLOORS[: FLOORS.index(floor) + 1]}
    wrong = [
        f"{file.relative_to(SOURCE)} names {name}"
        for file in sorted((SOURCE / floor).rglob("*.py"))
        for name in named_in_strings(file)
        if name.split(".")[1] in {*FLOORS} - allowed
    ]
    assert not wrong


def test_doors_lead_somewhere() -> None:
    """The ways up that `_lazy` lists: each is a function, and each is used."""
    text = "".join(file.read_text(encoding="utf-8") for file in SOURCE.rglob("*.py"))
    for name, way in DOORS.items():
        module, _, function = way.rpartition(".")
        assert function in defined(SOURCE / f"{module.replace('.', '/')}.py"), way
        assert f'door("{name}", ' in text


def test_tests_mirror_the_source() -> None:
    folders = {file.parent.name for file in Path(__file__).parent.glob("*/__init__.py")}
    assert folders - {"conformance", "oracle"} == set(FLOORS)


def test_every_package_has_a_floor() -> None:
    packages = {file.parent.name for file in SOURCE.glob("*/__init__.py")}
    assert packages <= set(FLOORS)


ONE_MEANING = [
    "Column",
    "Comparison",
    "Corpus",
    "Counts",
    "Evaluator",
    "Incident",
    "Interval",
    "IncidentKind",
    "Matched",
    "Metric",
    "Options",
    "Overlap",
    "Pair",
    "Pairs",
    "Profile",
    "Row",
    "Scores",
    "Setting",
    "Side",
    "Source",
    "Span",
    "Table",
    "Token",
    "compare",
]
"""Names that mean one thing wherever they stand, private ones included."""


def defined(file: Path) -> Iterator[str]:
    """The classes, types and functions of a module, without the underscore of private ones."""
    for node in syntax(file).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.name.lstrip("_")
        elif isinstance(node, ast.Assign):
            yield from (t.id.lstrip("_") for t in node.targets if isinstance(t, ast.Name))


def test_a_name_has_one_meaning() -> None:
    homes: dict[str, list[str]] = {name: [] for name in ONE_MEANING}
    for file in sorted(SOURCE.rglob("*.py")):
        for name in {*defined(file)} & homes.keys():
            homes[name].append(str(file.relative_to(SOURCE)))
    assert {name: files for name, files in homes.items() if len(files) != 1} == {}


def test_every_package_has_tests() -> None:
    """In the folder of the same name, or in a file that is called like the package."""
    tests = Path(__file__).parent
    without = []
    for file in SOURCE.rglob("__init__.py"):
        package = file.parent.relative_to(SOURCE)
        own = tests / package.parent / f"test_{package.name}.py"
        if not own.exists() and not [*(tests / package).glob("test_*.py")]:
            without.append(str(package))
    assert sorted(without) == []


def test_the_picture_of_the_house_is_current() -> None:
    """After a change of modules or imports: python docs/pictures/house.py draws it again."""
    pictures = Path(__file__).parents[1] / "docs" / "pictures"
    drawn = run_path(str(pictures / "house.py"))["draw"]()
    assert (pictures / "house.svg").read_text(encoding="utf-8") == drawn
