"""Packages that the rest of the suite does not need."""

import os
from importlib import import_module
from typing import Any

import pytest


def needed(name: str) -> Any:
    """The package; without it the test is skipped, or fails where `make integrations` runs it."""
    if os.environ.get("COREFKIT_INTEGRATIONS") == "true":
        return import_module(name)
    return pytest.importorskip(name, reason=f"{name} is not installed: see `make integrations`")
