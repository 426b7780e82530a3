"""Evidence: what is promised about a chosen model, and why it answers as it does."""

from infimum.learn.evidence.gathering import SECTIONS, Section, energy_of, gather

__all__ = ["SECTIONS", "Section", "energy_of", "gather"]
