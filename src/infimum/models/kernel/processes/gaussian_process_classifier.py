"""Gaussian-process classification by Laplace's approximation."""

from collections.abc import Callable
from itertools import combinations
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit
from sklearn.base import ClassifierMixin
from sklearn.utils import check_random_state

from infimum.certificates import Certificate
from infimum.data.doors import check_fitted, labelled, things, winners
from infimum.errors import IncompatibleError, InvalidParameterError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models._kernel_door import is_precomputed, select
from infimum.models.kernel.processes._binary_process import BinaryProcess, binary
from infimum.models.kernel.processes._evidence import maximise
from infimum.models.kernel.processes._laplace import Votes, find_mode, laplace_evidence
from infimum.models.kernel.processes._latent_field import (
    LatentField,
    TiledField,
    WholeField,
)
from infimum.models.kernel.processes._process_memory import ProcessMemory
from infimum.models.kernel.processes._tuned_kernel import TunedKernel, tuned_kernel
from infimum.parameters import Choice, Domains, check_parameters, whole
from infimum.typing import Matrix, Vector

__all__ = ["GaussianProcessClassifier"]

_SCHEMES = Choice(("one_vs_rest", "one_vs_one"))
TWO = 2
#: How its door reads tables.
_DENSE: dict[str, Any] = {"accept_sparse": False, "dtype": np.float64}


class GaussianProcessClassifier(ClassifierMixin, ProcessMemory):  # type: ignore[misc]
    r"""Class probabilities from a Gaussian process behind a logistic link.

    The posterior of the scores is replaced by the normal distribution around its mode
    with the curvature there. The mode is a convex problem (kernel logistic
    regression), solved until its gap closes; the kernel's parameters maximise the
    approximate evidence. Several classes are told apart one against the rest, or in
    pairs.

    With the solver "auto", a kernel matrix that does not fit in `cache_size` is not
    formed, as in `GaussianProcessRegressor`: conjugate gradients find the mode, the
    parameters maximise the evidence of 2,000 samples, that of all is an estimate.

    Parameters
    ----------
    kernel : Kernel, kernel of scikit-learn, callable, "precomputed" or None
        A kernel of `infimum.kernels`, all of whose positive real parameters move, one
        of `sklearn.gaussian_process.kernels`, or a function of two samples. Given
        "precomputed", X holds kernel values, which are enough for `predict` (by the
        scores at the mode); for probabilities take `infimum.kernels.Precomputed`.
        None: Gaussian of width 1, fixed.
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
    solver : {"auto", "cholesky", "conjugate_gradient"}, default="auto"
        "auto" factorises what fits in `cache_size`.
    cache_size : float, default=4000
        Megabytes of kernel values beyond which "auto" works in tiles.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    n_classes_ : int
    kernel_ : the kernel found, or a tuple of them, one per binary problem
    modes_ : tuple of LaplaceMode
        The most plausible scores of each binary problem, with the curvature there.
    log_marginal_likelihood_value_ : float
        Mean over the binary problems.
    log_marginal_likelihood_error_ : float
        Its standard error; 0 where it was computed, not estimated.
    certificate_ : Certificate
        Proof of the mode, the worst one if there are several; of the kernel matrix as
        computed, and without a count of rounding.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.kernels import Gaussian
    >>> X = np.array([[-2.0], [-1.0], [1.0], [2.0]])
    >>> model = GaussianProcessClassifier(Gaussian(1.0)).fit(X, [0, 0, 1, 1])
    >>> model.predict([[-1.5], [1.5]])
    array([0, 1])
    """

    _domains: ClassVar[Domains] = {
        "multi_class": _SCHEMES,
        "max_iter_predict": whole(1),
    }

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
        solver: str = "auto",
        cache_size: float = 4000,
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
        self.solver = solver
        self.cache_size = cache_size

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Maximise the evidence of each binary problem; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a list of things
            Samples; the kernel matrix if `kernel` is "precomputed".
        y : array-like of shape (n_samples,)
            Labels, of any sortable kind.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample, which share one
            score; under a kernel with noise of its own copies do not, weights do.
        """
        name = "GaussianProcessClassifier"
        check_parameters(self)
        start = tuned_kernel(name, self.kernel)
        rows = things(self, X, y, sample_weight, door=labelled, **_DENSE)
        X, classes, codes, counts = rows.X, rows.classes, rows.y, rows.shares()
        draw = check_random_state(self.random_state)
        problems = [
            self._fit_binary(start, X, counts, binary(codes, pair), draw)
            for pair in self._pairs(len(classes))
        ]
        self.X_train_ = X.copy() if self.copy_X_train else X
        self.codes_, self._counts = codes, counts
        self.kernels_ = tuple(problem.kernel.kernel for problem in problems)
        self.modes_ = tuple(problem.mode for problem in problems)
        self.classes_ = classes
        self.n_classes_ = len(classes)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each sample."""
        check_fitted(self)
        if self.n_classes_ == TWO:  # a mean above 0 is a share above one half
            means = self._of_each_problem(X, BinaryProcess.means)
            return np.asarray(self.classes_[winners(means[:, 0])])
        if is_precomputed(self):
            means = self._of_each_problem(X, BinaryProcess.means)
            shares: Matrix = expit(means)
        else:
            shares = self._of_each_problem(X, BinaryProcess.shares)
        if self.multi_class == "one_vs_one":
            shares = self._votes(shares)
        return np.asarray(self.classes_[winners(shares)])

    def latent_mean_and_variance(self, X: Any) -> tuple[Vector, Vector]:
        """Return the mean and the variance of the score behind the label, of two."""
        check_fitted(self)
        if self.n_classes_ > TWO:
            raise IncompatibleError(
                "GaussianProcessClassifier has one score behind the label of two "
                f"classes only, got {self.n_classes_} classes."
            )
        [(problem, _)] = self._problems()
        return problem.latent(things(self, X, reset=False, **_DENSE).X)

    def predict_proba(self, X: Any) -> Matrix:
        """Return the probability of each class, averaged over the posterior."""
        check_fitted(self)
        if self.n_classes_ > TWO and self.multi_class == "one_vs_one":
            raise IncompatibleError(
                "GaussianProcessClassifier gives no probabilities with "
                "multi_class='one_vs_one'; use 'one_vs_rest'."
            )
        shares = self._of_each_problem(X, BinaryProcess.shares)
        if self.n_classes_ == TWO:
            return np.column_stack((1.0 - shares[:, 0], shares[:, 0]))
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    @property
    def kernel_(self) -> Any:
        """The kernel found, or one per binary problem."""
        check_fitted(self, "classes_")
        return self.kernels_[0] if len(self.kernels_) == 1 else self.kernels_

    @property
    def certificate_(self) -> Certificate:
        """The proof of the mode; the worst one if there are several."""
        check_fitted(self, "classes_")
        proofs = [mode.certificate for mode in self.modes_]
        return max(proofs, key=lambda proof: proof.relative_gap)

    @property
    def log_marginal_likelihood_value_(self) -> float:
        """The approximate log-evidence, a mean over the binary problems."""
        check_fitted(self, "classes_")
        return np.float64(np.mean([mode.evidence for mode in self.modes_]))

    @property
    def log_marginal_likelihood_error_(self) -> float:
        """The standard error of it, where it was estimated."""
        check_fitted(self, "classes_")
        return float(np.mean([mode.uncertainty for mode in self.modes_]))

    def log_marginal_likelihood(
        self,
        theta: Any = None,
        eval_gradient: bool = False,  # noqa: FBT001, FBT002
        clone_kernel: bool = True,  # noqa: FBT001, FBT002
    ) -> Any:
        """Return the evidence at log-parameters `theta`, with its slope on request.

        Without `theta`, the value reached by the fit; with it the kernel matrix is
        held and factorised, whatever the solver of the fit.
        """
        check_fitted(self)
        if theta is None:
            if eval_gradient:
                raise InvalidParameterError(
                    "GaussianProcessClassifier: the gradient needs theta."
                )
            return self.log_marginal_likelihood_value_
        point = np.asarray(theta, dtype=np.float64)
        found = []
        for problem, pair in self._problems():
            rows, labels = binary(self.codes_, pair)
            votes = Votes(labels, self._counts[rows])
            kernel, steps = problem.kernel.at(point), int(self.max_iter_predict)
            found.append(laplace_evidence(kernel, problem.X, votes, steps))
        value = np.float64(np.mean([value for value, _ in found]))
        slope = np.mean([slope for _, slope in found], axis=0)
        return (value, slope) if eval_gradient else value

    def _pairs(self, count: int) -> list[tuple[int, int | None]]:
        """Return whom each binary problem is for and against; None means the rest."""
        if count == TWO:
            return [(1, None)]
        if self.multi_class == "one_vs_rest":
            return [(code, None) for code in range(count)]
        return [(second, first) for first, second in combinations(range(count), 2)]

    def _fit_binary(
        self,
        start: TunedKernel,
        X: Any,
        counts: Vector,
        view: tuple[Any, Vector],
        draw: Any,
    ) -> BinaryProcess:
        rows, labels = view
        X, steps = self._some(X, rows), int(self.max_iter_predict)
        best = start
        if self.optimizer is not None and len(start.theta):
            few = self._tuning_rows(len(labels), draw)
            seen, votes = select(X, few), Votes(labels[few], counts[rows][few])
            theta = maximise(
                "GaussianProcessClassifier",
                lambda theta: laplace_evidence(start.at(theta), seen, votes, steps),
                start,
                self.optimizer,
                int(self.n_restarts_optimizer),
                draw,
            )
            best = start.at(theta)
        field: LatentField
        if self._fits(len(labels)):
            field = WholeField(best.gram(X))
        else:
            field = TiledField(best, X, self._capacity)
        mode = find_mode(field, Votes(labels, counts[rows]), steps, draw)
        return BinaryProcess(best, X, mode, self._capacity)

    def _problems(self) -> list[tuple[BinaryProcess, tuple[int, int | None]]]:
        pairs = self._pairs(self.n_classes_)
        return [
            (
                BinaryProcess(
                    tuned_kernel("GaussianProcessClassifier", kernel),
                    self._some(self.X_train_, binary(self.codes_, pair)[0]),
                    mode,
                    self._capacity,
                ),
                pair,
            )
            for kernel, mode, pair in zip(
                self.kernels_, self.modes_, pairs, strict=True
            )
        ]

    def _of_each_problem(
        self, X: Any, what: Callable[[BinaryProcess, Any], Vector]
    ) -> Matrix:
        X, columns = things(self, X, reset=False, **_DENSE).X, []
        for problem, pair in self._problems():
            seen = X
            if is_precomputed(self):
                seen = X[:, binary(self.codes_, pair)[0]]
            columns.append(what(problem, seen))
        return np.column_stack(columns)

    def _some(self, X: Any, rows: Any) -> Any:
        part = select(X, rows)
        return part[:, rows] if is_precomputed(self) else part

    def _votes(self, shares: Matrix) -> Matrix:
        """One vote a duel; the summed shares, below 1/2 in all, break ties."""
        votes = np.zeros((len(shares), self.n_classes_))
        duels = self._pairs(self.n_classes_)
        for (second, first), share in zip(duels, shares.T, strict=True):
            votes[:, second] += (share > 0.5) + (share - 0.5) / (2 * len(duels))
            votes[:, first] += (share <= 0.5) - (share - 0.5) / (2 * len(duels))
        return votes

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = is_precomputed(self)
        return tags
