"""Logistic regression: class probabilities from linear log-odds."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

import numpy as np
from scipy.special import expit, softmax

from infimum.data.doors import Rows
from infimum.errors import IncompatibleError
from infimum.losses import Logistic, Softmax
from infimum.models.linear.classification._linked_classifier import LinkedClassifier
from infimum.models.linear.coding import Joint, Signs
from infimum.models.linear.fit import Recipe, limit_of
from infimum.parameters import Besides, Choice, Domains, closed, or_none, positive
from infimum.penalties import ElasticNet, Lasso, NoPenalty, Penalty, Ridge
from infimum.solvers import Newton
from infimum.typing import Matrix

__all__ = ["LogisticRegression"]

_SOLVERS = Choice(
    (
        "auto",
        "lbfgs",
        "newton-cg",
        "newton-cholesky",
        "liblinear",
        "sag",
        "saga",
    )
)
#: Names that insist on Newton's method.
NEWTON = ("newton-cg", "newton-cholesky")
TWO = 2
_PENALTIES = Choice(("deprecated", None, "l1", "l2", "elasticnet"))


class LogisticRegression(LinkedClassifier):
    r"""Classifier under the logistic loss; three classes or more are learnt jointly.

    .. math:: \min_w C \sum_i c_i\, \ell(y_i, x_i^\top w + b)
              + \tfrac{1 - \rho}{2} \|w\|_2^2 + \rho \|w\|_1

    Parameters
    ----------
    penalty : {'l1', 'l2', 'elasticnet', None}, optional
        Older spelling of `l1_ratio` and ``C=inf``, as in scikit-learn.
    C : float, default=1.0
        Inverse weight of the penalty; infinity means none.
    l1_ratio : float, default=0.0
        ρ: 0 is ridge, 1 is the lasso.
    dual, intercept_scaling, verbose, n_jobs
        Accepted for compatibility with scikit-learn; they need no setting here.
    tol : float, default=1e-4
        Bound on the gradient, as in scikit-learn; the excess risk is quadratic in it,
        so the fit stops when the relative duality gap is below tol².
    fit_intercept : bool, default=True
        Whether to learn an intercept; it is never penalised.
    class_weight : dict, 'balanced' or None, default=None
        Weight of each class.
    random_state : int or None, default=None
        Seed of the rows sampled for curvature; the answer is the same optimum.
    solver : str, default='lbfgs'
        Any of scikit-learn's names or 'auto'; the fastest method that fits the problem
        is chosen, except that 'newton-cg' and 'newton-cholesky' insist on Newton's.
    max_iter : int, default=100
        Most iterations; left at its default, the solver's own limit holds.
    warm_start : bool, default=False
        Start from the last solution.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    coef_ : ndarray of shape (n_classes or 1, n_features)
    intercept_ : ndarray of shape (n_classes or 1,)
    certificate_ : Certificate
        How far `coef_` can be from optimal.
    history_ : tuple of Record
        Bounds against time.
    n_iter_ : ndarray of shape (1,)

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> model = LogisticRegression().fit(X, ["no", "no", "yes", "yes"])
    >>> model.predict([[0.5], [2.5]]).tolist()
    ['no', 'yes']
    >>> model.certificate_.closed
    True
    """

    _domains: ClassVar[Domains] = {
        "penalty": _PENALTIES,
        "solver": _SOLVERS,
        "C": Besides(positive, (np.inf,), "in (0, inf]"),
        "l1_ratio": or_none(closed(0, 1)),
    }

    #: `n_iter_` is an array, as scikit-learn's is.
    _lists_iterations = True

    def __init__(
        self,
        penalty: str | None = "deprecated",
        *,
        C: float = 1.0,
        l1_ratio: float | None = 0.0,
        dual: bool = False,
        tol: float = 1e-4,
        fit_intercept: bool = True,
        intercept_scaling: float = 1,
        class_weight: Any = None,
        random_state: Any = None,
        solver: str = "lbfgs",
        max_iter: int = 100,
        verbose: int = 0,
        warm_start: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.penalty = penalty
        self.C = C
        self.l1_ratio = l1_ratio
        self.dual = dual
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.random_state = random_state
        self.solver = solver
        self.max_iter = max_iter
        self.verbose = verbose
        self.warm_start = warm_start
        self.n_jobs = n_jobs

    def predict_proba(self, X: Any, *, offset: Any = None) -> Matrix:
        """Return the probability of each class; `offset` as in `fit`."""
        scores = self.decision_function(X, offset=offset)
        if scores.ndim == 1:
            positive = expit(scores)
            return np.column_stack([1.0 - positive, positive])
        return np.asarray(softmax(scores, axis=1))

    def _recipe(self, rows: Rows) -> Recipe:
        count = len(rows.classes)
        return Recipe(
            Logistic() if count == TWO else Softmax(count),
            partial(_penalty, *self._strength()),
            Signs(TWO) if count == TWO else Joint(),
            tolerance=float(self.tol**2),
            intercept=self.fit_intercept,
            preferred=Newton if self.solver in NEWTON else None,
            max_iterations=limit_of(self),
            random_state=self.random_state,
        )

    def _strength(self) -> tuple[float, float]:
        """Return C and the share of the ℓ₁ norm."""
        if self.penalty is None:
            return np.inf, 0.0
        ratio = {"l1": 1.0, "l2": 0.0}.get(self.penalty, self.l1_ratio)
        if ratio is None and self.penalty == "elasticnet":
            raise IncompatibleError(
                f"{type(self).__name__}.l1_ratio must be a number for "
                "penalty='elasticnet'."
            )
        return float(self.C), 0.0 if ratio is None else float(ratio)


def _penalty(C: float, ratio: float, total: float) -> Penalty:
    if np.isinf(C):
        return NoPenalty()
    strength = 1.0 / (C * total)
    if ratio == 0:
        return Ridge(strength)
    return Lasso(strength) if ratio == 1 else ElasticNet(strength, ratio)
