"""Gaussian-process classification by Laplace's approximation."""

from copy import copy
from itertools import combinations
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from infimum.certificates import Certificate
from infimum.data.validation import accept_table
from infimum.errors import DataError, IncompatibleError, InvalidParameterError
from infimum.models._kernel_door import admit_labelled, are_things, select
from infimum.models.kernel._binary_process import BinaryProcess, binary
from infimum.models.kernel._evidence import maximise
from infimum.models.kernel._laplace import find_mode, laplace_evidence
from infimum.models.kernel._tuned_kernel import TunedKernel, tuned_kernel
from infimum.parameters import Choice, check_domain, whole
from infimum.typing import Matrix, Vector

__all__ = ["GaussianProcessClassifier"]

_SCHEMES = Choice(("one_vs_rest", "one_vs_one"))


class GaussianProcessClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    r"""Class probabilities from a Gaussian process behind a logistic link.

    The posterior of the scores is replaced by the normal distribution around its mode
    with the curvature there. The mode is a convex problem (kernel logistic
    regression), solved until its gap closes; the kernel's parameters maximise the
    approximate evidence. Several classes are told apart one against the rest, or in
    pairs.

    Parameters
    ----------
    kernel : Kernel, kernel of scikit-learn or None, default=None
        A kernel of `infimum.kernels`, all of whose positive real parameters move, or
        one of `sklearn.gaussian_process.kernels`. None: Gaussian of width 1, fixed.
    optimizer : "fmin_l_bfgs_b", callable or None, default="fmin_l_bfgs_b"
    n_restarts_optimizer : int, default=0
    max_iter_predict : int, default=100
        Most Newton steps to the mode; few are ever needed.
    warm_start : bool, default=False
        Accepted for compatibility: Newton's method from zero is as quick.
    copy_X_train : bool, default=True
    random_state : int, RandomState or None, default=None
    multi_class : {"one_vs_rest", "one_vs_one"}, default="one_vs_rest"
    n_jobs : int or None, default=None
        Accepted for compatibility: BLAS has its own threads.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    n_classes_ : int
    kernel_ : the kernel found, or a tuple of them, one per binary problem
    modes_ : tuple of LaplaceMode
        The most plausible scores of each binary problem, with the curvature there.
    log_marginal_likelihood_value_ : float
        Mean over the binary problems.
    certificate_ : Certificate
        Proof of the mode; the worst one if there are several.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.kernels import Gaussian
    >>> X = np.array([[-2.0], [-1.0], [1.0], [2.0]])
    >>> model = GaussianProcessClassifier(Gaussian(1.0)).fit(X, [0, 0, 1, 1])
    >>> model.predict([[-1.5], [1.5]])
    array([0, 1])
    """

    def __init__(
        self,
        kernel: Any = None,
        *,
        optimizer: Any = "fmin_l_bfgs_b",
        n_restarts_optimizer: int = 0,
        max_iter_predict: int = 100,
        warm_start: bool = False,
        copy_X_train: bool = True,
        random_state: Any = None,
        multi_class: str = "one_vs_rest",
        n_jobs: int | None = None,
    ) -> None:
        self.kernel = kernel
        self.optimizer = optimizer
        self.n_restarts_optimizer = n_restarts_optimizer
        self.max_iter_predict = max_iter_predict
        self.warm_start = warm_start
        self.copy_X_train = copy_X_train
        self.random_state = random_state
        self.multi_class = multi_class
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any) -> Self:
        """Maximise the evidence of each binary problem; return self."""
        check_domain(
            "GaussianProcessClassifier.multi_class", self.multi_class, _SCHEMES
        )
        check_domain(
            "GaussianProcessClassifier.max_iter_predict",
            self.max_iter_predict,
            whole(1),
        )
        start = tuned_kernel("GaussianProcessClassifier", self.kernel)
        X, classes, codes = self._admit(X, y)
        draw = check_random_state(self.random_state)
        problems = [
            self._fit_binary(start, X, codes, pair, draw)
            for pair in self._pairs(len(classes))
        ]
        self.X_train_ = X.copy() if self.copy_X_train else X
        self.codes_ = codes
        self.kernels_ = tuple(problem.kernel.kernel for problem in problems)
        self.modes_ = tuple(problem.mode for problem in problems)
        self.classes_ = classes
        self.n_classes_ = len(classes)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each sample."""
        check_is_fitted(self)
        shares = self._shares(X)
        if self.n_classes_ > 2 and self.multi_class == "one_vs_one":  # noqa: PLR2004
            return np.asarray(self.classes_[np.argmax(self._votes(shares), axis=1)])
        return np.asarray(self.classes_[np.argmax(self._normalised(shares), axis=1)])

    def latent_mean_and_variance(self, X: Any) -> tuple[Vector, Vector]:
        """Return the mean and the variance of the score behind the label, of two."""
        check_is_fitted(self)
        if self.n_classes_ > 2:  # noqa: PLR2004
            raise IncompatibleError(
                "GaussianProcessClassifier has one score behind the label of two "
                f"classes only, got {self.n_classes_} classes."
            )
        [problem] = self._problems()
        return problem.latent(self._new(X))

    def predict_proba(self, X: Any) -> Matrix:
        """Return the probability of each class, averaged over the posterior."""
        check_is_fitted(self)
        if self.n_classes_ > 2 and self.multi_class == "one_vs_one":  # noqa: PLR2004
            raise IncompatibleError(
                "GaussianProcessClassifier gives no probabilities with "
                "multi_class='one_vs_one'; use 'one_vs_rest'."
            )
        return self._normalised(self._shares(X))

    @property
    def kernel_(self) -> Any:
        """The kernel found, or one per binary problem."""
        check_is_fitted(self, "classes_")
        return self.kernels_[0] if len(self.kernels_) == 1 else self.kernels_

    @property
    def certificate_(self) -> Certificate:
        """The proof of the mode; the worst one if there are several."""
        check_is_fitted(self, "classes_")
        proofs = [mode.certificate for mode in self.modes_]
        return max(proofs, key=lambda proof: proof.relative_gap)

    @property
    def log_marginal_likelihood_value_(self) -> float:
        """The approximate log-evidence, a mean over the binary problems."""
        check_is_fitted(self, "classes_")
        return float(np.mean([mode.evidence for mode in self.modes_]))

    def log_marginal_likelihood(
        self,
        theta: Any = None,
        eval_gradient: bool = False,  # noqa: FBT001, FBT002
        clone_kernel: bool = True,  # noqa: FBT001, FBT002
    ) -> Any:
        """Return the evidence at log-parameters `theta`, with its slope on request.

        Without `theta`, the value reached by the fit.
        """
        check_is_fitted(self)
        if theta is None:
            if eval_gradient:
                raise InvalidParameterError(
                    "GaussianProcessClassifier: the gradient needs theta."
                )
            return self.log_marginal_likelihood_value_
        point = np.asarray(theta, dtype=np.float64)
        found = [
            laplace_evidence(
                p.kernel.at(point), p.X, p.labels, int(self.max_iter_predict)
            )
            for p in self._problems()
        ]
        value = float(np.mean([value for value, _ in found]))
        slope = np.mean([slope for _, slope in found], axis=0)
        return (value, slope) if eval_gradient else value

    def _pairs(self, count: int) -> list[tuple[int, int | None]]:
        """Return whom each binary problem is for and against; None means the rest."""
        if count == 2:  # noqa: PLR2004
            return [(1, None)]
        if self.multi_class == "one_vs_rest":
            return [(code, None) for code in range(count)]
        return [(second, first) for first, second in combinations(range(count), 2)]

    def _fit_binary(
        self,
        start: TunedKernel,
        X: Matrix,
        codes: NDArray[np.intp],
        pair: tuple[int, int | None],
        draw: Any,
    ) -> BinaryProcess:
        rows, labels = binary(codes, pair)
        X = select(X, rows)
        steps = int(self.max_iter_predict)
        best = start
        if self.optimizer is not None and len(start.theta):
            theta = maximise(
                "GaussianProcessClassifier",
                lambda theta: laplace_evidence(start.at(theta), X, labels, steps),
                start,
                self.optimizer,
                int(self.n_restarts_optimizer),
                draw,
            )
            best = start.at(theta)
        return BinaryProcess(best, X, labels, find_mode(best.gram(X), labels, steps))

    def _admit(self, X: Any, y: Any) -> tuple[Any, NDArray[Any], NDArray[np.intp]]:
        if are_things(self, X):
            twin = copy(self)  # admission writes down classes
            X, codes = admit_labelled(twin, X, y)
            return X, twin.classes_, codes
        X, y = accept_table(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        classes, codes = np.unique(np.asarray(y), return_inverse=True)
        if len(classes) == 1:
            raise DataError(
                "GaussianProcessClassifier needs 2 classes or more, got 1 class: "
                f"{classes[0]!r}."
            )
        return X, classes, codes

    def _problems(self) -> list[BinaryProcess]:
        pairs = self._pairs(self.n_classes_)
        views = (binary(self.codes_, pair) for pair in pairs)
        return [
            BinaryProcess(
                tuned_kernel("GaussianProcessClassifier", kernel),
                select(self.X_train_, rows),
                labels,
                mode,
            )
            for kernel, mode, (rows, labels) in zip(
                self.kernels_, self.modes_, views, strict=True
            )
        ]

    def _shares(self, X: Any) -> Matrix:
        X = self._new(X)
        return np.column_stack([problem.shares(X) for problem in self._problems()])

    def _new(self, X: Any) -> Any:
        if are_things(self, X):
            return X
        return accept_table(self, X, dtype=np.float64, reset=False)

    def _normalised(self, shares: Matrix) -> Matrix:
        if self.n_classes_ == 2:  # noqa: PLR2004
            return np.column_stack((1.0 - shares[:, 0], shares[:, 0]))
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    def _votes(self, shares: Matrix) -> Matrix:
        """One vote a duel; the summed shares, below 1/2 in all, break ties."""
        votes = np.zeros((len(shares), self.n_classes_))
        duels = self._pairs(self.n_classes_)
        for (second, first), share in zip(duels, shares.T, strict=True):
            votes[:, second] += (share > 0.5) + (share - 0.5) / (2 * len(duels))
            votes[:, first] += (share <= 0.5) - (share - 0.5) / (2 * len(duels))
        return votes
