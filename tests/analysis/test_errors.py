"""The errors of one document."""

import pytest

import corefkit
from corefkit import UsageError
from tests.support import EXAMPLES

KEY, HASTY = EXAMPLES / "key.conll", EXAMPLES / "hasty.conll"


def test_one_document() -> None:
    found = corefkit.errors(KEY, HASTY)
    name = "(nw/harbour/00/harbour_0001); part 000"
    one = found.document(name)
    assert [error.id for error in one] == [error.id for error in found if error.document == name]
    assert one[:2] == [one[0], one[1]] and one[0].document == name
    assert repr(one) == f"DocumentErrors({name!r}, {len(one)} errors)"
    html = one._repr_html_()
    assert "harbour_0001" in html and html.count("Brightwater") == 2
    with pytest.raises(UsageError, match="no document 'nowhere'"):
        found.document("nowhere")
