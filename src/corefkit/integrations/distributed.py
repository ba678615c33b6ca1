"""One score from several processes, e.g. of PyTorch or Lightning."""

from collections.abc import Callable
from typing import Any

from corefkit.scoring.evaluator import Evaluator

__all__ = ["gather"]

Gather = Callable[[Any], list[Any]]
"""Sends what this process has to all of them, and returns what each of them has."""


def gather(evaluator: Evaluator, all_gather: Gather | None = None) -> Evaluator:
    """A new evaluator with the documents of all processes; every process gets the same.

    By default the processes are those of `torch.distributed`; where that is not in use there is one
    process. `all_gather` is another way to exchange objects. Samplers that repeat documents to fill
    the last batch must be told not to: an evaluator cannot know that a document is a copy.

    >>> one, other = Evaluator("muc").update(["ab"], ["ab"]), Evaluator("muc").update(["cd"], [])
    >>> gather(one, lambda mine: [mine, other]).scores()["muc"].counts
    {'recall': [1, 2], 'precision': [1, 1]}
    """
    evaluators = (all_gather or _torch_gather)(evaluator)
    whole: Evaluator = evaluators[0].empty()
    for part in evaluators:
        whole.merge(part)
    return whole


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
