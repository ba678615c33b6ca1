"""Integrations: spaCy, `evaluate`, Inspect, lm-eval, distributed PyTorch.

The modules `evaluate_metric`, `inspect_scorer` and `lm_eval_task` import their packages; the others
import theirs only when they are called.
"""

from pathlib import Path

__all__ = ["EVALUATE"]

EVALUATE = str(Path(__file__).with_name("evaluate_metric.py"))
"""The metric for Hugging Face `evaluate`: `evaluate.load(corefkit.integrations.EVALUATE)`."""
