"""Every text of an incident stands in incidents.toml: the sites give a kind, a variant, values."""

import ast
import dataclasses
import re
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from string import Formatter
from typing import Any

import numpy as np
import pytest

from corefkit.core.incidents import (
    Collector,
    FilePlaces,
    Incident,
    Place,
    all_kinds,
    find_kind,
    make_incident,
)
from tests.support import ROOT, run, syntax

KINDS = all_kinds()

PARTS = {"at", "kind", "variant", *(part.name for part in dataclasses.fields(Incident))} - {
    "line",
    "column",
}
"""What an incident has besides the values of its message."""

PLAIN = ("make_incident", "note", "data_error")
"""What is given a kind, a variant and details, wherever it is called."""


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def literals(node: ast.expr | None) -> list[ast.expr]:
    """What an argument may be: itself, or both branches of a condition."""
    if isinstance(node, ast.IfExp):
        return [*literals(node.body), *literals(node.orelse)]
    return [] if node is None else [node]


def texts_of(node: ast.expr | None) -> list[str]:
    found = [one.value for one in literals(node) if isinstance(one, ast.Constant)]
    return [value for value in found if isinstance(value, str)]


@dataclass
class Maker:
    """A function that makes incidents.

    Attributes:
        parameters: their names.
        kind: its kind, where it has but one.
        adds: the names of values that it adds itself.
        variant: what it gives as the variant.
    """

    parameters: list[str]
    kind: str | None = None
    adds: set[str] = field(default_factory=set)
    variant: ast.expr | None = None


@dataclass
class Site:
    """A call that makes an incident of a known kind."""

    place: str
    kind: str
    variant: ast.expr | None
    values: set[str]
    added: set[str]
    starred: list[str]
    arguments: dict[str, ast.expr] = field(default_factory=dict)

    @property
    def variants(self) -> list[str]:
        """The texts it may choose; all of the kind where it says so by a value."""
        if self.variant is None:
            return [""]
        named = texts_of(self.variant)
        return named if len(named) == len(literals(self.variant)) else [*KINDS[self.kind].texts]


@cache
def sources() -> dict[Path, ast.Module]:
    return {path: syntax(path) for path in (ROOT / "src").rglob("*.py")}


@cache
def calls(tree: ast.AST) -> list[tuple[str, ast.Call]]:
    return [
        (getattr(node.func, "id", getattr(node.func, "attr", "")), node)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
    ]


@cache
def makers() -> dict[tuple[str, str], Maker]:
    """By home and name, the functions that pass on a `kind` or a `variant` that they are given.

    The home of a private one is its file, of another its package and those in it.
    """
    found: dict[tuple[str, str], Maker] = {}
    for path, tree in sources().items():
        for function in (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)):
            names = [a.arg for a in function.args.args if a.arg != "self"]
            if path.name == "incidents.py" and path.parent.name == "core":
                continue
            if not {"kind", "variant"} & {*names}:
                continue
            inner = [c for name, c in calls(function) if name in (*PLAIN, "line", "byte")]
            if not inner:
                continue
            kind = None if "kind" in names else next(iter(texts_of(inner[0].args[0])), None)
            adds = {k.arg for call in inner for k in call.keywords if k.arg} - PARTS
            adds |= {
                key
                for n in ast.walk(function)
                if isinstance(n, ast.Subscript)
                for key in texts_of(n.slice)
            }
            home = path if function.name.startswith("_") else path.parent
            own = inner[0].args[1] if len(inner[0].args) > 1 else None
            found[str(home), function.name] = Maker(names, kind, adds, own)
    for (place, _), maker in found.items():
        package = Path(place).parent if place.endswith(".py") else Path(place)
        if outer := found.get((str(package), "note")):  # what a package's own `note` adds
            maker.adds |= outer.adds
    return found


@cache
def sites() -> list[Site]:
    found = []
    for path, tree in sources().items():
        for name, call in calls(tree):
            homes = map(str, (path, *path.parents))
            maker = next((makers()[h, name] for h in homes if (h, name) in makers()), None)
            if maker is None and name in PLAIN:
                maker = Maker(["kind", "variant"])
            if maker is None:
                continue
            given = dict(zip(maker.parameters, call.args, strict=False))
            given |= {k.arg: k.value for k in call.keywords if k.arg}
            kinds = [maker.kind] if maker.kind else texts_of(given.get("kind"))
            values = {k.arg for k in call.keywords if k.arg} - PARTS - {*maker.parameters}
            starred = [ast.unparse(k.value) for k in call.keywords if k.arg is None]
            place = f"{path.name}:{call.lineno}"
            unsaid = None if "variant" in maker.parameters else maker.variant
            found += [
                Site(place, kind, given.get("variant", unsaid), values, maker.adds, starred, given)
                for kind in kinds
            ]
    return found


def test_incidents_are_made_in_one_place() -> None:
    """`Incident(…)` stands where incidents are made and where JSON is read back, only there."""
    found = {
        path.name for path, tree in sources().items() for n, _ in calls(tree) if n == "Incident"
    }
    assert found == {"incidents.py", "parts.py"}


def test_every_kind_in_the_source_is_explained() -> None:
    found = {site.kind for site in sites()}
    assert len(found) > 130
    assert sorted(found - KINDS.keys()) == []


def test_no_message_is_written_at_a_site() -> None:
    wrong = [
        site.place
        for site in sites()
        for name, argument in site.arguments.items()
        if name in ("message", "hint")
        or (name == "variant" and any(isinstance(x, ast.JoinedStr) for x in literals(argument)))
    ]
    assert wrong == []
    assert not [name for name, maker in makers().items() if "message" in maker.parameters]
    replaced = [
        f"{path.name}:{call.lineno}"
        for path, tree in sources().items()
        for name, call in calls(tree)
        if name == "replace"
        for keyword in call.keywords
        if keyword.arg in ("message", "hint") and texts_of(keyword.value)
    ]
    assert replaced == []


def test_every_variant_has_a_text() -> None:
    wrong = [
        (site.place, site.kind, variant)
        for site in sites()
        for variant in site.variants
        if variant not in KINDS[site.kind].texts
    ]
    assert wrong == []


def test_every_value_is_given() -> None:
    """Where a site names its text, it gives all of its values; `**values` may bring some."""
    lacking = [
        (site.place, site.kind, name)
        for site in sites()
        if not any("values" in star for star in site.starred)
        for variant in site.variants
        for text in KINDS[site.kind].texts[variant]
        for name in fields(text) - site.values - site.added
        if site.variant is None or texts_of(site.variant)
    ]
    assert lacking == []


def test_every_given_value_is_used() -> None:
    """A misspelt `expected=` would be a value of no text."""
    for site in sites():
        known = {f for text in KINDS[site.kind].texts.values() for t in text for f in fields(t)}
        own = {"close", "place", "byte", "number", "column"}
        assert site.values - known - own == set(), site.place


def test_every_text_is_used() -> None:
    """The name of each text stands at a site, as a word of its own."""
    source = "".join(p.read_text() for p in sources())
    for kind in KINDS.values():
        assert [name for name in kind.texts if name and f'"{name}"' not in source] == []


@pytest.mark.parametrize("kind", KINDS)
def test_texts_can_be_filled(kind: str) -> None:
    """Each text of a kind is a template whose names are not those of parts of an incident."""
    assert KINDS[kind].texts
    for variant, pair in KINDS[kind].texts.items():
        named = fields(pair[0]) | fields(pair[1])
        assert not named & PARTS
        assert all(name.isidentifier() for name in named)
        values: dict[str, Any] = dict.fromkeys(named, 7)
        incident = make_incident(kind, variant, **values)
        assert incident.message
        assert incident.hint
        assert "{" not in incident.message + incident.hint


@pytest.mark.parametrize(("number", "noun"), [(0, "mentions"), (1, "mention"), (2, "mentions")])
def test_words_agree_with_their_number(number: int, noun: str) -> None:
    one = make_incident("span-twice", "united", number=np.int64(number))
    verb = "repeats" if number == 1 else "repeat"
    assert one.message == f"{number} {noun} {verb} another one of the same entity"
    lost = make_incident("layer-dropped", "layer", number=number, layer="(s)")
    assert lost.message.startswith(
        f"{number} {noun} of the layer (s) {'is' if number == 1 else 'are'} "
    )


def test_no_text_leaves_the_number_open() -> None:
    """A form in brackets follows a number; in the documentation it is the plural."""
    for kind in KINDS.values():
        for message in kind.messages:
            assert "(s)" not in message
            assert not re.search(r"\(\w+( \w+)*\|", message), message


def test_every_kind_has_a_fixture_or_a_test() -> None:
    shown = {p.name.split(".")[0] for p in (ROOT / "tests" / "fixtures" / "incidents").iterdir()}
    own = {"test_incident_kinds.py", Path(__file__).name}
    tests = [p for p in (ROOT / "tests").rglob("test_*.py") if p.name not in own]
    text = "".join(path.read_text(encoding="utf-8") for path in tests)
    shown |= {*re.findall(r"[\"\[]([a-z0-9]+(?:-[a-z0-9]+)+)[\"\]]", text)}
    shown |= {*re.findall(r"\[([a-z]+)\]\"", text)}
    assert sorted(KINDS.keys() - shown) == []


def test_no_escape_is_doubled(tmp_path: Path) -> None:
    """`quote` makes control characters visible, and `repr` of that would write two backslashes."""
    texts = [text for kind in KINDS.values() for pair in kind.texts.values() for text in pair]
    assert not [text for text in texts if "!r" in text]
    for site in sites():
        for argument in site.arguments.values():
            for node in ast.walk(argument):
                assert getattr(node, "conversion", -1) != ord("r"), site.place
                assert getattr(getattr(node, "func", None), "id", "") != "repr", site.place
    key, response = tmp_path / "key.conll", tmp_path / "a\x1bb.conll"
    key.write_text("#begin document d\x1b\nd 0 0 Ada (1)\n#end document\n")
    response.write_text("#begin document d\x1b\nd 0 0 A\x1ba (1)\nd 0 1 x (2\n#end document\n")
    done = run("check", response, "--against", key)
    assert "a\\x1bb.conll" in done.out
    assert "document: d\\x1b\n" in done.out
    assert "\\\\" not in done.out
    assert "\x1b" not in done.out


def test_a_value_is_not_read_as_a_template() -> None:
    incident = make_incident("column-missing", name="{x}")
    assert incident.message == "the file has no column '{x}'"


def test_collector_counts_what_it_does_not_list() -> None:
    found = Collector("a.conll")
    for _ in range(103):
        found.add(make_incident("no-mention", file="a.conll"))
    *listed, last = found
    assert len(listed) == 100
    assert (last.message, last.count) == ("… and 3 more of this kind in the same file", 3)
    assert all(isinstance(incident, Incident) for incident in listed)


def test_details_are_made_for_what_is_listed() -> None:
    """`at` and details may be functions: of a kind that is full they are not called."""
    asked: list[int] = []
    found = Collector("a.conll")

    def place(row: int) -> Place:
        asked.append(row)
        return Place(line=row, document="d", found="the line")

    for row in range(1, 204):
        found.note("span-outside", "text", partial(place, row), expected=lambda: "another")
    listed = list(found)
    assert asked == list(range(1, 101))
    assert [i.line for i in listed[:-1]] == asked
    assert {(i.file, i.document, i.found) for i in listed[:-1]} == {("a.conll", "d", "the line")}
    assert {i.expected for i in listed[:-1]} == {"another"}
    assert listed[-1].count == 103


def test_items_that_are_listed() -> None:
    found = Collector()
    for kind, number in (("no-mention", 60), ("no-mention", 70), ("nul-byte", 100)):
        for row in found.listed(kind, range(number)):
            found.note(kind, at=(row + 1, 2))
    assert [(i.id, i.count) for i in found if i.message.startswith("…")] == [("no-mention", 30)]
    assert sum(i.count for i in found) == 230


def test_what_is_given_overrides_the_place() -> None:
    place = Place("b.conll", 3, 4, "d", "there")
    incident = make_incident("no-mention", at=place, document="e", found="here")
    assert (incident.file, incident.document, incident.found) == ("b.conll", "e", "here")
    assert str(incident).startswith("b.conll:3:4: warning: ")


def test_places_of_bytes() -> None:
    data = "äb\ncd\n".encode()
    places = FilePlaces(data, np.array([0, 4]), ["äb", "cd"].__getitem__)
    assert places.byte(2)() == Place(line=1, column=2, found="äb")
    assert places.byte(5)() == Place(line=2, column=2, found="cd")
    assert FilePlaces(data, np.array([0, 4])).line(2)() == Place(line=2)


def test_one_kind_is_read_as_all_are() -> None:
    """`find_kind` parses its own tables only."""
    assert {name: find_kind(name) for name in KINDS} == KINDS
    for name in ("no-such", "file", "file-unreadable.gzip"):
        with pytest.raises(KeyError):
            find_kind(name)
