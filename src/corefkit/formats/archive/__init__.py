"""Formats of tools and evaluations of the past, which corpora in use still have.

Most of these corpora are licensed, and none of their files were at hand: ACE, ANCOR TEI, Glozz,
i2b2, MMAX2, MUC, Rich ERE and TAC were read from documentation, from the programs of others and
from files made after them, never from a file of a corpus. `tbf` was compared with its scorer.
"""
