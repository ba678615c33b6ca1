"""Studies of metrics and corpora: scores at every threshold, power, keys with known errors."""

from corefkit.core.entry_points import PluginCommand, ResultType

STUDY = PluginCommand(
    "Score and check",
    "Study thresholds, the power of tests, and keys with known errors.",
    f"{__name__}.commands:command",
)
CURVE = PluginCommand(
    "Commands",
    "Score links with probabilities at every threshold.",
    f"{__name__}.commands.curve:command",
    sought=["curve"],
)
POWER = PluginCommand(
    "Commands",
    "Estimate how many documents it takes to tell systems apart.",
    f"{__name__}.commands.power:command",
    sought=["power"],
)
DEGRADE = PluginCommand(
    "Commands",
    "Write a key with known errors.",
    f"{__name__}.commands.degrade:command",
    sought=["degrade"],
)
CURVE_RESULT = ResultType(
    tables=f"{__name__}.curve_tables:curve_tables", text=f"{__name__}.curve_tables:render_curve"
)
POWER_RESULT = ResultType(
    tables=f"{__name__}.power_table:power_tables", text=f"{__name__}.power_table:render_power"
)
