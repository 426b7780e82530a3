"""Declared states of the study's estimators of means."""

from infimum.fitted import State
from infimum.models.linear._states import FEATURES

__all__ = ["STATES"]

STATES = {
    "JamesSteinRegressor": State(
        {
            **FEATURES,
            "coef_": "float[features]",
            "intercept_": "number",
            "shrinkage_": "number",
        }
    ),
}
