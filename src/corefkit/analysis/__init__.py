"""Errors: what a response got wrong, what it cost, and how it would score without.

The way through this package: `joint` puts the mentions of both sides into one table, `spans`
finds those that differ in their boundaries only, `types` finds the errors of seven types,
`repairs` takes some of them back, `shares` scores what is left and shares out the lost points,
`links` tells the same story as missing and spurious links, `details` says of each error what it
is. The types and repairs build on Kummerfeld and Klein (EMNLP 2013).
"""
