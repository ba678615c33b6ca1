"""Scores for the programs that use coreference (Tuggener 2014): immediate, inferred, anchor."""
