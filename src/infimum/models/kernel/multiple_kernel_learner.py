"""Multiple kernel learning: the kernel itself is learnt, with a proof."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.metaestimators import available_if

from infimum.data.doors import Rows, check_fitted, labelled, measured, things
from infimum.errors import InvalidParameterError
from infimum.kernels import ConicCombination, Gaussian, Kernel, Linear
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models._kernel_door import gram_of
from infimum.models.kernel._kernel_mixture import MixtureData, learn_mixture
from infimum.models.kernel.kernel_ridges._ridge_fit import warn_if_open
from infimum.models.linear import RiskMinimizer
from infimum.parameters import Domains, check_parameters, positive, whole
from infimum.typing import Vector

__all__ = ["MultipleKernelLearner"]


def _classifies(model: MultipleKernelLearner) -> bool:
    return bool(model._machine("rbf")._classifies())


class MultipleKernelLearner(BaseEstimator):  # type: ignore[misc]
    r"""Learn which mixture of kernels to learn with.

    .. math:: \min_{μ ∈ Δ} \min_{f, b} \sum_i q_i\, ℓ(y_i, f(x_i) + b)
              + \tfrac{λ}{2} \|f\|^2_{k_μ}, \qquad k_μ = \sum_p μ_p\, k_p / s_p

    over weights μ ≥ 0 that sum to 1; :math:`s_p`, the mean of :math:`k_p(x, x)`, puts
    the kernels on one scale. The problem is convex, and equal to a group lasso over
    the spaces of the kernels, so some weights become 0. Slopes s of the loss prove

    .. math:: \min ≥ -\sum_i q_i\, ℓ^*(y_i, s_i)
              - \frac{1}{2λ} \max_p\, (q∘s)^\top K_p\, (q∘s) .

    Parameters
    ----------
    kernels : sequence of Kernel or None, default=None
        What to mix; None stands for a linear and three Gaussian kernels.
    loss : Loss or str, default='squared'
        A loss with one score per sample; for two classes one that reads signs.
    strength : float, default=0.1
        λ.
    fit_intercept : bool, default=True
        Whether to learn an intercept; it is never penalised.
    tol : float, default=1e-4
        Relative duality gap at which to stop.
    max_iter : int, default=100
        Most mixtures to try.

    Attributes
    ----------
    weights_ : ndarray of shape (n_kernels,)
        μ, on the simplex.
    kernel_ : ConicCombination
        The learnt kernel.
    machine_ : RiskMinimizer
        The function learnt with it.
    certificate_ : Certificate
        How far mixture and function together can be from optimal.
    history_ : tuple of Record
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 2))
    >>> model = MultipleKernelLearner([Linear(), Gaussian(0.1)]).fit(X, X[:, 0])
    >>> model.weights_.round(2).tolist(), model.certificate_.closed
    ([1.0, 0.0], True)

    References
    ----------
    Lanckriet, Cristianini, Bartlett, El Ghaoui & Jordan (2004), JMLR 5.
    Rakotomamonjy, Bach, Canu & Grandvalet (2008), JMLR 9.
    """

    classes_: Any

    _domains: ClassVar[Domains] = {
        "tol": positive,
        "max_iter": whole(1),
    }

    def __init__(
        self,
        kernels: Any = None,
        *,
        loss: Any = "squared",
        strength: float = 0.1,
        fit_intercept: bool = True,
        tol: float = 1e-4,
        max_iter: int = 100,
    ) -> None:
        self.kernels = kernels
        self.loss = loss
        self.strength = strength
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the mixture and the function, with a proof; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or a list
            Samples.
        y : array-like of shape (n_samples,)
            Targets, or labels of two classes.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        check_parameters(self)
        rows = self._admit(X, y, sample_weight)
        given, targets, weights = rows.X, rows.y, rows.weights
        parts = self._parts(given)
        grams = np.array([gram_of(_Reader(part), given) for part in parts])
        scales = np.average(np.einsum("pii->pi", grams), axis=1, weights=weights)
        scales = np.maximum(scales, 1e-300)
        grams /= scales[:, None, None]
        data = MixtureData(grams, targets, weights)
        best = learn_mixture(self._machine("precomputed"), data, self)
        self.weights_, self.certificate_ = best.weights, best.certificate
        self.history_, self.n_iter_ = best.history, len(best.history)
        chosen = tuple(float(m) for m in best.weights / scales)
        self.kernel_ = ConicCombination(parts, chosen)
        self.machine_ = self._machine(self.kernel_).fit(given, targets, weights)
        warn_if_open(self, self.certificate_)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the predicted value or class of each sample."""
        check_fitted(self)
        found = self.machine_.predict(things(self, X, reset=False).X)
        return self.classes_[found] if _classifies(self) else np.asarray(found)

    @available_if(_classifies)  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Vector:
        """Return one score per sample."""
        check_fitted(self)
        given = things(self, X, reset=False).X
        return np.asarray(self.machine_.decision_function(given))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return accuracy for classifiers, R² for regressors."""
        from sklearn.metrics import accuracy_score, r2_score

        metric = accuracy_score if _classifies(self) else r2_score
        return float(metric(y, self.predict(X), sample_weight=sample_weight))

    @property
    def kernel(self) -> Any:
        """What decides how things are admitted: a mixture of all the kernels."""
        if self.kernels is None or not self._listed():
            return "rbf"
        return ConicCombination(tuple(self.kernels), (1.0,) * len(self.kernels))

    def _machine(self, kernel: Any) -> RiskMinimizer:
        return RiskMinimizer(
            self.loss,
            "ridge",
            strength=self.strength,
            kernel=kernel,
            fit_intercept=self.fit_intercept,
            tol=0.1 * self.tol,
        )

    def _admit(self, X: Any, y: Any, sample_weight: Any) -> Rows:
        if not _classifies(self):
            return things(self, X, y, sample_weight, door=measured)
        rows = things(self, X, y, sample_weight, door=labelled)
        self.classes_ = rows.classes
        if len(self.classes_) > 2:  # noqa: PLR2004
            raise InvalidParameterError(
                "MultipleKernelLearner: only binary classification is supported, got "
                f"{len(self.classes_)} classes."
            )
        return rows

    def _parts(self, things: Any) -> tuple[Kernel, ...]:
        if self.kernels is None:
            spread = np.sqrt(things.shape[1])
            widths = (0.3 * spread, spread, 3.0 * spread)
            return (Linear(), *(Gaussian(float(width)) for width in widths))
        if not self._listed():
            raise InvalidParameterError(
                "MultipleKernelLearner.kernels must be kernels, one or more, got "
                f"{self.kernels!r}."
            )
        return tuple(self.kernels)

    def _listed(self) -> bool:
        parts = self.kernels
        return (
            isinstance(parts, Sequence)
            and bool(parts)
            and all(isinstance(part, Kernel) for part in parts)
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        plain = self._machine("rbf").__sklearn_tags__()
        tags.estimator_type = plain.estimator_type
        tags.classifier_tags = plain.classifier_tags
        tags.regressor_tags = plain.regressor_tags
        if tags.classifier_tags is not None:
            tags.classifier_tags.multi_class = False
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags


class _Reader:
    """A kernel as the door of the machines reads it."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
