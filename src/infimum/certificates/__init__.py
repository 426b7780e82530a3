"""Certificates: solver-independent bounds on the quality of a solution."""

from infimum.certificates.certificate import Certificate
from infimum.certificates.duality_gap import certify, feasible_correlation, lower_bound

__all__ = ["Certificate", "certify", "feasible_correlation", "lower_bound"]
