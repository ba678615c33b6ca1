"""The made-up model, asked and scored by lm-evaluation-harness (pip install lm-eval)."""

from pathlib import Path
from typing import Any

from lm_eval import simple_evaluate
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager
from made_up_model import KEY, answer


class MadeUp(LM):
    """Answers; it knows no probabilities."""

    def generate_until(self, requests: list[Any], disable_tqdm: bool = False) -> list[str]:
        """One answer per request."""
        return [answer(request.args[0]) for request in requests]

    def loglikelihood(self, requests: list[Any], disable_tqdm: bool = False) -> Any:
        """Not needed by tasks that generate."""
        raise NotImplementedError

    loglikelihood_rolling = loglikelihood


def main() -> None:
    """Run the task of coreference.yaml, and show what its log has."""
    tasks = TaskManager(
        include_path=str(Path(__file__).parent / "tasks"),
        include_defaults=False,
        metadata={"key": KEY},
    )
    result = simple_evaluate(
        MadeUp(), tasks=["coreference"], task_manager=tasks, bootstrap_iters=0, log_samples=True
    )
    for name, value in result["results"]["coreference"].items():
        if name.endswith(",none") and not name.endswith("_stderr,none"):
            print(f"{name.removesuffix(',none'):18} {value:.4f}")
    for sample in result["samples"]["coreference"]:
        if sample["failures"]:
            print(f"{sample['doc']['document']}: {sample['failures']}")


if __name__ == "__main__":
    main()
