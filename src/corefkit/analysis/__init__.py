"""Errors: what a response got wrong, what that cost, and how it would score without.

In the order of the analysis: `joint` puts the mentions of both sides into one table and pairs those
that differ only in their boundaries; `types` finds the errors of seven types; `repairs` undoes the
errors of some types, scores the result and divides the lost points among the types; `gains` does
the same for single errors; `losses` divides them between detection and linking; `link_errors`
reports the errors as missing and spurious links; `error` makes an object of each error, with its
words and its place; `errors` has the result of `corefkit.errors`. The types and repairs build on
Kummerfeld and Klein (EMNLP 2013).
"""
