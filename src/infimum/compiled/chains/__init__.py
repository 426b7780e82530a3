"""Loops along chains of states: forward, backward, best labelling."""
