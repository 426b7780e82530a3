"""Evaluation: what a model is worth on rows it has not seen."""

from infimum.evaluation.bias_variance import BiasVariance, bias_variance
from infimum.evaluation.confusion import (
    ConfusionTable,
    confusion_matrix,
    confusion_table,
)
from infimum.evaluation.curves import (
    CalibrationCurve,
    RocCurve,
    area_under_roc,
    calibration_curve,
    roc_curve,
)
from infimum.evaluation.decision_boundary import boundary_points
from infimum.evaluation.folds import SealedTestSet, Split, deal, folds, hold_out
from infimum.evaluation.intervals import (
    BinomialInterval,
    clopper_pearson,
    error_limit,
)
from infimum.evaluation.margins import Margins, margins
from infimum.evaluation.residuals import ResidualSummary, summarize_residuals
from infimum.evaluation.selection_rules import (
    ErrorTable,
    cross_validate,
    one_standard_error,
)

__all__ = [
    "BiasVariance",
    "BinomialInterval",
    "CalibrationCurve",
    "ConfusionTable",
    "ErrorTable",
    "Margins",
    "ResidualSummary",
    "RocCurve",
    "SealedTestSet",
    "Split",
    "area_under_roc",
    "bias_variance",
    "boundary_points",
    "calibration_curve",
    "clopper_pearson",
    "confusion_matrix",
    "confusion_table",
    "cross_validate",
    "deal",
    "error_limit",
    "folds",
    "hold_out",
    "margins",
    "one_standard_error",
    "roc_curve",
    "summarize_residuals",
]
