"""Audits: what a scorer computes, found out by probes, and what a metric can be relied on for.

Not called `audit`, because `corefkit.audit` is the function that users call.
"""
