"""Novelty: what is unlike everything seen before."""

__all__: list[str] = []
