"""Evaluation: what a model is worth on rows it has not seen."""

from infimum.evaluation.along_time import forward_folds, forward_hold_out
from infimum.evaluation.bootstrap import (
    BootstrapDistribution,
    bootstrap_distribution,
    variance_of_mean,
)
from infimum.evaluation.comparison import (
    PairedComparison,
    average_ranks,
    compare_pair,
    plot_errors,
)
from infimum.evaluation.conformal import (
    ConformalClassifier,
    ConformalRegressor,
    Coverage,
    CrossConformalRegressor,
    conformal_rank,
    conformal_threshold,
    measure_coverage,
)
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
from infimum.evaluation.dominance import Dominance, compare_roc
from infimum.evaluation.energy import EnergyMeter, EnergyUse
from infimum.evaluation.energy_scale import (
    JobEnergy,
    job_energy,
    kilowatt_hours_a_day,
    watts,
)
from infimum.evaluation.folds import SealedTestSet, Split, deal, folds, hold_out
from infimum.evaluation.grids import (
    combinations,
    powers_of_ten,
    tune,
    tune_in_turn,
)
from infimum.evaluation.many_learners import ManyComparison, compare_many
from infimum.evaluation.margins import Margins, margins
from infimum.evaluation.recommendation import (
    RecommenderScores,
    evaluate_recommender,
    ndcg_at_k,
    precision_at_k,
    recall_at_k,
    split_by_time,
    split_by_user,
)
from infimum.evaluation.residuals import ResidualSummary, summarize_residuals
from infimum.evaluation.selection_rules import (
    ErrorTable,
    cross_validate,
    one_standard_error,
)
from infimum.evaluation.structures import (
    EntityScores,
    edit_distance_credit,
    entity_scores,
    expected_rank_utility,
    precision_at,
    reciprocal_rank,
    sequence_accuracy,
)
from infimum.evaluation.two_samples import (
    TwoSampleTest,
    maximum_mean_discrepancy,
    two_sample_test,
)
from infimum.evaluation.whole_groups import grouped_folds, grouped_hold_out
from infimum.evaluation.zero_one import zero_one_loss
from infimum.theory.betting import betting_guarantee
from infimum.theory.bias_variance import BiasVariance, bias_variance
from infimum.theory.guarantee import Guarantee, plot_guarantees
from infimum.theory.intervals import (
    BinomialInterval,
    clopper_pearson,
    error_limit,
)
from infimum.theory.margin_bounds import margin_guarantee, rademacher_guarantee
from infimum.theory.plain_record import PlainRecord
from infimum.theory.risk_bounds import (
    bernstein_guarantee,
    binomial_guarantee,
    hoeffding_guarantee,
    loss_guarantee,
)

__all__ = [
    "BiasVariance",
    "BinomialInterval",
    "BootstrapDistribution",
    "CalibrationCurve",
    "ConformalClassifier",
    "ConformalRegressor",
    "ConfusionTable",
    "Coverage",
    "CrossConformalRegressor",
    "Dominance",
    "EnergyMeter",
    "EnergyUse",
    "EntityScores",
    "ErrorTable",
    "Guarantee",
    "JobEnergy",
    "ManyComparison",
    "Margins",
    "PairedComparison",
    "PlainRecord",
    "RecommenderScores",
    "ResidualSummary",
    "RocCurve",
    "SealedTestSet",
    "Split",
    "TwoSampleTest",
    "area_under_roc",
    "average_ranks",
    "bernstein_guarantee",
    "betting_guarantee",
    "bias_variance",
    "binomial_guarantee",
    "bootstrap_distribution",
    "boundary_points",
    "calibration_curve",
    "clopper_pearson",
    "combinations",
    "compare_many",
    "compare_pair",
    "compare_roc",
    "conformal_rank",
    "conformal_threshold",
    "confusion_matrix",
    "confusion_table",
    "cross_validate",
    "deal",
    "edit_distance_credit",
    "entity_scores",
    "error_limit",
    "evaluate_recommender",
    "expected_rank_utility",
    "folds",
    "forward_folds",
    "forward_hold_out",
    "grouped_folds",
    "grouped_hold_out",
    "hoeffding_guarantee",
    "hold_out",
    "job_energy",
    "kilowatt_hours_a_day",
    "loss_guarantee",
    "margin_guarantee",
    "margins",
    "maximum_mean_discrepancy",
    "measure_coverage",
    "ndcg_at_k",
    "one_standard_error",
    "plot_errors",
    "plot_guarantees",
    "powers_of_ten",
    "precision_at",
    "precision_at_k",
    "rademacher_guarantee",
    "recall_at_k",
    "reciprocal_rank",
    "roc_curve",
    "sequence_accuracy",
    "split_by_time",
    "split_by_user",
    "summarize_residuals",
    "tune",
    "tune_in_turn",
    "two_sample_test",
    "variance_of_mean",
    "watts",
    "zero_one_loss",
]

#: What 0.1 called `PlainRecord`.
Record = PlainRecord
