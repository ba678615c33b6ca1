"""What a command settles for its whole process before it imports anything large."""

import gc
import os

_GARBAGE = 100_000


def begin() -> None:
    """Spare every command what takes as long as half of a typical `score`.

    Imports make many objects and keep them all, so garbage is looked for after 100,000 new ones,
    not after 700. We multiply no matrices, so numpy need not start threads that would.
    """
    gc.set_threshold(_GARBAGE, *gc.get_threshold()[1:])
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
