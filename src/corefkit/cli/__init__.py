"""The command line: `app` lists the commands; each is a module, which is loaded when it is called.

This module prepares the process of a command before anything large is imported.
"""

import gc
import os
from collections.abc import Callable

_GARBAGE = 100_000
"""The number of new objects after which Python looks for garbage, instead of 700."""

INTERRUPTED = 130
"""The exit status after Ctrl-C, as in shells: 128 plus the number of the signal."""


def interruptible(main: Callable[[], None]) -> Callable[[], None]:
    """The function, but Ctrl-C ends the process at once, even while modules are imported."""

    def guarded() -> None:
        try:
            main()
        except KeyboardInterrupt:
            os._exit(INTERRUPTED)

    guarded.__doc__ = main.__doc__
    return guarded


def begin() -> None:
    """Speed up every command by as much as half the time of a typical `score`.

    Imports create many objects that all stay, so garbage collection starts later. numpy starts no
    threads for matrix products, which corefkit does not use.
    """
    gc.set_threshold(_GARBAGE, *gc.get_threshold()[1:])
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
