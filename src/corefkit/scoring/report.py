"""The result of one run, as data."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from corefkit.core.counts import Size
from corefkit.core.incidents import Incident
from corefkit.core.options import Options
from corefkit.core.source import Source
from corefkit.scorers.comparison import Side
from corefkit.scorers.signature import signature
from corefkit.scoring.scores import Scores

if TYPE_CHECKING:
    from corefkit.scorers.conll801 import Repeat
    from corefkit.scoring.hashes import FileHash
    from corefkit.scoring.stratum import Stratum


class System(NamedTuple):
    """One response and its result; `scores` is None where it could not be scored."""

    name: str
    path: str
    scores: Scores | None
    incidents: tuple[Incident, ...] = ()
    size: Size = Size(0, 0, 0)
    repeats: "tuple[Repeat, ...]" = ()
    """By the reference scorer: the mentions that were removed, up to the eleventh."""
    left_out: Mapping[str, Mapping[str, int]] | None = None
    """How many mentions `leave_out` took from each side, by kind."""
    labels: Mapping[str, int] | None = None
    """With labels: how many spans both sides have, and how many of these with the same labels."""
    strata: "Mapping[str, Mapping[str, Stratum]]" = {}  # noqa: RUF012 (never changed)
    """In a task: the strata of its scores, by the label or feature that they are split by."""
    sources: tuple[Source, ...] = ()
    """What was read from standard input."""
    surprises: Mapping[str, str] = {}
    """What defaults hide about it, by kind; only where it was asked for."""
    known_hash: "FileHash | None" = None
    """In a task: the hash of the files, made when they were read."""

    @property
    def hash(self) -> "FileHash":
        """The hash of the files."""
        if self.known_hash is not None:
            return self.known_hash
        from corefkit.scoring.hashes import hash_files

        return hash_files(self.path, self.sources)


class Report(NamedTuple):
    """The result of one run: the key, the systems in the order given, and what was noticed."""

    options: Options
    key: Side
    systems: tuple[System, ...]

    @property
    def incidents(self) -> list[Incident]:
        """All incidents: of the key, then of the systems in order."""
        return [*self.key.incidents, *(i for s in self.systems for i in s.incidents)]

    @property
    def notes(self) -> list[str]:
        """Where a default may surprise, one line each."""
        from corefkit.scoring.notes import write_notes

        return write_notes(self)

    @property
    def signature(self) -> str:
        """One line that says how the scores were made; coverage in the order of the systems."""
        scores = self.scores.values()
        aligned = any(one.coverage is not None for one in scores)
        coverage = [1.0 if one.coverage is None else one.coverage for one in scores]
        return signature(self.options, coverage if aligned else ())

    @property
    def key_hash(self) -> "FileHash":
        """The hash of the files of the key."""
        from corefkit.scoring.hashes import hash_files

        return hash_files(self.key.path, self.key.corpus.sources)

    def files(self) -> dict[str, Any]:
        """Key and responses with their hashes, as they stand in JSON output."""
        return {
            "key": {"path": self.key.path, **self.key_hash.to_dict()},
            "responses": [
                {"name": one.name, "path": one.path, **one.hash.to_dict()} for one in self.systems
            ],
        }

    @property
    def scores(self) -> dict[str, Scores]:
        """The scores of the systems that could be scored, by their names."""
        return {system.name: system.scores for system in self.systems if system.scores}
