"""Certificates: solver-independent bounds on the quality of a solution."""

from infimum.certificates.certificate import Certificate
from infimum.certificates.duality_gap import certify, feasible_correlation, lower_bound
from infimum.certificates.support_vector_gap import (
    best_offsets,
    certify_support_vectors,
    null_risk,
)

__all__ = [
    "Certificate",
    "best_offsets",
    "certify",
    "certify_support_vectors",
    "feasible_correlation",
    "lower_bound",
    "null_risk",
]
