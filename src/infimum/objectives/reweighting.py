"""Iteratively reweighted least squares: a Newton step as a least-squares problem."""

from __future__ import annotations

import numpy as np

from infimum.errors import IncompatibleError
from infimum.losses import Loss, Squared
from infimum.objectives.evaluation import Evaluation
from infimum.objectives.linear_risk import LinearRisk
from infimum.penalties import NoPenalty, Ridge

__all__ = ["reweighted_least_squares"]

#: Curvatures below this share of the largest are raised to it: a sample that is sure
#: of itself would otherwise ask for a response at infinity.
LEAST_CURVATURE = 1e-12


def reweighted_least_squares(here: Evaluation) -> LinearRisk:
    r"""Return the weighted least-squares risk that a Newton step from here minimises.

    .. math:: \min_w \sum_i q_i R_i\, (z_i - \langle w, x_i\rangle - b)^2, \qquad
              R_i = \ell''(f_i),\quad z_i = f_i - \ell'(f_i) / \ell''(f_i)

    R are the working weights and z the adjusted responses; for the logistic loss
    R = g(1 - g) and z = f + (y - g)/R with labels 0 and 1. A ridge penalty is carried
    over in the right units.
    """
    risk = here.risk
    loss, strength = risk.loss, risk.penalty.quadratic
    if not isinstance(loss, Loss) or not loss.smooth or strength is None:
        raise IncompatibleError(
            f"{type(loss).__name__} with {type(risk.penalty).__name__} has no "
            "reweighted form: take a smooth scalar loss and a ridge penalty or none."
        )
    bends = np.maximum(here.bends, LEAST_CURVATURE * float(here.bends.max()))
    weights = risk.weights * bends
    scale = float(weights.sum())
    return risk.afresh(
        y=here.scores - here.slopes / bends,
        loss=Squared(),
        penalty=Ridge(strength / scale) if strength > 0 else NoPenalty(),
        sample_weight=weights,
    )
