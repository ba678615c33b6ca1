"""The child process that imports and calls foreign Python code, one for a whole battery.

It is started as `python -P -m corefkit.audits.child` and speaks JSON, one line per message, on two
descriptors of its own: standard output belongs to the foreign code. Our modules are imported
before its folder is put on the path.
"""

import importlib
import importlib.util
import json
import os
import sys
from pathlib import Path
from typing import Any, TextIO

from corefkit.audits.limits import limit_resources
from corefkit.audits.rule_counts import ProbeDocument
from corefkit.audits.styles import call_style


def main() -> None:
    """Answer requests until the other side closes its end."""
    requests = os.fdopen(int(sys.argv[1]), "r", encoding="utf-8")
    replies = os.fdopen(int(sys.argv[2]), "w", encoding="utf-8")
    os.set_inheritable(requests.fileno(), False)
    os.set_inheritable(replies.fileno(), False)
    setup = json.loads(requests.readline())
    limit_resources()
    try:
        module = _load(setup["module"], setup["paths"])
        home, target = _attribute(module, setup["name"])
    except BaseException as error:  # SystemExit too: the module ends the interpreter
        _reply(replies, {"broken": _last_line(error)})
        return
    _reply(replies, {"ready": True})
    process, folder = os.getpid(), Path.cwd()
    for line in requests:
        request = json.loads(line)
        documents = [
            ProbeDocument(_side(key), _side(response)) for key, response in request["documents"]
        ]
        try:
            message = {"found": call_style(setup["style"], target, home, documents)}
        except BaseException as error:
            message = {"error": _last_line(error)}
        if os.getpid() != process:  # the scorer has forked and came back twice
            os._exit(0)
        os.chdir(folder)
        _reply(replies, message)


def _load(name: str, paths: list[str]) -> Any:
    sys.path[:0] = paths
    if not name.endswith(".py"):
        return importlib.import_module(name)
    path = Path(name).resolve()
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{name} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def _attribute(module: Any, name: str) -> tuple[Any, Any]:
    """What a dotted name means, and the module or object that has it."""
    home = target = module
    for part in name.split("."):
        home, target = target, getattr(target, part)
    return home, target


def _side(entities: list[list[list[int]]]) -> Any:
    return tuple(tuple(tuple(mention) for mention in entity) for entity in entities)


def _last_line(error: BaseException) -> str:
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[-1]}"[:500] if text else type(error).__name__


def _reply(replies: TextIO, message: dict[str, Any]) -> None:
    replies.write(json.dumps(message) + "\n")
    replies.flush()


if __name__ == "__main__":
    main()
