"""Online mirror descent: a step against each loss as it comes, seen in a mirror."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.certificates import Regret, mirror_regret_bound
from infimum.models.online.mirrors import MirrorMap
from infimum.parameters import Choice, check_domain, positive, whole
from infimum.typing import Vector

__all__ = ["OnlineMirrorDescent"]


class OnlineMirrorDescent:
    r"""A point that answers every convex loss with one step in a mirror's geometry.

    .. math:: w_{t+1} = P_{ψ,Ω}\bigl(∇ψ^*(∇ψ(w_t) - η_t g_t)\bigr), \qquad
              g_t ∈ ∂f_t(w_t)

    With `EuclideanMirror` this is projected gradient descent, with `EntropyMirror`
    exponentiated gradient, with `PNormMirror` the p-norm algorithms.

    Parameters
    ----------
    mirror : MirrorMap
        The geometry and the set.
    features : int
        How many coefficients there are.
    step : float, default=1.0
        The first step η₁.
    schedule : {"inverse_root", "inverse", "constant"}
        η₁/√t, the default, for convex losses; η₁/t for strongly convex ones, with
        η₁ = 1/λ; or η₁ throughout.

    Attributes
    ----------
    point : ndarray
        Where the learner stands: w_t.
    incurred : float
        The sum of the losses met, each at the point that met it.
    steps : list of float
        The steps taken.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.models.online import EuclideanMirror
    >>> player = OnlineMirrorDescent(EuclideanMirror(1.0), 2)
    >>> player.learn(0.0, np.array([-3.0, -4.0])).point.round(12).tolist()
    [0.6, 0.8]

    References
    ----------
    Zinkevich (2003), ICML. Kivinen & Warmuth (1997), Information and Computation 132.
    """

    def __init__(
        self,
        mirror: MirrorMap,
        features: int,
        *,
        step: float = 1.0,
        schedule: str = "inverse_root",
    ) -> None:
        owner = type(self).__name__
        check_domain(f"{owner}.features", features, whole(1))
        check_domain(f"{owner}.step", step, positive)
        kinds = Choice(("inverse_root", "inverse", "constant"))
        check_domain(f"{owner}.schedule", schedule, kinds)
        self.mirror, self.step, self.schedule = mirror, float(step), schedule
        self.point: Any = mirror.start(int(features))
        self.incurred, self.steepest = 0.0, 0.0
        self.steps: list[float] = []

    def learn(self, loss: float, gradient: Vector) -> OnlineMirrorDescent:
        """Pay the loss at the present point, and step against its subgradient."""
        self.incurred += float(loss)
        self.steepest = max(self.steepest, self.mirror.dual_norm(gradient))
        power = {"inverse_root": 0.5, "inverse": 1.0, "constant": 0.0}[self.schedule]
        eta = self.step / (len(self.steps) + 1) ** power
        image = self.mirror.gradient(self.point) - eta * np.asarray(gradient)
        self.point = self.mirror.project(self.mirror.inverse_gradient(image))
        self.steps.append(eta)
        return self

    def regret(
        self, comparator: Vector, comparator_loss: float, *, strength: float = 0.0
    ) -> Regret:
        """Return what was paid against a fixed point, beside the bound.

        Parameters
        ----------
        comparator : ndarray
            The fixed point, in the set.
        comparator_loss : float
            What it would have paid for the same losses.
        strength : float, default=0.0
            How strongly convex the losses are relative to the mirror.
        """
        # Constant steps telescope to the divergence from the start; decaying ones pay
        # the diameter for every shortening.
        start = self.mirror.start(len(self.point))
        constant = self.schedule == "constant"
        reach = self.mirror.divergence(np.asarray(comparator), start)
        bound = mirror_regret_bound(
            reach if constant and strength == 0.0 else self.mirror.diameter,
            self.steepest,
            self.steps,
            modulus=self.mirror.modulus,
            strength=strength,
        )
        return Regret(self.incurred, float(comparator_loss), bound)
