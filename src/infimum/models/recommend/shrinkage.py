"""Singular-value shrinkage: the proximal step of the trace norm."""

from __future__ import annotations

from typing import Any

from infimum.data.doors import array
from infimum.parameters import check_domain, nonnegative
from infimum.penalties import NuclearNorm
from infimum.typing import Matrix

__all__ = ["shrink_singular_values"]


def shrink_singular_values(Z: Any, amount: float) -> Matrix:
    r"""Return :math:`U \operatorname{diag}((d_i - λ)_+) V^\top` for a matrix Z.

    It is the least of ½‖Z - M‖² + λ‖M‖_*. Without the ½ it would be the one for λ/2.

    Examples
    --------
    >>> shrink_singular_values([[3.0, 0.0], [0.0, 1.0]], 2.0).round(12).tolist()
    [[1.0, 0.0], [0.0, 0.0]]
    """
    check_domain("shrink_singular_values.amount", amount, nonnegative)
    Z = array(Z)
    return NuclearNorm().prox(Z, float(amount)) if amount else Z
