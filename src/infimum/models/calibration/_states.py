"""What fitted maps to probabilities must be."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.fitted import State

__all__ = ["STATES"]

_MAPS = ("IsotonicRegression", "SigmoidCalibration", "TemperatureScaling")


def _check_steps(model: Any) -> None:
    places = model.X_thresholds_
    if len(places) == 0 or (np.diff(places) <= 0).any():
        raise DataError("IsotonicRegression.X_thresholds_ must rise.")


def _check_members(model: Any) -> None:
    many, maps = len(model.estimators_), len(model.calibrators_)
    if many == 0 or maps == 0 or maps % many:
        raise DataError("CalibratedClassifierCV needs as many maps for each member.")
    if any(type(each).__name__ not in _MAPS for each in model.calibrators_):
        raise DataError("CalibratedClassifierCV.calibrators_ must be maps of scores.")
    classes = model.classes_
    if len(classes) < 2 or not (classes[:-1] < classes[1:]).all():  # noqa: PLR2004
        raise DataError("CalibratedClassifierCV.classes_ must be two or more, sorted.")
    for member in model.estimators_:
        own = getattr(member, "classes_", None)
        if own is None or not set(np.asarray(own).tolist()) <= set(classes.tolist()):
            raise DataError("CalibratedClassifierCV.classes_ must be its members' too.")


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
