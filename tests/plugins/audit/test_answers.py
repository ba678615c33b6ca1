"""Figures in dicts and texts, under the names that people give them."""

import pytest

from corefkit.core.options import UsageError
from corefkit.plugins.audit.answers import PRESETS, figure, find_figures, text_reader


def values(found: object, **more: object) -> dict[str, tuple[float | None, ...]]:
    figures = find_figures(found, **more)  # type: ignore[arg-type]
    return {n: tuple(None if f is None else f.value for f in t) for n, t in figures.items()}


@pytest.mark.parametrize(
    "found",
    [
        {"b_cubed": {"recall": 0.1, "precision": 0.2, "f1": 0.3}},
        {"bcub_r": 0.1, "bcub_p": 0.2, "bcub_f": 0.3},
        {"eval": {"b3/recall": 0.1, "b3/prec": 0.2, "b3/fscore": 0.3}},
        {"BCubed": (0.1, 0.2, 0.3)},
        {"recall": {"bcub": 0.1}, "precision": {"bcub": 0.2}, "f1": {"b-cubed": 0.3}},
        {"bcubed.f1-score": 0.3, "bcubed.rec": 0.1, "bcubed.precision": 0.2, "loss": 2.5},
    ],
)
def test_names_at_any_depth(found: object) -> None:
    assert values(found) == {"bcub": (0.1, 0.2, 0.3)}


def test_other_names() -> None:
    found = values(
        {
            "muc": 0.5,
            "ceaf_phi4": {"f": 0.4},
            "mention_ceaf_f1": 0.3,
            "conll-2012_f1": 0.2,
            "mentions": {"r": 1},
            "lea_support": 12,
        }
    )
    assert found == {
        "muc": (None, None, 0.5),
        "ceafe": (None, None, 0.4),
        "ceafm": (None, None, 0.3),
        "conll": (None, None, 0.2),
        "mentions": (1.0, None, None),
    }


def test_a_triple_without_a_name_belongs_to_the_only_metric() -> None:
    assert values((0.1, 0.2, 0.3), order="prf", only=("lea",)) == {"lea": (0.2, 0.1, 0.3)}
    assert values({"coref_precision": 0.2, "coref_f1": 0.3}, only=("conll",)) == {
        "conll": (None, 0.2, 0.3)
    }
    assert values((0.1, 0.2, 0.3)) == {}


def test_two_candidates() -> None:
    with pytest.raises(UsageError, match="two candidates for the f1 of muc"):
        find_figures({"micro": {"muc": 0.1}, "macro": {"muc": 0.2}})


def test_digits() -> None:
    written = [figure(text) for text in ("66.70", "5", "50%", "1e-05", "nan", "x", "")]
    assert [f and f.digits for f in written] == [2, 0, 0, 5, None, None, None]
    assert figure(True) is None


REFERENCE = """\
METRIC muc:
Coreference: Recall: (1 / 2) 50%\tPrecision: (1 / 3) 33.33%\tF1: 40%
====== TOTALS =======
Identification of Mentions: Recall: (3 / 4) 75%\tPrecision: (3 / 3) 100%\tF1: 85.71%
--------------------------------------------------------------------------
Coreference: Recall: (2 / 5) 40%\tPrecision: (2 / 4) 50%\tF1: 44.44%

METRIC blanc:
====== TOTALS =======
Coreference:
Coreference links: Recall: (1 / 2) 50%\tPrecision: (1 / 2) 50%\tF1: 50%
BLANC: Recall: (0.5 / 1) 50%\tPrecision: (0.25 / 1) 25%\tF1: 33.33%
"""


def test_presets() -> None:
    read = PRESETS["scorer.pl"](REFERENCE, ())
    assert {n: [f and f.value for f in t] for n, t in read.items()} == {
        "mentions": [75, 100, 85.71],
        "muc": [40, 50, 44.44],
        "blanc": [50, 25, 33.33],
    }
    text = "mentions  Recall: 90.1  Precision: 80  F1: 84.75\nCoNLL score: 61.30\n"
    coval = PRESETS["coval"](text, ())
    assert coval["conll"][2] == figure("61.30")
    assert coval["mentions"][0] == figure("90.1")
    last = PRESETS["json"]('log line\n{"step": 1}\n{"muc_f1": 0.5}\n', ())
    assert last["muc"][2] == figure(0.5)
    assert text_reader(())(REFERENCE, ()).keys() == read.keys()


def test_patterns() -> None:
    one = text_reader([r"(?P<metric>\w+) = (?P<f1>[\d.]+)"])
    assert one("muc = 0.1\nmuc = 0.2\nB3 = 0.3\nx = 1\n", ()) == {
        "muc": (None, None, figure("0.2")),
        "bcub": (None, None, figure("0.3")),
    }
    several = text_reader([r"muc=MUC (?P<f1>\S+)", r"lea=LEA (?P<recall>\S+) (?P<f1>\S+)"])
    assert several("LEA 1 2\nMUC 3", ()) == {
        "lea": (figure("1"), None, figure("2")),
        "muc": (None, None, figure("3")),
    }
