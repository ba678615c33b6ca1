"""Manifests: what is read, and a clear sentence for everything that is wrong."""

from pathlib import Path

import pytest

from corefkit import DataError
from corefkit.plugins.task.manifest import read_manifest
from corefkit.plugins.task.shared_task import Slot
from tests.plugins.task.support import MANIFEST, TASK, write_task
from tests.support import run


def told(path: Path) -> str:
    with pytest.raises(DataError) as error:
        read_manifest(path)
    return str(error.value)


def test_example() -> None:
    task = read_manifest(TASK)
    assert list(task.languages) == ["english", "chinese", "arabic"]
    assert [language.code for language in task.languages.values()] == ["en", "zh", "ar"]
    assert task.tracks == ("closed", "open")
    assert (task.official, task.rank, task.samples) == ("NB", "conll", 2000)
    assert [s.name for s in task.settings_in_order()] == [
        "NB",
        "NB-gold",
        "NB-trained-gold",
        "GB",
        "GM",
        "GM-gold",
    ]
    assert len(task.systems) == 6
    assert {slot.language for slot in task.slots(system="kestrel")} == {"english", "chinese"}
    assert Slot("kestrel", "arabic", "closed", "NB") in task.missing()
    assert len(task.subsets["first-edition"].documents) == 3


def test_defaults(tmp_path: Path) -> None:
    task = read_manifest(write_task(tmp_path))
    assert (task.rank, task.official, task.tracks) == ("conll", "NB", ("closed", "open"))
    assert "lea" in task.options.metrics


def test_the_ranking_metric_may_have_another_name(tmp_path: Path) -> None:
    """The ranking ended in a KeyError, since scores have the usual name."""
    task = read_manifest(write_task(tmp_path, MANIFEST.replace('"tiny"', '"tiny"\nrank = "B³"')))
    assert task.rank == "bcub"
    assert "bcub" in task.options.metrics


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("english/closed/NB", "englsh/closed/NB"), "language 'englsh' is not defined"),
        (("english/closed/NB", "english/closd/NB"), "Did you mean 'closed'?"),
        (("english/closed/NB", "english/closed/XX"), "setting 'XX' is not defined"),
        (("english/closed/NB", "english/closed"), "does not show what the response is for"),
        (('name = "tiny"', ""), "'name' is missing"),
        (('name = "tiny"', "name = 3"), 'name is not "text"'),
        (('name = "tiny"', 'name = "tiny"\nrnk = "muc"'), "Did you mean 'rank'?"),
        (('name = "tiny"', 'name = "tiny"\nrank = "nonsense"'), "unknown value 'nonsense'"),
        (('name = "tiny"', 'name = "tiny"\nofficial = "GM"'), "there is no 'GM'"),
        (
            ("[systems.one.responses]", "[settings.A]\nquality = 'XX'\n[systems.one.responses]"),
            "NB, GB, GM",
        ),
        (
            ("[systems.one.responses]", "[systems.'../x'.responses]"),
            "cannot be used as a name here",
        ),
        (("[languages.english]", "[languages]"), "languages.key is not a table"),
        (("name", "name name"), "it is not TOML"),
        ((MANIFEST, 'name = "x"'), "there are no languages"),
        (('name = "tiny"', 'name = "tiny"\nsignificance.level = 2.0'), "not between 0 and 1"),
        (('name = "tiny"', 'name = "tiny"\nsignificance.samples = 0'), "less than 1"),
        (('name = "tiny"', 'name = "tiny"\nscoring.profile = "x"'), "profile: unknown value"),
        (('name = "tiny"', 'name = "tiny"\nscoring.singletons = "x"'), "singletons: unknown value"),
        (('name = "tiny"', 'name = "tiny"\nsubsets.a.documents = "nowhere.txt"'), "cannot be read"),
        (('name = "tiny"', 'name = "tiny"\nsubsets.a.documents = "a\\u0000b"'), "cannot be read"),
        (('name = "tiny"', 'name = "tiny"\nsubsets.a.documents = []'), "documents is empty"),
        (('name = "tiny"', 'name = "tiny"\nsignificance.level = nan'), "not between 0 and 1"),
        (('name = "tiny"', 'name = "t"\nsignificance.samples = 9999999999'), "more than 1,000,000"),
        (('name = "tiny"', f"name = {'[' * 100_000}"), "nested too deeply"),
        (('name = "tiny"', f"name = {'1' * 10_000}"), "the manifest cannot be read"),
        (('name = "tiny"', ".".join("a" * 100_000) + " = 1"), "a name of more than 50 parts"),
        (('name = "tiny"', "[" + ' . "b.c"' * 51 + "]"), "a name of more than 50 parts"),
        (('name = "tiny"', f"name = '{'a' * 1_000_000}'\nx = 1"), "'x'"),  # took a minute
        (('name = "tiny"', 'name = "tiny"\n' + "".join(f"x{n}=1\n" for n in range(9999))), "x9"),
        (('name = "tiny"', "#" * (4 << 20)), "more than 4,194,304 bytes"),
        (('name = "tiny"', 'name = "tiny"\nrank = "connl"'), "Did you mean conll?"),
        (('"one.conll"', '""'), "english/closed/NB names no file"),
        (('"key.conll"', '" "'), "languages.english.key names no file"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    path = write_task(tmp_path, MANIFEST.replace(*change))
    assert message in told(path)
    done = run("task", "check", path)
    assert done.status == 1
    assert message in done.err


def test_everything_at_once_with_lines(tmp_path: Path) -> None:
    path = write_task(tmp_path, MANIFEST.replace("closed", "x").replace("key =", "ky ="))
    with pytest.raises(DataError) as error:
        read_manifest(path)
    found = error.value.incidents
    assert {i.id for i in found} == {"manifest-invalid"}
    assert [(i.line, i.message.split(" ")[0]) for i in found] == [
        (2, "'key'"),
        (5, "track"),
        (3, "'ky'"),
    ]


def test_unknown_entries_stand_in_the_order_of_the_manifest(tmp_path: Path) -> None:
    names = [f"odd{number}" for number in range(9, 0, -1)]
    extra = "".join(f"{name} = 1\n" for name in names)
    with pytest.raises(DataError) as raised:
        read_manifest(write_task(tmp_path, extra + MANIFEST))
    assert [i.line for i in raised.value.incidents] == list(range(1, 10))


def test_two_settings_alike(tmp_path: Path) -> None:
    extra = '[settings.A]\nquality = "NB"\n[settings.NB]\n'
    assert "have the same setting" in told(write_task(tmp_path, MANIFEST + extra))


def test_not_there(tmp_path: Path) -> None:
    assert "No such file" in told(tmp_path / "none.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    assert "UTF-8" in told(tmp_path / "binary.toml")


def test_profile_and_rank(tmp_path: Path) -> None:
    text = MANIFEST.replace('name = "tiny"', 'name = "t"\nrank = "lea"\nscoring.profile = "e2e"')
    task = read_manifest(write_task(tmp_path, text))
    assert task.options.profile == "e2e"
    assert "blanc" not in task.options.metrics
    done = run("task", "run", tmp_path / "task.toml", "-o", tmp_path / "out", "--no-plots")
    assert done.status == 0


def test_rank_by_an_old_variant(tmp_path: Path) -> None:
    text = MANIFEST.replace('name = "tiny"', 'name = "t"\nrank = "bcub_sys"')
    task = read_manifest(write_task(tmp_path, text))
    assert task.options.metrics[-1] == "bcub_sys"


@pytest.mark.parametrize(
    "extra", ["[languages.'english.b']\nkey = 'key.conll'\n", "[settings.'N.B']\n", "tracks"]
)
def test_dots_stand_between_names(tmp_path: Path, extra: str) -> None:
    """Otherwise two responses could share the file of their counts."""
    text = MANIFEST + extra
    if extra == "tracks":
        text = MANIFEST.replace('name = "tiny"', 'name = "t"\ntracks = ["closed", "b.c"]')
    found = told(write_task(tmp_path, text))
    assert "cannot be used as a name here" in found


def test_tables_of_one_name(tmp_path: Path) -> None:
    text = MANIFEST.replace('name = "tiny"', 'name = "t"\ntracks = ["closed", "b-closed"]')
    for name in ("a", "a-b"):
        text += f'[subsets.{name}]\nlanguage = "english"\ndocuments = ["nw/a/00/a_0001"]\n'
    found = told(write_task(tmp_path, text))
    assert "two tables would have the name 'subset-a-b-closed'" in found
    assert "subset 'a', track 'b-closed'" in found


def test_labels_and_kinds_left_out(tmp_path: Path) -> None:
    scoring = '\n[scoring]\nlabels = "type,kb"\nleave_out = "singleton"\n'
    task = read_manifest(write_task(tmp_path, MANIFEST + scoring))
    assert (task.options.labels, task.options.leave_out) == (("type", "kb"), ("singleton",))
    with pytest.raises(DataError, match="none cannot be combined with other labels"):
        read_manifest(write_task(tmp_path, MANIFEST + '[scoring]\nlabels = "none,kb"\n'))


def test_a_mistyped_metric_has_one_suggestion(tmp_path: Path) -> None:
    path = write_task(tmp_path, MANIFEST.replace('name = "tiny"', 'name = "tiny"\nrank = "conl"'))
    shown = run("task", "check", path).err
    assert shown.lower().count("did you mean") == 1
