"""The scorer inside real spaCy."""

from types import SimpleNamespace
from typing import Any

import pytest

import corefkit
from corefkit.integrations.spacy import COMPONENT, SCORER, make_scorer, register
from tests.integrations.support import needed

TEXT = "The crew slept. They snored. The captain heard them."
KEY = [["The crew", "They", "them"], ["The captain"]]
RESPONSE = [["The crew", "They"], ["The captain", "them"]]
WANTED = corefkit.Evaluator().update(KEY, RESPONSE).scores()
"""Each phrase occurs once, so the words themselves will do as mentions."""


def annotate(doc: Any, clusters: list[list[str]]) -> Any:
    for number, cluster in enumerate(clusters, 1):
        spans = [doc.char_span(TEXT.index(t), TEXT.index(t) + len(t)) for t in cluster]
        doc.spans[f"coref_clusters_{number}"] = spans
    return doc


def test_nlp_evaluate() -> None:
    spacy = needed("spacy")
    register()
    nlp = spacy.blank("en")

    def made_up(doc: Any) -> Any:
        return annotate(doc, RESPONSE)

    spacy.language.Language.component("made_up_coreference", func=made_up)
    nlp.add_pipe("made_up_coreference")
    nlp.add_pipe(COMPONENT)
    reference = annotate(spacy.blank("en")(TEXT), KEY)
    example = needed("spacy.training").Example(nlp.make_doc(TEXT), reference)
    found = nlp.evaluate([example])
    for name, score in WANTED.items():
        assert found[f"coref_{name}_f"] == score.f1
        assert found.get(f"coref_{name}_r") == score.recall
    assert 0 < found["coref_conll_f"] < 1


def test_it_is_registered_and_takes_options_from_a_configuration() -> None:
    spacy = needed("spacy")
    register()
    config = {"scorer": {"@scorers": SCORER, "metrics": "muc", "singletons": "drop"}}
    scorer = spacy.registry.resolve(config)["scorer"]
    key, response = (annotate(spacy.blank("en")(TEXT), side) for side in (KEY, RESPONSE))
    found = scorer([SimpleNamespace(reference=key, predicted=response)])
    muc = corefkit.Evaluator("muc", singletons="drop").update(KEY, RESPONSE).scores()["muc"]
    assert found == {
        "coref_muc_r": muc.recall,
        "coref_muc_p": muc.precision,
        "coref_muc_f": muc.f1,
    }


def document(clusters: Any) -> Any:
    return SimpleNamespace(
        spans={}, has_extension=lambda name: True, _=SimpleNamespace(coref_clusters=clusters)
    )


def test_clusters_of_characters_as_fastcoref_has_them() -> None:
    key, response = document([[(0, 8), (16, 20)]]), document([[[0, 8], [16, 20]]])
    example = SimpleNamespace(reference=key, predicted=response)
    assert make_scorer("conll")([example]) == {"coref_conll_f": 1.0}
    empty = SimpleNamespace(reference=key, predicted=document(None))
    assert make_scorer("conll")([empty]) == {"coref_conll_f": 0.0}


def test_a_wrong_metric_is_told_at_once() -> None:
    with pytest.raises(corefkit.UsageError, match="unknown value 'b4'"):
        make_scorer("b4")
