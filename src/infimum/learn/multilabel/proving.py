"""The proof of several labels: their risks add up, and so do the bounds."""

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from infimum.certificates import Certificate
from infimum.typing import Vector

__all__ = ["certify_labels", "joint_certificate"]


def joint_certificate(parts: Sequence[Certificate | None]) -> Certificate | None:
    """Return the certificate of the sum of the risks; None if one part has none.

    Examples
    --------
    >>> one = Certificate(primal=2.0, dual=1.5, scale=1.0)
    >>> both = joint_certificate([one, one])
    >>> both.primal, both.dual, both.scale, both.slack
    (4.0, 3.0, 2.0, 0.0)
    """
    known = [part for part in parts if part is not None]
    if not known or len(known) < len(parts):
        return None
    return Certificate(
        primal=sum(part.primal for part in known),
        dual=sum(part.dual for part in known),
        scale=sum(part.scale for part in known),
        tolerance=max(part.tolerance for part in known),
        reason=known[0].reason,
        slack=sum(part.slack for part in known),
    )


def certify_labels(
    model: Any,
    X: Any,
    y: NDArray[Any],
    weights: Vector | None = None,
    *,
    rigorous: bool = False,
) -> Certificate | None:
    """Compute the proof of every label again, from its weights and the data."""
    if not all(hasattr(each, "certify") for each in model.estimators_):
        return None
    given = () if weights is None else (weights,)
    return joint_certificate(
        [
            each.certify(X, y[:, k], *given, rigorous=rigorous)
            for k, each in enumerate(model.estimators_)
        ]
    )
