"""The likeliest law under a prior on its natural parameters, with a proof."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from infimum.distributions._given import family as in_family
from infimum.distributions._given import function, numbers
from infimum.distributions.exponential_family import ExponentialFamily
from infimum.errors import DataError, IncompatibleError
from infimum.parameters import (
    Choice,
    Interval,
    check_domain,
    nonnegative,
    positive,
    whole,
)
from infimum.typing import Matrix, Vector

__all__ = ["MAPEstimate", "PenalisedLikelihood", "map_estimate"]

METHODS = Choice(("auto", "newton", "gradient", "proximal"))


@dataclass(frozen=True, eq=False)
class MAPEstimate:
    """Where a penalised likelihood was minimised, and how far from the least value.

    Attributes
    ----------
    law : ExponentialFamily
        The law with the natural parameters found.
    value : float
        The objective there.
    gap : float
        A bound on what is left to gain; infinite where no bound is known.
    residuals : tuple of float
        The norm of the gradient, or of the proximal step, before each iteration.
    """

    law: ExponentialFamily
    value: float
    gap: float
    residuals: tuple[float, ...]

    @property
    def iterations(self) -> int:
        """How many iterations were made."""
        return len(self.residuals) - 1


class PenalisedLikelihood:
    r"""The mean surprise of a sample plus a norm of the natural parameters.

    .. math:: A(\theta) - \langle \mu, \theta\rangle
              + \frac{\lambda}{m} \lVert\theta - \theta_0\rVert_p^d

    It is the negative log-posterior divided by m under the prior
    exp(-λ‖θ - θ₀‖ₚᵈ). A normal prior of variance σ² is p = d = 2, λ = 1/(2σ²).

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.distributions import Poisson
    >>> aim = PenalisedLikelihood(Poisson(), np.array([2.0]), 10.0, 0.5)
    >>> round(aim.value(np.zeros(1)), 3)
    1.0
    """

    def __init__(
        self,
        family: ExponentialFamily,
        average: Vector,
        size: float,
        strength: float,
        centre: ArrayLike = 0.0,
        p: float = 2.0,
        d: float = 2.0,
    ) -> None:
        self.family, self.average = family, np.asarray(average, dtype=np.float64)
        self.weight = strength / size
        self.centre = np.broadcast_to(
            np.asarray(centre, dtype=np.float64), self.average.shape
        )
        self.p, self.d = p, d

    def fit_value(self, theta: Vector) -> float:
        """Return the mean surprise alone."""
        return self.family.negative_log_likelihood(theta, self.average)

    def value(self, theta: Vector) -> float:
        """Return the objective; +inf outside the domain."""
        far = float(np.linalg.norm(theta - self.centre, self.p))
        return float(self.fit_value(theta) + self.weight * far**self.d)

    def gradient(self, theta: Vector) -> Vector:
        """Return the gradient; the norm must be smooth where it is taken."""
        slope = self.family.mean_statistics(theta) - self.average
        apart = theta - self.centre
        size = float(np.linalg.norm(apart, self.p))
        if size == 0:
            return np.asarray(slope)
        shares = np.sign(apart) * (np.abs(apart) / size) ** (self.p - 1.0)
        return np.asarray(slope + self.weight * self.d * size ** (self.d - 1) * shares)

    def hessian(self, theta: Vector) -> Matrix:
        """Return the second derivatives for p = d = 2."""
        bend = self.family.statistics_covariance(theta)
        return np.asarray(bend + 2.0 * self.weight * np.eye(len(theta)))

    @property
    def strong_convexity(self) -> float:
        """What the squared norm adds in every direction."""
        return 2.0 * self.weight if self.p == self.d == 2 else 0.0  # noqa: PLR2004


def map_estimate(
    family: ExponentialFamily,
    y: ArrayLike,
    strength: float,
    *,
    centre: ArrayLike = 0.0,
    p: float = 2.0,
    d: float = 2.0,
    method: str = "auto",
    sample_weight: ArrayLike | None = None,
    tol: float = 1e-10,
    max_iter: int = 10_000,
    callback: Callable[[int, float], bool | None] | None = None,
) -> MAPEstimate:
    r"""Return the most probable natural parameters after seeing `y`.

    Minimises `PenalisedLikelihood`. With p = d = 2 the gap is proved:
    mσ²‖gradient‖²/2.

    Parameters
    ----------
    family : ExponentialFamily
        Any law of the family; the search starts from it.
    y : array-like
        The sample. No prior makes a category that never occurred well defined but
        this one does.
    strength, centre, p, d
        λ, θ₀, and the two exponents of the prior, at least 1.
    method : {"auto", "newton", "gradient", "proximal"}
        "newton" and "gradient" take p = d = 2, "proximal" takes d = 1 and p = 1 or 2,
        whose answers can have exact zeros. "auto" takes what suits.
    sample_weight : array-like, optional
        A weight of k means the same as k copies of the value.
    tol : float, default=1e-10
        Stop when the gradient, or the proximal step, is shorter.
    max_iter : int, default=10,000
    callback : callable, optional
        Called with iteration and residual; returning True stops.

    Examples
    --------
    >>> from infimum.distributions import Categorical
    >>> found = map_estimate(Categorical((0.4, 0.3, 0.3)), [0, 0, 1], strength=0.5)
    >>> [round(q, 3) for q in found.law.probabilities], found.gap < 1e-12
    ([0.502, 0.319, 0.179], True)
    """
    check_domain("map_estimate.strength", strength, positive)
    check_domain("map_estimate.method", method, METHODS)
    check_domain("map_estimate.max_iter", max_iter, whole(1))
    check_domain("map_estimate.tol", tol, nonnegative)
    for name, exponent in (("p", p), ("d", d)):
        check_domain(f"map_estimate.{name}", exponent, Interval(1, np.inf))
    if callback is not None:
        function("map_estimate.callback", callback)
    average, size = in_family("map_estimate.family", family).averaged(y, sample_weight)
    _refuse_unless_central(centre, average)
    aim = PenalisedLikelihood(family, average, size, strength, centre, p, d)
    smooth = p == d == 2  # noqa: PLR2004
    method = method if method != "auto" else ("newton" if smooth else "proximal")
    step = _STEPS[method](aim)
    theta = np.array(family.natural, dtype=np.float64)
    theta = np.where(np.isfinite(theta), theta, 0.0)
    residuals: list[float] = []
    for iteration in range(int(max_iter) + 1):
        moved, residual = step(theta)
        residuals.append(residual)
        stop = callback is not None and callback(iteration, residual)
        if stop or residual <= tol or np.array_equal(moved, theta):
            break
        theta = moved
    gap = np.inf
    if smooth:
        slope = aim.gradient(theta)
        gap = float(slope @ slope) / (2.0 * aim.strong_convexity)
    return MAPEstimate(
        family.from_natural(theta), aim.value(theta), gap, tuple(residuals)
    )


def _refuse_unless_central(centre: ArrayLike, average: Vector) -> None:
    around = numbers("map_estimate.centre", centre)
    if around.shape not in {(), average.shape} or not np.isfinite(around).all():
        raise DataError(
            f"map_estimate.centre must be one finite number or {len(average)}, got "
            f"{centre!r}."
        )


def _newton(aim: PenalisedLikelihood) -> Callable[[Vector], tuple[Vector, float]]:
    _refuse_unless(aim, aim.p == aim.d == 2, "newton")  # noqa: PLR2004

    def step(theta: Vector) -> tuple[Vector, float]:
        slope = aim.gradient(theta)
        move = np.linalg.solve(aim.hessian(theta), slope)
        return _shortened(aim, theta, move, float(slope @ move)), _norm(slope)

    return step


def _gradient(aim: PenalisedLikelihood) -> Callable[[Vector], tuple[Vector, float]]:
    _refuse_unless(aim, aim.p == aim.d == 2, "gradient")  # noqa: PLR2004

    def step(theta: Vector) -> tuple[Vector, float]:
        slope = aim.gradient(theta)
        return _shortened(aim, theta, slope, float(slope @ slope)), _norm(slope)

    return step


def _proximal(aim: PenalisedLikelihood) -> Callable[[Vector], tuple[Vector, float]]:
    _refuse_unless(aim, aim.d == 1 and aim.p in (1, 2), "proximal")
    tried = [1.0]  # the length that the last step took

    def step(theta: Vector) -> tuple[Vector, float]:
        slope = aim.family.mean_statistics(theta) - aim.average
        here, length = aim.fit_value(theta), 2.0 * tried[0]
        while True:
            moved = aim.centre + _shrunk(
                theta - length * slope - aim.centre, length * aim.weight, aim.p
            )
            far = moved - theta
            model = here + float(slope @ far) + 0.5 * float(far @ far) / length
            if aim.fit_value(moved) <= model + 1e-14 * abs(model) or length < 1e-12:
                tried[0] = length
                return moved, _norm(far) / length
            length *= 0.5

    return step


_STEPS: dict[str, Any] = {
    "newton": _newton,
    "gradient": _gradient,
    "proximal": _proximal,
}


def _refuse_unless(aim: PenalisedLikelihood, suits: bool, method: str) -> None:  # noqa: FBT001
    if not suits:
        raise IncompatibleError(
            f"map_estimate: the method {method!r} does not take p = {aim.p:g}, "
            f"d = {aim.d:g}."
        )


def _shortened(
    aim: PenalisedLikelihood, theta: Vector, move: Vector, decrease: float
) -> Vector:
    """Return a step that stays in the domain and descends enough."""
    here, length = aim.value(theta), 1.0
    while length > 1e-15:
        there = np.asarray(theta - length * move)
        value = aim.value(there)
        if value <= here - 0.25 * length * decrease + 4e-16 * abs(here):
            return there
        length *= 0.5
    return theta


def _shrunk(point: Vector, by: float, p: float) -> Vector:
    """Return the proximal point of `by` times a norm."""
    if p == 1:
        return np.asarray(np.sign(point) * np.maximum(np.abs(point) - by, 0.0))
    size = _norm(point)
    return np.asarray(point * max(1.0 - by / size, 0.0) if size else point)


def _norm(vector: Vector) -> float:
    return float(np.linalg.norm(vector))
