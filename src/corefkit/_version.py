"""The version, which the build takes from the git tag and writes into `_built.py`.

Behind a tag it is a development version that names the commit, such as `0.1.1.dev3+g1a2b3c4`, and
every signature says so. Sources that were never built or installed do not know theirs.
"""

__all__ = ["__version__"]

try:
    from corefkit._built import __version__
except ImportError:
    __version__ = "0.0.dev0"
