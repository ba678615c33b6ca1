"""Audits: probes find out what a scorer computes, and axioms what a metric can be relied on for.

Not called `audit`, because `corefkit.audit` is the function that users call.
"""
