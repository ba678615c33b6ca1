"""Published results as data, to compare new systems with.

There is one JSON file per table, with the rows in the order and the figures (percentages) of the
paper. What the paper does not say is null; what does not add up is marked, not corrected.

>>> load("conll-2012/table-20").rows[0].figures["conll.f1"]
63.37
>>> [row.system for row in standings("conll-2012/arabic").rows[:2]]
['fernandes', 'bjorkelund']
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from difflib import get_close_matches
from importlib.resources import files
from typing import Any

from corefkit.core.carriers import frozen
from corefkit.core.entry_points import PluginCommand

__all__ = [
    "Published",
    "PublishedRow",
    "list_standings",
    "list_tables",
    "load",
    "standings",
]

PUBLISHED = PluginCommand(
    "Commands",
    "List results published in papers.",
    f"{__name__}.command:command",
    sought=["published", "--among"],
)

DEFAULT_SCORER = "v8"
"""The scorer of the 2014 paper; v4, that of 2012, moved mentions and had bugs."""

OFFICIAL = {
    "track": "closed",
    "train_syntax": "predicted",
    "test_syntax": "predicted",
    "mention_quality": "NB",
}
"""The setting in which the shared tasks ranked systems."""


PROFILES = {"v8": "conll-8.01", "corefud-1.1": "corefud-1.1", "corefud-1.2": "corefud"}
"""The scorers of published figures, with the profiles that reproduce them."""


@frozen
class Inconsistency:
    """Why a row of a paper does not add up; `check`, "average" or "genres", is what it fails."""

    check: str
    reason: str


@frozen
class PublishedRow:
    """One row of a table.

    Attributes:
        id, system: the id of the row, and the name of the system.
        facts: the setting: task, track, language, genre, train_syntax, test_syntax,
            mention_quality (NB, GB or GM), basis and others. A fact that is None is unknown; one
            that is absent does not apply to the table.
        figures: percentages by column, such as "muc.recall", "conll.f1", "closed.english" and
            "official".
        alias: the name of the system in the other paper.
        note: a remark.
        inconsistent: why the row does not add up, if it does not.
    """

    id: str
    system: str
    facts: Mapping[str, str | None]
    figures: Mapping[str, float | None]
    alias: str | None = None
    note: str | None = None
    inconsistent: Inconsistency | None = None

    def to_dict(self) -> dict[str, Any]:
        """The row in the JSON output; scores are nested by metric."""
        scores: dict[str, Any] = {}
        for column, value in self.figures.items():
            group, _, part = column.partition(".")
            scores[group] = {**scores.get(group, {}), part: value} if part else value
        marks = {
            "alias": self.alias,
            "note": self.note,
            "inconsistent": self.inconsistent and self.inconsistent.reason,
        }
        return {
            "id": self.id,
            "system": self.system,
            **self.facts,
            "scores": scores,
            **{name: value for name, value in marks.items() if value is not None},
        }


@frozen
class Published:
    """A published table, or those of its rows that rank systems on the same data."""

    name: str
    title: str
    source: str
    scorer: str
    decimals: int
    note: str
    rows: tuple[PublishedRow, ...]

    def to_dict(self) -> dict[str, Any]:
        """The table in the JSON output."""
        return {
            "name": self.name,
            "title": self.title,
            "source": self.source,
            "scorer": self.scorer,
            "unit": "percent",
            "decimals": self.decimals,
            "note": self.note,
            "rows": [row.to_dict() for row in self.rows],
        }


def list_tables() -> list[str]:
    """The names of tables for `load`: paper and table, such as "acl-2014/table-1"."""
    return sorted(
        f"{paper.name}/{table.name.removesuffix('.json')}"
        for paper in files(__name__).iterdir()
        if paper.is_dir()
        for table in paper.iterdir()
        if table.name.endswith(".json")
    )


def load(name: str) -> Published:
    """A table as printed in the paper; LookupError if there is no table with this name."""
    if name not in list_tables():
        raise LookupError(f"no published table {name!r}; there are: {', '.join(list_tables())}")
    data = json.loads(files(__name__).joinpath(f"{name}.json").read_text(encoding="utf-8"))
    texts = {field.name: data[field.name] for field in fields(Published) if field.name != "rows"}
    return Published(**texts, rows=tuple(_rows(data)))


def list_standings() -> list[str]:
    """The names for `standings`: task, language and scorer, without those of single datasets."""
    return sorted(n for n, table in _standings().items() if "dataset" not in table.rows[0].facts)


def standings(name: str) -> Published:
    """The official closed-track results on one test set, in the order of the paper.

    `name` is a task and a language, "conll-2012/english", for the figures of the 2014 paper; with
    another scorer, "conll-2012/english@v4". For CRAC it is a task, "crac-2024", for the means over
    its datasets, or a task and a dataset, "crac-2024/cs_pdt". Raises LookupError if there are none.
    """
    known = _standings()
    with_scorer = [n for n in known if n.partition("@")[0] == name]
    default = with_scorer[0] if len(with_scorer) == 1 else f"{name}@{DEFAULT_SCORER}"
    table = known.get(name if "@" in name else default)
    if table is None:
        raise LookupError(_unknown(name, sorted(known)))
    return table


def scorer_warning(table: Published, profile: str) -> str | None:
    """Why scores of a profile are not comparable with those of a table; None if they are."""
    table_profile = PROFILES.get(table.scorer)
    if table_profile == profile:
        return None
    if table_profile:
        return (
            f"the figures of {table.name} were computed with the profile {table_profile}, yours "
            f"with {profile}; add --profile {table_profile}"
        )
    return (
        f"the figures of {table.name} were computed with scorer {table.scorer}, which moved "
        "mentions before scoring and had bugs; corefkit scores as the papers define the metrics, "
        f"so compare with {table.name.partition('@')[0]} (scorer {DEFAULT_SCORER}) instead"
    )


def has_means(table: Published) -> bool:
    """Whether the figures are means over datasets, so that scores on one cannot be ranked."""
    return "/" not in table.name


def _unknown(name: str, known: Sequence[str]) -> str:
    """The message about standings that do not exist, with similar names."""
    longer = [candidate for candidate in known if candidate.startswith(name)]
    similar = longer or get_close_matches(name, known, n=_SIMILAR, cutoff=0.5)
    hint = f" Did you mean {' or '.join(similar[:_SIMILAR])}?" if similar else ""
    return f"no published standings {name!r}.{hint} `corefkit task published` lists them all"


_SIMILAR = 3
"""The most names that are suggested."""


def _rows(data: Mapping[str, Any]) -> Iterator[PublishedRow]:
    """The rows of a table, with the facts of their table and block, and with remarks."""
    columns: list[str] = data["columns"]
    inconsistencies = {
        row: Inconsistency(entry["check"], entry["reason"])
        for entry in data["inconsistent"]
        for row in entry["rows"]
    }
    for block in data["blocks"]:
        shared = {name: value for name, value in block.items() if name != "rows"}
        for cells in block["rows"]:
            cell = dict(zip(columns, cells, strict=True))
            figures = {name: v for name, v in cell.items() if "." in name or name == "official"}
            facts = {name: v for name, v in cell.items() if name not in {"id", "system", *figures}}
            yield PublishedRow(
                id=cell["id"],
                system=cell["system"],
                facts={**data["common"], **shared, **facts},
                figures=figures,
                alias=data["aliases"].get(cell["system"]),
                note=data["notes"].get(cell["id"]),
                inconsistent=inconsistencies.get(cell["id"]),
            )


def _standings() -> dict[str, Published]:
    """The rows of the official setting, as one table for each test set and scorer."""
    by_name: dict[str, Published] = {}
    for table in map(load, list_tables()):
        groups: dict[str, list[PublishedRow]] = {}
        for row in table.rows:
            if test_set := _test_set(row.facts):
                groups.setdefault(f"{test_set}@{table.scorer}", []).append(row)
        for name, rows in groups.items():
            by_name[name] = replace(table, name=name, rows=tuple(rows))
    return by_name


def _test_set(facts: Mapping[str, str | None]) -> str | None:
    """The task and the language or dataset of an official result; None for other rows."""

    if facts.get("setting") == "head/drop":
        return "/".join(str(facts[name]) for name in ("task", "dataset") if name in facts)
    if "genre" not in facts and all(facts.get(k) == v for k, v in OFFICIAL.items()):
        return f"{facts['task']}/{facts['language']}"
    return None
