"""Conjugate priors of any exponential family: phantom samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp

from infimum.distributions._given import family, generator, numbers
from infimum.distributions.exponential_family import ExponentialFamily
from infimum.distributions.inference._conjugate_forms import CLOSED, DRAWN, MEAN_LAWS
from infimum.errors import DataError, IncompatibleError, InvalidParameterError
from infimum.parameters import Choice, check_domain, positive, whole
from infimum.typing import Matrix, Vector

__all__ = ["ConjugatePrior"]

MEASURES = Choice(("natural", "mean"))
#: Nodes of a numerical normaliser in each direction, and how far they reach.
NODES, REACH = (1000, 120), 16.0


@dataclass(frozen=True, eq=False)
class ConjugatePrior:
    r"""What to believe about the natural parameters of an exponential family.

    .. math:: p(\theta \mid n, \nu) = \exp\bigl(\langle n\nu, \theta\rangle
              - n A(\theta) - h(n\nu, n)\bigr)

    `n` is the size of a phantom sample and `nu` the average of its statistics. Data
    add to both, so that values one at a time and all at once give the same belief.
    The density is with respect to dθ, the natural parameters; `law` gives the belief
    about the mean, and takes the other convention as well.

    Examples
    --------
    >>> from infimum.distributions import Bernoulli
    >>> belief = ConjugatePrior(Bernoulli(), 2.0, [0.5]).update([1, 1, 0])
    >>> belief.law(), round(float(belief.predictive([1.0])[0]), 3)
    (Beta(a=3.0, b=2.0), 0.6)
    """

    family: ExponentialFamily
    n: float
    nu: Vector

    def __post_init__(self) -> None:
        family("ConjugatePrior.family", self.family)
        check_domain("ConjugatePrior.n", self.n, positive)
        nu = np.atleast_1d(numbers("ConjugatePrior.nu", self.nu))
        if nu.shape != self.family.natural.shape or not np.isfinite(nu).all():
            raise InvalidParameterError(
                f"ConjugatePrior.nu must be {len(self.family.natural)} finite numbers, "
                f"got {self.nu!r}."
            )
        object.__setattr__(self, "nu", nu)

    def update(
        self, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> ConjugatePrior:
        """Return the belief after seeing `y`; no values leave it as it was."""
        if np.size(y) == 0:
            return self
        average, size = self.family.averaged(y, sample_weight)
        total = self.n + size
        return ConjugatePrior(
            self.family, total, (self.n * self.nu + size * average) / total
        )

    @property
    def natural(self) -> Vector:
        """The natural parameters (nν, n) of the belief, itself an exponential family.

        Its statistics are θ and -A(θ).
        """
        return np.append(self.n * self.nu, self.n)

    def statistics(self, theta: ArrayLike) -> Vector:
        """Return (θ, -A(θ))."""
        point = self._point(theta)
        return np.append(point, -self.family.log_partition(point))

    def log_density(self, theta: ArrayLike) -> float:
        """Return log p(θ | n, ν); -inf where the family has no law."""
        point = self._point(theta)
        if not np.isfinite(self.family.log_partition(point)):
            return -np.inf
        return float(self.statistics(point) @ self.natural) - self.log_normaliser()

    def log_normaliser(self, measure: str = "natural") -> float:
        """Return h(nν, n), in closed form where it is known, else by quadrature.

        Parameters
        ----------
        measure : {"natural", "mean"}
            Whether the integral is over the natural parameters (nν counts as given)
            or over the mean (each count one higher).
        """
        check_domain("ConjugatePrior.measure", measure, MEASURES)
        if measure == "mean":
            return self._means()[1]
        known = CLOSED.get(type(self.family).__name__)
        if known is not None:
            return float(known(self.family, self.n, self.nu))
        return self.numerical_log_normaliser()

    def law(self, measure: str = "natural") -> Any:
        """Return the belief about the mean of the family, as a law of this room.

        With ``measure="natural"`` a coin has Beta(nν, n(1 - ν)); with
        ``measure="mean"`` it has Beta(nν + 1, n(1 - ν) + 1), as if the density were
        taken with respect to the probability itself.
        """
        check_domain("ConjugatePrior.measure", measure, MEASURES)
        return self._means(0.0 if measure == "natural" else 1.0)[0]

    def mode(self) -> ExponentialFamily:
        """Return the law with the most probable natural parameters: E[T] = ν."""
        return self.family.matching(self.nu)

    def sample(self, n: int, random_state: Any = None) -> Matrix:
        """Draw n independent natural parameters, one in each row.

        ``family.of_natural`` makes a law of each. Families without exact draws are
        drawn by a sampler of `infimum.distributions.sampling` from `log_density`.

        Examples
        --------
        >>> from infimum.distributions import Normal
        >>> belief = ConjugatePrior(Normal(), 2.0, [0.0, 1.0]).update([4.0, 5.0, 6.0])
        >>> laws = [Normal().of_natural(each) for each in belief.sample(4000, 0)]
        >>> round(sum(law.location < 5 for law in laws) / 4000, 2)
        0.97
        """
        drawn = DRAWN.get(type(self.family).__name__)
        if drawn is None:
            raise IncompatibleError(
                f"ConjugatePrior.sample: {type(self.family).__name__} has no exact "
                "draws; use a sampler with log_density."
            )
        check_domain("ConjugatePrior.sample.n", n, whole(0))
        rng = generator("ConjugatePrior.sample", random_state)
        return drawn(self.family, self.n, self.nu, int(n), rng)

    def predictive(self, y: ArrayLike) -> Vector:
        """Return p(y) of each new value with the parameters integrated out."""
        return np.exp(self.log_predictive(y))

    def log_predictive(self, y: ArrayLike) -> Vector:
        """Return log p(y): the base measure times a ratio of normalisers."""
        values = numbers("ConjugatePrior.predictive", y)
        inside = self.family.covers(values)
        out = np.full(inside.shape, -np.inf)
        here = self.log_normaliser()
        kept = values[inside]
        logs = []
        for statistic in self.family.statistics(kept) if len(kept) else ():
            nu = (self.n * self.nu + statistic) / (self.n + 1.0)
            after = ConjugatePrior(self.family, self.n + 1.0, nu)
            logs.append(after.log_normaliser() - here)
        if logs:
            out[inside] = self.family.log_base(kept) + np.array(logs)
        return out

    def numerical_log_normaliser(self) -> float:
        """Return h by quadrature around the mode, for one or two parameters."""
        centre = np.asarray(self.mode().natural)
        if len(centre) > 2:  # noqa: PLR2004
            raise IncompatibleError(
                f"ConjugatePrior: {type(self.family).__name__} has no closed form, and "
                f"{len(centre)} parameters are too many for quadrature."
            )
        bend = self.n * self.family.statistics_covariance(centre)
        axes = np.linalg.inv(np.linalg.cholesky(bend)).T
        nodes, weights = _wide_nodes(NODES[len(centre) - 1])
        grids = np.meshgrid(*[nodes] * len(centre), indexing="ij")
        steps = np.stack([grid.ravel() for grid in grids], axis=1)
        shares = np.meshgrid(*[np.log(weights)] * len(centre), indexing="ij")
        logs = np.sum(shares, axis=0).ravel()
        places = centre + steps @ axes.T
        bulk = np.array([self.family.log_partition(place) for place in places])
        terms = logs + places @ (self.n * self.nu) - self.n * bulk
        return float(logsumexp(terms) + np.log(np.abs(np.linalg.det(axes))))

    def _point(self, theta: ArrayLike) -> Vector:
        point = np.atleast_1d(numbers("ConjugatePrior", theta))
        if point.shape != self.nu.shape:
            raise DataError(
                f"ConjugatePrior takes {len(self.nu)} natural parameters, got "
                f"{theta!r}."
            )
        return point

    def _means(self, more: float = 1.0) -> tuple[Any, float]:
        make = MEAN_LAWS.get(type(self.family).__name__)
        if make is None:
            raise IncompatibleError(
                f"ConjugatePrior.law: the mean of {type(self.family).__name__} has no "
                "named law; use log_density."
            )
        law, normaliser = make(self.family, self.n, self.nu, more)
        return law, float(normaliser)


def _wide_nodes(count: int) -> tuple[Vector, Vector]:
    """Return nodes that are dense in the middle and reach far, with their weights."""
    t = np.linspace(-1.0, 1.0, count)
    bent = np.sinh(3.5 * t) / np.sinh(3.5)
    slope = 3.5 * np.cosh(3.5 * t) / np.sinh(3.5)
    return 4.0 * REACH * bent, 4.0 * REACH * slope * (t[1] - t[0])
