"""The texts that come with the package: entry points and what is said about incidents.

Most runs read some, so they are read without pathlib, whose import takes as long as all of them.
"""

import os
from typing import Any

_PACKAGE = os.path.dirname(os.path.dirname(__file__))
_LOADER: Any = __spec__.loader
"""It reads files beside the modules that it loads, in a folder as well as in a wheel."""


def text_of_package(path: str) -> str:
    """The text of a file of the package, such as "core/entry_points.txt"; empty if it is gone."""
    try:
        data: bytes = _LOADER.get_data(os.path.join(_PACKAGE, *path.split("/")))
        return data.decode()
    except OSError:
        return ""


def texts_of_package(ending: str) -> dict[str, str]:
    """The texts of all files of the package whose names end so, by path, e.g. "core/x.toml"."""
    return {path: text_of_package(path) for path in _paths(ending)}


def _paths(ending: str) -> list[str]:
    if not os.path.isdir(_PACKAGE):  # in a wheel on sys.path
        import zipfile

        with zipfile.ZipFile(_LOADER.archive) as wheel:
            inside = [name for name in wheel.namelist() if name.endswith(ending)]
        folder = os.path.relpath(_PACKAGE, _LOADER.archive).replace(os.sep, "/") + "/"
        return [name.removeprefix(folder) for name in inside if name.startswith(folder)]
    found = (
        os.path.join(folder, name)
        for folder, _, names in os.walk(_PACKAGE)
        for name in names
        if name.endswith(ending)
    )
    return [os.path.relpath(path, _PACKAGE).replace(os.sep, "/") for path in found]
