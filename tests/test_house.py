"""The house: which package may import which, and that no package is forgotten."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

import corefkit
from corefkit import metrics
from corefkit._lazy import DOORS
from corefkit.cli.app import COMMANDS
from corefkit.formats import format_names
from corefkit.scorers import PROFILES
from tests.support import syntax

SOURCE = Path(corefkit.__file__).parent
FLOORS = (
    "core",
    "matching",
    "alignment",
    "formats",
    "features",
    "metrics",
    "scorers",
    "engines",
    "analysis",
    "scoring",
    "stats",
    "corpora",
    "adjudication",
    "published",
    "audits",
    "render",
    "task",
    "receipts",
    "integrations",
    "compat",
    "cli",
)
"""Each package may import those before it; `_version` and `_lazy` everybody may."""


def imported(file: Path) -> Iterator[str]:
    for node in ast.walk(syntax(file)):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: a relative import"
            assert node.module
            if node.module == "corefkit":
                yield from (f"corefkit.{alias.name}" for alias in node.names)
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


@pytest.mark.parametrize("floor", FLOORS)
def test_imports_go_down(floor: str) -> None:
    allowed = {*FLOORS[: FLOORS.index(floor) + 1], "_version", "_lazy", "__version__"}
    whole = {"corefkit"} if FLOORS.index(floor) < FLOORS.index("integrations") else set()
    wrong = [
        f"{file.relative_to(SOURCE)} imports {name}"
        for file in sorted((SOURCE / floor).rglob("*.py"))
        for name in imported(file)
        if name.startswith("corefkit.") and name.split(".")[1] not in allowed
    ]
    wrong += [
        f"{file.relative_to(SOURCE)} imports the whole package, from which everything is reached"
        for file in sorted((SOURCE / floor).rglob("*.py"))
        for node in ast.walk(syntax(file))
        if isinstance(node, ast.Import) and {alias.name for alias in node.names} & whole
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


@pytest.mark.parametrize("floor", FLOORS)
def test_lazy_names_come_from_below(floor: str) -> None:
    """Tables for `attach`, whose keys may also be whole packages."""
    allowed = {*FLOORS[: FLOORS.index(floor) + 1]}
    for file in (SOURCE / floor).rglob("*.py"):
        for node in ast.walk(syntax(file)):
            if isinstance(node, ast.Dict) and "attach(" in file.read_text(encoding="utf-8"):
                keys = {k.value for k in node.keys if isinstance(k, ast.Constant)}
                assert {str(k).split(".")[0] for k in keys} & {*FLOORS} <= allowed, file


def compared_with(file: Path, names: set[str], subject: str) -> Iterator[str]:
    """Comparisons of what the pattern `subject` describes with one of the names, or a beginning."""
    for node in ast.walk(syntax(file)):
        parts: list[ast.expr] = []
        if isinstance(node, ast.Compare):
            parts = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in ("startswith", "endswith", "removeprefix"):
                parts = [node.func.value, *node.args]
        elif isinstance(node, ast.match_case):
            parts = [n.value for n in ast.walk(node.pattern) if isinstance(n, ast.MatchValue)]
        texts = {
            n.value
            for part in parts
            for n in ast.walk(part)
            if isinstance(n, ast.Constant) and isinstance(n.value, str) and len(n.value) > 1
        }
        begins = not isinstance(node, ast.Compare)
        known = texts & names or (
            begins and any(name.startswith(text) for text in texts for name in names)
        )
        shown = " ".join(map(ast.unparse, parts))
        if known and re.search(subject, shown):
            yield f"{file.relative_to(SOURCE)}:{parts[0].lineno} {shown}"


@pytest.mark.parametrize("floor", [floor for floor in FLOORS if floor != "scorers"])
def test_nobody_asks_for_a_scorer_by_name(floor: str) -> None:
    """What a scorer does in its own way is a method or an attribute of its class."""
    names = {*PROFILES} - {"standard"}
    files = sorted((SOURCE / floor).rglob("*.py"))
    wrong = [line for file in files for line in compared_with(file, names, r"scorer|profile")]
    assert wrong == []


@pytest.mark.parametrize("floor", [floor for floor in FLOORS if floor != "formats"])
def test_nobody_asks_for_a_format_by_name(floor: str) -> None:
    """What a format can do, it says in its Format."""
    names, subject = {*format_names()}, r"format|detect\(|recognise\(|\bto\b|source\.name"
    files = sorted((SOURCE / floor).rglob("*.py"))
    assert [line for file in files for line in compared_with(file, names, subject)] == []


def test_only_the_registries_import_by_name() -> None:
    """Whoever imports a module by its name has a table of names, which the tests above read."""
    by_name = {
        str(file.relative_to(SOURCE))
        for file in SOURCE.rglob("*.py")
        if re.search(r"\b(import_module|__import__)\b", file.read_text(encoding="utf-8"))
    }
    packages = {f"{name}/__init__.py" for name in ("compat", "matching", "metrics", "scorers")}
    registries = {"cli/app.py", "formats/registry.py", "render/table.py"}
    others = {"core/frames.py", "audits/processes.py"}  # pandas or polars; a scorer under audit
    assert by_name == packages | registries | others | {"_lazy.py"}


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


def defined(file: Path) -> Iterator[str]:
    """The classes, types and functions of a module, without the underscore of private ones.

    Also what is defined under a condition.
    """
    nodes = list(syntax(file).body)
    for node in nodes:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.name.lstrip("_")
        elif isinstance(node, ast.Assign):
            yield from (t.id.lstrip("_") for t in node.targets if isinstance(t, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            value = ast.unparse(node.value).strip("'\"") if node.value else ""
            if value.rpartition(".")[2] != node.target.id:  # the same under its own name
                yield node.target.id.lstrip("_")
        elif isinstance(node, ast.If | ast.Try):
            nodes += [*node.body, *node.orelse]


def test_a_name_has_one_meaning() -> None:
    """Each class or type, private ones included, is defined in one module and means one thing."""
    homes = defaultdict(set)
    for file in SOURCE.rglob("*.py"):
        if file.parent.name == "compat":  # names are those of the evaluators it stands in for
            continue
        for name in defined(file):
            if name[:1].isupper() and not name.isupper():
                homes[name].add(str(file.relative_to(SOURCE)))
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}


def rooms() -> Iterator[str]:
    """The modules, as `formats/conll/reader`."""
    for file in sorted(SOURCE.rglob("*.py")):
        if file.stem not in ("__init__", "__main__"):
            yield str(file.relative_to(SOURCE).with_suffix(""))


def proper_names() -> set[str]:
    """What modules are called after, whatever the word: metrics, formats, scorers."""
    scorers = (profile.module for profile in PROFILES.values())
    formats = (name.replace("-", "_") for name in format_names())
    return {*metrics.NAMES, *formats, *scorers}


PARALLEL = {
    "base": "what the modules of a package are made from",
    "counting": "counts of a Comparison, in memory and on an engine",
    "errors": "analysis finds them; scoring begins with files",
    "heads": "heads of mentions, as a format writes them and as scores need them",
    "incidents": "what can be wrong; each format knows its own kinds",
    "levels": "documents joined by topics, and the scores of each level as shown",
    "nodes": "tokens and empty nodes, of a corpus and of a file",
    "options": "what can be chosen, and how it is written on the command line",
    "outcomes": "metrics decide them; scoring begins with files",
    "output": "what is written where: by a command, and by a run of a task",
    "run": "the main function of a package that runs something",
    "source": "a file a corpus was read from: of any format, and what a CorefUD file answers",
    "strata": "scores split by labels, and their tables",
    "text": "characters of files; tables as plain text",
    "tokens": "token columns: of a corpus, the key, and with all layers",
    "windows": "documents cut into windows, and the scores of windows as shown",
}
"""File names that several packages share, and what they mean in each."""


def is_shown(room: str, namesakes: set[str]) -> bool:
    """Whether a room is that of a command, or of `render` and shows what it is called after."""
    *folders, name = room.split("/")
    if folders[:1] == ["cli"]:
        return name in {*chain.from_iterable(COMMANDS.values())} or folders[1:] == ["corpus"]
    modules = {f"corefkit.{namesake.replace('/', '.')}" for namesake in namesakes - {room}}
    names = {*imported(SOURCE / f"{room}.py")}
    return folders[:1] == ["render"] and bool(names & modules or f"cli/{name}" in namesakes)


def test_a_file_name_has_one_meaning() -> None:
    """What may share a name: a command or a renderer with what it shows; rooms of formats.

    A module called after a metric, a format or a scorer is about just that.
    """
    homes = defaultdict(set)
    for room in rooms():
        homes[room.rpartition("/")[2]].add(room)
    shared: dict[str, set[str]] = {}
    for name in homes.keys() - proper_names():
        others = {room for room in homes[name] if not is_shown(room, homes[name])}
        formats = {room for room in others if re.match(r"formats/(?!kit/).+/", room)}
        places = others - formats | ({"formats/…"} if formats else set())
        shared |= {name: places} if len(places) > 1 else {}
    assert {name: shared[name] for name in shared if name not in PARALLEL} == {}
    assert PARALLEL.keys() <= shared.keys()


ACTIVITIES = {
    "building",
    "counting",
    "interning",
    "listing",
    "reading",
    "resampling",
    "rewriting",
    "testing",
    "writing",
}
"""What is done in a room, where the field has no other noun for it."""


def test_no_room_is_called_by_a_participle() -> None:
    names = {room.rpartition("/")[2].rpartition("_")[2] for room in rooms() if "/" in room}
    participles = {name for name in names if re.search(r"(ing|ed)$", name)} - proper_names()
    packages = {file.parent.name for file in SOURCE.rglob("__init__.py")}
    assert participles - packages - ACTIVITIES == {*ADJECTIVES}


ADJECTIVES = {
    "distributed": "torch.distributed",
}
"""Words that end like participles and are terms of their field."""


def test_frozen_classes_are_those_of_carriers() -> None:
    """`frozen` costs a fifth of `dataclass(frozen=True)`, and `score` loads forty such classes."""
    slow = [
        f"{file.relative_to(SOURCE)}: {name}"
        for file in SOURCE.rglob("*.py")
        for name in re.findall(
            r"@dataclass\((?!.*order=)[^)]*frozen=True.*\)\nclass (\w+)",
            file.read_text(encoding="utf-8"),
        )
    ]
    assert slow == []


WHOLE_PACKAGES = {
    "against_oracle": "an independent implementation",
    "conformance": "files with expected results",
    "escapes": "each character that means something in an output",
    "growth": "time in proportion to the input",
    "incidents": "a tiny file for each kind",
    "mutations": "broken files",
    "properties": "what definitions promise",
    "round_trips": "what is written is read again",
    "thresholds": "values at the edges of rules",
}
"""Tests of all modules of a package, and what they are held to."""

SEVERAL_MODULES = {
    "features/figures": "figures of another scorer for all application scores",
    "features/split_antecedents": "one kind of file, all application scores",
    "features/zeros": "one kind of mention, all application scores",
    "cli/applications": "application scores, by the commands score and outcomes",
    "cli/corefud_commands": "all commands on CorefUD files",
    "cli/hints": "hints of every incident under every command",
    "cli/messages": "what commands report, on a terminal",
    "cli/outputs": "what every command writes, and where",
    "cli/policies": "options and --policy of all commands",
    "cli/process": "whole processes, not functions",
    "cli/settings": "score --setting, through scoring and render",
    "engines/documents": "documents without mentions, in memory and on every engine",
    "engines/folders": "names of files and folders, in memory and on every engine",
    "engines/types": "calls that mypy checks",
    "engines/values": "mentions of any type, in memory and on DuckDB",
    "formats/entry_points": "formats and metrics of other packages",
    "formats/hostile": "broken files of many formats",
    "formats/standoff": "brat, BookNLP, LitBank and CoreNLP",
    "formats/tools": "what annotation tools write: many small formats",
    "integrations/lightning": "the example of the docs: an Evaluator in a Lightning module",
    "integrations/stanza": "documents of Stanza, read by formats/spacy",
    "metrics/anaphora": "split antecedents, non-referring expressions and bridging together",
    "metrics/clustering": "metrics of entity resolution and of clustering, one oracle",
    "metrics/f1": "F1 of sums of every metric",
    "metrics/limits": "documents as large as engines admit, every metric",
    "metrics/pradhan_example": "one published example, all metrics",
    "render/whole_report": "the report of score by every renderer",
    "scorers/profiles": "every scorer under the name of its profile",
    "scoring/anaphora_properties": "what holds of anaphora, in files and in an Evaluator",
    "scoring/failures": "a reader that fails, under every command",
    "scoring/misuse": "the whole Python interface, used wrongly",
    "task/crac": "tasks of CRAC, from manifest to tables",
}
"""Tests that stand for no single module, and why."""


def test_every_test_stands_where_its_module_does() -> None:
    """tests/x/test_y.py or test_y_TOPIC.py tests src/corefkit/x/y.py, or the package x/y or x."""
    modules = {*rooms(), *(str(f.parent.relative_to(SOURCE)) for f in SOURCE.rglob("__init__.py"))}
    tests = Path(__file__).parent
    excused = set()
    for floor in FLOORS:
        for file in (tests / floor).rglob("test_*.py"):
            folder, topic = file.parent.relative_to(tests), file.stem.removeprefix("test_")
            words = topic.split("_")
            starts = {str(folder / "_".join(words[:n])) for n in range(1, len(words) + 1)}
            whole = topic in WHOLE_PACKAGES or topic == folder.name
            if not (starts & modules) and not whole:
                excused.add(str(folder / topic))
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


@pytest.mark.parametrize("page", ["docs/architecture.md", "docs/decisions.md", "docs/extending.md"])
def test_pages_about_the_house_name_rooms_that_exist(page: str) -> None:
    """Files and folders, and what is said to be in them: `function` in `package/module.py`."""
    text = (Path(__file__).parents[1] / page).read_text(encoding="utf-8")
    named = re.findall(r"[`(](?:src/corefkit/)?([a-z_]+/[\w/]*\w(?:\.\w+)?)(?=[`),])", text)
    floors = {*FLOORS, "data", "mentions", "profiles", "ontonotes"}
    rooms = (name for name in named if name.split("/")[0] in floors and "NAME" not in name)
    assert [name for name in rooms if not (SOURCE / name).exists()] == []
    assert not re.search(r"corefkit/(data|mentions|profiles|ontonotes)/", text)
    for thing, room in re.findall(r"`([\w.]+)` in `(?:src/corefkit/)?([\w/]+\.py)`", text):
        name = thing.rpartition(".")[2]
        code = (SOURCE / room).read_text(encoding="utf-8")
        definition = rf"^ *((def|class) {name}\b|{name}\b.* = )"
        assert re.search(definition, code, re.MULTILINE), (thing, room)
