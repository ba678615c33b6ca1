"""Audits: probes find out what a scorer computes, and axioms what a metric can be relied on for."""

from corefkit.core.entry_points import PluginCommand

AUDIT = PluginCommand(
    "About the scores",
    "Find out what a scorer computes, and whether its scores are comparable.",
    f"{__name__}.command:command",
    sought=["--command"],
)
PROPERTIES = PluginCommand(
    "Commands",
    "Show which axioms each METRIC satisfies: `corefkit metrics --properties`.",
    f"{__name__}.property_tables:command",
)
