"""Conformal prediction: intervals and sets that contain the truth as often as said."""

from infimum.evaluation.conformal.classifier import ConformalClassifier
from infimum.evaluation.conformal.coverage import Coverage, measure_coverage
from infimum.evaluation.conformal.cross_regressor import CrossConformalRegressor
from infimum.evaluation.conformal.rank import (
    conformal_rank,
    conformal_threshold,
    weighted_threshold,
)
from infimum.evaluation.conformal.regressor import ConformalRegressor
from infimum.evaluation.conformal.strata import Strata

__all__ = [
    "ConformalClassifier",
    "ConformalRegressor",
    "Coverage",
    "CrossConformalRegressor",
    "Strata",
    "conformal_rank",
    "conformal_threshold",
    "measure_coverage",
    "weighted_threshold",
]
