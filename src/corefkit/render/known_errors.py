"""What `corefkit degrade` lists and prints: the errors that were made, and what errors cost."""

from collections.abc import Sequence

from corefkit.core.texts import to_json
from corefkit.corpora.known_errors import KnownError
from corefkit.render.delimited import write_rows
from corefkit.render.table import DELIMITED


def render_known_errors(errors: Sequence[KnownError], form: str = "tsv") -> str:
    """The errors, one per line, as tsv, csv or jsonl."""
    if form == "jsonl":
        return "".join(to_json(error._asdict(), None) for error in errors)
    return write_rows([KnownError._fields, *errors], DELIMITED[form])
