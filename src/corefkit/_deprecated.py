"""Where documented names were in older versions: each works from there and warns.

A module that is gone is made up when it is imported (`from corefkit.ontonotes import Tokens`); its
names are those of FORMER. To move a public name, add a line here.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec

_CORPUS_TOOLS = (
    *("Tokens", "Tree", "disagreements", "fill", "gold_boundaries", "gold_mentions", "mask"),
    *("merge", "parse_trees", "partition", "read_coref", "read_name", "read_parse", "read_words"),
    *("statistics", "write_layer"),
)

FORMER = {
    "corefkit.check_files": "corefkit.check",
    "corefkit.data.incidents.DataError": "corefkit.DataError",
    "corefkit.data.options.UsageError": "corefkit.UsageError",
    "corefkit.mentions.tokens.KeyTokens": "corefkit.applications.tokens.KeyTokens",
    "corefkit.render.dots.plot_comparison": "corefkit.render.plot_comparison",
    "corefkit.render.dots.plot_scores": "corefkit.render.plot_scores",
    "corefkit.render.outcome_bars.plot_outcomes": "corefkit.render.plot_outcomes",
    "corefkit.ontonotes.agree": "corefkit.stats.agreement.compare_annotators",
    **{f"corefkit.ontonotes.{name}": f"corefkit.corpora.{name}" for name in _CORPUS_TOOLS},
}
"""Each former name and the one of today."""

_NAMES = {name.rpartition(".")[0] for name in FORMER}
_MODULES = {*_NAMES, *(name.rpartition(".")[0] for name in _NAMES)} - {"corefkit"}


def find_former(name: str) -> object:
    """What has this former name, with a warning; LookupError if nothing had it."""
    new = FORMER[name]
    from warnings import warn

    warn(f"{name} is deprecated: it is called {new}", DeprecationWarning, stacklevel=3)
    home, _, attribute = new.rpartition(".")
    value: object = getattr(import_module(home), attribute)
    return value


class _Former:
    """Finds and makes modules that are gone, after Python has looked for real ones."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> "ModuleSpec | None":
        if name not in _MODULES:
            return None
        from importlib.machinery import ModuleSpec

        return ModuleSpec(name, _Former, is_package=True)  # type: ignore[arg-type]

    @staticmethod
    def create_module(spec: "ModuleSpec") -> None:
        """As usual."""

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        def load(name: str) -> object:
            try:
                return find_former(f"{module.__name__}.{name}")
            except LookupError:
                text = f"module {module.__name__!r} has no attribute {name!r}"
                raise AttributeError(text) from None

        module.__getattr__ = load  # type: ignore[method-assign]


def install() -> None:
    """Let Python find the former modules."""
    if _Former not in sys.meta_path:
        sys.meta_path.append(_Former)
