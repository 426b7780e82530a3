"""Theory: what can be promised about a model, as things that compute and invert."""

from infimum.theory.betting import betting_guarantee
from infimum.theory.bias_variance import BiasVariance, bias_variance
from infimum.theory.concentration import (
    Bernstein,
    Chebyshev,
    Concentration,
    ExactBinomial,
    Hoeffding,
    Markov,
    McDiarmid,
    MeanPath,
    NormalApproximation,
    UnionBound,
    bounded_differences,
    max_variance,
    mean_path,
    round_at_random,
)
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
    "Bernstein",
    "BiasVariance",
    "BinomialInterval",
    "Chebyshev",
    "Concentration",
    "ExactBinomial",
    "Guarantee",
    "Hoeffding",
    "Markov",
    "McDiarmid",
    "MeanPath",
    "NormalApproximation",
    "Record",
    "UnionBound",
    "bernstein_guarantee",
    "betting_guarantee",
    "bias_variance",
    "binomial_guarantee",
    "bounded_differences",
    "clopper_pearson",
    "error_limit",
    "hoeffding_guarantee",
    "loss_guarantee",
    "margin_guarantee",
    "max_variance",
    "mean_path",
    "plot_guarantees",
    "rademacher_guarantee",
    "round_at_random",
]
