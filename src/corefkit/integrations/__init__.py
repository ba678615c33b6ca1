"""Where people work: spaCy, `evaluate`, Inspect, lm-eval, processes of PyTorch.

Nothing here imports these packages before it is used; `evaluate_metric`, `inspect_scorer` and
`lm_eval_task` are modules for those who have them.
"""

from pathlib import Path

__all__ = ["EVALUATE"]

EVALUATE = str(Path(__file__).with_name("evaluate_metric.py"))
"""The metric for Hugging Face `evaluate`: `evaluate.load(corefkit.integrations.EVALUATE)`."""
