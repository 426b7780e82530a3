"""Least angle regression, and the lasso along its path: routes, walks and proofs."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils import check_random_state

from infimum.certificates import Certificate, certify
from infimum.compiled.threads import one_blas_thread
from infimum.data.doors import measured, samples
from infimum.models._advice import open_gap
from infimum.models._guarded_fit import (
    FEW_ENTRIES,
    one_thread_if_quick,
    whole_or_not_at_all,
)
from infimum.models._interruption import was_interrupted
from infimum.models.linear._overflow import affine, blames_numbers
from infimum.models.linear._problem import LinearProblem
from infimum.models.linear.fit import attainable
from infimum.models.linear.greedy._centred_table import Centred
from infimum.models.linear.greedy._lasso_walk import Walk
from infimum.models.warnings import UncertifiedWarning
from infimum.objectives import LinearRisk
from infimum.parameters import Domains, check_parameters, nonnegative, or_none, whole
from infimum.penalties import Box, Lasso, NoPenalty, Penalty
from infimum.solvers import choose
from infimum.typing import Matrix, Vector

__all__ = ["LeastAngle", "Route", "Trail", "proved", "walked"]

#: The relative gap within which a corner of the path must solve its lasso.
GAP = 1e-6


class Route(NamedTuple):
    """What a path is followed by: its recipe."""

    #: The largest number of steps.
    most: int
    #: The strength at which the path ends.
    floor: float = 0.0
    #: Whether coefficients that reach 0 leave the path; then its points are proved.
    lasso: bool = False
    positive: bool = False
    #: Whether a model keeps the whole path.
    kept: bool = True

    def walk(self, table: Centred, k: int = 0) -> Trail:
        """Walk to a target from the strongest strength to the floor."""
        how = {"leaves": self.lasso, "positive": self.positive, "forgiving": True}
        pulls = table.pulls[k]
        top = pulls.max(initial=0.0) if self.positive else np.abs(pulls).max(initial=0)
        if top <= self.floor:
            return _nowhere(self.floor, len(pulls))
        if table.gram is None:
            walk = Walk(table.A, table.targets[k], **how)
        else:
            walk = Walk.among(table.gram, pulls, **how)
        return _trail(walk, self.floor, self.most)


class Trail(NamedTuple):
    """A path that was walked: strengths, active features at its end, coefficients."""

    alphas: Vector
    active: list[int]
    #: One column a strength.
    coefs: Matrix


def walked(
    A: Matrix,
    target: Vector,
    *,
    lasso: bool,
    positive: bool = False,
    floor: float = 0.0,
    most: int,
) -> Trail:
    """Walk from the strongest strength to `floor`, or for `most` steps."""
    walk = Walk(A, target, leaves=lasso, positive=positive, forgiving=True)
    return _trail(walk, floor, most)


def _trail(walk: Walk, floor: float, most: int) -> Trail:
    if walk.top <= floor:
        return _nowhere(floor, len(walk.w))
    walk.go(floor, most)
    # One that joined at the last corner has had no part in the path so far.
    active = [j for j in walk.active if walk.w[j] != 0.0]
    return Trail(np.array(walk.alphas), active, np.array(walk.coefs).T)


def _nowhere(floor: float, d: int) -> Trail:
    """Return the path along which no column pulls hard enough."""
    return Trail(np.array([floor]), [], np.zeros((d, 1)))


class LeastAngle(RegressorMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """A linear model at the end of an exact, piecewise linear path."""

    _domains: ClassVar[Domains] = {
        "max_iter": whole(0),
        "n_nonzero_coefs": whole(1),
        "jitter": or_none(nonnegative),
    }

    coef_: Any
    intercept_: Any
    fit_intercept: bool
    jitter: float | None = None
    random_state: Any = None

    @abstractmethod
    def _recipe(self) -> Route:
        """Return what the path is followed by; the parameters are checked."""

    @whole_or_not_at_all
    @blames_numbers
    def fit(self, X: Any, y: Any, Xy: Any = None) -> Self:
        """Walk the path to its end; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples, float32 or float64.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Targets; each has a path of its own.
        Xy : ignored
            Accepted for compatibility with scikit-learn.
        """
        check_parameters(self)
        rule: dict[str, Any] = {"moderate": True, "accept_sparse": False}
        rows = measured(self, X, y, multi_output=True, **rule)
        X, y = rows.X, rows.y
        if self.jitter is not None:
            random = check_random_state(self.random_state)
            noise = random.uniform(high=self.jitter, size=len(y))
            y = (y.T + noise).T
        table = Centred.of(X, y, intercept=bool(self.fit_intercept))
        columns = 0 if y.ndim == 1 else y.shape[1]
        self._follow(self._recipe(), table, X.dtype, several=columns > 1)
        if columns == 1 and self.fit_intercept:
            self.intercept_ = np.array([self.intercept_])
        return self

    def predict(self, X: Any) -> Vector | Matrix:
        """Return ⟨w, x⟩ + b for each sample."""
        X = samples(self, X)
        return affine(self, X, self.coef_, self.intercept_)

    def _follow(
        self, route: Route, table: Centred, dtype: Any, *, several: bool
    ) -> None:
        with one_thread_if_quick(table, FEW_ENTRIES):
            trails = [route.walk(table, k) for k in range(len(table.targets))]
        points = [
            np.append(trail.coefs[:, -1], mean)
            for trail, mean in zip(trails, table.means, strict=True)
        ]
        ends = [float(trail.alphas[-1]) for trail in trails]
        if route.lasso:
            points = proved(self, table.problem, points, ends)
        pairs = [table.problem.unpack(point, k) for k, point in enumerate(points)]
        coefs = [coef.astype(dtype) for coef, _ in pairs]
        intercepts = [np.float64(intercept) for _, intercept in pairs]
        self.coef_ = np.array(coefs) if several else coefs[0]
        self.intercept_ = np.array(intercepts) if several else intercepts[0]
        if not self.fit_intercept:
            self.intercept_ = 0.0
        alphas, active, paths = map(list, zip(*trails, strict=True))
        steps = [len(each) - 1 for each in alphas]
        if not route.kept:
            alphas = [each[-1:] for each in alphas]
        else:
            self.active_ = active if several else active[0]
            paths = [path.astype(dtype) for path in paths]
            self.coef_path_ = paths if several else paths[0]
        self.alphas_ = alphas if several else alphas[0]
        self.n_iter_ = steps if several else steps[0]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags


def proved(
    model: Any, problem: LinearProblem, points: list[Vector], alphas: list[float]
) -> list[Vector]:
    """Return points that solve their lassos; keep the proofs."""
    positive = bool(model.positive)
    found = []
    with one_blas_thread():  # products with vectors only
        for k, (point, alpha) in enumerate(zip(points, alphas, strict=True)):
            risk = problem.risks(_price(alpha, positive=positive))[k]
            found.append(_as_stored(problem, k, risk, *_solved(risk, point, alpha)))
    model.certificates_ = [proof for _, proof in found]
    worst = max(model.certificates_, key=lambda proof: proof.relative_gap)
    model.certificate_ = worst
    if not worst.closed:
        warnings.warn(open_gap(model, worst, 0), UncertifiedWarning, stacklevel=6)
    return [point for point, _ in found]


def _price(alpha: float, *, positive: bool) -> Penalty:
    if alpha > 0:
        return Lasso(float(alpha), positive)
    return Box(0.0, np.inf) if positive else NoPenalty()


def _solved(
    risk: LinearRisk, point: Vector, alpha: float
) -> tuple[Vector, Certificate]:
    """Return a point with its proof: another one where ties led the path astray."""
    reason = f"the path at strength {alpha:.3g}"
    proof = replace(
        certify(risk, point), tolerance=GAP, reason=reason
    ).as_fine_as_rounding_allows()
    if proof.closed:
        return point, proof
    solution = choose(risk)(tolerance=GAP).solve(risk, point)
    if was_interrupted(solution):
        raise KeyboardInterrupt  # the path goes on, and would not know of it
    better = solution.certificate.gap < proof.gap
    return (solution.point, solution.certificate) if better else (point, proof)


def _as_stored(
    problem: LinearProblem, target: int, risk: LinearRisk, point: Vector, proof: Any
) -> tuple[Vector, Certificate]:
    """Return a point in the precision of the samples, with the proof of what is kept.

    The intercept of columns or targets far from 0 is a sum of large numbers.
    """
    rounded = np.append(point[:-1].astype(problem.design.dtype), point[-1])
    kept = problem.pack(*problem.unpack(rounded, target), target)
    if np.array_equal(kept, point):
        return point, proof
    again = certify(risk, kept, risk.evaluate(point).slopes)
    asked = attainable(proof.tolerance, problem.design.dtype)
    again = replace(again, tolerance=asked, reason=proof.reason)
    return rounded, again.as_fine_as_rounding_allows()
