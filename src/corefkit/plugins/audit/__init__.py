"""Audits: probes find out what a scorer computes, and axioms what a metric can be relied on for."""

from corefkit.core.entry_points import PluginCommand, ResultType

AUDIT = PluginCommand(
    "About the scores",
    "Find out what a scorer computes, and whether its scores are comparable.",
    f"{__name__}.command:command",
    sought=["--command"],
)
PROPERTIES = PluginCommand(
    "Options",
    "Show which axioms each METRIC satisfies.",
    f"{__name__}.property_tables:command",
)
RESULT = ResultType(
    tables=f"{__name__}.tables:audit_tables", text=f"{__name__}.tables:render_audit"
)
