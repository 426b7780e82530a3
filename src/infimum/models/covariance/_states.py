"""What a fitted covariance must be: a mean, a square matrix, perhaps its inverse."""

from __future__ import annotations

from infimum.fitted import State

__all__ = ["STATES"]

_COVARIANCE = State(
    {
        "n_features_in_": "size features",
        "location_": "finite[features]",
        "covariance_": "finite[features, features]",
        "precision_": "none | float[features, features]",
    }
)
_SHRUNK = State({"shrinkage_": "number"}, base=_COVARIANCE)
_SPARSE = State(
    {
        "costs_": "list of plain",
        "n_iter_": "count",
        "certificate_": "Certificate",
    },
    base=_COVARIANCE,
)
_ROBUST = State(
    {
        "raw_location_": "finite[features]",
        "raw_covariance_": "finite[features, features]",
        "raw_support_": "bool[samples]",
        "support_": "bool[samples]",
        "dist_": "float[samples]",
    },
    base=_COVARIANCE,
)

STATES = {
    "EmpiricalCovariance": _COVARIANCE,
    "ShrunkCovariance": _COVARIANCE,
    "LedoitWolf": _SHRUNK,
    "OAS": _SHRUNK,
    "GraphicalLasso": _SPARSE,
    "GraphicalLassoCV": State(
        {"alpha_": "number", "cv_results_": "dict of float[*]"}, base=_SPARSE
    ),
    "MinCovDet": _ROBUST,
    "EllipticEnvelope": State({"offset_": "number"}, base=_ROBUST),
}
