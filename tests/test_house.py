"""The layers: which package may import which, and that no package is forgotten."""

import ast
import inspect
import pkgutil
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import corefkit
from corefkit.core.entry_points import PluginCommand, ResultType, find, load, ours
from corefkit.formats.registry import format_names
from corefkit.formats.table import MODULES
from corefkit.scorers import PROFILES
from tests.support import syntax

SOURCE = Path(corefkit.__file__).parent
LAYERS = (
    "core",
    "matching",
    "alignment",
    "formats",
    "features",
    "metrics",
    "scorers",
    "analysis",
    "scoring",
    "stats",
    "corpora",
    "render",
    "cli",
)
"""The core: each package may import those before it; `_version` and `_lazy` everybody may."""
PLUGINS = ("adjudication", "audit", "clustering", "engines", "published", "study", "task", "verify")
"""Departments, which may import all of the core, but nothing private, and no other department."""
AROUND = ("integrations", "compat")
"""Public import paths, which may import everything before them and which nobody imports."""
PACKAGES = (*LAYERS, *(f"plugins/{name}" for name in PLUGINS), *AROUND)
EVERYBODY = {"_version", "_lazy", "__version__"}


def package_of(name: str) -> str:
    """The package that a module is in, or the plug-in."""
    first, *rest = name.removeprefix("corefkit.").split(".")
    return f"plugins/{rest[0]}" if first == "plugins" and rest else first


def allowed_in(package: str) -> set[str]:
    """The packages that a package may import."""
    place = PACKAGES.index(package)
    if package.startswith("plugins/"):
        return {*LAYERS, package, *EVERYBODY}
    return {*PACKAGES[: place + 1], *EVERYBODY}


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


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_go_down(package: str) -> None:
    whole = set() if package in AROUND else {"corefkit"}
    wrong = []
    for file in sorted((SOURCE / package).rglob("*.py")):
        place = file.relative_to(SOURCE).as_posix()
        named = [n for n in imported(file) if n.startswith("corefkit.")]
        named += [n for n in named_in_strings(file) if package_of(n) in PACKAGES]
        wrong += [f"{place}: {n}" for n in named if package_of(n) not in allowed_in(package)]
        wrong += [
            f"{place} imports the whole package, from which everything is reached"
            for node in ast.walk(syntax(file))
            if isinstance(node, ast.Import) and {alias.name for alias in node.names} & whole
        ]
    assert not wrong


@pytest.mark.parametrize("package", [f"plugins/{name}" for name in PLUGINS])
def test_plugins_use_what_is_public(package: str) -> None:
    """No name of the core or of another plug-in that begins with an underscore, and no such module.

    A name with an underscore that the plug-in itself defines is its own.
    """
    files = sorted((SOURCE / package).rglob("*.py"))
    own = {name for file in files for name in private_definitions(file)}
    place = f"corefkit.{package.replace('/', '.')}"
    wrong = [f"{f.relative_to(SOURCE)}: {n}" for f in files for n in private_names(f, place, own)]
    assert wrong == []


def private_names(file: Path, place: str, own: set[str]) -> Iterator[str]:
    """The private names of others that a module of the plug-in at `place` imports or uses."""
    for node in ast.walk(syntax(file)):
        if isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if module.startswith("corefkit") and not f"{module}.".startswith(f"{place}."):
                names = (f"{module}.{alias.name}" for alias in node.names)
                yield from (name for name in names if PRIVATE.search(name))
        elif (
            isinstance(node, ast.Attribute)
            and PRIVATE.search(node.attr)
            and node.attr not in own | OF_LIBRARIES
        ):
            yield ast.unparse(node)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("getattr", "setattr"):
            named = [str(a.value) for a in node.args[1:2] if isinstance(a, ast.Constant)]
            if any(PRIVATE.search(name) and name not in own | OF_LIBRARIES for name in named):
                yield ast.unparse(node)


PRIVATE = re.compile(r"(^|\.)_(?!version\b|lazy\b|_)")
OF_LIBRARIES = {"_asdict", "_fields", "_replace", "_make", "_exit", "_jsc"}
"""Names with an underscore of named tuples, of `os`, and of Spark's session, which has no other."""


def private_definitions(file: Path) -> Iterator[str]:
    """The methods, fields and attributes of the classes of a module, and what it calls `self`'s.

    Its functions are not among them: they are called without a dot.
    """
    for node in ast.walk(syntax(file)):
        if isinstance(node, ast.ClassDef):
            for part in node.body:
                if isinstance(part, ast.FunctionDef):
                    yield part.name
                elif isinstance(part, ast.AnnAssign | ast.Assign):
                    yield from (n.id for n in ast.walk(part) if isinstance(n, ast.Name))
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield from [node.attr] if ast.unparse(node.value) == "self" else ()


CORE = [p for p in sorted(SOURCE.rglob("*.py")) if p.relative_to(SOURCE).parts[0] in LAYERS]
ALONE = [p for p in sorted(SOURCE.glob("*.py")) if p.name != "__init__.py"]
"""The modules beside the packages; the table of public names in `__init__` may name plug-ins."""


def test_the_core_does_not_name_plugins() -> None:
    """No import, and no string or incident with the path of one, its commands or what it adds."""
    wrong = [
        f"{file.relative_to(SOURCE)}: {name}"
        for file in (*CORE, *ALONE)
        for name in plugins_named(file)
    ]
    kinds = {".toml", ".html", ".json", ".txt"}
    files = (file for layer in LAYERS for file in sorted((SOURCE / layer).rglob("*")))
    texts = (f for f in files if f.suffix in kinds and f.name != "languages.toml")  # vi
    wrong += [str(file) for file in texts if NAMES_OF_PLUGINS.search(file.read_text("utf-8"))]
    assert wrong == []


COMMANDS = {*ours("commands")}
ORDINARY = {"task", "study", "verify", "pairs", "clusters", "published", "purity", "spark"}
"""What plug-ins add under a name that is also a word; of these only "corefkit NAME" counts."""
ADDED = {*COMMANDS, *ours("engines"), *ours("metrics")} - ORDINARY
NAMES_OF_PLUGINS = re.compile(
    rf"plugins[./]\w|\bcorefkit ({'|'.join(COMMANDS)})\b|\b({'|'.join(ADDED)})\b"
)


def plugins_named(file: Path) -> Iterator[str]:
    """What of a module leads to a plug-in: imports, and strings that are no docstrings."""
    yield from (name for name in imported(file) if f"{name}.".startswith("corefkit.plugins."))
    yield from filter(NAMES_OF_PLUGINS.search, strings(file))


@pytest.mark.parametrize(
    "line",
    [
        "from corefkit.plugins.audit.run import run_audit",
        "from corefkit.plugins import audit",
        "import corefkit.plugins.audit",
        "where = 'corefkit.plugins.audit.run'",
        "where = f'plugins/{name}' 'plugins/audit'",
        "help = 'as in corefkit audit'",
        "message = 'add --engine duckdb'",
        "message = 'name the metric pairs_sample'",
        "message = 'adjudicate drops them'",
    ],
)
def test_a_module_that_names_a_plugin_is_found(line: str, tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(f'"""As in corefkit audit."""\n{line}\n')
    assert len([*plugins_named(module)]) == 1


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("from corefkit.core.corpus import _columns", ["corefkit.core.corpus._columns"]),
        ("from corefkit.core._corpus import columns", ["corefkit.core._corpus.columns"]),
        ("from corefkit.plugins.audit.run import _ask", ["corefkit.plugins.audit.run._ask"]),
        ("from corefkit.plugins.auditing.run import _ask", ["corefkit.plugins.auditing.run._ask"]),
        ("size = corpus._size + row._replace(n=1)", ["corpus._size"]),
        ("from corefkit.plugins.task.run import _own; Own()._of_class()", []),
        ("corpus._own()", ["corpus._own"]),
        ("corpus._size = 1", ["corpus._size"]),
        ("getattr(corpus, '_size')", ["getattr(corpus, '_size')"]),
        ("from corefkit._lazy import attach; x.__class__", []),
    ],
)
def test_private_names_are_found(line: str, found: list[str], tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(f"{line}\ndef _own(): ...\nclass Own:\n    def _of_class(self): ...\n")
    own = {*private_definitions(module)}
    assert [*private_names(module, "corefkit.plugins.task", own)] == found


def named_in_strings(file: Path) -> Iterator[str]:
    """The modules that strings name, "corefkit.x.y" or "x.y" where there is such a module."""
    for text in strings(file):
        name = text.partition(":")[0].removeprefix("corefkit.")
        dotted = re.fullmatch(r"[a-z_]+(\.\w+)+", name)
        if text.startswith("corefkit.") or (dotted and is_module(name)):
            yield f"corefkit.{name}"


def strings(file: Path) -> Iterator[str]:
    """The strings of a module, without its docstrings."""
    tree = syntax(file)
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            yield node.value


def is_module(name: str) -> bool:
    path = SOURCE / name.replace(".", "/")
    return path.with_suffix(".py").is_file() or path.is_dir()


@pytest.mark.parametrize("package", PACKAGES)
def test_lazy_names_come_from_below(package: str) -> None:
    """Tables for `attach`, whose keys may also be whole packages."""
    for file in (SOURCE / package).rglob("*.py"):
        for node in ast.walk(syntax(file)):
            if isinstance(node, ast.Dict) and "attach(" in file.read_text(encoding="utf-8"):
                keys = {k.value for k in node.keys if isinstance(k, ast.Constant)}
                named = {package_of(str(k)) for k in keys} & {*PACKAGES}
                assert named <= allowed_in(package), file


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


@pytest.mark.parametrize("package", [p for p in PACKAGES if p != "scorers"])
def test_nobody_asks_for_a_scorer_by_name(package: str) -> None:
    """What a scorer does in its own way is a method or an attribute of its class."""
    names = {*PROFILES} - {"standard"}
    files = sorted((SOURCE / package).rglob("*.py"))
    wrong = [line for file in files for line in compared_with(file, names, r"scorer|profile")]
    assert wrong == []


@pytest.mark.parametrize("package", [p for p in PACKAGES if p != "formats"])
def test_nobody_asks_for_a_format_by_name(package: str) -> None:
    """What a format can do, it says in its Format."""
    names, subject = {*format_names()}, r"format|detect\(|recognise\(|\bto\b|source\.name"
    files = sorted((SOURCE / package).rglob("*.py"))
    assert [line for file in files for line in compared_with(file, names, subject)] == []


def test_what_formats_share_names_none_of_them() -> None:
    """Only the table of formats does; links are also something that formats hold."""
    names = {*format_names()} - {"links"}
    shared = [SOURCE / "formats" / name for name in ("format.py", "registry.py", "kit")]
    files = [file for path in shared for file in (path.glob("*.py") if path.is_dir() else [path])]
    assert [
        f"{file.name}: {text}" for file in files for text in strings(file) if text in names
    ] == []


@pytest.mark.parametrize("module", sorted({*MODULES.values()}))
def test_no_format_asks_for_another_by_name(module: str) -> None:
    """Modules compare what they read only with the names of their own formats."""
    home = SOURCE / "formats" / module.partition(".")[0]
    files = sorted(home.glob("*.py")) if home.is_dir() else [home.with_suffix(".py")]
    own = {name for name, place in MODULES.items() if place.partition(".")[0] == home.name}
    others = {*format_names()} - own
    wrong = [
        line for file in files for line in compared_with(file, others, r"form|kind|detect|name")
    ]
    assert wrong == []


def test_only_the_registries_import_by_name() -> None:
    """Whoever imports a module by its name has a table of names, which the tests above read."""
    by_name = {
        str(file.relative_to(SOURCE))
        for file in SOURCE.rglob("*.py")
        if re.search(r"\b(import_module|__import__)\b", file.read_text(encoding="utf-8"))
    }
    packages = {f"{name}/__init__.py" for name in ("compat", "matching", "metrics", "scorers")}
    registries = {
        "core/entry_points.py",
        "formats/options.py",
        "formats/registry.py",
        "render/table.py",
    }
    others = {
        "core/frames.py",
        "plugins/audit/processes.py",
    }  # pandas or polars; a scorer under audit
    assert by_name == packages | registries | others | {"_lazy.py"}


WORDS_AND_ROWS = {
    "formats.kit.writing.write_atomically",
    "metrics.averages",
    "metrics.get",
    "metrics.title_of",
    "scorers.signature.shorten",
    "scoring.parts.rows_of",
    "scoring.parts.under",
    "stats.compare.significant",
}
"""The functions from below that `render` may call: they give names, rows and files."""
AS_THE_ORIGINAL = {"metrics.blanc.counting_kinds", "metrics.blanc.kinds"}
"""Those of the output of older scorers, which divides sums as these did."""


def called_from_below(file: Path) -> Iterator[str]:
    """The functions of packages between `core` and `render` that a module imports or calls."""
    below = set(LAYERS[1 : LAYERS.index("render")])
    modules: dict[str, ModuleType] = {}
    for node in ast.walk(syntax(file)):
        if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("corefkit"):
            continue
        for alias in node.names:
            name = f"{node.module}.{alias.name}".removeprefix("corefkit.")
            if name.partition(".")[0] not in below:
                continue
            found = pkgutil.resolve_name(f"corefkit.{name}")
            if inspect.ismodule(found):
                modules[alias.asname or alias.name] = found
            elif inspect.isfunction(found):
                yield name
    for node in ast.walk(syntax(file)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = modules.get(node.value.id)
            if module and inspect.isfunction(getattr(module, node.attr, None)):
                yield f"{module.__name__}.{node.attr}".removeprefix("corefkit.")


def test_nothing_is_computed_while_it_is_shown() -> None:
    """Results are complete when they reach `render`: it calls nothing that counts or resamples."""
    for file in sorted((SOURCE / "render").rglob("*.py")):
        allowed = WORDS_AND_ROWS | (AS_THE_ORIGINAL if file.name == "scorer_texts.py" else set())
        assert set(called_from_below(file)) <= allowed, file.name


def test_a_module_that_computes_is_found(tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    file.write_text(
        "from corefkit import metrics as m\nfrom corefkit.stats.compare import compare_scores\n"
        "from corefkit.scoring.scores import Scores\nm.counted(())\n"
    )
    assert set(called_from_below(file)) == {"metrics.counted", "stats.compare.compare_scores"}


def test_entry_points_lead_somewhere() -> None:
    """Those of this package, and the functions that the types of results name."""
    for kind in ("commands", "engines", "results", "corpus"):
        for name in ours(kind):
            found = find(kind, name)
            places = [found.where] if isinstance(found, PluginCommand) else []
            places += filter(None, found) if isinstance(found, ResultType) else []
            assert all(callable(load(place)) for place in places), name


def test_every_result_has_a_type() -> None:
    """The class says which, and the type says how it is shown."""
    kinds = {
        node.value.value
        for file in SOURCE.rglob("*.py")
        for node in ast.walk(syntax(file))
        if isinstance(node, ast.AnnAssign)
        and ast.unparse(node.target) == "kind"
        and ast.unparse(node.annotation) == "ClassVar[str]"
        and isinstance(node.value, ast.Constant)
    }
    assert {str(kind) for kind in kinds} <= {*ours("results")}
    assert len(kinds) > 8


def test_tests_mirror_the_source() -> None:
    assert packages_in(Path(__file__).parent) - {"conformance", "oracle"} == set(PACKAGES)


def test_every_package_has_a_layer() -> None:
    assert packages_in(SOURCE) <= set(PACKAGES)


def packages_in(folder: Path) -> set[str]:
    """The packages in a folder; each plug-in for itself."""
    found = [*folder.glob("*/__init__.py"), *folder.glob("plugins/*/__init__.py")]
    return {file.parent.relative_to(folder).as_posix() for file in found} - {"plugins"}


def defined(file: Path) -> Iterator[str]:
    """The classes, types and functions of a module, also those defined under a condition."""
    nodes = list(syntax(file).body)
    for node in nodes:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.Assign):
            yield from (t.id for t in node.targets if isinstance(t, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            value = ast.unparse(node.value).strip("'\"") if node.value else ""
            if value.rpartition(".")[2] != node.target.id:  # the same under its own name
                yield node.target.id
        elif isinstance(node, ast.If | ast.Try):
            nodes += [*node.body, *node.orelse]


def test_a_name_has_one_meaning() -> None:
    """Each public class or type is defined in one module and means one thing.

    Only a draft is of two kinds: a document while it is read, and a corpus while it is adjudicated.
    """
    homes = defaultdict(set)
    for file in SOURCE.rglob("*.py"):
        if file.parent.name == "compat":  # names are those of the evaluators it stands in for
            continue
        for name in defined(file):
            if name[:1].isupper() and not name.isupper() and name != "Draft":
                homes[name].add(str(file.relative_to(SOURCE)))
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}


def test_every_package_has_tests() -> None:
    """In the folder of the same name, or in a file that is called like the package."""
    tests = Path(__file__).parent
    without = []
    for file in SOURCE.rglob("__init__.py"):
        package = file.parent.relative_to(SOURCE)
        if package.as_posix() == "plugins":
            continue
        own = tests / package.parent / f"test_{package.name}.py"
        if not own.exists() and not [*(tests / package).glob("test_*.py")]:
            without.append(str(package))
    assert sorted(without) == []


@pytest.mark.parametrize("page", ["docs/architecture.md", "docs/decisions.md"])
def test_pages_about_the_layers_name_modules_that_exist(page: str) -> None:
    """Files and folders, and what is said to be in them: `function` in `package/module.py`."""
    text = (Path(__file__).parents[1] / page).read_text(encoding="utf-8")
    named = re.findall(r"[`(](?:src/corefkit/)?([a-z_]+/[\w/]*\w(?:\.\w+)?)(?=[`),])", text)
    packages = {*PACKAGES, "plugins", "data", "mentions", "profiles", "ontonotes"}
    modules_named = (
        name for name in named if name.split("/")[0] in packages and "NAME" not in name
    )
    assert [name for name in modules_named if not (SOURCE / name).exists()] == []
    assert not re.search(r"corefkit/(data|mentions|profiles|ontonotes)/", text)
    for thing, module in re.findall(r"`([\w.]+)` in `(?:src/corefkit/)?([\w/]+\.py)`", text):
        name = thing.rpartition(".")[2]
        code = (SOURCE / module).read_text(encoding="utf-8")
        definition = rf"^ *((def|class) {name}\b|{name}\b.* = )"
        assert re.search(definition, code, re.MULTILINE), (thing, module)
