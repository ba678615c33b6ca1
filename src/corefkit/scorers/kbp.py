"""EvmEval, the scorer of the KBP event nugget tasks, from its mapping of mentions on."""

import re
from collections.abc import Sequence

import numpy as np

from corefkit.core.corpus import Corpus
from corefkit.core.directed import Pairs
from corefkit.core.incidents import Incident
from corefkit.core.mention_columns import label_column
from corefkit.core.nodes import mention_codes
from corefkit.scorers.rules import ANY_LENGTHS, STANDARD_RULES, with_rules
from corefkit.scorers.scorer import Scorer


class Kbp(Scorer):
    """EvmEval: mentions are matched in the order of the files, then scored as by conll-8.01.

    A span may occur several times, with different labels or with the same: every line of a file is
    a mention of its own. The original truncates scores to two decimals before it averages them.
    """

    metrics = ("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc", "kbp")
    rules = with_rules(STANDARD_RULES, ANY_LENGTHS)
    labels = ("type",)
    matches = ("exact",)
    keeps_copies = True
    counting = "every copy of a span is a mention of its own"

    def drop_copies(self, corpus: Corpus) -> tuple[Corpus, list[Incident]]:
        """The corpus itself: nothing is dropped."""
        return corpus, []

    def match(self, key: Corpus, response: Corpus) -> Pairs:
        """Each response mention takes the first free key mention that fits it."""
        return match_in_order(key, response, self.options.labels)


_ANY_LABEL = "notannotated"
"""NOT_ANNOTATED, as labels are compared: a label of the key that fits any label."""


def match_in_order(key: Corpus, response: Corpus, names: Sequence[str]) -> Pairs:
    """Pairs in which each response mention, in order, takes the first free key mention that fits.

    A mention fits if it has the same characters and the same labels. Labels are compared by their
    letters and digits in lower case, and the key label NOT_ANNOTATED fits any label.
    """
    key_code, response_code = mention_codes(key, response)
    key_labels, response_labels = (
        list(zip(*(_folded(side, name) for name in names), strict=True)) for side in (key, response)
    )
    free: dict[int, list[int]] = {}
    for row, code in enumerate(key_code.tolist()):
        free.setdefault(code, []).append(row)
    pairs: list[tuple[int, int]] = []
    for row, code in enumerate(response_code.tolist()):
        candidates = free.get(code, [])
        for number, candidate in enumerate(candidates):
            if not names or _fits(key_labels[candidate], response_labels[row]):
                pairs.append((candidate, row))
                del candidates[number]
                break
    key_rows, response_rows = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    order = np.argsort(key_rows, kind="stable")
    return Pairs(key_rows[order], response_rows[order])


def agreeing_in_order(key: Corpus, response: Corpus, names: Sequence[str]) -> tuple[int, int]:
    """The numbers of mentions that match by their characters, and by their labels as well."""
    spans, same = (match_in_order(key, response, by) for by in ((), names))
    return len(spans.key), len(same.key)


def _folded(corpus: Corpus, name: str) -> list[str]:
    """The label of each mention, reduced to letters and digits in lower case."""
    column = label_column(name, corpus.mention_labels, corpus.mentions)
    values = [re.sub(r"[\W_]", "", value).lower() for value in column.values]
    return [values[code] for code in column.code.tolist()]


def _fits(key_labels: Sequence[str], response_labels: Sequence[str]) -> bool:
    labels = zip(key_labels, response_labels, strict=True)
    return all(key_label in (label, _ANY_LABEL) for key_label, label in labels)
