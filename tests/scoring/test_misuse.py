"""What callers get wrong in Python: a TypeError or ValueError that says so, nothing else."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

import pytest

import corefkit
from corefkit import Corpus, UsageError
from corefkit.core.options import POLICIES, STANDARD, Options, ScoreChoices
from corefkit.formats.options import KEYWORDS
from corefkit.stats.agreement import compare_annotators
from corefkit.stats.compare import compare_scores
from tests.support import EXAMPLES

KEY, CAREFUL = (EXAMPLES / f"{name}.conll" for name in ("key", "careful"))


def clusters(given: Any) -> Corpus:
    return Corpus.from_clusters(given)


def scored(**options: Any) -> corefkit.Scores:
    return corefkit.score(KEY, CAREFUL, **options)


def compared(**options: Any) -> object:
    return compare_scores({"a": scored()}, **options)


Call = Callable[[Any], object]
NO_FILE = (None, 1, b"key.conll", ["key.conll"])
MISUSE: list[tuple[Call, tuple[Any, ...], type[Exception], str]] = [
    (lambda x: corefkit.score(x, CAREFUL), NO_FILE, TypeError, "a file is named by a str"),
    (lambda x: corefkit.score(KEY, x), NO_FILE, TypeError, "a file is named by a str"),
    (corefkit.read, NO_FILE, TypeError, "a file is named by a str"),
    (corefkit.check, NO_FILE, TypeError, "a file is named by a str"),
    (lambda x: compare_annotators([x, x]), NO_FILE, TypeError, "a file is named by a str"),
    (lambda x: corefkit.write(clusters({}), x), NO_FILE, TypeError, "a file is named by a str"),
    (lambda x: corefkit.write(x, "x.conll"), (None, "x"), TypeError, "only a Corpus"),
    (compare_annotators, (None, "ab", KEY), TypeError, "a list"),
    (lambda x: scored(metrics=x), (3, [3], b"muc", {"muc": 1}), TypeError, "metrics"),
    (lambda x: scored(profile=x), (3, [], None), UsageError, "profile:"),
    (lambda x: scored(singletons=x), (3, [], True), UsageError, "singletons:"),
    (lambda x: scored(metrics="anchor", tagset=x), (3, []), UsageError, "tagset:"),
    (lambda x: scored(metrics="anchor", variant=x), (3, [3]), TypeError, "variant"),
    (lambda x: scored(across=x), (3, [3], {"topic": 1}), TypeError, "across"),
    (
        lambda x: scored(across="corpus", topic=x),
        (3, ["a"]),
        TypeError,
        "topic: a pattern is a str",
    ),
    (lambda x: scored(variants=x), ("clean",), UsageError, "'variants'; did you mean 'variant'?"),
    (lambda x: scored(singleton=x), ("drop",), UsageError, "did you mean 'singletons'?"),
    (lambda x: scored(metric=x), ("muc",), UsageError, "did you mean 'metrics'?"),
    (lambda x: scored(colour=x), ("red",), UsageError, "'colour'; there are metrics, profile"),
    (clusters, (None, [[(0, 0)]], "ab", {1: []}), TypeError, "document"),
    (
        lambda x: clusters({"a": x}),
        (None, 3, "ab", {"x": 3}, [None], ["ab"], [{(0, 0): 1}]),
        TypeError,
        "not a list of",
    ),
    (
        lambda x: clusters({"a": [[x]]}),
        (3, None, (1, 2, 3), ("a", "b"), (0.5, 1.5), "ab"),
        TypeError,
        "a pair of token numbers",
    ),
    (
        lambda x: clusters({"a": [[x]]}),
        ((-1, 0), (3, 2), (2**62, 2**62), (2**70, 2**71)),
        ValueError,
        "is not a span",
    ),
    (lambda x: scored().by(x), (3, None, "colour", len), UsageError, "by:"),
    (lambda x: scored().by(x), ([], {}, set()), UsageError, "by:"),
    (lambda x: scored(duplicates=x), ([], {}, set(), 3), UsageError, "duplicates:"),
    (lambda x: scored(layer=x), ([], {}, 3), TypeError, "layer must be a string, not"),
    (lambda x: scored(format=x), ([1], {"a": 1}, 3), TypeError, "format must be a string, not"),
    (lambda x: scored(word_column=x), ("2", 1.5), TypeError, "word_column must be a whole number"),
    (lambda x: scored(relations=x), ([1], 3), TypeError, "relations must be a list of strings"),
    (
        lambda x: scored(documents=x),
        (3, None, [3]),
        TypeError,
        "documents must be a list of strings",
    ),
    (
        lambda x: corefkit.errors(KEY, CAREFUL, pronouns=x),
        ("she", b"she", [1], 3),
        TypeError,
        "pronouns must be a list of strings",
    ),
    (Corpus.from_records, (None, "x", {"a": 1}), TypeError, "records are a list of dicts"),
    (Corpus.from_records, (["x"], [None], [[(0, 1)]]), TypeError, "a record is a dict"),
    (Corpus.from_spacy, (None, "x", 3), TypeError, "documents are given as a list"),
    (Corpus.from_spacy, (["x"], [None]), TypeError, "not a document of"),
    (lambda x: scored().to_frame(x), (3, []), TypeError, "package must be pandas or polars"),
    (lambda x: clusters({"a": [[(0, 0)]]}).take(x), (None, 3, [0]), TypeError, "an array of"),
    (
        lambda x: corefkit.Evaluator().update_batch(x, [[[(0, 0)]]]),
        (None, 3, "x", {"a": []}),
        TypeError,
        "documents are given as a list",
    ),
    (compare_scores, (None, [], "a"), TypeError, "systems are given as"),
    (lambda x: compare_scores({"a": x}), (None, {}), TypeError, "systems have Scores"),
    (lambda x: compared(samples=x), (1.5, 0, 10**12, "x"), UsageError, "samples:"),
    (lambda x: compared(seed=x), (-1, "x"), UsageError, "seed:"),
    (lambda x: compared(level=x), (0, 95, "x"), UsageError, "level:"),
    (lambda x: compared(interval=x), (3, "t"), UsageError, "interval:"),
]


@pytest.mark.parametrize(("call", "wrong", "kind", "told"), MISUSE)
def test_misuse_is_told(
    call: Call, wrong: tuple[Any, ...], kind: type[Exception], told: str
) -> None:
    for value in wrong:
        with pytest.raises(kind) as caught:
            call(value)
        assert told in str(caught.value)


def test_policies_are_typed_as_they_are_listed() -> None:
    """Whoever adds a policy or a value to the fields of Options adds it to the types, too."""
    listed = {name: tuple(values) for name, values in POLICIES.items()}
    declared, keywords = get_type_hints(Options), get_type_hints(ScoreChoices)
    assert {name: get_args(declared[name]) for name in listed} == listed
    assert {name: getattr(Options(), name) for name in listed} == STANDARD
    del listed["layer"]  # also a way of reading, where it may be any name
    assert {name: get_args(keywords[name]) for name in listed} == listed


def test_reading_is_typed_as_it_can_be_said() -> None:
    known = {*KEYWORDS} - {"columns"}
    others = {*POLICIES, "labels", "leave_out", "language", "across", "topic", "strict", "lax"}
    typed = {*get_type_hints(ScoreChoices)} - others | {"layer"}
    assert typed == known | {"key_format", "response_format"}


if TYPE_CHECKING:  # `make types` fails where mypy sees no error that it is told to ignore

    def mypy_sees_a_misspelt_policy() -> None:
        corefkit.score("a", "b", singletons="drop", strict=True)
        corefkit.score("a", "b", singletons="dropped")  # type: ignore[arg-type]
        corefkit.score("a", "b", singleton="drop")  # type: ignore[call-arg]
        corefkit.Evaluator(singletons="none")  # type: ignore[arg-type]


CLUSTERS: Any = [[(0, 1), (2, 3)]]


def test_what_to_use_instead() -> None:
    """Lists of clusters are no files, and scores are split after they are made."""
    with pytest.raises(TypeError, match=r"Evaluator\(\).update.* Corpus.from_clusters"):
        corefkit.score(CLUSTERS, CLUSTERS)
    with pytest.raises(UsageError, match=r"scores\.by\('genre'\)"):
        corefkit.score(KEY, CAREFUL, by="genre")  # type: ignore[call-arg]
