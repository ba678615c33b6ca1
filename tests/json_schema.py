"""A validator for the keywords of JSON Schema that docs/results.schema.json uses."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SCHEMA = json.loads(
    (Path(__file__).parents[1] / "docs" / "results.schema.json").read_text(encoding="utf-8")
)

_TYPES: dict[str, Any] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "null": type(None),
}
_KNOWN = {
    "$schema", "$defs", "$ref", "title", "type", "required", "properties", "additionalProperties",
    "items", "anyOf", "const", "enum", "minItems", "maxItems", "minProperties",
    "allOf", "if", "then",
}  # fmt: skip


def violations(value: Any, schema: Any = SCHEMA, at: str = "") -> Iterator[str]:
    """Where a value is not as the schema says."""
    assert schema.keys() <= _KNOWN, schema.keys() - _KNOWN
    if reference := schema.get("$ref"):
        yield from violations(value, SCHEMA["$defs"][reference.removeprefix("#/$defs/")], at)
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not isinstance(value, tuple(_TYPES[name] for name in types)):
        yield f"{at}: not of type {types}"
        return
    if "const" in schema and value != schema["const"]:
        yield f"{at}: not {schema['const']}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{at}: not among {schema['enum']}"
    if "anyOf" in schema and all(any(violations(value, one, at)) for one in schema["anyOf"]):
        yield f"{at}: fits none of {len(schema['anyOf'])}"
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            yield f"{at}: has {len(value)} items"
        for number, item in enumerate(value):
            yield from violations(item, schema.get("items", {}), f"{at}/{number}")
    if isinstance(value, dict):
        yield from _of_object(value, schema, at)
    for one in schema.get("allOf", ()):
        yield from violations(value, one, at)
    if "if" in schema and not any(violations(value, schema["if"], at)):
        yield from violations(value, schema["then"], at)


def _of_object(value: dict[str, Any], schema: Any, at: str) -> Iterator[str]:
    lacking = [name for name in schema.get("required", ()) if name not in value]
    yield from (f"{at}: lacks {name}" for name in lacking)
    if len(value) < schema.get("minProperties", 0):
        yield f"{at}: is empty"
    for name, item in value.items():
        known = schema.get("properties", {}).get(name, schema.get("additionalProperties", {}))
        if known is False:
            yield f"{at}: {name} is unknown"
        else:
            yield from violations(item, known, f"{at}/{name}")
