"""Kind: what a kind of incident means."""

from dataclasses import dataclass

from corefkit.data.incidents import Severity


@dataclass(frozen=True)
class Kind:
    """A kind of defect: how grave it is under the profile `standard`, and its explanation."""

    severity: Severity
    what: str
    do: str
