"""Functions that never fall, and probabilities that are right on average."""

from infimum.models.calibration._calibrators import (
    SigmoidCalibration,
    TemperatureScaling,
)
from infimum.models.calibration.calibrated_classifier_cv import CalibratedClassifierCV
from infimum.models.calibration.isotonic_regression import (
    IsotonicRegression,
    check_increasing,
    isotonic_regression,
)

__all__ = [
    "CalibratedClassifierCV",
    "IsotonicRegression",
    "SigmoidCalibration",
    "TemperatureScaling",
    "check_increasing",
    "isotonic_regression",
]
