"""Files are read as the oracle reads them, bracket by bracket, however they are written."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit import Corpus
from corefkit.core.links import KINDS
from corefkit.core.nodes import nodes_of
from corefkit.formats.conllua import reader
from tests.oracle import conllua as oracle
from tests.strategies import choice, examples

HEADER = "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING"


@st.composite
def documents(draw: st.DrawFn, layer: str) -> list[list[str]]:
    """The rows of a document: mentions that nest or cross, with gaps, on zeros, in every spelling.

    Closings have names where the markable is not the last one opened.
    """
    length = draw(st.integers(1, 9))
    zero = choice(False, False, False, True)
    zeros = draw(st.lists(zero, min_size=length, max_size=length))
    opens: list[list[tuple[str, str, bool]]] = [[] for _ in range(length)]
    closes: list[list[str]] = [[] for _ in range(length)]
    names = []
    for one in range(draw(st.integers(0, 7))):
        place = draw(st.integers(0, length - 1))
        fragments = [(place, place)]
        if not zeros[place]:
            last = draw(st.integers(place, length - 1))
            fragments = [(place, last if not zeros[last] else place)]
            if draw(st.booleans()):
                again = draw(st.integers(0, length - 1))
                fragments += [] if zeros[again] else [(again, again)]
        label = draw(choice("1", "2", "a=3", "4-Pseudo", "é", "entity-of-letters"))
        name = f"{draw(choice('m', 'markable_', 'GUM_academic_art-'))}{one}"
        names.append(name)
        for first, last in fragments:
            features = _features(draw, label, name, length)
            opens[first].append((name, features, first == last))
            closes[last] += [name] if first < last else []
    bridges = []
    if names and layer == "identity":
        name_of = st.sampled_from(names)
        bridges = draw(st.lists(st.tuples(name_of, name_of), max_size=3))
    stack: list[str] = []
    rows, token = [], 0
    for place in range(length):
        token += not zeros[place]
        cell = ""
        for name in closes[place]:
            last = stack[-1] == name
            cell += ")" if last else f"{name})"
            del stack[len(stack) - 1 - stack[::-1].index(name)]
        for name, features, alone in opens[place]:
            cell += draw(choice("", "@")) + f"({features}{')' * alone}"
            stack += [] if alone else [name]
        bridging = "".join(
            f"({draw(choice('MarkableID', 'mentionid'))}={a}|Rel=part|MentionAnchor={b})"
            for at, (a, b) in enumerate(bridges)
            if at % length == place
        )
        if bridging and draw(st.booleans()):
            bridging = bridging.replace("(", "@").strip("@)").replace(")@", "(")
        number_of_row = f"{token}.{place}" if zeros[place] else str(token)
        rows.append([number_of_row, draw(choice("w", "(", "a=b")), *["_"] * 8])
        rows[-1] += [cell or "_", bridging or "_", "_"]
        if layer == "deixis":
            rows[-1][10], rows[-1][12] = "_", cell or "_"
    return rows


def _features(draw: st.DrawFn, label: str, name: str, length: int) -> str:
    features = [f"{draw(choice('EntityID', 'entityid'))}={label}"]
    features.append(f"{draw(choice('MarkableID', 'Markable_ID', 'MENTIONID'))}={name}")
    if draw(st.booleans()):
        first, last = draw(st.integers(1, length)), draw(st.integers(1, length))
        more = draw(choice("", f",{last}", f", {last},1"))
        features.append(f"Min={first}{more}")
    if draw(st.booleans()):
        features.append(f"SemType={draw(choice('dn', 'a=b', ''))}")
    return "|".join(draw(st.permutations(features)))


@st.composite
def texts(draw: st.DrawFn, layer: str) -> str:
    """Files of up to three documents, with tabs or blanks between cells and any line ends."""
    lines = [HEADER] if draw(st.booleans()) else []
    between = draw(choice("\t", "  "))
    for number in range(draw(st.integers(1, 3))):
        lines.append(f"# newdoc id = d{number}")
        for row in draw(documents(layer)):
            cells = [cell.replace(" ", "") if between == "  " else cell for cell in row]
            lines.append(between.join(cells) + draw(choice("", "", " ")))
            lines += draw(choice((), (), ("",), ("# sent_id = x",), ("", "0 thing")))
    return draw(choice("\n", "\r\n")).join(lines) + draw(choice("", "\n"))


def said(corpus: Corpus) -> dict[str, Any]:
    """What a corpus says, in the words of the oracle."""
    labels = [corpus.labels[entity] for entity in corpus.entity.tolist()]
    nodes = [nodes_of(corpus, row) for row in range(corpus.mentions)]
    assert corpus.minimum is not None
    found: dict[str, Any] = {
        "tokens": dict(zip(corpus.names, corpus.tokens.tolist(), strict=True)),
        "markables": [
            (corpus.names[document], label, sorted(own))
            for document, label, own in zip(corpus.document.tolist(), labels, nodes, strict=True)
        ],
        "minimum": [
            None if minimum == [-1, -1] else tuple(minimum) for minimum in corpus.minimum.tolist()
        ],
        "referring": [not label.endswith("-Pseudo") for label in labels],
        "bridges": [],
    }
    assert (corpus.referring is None) == all(found["referring"])
    if corpus.referring is not None:
        assert corpus.referring.tolist() == found["referring"]
    if corpus.links is not None:
        links = corpus.links
        assert {KINDS[kind] for kind in links.kind.tolist()} == {"bridging"}
        ends = zip(links.source.tolist(), links.target.tolist(), links.label, strict=True)
        found["bridges"] = list(ends)
    return found


@pytest.mark.parametrize("layer", ["identity", "deixis"])
@examples(30)
@given(data=st.data())
def test_as_the_oracle(layer: str, data: st.DataObject) -> None:
    text = data.draw(texts(layer))
    corpus = reader.parse(text.encode(), "tale", layer).checked()
    wanted = oracle.read(text, layer)
    row = {id(markable): at for at, markable in enumerate(wanted.markables)}
    assert said(corpus) == {
        "tokens": wanted.tokens,
        "markables": [(m.document, m.entity, sorted(m.nodes)) for m in wanted.markables],
        "minimum": [
            None if any(zero for _, zero in m.nodes) else m.minimum for m in wanted.markables
        ],
        "referring": [not m.entity.endswith("-Pseudo") for m in wanted.markables],
        "bridges": [(row[id(a)], row[id(b)], rel) for a, b, rel in wanted.bridges],
    }
