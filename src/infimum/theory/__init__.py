"""Theory: what can be promised about a model, as things that compute and invert."""

from infimum.theory.betting import betting_guarantee
from infimum.theory.bias_variance import BiasVariance, bias_variance
from infimum.theory.guarantee import Guarantee, plot_guarantees
from infimum.theory.intervals import BinomialInterval, clopper_pearson, error_limit
from infimum.theory.margin_bounds import margin_guarantee, rademacher_guarantee
from infimum.theory.record import Record
from infimum.theory.risk_bounds import (
    bernstein_guarantee,
    binomial_guarantee,
    hoeffding_guarantee,
    loss_guarantee,
)

__all__ = [
    "BiasVariance",
    "BinomialInterval",
    "Guarantee",
    "Record",
    "bernstein_guarantee",
    "betting_guarantee",
    "bias_variance",
    "binomial_guarantee",
    "clopper_pearson",
    "error_limit",
    "hoeffding_guarantee",
    "loss_guarantee",
    "margin_guarantee",
    "plot_guarantees",
    "rademacher_guarantee",
]
