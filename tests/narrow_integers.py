"""corefkit where numpy's default integer is narrow: `python -m tests.narrow_integers BITS …`.

It has 32 bits before numpy 2 on Windows, and may have elsewhere. With 16 bits a small corpus shows
what with 32 bits only a large one would: a product of two numbers that wraps around. The functions
that make integers of the default type are wrapped; arrays whose type is given stay as they are.
"""

import sys
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

_SMALL = (np.bool_, np.int8, np.int16, np.int32, np.uint8, np.uint16)
"""The types whose sums have the default type."""


def _narrow(function: Callable[..., Any], bits: str, *, of_arrays: bool) -> Callable[..., Any]:
    """The function with narrower results where it would choose the default integer.

    With `of_arrays` the type of an array that is given decides, as it does for sums.
    """

    @wraps(function)
    def narrowed(*given: Any, **how: Any) -> Any:
        made = function(*given, **how)
        typed = how.get("dtype") is not None or any(isinstance(g, type | np.dtype) for g in given)
        arrays = [g for g in given if isinstance(g, np.ndarray | np.generic)]
        wide = of_arrays and any(a.dtype not in _SMALL for a in arrays)
        kept = typed or wide or getattr(made, "dtype", None) != np.int64
        return made if kept else made.astype(bits)

    return narrowed


def imitate(bits: str) -> None:
    """Wrap the functions, so that the default integer is e.g. "int32"."""
    for name in ("arange", "array", "cumsum", "full", "sum", "zeros"):
        setattr(np, name, _narrow(getattr(np, name), bits, of_arrays=name != "arange"))


if __name__ == "__main__":
    imitate(f"int{sys.argv[1]}")
    from corefkit.cli.app import corefkit

    assert np.arange(1).dtype == np.dtype(f"int{sys.argv[1]}")
    corefkit(sys.argv[2:])
