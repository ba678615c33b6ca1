"""One score for several processes, e.g. of PyTorch or Lightning."""

from collections.abc import Callable
from typing import Any

from corefkit.scoring.evaluator import Evaluator

__all__ = ["gather"]

Gather = Callable[[Any], list[Any]]
"""Sends an object to all processes, and returns the list of the objects that they have sent."""


def gather(evaluator: Evaluator, all_gather: Gather | None = None) -> Evaluator:
    """A new evaluator with the documents of all processes; every process gets the same.

    By default the processes are those of `torch.distributed`; if that is not in use, there is one
    process. `all_gather` is another way to exchange objects. Samplers must not repeat documents to
    fill the last batch, because an evaluator cannot recognise a copy.

    >>> first = Evaluator("muc").update(["ab"], ["ab"])
    >>> second = Evaluator("muc").update(["cd"], [])

    >>> gather(first, lambda mine: [mine, second]).scores()["muc"].counts
    {'recall': [1, 2], 'precision': [1, 1]}
    """
    evaluators = (all_gather or _torch_gather)(evaluator)
    combined: Evaluator = evaluators[0].empty()
    for evaluator_of_process in evaluators:
        combined.merge(evaluator_of_process)
    return combined


def _torch_gather(mine: Any) -> list[Any]:
    try:
        import torch.distributed as processes
    except ImportError:
        return [mine]
    if not (processes.is_available() and processes.is_initialized()):
        return [mine]
    gathered: list[Any] = [None] * processes.get_world_size()
    processes.all_gather_object(gathered, mine)
    return gathered
