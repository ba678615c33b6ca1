"""The version: the next one stands here, and the build writes what it made of it into `_built.py`.

Until it is released that is a development version that names the commit, such as
`0.1.0.dev12+g1a2b3c4d5`, and every signature says so. Sources that were never built or installed do
not know their commit.
"""

__all__ = ["__version__"]

NEXT = "0.1.0"

try:
    from corefkit._built import __version__
except ImportError:
    __version__ = f"{NEXT}.dev0"
