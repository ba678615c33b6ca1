"""Replacements for evaluators included in coreference systems: only an import must be changed.

Each module has the names, arguments and results of one family of evaluators, and corefkit counts.
The docstring of each class names its profile; `profile=` chooses another one.

>>> from corefkit.compat.e2e import CorefEvaluator  # was: from metrics import CorefEvaluator
>>> evaluator = CorefEvaluator()
>>> evaluator.update([((0, 1), (4, 4))], [((0, 1), (4, 4)), ((6, 6), (8, 9))])
>>> [round(value, 4) for value in evaluator.get_prf()]
[1.0, 0.5, 0.6667]
>>> evaluator.corefkit.scores().signature.partition("|")[2].partition("|")[0]
'profile:e2e'
"""

import sys
from importlib import import_module
from types import ModuleType

__all__ = ["install"]

MODULES = ("e2e", "official", "checker", "tanl", "coval", "scorch")
"""The modules of this package that replace evaluators."""


def install(name: str, module: str = "e2e") -> ModuleType | None:
    """Make imports of the module `name` find a module of this package.

    It is for code that must not be changed: call it before the import, e.g. `install("metrics")`
    where the code says `from metrics import CorefEvaluator`. Returns the module that had the name,
    which can be put back into `sys.modules`, or None.

    Raises ValueError for a name that belongs to Python or to an installed distribution, and for a
    module that this package does not have.
    """
    if module not in MODULES:
        raise ValueError(f"module: corefkit.compat has {', '.join(MODULES)}, not {module!r:.60}")
    if not isinstance(name, str) or not all(part.isidentifier() for part in name.split(".")):
        raise ValueError(f"name: {name!r:.60} is not the name of a module")
    _refuse_foreign(name.partition(".")[0])
    replaced = sys.modules.get(name)
    sys.modules[name] = import_module(f"corefkit.compat.{module}")
    parent, _, child = name.rpartition(".")
    if parent in sys.modules:
        setattr(sys.modules[parent], child, sys.modules[name])
    return replaced


def _refuse_foreign(package: str) -> None:
    """Raise ValueError if the name belongs to Python or to an installed distribution."""
    if package in sys.stdlib_module_names or package in sys.builtin_module_names:
        raise ValueError(f"name: {package} is a module of Python")
    from importlib.metadata import packages_distributions

    if owners := packages_distributions().get(package):
        raise ValueError(f"name: {package} belongs to the installed distribution {owners[0]}")
