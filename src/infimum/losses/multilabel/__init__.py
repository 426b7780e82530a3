"""Losses of sets of labels."""
