r"""The gap of least squares, by the curvature of the risk.

A quadratic risk is known everywhere from one point. With the gradient g there, and
the second moments H of the samples, every step t has

    P(w + t) = P(w) + ⟨g, t⟩ + ½ ⟨t, H t⟩  ≥  P(w) - ½ ⟨g, H⁻¹ g⟩  ≥  P(w) - ‖g‖²/(2λ)

where λ is the least eigenvalue of H. No slopes have to be balanced, and nothing is paid
for moving them: what rounding may do to g, λ and P(w) is all there is to count.
"""

import numpy as np

from infimum.certificates.certificate import Certificate
from infimum.certificates.rounding import UNIT, gamma
from infimum.losses import Squared
from infimum.objectives import Evaluation
from infimum.penalties import NoPenalty
from infimum.typing import Vector

__all__ = ["certify_least_squares"]

#: Samples whose losses are added at a time.
BLOCK = 1 << 14
#: Intercept and columns may overlap by this much.
APART = 0.5


def certify_least_squares(here: Evaluation, spectrum: Vector) -> Certificate | None:
    """Certify a point of least squares by the eigenvalues of XᵀQX; no penalty.

    Parameters
    ----------
    here : Evaluation
        The point, under a risk whose columns are centred where it has an intercept.
    spectrum : array of shape (n_features,)
        The eigenvalues as they were computed, the least first.

    Returns
    -------
    Certificate or None
        None where columns are not clearly independent, or the risk is another one.
    """
    risk = here.risk
    plain = isinstance(risk.loss, Squared) and isinstance(risk.penalty, NoPenalty)
    if not plain or risk.offset is not None or risk.design.dtype != np.float64:
        return None
    (n, d), reach = risk.design.shape, risk.reach
    lost, length = 2.0 * gamma(n + 8.0), float(np.linalg.norm(reach))
    least = float(spectrum[0]) - lost * length**2
    least -= 16.0 * d * d * UNIT * float(spectrum[-1])
    if not least > 0.0:
        return None
    overlap = float(risk.intercept) * lost * length / float(np.sqrt(least))
    if not overlap < APART:
        return None
    size = float(np.sqrt(2.0 * here.empirical))
    width = float(here.width(reach)) + abs(float(here.point[-1]))
    # What rounding may do to the residuals: in the mean of squares, at most.
    blur = 2.0 * gamma(d + 6.0) * (width + size)
    steep = float(np.linalg.norm(here.pulled_back))
    steep += lost * length * size + blur * length
    last = float(risk.intercept) * (abs(float(here.weighted_slopes.sum())) + blur)
    last += float(risk.intercept) * lost * size
    gap = 0.5 * (steep**2 / least + last**2) / (1.0 - overlap) * (1.0 + 1e-9)
    slack = blur * (size + blur) + gamma(min(n, BLOCK) + n / BLOCK + 8.0) * size**2
    dual = here.value - gap - slack
    return Certificate(here.value, dual, risk.scale, slack=slack)
