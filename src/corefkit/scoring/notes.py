"""Notes: where a default may surprise, in one line each, with what it costs on these files.

A note is not a defect: nothing is wrong with the files, and the exit status is as it was. It names
the option for people who did not know that there is a choice. Commands show notes on standard
error, and the JSON output has them; `corefkit.score` and training loops do not compute them.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import DataError
from corefkit.core.source import MASKS, Source
from corefkit.formats import format_of

if TYPE_CHECKING:
    from corefkit.scorers.comparison import Comparison
    from corefkit.scorers.scorer import Scorer
    from corefkit.scoring.report import Report
    from corefkit.scoring.scores import Scores

SHOWN = 3
"""So many systems are named in a note; of the others their number."""

_GLANCE = 1 << 16
"""So many bytes of a large file are compared; where a word differs there, all of them are."""

MASKED = "the words of the key are masked: corefkit corpus skeleton fill puts them back"


def surprises(scorer: "Scorer", comparison: "Comparison", scores: "Scores") -> dict[str, str]:
    """What the defaults hide about one response: the kind of note → a phrase with {name}."""
    found = {}
    if scorer.options.singletons == "keep" and (text := _singletons(scorer, comparison, scores)):
        found["singletons"] = text
    if scorer.options.words == "ignore" and (number := _other_words(*comparison.read)):
        found["words"] = f"{number:,} in {{name}}"
    return found


def write_notes(report: "Report") -> list[str]:
    """The notes of a run: each kind once, whatever the number of systems."""
    notes = []
    if text := _by_system(report, "singletons"):
        notes.append(f"the key has no singletons; {text}: --singletons drop leaves them out")
    if text := _by_system(report, "words"):
        notes.append(f"words differ from the key's: {text}; --words error refuses such files")
    return [*notes, *_usual_profile(report)]


def are_masked(texts: Iterable[str]) -> bool:
    """Whether there are words in these texts, and every one of them is masked.

    >>> are_masked(["___ ___", "___"]), are_masked(["___ said"]), are_masked([])
    (True, False, False)
    """
    words = {word for text in texts for word in text.split()}
    return bool(words) and MASKS.issuperset(words)


def distinct_words(corpus: Corpus) -> list[str]:
    """All words of a corpus, each once for every file; none where a file has no words."""
    try:
        return [word for source in corpus.sources for word in source.columns("word")[0].values]
    except DataError:
        return []


def _by_system(report: "Report", kind: str) -> str:
    concerned = [(one.name, one.surprises[kind]) for one in report.systems if kind in one.surprises]
    listed = [text.replace("{name}", name) for name, text in concerned[:SHOWN]]
    more = len(concerned) - len(listed)
    return ", ".join([*listed, f"{more} more" if more else ""]).removesuffix(", ")


def _singletons(scorer: "Scorer", comparison: "Comparison", scores: "Scores") -> str:
    """How many singletons the response has where the key has none, and what they cost."""
    key, response = comparison.key, comparison.response
    ours, theirs = np.bincount(key.entity), np.bincount(response.entity)
    number = int((theirs == 1).sum())
    if not number or not key.mentions or (ours == 1).any():
        return ""
    text = f"{{name}} has {number:,}"
    if scorer.options.profile != "standard" or "conll" not in scores or comparison.documents:
        return text
    kept = theirs[response.entity] > 1
    without = comparison.take(np.ones(key.mentions, dtype=bool), kept)
    other = replace(scores, counts=scorer.count(without), make_pair=None)
    gain = 100 * (other.conll - scores.conll)
    return f"{text}, which {'cost' if gain >= 0 else 'gain'} {abs(gain):.2f} points of conll"


def _other_words(key: Corpus, response: Corpus) -> int:
    """How many words of the response differ; 0 where a glance at the files shows no difference."""
    both = [*key.sources, *response.sources]
    if not both or any(format_of(source).model_words for source in both):
        return 0
    if len(both) == 2 and all(format_of(source).columns for source in both):
        ours, theirs = (_first_words(source) for source in both)
        pairs = zip(ours, theirs, strict=False)
        if all(one == other or one in MASKS or other in MASKS for one, other in pairs):
            return 0
    elif sum(len(source.data) for source in both) > _GLANCE:
        return 0
    from corefkit.scorers.checks import count_differing_words

    return count_differing_words(key, response)


def _first_words(source: Source) -> Iterable[str]:
    """The words of the first lines of a file."""
    end = source.data.find(b"\n", _GLANCE)
    start = source if end < 0 else replace(source, data=source.data[: end + 1], cache={})
    try:
        (column,) = start.columns("word")
    except DataError:
        return ()
    return (column.values[code] for code in column.code.tolist())


def _usual_profile(report: "Report") -> Iterator[str]:
    """Files that people score by the rules of a task, scored by the standard ones."""
    if report.options.profile != "standard" or not report.key.corpus.sources:
        return
    format = format_of(report.key.corpus.sources[0])
    if format.usual_profile:
        profile, task = format.usual_profile
        by = f"{format.title} files are scored by the standard rules"
        yield f"{by}; those of {task}: --profile {profile}"
