"""Where people work: spaCy, Hugging Face `evaluate`, processes of PyTorch.

Nothing here imports these packages before it is used.
"""

from pathlib import Path

__all__ = ["EVALUATE"]

EVALUATE = str(Path(__file__).with_name("evaluate_metric.py"))
"""The metric for Hugging Face `evaluate`: `evaluate.load(corefkit.integrations.EVALUATE)`."""
