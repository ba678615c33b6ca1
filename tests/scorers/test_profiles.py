"""Profiles and policies: random files against the oracles of the other scorers, and signatures."""

import re
from functools import partial
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import DataError, Evaluator, UsageError
from corefkit.core.options import POLICIES, Options
from corefkit.scorers import (
    PROFILES,
    make_options,
    scorer_class,
    scorer_for,
)
from corefkit.scorers.signature import parse_signature, shorten, signature
from tests.oracle import other_scorers, reference
from tests.oracle.metrics import add
from tests.oracle.other_scorers import coval_lea
from tests.strategies import examples
from tests.support import run_scorer

SPANS = st.tuples(st.integers(0, 7), st.integers(0, 2)).map(lambda s: (s[0], s[0] + s[1]))
LABELS = st.sampled_from(["1", "2", "3", "4", "10"])
MENTIONS = st.lists(st.tuples(SPANS, LABELS), max_size=10)


def document(name: str, mentions: list[tuple[tuple[int, int], str]]) -> str:
    """A document of ten tokens; mentions of one entity that would cross are left out."""
    cells: list[list[str]] = [[] for _ in range(10)]
    kept: list[tuple[int, int, str]] = []
    for (start, end), label in mentions:
        if any(label == one and _cross((start, end), (a, b)) for a, b, one in kept):
            continue
        kept.append((start, end, label))
        if start == end:
            cells[start].append(f"({label})")
        else:
            cells[start].append(f"({label}")
            cells[end].append(f"{label})")
    lines = [f"d 0 {i} w {'|'.join(cell) or '-'}\n" for i, cell in enumerate(cells)]
    return f"#begin document {name}\n{''.join(lines)}#end document\n"


def _cross(one: tuple[int, int], other: tuple[int, int]) -> bool:
    (a, b), (c, d) = sorted([one, other], key=lambda s: (s[0], -s[1]))
    return a < c <= b < d


@st.composite
def texts(draw: st.DrawFn) -> tuple[str, str]:
    """A key and a response with many repeated spans."""
    key, response = "", ""
    for name in "ab"[: draw(st.integers(1, 2))]:
        shared = draw(MENTIONS)
        key += document(name, shared + draw(st.lists(st.tuples(SPANS, LABELS), max_size=3)))
        kept = [m for m in shared if draw(st.booleans())]
        response += document(name, kept + draw(MENTIONS))
    return key, response


def _without_ceafe(text: str) -> str:
    """The text without the percentages of ceafe: equal alignments need not be rounded alike."""
    before, metric, after = text.partition("METRIC ceafe:")
    own, rest, others = after.partition("METRIC")
    return before + metric + re.sub(r"[\d.]+%", "%", own) + rest + others


@examples(60)
@given(texts(), st.sampled_from(["none", "a"]))
def test_reference_scorer(pair: tuple[str, str], shown: str) -> None:
    """With the lists of all documents, and with those of none or of one."""
    key, response = pair
    with TemporaryDirectory() as folder:
        paths = Path(folder) / "key", Path(folder) / "response"
        for path, text in zip(paths, pair, strict=True):
            path.write_text(text)
        for name in (None, shown):
            expected = reference.run("all", key, response, name)
            result = run_scorer("all", *paths, *([name] if name else []))
            texts = result.out.partition("\n")[2], expected.stdout
            if texts[0] != texts[1] and reference.is_tied(key, response):
                texts = _without_ceafe(texts[0]), _without_ceafe(texts[1])
            assert texts[0] == texts[1]
            assert result.status == expected.status
        try:
            counts = reference.count(key, response)
        except reference.TooManyRepeats:
            with pytest.raises(DataError, match="repeated mentions"):
                corefkit.score(*paths, profile="conll-8.01")
            return
        scores = corefkit.score(*paths, profile="conll-8.01")
        assert list(scores["muc"].counts["recall"]) == list(counts["muc"]["recall"])
        assert scores["blanc"].recall == pytest.approx(counts["blanc"]["recall"], abs=1e-12)


@examples(50)
@given(texts())
def test_coval_and_e2e(pair: tuple[str, str]) -> None:
    key, response = pair
    with TemporaryDirectory() as folder:
        paths = Path(folder) / "key", Path(folder) / "response"
        for path, text in zip(paths, pair, strict=True):
            path.write_text(text)
        e2e = partial(other_scorers.e2e_counts, key, response)
        expected = {
            "coval": other_scorers.coval_counts(key, response),
            "e2e": e2e(),
            "e2e-singletons": e2e(singletons=True),
        }
        for profile, counts in expected.items():
            scores = corefkit.score(*paths, profile=profile)
            for metric, ratios in counts.items():
                for side in ("recall", "precision"):
                    exact = [float(number) for number in ratios[side]]
                    assert scores[metric].counts[side] == pytest.approx(exact, abs=1e-12)


def _chosen(policy: str, value: str) -> dict[str, Any]:
    return {policy: value}


def test_every_policy_leaves_its_trace() -> None:
    seen = {signature(Options())}
    for policy, values in POLICIES.items():
        for value in list(values)[1:]:
            options = make_options(**_chosen(policy, value))
            text = signature(options)
            assert f"|{policy}:{value}|" in text
            assert text not in seen
            seen.add(text)
    for profile in PROFILES:
        assert f"|profile:{profile}|" in signature(make_options(profile=profile))


@pytest.mark.parametrize("profile", PROFILES)
def test_signatures_say_it_all(profile: str) -> None:
    for policy, values in POLICIES.items():
        for value in values:
            if policy == "duplicates" and value != "error" and scorer_class(profile).keeps_copies:
                continue
            options = make_options(None, profile, **_chosen(policy, value))
            again, version = parse_signature(signature(options))
            assert again == options
            assert version == corefkit.__version__


@given(st.sampled_from(list(PROFILES)), st.randoms())
def test_random_options_survive_a_signature(profile: str, random: object) -> None:
    choice = getattr(random, "choice")  # noqa: B009 (hypothesis types it as Random)
    policies = {policy: choice(list(values)) for policy, values in POLICIES.items()}
    if scorer_class(profile).keeps_copies or choice([True, False]):
        del policies["duplicates"]
    metrics = [m for m in scorer_class(profile).metrics if choice([True, False])]
    options = make_options(metrics, profile, **policies)
    assert parse_signature(signature(options))[0] == options


@pytest.mark.parametrize(
    "text",
    [
        "muc",
        "metrics:muc|metrics:bcub",
        "metrics:mucc",
        "profile:mine",
        "colour:red",
        "match:head",
        "average:macro",
        "metrics:muc|missing:maybe",
    ],
)
def test_signatures_that_mean_nothing(text: str) -> None:
    with pytest.raises(UsageError):
        parse_signature(text)


@pytest.mark.parametrize(
    ("profile", "metric"),
    [
        *product(["coval", "e2e"], ["blanc", "ceafm"]),
        ("conll-8.01", "lea"),
        ("conll-8.01", "bcub_0"),
    ],
)
def test_metrics_that_a_profile_lacks(profile: str, metric: str) -> None:
    assert metric not in make_options(profile=profile).metrics
    with pytest.raises(UsageError, match=f"the profile {profile} has no {metric}"):
        make_options(metric, profile)


@pytest.mark.parametrize("profile", PROFILES)
def test_a_scorer_never_becomes_another(tmp_path: Path, profile: str) -> None:
    """Which copy counts is no choice where a profile counts copies in its own way."""
    file = write(tmp_path / "key", "(1)|(2)", "(1)", "(2)", "(2)")
    for way in ("first", "listed"):
        if scorer_class(profile).keeps_copies:
            with pytest.raises(UsageError, match="choose the profile standard, or leave out dupl"):
                make_options(None, profile, duplicates=way)
        else:
            assert make_options(None, profile, duplicates=way).scorer == "standard"
    for refused in ({"strict": True}, {"duplicates": "error"}):
        options = make_options(None, profile, **refused)
        assert options.scorer in (profile, "standard")
        side = scorer_for(options).read(file)
        found = [i.id for i in side.incidents if i.severity == "error"]
        assert found == ["span-in-two-entities"]


def test_evaluator_with_a_profile() -> None:
    evaluator = Evaluator(profile="e2e").update(["ab", "c"], ["ab", "c"])
    assert evaluator.scores()["bcub"].counts == {"recall": [2.0, 2], "precision": [2.0, 2]}
    for profile in ("conll-8.01", "arrau", "ua"):
        with pytest.raises(UsageError, match="needs files"):
            Evaluator(profile=profile)


CLUSTERS = st.lists(st.text("abcdefg", min_size=1, max_size=5), max_size=4)


@given(
    st.lists(st.tuples(CLUSTERS, CLUSTERS), max_size=3),
    st.sampled_from(["e2e", "e2e-singletons", "coval"]),
)
def test_evaluators_that_keep_copies(
    documents: list[tuple[list[str], list[str]]], profile: str
) -> None:
    """Lists with any mentions, repeated in one entity and in several."""
    evaluator = Evaluator(profile=profile)
    for key, response in documents:
        evaluator.update((c for c in key) if key else [], iter(response) if response else [])
    scores = evaluator.scores()
    found = {incident.id for incident in scores.incidents}
    assert found <= {"mentions-unmatched", "no-mention"} if documents else found == {"no-document"}
    pairs: Any = [([*map(list, key)], [*map(list, response)]) for key, response in documents]
    for metric in other_scorers.E2E_METRICS:
        keep = profile != "e2e"
        counts = other_scorers.e2e_count(metric, pairs, singletons=keep)
        if (profile, metric) == ("coval", "lea"):
            sides = [pairs, [(response, key) for key, response in pairs]]
            ratios = [add(coval_lea(*pair) for pair in side) for side in sides]
            counts = {"recall": ratios[0], "precision": ratios[1]}
        for side in ("recall", "precision"):
            exact = [float(number) for number in counts[side]]
            assert scores[metric].counts[side] == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize(
    ("profile", "conll", "lea"), [("e2e", 73.77, 54.55), ("e2e-singletons", 73.77, 54.55)]
)
def test_repeated_mentions_of_e2e(tmp_path: Path, profile: str, conll: float, lea: float) -> None:
    """The example of coval: all fifteen evaluators that were run count it as CoVal does."""
    key = write(tmp_path / "key", "(1)", "(1)", "(2)", "(2)")
    response = write(tmp_path / "response", "(1)|(2)", "(1)", "(2)", "(2)")
    scores = corefkit.score(key, response, profile=profile)
    assert round(100 * scores.conll, 2) == conll
    assert round(100 * scores["lea"].f1, 2) == lea
    assert [incident.id for incident in scores.incidents] == ["span-in-two-entities"]
    with pytest.raises(UsageError, match=f"the profile {profile} has no head"):
        corefkit.score(key, response, profile=profile, match="head")


def test_ids_of_digits(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text("#begin document d\nd 0 0 w (1)|(PER1\nd 0 1 w (x\nd 0 2 w dog\n")
    scores = corefkit.score(path, path, profile="conll-8.01")
    assert scores["mentions"].counts["recall"] == [1, 1]
    with pytest.raises(DataError):
        corefkit.score(path, path)


def test_lengths_are_a_rule_of_the_scorer(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("#begin document d\nd 0 0 w (1)\nd 0 1 w -\n")
    (tmp_path / "response").write_text("#begin document d\nd 0 0 w (1)\n")
    paths = tmp_path / "key", tmp_path / "response"
    assert corefkit.score(*paths, profile="conll-8.01")["mentions"].f1 == 1
    with pytest.raises(DataError):
        corefkit.score(*paths)


def test_scorer_of_one_document(tmp_path: Path) -> None:
    text = "".join(f"#begin document ({n})\nd 0 0 w (1\nd 0 1 w 1)|(1)\n" for n in "ab")
    (tmp_path / "key").write_text(text)
    one = run_scorer("muc", tmp_path / "key", tmp_path / "key", "(b)")
    assert "Coreference: Recall: (1 / 1) 100%" in one.out
    assert "(2 / 2) 100%" in run_scorer("muc", tmp_path / "key", tmp_path / "key", "none").out
    missing = run_scorer("muc", tmp_path / "key", tmp_path / "key", "(c)")
    assert (missing.status, missing.out) == (1, "")
    assert "the key has no document '(c)'" in missing.err


def test_scorer_lists_a_document_that_the_response_lacks(tmp_path: Path) -> None:
    text = "".join(f"#begin document ({n})\nd\t0\t0\tw\t(1)\n#end document\n" for n in "ab")
    (tmp_path / "key").write_text(text)
    (tmp_path / "response").write_text(text.replace("(b)", "(c)"))
    lines = run_scorer("muc", tmp_path / "key", tmp_path / "response").out.splitlines()
    assert lines[1:7] == [
        "====> (a):",
        "File (a):",
        "Entity 0: (0,0)",
        "====> (a):",
        "File (a):",
        "Entity 0: (0,0)",
    ]
    second = lines.index("====> (b):")
    assert lines[second + 3 : second + 6] == ["====> :", "File :", "(b):"]


def test_scorer_tells_its_version() -> None:
    assert run_scorer("--version").out == f"corefkit-scorer {corefkit.__version__}\n"


def write(path: Path, *cells: str) -> Path:
    lines = "".join(f"d\t0\t{i}\tw\t{cell}\n" for i, cell in enumerate(cells))
    path.write_text(f"#begin document d\n{lines}#end document\n")
    return path


def test_a_key_that_repeats_a_span_in_one_entity(tmp_path: Path) -> None:
    """The example of the specification: precision passes 100, and a line tells of the copy."""
    key = write(tmp_path / "key", "(1)|(1)", "(1)", "(2)", "(2)")
    response = write(tmp_path / "response", "(1)", "(1)", "(2)", "(2)")
    scores = corefkit.score(key, response, profile="conll-8.01")
    assert scores["ceafm"].counts == {"recall": [5, 5], "precision": [5, 4]}
    assert scores["ceafe"].counts == {"recall": [2.2, 2], "precision": [2.2, 2]}
    assert [i.message for i in scores.incidents] == ["Repeated mention in the key: 0, 0 01"]
    text = run_scorer("all", key, response, "none").out
    assert text.count("Repeated mention in the key: 0, 0 01\n") == 5
    assert "Precision: (5 / 4) 125%" in text


def test_repeats_in_the_key_are_no_reason_to_stop(tmp_path: Path) -> None:
    key = write(tmp_path / "key", *["(1)|(2)"] * 30)
    response = write(tmp_path / "response", *["(1)"] * 30)
    result = run_scorer("muc", key, response, "none")
    assert (result.status, result.out.count("Repeated mention in the key")) == (0, 30)


def test_coval_keeps_copies(tmp_path: Path) -> None:
    """The example of the specification."""
    key = write(tmp_path / "key", "(1)", "(1)", "(2)", "(2)")
    response = write(tmp_path / "response", "(1)|(2)", "(1)", "(2)", "(2)")
    scores = corefkit.score(key, response, profile="coval")
    assert round(100 * scores.conll, 2) == 73.77
    assert "|profile:coval|" in scores.signature
    assert [i.id for i in scores.incidents] == ["span-in-two-entities"]


def test_coval_lists_entities_as_their_first_mentions_end(tmp_path: Path) -> None:
    """The repeated mention belongs to entity 1, which begins before entity 2 and ends after it."""
    twice = write(tmp_path / "twice", "(1", "(2)", "1)", "(1)|(2)")
    once = write(tmp_path / "once", "(7", "-", "7)", "(7)")
    expected = {"recall": [1, 2], "precision": [1, 1]}
    assert corefkit.score(twice, once, "muc", profile="coval")["muc"].counts == expected
    expected = {"recall": [1, 1], "precision": [1, 2]}
    assert corefkit.score(once, twice, "muc", profile="coval")["muc"].counts == expected


def test_percentages_of_ceaf_as_perl_cuts_them(tmp_path: Path) -> None:
    key = write(tmp_path / "key", *["(1)"] * 5, *["-"] * 4)
    response = write(tmp_path / "response", "(1)", *["-"] * 4, *["(1)"] * 4)
    assert "Recall: (0.2 / 1) 19.99%" in run_scorer("ceafe", key, response, "none").out


def test_scorer_with_bad_input(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("#begin document d\nd 0 0 w (1\n")
    result = run_scorer("all", tmp_path / "key", tmp_path / "key")
    assert (result.status, result.out) == (1, "")
    assert "[bracket-unclosed]" in result.err
    assert run_scorer("nonsense", tmp_path / "key", tmp_path / "key").status == 2


@pytest.mark.parametrize("profile", PROFILES)
def test_short_signatures(profile: str) -> None:
    """What the profile chooses anyway is left out; what is left means the same."""
    plain = make_options(None, profile)
    assert shorten(signature(plain)) == f"profile:{profile}|version:{corefkit.__version__}"
    for policy, values in POLICIES.items():
        for value in values:
            if policy == "duplicates" and value != "error" and scorer_class(profile).keeps_copies:
                continue
            options = make_options("conll", profile, **_chosen(policy, value))
            short = shorten(signature(options))
            assert parse_signature(short)[0] == options
            assert len(short.rpartition("|version:")[0]) < 70


def test_signatures_name_every_policy() -> None:
    """Any policy that can move a number stands there, also where it is the standard one."""
    assert "|zeros:dependent|" in signature(Options())
    named = {part.partition(":")[0] for part in signature(Options()).split("|")}
    assert named == {"metrics", "profile", *POLICIES, "average", "version"}


def test_a_policy_that_a_signature_does_not_name_is_that_of_the_profile() -> None:
    options, version = parse_signature("metrics:muc|profile:corefud|zeros:linear|version:0.0.dev1")
    assert options == make_options("muc", "corefud", zeros="linear")
    assert version == "0.0.dev1"
