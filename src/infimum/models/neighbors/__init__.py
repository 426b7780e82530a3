"""Neighbours: what is close is alike."""

__all__: list[str] = []
