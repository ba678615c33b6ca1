"""The one place where the version stands.

Between releases it ends in `.dev0`, so that a signature says that a number was made with a
development version; docs/releasing.md says when that goes and comes back.
"""

__version__ = "0.1.0.dev0"
