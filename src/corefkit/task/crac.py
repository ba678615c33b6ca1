"""A manifest from folders of DATASET-corefud-SPLIT.conllu files, as CRAC uses them."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from corefkit.data.incidents import DataError, Incident, make_incident
from corefkit.formats.files import walk
from corefkit.task.init import quote, quote_key
from corefkit.task.reading import is_name

_FILE = re.compile(r"(?P<dataset>[^\W_][\w+]*)-corefud-(?P<split>[\w.+-]+?)\.conllu(\.gz)?")

SETTINGS = {
    "head-drop": ("head", "drop", "the official score"),
    "partial-drop": ("partial", "drop", ""),
    "exact-drop": ("exact", "drop", ""),
    "head-keep": ("head", "keep", "with singletons"),
}
"""The columns of the results, each with match, singletons and what it is; the first one ranks."""


@dataclass
class FoundDatasets:
    """What a folder holds; files that could not be placed are `strange`."""

    keys: dict[str, str] = field(default_factory=dict)
    responses: dict[str, dict[str, str]] = field(default_factory=dict)
    strange: list[Incident] = field(default_factory=list)

    def stranger(self, file: str, variant: str, **values: Any) -> None:
        """Note a file that has no place."""
        values["form"] = "DATASET-corefud-SPLIT.conllu"
        self.strange.append(make_incident("file-unplaced", variant, **values, file=file))


def find_datasets(folder: Path) -> FoundDatasets:
    """Look for keys/DATASET-corefud-SPLIT.conllu and responses/SYSTEM/… with the same names."""
    found = FoundDatasets()
    files = sorted(Path(f).relative_to(folder) for f in walk(str(folder)))
    for file in (f for f in files if f.parts[0] == "keys" and len(f.parts) > 1):
        _place(found, file, found.keys, "key")
    if not found.keys:
        raise DataError(
            [
                make_incident(
                    "file-unreadable",
                    "no-key",
                    file=str(folder),
                    expected="one file a dataset: keys/cs_pdt-corefud-dev.conllu, …",
                )
            ]
        )
    for file in (f for f in files if f.parts[0] == "responses" and len(f.parts) > 2):
        if not is_name(file.parts[1]):
            found.stranger(file.as_posix(), "name", name=file.parts[1], what="system")
            continue
        _place(found, file, found.responses.setdefault(file.parts[1], {}), "response")
    return found


def _place(found: FoundDatasets, file: Path, taken: dict[str, str], what: str) -> None:
    name, match = file.as_posix(), _FILE.fullmatch(file.name)
    if not match:
        found.stranger(name, "unlike", what=what)
        return
    dataset = match["dataset"]
    if what == "response" and dataset not in found.keys:
        found.stranger(name, "no-key", name=dataset)
    elif dataset in taken:
        found.stranger(name, "taken", what=what, name=dataset, other=taken[dataset])
    else:
        taken[dataset] = name


def crac_manifest(name: str, found: FoundDatasets) -> str:
    """The manifest as TOML, with what a reader must know to change it."""
    lines = [
        f"name = {quote(name)}",
        'rank = "conll"           # the metric that ranks',
        f"official = {quote(next(iter(SETTINGS)))}   # the setting that is ranked",
        "",
        "[scoring]",
        'profile = "corefud"      # CRAC 2024 to 2026; corefud-1.1 for 2022 and 2023',
        "",
    ]
    for dataset, key in found.keys.items():
        lines += [f"[datasets.{quote_key(dataset)}]", f"key = {quote(key)}", ""]
    for setting, (match, singletons, meaning) in SETTINGS.items():
        lines.append(f"[settings.{setting}]" + (f"  # {meaning}" if meaning else ""))
        lines += [f"match = {quote(match)}", f"singletons = {quote(singletons)}", ""]
    for system, responses in found.responses.items():
        lines += [f"[systems.{quote_key(system)}]", ""]
        lines.append(f"[systems.{quote_key(system)}.responses]")
        lines += [f"{quote_key(d)} = {quote(file)}" for d, file in responses.items()] + [""]
    return "\n".join(lines)
