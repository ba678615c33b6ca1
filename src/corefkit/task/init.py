"""A manifest from a folder of files, by the words in their names."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from corefkit.incidents import DataError, Incident
from corefkit.task.manifest import QUALITIES, Setting

MANIFEST = "task.toml"
_TRACKS = ("closed", "open")
_ENDS = (".conll", "_conll", ".gz", ".txt")


@dataclass
class Found:
    """What a folder holds; files that could not be placed are `strange`."""

    keys: dict[str, str] = field(default_factory=dict)
    responses: dict[str, dict[str, str]] = field(default_factory=dict)
    settings: dict[str, Setting] = field(default_factory=dict)
    subsets: dict[str, tuple[str, str]] = field(default_factory=dict)
    strange: list[Incident] = field(default_factory=list)

    def stranger(self, file: str, message: str) -> None:
        """Note a file that has no place."""
        hint = "name it responses/SYSTEM/LANGUAGE.TRACK.SETTING.conll, or add it by hand"
        self.strange.append(Incident("file-unplaced", "warning", message, file=file, hint=hint))


def find(folder: Path) -> Found:
    """Look for keys/LANGUAGE.conll, responses/SYSTEM/LANGUAGE.TRACK.SETTING.conll, subsets/*.txt.

    Track and setting may be missing (closed, NB), their order is free, and folders below the
    system's may say them as well: responses/SYSTEM/open/GM/english.conll.gz.
    """
    found = Found()
    files = sorted(
        f.relative_to(folder)
        for f in folder.rglob("*")
        if f.is_file() and not any(part.startswith(".") for part in f.relative_to(folder).parts)
    )
    for file in files:
        if file.parts[0] == "keys" and len(file.parts) == 2:
            found.keys[_stem(file.name).split(".")[0].lower()] = file.as_posix()
    if not found.keys:
        raise DataError(
            [
                Incident(
                    "file-unreadable",
                    "error",
                    "there is no key in this folder",
                    file=str(folder),
                    expected="one file a language: keys/english.conll, keys/chinese.conll.gz, …",
                    hint="put the keys there; responses go to responses/SYSTEM/",
                )
            ]
        )
    for file in files:
        if file.parts[0] == "responses" and len(file.parts) > 1:
            _place(found, file)
        elif file.parts[0] == "subsets" and file.suffix == ".txt":
            _subset(found, file)
    return found


def _place(found: Found, file: Path) -> None:
    name = file.as_posix()
    words = [*file.parts[1:-1], *_stem(file.name).split(".")]
    system, words = words[0], words[1:]
    language = _take(words, found.keys) or (next(iter(found.keys)) if len(found.keys) == 1 else "")
    track = _take(words, _TRACKS) or "closed"
    settings = {word: setting for word in words if (setting := _setting(word))}
    word = next(iter(settings), "NB")
    rest = [w for w in words if w != word]
    if not language:
        found.stranger(name, "the name of this response has no language that there is a key for")
        return
    if rest:
        found.stranger(name, f"what is {rest[0]!r} in the name of this response?")
        return
    place = f"{language}/{track}/{word}"
    taken = found.responses.setdefault(system, {})
    if place in taken:
        found.stranger(name, f"there is another response of {system} for {place}: {taken[place]}")
        return
    taken[place] = name
    found.settings.setdefault(word, settings.get(word) or Setting("NB"))


def _take(words: list[str], known: Iterable[str]) -> str:
    """Remove the first word that is known, and return it."""
    for word in words:
        if word.lower() in known:
            words.remove(word)
            return word.lower()
    return ""


def _setting(word: str) -> Setting | None:
    """What a word says: NB, GB or GM, then perhaps gold (test) or trained-gold (training).

    >>> _setting("GM-gold")
    Setting(name='GM-gold', quality='GM', train='predicted', test='gold')
    >>> _setting("NB-trained-gold").train
    'gold'
    """
    quality, *more = re.split(r"[-_+]", word)
    if quality.upper() not in QUALITIES:
        return None
    trained = any(part.startswith("train") for part in more)
    tested = more.count("gold") > trained or any(part.startswith("test") for part in more)
    train, test = ("gold" if on else "predicted" for on in (trained, tested))
    return Setting(word, quality.upper(), train, test)


def _subset(found: Found, file: Path) -> None:
    name, *words = _stem(file.name).split(".")
    language = _take(words, found.keys) or next(iter(found.keys))
    found.subsets[name] = language, file.as_posix()


def _stem(name: str) -> str:
    while name.endswith(_ENDS):
        name = name[: name.rfind(next(end for end in _ENDS if name.endswith(end)))]
    return name


def manifest_text(name: str, found: Found) -> str:
    """The manifest as TOML, with what a reader must know to change it."""
    tracks = [t for t in _TRACKS if any(f"/{t}/" in p for r in found.responses.values() for p in r)]
    settings = sorted(found.settings.values(), key=lambda s: s.order) or [Setting("NB")]
    lines = [
        f"name = {_quote(name)}",
        'rank = "conll"        # the metric that ranks',
        f"tracks = {_list(tracks or _TRACKS[:1])}  # the first one is ranked",
        f"official = {_quote(settings[0].name)}       # the setting that is ranked",
        "",
    ]
    for language, key in found.keys.items():
        lines += [f"[languages.{_key(language)}]", f"key = {_quote(key)}", ""]
    for s in settings:
        lines += [f"[settings.{_key(s.name)}]", f"quality = {_quote(s.quality)}"]
        lines += [f"train = {_quote(s.train)}", f"test = {_quote(s.test)}", ""]
    for system, responses in found.responses.items():
        lines += [f"[systems.{_key(system)}]", "training = []", ""]
        lines.append(f"[systems.{_key(system)}.responses]")
        lines += [f"{_quote(place)} = {_quote(file)}" for place, file in responses.items()] + [""]
    for subset, (language, file) in found.subsets.items():
        lines += [f"[subsets.{_key(subset)}]", f"language = {_quote(language)}"]
        lines += [f"documents = {_quote(file)}", ""]
    return "\n".join(lines)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _quote(name)


def _quote(text: str) -> str:
    """A TOML string: JSON's escapes are TOML's."""
    import json  # noqa: PLC0415

    return json.dumps(text, ensure_ascii=False)


def _list(texts: Sequence[str]) -> str:
    return f"[{', '.join(map(_quote, texts))}]"
