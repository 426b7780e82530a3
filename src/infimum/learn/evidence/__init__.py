"""Evidence: what is promised about a chosen model, and why it answers as it does."""

from infimum.learn.evidence.gathering import SECTIONS, gather

__all__ = ["SECTIONS", "gather"]
