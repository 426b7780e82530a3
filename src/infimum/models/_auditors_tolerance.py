"""The tolerance of a proof that is recomputed: the auditor's, not the model's."""

from __future__ import annotations

import inspect
from functools import cache

from infimum.parameters import check_domain, positive

__all__ = ["auditors_tolerance"]


def auditors_tolerance(kind: type, tolerance: float | None) -> float:
    """Return the tolerance that was asked for; None means the default of a class.

    What a model says of itself, in `tol` or in its certificate, is not asked: whoever
    wrote its file may have written that, too.

    Examples
    --------
    >>> from infimum.models.kernel import SVC
    >>> auditors_tolerance(SVC, None), auditors_tolerance(SVC, 1e-6)
    (0.001, 1e-06)
    """
    if tolerance is None:
        return _default(kind)
    check_domain(f"{kind.__name__}.certify's tolerance", tolerance, positive)
    return float(tolerance)


@cache
def _default(kind: type) -> float:
    # A class that somebody derives from ours may have other settings.
    named = (inspect.signature(each).parameters for each in kind.__mro__[:-1])
    return float(next(each["tol"].default for each in named if "tol" in each))
