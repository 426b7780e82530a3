"""The part of ``sklearn.calibration`` that Infimum offers, under the same names."""

from infimum.dropin._others import theirs
from infimum.models.calibration import CalibratedClassifierCV

__all__ = ["CalibratedClassifierCV"]

__getattr__ = theirs(__name__)
