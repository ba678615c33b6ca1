"""Written CorefAnnotator files; round trips are in test_round_trips."""

from dataclasses import replace

from corefkit import Corpus
from corefkit.core.columns import Column
from corefkit.core.mention_columns import MentionLabels
from corefkit.core.options import PLAIN
from corefkit.formats.corefannotator import parse, write
from corefkit.formats.kit.text import with_tokens


def test_braces_in_texts_and_flags_stay() -> None:
    corpus = Corpus.from_clusters({"a": [[(0, 0), (1, 1)]]})
    corpus = replace(
        with_tokens(replace(corpus, tokens=corpus.tokens * 0 + 2), ["{sofa}", "it"], [2], "tokens"),
        mention_labels=MentionLabels({"flags": Column.of(["{sofa}", ""])}),
    )
    (data,) = write(corpus, "a.xmi").files.values()
    again = parse(data, "a.xmi", PLAIN)
    assert again.mention_labels is not None
    assert again.mention_labels.values("flags") == ["{sofa}", ""]
    assert b'Label="{sofa}"' in data
