"""Errors: what a response got wrong, what it cost, and how it would score without.

The way through this package: `joint` puts the mentions of both sides into one table and finds
those that differ in their boundaries only; `types` finds the errors of seven types; `repairs`
takes some of them back, scores what is left and shares out the lost points; `link_errors`
tells the same story as missing and spurious links; `error` makes an object of each error, with its
words and its place; `errors` is what `corefkit.errors` returns. The types and repairs build
on Kummerfeld and Klein (EMNLP 2013).
"""
