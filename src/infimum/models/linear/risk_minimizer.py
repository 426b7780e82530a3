"""Any loss with any penalty: the general estimator."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, softmax
from sklearn.callback import with_callbacks
from sklearn.utils.metaestimators import available_if

from infimum import losses, penalties, solvers
from infimum.data.doors import Rows, labelled, measured, winners
from infimum.data.doors.streamed_rows import streams
from infimum.errors import DataError, IncompatibleError, InvalidParameterError
from infimum.losses import (
    AdditiveMulticlassHinge,
    HeteroscedasticGaussian,
    Logistic,
    Loss,
    MulticlassHinge,
    Softmax,
    VectorLoss,
)
from infimum.models._kernel_door import is_precomputed
from infimum.models.linear._classifier import check_classes
from infimum.models.linear._label_threshold import best_threshold
from infimum.models.linear._space import kernel_space_of, space_of
from infimum.models.linear.coding import Coding, Joint, Number, Signs, Tasks
from infimum.models.linear.estimator import LinearEstimator, concluded, learn
from infimum.models.linear.fit import Recipe, limit_of
from infimum.parameters import Domains, or_none, positive
from infimum.penalties import Penalty
from infimum.solvers import Solver
from infimum.typing import Matrix, Vector

__all__ = ["RiskMinimizer", "named_part"]


def _classifies(model: RiskMinimizer) -> bool:
    return model._classifies()


def _decides(model: RiskMinimizer) -> bool:
    return model._classifies() or model._part().target == "labels"


def _gives_probabilities(model: RiskMinimizer) -> bool:
    return isinstance(model._part(), Logistic | Softmax)


class RiskMinimizer(LinearEstimator):
    r"""Minimise mean loss + strength × penalty, for any pair of parts.

    .. math:: \min_{w, b} \sum_i q_i\, \ell(y_i, x_i^\top w + b)
              + \text{strength}\; \Omega(w)

    With a kernel, f lives in the kernel's space of functions instead:

    .. math:: \min_{f, b} \sum_i q_i\, \ell(y_i, f(x_i) + b)
              + \tfrac{\text{strength}}{2}\, \|f\|^2, \qquad
              f = \sum_i c_i\, k(x_i, \cdot)

    and samples may be anything that the kernel compares: vectors, strings, graphs. The
    minimiser is a combination of the samples whatever the loss (the representer
    theorem), so the search is as finite as without; it needs the ridge penalty, and the
    matrix of all kernel values in memory.

    A regressor when the loss reads real targets or counts, a classifier when it reads
    signs or classes (more than two classes are learnt one against the rest, except
    under the softmax and multiclass hinge losses).

    Parameters
    ----------
    loss : Loss or str, default='squared'
        A part of `infimum.losses`, or its name in snake case.
    penalty : Penalty or str, default='ridge'
        A part of `infimum.penalties`, or its name in snake case.
    strength : float or None, default=None
        Replaces the strength of the penalty when given.
    kernel : Kernel, str, callable or None, default=None
        A kernel of `infimum.kernels`, scikit-learn's name of one, a function of two
        samples, or 'precomputed'; None learns a linear function of the features.
    solver : Solver, str or 'auto', default='auto'
        How to minimise: a solver or its name, such as 'newton'; 'auto' picks the first
        one without an objection.
    fit_intercept : bool, default=True
        Whether to learn an intercept; it is never penalised.
    tol : float, default=1e-6
        Relative duality gap at which to stop.
    max_iter : int or None, default=None
        Most iterations; None leaves the limit to the solver.
    warm_start : bool, default=False
        Start from the last solution.

    Attributes
    ----------
    coef_ : ndarray
        Only without a kernel.
    dual_coef_ : ndarray of shape (n_samples,) or (n_scores, n_samples)
        The coefficients c; only with a kernel.
    X_fit_ : the samples that `dual_coef_` belong to; None for a precomputed kernel
    intercept_ : float or ndarray
    certificate_ : Certificate
        How far the learnt function can be from optimal.
    history_ : tuple of Record
        Bounds against time.
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0]])
    >>> y = np.array([0.0, 1.0, 2.0, 3.0, 40.0])
    >>> model = RiskMinimizer(loss="absolute", penalty="lasso", strength=0.01)
    >>> float(model.fit(X, y).coef_[0].round(3))
    1.0
    >>> from infimum.kernels import Spectrum
    >>> model = RiskMinimizer("logistic", strength=0.1, kernel=Spectrum(2))
    >>> words = ["banana", "ananas", "cherry", "sherry"]
    >>> model.fit(words, ["a", "a", "b", "b"]).predict(["bananas", "merry"]).tolist()
    ['a', 'b']
    """

    _domains: ClassVar[Domains] = {
        "tol": positive,
        "strength": or_none(positive),
    }

    def __init__(
        self,
        loss: Any = "squared",
        penalty: Any = "ridge",
        *,
        strength: float | None = None,
        kernel: Any = None,
        solver: Any = "auto",
        fit_intercept: bool = True,
        tol: float = 1e-6,
        max_iter: int | None = None,
        warm_start: bool = False,
    ) -> None:
        self.loss = loss
        self.penalty = penalty
        self.strength = strength
        self.kernel = kernel
        self.solver = solver
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter
        self.warm_start = warm_start

    @streams("infimum.models.linear.streamed:fit_streamed")
    @with_callbacks  # type: ignore[untyped-decorator]
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the coefficients, with a proof; return self."""
        found = learn(self, X, y, sample_weight)
        space_of(self).remember(found.rows)
        if found.recipe.loss.target == "labels":
            known, scores = found.problem.targets[0], found.solutions[0].here.scores
            self.threshold_ = best_threshold(known, scores, found.problem.shares)
        return concluded(self)

    @available_if(_decides)  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Vector:
        """Return one score per sample (two classes) or per sample and class."""
        return self._scores(X)

    def _scores(self, X: Any) -> Vector:
        raw = space_of(self).scores(X)
        scores: Vector = np.asarray(raw + self.intercept_)
        if scores.ndim == 1 or not self._classifies():
            return scores
        if scores.shape[1] == len(self.classes_) == 2:  # noqa: PLR2004
            return np.asarray(scores[:, 1] - scores[:, 0])
        return scores.ravel() if scores.shape[1] == 1 else scores

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the predicted class, set of labels, rate or value of each sample."""
        scores = self._scores(X)
        if self._part().target == "labels":
            return np.asarray(scores > self.threshold_, dtype=int)
        if not self._classifies():
            return _mean(self._part(), scores)
        return np.asarray(self.classes_[winners(scores)])

    @available_if(_gives_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Matrix:
        """Return class probabilities; only for the logistic and softmax losses."""
        scores = self._scores(X)
        if scores.ndim == 1:
            return np.column_stack([expit(-scores), expit(scores)])
        if isinstance(self._part(), Softmax):
            return np.asarray(softmax(scores, axis=1))
        shares = expit(scores)
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return accuracy (of whole sets, for labels), R² for regressors."""
        from sklearn.metrics import accuracy_score, r2_score

        metric = accuracy_score if _decides(self) else r2_score
        return float(metric(y, self.predict(X), sample_weight=sample_weight))

    def _part(self) -> Loss | VectorLoss:
        part = named_part(self.loss, losses, "RiskMinimizer.loss")
        if not isinstance(part, Loss | VectorLoss):
            raise InvalidParameterError(
                f"RiskMinimizer.loss must be a loss or its name, got {self.loss!r}."
            )
        return part

    def _classifies(self) -> bool:
        return self._part().target in {"sign", "class"}

    def _rows(self, X: Any, y: Any, sample_weight: Any, *, reset: bool) -> Rows:
        space = space_of(self)
        if self._classifies():
            rows = space.rows(labelled, X, y, sample_weight, reset=reset)
            return rows if reset else check_classes(self, rows)
        several = self._part().target in {"vector", "labels"}
        how = {"multi_output": several, "reset": reset}
        return space.rows(measured, X, y, sample_weight, **how)

    def _recipe(self, rows: Rows) -> Recipe:
        space, loss = kernel_space_of(self), self._part()
        if isinstance(loss, Softmax | MulticlassHinge | AdditiveMulticlassHinge):
            loss = replace(loss, classes=len(rows.classes))
        if rows.classes is None:
            _check_targets(loss, rows.y)
        return Recipe(
            loss,
            self._penalty(in_space=space is not None),
            _coding(loss, rows.classes),
            tolerance=self.tol,
            intercept=self.fit_intercept,
            solver=self._solver(),
            max_iterations=limit_of(self),
            space=space,
        )

    def _solver(self) -> Solver | None:
        """Return the solver that the user names, None if it is to be chosen."""
        if isinstance(self.solver, str) and self.solver == "auto":
            return None
        part = named_part(self.solver, solvers, "RiskMinimizer.solver, if not 'auto',")
        if not isinstance(part, Solver):
            raise InvalidParameterError(
                "RiskMinimizer.solver must be 'auto', a solver or its name, "
                f"got {self.solver!r}."
            )
        return replace(part, tolerance=self.tol) if part is not self.solver else part

    def _penalty(self, *, in_space: bool) -> Penalty:
        """Return the penalty that the parameters name, checked."""
        part = named_part(self.penalty, penalties, "RiskMinimizer.penalty")
        if not isinstance(part, Penalty):
            raise InvalidParameterError(
                "RiskMinimizer.penalty must be a penalty or its name, got "
                f"{self.penalty!r}."
            )
        if in_space and part.quadratic is None:
            raise IncompatibleError(
                f"RiskMinimizer: a kernel goes with the ridge penalty, got "
                f"{type(part).__name__}: only a penalty that grows with the norm of f "
                "has its minimiser among combinations of the samples."
            )
        if self.strength is None:
            return part
        if "strength" not in {field.name for field in fields(part)}:  # type: ignore[arg-type]
            raise InvalidParameterError(f"{type(part).__name__} has no strength.")
        return replace(part, strength=float(self.strength))  # type: ignore[type-var]

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, RegressorTags

        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = is_precomputed(self)
        tags.target_tags.required = True
        if self._classifies():
            tags.estimator_type, tags.classifier_tags = "classifier", ClassifierTags()
        else:
            tags.estimator_type, tags.regressor_tags = "regressor", RegressorTags()
            several = self._part().target in {"vector", "labels"}
            tags.target_tags.multi_output = several
        return tags


def _coding(loss: Loss | VectorLoss, classes: Any) -> Coding:
    """Return how targets are coded for a loss."""
    if isinstance(loss, VectorLoss):
        return Tasks() if classes is None else Joint(centred=False)
    return Number() if classes is None else Signs(len(classes))


def _check_targets(part: Loss | VectorLoss, y: Vector) -> None:
    """Refuse targets that the loss has no value for."""
    if part.target in {"vector", "labels"} and y.shape != (len(y), part.outputs):  # type: ignore[union-attr]
        raise DataError(
            f"{type(part).__name__} reads {part.outputs} targets per sample, y has "  # type: ignore[union-attr]
            f"the shape {y.shape}."
        )
    name, least, most = type(part).__name__, float(y.min()), float(y.max())
    if part.target == "count" and least < 0:
        raise DataError(
            f"{name} reads counts in [0, inf), the least target is {least:g}."
        )
    if part.target == "positive" and least <= 0:
        raise DataError(f"{name} reads targets in (0, inf), the least is {least:g}.")
    if part.target == "fraction" and not 0 <= least <= most <= 1:
        raise DataError(
            f"{name} reads fractions in [0, 1], the targets go from {least:g} to "
            f"{most:g}."
        )


def _mean(part: Loss | VectorLoss, scores: Vector) -> Vector:
    """Return the mean that scores stand for; labels and measurements keep theirs."""
    if part.target in {"count", "positive"}:
        return np.exp(scores)
    if part.target == "fraction":
        return np.asarray(expit(scores))
    if isinstance(part, HeteroscedasticGaussian):
        return np.asarray(scores[:, 0] / scores[:, 1])
    return scores


def named_part(part: Any, room: Any, owner: str) -> Any:
    """Return the part itself, or the default of the class that a name stands for."""
    if not isinstance(part, str):
        return part
    names = _names(room)
    if part not in names:
        known = ", ".join(sorted(names))
        raise InvalidParameterError(f"{owner} must be one of {known}, got {part!r}.")
    return getattr(room, names[part])()


@cache
def _names(room: Any) -> dict[str, str]:
    """Return the names of a room's parts as users write them, with their classes."""
    names = {
        _snake(name): name
        for name in room.__all__
        if isinstance(getattr(room, name), type)
        and issubclass(getattr(room, name), Loss | VectorLoss | Penalty | Solver)
        and not _abstract(name)
    }
    return names | ({"none": "NoPenalty"} if hasattr(room, "NoPenalty") else {})


def _snake(name: str) -> str:
    if name.isupper():
        return name.lower()
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")


def _abstract(name: str) -> bool:
    kinds = {"Loss", "VectorLoss", "Penalty", "SeparablePenalty", "NoPenalty", "Solver"}
    return name in kinds
