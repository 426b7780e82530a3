"""Ways to draw from a law, and what draws say about it."""

from infimum.distributions.sampling.adaptive_rejection import reject_adaptively
from infimum.distributions.sampling.alias_table import AliasTable, CumulativeTable
from infimum.distributions.sampling.chains import ChainSampler
from infimum.distributions.sampling.diagnostics import (
    Diagnosis,
    bulk_ess,
    diagnose,
    mean_error,
    mean_ess,
    rank_rhat,
    tail_ess,
)
from infimum.distributions.sampling.draws import Draws, DrawSummary
from infimum.distributions.sampling.hamiltonian import Hamiltonian
from infimum.distributions.sampling.metropolis import Gibbs, Metropolis
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
    "ChainSampler",
    "CumulativeTable",
    "Diagnosis",
    "DrawSummary",
    "Draws",
    "Gibbs",
    "Hamiltonian",
    "Metropolis",
    "bulk_ess",
    "diagnose",
    "disc_by_rejection",
    "envelope_constant",
    "mean_error",
    "mean_ess",
    "rank_rhat",
    "reject",
    "reject_adaptively",
    "restrict",
    "tail_ess",
    "uniform_disc",
    "uniform_ellipse",
]
