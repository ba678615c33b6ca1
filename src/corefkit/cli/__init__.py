"""The command line: `app` lists the commands; each is a module, which is loaded when it is called.

This module prepares the process of a command before anything large is imported.
"""

import gc
import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext

_GARBAGE = 100_000
"""The number of new objects after which Python looks for garbage, instead of 700."""
_READERS = ("score", "check", "errors", "report", "outcomes", "explain", "compare", "agree")
"""Commands that parse the first files on their command line."""
_FILES = 2
"""How many files are loaded ahead: as many as are parsed at the same time."""

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


def load_ahead(arguments: Sequence[str]) -> AbstractContextManager[object]:
    """Load the first files of a command line while the modules that parse it are imported.

    Arguments that are the names of files are assumed to be read; a file that the command does not
    read is dropped. Options before the command, such as --max-size, may change how files are
    loaded: then none is loaded.
    """
    command, *names = arguments or [""]
    if command not in _READERS:
        return nullcontext()
    from corefkit.formats import Prefetch

    return Prefetch(list(filter(os.path.isfile, names))[:_FILES])
