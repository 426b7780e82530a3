"""Linear support vector classification."""

from __future__ import annotations

from typing import Any, ClassVar

from infimum.data.doors import Rows
from infimum.losses import Hinge, Loss, MulticlassHinge, SquaredHinge, VectorLoss
from infimum.models.linear._classifier import LinearClassifier
from infimum.models.linear.coding import Coding, Joint, Signs
from infimum.models.linear.fit import Recipe, limit_of
from infimum.parameters import Choice, Domains, positive
from infimum.penalties import Lasso, Ridge

__all__ = ["LinearSVC"]

TWO = 2


class LinearSVC(LinearClassifier):
    r"""Linear classifier with a wide margin; many classes one against the rest.

    .. math:: \min_w \tfrac12 \|w\|_2^2 + C \sum_i c_i\, \ell(y_i, x_i^\top w + b)

    The intercept is never penalised (scikit-learn's class of the same name penalises
    it); on data whose intercept matters this changes the solution for the better.

    Parameters
    ----------
    penalty : {'l2', 'l1'}, default='l2'
        Small coefficients or few.
    loss : {'squared_hinge', 'hinge'}, default='squared_hinge'
        What a point inside the margin pays.
    multi_class : {'ovr', 'crammer_singer'}, default='ovr'
        One problem a class, against the rest, or one for all: the score of the true
        class must exceed every other by 1 (`loss`, `penalty` then do not count).
    dual, intercept_scaling, verbose
        Accepted for compatibility with scikit-learn; they need no setting here.
    tol : float, default=1e-4
        Stop when the relative duality gap is below it (below tol² for the squared
        hinge, whose excess risk is quadratic in the gradient that tol bounds).
    C : float, default=1.0
        Inverse weight of the penalty.
    fit_intercept : bool, default=True
        Whether to learn an intercept.
    class_weight : dict, 'balanced' or None, default=None
        Weight of each class.
    random_state : int or None, default=None
        Seed of the order in which dual coordinate ascent visits samples.
    max_iter : int, default=1000
        Most iterations; left at its default, the solver's own limit holds.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    coef_ : ndarray of shape (n_classes or 1, n_features)
    intercept_ : ndarray of shape (n_classes or 1,)
    certificate_ : Certificate
        How far the least certain row of `coef_` can be from optimal.
    history_ : tuple of Record
        Bounds against time.
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [3.0], [4.0]])
    >>> LinearSVC(loss="hinge").fit(X, [0, 0, 1, 1]).predict([[0.5], [3.5]])
    array([0, 1])
    """

    _domains: ClassVar[Domains] = {
        "loss": Choice(("squared_hinge", "hinge")),
        "multi_class": Choice(("ovr", "crammer_singer")),
        "C": positive,
        "penalty": Choice(("l2", "l1")),
    }

    def __init__(
        self,
        penalty: str = "l2",
        loss: str = "squared_hinge",
        *,
        dual: Any = "auto",
        tol: float = 1e-4,
        C: float = 1.0,
        multi_class: str = "ovr",
        fit_intercept: bool = True,
        intercept_scaling: float = 1,
        class_weight: Any = None,
        verbose: int = 0,
        random_state: Any = None,
        max_iter: int = 1000,
    ) -> None:
        self.penalty = penalty
        self.loss = loss
        self.dual = dual
        self.tol = tol
        self.C = C
        self.multi_class = multi_class
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.verbose = verbose
        self.random_state = random_state
        self.max_iter = max_iter

    def _recipe(self, rows: Rows) -> Recipe:
        C, joint = float(self.C), self.multi_class == "crammer_singer"
        norm = Lasso if self.penalty == "l1" and not joint else Ridge
        hinge = self.loss == "hinge" or joint
        coding: Coding = Signs(len(rows.classes))
        loss: Loss | VectorLoss = Hinge() if hinge else SquaredHinge()
        if joint and len(rows.classes) > TWO:
            loss, coding = MulticlassHinge(len(rows.classes)), Joint()
        elif joint:  # opposite rows cost half of what their difference does
            C *= 2.0
        return Recipe(
            loss,
            lambda total: norm(1.0 / (C * total)),
            coding,
            # The excess of a smooth risk is quadratic in the gradient bounded by tol.
            tolerance=self.tol if hinge else float(self.tol**2),
            intercept=self.fit_intercept,
            max_iterations=limit_of(self),
            random_state=self.random_state,
        )
