"""Ways to draw from a law, and what draws say about it."""

from infimum.distributions.sampling.alias_table import AliasTable, CumulativeTable
from infimum.distributions.sampling.rejection import (
    Accepted,
    envelope_constant,
    reject,
    restrict,
)
from infimum.distributions.sampling.shapes import (
    disc_by_rejection,
    uniform_disc,
    uniform_ellipse,
)

__all__ = [
    "Accepted",
    "AliasTable",
    "CumulativeTable",
    "disc_by_rejection",
    "envelope_constant",
    "reject",
    "restrict",
    "uniform_disc",
    "uniform_ellipse",
]
