"""Ways to draw from a law, and what draws say about it."""

from infimum.distributions.sampling.alias_table import AliasTable, CumulativeTable

__all__ = ["AliasTable", "CumulativeTable"]
