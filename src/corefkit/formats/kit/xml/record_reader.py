"""XML as records: each element of a repeated kind is a row of the requested values.

Programs write all elements of a kind in one way, or in a few, so that the records of most files can
be found all at once (`finder`). Any other file, e.g. one with comments or a broken one, goes to
expat, which finds the same rows more slowly and reports problems.
"""

from collections.abc import Collection, Mapping

from corefkit.core.incidents import Collector
from corefkit.formats.kit.byte_columns import UnfitError
from corefkit.formats.kit.xml import ElementListener, walk
from corefkit.formats.kit.xml.finder import find_records
from corefkit.formats.kit.xml.record_tables import RecordKind, RecordRow, Records, RecordScope


def read_records(
    data: bytes, kinds: Mapping[str, RecordKind], scopes: Collection[str], collector: Collector
) -> Records | None:
    """The records of a file; None, and an incident, if it is broken."""
    try:
        return find_records(data, kinds, scopes)
    except UnfitError:
        walker = _RecordWalker(kinds, scopes)
        return walker.records if walk(data, walker, collector) else None


class _RecordWalker(ElementListener):
    """Makes rows of the elements that expat finds."""

    def __init__(self, kinds: Mapping[str, RecordKind], scopes: Collection[str]) -> None:
        self._kinds, self._scopes = kinds, scopes
        self.records = Records(kinds)
        self._open = [-1]
        self._base = 0
        self._kind = RecordKind(())
        self._values: dict[str, str] = {}
        self._lists: dict[str, list[RecordRow]] = {}
        self._begun: tuple[str, int] = "", 1
        self._outer: tuple[int, RecordKind, dict[str, str]] | None = None

    def start(self, path: list[str], attributes: dict[str, str]) -> None:
        name = path[-1]
        if not self._base:
            if name not in self._kinds or len(path) < 2:
                if name in self._scopes:
                    self._open.append(len(self.records.scopes))
                    self.records.scopes.append(RecordScope(name, _local(attributes), self.line))
                return
            self._kind = self._kinds[name]
            self._base, self._values = len(path), {}
            self._lists = {listed: [] for listed in self._kind.lists}
            self._begun = self.namespace, self.line
        elif name in self._kind.lists and self._outer is None:
            self._outer = self._base, self._kind, self._values
            self._base, self._values = len(path), {}
            self._kind = RecordKind(self._kind.lists[name])
        within = tuple(path[self._base :])
        for attribute, value in _local(attributes).items():
            if (field := self._kind.field(within, f"@{attribute}")) is not None:
                self._values[field] = value

    def end(self, path: list[str], text: str) -> None:
        if not self._base:
            if path[-1] in self._scopes:
                self._open.pop()
            return
        if (field := self._kind.field(tuple(path[self._base :]), "")) is not None:
            self._values[field] = text
        if len(path) > self._base:
            return
        row = tuple(self._values.get(name) for name in self._kind.fields)
        if self._outer is not None:
            self._base, self._kind, self._values = self._outer
            self._outer = None
            self._lists[path[-1]].append(row)
            return
        self._base = 0
        table = self.records.tables[self._kind.table or path[-1]]
        namespace, line = self._begun
        table.rows.append((*row, *(self._lists[name] for name in self._kind.lists)))
        table.scope.append(self._open[-1])
        table.namespaces.append(namespace)
        if self._kind.lined:
            table.lines.append(line)


def _local(attributes: dict[str, str]) -> dict[str, str]:
    """The attributes without namespaces; if two have the same name, the one with a namespace."""
    plain = {name: value for name, value in attributes.items() if "}" not in name}
    others = {name.rpartition("}")[2]: v for name, v in attributes.items() if "}" in name}
    return {**plain, **others}
