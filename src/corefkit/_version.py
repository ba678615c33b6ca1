"""The version, and the address of the project.

NEXT is the next release; the build writes the actual version into `_built.py`.

Before a release that is a development version with the commit, such as `0.1.0.dev12+g1a2b3c4d5`,
which is also part of every signature. Sources that were never built do not know their commit.
"""

__all__ = ["__version__"]

NEXT = "0.1.0"

ADDRESS = ""
"""The only place that names the address of the repository, such as https://example.org/corefkit.

The links of the package, of the README on an index and of the site lead there; so does `--cite`.
"""

try:
    from corefkit._built import __version__
except ImportError:
    __version__ = f"{NEXT}.dev0"
