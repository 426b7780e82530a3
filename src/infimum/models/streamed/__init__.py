"""Fits on streamed rows of models that are no linear risk: moments, centres, trees."""

__all__: list[str] = []
