"""Losses that see the scores of a whole sample: rankings, areas, labelled chains."""
