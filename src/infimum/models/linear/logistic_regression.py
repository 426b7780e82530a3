"""Logistic regression: class probabilities from linear log-odds."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, softmax

from infimum.errors import InvalidParameterError
from infimum.losses import Logistic, Loss, Softmax, VectorLoss
from infimum.models.linear._linked_classifier import LinkedClassifier
from infimum.models.linear._problem import LinearProblem
from infimum.objectives import LinearRisk
from infimum.parameters import Choice, check_domain, closed
from infimum.penalties import ElasticNet, Lasso, NoPenalty, Penalty, Ridge
from infimum.solvers import Newton, Solver, choose
from infimum.typing import Matrix, Vector

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
    n_iter_ : int

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

    def _probabilities(self, scores: Vector) -> Matrix:
        if scores.ndim == 1:
            positive = expit(scores)
            return np.column_stack([1.0 - positive, positive])
        return np.asarray(softmax(scores, axis=1))

    def _jointly(self) -> bool:
        return len(self.classes_) > 2  # noqa: PLR2004

    def _loss(self) -> Loss | VectorLoss:
        count = len(self.classes_)
        return Logistic() if count == 2 else Softmax(count)  # noqa: PLR2004

    def _penalty(self, total: float) -> Penalty:
        check_domain("LogisticRegression.penalty", self.penalty, _PENALTIES)
        check_domain("LogisticRegression.solver", self.solver, _SOLVERS)
        if not isinstance(self.C, Real) or not self.C > 0:
            raise InvalidParameterError(
                f"LogisticRegression.C must be in (0, inf], got {self.C!r}."
            )
        if self.penalty is None or np.isinf(self.C):
            return NoPenalty()
        fixed = {"l1": 1.0, "l2": 0.0}
        ratio = fixed.get(self.penalty, self.l1_ratio)
        ratio = 0.0 if ratio is None else ratio
        check_domain("LogisticRegression.l1_ratio", ratio, closed(0, 1))
        strength = 1.0 / (self.C * total)
        if ratio == 0:
            return Ridge(strength)
        return Lasso(strength) if ratio == 1 else ElasticNet(strength, float(ratio))

    def _tolerance(self) -> float:
        return float(self.tol**2)

    def _solver_kind(self, risk: LinearRisk) -> type[Solver]:
        named = {"newton-cg": Newton, "newton-cholesky": Newton}.get(self.solver)
        if named is not None and named().objection(risk) is None:
            return named
        return choose(risk)

    def _targets(self, codes: NDArray[np.intp]) -> tuple[Vector, ...]:
        if len(self.classes_) == 2:  # noqa: PLR2004
            return (np.where(codes == 1, 1.0, -1.0),)
        return (codes.astype(np.float64),)

    def _points(self, problem: LinearProblem) -> list[Vector]:
        coef = self._dense_coef()
        if len(coef) == 1:
            return [problem.pack(coef[0], self.intercept_[0])]
        return [problem.pack(coef, self.intercept_)]
