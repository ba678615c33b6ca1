"""A shared task as data: its languages, settings and systems, and the files of each system.

A task of datasets, as at CRAC, has datasets instead of languages, and its settings are different
ways to score the same response.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path, PurePath
from typing import Literal

from corefkit.core.carriers import frozen
from corefkit.core.incidents import DataError, Incident, all_kinds
from corefkit.core.names import document_id
from corefkit.core.options import POLICIES, Options, choose
from corefkit.formats.kit.annotators import split_annotator
from corefkit.formats.kit.files import expand

QUALITIES = {"NB": "no boundaries", "GB": "gold boundaries", "GM": "gold mentions"}
"""What a system is given about mentions: nothing, possible spans, or exactly the key's mentions."""

SYNTAX = {"predicted": "A", "gold": "G"}
"""Where parses come from, with the letters of the CoNLL-2012 tables (automatic, gold)."""

GIVEN = {"quality": QUALITIES, "train": SYNTAX, "test": SYNTAX}
"""What systems may be given, in the order of blocks: mentions, syntax in training and in test."""


_RULES = {
    ("singletons", "drop"): "without singletons",
    ("singletons", "keep"): "with singletons",
    ("zeros", "drop"): "without zeros",
    ("zeros", "linear"): "zeros by place",
    ("zeros", "dependent"): "zeros by dependency",
}
"""How `Setting.rules` words a policy and its value; others are "VALUE POLICY"."""


@frozen
class Language:
    """A language or dataset and the path of its key.

    `title` is the name as a heading, `letter` begins the ids of its rows in detail tables, and
    `code` is the BCP 47 code of the language.
    """

    name: str
    title: str
    key: str
    letter: str
    code: str


@frozen
class Setting:
    """Named conditions: what systems were given, or in a task of datasets how they are scored.

    `place` is the position in the manifest, where that decides the order.
    """

    name: str
    conditions: Mapping[str, str] = field(default_factory=dict)
    place: int = 0

    @classmethod
    def of(cls, name: str, **given: str) -> "Setting":
        """A setting in which systems were given this, and otherwise nothing but texts."""
        return cls(name, {n: next(iter(values)) for n, values in GIVEN.items()} | given)

    @property
    def order(self) -> tuple[int, ...]:
        """The order of blocks in a table: by quality, then training, then test syntax."""
        given = {name: [*GIVEN[name]] for name in GIVEN if name in self.conditions}
        return (*(v.index(self.conditions[name]) for name, v in given.items()), self.place)

    @property
    def scoring(self) -> dict[str, str]:
        """The policies that it overrides."""
        return {name: value for name, value in self.conditions.items() if name in POLICIES}

    @property
    def rules(self) -> str:
        """How responses are scored, in words; empty if the setting overrides no policy.

        >>> Setting("a", {"match": "head", "singletons": "drop"}).rules
        'head match, without singletons'
        """
        words = (_RULES.get(rule) or f"{rule[1]} {rule[0]}" for rule in self.scoring.items())
        return ", ".join(words)


@frozen
class Entrant:
    """A participating system; `training` names the parts that its final model was trained on.

    `paper` and `code` are web addresses; a `baseline` was sent by the organisers.
    """

    name: str
    training: tuple[str, ...] = ()
    description: str = ""
    team: str = ""
    paper: str = ""
    code: str = ""
    baseline: bool = False


@dataclass(frozen=True, order=True)
class Slot:
    """What one response is for."""

    system: str
    language: str
    track: str
    setting: str

    def __str__(self) -> str:
        return f"{self.system}: {self.language}/{self.track}/{self.setting}"


@frozen
class Subset:
    """Some documents of one language by name; a name without a part number means all parts."""

    name: str
    language: str
    documents: frozenset[str]

    def __contains__(self, document: object) -> bool:
        return bool(self.documents & {document, document_id(str(document))})


@frozen
class About:
    """What the page says about a task; `url` is a web address, the other fields are texts.

    `cite` says how to cite the task, perhaps as BibTeX.
    """

    description: str = ""
    organisers: str = ""
    date: str = ""
    licence: str = ""
    url: str = ""
    cite: str = ""


_CONDITIONS = ("track", "setting")
"""Fields of a Slot that are shown only if they vary."""


@frozen
class Task:
    """A whole shared task.

    `folder` holds the manifest; paths are relative to it. The first of `tracks` and the setting
    named `official` make the ranking. `divisions` has the tables of strata: by name, what scores
    are split by. `manifest` is the file name of the manifest. With `show_texts` the page shows
    the beginning of each key; with `outside` responses may lie outside of the folder.
    """

    name: str
    folder: Path
    rank: str
    official: str
    tracks: tuple[str, ...]
    languages: Mapping[str, Language]
    settings: Mapping[str, Setting]
    systems: Mapping[str, Entrant]
    responses: Mapping[Slot, str]
    subsets: Mapping[str, Subset] = field(default_factory=dict)
    options: Options = field(default_factory=Options)
    samples: int = 10_000
    seed: int = 2012
    level: float = 0.95
    kind: Literal["language", "dataset"] = "language"
    about: About = field(default_factory=About)
    divisions: Mapping[str, str] = field(default_factory=dict)
    manifest: str = "task.toml"
    show_texts: bool = False
    outside: bool = False

    @property
    def of_datasets(self) -> bool:
        """Whether responses are for datasets, as at CRAC, rather than for languages."""
        return self.kind == "dataset"

    @property
    def word(self) -> str:
        """What the keys are called in texts: languages only if all of them have names of some."""
        named = all(language.code != "und" for language in self.languages.values())
        return self.kind if named else "dataset"

    @property
    def conditions(self) -> tuple[str, ...]:
        """The conditions of responses: language or dataset; track and setting only if they vary."""
        used = {name: {getattr(slot, name) for slot in self.responses} for name in _CONDITIONS}
        return (self.kind, *(name for name, values in used.items() if len(values) > 1))

    def describe(self, slot: Slot) -> tuple[str, ...]:
        """The values of `conditions` for one response."""
        shown = {**asdict(slot), self.kind: slot.language}
        return tuple(shown[name] for name in self.conditions)

    def where(self, language: str, track: str) -> str:
        """A heading for a language or dataset in a track."""
        title = self.languages[language].title
        return title if "track" not in self.conditions else f"{title}, {track} track"

    def setting_title(self, name: str) -> str:
        """A heading for a setting: how it differs from others; empty if there is only one.

        >>> from corefkit.plugins.task import read_manifest
        >>> read_manifest("examples/task/task.toml").setting_title("NB-gold")
        'no boundaries (predicted syntax in training, gold in test)'
        """
        if len(self.settings) < 2:
            return ""
        setting = self.settings[name]
        if self.of_datasets:
            return setting.rules or name
        quality, train, test = (setting.conditions[name] for name in GIVEN)
        trained = f"{train} syntax in training" if self.varies("train") else ""
        word = "" if trained else " syntax"
        tested = f"{test}{word} in test" if self.varies("test") else ""
        syntax = ", ".join(filter(None, (trained, tested)))
        quality = QUALITIES[quality] if self.varies("quality") else ""
        return f"{quality} ({syntax})" if quality and syntax else quality or syntax

    def varies(self, name: str) -> bool:
        """Whether settings differ in a condition, such as "quality", "train" or "test"."""
        return len({setting.conditions.get(name) for setting in self.settings.values()}) > 1

    def files(self, *systems: str) -> list[str]:
        """The response files of these systems, or of all, each once."""
        sent = (f for slot, f in self.responses.items() if not systems or slot.system in systems)
        return list(dict.fromkeys(sent))

    def options_of(self, setting: str) -> Options:
        """The options with which responses are scored in a setting."""
        return replace(self.options, **self.settings[setting].scoring)  # type: ignore[arg-type]

    def path(self, name: str) -> str:
        """The path of a file that the manifest names."""
        return str(self.folder / name)

    def settings_in_order(self) -> list[Setting]:
        """The settings in the order of tables: NB, GB, GM; predicted syntax before gold."""
        return sorted(self.settings.values(), key=lambda s: s.order)

    def qualities(self) -> list[Setting]:
        """The official setting and those that differ from it in mention quality only, in order."""

        def syntax(setting: Setting) -> list[str | None]:
            return [setting.conditions.get(name) for name in ("train", "test")]

        official = syntax(self.settings[self.official])
        return [setting for setting in self.settings_in_order() if syntax(setting) == official]

    def slots(self, **wanted: str) -> list[Slot]:
        """The slots of responses that have these values: `slots(language="english")`."""
        return [
            slot
            for slot in self.responses
            if all(getattr(slot, name) == value for name, value in wanted.items())
        ]

    def missing(self) -> list[Slot]:
        """Responses that were not sent: languages missing in a track and setting of a system.

        All systems take part in the official track and setting, where a missing response counts
        as 0. In a task of datasets a missing file is listed once, for the official setting.
        """
        entered = dict.fromkeys((s.system, s.track, s.setting) for s in self.responses)
        official = ((name, self.tracks[0], self.official) for name in self.systems)
        entered |= dict.fromkeys(official)
        return [
            slot
            for system, track, setting in entered
            if not self.of_datasets or setting == self.official
            for language in self.languages
            if (slot := Slot(system, language, track, setting)) not in self.responses
        ]

    def key_files(self) -> list[str]:
        """The paths of the keys, as in the manifest, each once."""
        return list(dict.fromkeys(language.key for language in self.languages.values()))

    def of_system(self, name: str) -> "Task":
        """The task of a single system; UsageError if there is none of this name."""
        choose("--for", name, self.systems)
        responses = {slot: file for slot, file in self.responses.items() if slot.system == name}
        return replace(self, systems={name: self.systems[name]}, responses=responses)

    def leads_out(self, name: str) -> bool:
        """Whether the path of a file in the manifest leads out of its folder, or is or has a link.

        Nobody may make the page show the text of a file that they cannot read.
        """
        path = self.folder / name
        steps = [path, *path.parents]
        linked = any(step.is_symlink() for step in steps[: len(Path(name).parts)])
        return linked or self.lies_outside(name)

    def lies_outside(self, name: str) -> bool:
        """Whether a file in the manifest, or a file that a folder or glob stands for, is elsewhere.

        Links count as what they point to.
        """
        path, _ = split_annotator(self.path(name))
        try:
            files = (path, *expand(path))
            inside = self.folder.resolve()
            return not all(Path(file).resolve().is_relative_to(inside) for file in files)
        except (DataError, OSError, ValueError):  # it cannot be read
            return not Path(os.path.normpath(path)).is_relative_to(os.path.normpath(self.folder))

    def localise(self, incident: Incident) -> Incident:
        """The incident with paths relative to the folder, as in the manifest."""
        if self.folder == Path():
            return incident
        # The folder must not be the end of a longer name or path, such as mytask/.
        prefix = re.compile(rf"(?<![\w./\\-]){re.escape(str(self.folder))}/")
        fields = {
            name: getattr(incident, name) for name in ("file", "message", "found", "expected")
        }
        texts = {name: prefix.sub("", text) for name, text in fields.items() if text}
        return replace(incident, **texts)  # type: ignore[arg-type]

    def publish(self, incident: Incident) -> Incident:
        """The incident for publication: files by name, words of a key only with `show_texts`."""
        if not self.show_texts and incident.id in _FOUND_IN_KEY:
            incident = replace(incident, found=None, expected=None)
        if not self.show_texts and incident.id in _EXPECTED_BY_KEY:
            incident = replace(incident, expected=None)
        return by_name(self.localise(incident))


_FOUND_IN_KEY = {
    "mention-text-differs",
    "mention-unaligned",
    "same-file",
    "text-changed",
    "text-differs",
    "text-truncated",
}
"""Kinds of incidents whose `found` may have words of the key, or its path."""

_EXPECTED_BY_KEY = {"length-differs", "mention-splits-token", "words-differ"}
"""Kinds of incidents that quote the response in `found`, and the key only in `expected`."""


def by_name(incident: Incident) -> Incident:
    """The incident with the bare name of its file, without folders.

    >>> incident = Incident("x", "error", "a/b.conll is empty", "a/b.conll")
    >>> by_name(incident).file, by_name(incident).message
    ('b.conll', 'b.conll is empty')
    """
    if not incident.file:
        return incident
    path, name = incident.file, PurePath(incident.file).name
    return replace(incident, file=name, message=incident.message.replace(path, name))


def without_text(incident: Incident) -> Incident:
    """The incident without anything quoted from its file, which may not be a response at all."""
    kind = all_kinds().get(incident.id)
    message = kind.what if kind else incident.id
    return replace(incident, message=message, found=None, expected=None, document=None, hint=None)
