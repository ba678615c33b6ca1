"""The command line: `app` knows the commands; each is a module, which loads when it is called.

Here is what a command settles for its whole process before it imports anything large.
"""

import gc
import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext

_GARBAGE = 100_000
_READERS = ("score", "check", "errors", "report", "outcomes", "explain", "compare", "agree")
"""Commands that parse the first files on their command line."""
_FILES = 2
"""So many are loaded ahead: as many as are parsed at the same time."""

INTERRUPTED = 130
"""The exit status after Ctrl-C, as shells have it: 128 and the number of the signal."""


def interruptible(main: Callable[[], None]) -> Callable[[], None]:
    """The same function, after which the process ends at once when it is interrupted.

    That holds while modules are imported, too.
    """

    def guarded() -> None:
        try:
            main()
        except KeyboardInterrupt:
            os._exit(INTERRUPTED)

    guarded.__doc__ = main.__doc__
    return guarded


def begin() -> None:
    """Spare every command what takes as long as half of a typical `score`.

    Imports make many objects and keep them all, so garbage is looked for after 100,000 new ones,
    not after 700. We multiply no matrices, so numpy need not start threads that would.
    """
    gc.set_threshold(_GARBAGE, *gc.get_threshold()[1:])
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def load_ahead(arguments: Sequence[str]) -> AbstractContextManager[object]:
    """Load the first files of a command line while the modules that parse it are imported.

    Which arguments are files is only guessed; what the command does not ask for is dropped. Options
    before the command, such as --max-size, may change how files are loaded: then none is.
    """
    command, *others = arguments or [""]
    if command not in _READERS:
        return nullcontext()
    from corefkit.formats import Prefetch

    return Prefetch(list(filter(os.path.isfile, others))[:_FILES])
