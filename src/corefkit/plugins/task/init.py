"""Make a manifest from the files of a folder, by the words in their names.

`find` and `manifest_text` handle tasks of languages; `find_datasets` and `crac_manifest` handle
DATASET-corefud-SPLIT.conllu files, as used by CRAC.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from corefkit.core.incidents import DataError, Incident, make_incident
from corefkit.formats.kit.files import walk
from corefkit.plugins.task.manifest import is_name
from corefkit.plugins.task.shared_task import QUALITIES, Setting
from corefkit.plugins.task.toml import to_toml, to_toml_value

MANIFEST = "task.toml"
_TRACKS = ("closed", "open")
_ENDS = re.compile(r"([._]conll|\.gz|\.txt)+\Z")
_KEY = re.compile(r".+[._]conll(\.gz)?")
_FORMS = {
    "keys": "keys/LANGUAGE.conll",
    "responses": "responses/SYSTEM/LANGUAGE.TRACK.SETTING.conll",
    "subsets": "subsets/NAME.LANGUAGE.txt",
}
"""How the files of each inner folder are named."""


@dataclass
class TaskFiles:
    """The files of a task: `keys` by language or dataset, `responses` by system and place.

    `forms` says how the files of each inner folder are named, and `unplaced` has an incident for
    each file that does not fit. A task of datasets has neither settings nor subsets.
    """

    forms: Mapping[str, str]
    keys: dict[str, str] = field(default_factory=dict)
    responses: dict[str, dict[str, str]] = field(default_factory=dict)
    settings: dict[str, Setting] = field(default_factory=dict)
    subsets: dict[str, tuple[str, str]] = field(default_factory=dict)
    unplaced: list[Incident] = field(default_factory=list)

    def report_unplaced(self, file: str, variant: str, **values: Any) -> None:
        """Note a file whose name does not say what it is for."""
        values["form"] = self.forms[file.partition("/")[0]]
        self.unplaced.append(make_incident("file-unplaced", variant, **values, file=file))

    def place(self, taken: dict[str, str], name: str, file: str, what: str) -> None:
        """Enter a file under a name in `taken`; if the name has a file already, report this one."""
        if name in taken:
            self.report_unplaced(file, "taken", what=what, name=name, other=taken[name])
        else:
            taken[name] = file

    def need_keys(self, folder: Path, expected: str) -> None:
        """Raise DataError if there is no key; it names the first file that could not be placed."""
        if not self.keys:
            unplaced = next((incident.file for incident in self.unplaced), None)
            variant = "no-key" if unplaced is None else "other-key"
            incident = make_incident(
                "file-unreadable", variant, file=str(folder), found=unplaced, expected=expected
            )
            raise DataError([incident])


def files_below(folder: Path) -> dict[str, list[Path]]:
    """For each inner folder its files, without hidden ones, as paths relative to `folder`."""
    folders: dict[str, list[Path]] = {}
    for file in sorted(Path(f).relative_to(folder) for f in walk(str(folder))):
        if len(file.parts) > 1:
            folders.setdefault(file.parts[0], []).append(file)
    return folders


def find(folder: Path) -> TaskFiles:
    """Look for keys/LANGUAGE.conll, responses/SYSTEM/LANGUAGE.TRACK.SETTING.conll, subsets/*.txt.

    Language, track and setting may come in any order, or as folders below that of the system:
    responses/SYSTEM/open/GM/english.conll.gz. The track is closed and the setting NB unless named.
    """
    files, folders = TaskFiles(_FORMS), files_below(folder)
    for file in folders.get("keys", ()):
        _place_key(files, file)
    files.need_keys(folder, "one file per language: keys/english.conll, keys/chinese.conll.gz, …")
    for file in folders.get("responses", ()):
        _place_response(files, file)
    for file in folders.get("subsets", ()):
        if file.suffix == ".txt":
            _place_subset(files, file)
    return files


def _place_key(files: TaskFiles, file: Path) -> None:
    name = file.as_posix()
    language = _stem(file.name).split(".")[0].lower()
    if len(file.parts) > 2 or not _KEY.fullmatch(file.name):
        files.report_unplaced(name, "unlike", what="key")
    elif not is_name(language, dots=False):
        files.report_unplaced(name, "name", name=language, what="language")
    else:
        files.place(files.keys, language, name, "key")


def _place_response(files: TaskFiles, file: Path) -> None:
    name = file.as_posix()
    words = [*file.parts[1:-1], *_stem(file.name).split(".")]
    system, words = words[0], words[1:]
    language = _language(words, files)
    track = _take(words, _TRACKS) or "closed"
    setting = next(filter(None, map(_setting, words)), Setting.of("NB"))
    unknown = [word for word in words if _setting(word) != setting]
    if not is_name(system):
        files.report_unplaced(name, "system", name=system)
    elif not language:
        files.report_unplaced(name, "no-language")
    elif unknown:
        files.report_unplaced(name, "word", word=unknown[0])
    else:
        taken = files.responses.setdefault(system, {})
        folder = f"{language}/{track}/{setting.name}"
        files.place(taken, folder, name, f"response of {system}")
        files.settings[setting.name] = setting


def _language(words: list[str], files: TaskFiles) -> str:
    """Remove the language from the words and return it; the only language need not be named."""
    return _take(words, files.keys) or (next(iter(files.keys)) if len(files.keys) == 1 else "")


def _take(words: list[str], known: Iterable[str]) -> str:
    """Remove the first known word and return it in lower case; empty if there is none."""
    for word in words:
        if word.lower() in known:
            words.remove(word)
            return word.lower()
    return ""


def _setting(word: str) -> Setting | None:
    """The setting that a word names: NB, GB or GM, then perhaps gold (test) or trained-gold.

    All spellings of a setting give it the same name. None if the word is not a setting.

    >>> setting = _setting("GM-gold")
    >>> setting.conditions
    {'quality': 'GM', 'train': 'predicted', 'test': 'gold'}
    >>> setting = _setting("nb_Trained_gold")
    >>> setting.name
    'NB-trained-gold'
    """
    quality, *syntax = re.split(r"[-_+]", word.lower())
    known = all(part == "gold" or part.startswith(("train", "test")) for part in syntax)
    if quality.upper() not in QUALITIES or not known:
        return None
    trained = any(part.startswith("train") for part in syntax)
    tested = syntax.count("gold") > trained or any(part.startswith("test") for part in syntax)
    train, test = ("gold" if on else "predicted" for on in (trained, tested))
    name = quality.upper() + "-gold" * tested + "-trained-gold" * trained
    return Setting.of(name, quality=quality.upper(), train=train, test=test)


def _place_subset(files: TaskFiles, file: Path) -> None:
    name, *words = _stem(file.name).split(".")
    language = _language(words, files)
    path = file.as_posix()
    if words:
        files.report_unplaced(path, "subset-key", name=words[0])
    elif not language:
        files.report_unplaced(path, "subset-language")
    elif not is_name(name):
        files.report_unplaced(path, "name", name=name, what="subset")
    elif name in files.subsets:
        files.report_unplaced(path, "subset-taken", name=name, other=files.subsets[name][1])
    else:
        files.subsets[name] = language, path


def _stem(name: str) -> str:
    return _ENDS.sub("", name)


def manifest_text(name: str, files: TaskFiles) -> str:
    """The manifest of a task of languages as TOML, with comments for whoever edits it."""
    tracks = [t for t in _TRACKS if any(f"/{t}/" in p for r in files.responses.values() for p in r)]
    settings = sorted(files.settings.values(), key=lambda s: s.order) or [Setting.of("NB")]
    lines = [
        f"name = {to_toml_value(name)}",
        'rank = "conll"        # the metric that ranks',
        f"tracks = {to_toml_value(tracks or _TRACKS[:1])}  # the first one is ranked",
        f"official = {to_toml_value(settings[0].name)}       # the setting that is ranked",
        "",
    ]
    languages: dict[str, dict[str, str]] = {}
    letters: list[str] = []
    for language, key in files.keys.items():
        beginnings = (language[:n] for n in range(1, len(language) + 1))
        letters.append(next((b for b in beginnings if b not in letters), language))
        letter = {"letter": letters[-1]} if len(letters[-1]) > 1 else {}
        languages[language] = {"key": key, **letter}
    tables = {
        "languages": languages,
        "settings": {s.name: s.conditions for s in settings},
        "systems": {
            system: {"training": [], "responses": responses}
            for system, responses in files.responses.items()
        },
        "subsets": {
            subset: {"language": language, "documents": file}
            for subset, (language, file) in files.subsets.items()
        },
    }
    return "\n".join(lines) + "".join(to_toml({n: table for n, table in tables.items() if table}))


_FILE = re.compile(r"(?P<dataset>[^\W_][\w+-]*?)(?:-corefud-[\w.+-]+?)?\.conllu(\.gz)?")

SETTINGS = {
    "head-drop": ("head", "drop", "the official score"),
    "partial-drop": ("partial", "drop", ""),
    "exact-drop": ("exact", "drop", ""),
    "head-keep": ("head", "keep", "with singletons"),
}
"""The settings of a CRAC task: match, singletons and a comment for each; the first one ranks."""


def find_datasets(folder: Path) -> TaskFiles:
    """Look for keys/DATASET-corefud-SPLIT.conllu (or keys/DATASET.conllu) and responses/SYSTEM/….

    A response belongs to the dataset that its name begins with, which must have a key.
    """
    forms = dict.fromkeys(("keys", "responses"), "DATASET-corefud-SPLIT.conllu")
    files, folders = TaskFiles(forms), files_below(folder)
    for file in folders.get("keys", ()):
        _place_dataset(files, file, files.keys, "key")
    files.need_keys(folder, "one file per dataset: keys/cs_pdt-corefud-dev.conllu, …")
    for file in folders.get("responses", ()):
        if len(file.parts) > 2:
            if is_name(file.parts[1]):
                _place_dataset(
                    files, file, files.responses.setdefault(file.parts[1], {}), "response"
                )
            else:
                files.report_unplaced(file.as_posix(), "system", name=file.parts[1])
    return files


def _place_dataset(files: TaskFiles, file: Path, taken: dict[str, str], what: str) -> None:
    name, match = file.as_posix(), _FILE.fullmatch(file.name)
    if not match:
        files.report_unplaced(name, "unlike", what=what)
    elif what == "response" and match["dataset"] not in files.keys:
        files.report_unplaced(name, "no-key", name=match["dataset"])
    else:
        files.place(taken, match["dataset"], name, what)


def crac_manifest(name: str, files: TaskFiles) -> str:
    """The manifest of a CRAC task as TOML, with comments for whoever edits it."""
    lines = [
        f"name = {to_toml_value(name)}",
        'rank = "conll"           # the metric that ranks',
        f"official = {to_toml_value(next(iter(SETTINGS)))}   # the setting that is ranked",
        "",
        "[scoring]",
        'profile = "corefud"      # CRAC 2024 to 2026; corefud-1.1 for 2022 and 2023',
        "",
    ]
    datasets = {dataset: {"key": key} for dataset, key in files.keys.items()}
    lines += ["".join(to_toml({"datasets": datasets})).lstrip("\n")]
    for setting, (match, singletons, meaning) in SETTINGS.items():
        lines.append(f"[settings.{setting}]" + (f"  # {meaning}" if meaning else ""))
        lines += [
            f"match = {to_toml_value(match)}",
            f"singletons = {to_toml_value(singletons)}",
            "",
        ]
    systems = {system: {"responses": sent} for system, sent in files.responses.items()}
    return "\n".join(lines) + "".join(to_toml({"systems": systems})).removeprefix("\n")
