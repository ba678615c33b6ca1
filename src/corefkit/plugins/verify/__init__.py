"""Results that name their files are reproduced, by anybody, to the last digit."""

from corefkit.core.entry_points import PluginCommand

VERIFY = PluginCommand(
    "About the scores",
    "Reproduce a result, or compare two.",
    f"{__name__}.command:command",
    sought=["diff"],
)
