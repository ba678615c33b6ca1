"""The benchmark: `python -m bench` prints one table of what was measured and what the limit is.

Machines differ and are shared, so nearly everything is a ratio of two times measured in one run:
the repetitions are interleaved, and of each the fastest counts.
"""
