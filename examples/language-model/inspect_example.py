"""The made-up model, asked and scored by Inspect (pip install inspect-ai), offline."""

import tempfile
from typing import Any

from inspect_ai import eval as evaluate
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from made_up_model import KEY, answer

from corefkit.integrations.inspect_scorer import coreference_task


def reply(messages: list[Any], *_: Any) -> ModelOutput:
    """The answer to the last message; with its usage, or mockllm would download a tokeniser."""
    output = ModelOutput.from_content("made-up", answer(messages[-1].text))
    output.usage = ModelUsage()
    return output


def main(folder: str) -> None:
    """Run the task, and show what its log has."""
    model = get_model("mockllm/model", custom_outputs=reply)
    task = coreference_task(KEY, metrics="mentions,conll")
    (log,) = evaluate(task, model=model, log_dir=folder, display="none")
    for name, metric in log.results.scores[0].metrics.items():
        print(f"{name:18} {metric.value:.4f}")
    for sample in log.samples:
        score = sample.scores["coreference"]
        if failure := score.metadata["failure"]:
            print(f"{sample.id}: {failure}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        main(folder)
