"""Files are loaded in the background for one run and no longer."""

from pathlib import Path

import pytest

from corefkit.cli import load_ahead
from corefkit.core.incidents import DataError
from corefkit.formats.kit import files
from corefkit.formats.kit.files import Prefetch, load_prefetched


def count_loads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are loaded from now on."""
    loads: list[str] = []
    load = files.load

    def counted(name: str, most: int | None = None) -> bytes:
        loads.append(name)
        return load(name, most)

    monkeypatch.setattr(files, "load", counted)
    return loads


def test_bytes_are_taken_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = str(tmp_path / "a.conll")
    Path(name).write_text("before")
    loads = count_loads(monkeypatch)
    with Prefetch([name, name, str(tmp_path / "missing")]):
        assert load_prefetched(name) == b"before"
        assert loads == [name]
        Path(name).write_text("after")
        assert load_prefetched(name) == b"after"


def test_what_nobody_took_is_not_served_to_a_later_run(tmp_path: Path) -> None:
    name = str(tmp_path / "a.conll")
    Path(name).write_text("before")
    with Prefetch([name]) as run:
        pass
    Path(name).write_text("after")
    assert load_prefetched(name) == b"after"
    assert run.take(name) is None


def test_errors_are_raised_where_the_file_is_wanted(tmp_path: Path) -> None:
    name = str(tmp_path / "a.gz")
    Path(name).write_bytes(b"\x1f\x8b\x08 broken")
    with Prefetch([name]), pytest.raises(DataError, match="gzip"):
        load_prefetched(name)


def test_another_limit_loads_anew(tmp_path: Path) -> None:
    name = str(tmp_path / "a")
    Path(name).write_text("text")
    with Prefetch([name]):
        assert load_prefetched(name, 10) == b"text"


def test_a_block_takes_over_from_the_one_around_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (str(tmp_path / name) for name in ("a.conll", "b.conll"))
    for name in (first, second):
        Path(name).write_text("before")
    loads = count_loads(monkeypatch)
    with Prefetch([first]) as around, Prefetch([first, second]):
        assert load_prefetched(first) == load_prefetched(second) == b"before"
        assert sorted(loads) == [first, second]
        assert around.take(first) is None
    with Prefetch([first, second]) as around, Prefetch([second]):
        assert around.take(first) is None  # nobody wants it any more


def test_the_first_files_of_a_command_line_are_loaded_ahead(tmp_path: Path) -> None:
    names = [str(tmp_path / name) for name in ("a", "b", "c")]
    for name in names:
        Path(name).write_text("text")
    with load_ahead(["score", "-m", "muc", *names]) as ahead:
        assert isinstance(ahead, Prefetch)
        assert [ahead.take(name) for name in names] == [b"text", b"text", None]
    for arguments in (["--max-size", "10", "score", *names], ["convert", *names], []):
        with load_ahead(arguments) as ahead:
            assert not isinstance(ahead, Prefetch)
