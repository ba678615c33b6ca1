"""corefkit corpus."""

from tests.support import run


def test_did_you_mean() -> None:
    assert "Did you mean split?" in run("corpus", "spilt").err
    assert "Did you mean skeleton?" in run("corpus", "skeletn").err
    assert run("corpus", "score").status == 2
