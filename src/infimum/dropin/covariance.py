"""The part of ``sklearn.covariance`` that Infimum offers, under the same names."""

from infimum.dropin._others import theirs
from infimum.models.covariance import (
    OAS,
    EllipticEnvelope,
    EmpiricalCovariance,
    GraphicalLasso,
    GraphicalLassoCV,
    LedoitWolf,
    MinCovDet,
    ShrunkCovariance,
    empirical_covariance,
    fast_mcd,
    graphical_lasso,
    ledoit_wolf,
    ledoit_wolf_shrinkage,
    log_likelihood,
    oas,
    shrunk_covariance,
)

__all__ = [
    "OAS",
    "EllipticEnvelope",
    "EmpiricalCovariance",
    "GraphicalLasso",
    "GraphicalLassoCV",
    "LedoitWolf",
    "MinCovDet",
    "ShrunkCovariance",
    "empirical_covariance",
    "fast_mcd",
    "graphical_lasso",
    "ledoit_wolf",
    "ledoit_wolf_shrinkage",
    "log_likelihood",
    "oas",
    "shrunk_covariance",
]

__getattr__ = theirs(__name__)
