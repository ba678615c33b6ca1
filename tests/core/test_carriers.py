"""A frozen class is what `dataclass(frozen=True)` would make of the same declaration."""

import copy
import dataclasses
import inspect
import pickle
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, replace
from functools import cached_property
from typing import Any, ClassVar

import pytest

from corefkit.core.carriers import frozen


def declaration() -> type[Any]:
    class Carrier:
        """All that our classes declare."""

        name: str
        size: int = 3
        listed: list[int] = field(default_factory=list)
        note: str = field(default="", repr=False, compare=False)
        late: int = field(default=7, kw_only=True)
        shared: ClassVar[str] = "not a field"

        def __post_init__(self) -> None:
            object.__setattr__(self, "size", abs(self.size))

    return Carrier


OURS, THEIRS = frozen(declaration()), dataclass(frozen=True)(declaration())
CALLS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    (("a",), {}),
    (("a", -5, [1], "n"), {"late": 1}),
    (("b",), {"listed": [2], "note": "other"}),
    (("b",), {"listed": [2]}),
]
WRONG: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((), {}),
    (("a", 1, [], "n", 7), {}),
    (("a",), {"shared": 1}),
    (("a",), {"name": "b"}),
]


@frozen
class Plain:
    """For pickle, which finds classes by their name."""

    x: int
    rest: tuple[int, ...] = ()

    @cached_property
    def twice(self) -> int:
        """Kept in the instance."""
        return 2 * self.x


@pytest.mark.parametrize(("given", "keywords"), CALLS)
def test_values_text_and_copies(given: tuple[Any, ...], keywords: dict[str, Any]) -> None:
    ours, theirs = OURS(*given, **keywords), THEIRS(*given, **keywords)
    assert asdict(ours) == asdict(theirs) == vars(ours)
    assert repr(ours) == repr(theirs)
    assert asdict(replace(ours, size=-9)) == asdict(replace(theirs, size=-9))
    assert copy.copy(ours) == ours and copy.copy(ours) is not ours


@pytest.mark.parametrize("one", CALLS)
@pytest.mark.parametrize("other", CALLS)
def test_equality(one: Any, other: Any) -> None:
    sides = [[made(*given, **keys) for given, keys in (one, other)] for made in (OURS, THEIRS)]
    ours, theirs = sides
    assert (ours[0] == ours[1]) is (theirs[0] == theirs[1])
    assert ours[0] != theirs[0]


@pytest.mark.parametrize(("given", "keywords"), WRONG)
def test_wrong_calls_fail_alike(given: tuple[Any, ...], keywords: dict[str, Any]) -> None:
    messages = []
    for made in (OURS, THEIRS):
        with pytest.raises(TypeError) as failure:
            made(*given, **keywords)
        messages.append(str(failure.value))
    assert messages[0] == messages[1]


def test_what_is_asked_about_the_class() -> None:
    assert [item.name for item in fields(OURS)] == [item.name for item in fields(THEIRS)]
    ours, theirs = (inspect.signature(made) for made in (OURS, THEIRS))
    assert [(p.name, p.kind, p.annotation) for p in ours.parameters.values()] == [
        (p.name, p.kind, p.annotation) for p in theirs.parameters.values()
    ]
    assert OURS.__match_args__ == THEIRS.__match_args__
    assert dataclasses.is_dataclass(OURS)


def test_nothing_can_be_changed() -> None:
    carrier = Plain(4)
    for name in ("x", "rest", "new"):
        with pytest.raises(FrozenInstanceError):
            setattr(carrier, name, 1)
        with pytest.raises(FrozenInstanceError):
            delattr(carrier, name)
    assert carrier.twice == 8
    assert vars(carrier) == {"x": 4, "rest": (), "twice": 8}


def test_hash_and_pickle() -> None:
    assert {Plain(1), Plain(1, ())} == {Plain(1)}
    assert hash(Plain(1)) == hash(Plain(1)) != hash(Plain(2))
    assert pickle.loads(pickle.dumps(Plain(1, (2,)))) == Plain(1, (2,))


def test_defaults_are_made_anew() -> None:
    assert OURS("a").listed is not OURS("a").listed
    kept = [1]
    assert OURS("a", listed=kept).listed is kept


def test_own_methods_stay() -> None:
    @frozen
    class Own:
        """With methods that dataclasses would write."""

        x: int

        def __repr__(self) -> str:
            return "own"

        def __eq__(self, other: object) -> bool:
            return True

        __hash__ = None  # type: ignore[assignment]

    @frozen
    class Lower(Own):
        """With one more field."""

        y: int = 0

    assert repr(Own(1)) == repr(Lower(1)) == "own"
    assert Lower(1, 2) == Own(3)
    assert asdict(Lower(1, 2)) == {"x": 1, "y": 2}
    with pytest.raises(TypeError):
        hash(Lower(1))


def test_without_eq_each_is_itself() -> None:
    @frozen(eq=False, kw_only=True)
    class Only:
        """Keywords only."""

        x: int = 0

    one = Only(x=1)
    assert one != Only(x=1)
    assert len({one, Only(x=1)}) == 2
    with pytest.raises(TypeError):
        Only(1)  # type: ignore[call-arg]
