"""The figures of the report, as plain dictionaries in Plotly's format."""

from infimum.report.figures.alarms import p_value_histogram
from infimum.report.figures.answers import answer_shares
from infimum.report.figures.classification import calibration, roc
from infimum.report.figures.columns import column_effect, column_importance
from infimum.report.figures.costs import cost_curve
from infimum.report.figures.description import described
from infimum.report.figures.frame import Figure
from infimum.report.figures.gap import gap_over_time
from infimum.report.figures.groups import fairness_price, rates_by_group
from infimum.report.figures.labels import label_errors
from infimum.report.figures.learning import learning_curve
from infimum.report.figures.path import is_path, score_path, weight_path
from infimum.report.figures.promises import conformal_answers, guarantee_reach
from infimum.report.figures.regression import predicted_and_true, residual_histogram
from infimum.report.figures.runs import run_intervals
from infimum.report.figures.tabulation import tabulated
from infimum.report.figures.weights import weight_bars

__all__ = [
    "Figure",
    "answer_shares",
    "calibration",
    "column_effect",
    "column_importance",
    "conformal_answers",
    "cost_curve",
    "described",
    "fairness_price",
    "gap_over_time",
    "guarantee_reach",
    "is_path",
    "label_errors",
    "learning_curve",
    "p_value_histogram",
    "predicted_and_true",
    "rates_by_group",
    "residual_histogram",
    "roc",
    "run_intervals",
    "score_path",
    "tabulated",
    "weight_bars",
    "weight_path",
]
