"""Nonnegative matrix factorisation by a few rows at a time."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from infimum.data.doors import array, rows
from infimum.features.columns import is_sparse
from infimum.limits import in_time
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.factors._nonnegative_steps import (
    beta_divergence,
    multiply_step,
    step_parts,
    step_power,
    to_power,
)
from infimum.models.factors.nmf import FAINT, NonnegativeFactors, refuse_negative
from infimum.parameters import (
    Domains,
    check_parameters,
    closed,
    flag,
    or_none,
    whole,
)
from infimum.typing import Matrix

__all__ = ["MiniBatchNMF"]


@dataclass
class Progress:
    """A running mean of the cost of batches, and how long it has not fallen."""

    mean: float | None = None
    least: float | None = None
    idle: int = 0

    def add(self, cost: float, share: float) -> None:
        """Take in the cost of a batch."""
        known = cost if self.mean is None else self.mean
        self.mean = known * (1.0 - share) + cost * share
        if self.least is None or self.mean < self.least:
            self.idle, self.least = 0, self.mean
        else:
            self.idle += 1


@dataclass
class Sums:
    """What the parts are a quotient of: sums over batches, older ones fading."""

    above: Matrix
    below: Matrix


class MiniBatchNMF(NonnegativeFactors):
    r"""Two nonnegative factors of a table, learnt from batches of its rows.

    .. math:: \min_{W, H ≥ 0} \; D(X \,\|\, W H) + \text{penalties}

    Each batch moves its own rows of W by a multiplication, and H to the quotient of
    sums over all batches in which older ones fade.

    Parameters
    ----------
    n_components, init, beta_loss, alpha_W, alpha_H, l1_ratio, random_state, verbose
        As for `NMF`.
    batch_size : int, default=1024
    tol : float, default=1e-4
        Stop when the parts move by a smaller share; 0 for never.
    max_no_improvement : int or None, default=10
        Stop after so many batches without a lower running mean of the cost.
    max_iter : int, default=200
        Passes over the rows.
    forget_factor : float in [0, 1], default=0.7
        What sums keep of themselves over a pass.
    fresh_restarts : bool, default=False
        Whether the rows of W are found anew for each batch.
    fresh_restarts_max_iter : int, default=30
    transform_max_iter : int or None, default=None
        None for `max_iter`.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        H.
    n_components_ : int
    reconstruction_err_ : float
        √(2 D) at the end.
    n_iter_, n_steps_ : int
        Passes that were begun, and batches.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.outer([1.0, 2.0, 3.0], [1.0, 0.5])
    >>> model = MiniBatchNMF(n_components=1).fit(X)
    >>> bool(model.reconstruction_err_ < 1e-3)
    True
    """

    _domains: ClassVar[Domains] = {
        "batch_size": whole(1),
        "max_no_improvement": or_none(whole(1)),
        "forget_factor": closed(0, 1),
        "fresh_restarts": flag,
        "fresh_restarts_max_iter": whole(1),
        "transform_max_iter": or_none(whole(1)),
    }

    def __init__(
        self,
        n_components: Any = "auto",
        *,
        init: str | None = None,
        batch_size: int = 1024,
        beta_loss: Any = "frobenius",
        tol: float = 1e-4,
        max_no_improvement: int | None = 10,
        max_iter: int = 200,
        alpha_W: float = 0.0,
        alpha_H: Any = "same",
        l1_ratio: float = 0.0,
        forget_factor: float = 0.7,
        fresh_restarts: bool = False,
        fresh_restarts_max_iter: int = 30,
        transform_max_iter: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.init = init
        self.batch_size = batch_size
        self.beta_loss = beta_loss
        self.tol = tol
        self.max_no_improvement = max_no_improvement
        self.max_iter = max_iter
        self.alpha_W = alpha_W
        self.alpha_H = alpha_H
        self.l1_ratio = l1_ratio
        self.forget_factor = forget_factor
        self.fresh_restarts = fresh_restarts
        self.fresh_restarts_max_iter = fresh_restarts_max_iter
        self.transform_max_iter = transform_max_iter
        self.random_state = random_state
        self.verbose = verbose

    @whole_or_not_at_all
    def fit_transform(
        self, X: Any, y: Any = None, W: Any = None, H: Any = None
    ) -> Matrix:
        """Factorise; return W.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Without negative entries.
        y : ignored
        W, H : array-like, optional
            Where to begin, with ``init='custom'``.
        """
        table = self._admit(X)
        table = table.tocsr() if is_sparse(table) else table
        W, H = self._start(table, W, H)
        self.n_steps_ = self._pass_over(table, W, H)
        self.n_iter_ = ceil(self.n_steps_ / ceil(len(W) / self._size(len(W))))
        if self.n_iter_ == self.max_iter and self.tol > 0:
            warnings.warn(
                f"{type(self).__name__}: Maximum number of iterations {self.max_iter} "
                "reached. Increase it to improve convergence.",
                ConvergenceWarning,
                stacklevel=3,
            )
        if self.fresh_restarts:
            W = self._solve(table, H, self._patience)
        error = beta_divergence(table, W, H, self._beta)
        self.reconstruction_err_ = np.float64(np.sqrt(2.0 * max(error, 0.0)))
        self.components_, self.n_components_ = H, len(H)
        return np.asarray(W)

    @property
    def _patience(self) -> int:
        given = self.transform_max_iter
        return int(self.max_iter if given is None else given)

    def _size(self, count: int) -> int:
        return min(int(self.batch_size), count)

    def _pass_over(self, X: Any, W: Matrix, H: Matrix) -> int:
        """Improve W and H in place by one batch after the other; return how many."""
        size, progress, step = self._size(len(W)), Progress(), 0
        sums = Sums(H.copy(), np.ones_like(H))
        for step, batch in enumerate(self._batches(len(W), size), start=1):
            before = H.copy()
            cost = self._improve(X[batch], W[batch], H, sums, size / len(W))
            if self.verbose:
                told = f"[{type(self).__name__}] batch {step}: cost {cost:.6g}\n"
                sys.stdout.write(told)
            if step == 1 or not W[batch].any():
                continue  # of rows without entries no part learns anything
            progress.add(cost, min((batch.stop - batch.start) / (len(W) + 1), 1.0))
            moved = np.linalg.norm(H - before) <= self.tol * np.linalg.norm(H)
            patience = self.max_no_improvement
            if (self.tol > 0 and moved) or (
                patience is not None and progress.idle >= patience
            ):
                break
        self._above, self._below = sums.above, sums.below
        return step

    def _batches(self, count: int, size: int) -> Iterator[slice]:
        for _ in in_time(range(int(self.max_iter))):
            for first in range(0, count, size):
                yield slice(first, min(first + size, count))

    def _improve(
        self, X: Any, W: Matrix | None, H: Matrix, sums: Sums, share: float
    ) -> float:
        """Improve the rows of a batch, then the parts; return the cost of a row."""
        costs, beta = self._costs(X), self._beta
        if W is None or self.fresh_restarts:
            W = self._solve(X, H, int(self.fresh_restarts_max_iter))
        else:
            W[:] = multiply_step(X, W, H, beta, *costs[:2])
        if beta < 1.0:
            W[W < FAINT] = 0.0
        cost = beta_divergence(X, W, H, beta)
        for part, (l1, l2) in ((W, costs[:2]), (H, costs[2:])):
            if l1 or l2:
                cost += l1 * float(part.sum()) + l2 * float(np.sum(part**2))
        XT, power = (X.T.tocsr() if is_sparse(X) else X.T), step_power(beta)
        above, below = step_parts(XT, H.T, W.T, beta, *costs[2:])
        faded = float(self.forget_factor) ** share
        sums.above *= faded
        sums.above += above.T * to_power(H, 1.0 / power)
        sums.below *= faded
        sums.below += below.T
        H[:] = to_power(sums.above / sums.below, power)
        if beta <= 1.0:
            H[H < FAINT] = 0.0
        return cost / len(W)

    def _solve(self, X: Any, H: Matrix, most: int) -> Matrix:
        """Return the rows of W for given parts, by multiplications until they rest."""
        level = np.sqrt(X.mean() / len(H))
        W = np.full((X.shape[0], len(H)), level, dtype=X.dtype)
        costs = self._costs(X)[:2]
        for _ in range(most):
            before, W = W, multiply_step(X, W, H, self._beta, *costs)
            gone = np.linalg.norm(W - before)
            if self.tol > 0 and gone <= self.tol * np.linalg.norm(W):
                break
        return W

    @whole_or_not_at_all
    def partial_fit(self, X: Any, y: Any = None, W: Any = None, H: Any = None) -> Self:
        """Improve the parts by one batch of rows; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : ignored
        W, H : array-like, optional
            Where to begin at the first call, with ``init='custom'``.
        """
        check_parameters(self)
        known = hasattr(self, "components_")
        if known:
            table = rows(self, X, moderate=True, reset=False).X
            refuse_negative(type(self).__name__, table)
            H = self.components_.copy()
            sums = Sums(self._above.copy(), self._below.copy())
        else:
            table = self._admit(X)
            _, H = self._start(table, W, H)
            sums = Sums(H.copy(), np.ones_like(H))
        table = table.tocsr() if is_sparse(table) else table
        share = self._size(table.shape[0]) / table.shape[0]
        self._improve(table, None, H, sums, share)
        self.components_, self.n_components_ = H, len(H)
        self._above, self._below = sums.above, sums.below
        self.n_steps_ = (getattr(self, "n_steps_", 0) if known else 0) + 1
        return self

    def transform(self, X: Any) -> Matrix:
        """Return the loadings of samples on the parts."""
        table = self._admit_more(X)
        parts = array(self.components_, dtype=table.dtype)
        return self._solve(table, parts, self._patience)
