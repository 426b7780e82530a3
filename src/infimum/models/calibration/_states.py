"""What fitted maps to probabilities must be."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.fitted import State

__all__ = ["STATES"]


def _check_steps(model: Any) -> None:
    places = model.X_thresholds_
    if len(places) == 0 or (np.diff(places) <= 0).any():
        raise DataError("IsotonicRegression.X_thresholds_ must rise.")


def _check_members(model: Any) -> None:
    many, maps = len(model.estimators_), len(model.calibrators_)
    if many == 0 or maps == 0 or maps % many:
        raise DataError("CalibratedClassifierCV needs as many maps for each member.")


STATES = {
    "IsotonicRegression": State(
        {
            "X_thresholds_": "finite[steps]",
            "y_thresholds_": "finite[steps]",
            "X_min_": "number",
            "X_max_": "number",
            "increasing_": "flag",
            "certificate_": "Certificate",
        },
        also=_check_steps,
    ),
    "SigmoidCalibration": State({"a_": "number", "b_": "number"}),
    "TemperatureScaling": State({"beta_": "number"}),
    "CalibratedClassifierCV": State(
        {
            "classes_": "label[classes]",
            "estimators_": "list of estimator",
            "calibrators_": "list of estimator",
            "calibration_error_": "number",
            "uncalibrated_error_": "none | number",
        },
        also=_check_members,
    ),
}
