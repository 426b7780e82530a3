"""Experiments: the statements of learning theory, run under laws that are known."""

from infimum.theory.experiments.consistency import (
    ConsistencyCurve,
    MemorizingClassifier,
    Symmetrization,
    consistency_curve,
    symmetrization,
)
from infimum.theory.experiments.excess_risk import (
    ExcessRisk,
    excess_risk,
    risk_in_class,
    uniform_deviation,
)
from infimum.theory.experiments.interpolation import (
    DoubleDescent,
    ShuffledLabels,
    double_descent,
    shuffled_labels,
)
from infimum.theory.experiments.no_free_lunch import (
    NoFreeLunch,
    VersionSpace,
    no_free_lunch,
    version_space,
)

__all__ = [
    "ConsistencyCurve",
    "DoubleDescent",
    "ExcessRisk",
    "MemorizingClassifier",
    "NoFreeLunch",
    "ShuffledLabels",
    "Symmetrization",
    "VersionSpace",
    "consistency_curve",
    "double_descent",
    "excess_risk",
    "no_free_lunch",
    "risk_in_class",
    "shuffled_labels",
    "symmetrization",
    "uniform_deviation",
    "version_space",
]
