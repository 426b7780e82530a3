"""Covariances of tables: as they are, shrunk, sparse inside, or robust."""

from infimum.models.covariance.elliptic_envelope import EllipticEnvelope
from infimum.models.covariance.empirical_covariance import (
    EmpiricalCovariance,
    empirical_covariance,
    log_likelihood,
)
from infimum.models.covariance.graphical_lasso import GraphicalLasso, graphical_lasso
from infimum.models.covariance.graphical_lasso_cv import GraphicalLassoCV
from infimum.models.covariance.ledoit_wolf import (
    LedoitWolf,
    ledoit_wolf,
    ledoit_wolf_shrinkage,
)
from infimum.models.covariance.min_cov_det import MinCovDet, fast_mcd
from infimum.models.covariance.oracle_shrinkage import OAS, oas
from infimum.models.covariance.shrunk_covariance import (
    ShrunkCovariance,
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
