"""Labels of mentions: columns of text beside the span, such as a type or an id of a knowledge base.

Readers keep them where files have them; `--labels` compares them when mentions are matched.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.carriers import frozen
from corefkit.core.source import Column, join_columns

NONE = ""
"""The value of a mention without the label."""


@frozen(eq=False)
class MentionLabels:
    """The labels of all mentions of a corpus.

    Attributes:
        columns: by the name of the label one value per mention; NONE for mentions without it.
    """

    columns: Mapping[str, Column]

    @classmethod
    def of(cls, values: Mapping[str, Sequence[str]]) -> "MentionLabels | None":
        """From the values of all mentions; None where there are no labels.

        >>> MentionLabels.of({"type": ["PER", "", "PER"]}).values("type")
        ['PER', '', 'PER']
        """
        if not values:
            return None
        return cls({name: Column.of(column) for name, column in values.items()})

    def values(self, name: str) -> list[str]:
        """The values of one label, one per mention."""
        return self.columns[name].to_list()

    def take(self, rows: IntArray) -> "MentionLabels":
        """The labels of these mentions, in this order."""
        columns = {name: Column(c.code[rows], c.values) for name, c in self.columns.items()}
        return MentionLabels(columns)

    @staticmethod
    def concat(parts: "Sequence[tuple[MentionLabels | None, int]]") -> "MentionLabels | None":
        """Those of several corpora, each with its number of mentions, as one."""
        names = dict.fromkeys(
            name for labels, _ in parts if labels is not None for name in labels.columns
        )
        if not names:
            return None
        return MentionLabels(
            {name: join_columns([_of(name, *part) for part in parts]) for name in names}
        )


def _of(name: str, labels: MentionLabels | None, mentions: int) -> Column:
    """A column of labels, empty ones where a corpus has none."""
    if labels is not None and name in labels.columns:
        return labels.columns[name]
    return Column(np.zeros(mentions, dtype=np.int64), (NONE,))
