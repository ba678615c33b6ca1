"""Where coreference.yaml finds the class."""

from corefkit.integrations.lm_eval_task import CoreferenceTask

__all__ = ["CoreferenceTask"]
