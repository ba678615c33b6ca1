"""A manifest from folders of DATASET-corefud-SPLIT.conllu files, as CRAC uses them."""

import re
from pathlib import Path

from corefkit.task.init import Found, files_below
from corefkit.task.reading import is_name
from corefkit.task.toml import quote, to_toml

_FILE = re.compile(r"(?P<dataset>[^\W_][\w+]*)-corefud-(?P<split>[\w.+-]+?)\.conllu(\.gz)?")

SETTINGS = {
    "head-drop": ("head", "drop", "the official score"),
    "partial-drop": ("partial", "drop", ""),
    "exact-drop": ("exact", "drop", ""),
    "head-keep": ("head", "keep", "with singletons"),
}
"""The columns of the results, each with match, singletons and what it is; the first one ranks."""


def find_datasets(folder: Path) -> Found:
    """Look for keys/DATASET-corefud-SPLIT.conllu and responses/SYSTEM/… with the same names."""
    forms = dict.fromkeys(("keys", "responses"), "DATASET-corefud-SPLIT.conllu")
    found, files = Found(forms), files_below(folder)
    for file in files.get("keys", ()):
        _place(found, file, found.keys, "key")
    found.need_keys(folder, "one file a dataset: keys/cs_pdt-corefud-dev.conllu, …")
    for file in files.get("responses", ()):
        if len(file.parts) > 2:
            if is_name(file.parts[1]):
                _place(found, file, found.responses.setdefault(file.parts[1], {}), "response")
            else:
                found.stranger(file.as_posix(), "name", name=file.parts[1], what="system")
    return found


def _place(found: Found, file: Path, taken: dict[str, str], what: str) -> None:
    name, match = file.as_posix(), _FILE.fullmatch(file.name)
    if not match:
        found.stranger(name, "unlike", what=what)
    elif what == "response" and match["dataset"] not in found.keys:
        found.stranger(name, "no-key", name=match["dataset"])
    else:
        found.place(taken, match["dataset"], name, what)


def crac_manifest(name: str, found: Found) -> str:
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
    datasets = {dataset: {"key": key} for dataset, key in found.keys.items()}
    lines += ["".join(to_toml({"datasets": datasets})).lstrip("\n")]
    for setting, (match, singletons, meaning) in SETTINGS.items():
        lines.append(f"[settings.{setting}]" + (f"  # {meaning}" if meaning else ""))
        lines += [f"match = {quote(match)}", f"singletons = {quote(singletons)}", ""]
    systems = {system: {"responses": files} for system, files in found.responses.items()}
    return "\n".join(lines) + "".join(to_toml({"systems": systems})).removeprefix("\n")
