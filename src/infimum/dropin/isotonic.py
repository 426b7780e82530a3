"""The part of ``sklearn.isotonic`` that Infimum offers, under the same names."""

from infimum.dropin._others import theirs
from infimum.models.calibration import (
    IsotonicRegression,
    check_increasing,
    isotonic_regression,
)

__all__ = ["IsotonicRegression", "check_increasing", "isotonic_regression"]

__getattr__ = theirs(__name__)
