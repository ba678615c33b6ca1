"""Where the corpus tools were before they were called `corefkit.corpora`; the old names warn."""

from corefkit import corpora
from corefkit._lazy import moved

_HOMES = {**dict.fromkeys(corpora.__all__, "corpora"), "agree": "stats.agreement"}

__getattr__ = moved(__name__, _HOMES)
