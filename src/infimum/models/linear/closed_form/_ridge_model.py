"""Ridge regression and classification: their solver, and their recipe."""

from __future__ import annotations

from typing import Any, ClassVar

from infimum.data.doors import Rows
from infimum.models.linear.closed_form._ridge_recipe import checked_alphas, ridge_recipe
from infimum.models.linear.coding import Coding
from infimum.models.linear.fit import Recipe, limit_of
from infimum.parameters import Choice, Domains, or_none, whole

__all__ = ["RidgeModel"]

_SOLVERS = Choice(
    ("auto", "svd", "cholesky", "lsqr", "sparse_cg", "sag", "saga", "lbfgs")
)


class RidgeModel:
    """A linear model under the squared loss and the squared norm."""

    _domains: ClassVar[Domains] = {
        "solver": _SOLVERS,
        "max_iter": or_none(whole(1)),
    }

    alpha: Any
    fit_intercept: bool
    tol: float
    positive: bool
    solver: str

    @property
    def solver_(self) -> str:
        """The name of the method asked for; 'auto' means a factorisation here."""
        if self.solver != "auto":
            return self.solver
        return "lbfgs" if self.positive else "cholesky"

    def _ridge(self, rows: Rows, coding: Coding) -> Recipe:
        """Return the recipe of a coding."""
        owner = type(self).__name__
        targets = len(coding.targets(rows.y[:1]))
        return ridge_recipe(
            checked_alphas(owner, self.alpha, targets),
            coding,
            max(float(self.tol**2), 0.0 if self.positive else 1e-12),
            intercept=self.fit_intercept,
            positive=bool(self.positive),
            max_iterations=limit_of(self),
        )
