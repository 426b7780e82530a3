"""The figures of the report, as plain dictionaries in Plotly's format."""

from infimum.report.figures.classification import calibration, roc
from infimum.report.figures.frame import Figure
from infimum.report.figures.gap import gap_over_time
from infimum.report.figures.path import score_path, weight_path
from infimum.report.figures.regression import predicted_and_true, residual_histogram
from infimum.report.figures.weights import weight_bars

__all__ = [
    "Figure",
    "calibration",
    "gap_over_time",
    "predicted_and_true",
    "residual_histogram",
    "roc",
    "score_path",
    "weight_bars",
    "weight_path",
]
