"""The house: which package may import which, and that no package is forgotten."""

import ast
from collections.abc import Iterator
from pathlib import Path
from runpy import run_path

import pytest

import corefkit
from tests.support import syntax

SOURCE = Path(corefkit.__file__).parent
FLOORS = (
    "data",
    "formats",
    "metrics",
    "profiles",
    "mentions",
    "engines",
    "analysis",
    "scoring",
    "stats",
    "ontonotes",
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
    "Kind",
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


WHOLE_PACKAGES = {
    "against_oracle",
    "conformance",
    "growth",
    "incidents",
    "mutations",
    "properties",
    "round_trips",
}
"""Tests of all modules of a package, named after what they are held to."""

SEVERAL_MODULES = {
    "analysis/document": "errors.document(name), made by most modules of the package",
    "cli/applications": "application scores, by the commands score and outcomes",
    "cli/corefud_commands": "all commands on CorefUD files",
    "cli/outputs": "what every command writes, and where",
    "cli/process": "whole processes, not functions",
    "cli/settings": "score --setting, through scoring and render",
    "data/provoked": "kinds of incidents of all packages",
    "engines/types": "calls that mypy checks",
    "formats/conll/word_place": "the word column, in reading, masking and scoring",
    "formats/entry_points": "formats and metrics of other packages",
    "formats/standoff": "brat, BookNLP, LitBank and CoreNLP share their building",
    "formats/tools": "what annotation tools write: many formats of one module each",
    "integrations/lightning": "the example of the docs: an Evaluator in a Lightning module",
    "mentions/figures": "figures of another scorer for all application scores",
    "mentions/split_antecedents": "one kind of file, all application scores",
    "mentions/zeros": "one kind of mention, all application scores",
    "metrics/anaphora": "split antecedents, non-referring expressions and bridging together",
    "metrics/pradhan_example": "one published example, all metrics",
    "render/renderers": "what every renderer must escape",
    "scoring/evaluator_spans": "one kind of mention, evaluator and annotated_documents",
    "scoring/misuse": "the whole Python interface, used wrongly",
}
"""Tests that stand for no single module, and why."""


def test_every_test_stands_where_its_module_does() -> None:
    """tests/x/test_y.py tests src/corefkit/x/y.py, or the package x/y, or the whole package x."""
    modules = {str(f.relative_to(SOURCE).with_suffix("")) for f in SOURCE.rglob("*.py")}
    modules |= {str(f.parent.relative_to(SOURCE)) for f in SOURCE.rglob("__init__.py")}
    tests = Path(__file__).parent
    misplaced, excused = [], set()
    for floor in FLOORS:
        for file in sorted((tests / floor).rglob("test_*.py")):
            folder, topic = file.parent.relative_to(tests), file.stem.removeprefix("test_")
            name = str(folder / topic)
            whole = topic in WHOLE_PACKAGES or topic.endswith(
                tuple(f"_{t}" for t in WHOLE_PACKAGES)
            )
            if name in modules or whole or topic == str(folder):
                continue
            excused.add(name)
            misplaced += [name] if name not in SEVERAL_MODULES else []
    assert misplaced == []
    assert excused == SEVERAL_MODULES.keys()


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
