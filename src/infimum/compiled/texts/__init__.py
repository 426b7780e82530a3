"""Loops that compare and count texts."""
