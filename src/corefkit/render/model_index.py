"""Scores for a model card: the `model-index` that the Hugging Face Hub reads."""

import json
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from corefkit.core.style import style
from corefkit.scoring.report import Report


def render_model_index(report: Report) -> str:
    """The scores for a model card: YAML whose values are JSON, one model per system.

    Values are percentages with two decimals. The dataset is the well-known corpus that the key is
    recognised as, or else the name of the key's file: a card is public, and its folders are not.
    """
    from corefkit.metrics import title_of

    known = report.known
    dataset = {
        "type": known.id if known else "other",
        "name": known.name if known else PurePath(report.key.path).name,
        **({"split": known.split} if known and known.split else {}),
    }
    arguments = {"signature": report.signature, "sha256": report.key_hash.sha256}
    models = []
    for name, scores in report.scores.items():
        values = [
            {
                "type": metric,
                "name": f"{title_of(metric)} F1",
                "value": round(100 * score.f1, style().digits),
                "args": arguments,
            }
            for metric, score in scores.items()
        ]
        task = {"type": "coreference-resolution"}
        results = [{"task": task, "dataset": dataset, "metrics": values}]
        models.append({"name": name, "results": results})
    return "model-index:\n" + "".join(_yaml_item(model, 0) for model in models)


def _yaml_item(content: Mapping[str, Any], depth: int) -> str:
    """A dict as an item of a YAML list; its values are dicts, lists of dicts, or scalars."""
    lines = _yaml(content, depth + 1)
    indent = "  " * (depth + 1)
    return "  " * depth + "- " + lines.removeprefix(indent)


def _yaml(content: Mapping[str, Any], depth: int) -> str:
    parts, indent = [], "  " * depth
    for name, value in content.items():
        if isinstance(value, Mapping):
            parts.append(f"{indent}{name}:\n{_yaml(value, depth + 1)}")
        elif isinstance(value, list):
            items = "".join(_yaml_item(item, depth) for item in value)
            parts.append(f"{indent}{name}:\n{items}")
        else:
            parts.append(f"{indent}{name}: {json.dumps(value, ensure_ascii=False)}\n")
    return "".join(parts)
