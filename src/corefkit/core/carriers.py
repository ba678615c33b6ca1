"""`frozen`: a faster `dataclass(frozen=True)` for the classes that carry data.

`dataclass(frozen=True)` compiles six functions for each class. A plain `score` loads some forty
such classes, which took a tenth of its time. Here only `__init__` is compiled; all classes share
the other methods. `field`, `replace`, `fields` and `asdict` of `dataclasses` work as usual, and
type checkers see ordinary dataclasses.
"""

from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from typing import Any, NoReturn, TypeVar, dataclass_transform, overload

Class = TypeVar("Class")


@overload
def frozen(cls: type[Class], /) -> type[Class]: ...
@overload
def frozen(*, eq: bool = ..., kw_only: bool = ...) -> Callable[[type[Class]], type[Class]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(
    cls: type[Class] | None = None, /, *, eq: bool = True, kw_only: bool = False
) -> type[Class] | Callable[[type[Class]], type[Class]]:
    """Make a class a frozen dataclass; methods that it defines or inherits are kept.

    Two instances are equal, and have the same hash, if all their fields are equal. With `eq=False`
    an instance is equal only to itself, which suits classes that hold arrays. A subclass that adds
    fields must be decorated, too.

    >>> @frozen
    ... class Point:
    ...     "A place in the plane."
    ...     x: int
    ...     y: int = 0
    >>> Point(3), Point(3) == Point(3, 0)
    (Point(x=3, y=0), True)
    >>> Point(3).x = 4
    Traceback (most recent call last):
    dataclasses.FrozenInstanceError: cannot assign to field 'x'
    """

    def decorate(cls: type[Class]) -> type[Class]:
        data_class: Any = dataclass(cls, init=False, repr=False, eq=False, kw_only=kw_only)
        data_class.__init__ = _compile_init(data_class)
        data_class.__setattr__, data_class.__delattr__ = _refuse_to_set, _refuse_to_delete
        if data_class.__repr__ is object.__repr__:
            data_class.__repr__ = _repr
        if eq and data_class.__eq__ is object.__eq__:
            data_class.__eq__, data_class.__hash__ = _equal, _hash
        return cls

    return decorate if cls is None else decorate(cls)


def _compile_init(cls: Any) -> Callable[..., None]:
    """Compile an `__init__` with one parameter per field, keyword-only parameters last."""
    positional, keywords, values = ["self"], list[str](), list[str]()
    names: dict[str, Any] = {"MISSING": MISSING}
    for item in fields(cls):
        name = parameter = value = item.name
        if item.default is not MISSING:
            names[f"default_{name}"] = item.default
            parameter = f"{name}=default_{name}"
        elif item.default_factory is not MISSING:
            names[f"make_{name}"] = item.default_factory
            parameter = f"{name}=MISSING"
            value = f"make_{name}() if {name} is MISSING else {name}"
        (keywords if item.kw_only else positional).append(parameter)
        values.append(f"{name}={value}")
    parameters = ", ".join([*positional, "*", *keywords] if keywords else positional)
    code = f"def __init__({parameters}):\n self.__dict__.update({', '.join(values)})"
    if hasattr(cls, "__post_init__"):
        code += "\n self.__post_init__()"
    exec(code, names)
    init: Callable[..., None] = names["__init__"]
    init.__qualname__, init.__module__ = f"{cls.__qualname__}.__init__", cls.__module__
    init.__annotations__ = {item.name: item.type for item in fields(cls)} | {"return": None}
    return init


def _refuse_to_set(self: object, name: str, value: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: object, name: str) -> NoReturn:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _repr(self: Any) -> str:
    shown = (f"{item.name}={getattr(self, item.name)!r}" for item in fields(self) if item.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _values(self: Any) -> tuple[object, ...]:
    return tuple(getattr(self, item.name) for item in fields(self) if item.compare)


def _equal(self: object, other: object) -> Any:
    return _values(self) == _values(other) if type(self) is type(other) else NotImplemented


def _hash(self: object) -> int:
    return hash(_values(self))
