"""The scoring program of Codabench: `python3 score.py INPUT OUTPUT`, with INPUT/ref and INPUT/res.

`corefkit task bundle` puts this file beside a wheel of corefkit. If libraries that corefkit needs
are missing, pip installs them with the wheel.
"""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

NEEDED = ("numpy", "scipy", "click", "jinja2")


def main(arguments: list[str]) -> int:
    """Score the submission; returns the exit status, 1 if nothing could be scored."""
    given, output = map(Path, arguments)
    (wheel,) = Path(__file__).parent.glob("corefkit-*.whl")
    if all(find_spec(name) for name in NEEDED):
        sys.path.insert(0, str(wheel))
    else:
        install = [sys.executable, "-m", "pip", "install", "--quiet", f"{wheel}[pages]"]
        subprocess.run(install, check=True)
    from corefkit.plugins.task.bundle import score_submission

    return score_submission(given / "ref", given / "res", output)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
