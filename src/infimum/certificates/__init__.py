"""Certificates: solver-independent bounds on the quality of a solution."""

from infimum.certificates.certificate import FINEST, Certificate, least_certain
from infimum.certificates.duality_gap import (
    best_bound,
    certify,
    feasible_correlation,
    lower_bound,
)
from infimum.certificates.plane_bound import certify_by_planes
from infimum.certificates.quadratic_gap import certify_least_squares
from infimum.certificates.regret import (
    Regret,
    budget_perceptron_bound,
    convex_regret_bound,
    halving_bound,
    hedge_bound,
    mirror_regret_bound,
    passive_aggressive_bound,
    perceptron_bound,
    strongly_convex_regret_bound,
    weighted_majority_bound,
    winnow_bound,
)
from infimum.certificates.rounding import DualPoint, gamma, rounding_slack
from infimum.certificates.support_vector_gap import (
    best_offsets,
    cancellation,
    certify_support_vectors,
    gain_of,
    judged_by,
    null_risk,
)
from infimum.certificates.support_vector_rounding import allow_for_rounding

__all__ = [
    "FINEST",
    "Certificate",
    "DualPoint",
    "Regret",
    "allow_for_rounding",
    "best_bound",
    "best_offsets",
    "budget_perceptron_bound",
    "cancellation",
    "certify",
    "certify_by_planes",
    "certify_least_squares",
    "certify_support_vectors",
    "convex_regret_bound",
    "feasible_correlation",
    "gain_of",
    "gamma",
    "halving_bound",
    "hedge_bound",
    "judged_by",
    "least_certain",
    "lower_bound",
    "mirror_regret_bound",
    "null_risk",
    "passive_aggressive_bound",
    "perceptron_bound",
    "rounding_slack",
    "strongly_convex_regret_bound",
    "weighted_majority_bound",
    "winnow_bound",
]
