"""Evaluators of several processes: the digits of one process."""

import multiprocessing
import os
from multiprocessing.connection import Connection
from typing import Any

import pytest

import corefkit
from corefkit.integrations.distributed import gather
from tests.support import EXAMPLES

PROCESSES = 3


def documents() -> list[tuple[Any, Any]]:
    key = corefkit.read(EXAMPLES / "key.conll").clusters()
    response = corefkit.read(EXAMPLES / "careful.conll").clusters()
    return [(key[name], response[name]) for name in key]


def evaluate(rank: int) -> corefkit.Evaluator:
    evaluator = corefkit.Evaluator()
    for number, (key, response) in enumerate(documents()):
        if number % PROCESSES == rank:
            evaluator.update(key, response, document=str(number))
    return evaluator


def whole() -> corefkit.Evaluator:
    evaluator = corefkit.Evaluator()
    for number, (key, response) in enumerate(documents()):
        evaluator.update(key, response, document=str(number))
    return evaluator


def work(rank: int, pipe: Connection) -> None:
    def exchange(mine: Any) -> Any:
        pipe.send(mine)
        return pipe.recv()

    pipe.send(gather(evaluate(rank), exchange).scores())


@pytest.mark.long
def test_processes_that_exchange_objects() -> None:
    context = multiprocessing.get_context("spawn")
    pipes = [context.Pipe() for _ in range(PROCESSES)]
    workers = [
        context.Process(target=work, args=(rank, pipe)) for rank, (_, pipe) in enumerate(pipes)
    ]
    for worker in workers:
        worker.start()
    parts = [pipe.recv() for pipe, _ in pipes]
    for pipe, _ in pipes:
        pipe.send(parts)
    found = [pipe.recv() for pipe, _ in pipes]
    for worker in workers:
        worker.join(60)
    expected = whole().scores()
    assert all(scores.flat() == expected.flat() for scores in found)
    assert {len(scores.counts) for scores in found} == {len(documents())}


def torch_work(rank: int, address: str, queue: Any) -> None:
    import torch.distributed as processes

    processes.init_process_group("gloo", init_method=address, rank=rank, world_size=2)
    evaluator = corefkit.Evaluator("conll")
    evaluator.update(["ab", "cd"], ["abc"] if rank else ["ab", "cd"])
    queue.put(gather(evaluator).scores().flat())
    processes.barrier()
    processes.destroy_process_group()


def test_torch_distributed(tmp_path: Any) -> None:
    # torch is large: it is tested where it happens to be, the same code with pipes everywhere
    pytest.importorskip("torch.distributed", reason="torch is not installed")
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    address = f"file://{tmp_path / 'meeting'}"
    workers = [context.Process(target=torch_work, args=(r, address, queue)) for r in range(2)]
    for worker in workers:
        worker.start()
    found = [queue.get(timeout=120) for _ in workers]
    for worker in workers:
        worker.join(60)
    expected = corefkit.Evaluator("conll")
    expected.update(["ab", "cd"], ["ab", "cd"]).update(["ab", "cd"], ["abc"])
    assert found == [expected.scores().flat()] * 2


def test_one_process_alone() -> None:
    evaluator = whole()
    found = gather(evaluator)
    assert found is not evaluator
    assert found.scores().flat() == evaluator.scores().flat()
    assert os.environ.get("RANK") is None


def test_empty_keeps_the_options() -> None:
    evaluator = corefkit.Evaluator("muc", singletons="drop").update(["a"], ["a"])
    other = evaluator.empty()
    assert (len(other), len(evaluator)) == (0, 1)
    assert other.scores().signature == evaluator.scores().signature
    with pytest.raises(ValueError, match="same metrics and options"):
        corefkit.Evaluator("muc").merge(other)
