"""The graphical lasso with its strength chosen by cross-validation."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.model_selection import check_cv

from infimum.data.doors import array
from infimum.errors import DataError, IncompatibleError, InvalidParameterError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.covariance._sparse_precision import solve_precision
from infimum.models.covariance.empirical_covariance import (
    Moments,
    empirical_covariance,
    log_likelihood,
    moments,
)
from infimum.models.covariance.graphical_lasso import GraphicalLasso
from infimum.parameters import Domains, check_parameters, whole
from infimum.typing import Matrix, Vector

__all__ = ["GraphicalLassoCV"]

#: Strengths reach down to this share of the least one that links nobody.
LEAST = 0.01
#: A score beyond this is no likelihood but a precision that blew up.
ABSURD = 0.1 / float(np.finfo(np.float64).eps)


class GraphicalLassoCV(GraphicalLasso):
    """Sparse precision whose strength has the best likelihood on held-out folds.

    Strengths are refined around the best ones found so far.

    Parameters
    ----------
    alphas : int or array-like, default=4
        How many strengths a refinement tries, or which ones to try.
    n_refinements : int, default=4
        How often the grid is refined; not used where strengths are given.
    cv : int, splitter, iterable or None, default=None
        None means five folds.
    tol, enet_tol, max_iter, mode, verbose, eps, assume_centered
        As in `GraphicalLasso`.
    n_jobs : int or None, default=None
        Accepted for compatibility.

    Attributes
    ----------
    location_, covariance_, precision_, costs_, certificate_
        As in `GraphicalLasso`.
    alpha_ : float
    cv_results_ : dict of ndarray
        ``alphas``, ``split0_test_score`` and so on, ``mean_test_score``,
        ``std_test_score``.
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(60, 3))
    >>> model = GraphicalLassoCV(cv=3).fit(X)
    >>> bool(model.alpha_ > 0), model.certificate_.closed
    (True, True)
    """

    _domains: ClassVar[Domains] = {"n_refinements": whole(1)}

    def __init__(
        self,
        *,
        alphas: Any = 4,
        n_refinements: int = 4,
        cv: Any = None,
        tol: float = 1e-4,
        enet_tol: float = 1e-4,
        max_iter: int = 100,
        mode: str = "cd",
        n_jobs: int | None = None,
        verbose: bool = False,
        eps: float = float(np.finfo(np.float64).eps),
        assume_centered: bool = False,
    ) -> None:
        super().__init__(
            mode=mode, tol=tol, enet_tol=enet_tol, max_iter=max_iter, verbose=verbose,
            eps=eps, assume_centered=assume_centered,
        )  # fmt: skip
        del self.alpha, self.covariance
        self.alphas = alphas
        self.n_refinements = n_refinements
        self.cv = cv
        self.n_jobs = n_jobs

    @whole_or_not_at_all
    def fit(  # type: ignore[override]
        self, X: Any, y: Any = None, **params: Any
    ) -> Self:
        """Choose the strength, then fit with it; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : ignored
        **params : dict
            What the splitter is to know, such as ``groups``.
        """
        self._check()
        found = moments(self, X, None, fewest=2)
        table = found.rows + found.mean
        count = 5 if self.cv is None else self.cv
        if isinstance(count, int) and len(table) < count:
            raise DataError(
                f"GraphicalLassoCV needs {count} samples or more for as many folds, "
                f"got {len(table)}."
            )
        folds = list(check_cv(self.cv, y).split(table, y, **params))
        kept = [self._fold(table, *fold) for fold in folds]
        alphas, scores = self._search(found, kept)
        best = _best(alphas, scores)
        alphas = np.append(alphas, 0.0)
        scores = np.vstack([scores, [[_plain(*fold) for fold in kept]]])
        self.cv_results_ = {
            "alphas": alphas,
            **{f"split{k}_test_score": scores[:, k] for k in range(len(folds))},
            "mean_test_score": scores.mean(axis=1),
        }
        with np.errstate(invalid="ignore"):  # a fold without a likelihood has -inf
            self.cv_results_["std_test_score"] = scores.std(axis=1)
        self.alpha_ = np.float64(alphas[best])
        self._solve(found, self.alpha_)
        return self

    def _check(self) -> None:
        check_parameters(self)
        given = self.alphas
        if np.ndim(given) == 0 and given not in whole(1):
            raise InvalidParameterError(
                "GraphicalLassoCV.alphas must be a whole number from 1 on, or a list "
                f"of strengths, got {given!r}."
            )
        if np.asarray(given).dtype.kind in "OUS":
            raise IncompatibleError(
                f"GraphicalLassoCV.alphas must be numbers, got {given!r}."
            )
        if np.ndim(given) and not (np.asarray(given, dtype=float) > 0).all():
            raise InvalidParameterError(
                f"GraphicalLassoCV.alphas must all be above 0, got {given!r}."
            )

    def _fold(self, table: Matrix, train: Any, test: Any) -> tuple[Matrix, Matrix]:
        """Return the covariances of the rows that learn and of those that judge."""
        centred = bool(self.assume_centered)
        return (
            empirical_covariance(table[train], assume_centered=centred),
            empirical_covariance(table[test], assume_centered=centred),
        )

    def _search(self, found: Moments, folds: Any) -> tuple[Vector, Matrix]:
        """Return all strengths tried, the largest first, with a score a fold."""
        if np.ndim(self.alphas):
            given = np.sort(np.asarray(array(self.alphas, ensure_2d=False), float))[
                ::-1
            ]
            return given, self._scores(given, folds)
        count = int(self.alphas)
        off = found.covariance.copy()
        np.fill_diagonal(off, 0.0)
        high = float(np.abs(off).max()) or 1.0
        low = LEAST * high
        fresh = np.geomspace(high, low, count)
        alphas, scores = np.zeros(0), np.zeros((0, len(folds)))
        for _ in range(int(self.n_refinements)):
            alphas = np.append(alphas, fresh)
            scores = np.vstack([scores, self._scores(fresh, folds)])
            order = np.argsort(-alphas, kind="stable")
            alphas, scores = alphas[order], scores[order]
            best = _best(alphas, scores)
            high = alphas[max(best - 1, 0)]
            last = best == len(alphas) - 1
            low = LEAST * alphas[best] if last else alphas[best + 1]
            high = alphas[best] if last and best else high
            fresh = np.geomspace(high, low, count + 2)[1:-1]
        return alphas, scores

    def _scores(self, alphas: Vector, folds: Any) -> Matrix:
        """Return the likelihood of each fold at each strength, from large to small."""
        told = np.full((len(alphas), len(folds)), -np.inf)
        for k, (learns, judges) in enumerate(folds):
            start = None
            for a, alpha in enumerate(alphas):
                solved = solve_precision(
                    learns, float(alpha), tol=self.tol,
                    max_iter=max(1, int(0.1 * self.max_iter)), start=start,
                )  # fmt: skip
                start = solved.precision
                told[a, k] = log_likelihood(judges, solved.precision)
        return told


def _best(alphas: Vector, scores: Matrix) -> int:
    """Return where the mean score is best; the smallest strength in a tie."""
    with np.errstate(invalid="ignore"):
        means = scores.mean(axis=1)
    means = np.where((means >= ABSURD) | np.isnan(means), -np.inf, means)
    return int(len(means) - 1 - np.argmax(means[::-1]))


def _plain(learns: Matrix, judges: Matrix) -> float:
    """Return the likelihood of a fold without a penalty."""
    from scipy import linalg

    return log_likelihood(judges, linalg.pinvh(learns))
