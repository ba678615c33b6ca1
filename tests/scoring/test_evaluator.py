"""Evaluator: what a training loop relies on."""

import json
import pickle
import sys
from collections.abc import Sequence
from itertools import permutations
from threading import Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import Corpus, DataError, Evaluator, UsageError
from corefkit.core.counts import Counts
from corefkit.scorers.scorer import Scorer
from corefkit.scoring import evaluator
from corefkit.scoring.evaluator_documents import ListedDocument, count_documents
from tests.strategies import examples

KEY = [[(0, 1), (4, 4)], [(6, 6), (8, 9)]]
RESPONSE = [[(0, 1), (4, 4), (8, 9)]]


def test_update_returns_the_evaluator_and_scores_can_be_asked_for_again() -> None:
    evaluator = Evaluator("muc")
    assert evaluator.update(KEY, RESPONSE) is evaluator
    assert evaluator.scores()["muc"].counts["recall"] == [1, 2]
    evaluator.update(KEY, KEY)
    assert evaluator.scores()["muc"].counts["recall"] == [3, 4]
    assert evaluator.scores()["muc"].counts["recall"] == [3, 4]


def test_batch_is_the_same_as_one_by_one() -> None:
    batch = Evaluator().update_batch([KEY, KEY], [RESPONSE, KEY])
    single = Evaluator().update(KEY, RESPONSE).update(KEY, KEY)
    assert batch.scores().to_dict() == single.scores().to_dict()
    with pytest.raises(ValueError, match="1 key documents but 0"):
        Evaluator().update_batch([KEY], [])


@pytest.mark.long
@pytest.mark.parametrize(
    ("key", "response", "likeness"),
    [
        (["dcf", "g", "bah", "e"], ["aeb", "g", "f", "dch"], 7 / 3),
        (["a", "bie", "g", "cfh", "d"], ["ag", "i", "ceb", "hfd"], 2.0),
    ],
)
def test_order_of_entities_where_two_alignments_are_equally_good(
    key: list[str], response: list[str], likeness: float
) -> None:
    """Their sums of ceafe are made of different ratios, which once showed in the last digit."""
    orders = [(k, r) for k in permutations(key) for r in permutations(response)]
    found = {Evaluator("ceafe").update(*o).scores()["ceafe"].counts["recall"][0] for o in orders}
    assert found == {likeness}


def test_any_iterable_of_any_hashable() -> None:
    tuples = Evaluator().update(KEY, RESPONSE)
    mixed = Evaluator().update((iter(entity) for entity in KEY), map(set, RESPONSE))
    assert mixed.scores().to_dict() == tuples.scores().to_dict()


def test_repeated_mentions_the_first_copy_counts() -> None:
    repeated = Evaluator().update([["a", "b", "a"], ["b", "c"]], [["a", "b"], ["a", "c"]])
    plain = Evaluator().update([["a", "b"], ["c"]], [["a", "b"], ["c"]])
    assert repeated.scores().to_dict() == plain.scores().to_dict()


def test_singletons_are_dropped_on_request_after_copies_are() -> None:
    dropped = Evaluator(singletons="drop").update(["ab", "ac", "d"], ["ab", "d"])
    plain = Evaluator().update(["ab"], ["ab"])
    assert dropped.scores().to_dict() == plain.scores().to_dict()
    assert "singletons:drop" in dropped.scores().signature


def test_empty_clusters_are_nothing() -> None:
    assert Evaluator().update([[], "ab"], ["ab", []]).scores()["ceafe"].f1 == 1


def test_sets_as_mentions_get_a_helpful_message() -> None:
    sets: Any = [[{0, 1}]]
    with pytest.raises(TypeError, match="tuples"):
        Evaluator().update(sets, [])
    evaluator = Evaluator("muc")
    with pytest.raises(TypeError):
        evaluator.update(["ab"], sets)
    assert len(evaluator) == 0
    assert evaluator.update(["ab"], ["ab"]).scores()["muc"].counts["recall"] == [1, 1]


def test_no_document_scores_zero() -> None:
    scores = Evaluator().scores()
    assert scores.conll == 0
    assert scores["bcub"].counts == {"recall": [0.0, 0], "precision": [0.0, 0]}
    (incident,) = scores.incidents
    assert (incident.id, incident.severity) == ("no-document", "warning")
    assert incident.message == "the evaluator has no document, so every score is 0"
    one = Evaluator().update(KEY, RESPONSE)
    assert not one.merge(Evaluator()).scores().incidents


def test_documents_that_are_given_twice_are_named() -> None:
    def twice(evaluator: Evaluator) -> list[str | None]:
        return [i.found for i in evaluator.scores().incidents if i.id == "document-twice"]

    evaluator = Evaluator("muc").update(KEY, RESPONSE, document="a")
    assert twice(evaluator) == []
    evaluator.update(KEY, RESPONSE, document="a").update(KEY, RESPONSE, document="b")
    assert twice(evaluator) == ["'a'"]
    shards = [Evaluator("muc").update(KEY, RESPONSE, document=name) for name in "abc"]
    shards[2].update(KEY, RESPONSE, document="b")
    merged = evaluator.empty().merge(shards[0]).merge(shards[1]).merge(shards[2])
    assert twice(merged) == ["'b'"]
    assert twice(pickle.loads(pickle.dumps(merged))) == ["'b'"]
    (incident,) = merged.scores().incidents
    assert incident.severity == "warning"
    assert incident.message == "1 document was given more than once, and counts each time"
    unnamed = [Evaluator("muc").update(KEY, RESPONSE) for _ in range(2)]
    assert twice(unnamed[0].merge(unnamed[1])) == []
    merged.reset()
    assert twice(merged.update(KEY, RESPONSE, document="b")) == []


def test_pickle_and_merge_leave_the_other_alone() -> None:
    one = Evaluator("muc").update(KEY, RESPONSE, document="one")
    other = Evaluator("muc").update(KEY, KEY, document="two")
    copy = pickle.loads(pickle.dumps(one))
    merged = copy.merge(other)
    assert merged is copy
    assert sorted(merged.scores().by("document")) == ["one", "two"]
    assert len(one) == len(other) == 1
    with pytest.raises(ValueError, match=r"differ: metrics \(\('muc',\), \('bcub',\)\)$"):
        one.merge(Evaluator("bcub"))
    with pytest.raises(ValueError, match=r"differ: singletons \('keep', 'drop'\)$"):
        one.merge(Evaluator("muc", singletons="drop"))


def test_reset() -> None:
    evaluator = Evaluator("muc").update(KEY, RESPONSE)
    evaluator.reset()
    assert len(evaluator) == 0
    assert evaluator.scores()["muc"].counts["recall"] == [0, 0]


def test_many_documents_are_counted_in_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("corefkit.scoring.evaluator._FLUSH_AT", 3)
    portions, whole = Evaluator(), Evaluator()
    for _ in range(7):
        portions.update(KEY, RESPONSE)
    monkeypatch.undo()
    for _ in range(7):
        whole.update(KEY, RESPONSE)
    assert portions.scores().to_dict() == whole.scores().to_dict()
    assert portions.scores().counts.documents == tuple("0123456")


def test_unknown_metric() -> None:
    words = r"unknown value 'mucc'\. Did you mean muc\? `corefkit metrics` lists all of them"
    with pytest.raises(UsageError, match=words):
        Evaluator("mucc")
    with pytest.raises(UsageError, match=r"unknown value 'q'\. `corefkit metrics` lists"):
        Evaluator("q")


mentions = st.integers(0, 4).map(lambda token: (token, token))
clusters = st.lists(st.lists(mentions, min_size=1, max_size=4), max_size=4)


@given(clusters, clusters, st.sampled_from(["keep", "drop"]))
@examples(25)
def test_one_signature_one_result(key: Any, response: Any, singletons: Any) -> None:
    """Lists with repeated mentions, scored by an Evaluator and as corpora: all the same."""
    ours = Evaluator(singletons=singletons).update(key, response, document="d").scores()
    one, other = (Corpus.from_clusters({"d": listed}) for listed in (key, response))
    theirs = corefkit.score(one, other, singletons=singletons, duplicates="listed")
    assert ours.signature == theirs.signature
    assert "|duplicates:listed|" in ours.signature
    assert ours == theirs


def test_listed_and_first_differ() -> None:
    """The second list comes first in the text: the policies keep different copies."""
    key, response = [[(5, 5), (7, 7)], [(0, 0), (5, 5)]], [[(5, 5), (7, 7)], [(0, 0)]]
    one, other = (Corpus.from_clusters({"d": listed}) for listed in (key, response))
    assert Evaluator("muc").update(key, response).scores()["muc"].f1 == 1
    assert corefkit.score(one, other, "muc", duplicates="listed")["muc"].f1 == 1
    assert corefkit.score(one, other, "muc")["muc"].f1 == 0


def test_threads_may_share_one() -> None:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    evaluator = Evaluator("muc,ceafe")
    documents = [[[(i, i), (i + 1, i + 1)], [(i + 5, i + 5)]] for i in range(40)]

    def work() -> None:
        for document in documents:
            evaluator.update(document, document)
            evaluator.update_batch([document], [RESPONSE])

    try:
        threads = [Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            evaluator.scores()
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    alone = Evaluator("muc,ceafe")
    for document in documents:
        alone.update(document, document).update(document, RESPONSE)
    assert len(evaluator) == 8 * len(alone)
    found, expected = evaluator.scores(), alone.scores()
    for name, columns in expected.counts.tables.items():
        totals = [8 * float(column.sum()) for column in columns]
        assert list(found.counts.total(name)) == pytest.approx(totals)
    assert sorted(map(int, found.counts.documents)) == list(range(8 * len(alone)))


def test_two_may_merge_each_other() -> None:
    one, other = Evaluator("muc").update(KEY, KEY), Evaluator("muc").update(KEY, KEY)
    threads = [Thread(target=a.merge, args=(b,)) for a, b in ((one, other), (other, one))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=20)
        assert not thread.is_alive()
    assert {len(one), len(other)} in ({2}, {2, 3})
    assert len(one.merge(one)) in (4, 6)


@pytest.mark.parametrize(
    "wrong",
    ["abc", b"abc", {"a": ["b"]}, {1: [(0, 0)]}, 7, None, [7], [None], [{"a": 1}], [b"ab"], [[{}]]],
)
def test_what_is_no_list_of_clusters(wrong: Any) -> None:
    evaluator = Evaluator("muc")
    for sides in ((wrong, KEY), (KEY, wrong)):
        with pytest.raises(TypeError, match="clusters are lists of hashable mentions"):
            evaluator.update(*sides)
    with pytest.raises(TypeError, match="clusters are lists of hashable mentions"):
        evaluator.update_batch([KEY, wrong], [KEY, KEY])
    assert len(evaluator) == 0
    assert evaluator.scores()["muc"].counts["recall"] == [0, 0]


def test_lists_as_json_gives_them() -> None:
    """A list is the same mention as a tuple, alone, in batches, as spans and as annotation."""
    lists: Any = [[[0, 1], [4, 4]], [[6, 6], [8, 9]]]
    tuples = [[(0, 1), (4, 4)], [(6, 6), (8, 9)]]
    wanted = Evaluator(EIGHT).update(tuples, tuples[:1]).scores().to_dict()
    for key, response in ((lists, lists[:1]), (lists, tuples[:1]), (tuples, lists[:1])):
        assert Evaluator(EIGHT).update(key, response).scores().to_dict() == wanted
        assert Evaluator(EIGHT).update_batch([key], [response]).scores().to_dict() == wanted
    heads: Any = [[[0, 1, 1], [4, 4, 4]]]
    assert Evaluator("muc", match="head").update(heads, heads).scores()["muc"].f1 == 1
    expletives: Any = ([[11, 11]], [(11, 11)])
    scores = Evaluator("nonreferring").update(lists, tuples, nonreferring=expletives).scores()
    assert scores["nonreferring"].f1 == 1


_DOCUMENT = [[(0, 1), (4, 4)], [(6, 6), (8, 9)]]
_STRINGS = [["Emma", "her"], ["the boat", "it"]]


@pytest.mark.parametrize("document", [_DOCUMENT, _STRINGS], ids=["spans", "strings"])
@pytest.mark.parametrize("empty", [False, True])
def test_a_batch_where_a_document_is_expected(document: Any, empty: bool) -> None:
    """`update([gold], [predicted])` would compare whole clusters, and score 0."""
    lists = json.loads(json.dumps(document))
    forms: list[Any] = [lists, document]
    if document is _DOCUMENT:
        forms.append([tuple(cluster) for cluster in document])
    for form in forms:
        response = [] if empty else [form[:1]]
        with pytest.raises(TypeError, match=r"too deep.*update_batch"):
            Evaluator().update([form], response)
        with pytest.raises(TypeError, match="too deep"):
            Evaluator().update_batch([[form]], [response])
        assert len(Evaluator().update(form, form[:1])) == 1


def test_nothing_was_ever_predicted() -> None:
    nothing = Evaluator("conll").update(_DOCUMENT, [])
    (incident,) = nothing.scores().incidents
    assert (incident.id, incident.severity) == ("no-mention", "warning")
    assert "the key has 4" in incident.message
    assert Evaluator("conll").update([], []).scores().incidents == ()
    assert nothing.merge(Evaluator("conll").update(_DOCUMENT, _DOCUMENT)).scores().incidents == ()


def test_mentions_where_clusters_are_expected() -> None:
    for document in (_DOCUMENT, json.loads(json.dumps(_DOCUMENT))):
        with pytest.raises(TypeError, match=r"too flat.*update_batch"):
            Evaluator().update_batch(document, document)
        with pytest.raises(TypeError, match="too flat"):
            Evaluator().update(document[0], document[0])
    assert Evaluator("muc").update([[1, 2], [3, 4]], [[1, 2], [3, 4]]).scores()["muc"].f1 == 1


def test_mentions_of_several_parts() -> None:
    """They are told from clusters by the plain mentions beside them, or by being tuples."""
    mixed: Any = [[[0, 1], [[4, 5], [7, 7]]]]
    assert Evaluator("muc").update(mixed, mixed).scores()["muc"].f1 == 1
    parts = [[((0, 1),), ((4, 5), (7, 7))]]
    assert Evaluator("muc").update(parts, parts).scores()["muc"].f1 == 1


def test_other_misuse() -> None:
    wrong: Any
    for wrong in (3, object(), ["muc", 3], b"muc", {"muc": 1}):
        with pytest.raises((TypeError, UsageError), match="metrics"):
            Evaluator(wrong)
    wrong = 3
    with pytest.raises(TypeError, match="document"):
        Evaluator().update(KEY, KEY, document=wrong)
    with pytest.raises(TypeError, match="Evaluator"):
        Evaluator().merge(wrong)
    with pytest.raises(UsageError, match="profile"):
        Evaluator(profile=wrong)


pairs = st.tuples(st.integers(0, 9), st.integers(0, 3))
spans = st.lists(st.lists(pairs, max_size=4), max_size=5)
documents = st.lists(st.tuples(spans, spans), min_size=1, max_size=4)
EIGHT = "mentions,muc,bcub,ceafm,ceafe,blanc,lea,conll"


@examples(75)
@given(documents, st.sampled_from(["keep", "drop"]))
def test_one_by_one_and_all_at_once(batch: list[tuple[Any, Any]], singletons: Any) -> None:
    evaluators = [Evaluator(EIGHT, singletons=singletons) for _ in range(3)]
    one_by_one, together, at_once = evaluators
    for key, response in batch:
        one_by_one.update(key, response).scores()
    for key, response in batch:
        together.update(key, response)
    at_once.update_batch([key for key, _ in batch], [response for _, response in batch])
    one, *others = (evaluator.scores() for evaluator in evaluators)
    assert [other.to_dict() for other in others] == [one.to_dict()] * 2
    assert [other.counts for other in others] == [one.counts] * 2
    assert [other.incidents for other in others] == [one.incidents] * 2


@pytest.mark.parametrize(
    "mention",
    ["x", (1, 2, 3), (1.0, 2), (True, 2), (1 << 70, 1), (-(1 << 40), 1 << 40), {1}],
)
def test_mentions_of_a_batch_that_are_no_pairs_of_integers(mention: Any) -> None:
    batch = [[[mention, (0, 5)]], [[(0, 5)]]]
    if isinstance(mention, set):
        with pytest.raises(TypeError, match="unhashable"):
            Evaluator().update_batch(batch, batch)
        return
    single = Evaluator()
    for document in batch:
        single.update(document, document)
    assert Evaluator().update_batch(batch, batch).scores() == single.scores()


def test_nothing_matches() -> None:
    unmatched = Evaluator("muc").update([[1, 2]], [["1", "2"]])
    assert [i.id for i in unmatched.scores().incidents] == ["mentions-unmatched"]
    matched = Evaluator("muc").update([[1, 2]], [[1, 3]])
    assert matched.merge(unmatched).scores().incidents == ()


@pytest.mark.parametrize("profile", ["coval", "corefud", "e2e", "e2e-singletons"])
def test_thousands_of_copies_of_a_span(profile: str) -> None:
    """They are refused where every copy would be compared with every other, and cost nothing."""
    few = [[(0, 0), (4, 4)], [(6, 6), (8, 8)]]
    copies = [[(0, 0), (at, at)] for at in range(1, 4001)]
    counting = Evaluator(profile=profile).update(few, few)
    with pytest.raises(DataError, match="4,000 mentions in the key and 4,000 in the response"):
        counting.update(copies, copies, document="d")
    with pytest.raises(DataError, match="too many to compare"):
        counting.update_batch([few, copies], [few, copies])
    assert len(counting) == 1
    assert counting.update([[(0, 0)] * 4000], [[(0, 0)] * 4000]).scores()["muc"].f1 <= 1
    assert Evaluator().update(copies, copies).scores().conll == 1


def test_documents_with_copies_are_counted_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their pairs, not their mentions, take the memory; the figures are the same."""
    copies = [[(0, 0), (at, at)] for at in range(1, 101)]
    together = Evaluator(profile="coval").update_batch([copies] * 5, [copies] * 5).scores()
    sizes: list[int] = []
    monkeypatch.setattr(evaluator, "_FLUSH_AT", 20_000)

    def count(scorer: Scorer, documents: Sequence[ListedDocument], names: Sequence[str]) -> Counts:
        sizes.append(len(documents))
        return count_documents(scorer, documents, names)

    monkeypatch.setattr(evaluator, "count_documents", count)
    apart = Evaluator(profile="coval").update_batch([copies] * 5, [copies] * 5)
    assert apart.scores().to_dict() == together.to_dict()
    assert sizes == [2, 2, 1]
