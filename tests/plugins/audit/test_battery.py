"""The battery: that of the conformance folder, and its notation."""

from corefkit.plugins.audit.battery import (
    BATTERY,
    REVERSED,
    documents_text,
    parse_documents,
    parse_side,
    probe_files,
    random_probes,
    writable,
)
from tests.support import needs_conformance

from .scorers import audit_file


@needs_conformance
def test_the_probes_are_those_of_the_conformance_folder() -> None:
    expected = audit_file("battery")["probes"]
    assert [(probe.id, probe.purpose) for probe in BATTERY] == [
        (p["id"], p["for"]) for p in expected
    ]
    for probe, described in zip(BATTERY, expected, strict=True):
        documents = [
            (parse_side(d["key"]), parse_side(d["response"])) for d in described["documents"]
        ]
        assert [document.sides for document in probe.documents] == documents


def test_notation() -> None:
    text = "{ab} {c} / {abc}; ∅ / {[0-2]}"
    assert documents_text(parse_documents("ab c / abc | ∅ / A")) == text


def test_a_conll_file() -> None:
    key, response = probe_files(parse_documents("ab / aab A | ∅ / ∅"), "conll")
    assert response.decode().splitlines() == [
        "#begin document (probe/d00); part 000",
        "probe/d00\t0\t0\tw0\t(0)|(0)|(1",
        "probe/d00\t0\t1\tw1\t(0)",
        "probe/d00\t0\t2\tw2\t1)",
        "",
        "#end document",
        "#begin document (probe/d01); part 000",
        "probe/d01\t0\t0\tw0\t-",
        "",
        "#end document",
    ]
    assert key.count(b"\n") == response.count(b"\n")


def test_what_is_reversed_and_what_cannot_be_written() -> None:
    probe = parse_documents("ab c / abc")
    assert documents_text(BATTERY[12].reversed.documents) == "{ihgf} {edc} {ba} / {hg} {iba} {fedc}"
    known = {p.id for p in (*BATTERY, *random_probes(12))}
    assert {*REVERSED} <= known
    assert [p.id for p in BATTERY if not writable(p, "corefud")] == [
        p.id for p in BATTERY if p.id.startswith("copy-")
    ]
    assert documents_text(probe) == "{ab} {c} / {abc}"
