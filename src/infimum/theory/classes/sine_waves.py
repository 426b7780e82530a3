"""Signs of sine waves: one parameter, no finite capacity."""

from dataclasses import dataclass
from math import inf, pi
from typing import Any

import numpy as np

from infimum.errors import IncompatibleError
from infimum.theory.classes._hypothesis_class import HypothesisClass
from infimum.typing import Mask, Matrix, Vector

__all__ = ["SineWaves"]

_MOST_FREQUENCIES = 200_000
_MOST_DIGITS = 12


@dataclass(frozen=True)
class SineWaves(HypothesisClass):
    r"""Functions :math:`\mathrm{sgn} \sin(t x)` with one real parameter t.

    The points 0.1, 0.01, 0.001, … can be labelled in every way, so that the VC
    dimension is infinite and no bound by it exists, although there is one parameter.

    Examples
    --------
    >>> from infimum.theory import SineWaves, shatters
    >>> shatters(SineWaves(), [0.1, 0.01, 0.001, 0.0001, 0.00001])
    True
    """

    dimension = 1
    vc_dimension = inf

    def _realize(self, points: Matrix, positive: Mask) -> Any:
        values = points[:, 0]
        same, place = np.unique(values, return_inverse=True)
        ups = np.bincount(place, positive, minlength=len(same))
        if np.any((ups > 0) & (ups < np.bincount(place, minlength=len(same)))):
            return None  # one point with two labels
        made = _by_digits(values, positive)
        return _by_search(values, positive) if made is None else made

    def _predict(self, parameters: Any, points: Matrix) -> Mask:
        return np.asarray(np.sin(parameters * points[:, 0]) > 0)


def _by_digits(values: Vector, positive: Mask) -> float | None:
    """Write the labels as decimal digits, if the points are powers of a tenth."""
    with np.errstate(divide="ignore", invalid="ignore"):
        powers = -np.log10(values)
    places = np.rint(powers)
    if not np.all((np.abs(powers - places) < 1e-9) & (places > 0)):
        return None
    if places.max(initial=0) > _MOST_DIGITS:
        return None
    wanted = {int(place) for place in places[~positive]}
    made = pi * (1 + sum(10**place for place in wanted))
    return made if np.array_equal(np.sin(made * values) > 0, positive) else None


def _by_search(values: Vector, positive: Mask) -> float:
    """Try one frequency between any two at which some label changes."""
    moving = np.abs(values[values != 0])
    top = pi * _MOST_FREQUENCIES / float(np.sum(moving)) if len(moving) else 1.0
    ends = [np.arange(1, int(top * x / pi) + 2) * pi / x for x in moving]
    changes = np.unique(np.concatenate([[0.0], *ends]))
    tried = 0.5 * (changes[1:] + changes[:-1]) if len(changes) > 1 else np.ones(1)
    tried = np.concatenate([tried, -tried])
    agree = np.ones(len(tried), dtype=bool)
    for x, label in zip(values, positive, strict=True):
        agree &= (np.sin(tried * x) > 0) == label
    if agree.any():
        return float(tried[int(np.argmax(agree))])
    raise IncompatibleError(
        f"No frequency below {top:.3g} gives SineWaves these labels; larger ones were "
        "not tried. Points that are powers of 1/10 have a formula."
    )
