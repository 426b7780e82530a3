"""Least squares on the best few columns: the penalty that counts nonzero weights."""

from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin

from infimum.data.doors import measured, samples
from infimum.errors import InvalidParameterError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.linear._overflow import blames_numbers
from infimum.parameters import (
    Choice,
    Domains,
    besides,
    check_parameters,
    nonnegative,
    or_none,
    whole,
)
from infimum.typing import Matrix, Vector

__all__ = ["BestSubsetRegressor"]

_METHODS = Choice(("auto", "exhaustive", "forward", "nested"))
_MOST_COLUMNS = 30
_FEW_COLUMNS = 15


class BestSubsetRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    r"""Least squares with a price on every column that is used.

    .. math:: \min_{w, b} \frac1n \sum_i (y_i - ⟨w, x_i⟩ - b)^2 + λ \|w\|_0,
       \quad \|w\|_0 = \#\{j : w_j ≠ 0\}

    The penalty is discrete and the problem NP-hard: "exhaustive" solves it exactly for
    some twenty columns, by branch and bound. "forward" adds one column after the other,
    always the one that helps most. "nested" tries only the first k columns for every
    k: behind a polynomial basis this penalises the degree.

    Parameters
    ----------
    strength : float or "bic", default="bic"
        λ, the price of one column; "bic" takes the subset with the least
        n log(mean squared error) + k log n instead, whatever the unit of y.
    max_features : int or None, default=None
        The largest number of columns to use; None sets no limit.
    method : {"auto", "exhaustive", "forward", "nested"}, default="auto"
        How to search; "auto" is exhaustive for up to 15 columns, then forward.
    fit_intercept : bool, default=True
        Whether to learn b.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
    intercept_ : float
    support_ : ndarray of shape (n_features,) of bool
        Which columns are used.
    subsets_ : tuple of ndarray of int
        The best subset found of each size 0, 1, ….
    risks_ : ndarray of float
        Mean squared error of each of them on the training points.
    n_iter_ : int
        Number of subsets for which least squares was solved.
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).standard_normal((50, 6))
    >>> model = BestSubsetRegressor(strength=0.1).fit(X, 3 * X[:, 1] - 2 * X[:, 4])
    >>> model.support_.nonzero()[0]
    array([1, 4])
    """

    _domains: ClassVar[Domains] = {
        "method": _METHODS,
        "strength": besides(nonnegative, "bic"),
        "max_features": or_none(whole(0)),
    }

    def __init__(
        self,
        strength: float | str = "bic",
        *,
        max_features: int | None = None,
        method: str = "auto",
        fit_intercept: bool = True,
    ) -> None:
        self.strength = strength
        self.max_features = max_features
        self.method = method
        self.fit_intercept = fit_intercept

    @whole_or_not_at_all
    @blames_numbers
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the best subset of each size and choose among them; return self."""
        rule: dict[str, Any] = {
            "moderate": True,
            "accept_sparse": False,
            "dtype": np.float64,
        }
        rows = measured(self, X, y, sample_weight, **rule)
        X, y, share = rows.X, rows.y, rows.shares()
        limit = self._check(X.shape[1])
        total = share.sum()
        share = share / total
        origin = share @ X if self.fit_intercept else np.zeros(X.shape[1])
        height = share @ y if self.fit_intercept else 0.0
        root = np.sqrt(share)
        problem = _Compressed.of(root[:, None] * (X - origin), root * (y - height))
        found = _SEARCHES[self._method(X.shape[1])](problem, limit)
        self.subsets_ = tuple(np.asarray(one, dtype=np.intp) for one in found.subsets)
        self.risks_ = np.asarray(found.risks)
        self.n_iter_ = max(found.solved, 1)
        chosen = self.subsets_[int(np.argmin(self._prices(total)))]
        self.coef_ = np.zeros(X.shape[1])
        self.coef_[chosen] = problem.weights(chosen)
        self.support_ = np.isin(np.arange(X.shape[1]), chosen)
        self.intercept_ = float(height - origin @ self.coef_)
        return self

    def predict(self, X: Any) -> Vector:
        """Return ⟨w, x⟩ + b for each sample."""
        rule: dict[str, Any] = {
            "moderate": True,
            "accept_sparse": False,
            "dtype": np.float64,
        }
        X = samples(self, X, **rule)
        return np.asarray(X @ self.coef_ + self.intercept_)

    def _check(self, n_features: int) -> int:
        owner = type(self).__name__
        check_parameters(self)
        if self.method == "exhaustive" and n_features > _MOST_COLUMNS:
            raise InvalidParameterError(
                f"{owner}.method='exhaustive' would search 2^{n_features} subsets: use "
                f"method='forward' beyond {_MOST_COLUMNS} columns."
            )
        asked = n_features if self.max_features is None else int(self.max_features)
        return min(asked, n_features)

    def _method(self, n_features: int) -> str:
        if self.method != "auto":
            return self.method
        return "exhaustive" if n_features <= _FEW_COLUMNS else "forward"

    def _prices(self, n: float) -> Vector:
        sizes = np.arange(len(self.risks_))
        if self.strength != "bic":
            # Rounding must not make a larger subset look better than an equal one.
            exact = np.maximum(self.risks_, 1e-14 * self.risks_[0])
            return np.asarray(exact + float(self.strength) * sizes)
        floor = max(1e-14 * self.risks_[0], np.finfo(np.float64).tiny)
        return np.asarray(
            n * np.log(np.maximum(self.risks_, floor)) + sizes * np.log(n)
        )


class _Found(NamedTuple):
    subsets: list[tuple[int, ...]]
    risks: list[float]
    solved: int


class _Compressed(NamedTuple):
    """min ‖Xw - y‖² as a triangle: ‖Rw - z‖² plus what no column explains."""

    triangle: Matrix
    target: Vector
    rest: float

    @classmethod
    def of(cls, X: Matrix, y: Vector) -> "_Compressed":
        d = X.shape[1]
        joint: Any = np.linalg.qr(np.column_stack([X, y]), mode="r")
        return cls(joint[:d, :d], joint[:d, d], float(np.square(joint[d:, d]).sum()))

    def weights(self, subset: Any) -> Vector:
        columns = self.triangle[:, list(subset)]
        return np.asarray(np.linalg.lstsq(columns, self.target)[0])

    def risk(self, subset: Any) -> float:
        left = self.target - self.triangle[:, list(subset)] @ self.weights(subset)
        return float(left @ left) + self.rest


def _exhaustive(problem: _Compressed, limit: int) -> _Found:
    """Leave columns out one by one; a set without promise has no promising part.

    Every subset is reached by deletions in increasing order of position, so all
    descendants of a set keep its first `fixed` columns. None of them can have a
    smaller risk than the set itself: once that is above the best known risk of every
    size still reachable (up to rounding), the branch is cut.
    """
    d = problem.triangle.shape[1]
    greedy = _forward(problem, d)
    subsets, risks, solved = [*greedy.subsets], [*greedy.risks], greedy.solved
    rounding = 1e-12 * risks[0]
    # Deleting the most useful columns first raises the bound early.
    order = _by_use(problem, d)
    stack = [(tuple(order), 0, problem.risk(order))]
    while stack:
        kept, fixed, bound = stack.pop()
        sizes = range(fixed, min(len(kept) - 1, limit) + 1)
        if not any(bound < risks[size] - rounding for size in sizes):
            continue
        for position in range(fixed, len(kept)):
            child = kept[:position] + kept[position + 1 :]
            risk = problem.risk(child)
            solved += 1
            if risk < risks[len(child)]:
                subsets[len(child)], risks[len(child)] = tuple(sorted(child)), risk
            stack.append((child, position, risk))
    return _Found(subsets[: limit + 1], risks[: limit + 1], solved)


def _by_use(problem: _Compressed, d: int) -> list[int]:
    without = [problem.risk([i for i in range(d) if i != j]) for j in range(d)]
    return [int(j) for j in np.argsort(without)[::-1]]


def _forward(problem: _Compressed, limit: int) -> _Found:
    """Add the column that explains most of what is left, made orthogonal each time."""
    columns, left = problem.triangle.copy(), problem.target.copy()
    scale = np.linalg.norm(columns, axis=0)
    free = np.ones(columns.shape[1], dtype=bool)
    chosen: list[int] = []
    for _ in range(limit):
        lengths = np.linalg.norm(columns, axis=0)
        usable = free & (lengths > 1e-10 * scale)
        gain = np.abs(left @ columns) / np.where(usable, lengths, 1.0)
        gain = np.where(usable, gain, np.where(free, -1.0, -2.0))
        # The first of equally good columns, whatever rounding says.
        best = int(np.argmax(gain >= gain.max() - 1e-9 * abs(gain.max())))
        chosen.append(best)
        free[best] = False
        if usable[best]:
            direction = columns[:, best] / lengths[best]
            left -= direction * (direction @ left)
            columns -= np.outer(direction, direction @ columns)
    return _collect(problem, _prefixes(chosen))


def _nested(problem: _Compressed, limit: int) -> _Found:
    return _collect(problem, _prefixes(range(limit)))


def _prefixes(columns: Any) -> Iterator[tuple[int, ...]]:
    return accumulate(columns, lambda prefix, j: (*prefix, j), initial=())


def _collect(problem: _Compressed, subsets: Iterator[tuple[int, ...]]) -> _Found:
    found = [tuple(sorted(subset)) for subset in subsets]
    return _Found(found, [problem.risk(one) for one in found], len(found))


_SEARCHES: dict[str, Callable[[_Compressed, int], _Found]] = {
    "exhaustive": _exhaustive,
    "forward": _forward,
    "nested": _nested,
}
