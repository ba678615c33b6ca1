"""The scores for applications: worked examples and identities of the oracle."""

from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from .applications import (
    ANCHOR_VARIANTS,
    ARABIC,
    CHINESE,
    IMMEDIATE_VARIANTS,
    INFERRED_VARIANTS,
    PENN,
    STTS,
    UD,
    Chain,
    Counts,
    Document,
    InferredVariant,
    Outcome,
    Tagset,
    Tokens,
    count_anchor,
    count_immediate,
    count_inferred,
    outcomes_immediate,
    outcomes_inferred,
    read_tokens,
)
from .conll import Span


def doc(text: str, key: str, response: str, names: Mapping[str, str] | None = None) -> Document:
    """A document of tokens such as A=NN; each word of a side is a chain, each letter a token."""
    tokens = [token.split("=") for token in text.split()]
    spans = {letter: (place, place) for place, (letter, _) in enumerate(tokens)}

    def side(chains: str) -> list[Chain]:
        return [[spans[letter] for letter in chain] for chain in chains.split()]

    tags = [tag for _, tag in tokens]
    named = {spans[letter]: name for letter, name in (names or {}).items()}
    return Document(side(key), side(response), tags, named)


def labels(outcomes: list[Outcome]) -> str:
    """Outcomes by place in the text, as in "1tp 2fn"; over the key, then over the response."""
    return " ".join(f"{outcome.mention[0]}{outcome.label}" for outcome in outcomes)


# The examples


# F A B C D E G H are 0 to 7.
EXAMPLE = doc("F=NN A=NN B=PRP C=NN D=PRP E=NN G=PRP H=PRP$", "ABCD EG", "ACD FEH BG", {"E": "ORG"})


def test_example_immediate() -> None:
    # Key: B first in BG, C has A for B, D has C on both sides, G has B for E. Response: C, D, G
    # are non-first in the key; E is first in its own; H is in none.
    expected = Counts(tp=1, wl=2, fn=1, fp=2)
    for variant in IMMEDIATE_VARIANTS:  # all key chains start with a nominal
        table = count_immediate([EXAMPLE], variant)
        assert table.total == expected
        assert table.classes == {
            "NOUN": Counts(wl=1, fp=1),
            "PRP": Counts(tp=1, wl=1, fn=1),
            "PRP$": Counts(fp=1),
        }


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        # Key: B first in BG, C finds A, D finds C, G has only B. Response: E is first in its own
        # key chain, H is in none.
        ("paper", Counts(tp=2, wl=0, fn=2, fp=2)),
        # E and H have F before them and no nominal antecedent in the key; G has no nominal.
        ("clean", Counts(tp=2, wl=0, fn=2, fp=2)),
        # E is in a key chain with no nominal before it.
        ("v1.0", Counts(tp=2, wl=1, fn=2, fp=1)),
        ("v1.1", Counts(tp=2, wl=1, fn=2, fp=1)),
        ("v1.2", Counts(tp=2, wl=0, fn=2, fp=2)),
    ],
)
def test_example_inferred(variant: InferredVariant, expected: Counts) -> None:
    assert count_inferred([EXAMPLE], variant).total == expected


def test_example_anchor() -> None:
    # A is in ACD, E in FEH; F is in no key chain. ABCD with ACD: A C D, without B. EG with FEH:
    # E, without G, with F and H.
    paper = count_anchor([EXAMPLE], "paper")
    assert paper.detection.total == Counts(tp=2, fp=1)
    assert paper.mentions.total == Counts(tp=4, fn=2, fp=2)
    # E is the only mention of FEH that has a class, F the anchor has none.
    assert paper.detection.classes == {"None": Counts(tp=1), "ORG": Counts(tp=1, fp=1)}
    assert paper.mentions.classes == {"None": Counts(tp=3, fn=1), "ORG": Counts(tp=1, fn=1, fp=2)}
    # BG is left over, but has no anchor.
    code = count_anchor([EXAMPLE], "code")
    assert code.detection.total == Counts(tp=2, fp=1)
    assert code.detection.classes == {"None": Counts(tp=1), "ORG": Counts(tp=1)}
    assert code.mentions == paper.mentions


def test_example_with_a_gap() -> None:
    document = doc("A=NN B=PRP C=NN D=PRP", "ABCD", "ABD")
    a, b, c, d = ((place, place) for place in range(4))
    assert outcomes_immediate(document) == [
        Outcome("key", b, "PRP", "tp", a, a),
        Outcome("key", c, "NOUN", "fn", b, None),
        Outcome("key", d, "PRP", "wl", c, b),
    ]
    assert outcomes_inferred(document) == [
        Outcome("key", b, "PRP", "tp", a, a),
        Outcome("key", c, "NOUN", "fn", a, None),
        Outcome("key", d, "PRP", "tp", c, a),
    ]


def test_example_of_two_anchors_in_one_chain() -> None:
    document = doc("X=NN Y=NN x=PRP y=PRP", "Xx Yy", "XYxy")
    paper = count_anchor([document])
    assert paper.detection.total == Counts(tp=2)
    assert paper.mentions.total == Counts(tp=4, fp=4)
    assert paper.f_phi() == Fraction(4, 5)
    code = count_anchor([document], "code")
    assert code.detection.total == Counts(tp=1, fn=1)
    assert code.mentions.total == Counts(tp=2, fp=2)


@pytest.mark.parametrize(
    ("counts", "recall", "precision", "f"),
    [  # PRP, inferred, of Berkeley and IMS in Tuggener 2014
        (Counts(tp=2687, wl=1935, fn=871, fp=389), "48.92", "53.62", "51.16"),
        (Counts(tp=2243, wl=1376, fn=1592, fp=287), "43.04", "57.42", "49.20"),
        (Counts(), "0.00", "0.00", "0.00"),
        (Counts(wl=1, fn=1, fp=1), "0.00", "0.00", "0.00"),
    ],
)
def test_published_scores(counts: Counts, recall: str, precision: str, f: str) -> None:
    assert tuple(f"{float(100 * x):.2f}" for x in counts.score()) == (recall, precision, f)


# Single rules of immediate and inferred


def test_text_order_decides_not_the_order_given() -> None:
    # The spans 0-2 and 0-0 start together: the longer one is the antecedent.
    tags = ["NN", "IN", "NN", "PRP"]
    chain = [(3, 3), (0, 0), (0, 2)]
    document = Document([chain], [chain[::-1]], tags)
    for outcomes in (outcomes_immediate(document), outcomes_inferred(document)):
        assert [(o.mention, o.expected, o.found) for o in outcomes] == [
            ((0, 0), (0, 2), (0, 2)),
            ((3, 3), (0, 0), (0, 0)),
        ]


def test_a_mention_of_several_tokens_is_nominal() -> None:
    document = Document([[(0, 1), (2, 2)]], [], ["VB", "RB", "PRP"])
    assert document.mention_class((0, 1)) == "NOUN"
    assert document.mention_class((0, 0)) == "VB"
    assert document.anchor([(0, 1), (2, 2)]) == (0, 1)


@pytest.mark.parametrize(
    ("tagset", "nouns", "pronouns", "others"),
    [
        (PENN, "NN NNS NNP NNPS", "PRP PRP$", "NR NE WP DT PN PRON NNX"),
        (CHINESE, "NN NR NT", "PN", "NNP PRP NE"),
        (ARABIC, "NN NNP DTNN DTNNS", "PRP PRP$", "NOUN WP"),
        (STTS, "NN NE", "PPER PPOSAT PRELS", "NNP PRP PDS"),
        (UD, "NOUN PROPN", "PRON", "NN PRP DET"),
    ],
)
def test_tagsets(tagset: Tagset, nouns: str, pronouns: str, others: str) -> None:
    for tag in nouns.split():
        assert tagset.is_noun(tag)
        assert not tagset.is_pronoun(tag)
    for tag in pronouns.split():
        assert tagset.is_pronoun(tag)
        assert not tagset.is_noun(tag)
    for tag in others.split():
        assert not tagset.is_noun(tag)
        assert not tagset.is_pronoun(tag)


def test_a_key_singleton_is_in_no_key_chain() -> None:
    document = doc("A=NN B=NN C=NN", "AC B", "AB")
    assert labels(outcomes_immediate(document)) == "2fn 1fp"
    assert labels(outcomes_inferred(document)) == "2fn 1fp"
    # A response that has them all in one chain aligns with AC only.
    both = count_anchor([doc("A=NN B=NN C=NN", "AC B", "ACB")])
    assert both.detection.total == Counts(tp=1)
    assert both.mentions.total == Counts(tp=2, fp=1)


def test_immediate_code_skips_over_the_key_only() -> None:
    # ab has no nominal; c has none before it, but is no PRP; d has none before it.
    document = doc("a=PRP b=PRP s=PRP c=DT d=PRP E=NN f=PRP", "ab scdEf", "ab scdEf")
    assert labels(outcomes_immediate(document, "paper")) == "1tp 3tp 4tp 5tp 6tp"
    assert labels(outcomes_immediate(document, "code")) == "3tp 5tp 6tp"
    # fp are the same: the skipped b does not become one, and x in a chain without nominal is.
    document = doc("a=PRP b=PRP x=PRP", "ab", "abx")
    assert labels(outcomes_immediate(document, "paper")) == "1tp 2fp"
    assert labels(outcomes_immediate(document, "code")) == "2fp"


@pytest.mark.parametrize(
    ("key", "response", "paper_clean_and_releases"),
    [
        # p q are PRP, d is DT, X Y Z are NN; in text order p d q X Y Z r, r is PRP.
        # No nominal before d and X; q is skipped.
        ("pdqX", "pdqX", ["1fn 3fn", "", "1fn 3fn", "", ""]),
        # ... but absent or first is fn in all but clean.
        ("pdqX", "", ["1fn 3fn", "", "1fn 3fn", "1fn 3fn", "1fn 3fn"]),
        ("pX", "Xr", ["3fn 6fp", "6fp", "3fn 6fp", "3fn 6fp", "3fn 6fp"]),
        # The closest nominal must be in the key chain; here Y is and X is not.
        ("Yr", "XYr", ["6tp 4fp", "6tp 4fp", "6tp 4wl", "6tp 4wl", "6tp 4fp"]),
        ("Xr", "XYr", ["6wl 4fp", "6wl 4fp", "6wl 4fp", "6wl 4fp", "6wl 4fp"]),
        # Only pronouns before r: not found.
        ("pXr", "pr", ["3fn 6fn", "6fn", "3fn 6fn", "3fn 6fn", "3fn 6fn"]),
        # pq has no nominal. q, which has none before it, is wl in paper for the X behind it;
        # X is in no key chain.
        ("pq", "pqX", ["2wl 3fp", "", "3fp", "3fp", "3fp"]),
        ("pr", "pXr", ["3fp 6wl", "6fp", "3fp 6wl", "3fp 6wl", "3fp 6fp"]),
        # The first of a key chain without a nominal is fp in paper, not wl.
        ("qr", "dqX", ["2fp 3fp", "", "3fp", "3fp", "3fp"]),
        # Y is a singleton of the key: for the releases it is in the key, with no nominal before it.
        ("Xr Y", "XY", ["6fn 4fp", "6fn 4fp", "6fn 4wl", "6fn 4wl", "6fn 4fp"]),
        # ... and so is q, which has none before it in the response either.
        ("Xr q", "pqX", ["6fn 2fp 3fp", "6fn", "6fn", "6fn", "6fn"]),
        # A response chain without a nominal.
        ("XY", "pq", ["4fn 2fp", "4fn", "4fn", "4fn", "4fn"]),
        # Y is no pronoun and has no nominal antecedent: it counts on both sides.
        ("pY", "XY", ["4wl", "4fp", "4wl 4wl", "4wl 4wl", "4wl 4fp"]),
    ],
)
def test_inferred(key: str, response: str, paper_clean_and_releases: list[str]) -> None:
    document = doc("p=PRP d=DT q=PRP X=NN Y=NN Z=NN r=PRP", key, response)
    found = [labels(outcomes_inferred(document, variant)) for variant in INFERRED_VARIANTS]
    assert found == paper_clean_and_releases


# Single rules of anchor


@pytest.mark.parametrize(
    ("chain", "names", "expected"),
    [
        ("XYr", {}, "None"),
        ("XYr", {"X": "GPE", "Y": "ORG"}, "GPE"),
        ("pXY", {"p": "ORG", "X": "GPE"}, "GPE"),  # the anchor is X
        ("XYr", {"Y": "ORG"}, "ORG"),
        ("XYr", {"r": "ORG"}, "ORG"),
        ("XYr", {"Y": "ORG", "r": "ORG"}, "ORG"),
        ("XYr", {"Y": "ORG", "r": "GPE"}, "None"),
        ("pr", {"r": "GPE"}, "GPE"),
        ("XY", {"Z": "GPE"}, "None"),
    ],
)
def test_name_class(chain: str, names: dict[str, str], expected: str) -> None:
    document = doc("p=PRP X=NN Y=NN Z=NN r=PRP", chain, "", names)
    assert document.name_class(document.key.chains[0]) == expected


def test_a_name_counts_over_exactly_the_span() -> None:
    document = Document([[(0, 1), (2, 2)]], [], ["DT", "NN", "PRP"], {(1, 1): "GPE"})
    assert document.name_class(document.key.chains[0]) == "None"


def test_anchor_response_singletons() -> None:
    document = doc("X=NN Y=NN Z=NN r=PRP", "Xr", "X Z r")
    paper, code = count_anchor([document], "paper"), count_anchor([document], "code")
    assert paper.detection.total == Counts(fn=1)
    assert paper.mentions.total == Counts()
    assert paper.mentions.classes == {}
    # X is taken away; Z and r are left, but singletons are in no class.
    assert code.detection.total == Counts(tp=1, fp=2)
    assert code.detection.classes == {"None": Counts(tp=1)}
    assert code.mentions.total == Counts(tp=1, fn=1)


def test_anchor_code_fp_has_the_class_of_the_anchor_itself() -> None:
    document = doc("X=NN Y=NN r=PRP", "", "XYr", {"Y": "ORG"})
    assert count_anchor([document], "paper").detection.classes == {"ORG": Counts(fp=1)}
    assert count_anchor([document], "code").detection.classes == {"None": Counts(fp=1)}


def test_anchor_code_key_chain_without_anchor_takes_a_chain_away() -> None:
    # pq comes first and takes Xpq, so X is not found.
    text = "p=PRP X=NN q=PRP Y=NN"
    code = count_anchor([doc(text, "pq XY", "pXq Y")], "code")
    assert code.detection.total == Counts(fn=1, fp=1)
    assert code.mentions.total == Counts()
    # By the order of the response chains, Xq comes before p's if p's starts later.
    text = "X=NN p=PRP q=PRP Y=NN Z=NN"
    code = count_anchor([doc(text, "pq YZ", "pY Xq Z")], "code")  # takes Xq, which leaves pY
    assert code.detection.total == Counts(tp=1, fp=1)
    assert code.mentions.total == Counts(tp=1, fn=1, fp=1)


def test_anchor_code_orders_chains_by_the_shorter_first_mention() -> None:
    # Both key chains have an anchor in the one response chain; the one of 0-0 takes it.
    tags = ["NN", "IN", "NN", "PRP", "PRP"]
    key = [[(0, 2), (4, 4)], [(0, 0), (3, 3)]]
    response = [[(0, 0), (0, 2), (3, 3)]]
    names = {(0, 0): "PERSON", (0, 2): "ORG"}
    code = count_anchor([Document(key, response, tags, names)], "code")
    assert code.detection.classes == {"ORG": Counts(fn=1), "PERSON": Counts(tp=1)}
    assert code.mentions.classes == {"PERSON": Counts(tp=2, fp=1)}


# Refusals


def test_documents_that_cannot_be_scored() -> None:
    tags = ["NN", "NN"]
    for broken in ([[(0, 0), (0, 0)]], [[(0, 0)], [(0, 0)]]):
        with pytest.raises(ValueError, match="two chains"):
            Document(broken, [], tags)
        with pytest.raises(ValueError, match="two chains"):
            Document([], broken, tags)
    with pytest.raises(ValueError, match="empty"):
        Document([[]], [], tags)
    for span in ((1, 2), (1, 0), (-1, 0)):
        with pytest.raises(ValueError, match="beyond"):
            Document([[span]], [], tags)


def test_unknown_variants() -> None:
    with pytest.raises(ValueError, match="no variant 'clean', only paper, code"):
        count_immediate([], "clean")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no variant 'code'"):
        outcomes_inferred(EXAMPLE, "code")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"no variant 'v1\.0'"):
        count_anchor([], "v1.0")  # type: ignore[arg-type]


# Identities

TAGS = ["NN", "NNP", "PRP", "PRP$", "DT", "VB"]
SPANS: list[Span] = [(start, end) for start in range(6) for end in range(start, min(start + 3, 6))]


@st.composite
def sides(draw: st.DrawFn) -> list[Chain]:
    """Some spans, sorted into chains."""
    spans = draw(st.lists(st.sampled_from(SPANS), unique=True, max_size=12))
    chains: dict[int, Chain] = {}
    for span in spans:
        chains.setdefault(draw(st.integers(0, 4)), []).append(span)
    return list(chains.values())


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Any document of six tokens."""
    tags = draw(st.lists(st.sampled_from(TAGS), min_size=6, max_size=6))
    names = draw(st.dictionaries(st.sampled_from(SPANS), st.sampled_from(["GPE", "ORG"])))
    return Document(draw(sides()), draw(sides()), tags, names)


def perfect(document: Document) -> Document:
    """The same document with the key for a response."""
    return Document(document.key_chains, document.key_chains, document.tags, document.names)


def check_immediate(documents: list[Document]) -> None:
    """What SPEC says of the sums."""
    total = count_immediate(documents).total
    key = sum(len(chain) - 1 for document in documents for chain in document.key.chains)
    response = sum(len(chain) - 1 for document in documents for chain in document.response.chains)
    assert total.tp + total.wl + total.fn == key
    assert total.tp + total.wl + total.fp == response


def check_clean(documents: list[Document]) -> None:
    """What SPEC says of the sums of inferred `clean`."""
    total = count_inferred(documents, "clean").total
    key = response = 0
    for document in documents:
        for chain in document.key.chains:
            key += sum(1 for place in range(len(chain)) if document.nominals(chain[:place]))
        for chain in document.response.chains:
            response += sum(1 for place in range(len(chain)) if document.nominals(chain[:place]))
    assert total.tp + total.wl + total.fn == key
    assert total.tp + total.wl + total.fp == response


def check_anchor(documents: list[Document]) -> None:
    """Each key chain with an anchor is found or not; EM counts mentions of those found."""
    anchored = sum(
        document.anchor(chain) is not None
        for document in documents
        for chain in document.key.chains
    )
    for variant in ANCHOR_VARIANTS:
        tables = count_anchor(documents, variant)
        assert tables.detection.total.tp + tables.detection.total.fn == anchored
        assert tables.mentions.total.tp >= tables.detection.total.tp
    total = count_anchor(documents, "code").detection.total
    assert total.tp + total.fp <= sum(len(document.response.chains) for document in documents)


@given(documents())
def test_sums(document: Document) -> None:
    check_immediate([document])
    check_clean([document])
    check_anchor([document])


@given(documents())
def test_perfect_response(document: Document) -> None:
    document = perfect(document)
    key = document.key
    for variant in IMMEDIATE_VARIANTS:
        total = count_immediate([document], variant).total
        assert total == Counts(tp=total.tp)
    total = count_inferred([document], "clean").total
    assert total == Counts(tp=total.tp)
    for inferred_variant in INFERRED_VARIANTS:
        assert count_inferred([document], inferred_variant).total.tp == total.tp
    paper = count_anchor([document], "paper")
    anchored = [chain for chain in key.chains if document.anchor(chain) is not None]
    assert paper.detection.total == Counts(tp=len(anchored))
    assert paper.mentions.total == Counts(tp=sum(len(chain) for chain in anchored))
    code = count_anchor([document], "code")
    singletons = sum(len(chain) == 1 for chain in document.response.chains)
    assert code.detection.total == Counts(tp=len(anchored), fp=singletons)
    assert code.mentions == paper.mentions


# Columns


@pytest.mark.parametrize("blank", ["\t", "   "])
def test_columns(blank: str) -> None:
    lines = [
        "d 0 0 The DT (NP* - - - s (ORG* (ARG0* (1",
        "d 0 1 Fund NNP *) - - - s *) *) 1)",
        "",
        "d 0 0 it PRP * - - - s (GPE) * (1)",
        "d 0 1 . . * - - - s * * -",
    ]
    tokens = "\n".join(line.replace(" ", blank) for line in lines)
    assert read_tokens(f"#begin document (d); part 000\n{tokens}\n\n#end document\n") == [
        Tokens(
            "(d); part 000",
            ["The", "Fund", "it", "."],
            ["DT", "NNP", "PRP", "."],
            {(0, 1): "ORG", (2, 2): "GPE"},
            {"1": [(0, 1), (2, 2)]},
        )
    ]


def test_columns_that_are_not_there() -> None:
    # Eleven columns: the last is coreference, not named entities.
    text = "#begin document d\nd\t0\t0\tEr\tPPER\t*\ter\tsg\tmasc\t-\t(1)\n"
    assert read_tokens(text) == [Tokens("d", ["Er"], ["PPER"], {}, {"1": [(0, 0)]})]
    assert read_tokens("#begin document d\na b c w -\n") == [Tokens("d", ["w"], [""], {}, {})]
    assert read_tokens("#begin document d\na b c -\n") == [Tokens("d", [""], [""], {}, {})]


def test_columns_where_no_coreference_is_an_empty_field() -> None:
    line = "d\t0\t0\tw\tNN\t_\t_\t_\t_\t_\t(GPE)\t"
    assert read_tokens(f"#begin document d\n{line}\n{line}(1)\n") == [
        Tokens("d", ["w", "w"], ["NN"] * 2, {(0, 0): "GPE", (1, 1): "GPE"}, {"1": [(1, 1)]})
    ]


@pytest.mark.parametrize(
    ("cell", "message"), [("*)", "line 2: .* not open"), ("(GPE*", "'d': .* never closed")]
)
def test_named_entities_that_do_not_pair(cell: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_tokens(f"#begin document d\nd 0 0 w NN * - - - s {cell} -\n")


def test_no_document_to_read() -> None:
    with pytest.raises(ValueError, match="no document"):
        read_tokens("")
