"""Names that are loaded when they are first used, so that importing a package is cheap.

Also former names: documented names of older versions still work, with a warning. A former module is
created when it is imported (`from corefkit.ontonotes import Tokens`), with the names in FORMER. To
move a public name, add a line there.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec

Made = TypeVar("Made")


def attach(
    package: str, homes: Mapping[str, Sequence[str]]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` for a package; `homes` maps modules to names they define."""
    home_of = {name: home for home, names in homes.items() for name in names}

    def load(name: str) -> object:
        if f"{package}.{name}" in FORMER:
            return find_former(f"{package}.{name}")
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(import_module(f"corefkit.{home_of[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return load, lambda: sorted(home_of)


DOORS = {
    "Corpus.from_records": "formats.kit.records.from_records",
    "Corpus.to_records": "formats.kit.records.to_records",
    "Corpus.from_frame": "formats.kit.records.from_frame",
    "Corpus.to_frame": "formats.kit.records.to_frame",
    "Corpus.from_spacy": "formats.spacy.from_spacy",
    "Scores.text": "render.scores.describe_scores",
    "Scores.html": "render.notebook.scores_html",
    "Errors.text": "render.errors.errors_text",
    "Errors.html": "render.notebook.errors_html",
    "DocumentErrors.text": "render.marked_text.document_text",
    "DocumentErrors.html": "render.notebook.document_errors_html",
    "Agreement.text": "render.agreement.render_agreement",
    "Agreement.html": "render.notebook.agreement_html",
    "Adjudication.text": "render.adjudication.render_adjudication",
    "Adjudication.html": "render.notebook.adjudication_html",
    "Significance.text": "render.significance.render_comparison",
    "Significance.html": "render.notebook.comparison_html",
    "Curve.text": "render.curve.render_curve",
    "ExchangeRates.text": "render.error_costs.render_rates",
    "Power.text": "render.significance.render_power",
    "RunsReport.text": "render.runs.render_runs",
    "RunsReport.html": "render.notebook.runs_html",
    "Statistics.text": "render.stats.render_stats",
    "Statistics.html": "render.notebook.statistics_html",
}
"""The only ways from lower packages to higher ones: display of results, other forms of a Corpus.

All other imports, and names of modules in strings, go down; tests/test_house.py enforces it.
"""


def door(name: str, made: type[Made]) -> Callable[..., Made]:
    """The function that a door leads to; `made` is the type of its result."""
    module, _, name_there = DOORS[name].rpartition(".")
    function: Callable[..., Made] = getattr(import_module(f"corefkit.{module}"), name_there)
    return function


_CORPUS_TOOLS = (
    "Tokens",
    "Tree",
    "disagreements",
    "fill",
    "gold_boundaries",
    "gold_mentions",
    "mask",
    "merge",
    "parse_trees",
    "partition",
    "read_coref",
    "read_name",
    "read_parse",
    "read_words",
    "statistics",
    "write_layer",
)

FORMER = {
    "corefkit.check_files": "corefkit.check",
    "corefkit.data.incidents.DataError": "corefkit.DataError",
    "corefkit.data.options.UsageError": "corefkit.UsageError",
    "corefkit.formats.conllu.heads.tree_heads": "corefkit.formats.tree_heads",
    "corefkit.formats.conllu.heads.write_heads": "corefkit.formats.write_heads",
    "corefkit.mentions.tokens.KeyTokens": "corefkit.features.tokens.KeyTokens",
    "corefkit.render.dots.plot_comparison": "corefkit.render.plot_comparison",
    "corefkit.render.dots.plot_scores": "corefkit.render.plot_scores",
    "corefkit.render.outcome_bars.plot_outcomes": "corefkit.render.plot_outcomes",
    "corefkit.ontonotes.agree": "corefkit.stats.agreement.compare_annotators",
    **{f"corefkit.ontonotes.{name}": f"corefkit.corpora.{name}" for name in _CORPUS_TOOLS},
}
"""Each former name and its present one."""

ADVICE = {
    "corefkit.mentions.tokens.KeyTokens": "corefkit.corpora.Tokens",
    "corefkit.ontonotes.agree": "corefkit.agree",
}
"""The public names to use instead, where the value of a former name is private now."""

_HOMES = {name.rpartition(".")[0] for name in FORMER}
_MODULES = {*_HOMES, *(name.rpartition(".")[0] for name in _HOMES)} - {"corefkit"}
"""The former modules and their packages."""


def find_former(name: str) -> object:
    """The value of a former name, with a warning; LookupError if it is not in FORMER."""
    present = FORMER[name]
    from warnings import warn

    advice = ADVICE.get(name, present)
    warn(f"{name} is deprecated: use {advice}", DeprecationWarning, stacklevel=3)
    home, _, attribute = present.rpartition(".")
    value: object = getattr(import_module(home), attribute)
    return value


class _Former:
    """Finds and creates former modules, after Python has looked for existing ones."""

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
        """Let Python create an empty module."""

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        def load(name: str) -> object:
            try:
                return find_former(f"{module.__name__}.{name}")
            except LookupError:
                text = f"module {module.__name__!r} has no attribute {name!r}"
                raise AttributeError(text) from None

        module.__getattr__ = load  # type: ignore[method-assign]


def install_former_modules() -> None:
    """Make former modules importable."""
    if _Former not in sys.meta_path:
        sys.meta_path.append(_Former)
