"""Loops that grow, read and explain decision trees."""
