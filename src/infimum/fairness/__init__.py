"""Fairness: how decisions treat groups, what can be had together, and remedies."""

from infimum.fairness.audit import QUESTIONS, Audit, audit, calibration_by_group
from infimum.fairness.causal import LinearCausalModel, counterfactual_gap
from infimum.fairness.completion import CompletedRates, complete_rates
from infimum.fairness.constrained import (
    CovarianceConstrainedClassifier,
    FairThreshold,
    fair_threshold,
)
from infimum.fairness.criteria import CRITERIA, FAMILIES, Criterion
from infimum.fairness.derived import DerivedPredictor, derive, derive_from_rates
from infimum.fairness.disparity import (
    Disparity,
    disparity,
    measure_disparity,
    unfairness,
)
from infimum.fairness.distortion import (
    Measurement,
    Reporting,
    simulate_detection,
    simulate_measurement,
    simulate_reporting,
)
from infimum.fairness.embeddings import analogy, direction_scores
from infimum.fairness.feedback import FeedbackLoop, simulate_feedback
from infimum.fairness.flips import FlipAudit, flip_audit
from infimum.fairness.grouping import form_groups
from infimum.fairness.impossibility import Impossibility, impossibility, table_gaps
from infimum.fairness.individual import IndividualFairness, individual_fairness
from infimum.fairness.prototypes import FairPrototypes
from infimum.fairness.proxies import Proxy, ProxyAudit, association, proxy_audit
from infimum.fairness.rates import GroupRates, Rate, group_rates
from infimum.fairness.removal import SensitiveRemover
from infimum.fairness.stages import STAGES
from infimum.fairness.thresholds import (
    GroupThresholds,
    crossing_thresholds,
    group_thresholds,
)
from infimum.fairness.trade_off import TradeOff, trade_off

__all__ = [
    "CRITERIA",
    "FAMILIES",
    "QUESTIONS",
    "STAGES",
    "Audit",
    "CompletedRates",
    "CovarianceConstrainedClassifier",
    "Criterion",
    "DerivedPredictor",
    "Disparity",
    "FairPrototypes",
    "FairThreshold",
    "FeedbackLoop",
    "FlipAudit",
    "GroupRates",
    "GroupThresholds",
    "Impossibility",
    "IndividualFairness",
    "LinearCausalModel",
    "Measurement",
    "Proxy",
    "ProxyAudit",
    "Rate",
    "Reporting",
    "SensitiveRemover",
    "TradeOff",
    "analogy",
    "association",
    "audit",
    "calibration_by_group",
    "complete_rates",
    "counterfactual_gap",
    "crossing_thresholds",
    "derive",
    "derive_from_rates",
    "direction_scores",
    "disparity",
    "fair_threshold",
    "flip_audit",
    "form_groups",
    "group_rates",
    "group_thresholds",
    "impossibility",
    "individual_fairness",
    "measure_disparity",
    "proxy_audit",
    "simulate_detection",
    "simulate_feedback",
    "simulate_measurement",
    "simulate_reporting",
    "table_gaps",
    "trade_off",
    "unfairness",
]
