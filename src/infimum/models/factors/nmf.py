"""Nonnegative matrix factorisation: parts that only add up."""

from __future__ import annotations

import sys
import warnings
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from infimum.data.doors import array, check_fitted, rows, samples
from infimum.errors import DataError, IncompatibleError, InvalidParameterError
from infimum.features.columns import is_sparse
from infimum.limits import in_time
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.factors._nonnegative_descent import descend_both, descend_rows
from infimum.models.factors._nonnegative_start import first_factors
from infimum.models.factors._nonnegative_steps import (
    beta_divergence,
    multiply_step,
)
from infimum.parameters import (
    Besides,
    Choice,
    Domains,
    besides,
    check_parameters,
    closed,
    flag,
    nonnegative,
    or_none,
    real,
    whole,
)
from infimum.typing import Matrix

__all__ = ["FAINT", "NMF", "NonnegativeFactors", "refuse_negative"]

LOSSES = {"frobenius": 2.0, "kullback-leibler": 1.0, "itakura-saito": 0.0}
_LOSS_WORDS = f"a number or one of {', '.join(map(repr, LOSSES))}"
STARTS = Choice(("random", "nndsvd", "nndsvda", "nndsvdar", "custom"))
#: Multiplicative steps between two looks at the divergence.
LOOK = 10
#: Entries below it are 0, where multiplications are by a root of a ratio.
FAINT = float(np.finfo(np.float64).eps)


class NonnegativeFactors(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """What factorisations into nonnegative parts share."""

    _domains: ClassVar[Domains] = {
        "n_components": besides(whole(1), None, "auto"),
        "init": or_none(STARTS),
        "max_iter": whole(1),
        "tol": nonnegative,
        "beta_loss": Besides(real, tuple(LOSSES), _LOSS_WORDS),
        "alpha_W": nonnegative,
        "alpha_H": besides(nonnegative, "same"),
        "l1_ratio": closed(0, 1),
    }
    n_components: Any
    init: str | None
    beta_loss: Any
    tol: float
    max_iter: int
    alpha_W: float  # noqa: N815
    alpha_H: Any  # noqa: N815
    l1_ratio: float
    verbose: int
    random_state: Any
    components_: Matrix

    @property
    def _beta(self) -> float:
        return _beta_of(self)

    def _admit(self, X: Any) -> Any:
        check_parameters(self)
        found = rows(self, X, moderate=True).X
        refuse_negative(type(self).__name__, found)
        least = found.data.min() if is_sparse(found) and found.nnz else 0.0
        if not is_sparse(found):
            least = found.min()
        if self._beta <= 0.0 and (least <= 0.0 or is_sparse(found)):
            raise DataError(
                f"{type(self).__name__} with beta_loss <= 0 needs X above 0 everywhere."
            )
        return found

    def _admit_more(self, X: Any) -> Any:
        """Take rows to transform."""
        found = samples(self, X)
        refuse_negative(type(self).__name__, found)
        return found

    def _start(self, X: Any, W: Any, H: Any) -> tuple[Matrix, Matrix]:
        given = self.init == "custom"
        count = self._count(X, H if given else None)
        least = min(X.shape)
        if str(self.init).startswith("nndsvd") and count > least:
            raise InvalidParameterError(
                f"{type(self).__name__}.init={self.init!r} needs n_components of at "
                f"most {least} = min(n_samples, n_features), got {count}."
            )
        if not given:
            random = check_random_state(self.random_state)
            return first_factors(X, count, self.init, random)
        wanted = {"W": (W, (X.shape[0], count)), "H": (H, (count, X.shape[1]))}
        made = []
        for name, (given_part, shape) in wanted.items():
            kinds = [np.float64, np.float32]
            part = np.array(array(given_part, dtype=kinds))
            if part.dtype != X.dtype:
                raise IncompatibleError(
                    f"{type(self).__name__}: {name} should have the same dtype as X, "
                    f"which is {X.dtype}, got {part.dtype}."
                )
            if part.shape != shape or (part < 0).any() or not part.any():
                raise DataError(
                    f"{type(self).__name__}: {name} must have shape {shape}, no "
                    f"negative entry and one above 0, got shape {part.shape}."
                )
            made.append(part)
        return made[0], made[1]

    def _count(self, X: Any, H: Any) -> int:
        wanted = self.n_components
        if wanted == "auto" and H is not None:
            return int(np.asarray(H).shape[0])
        return int(X.shape[1] if wanted in (None, "auto") else wanted)

    def _costs(self, X: Any) -> tuple[float, float, float, float]:
        """Return l1 and l2 of W, then of H, on the scale of the sums."""
        n, d = X.shape
        ours = float(self.alpha_W)
        theirs = ours if self.alpha_H == "same" else float(self.alpha_H)
        share = float(self.l1_ratio)
        return (
            d * ours * share, d * ours * (1.0 - share),
            n * theirs * share, n * theirs * (1.0 - share),
        )  # fmt: skip

    def fit(self, X: Any, y: Any = None, **params: Any) -> Self:
        """Factorise; return self. `params` may hold W and H to begin with."""
        self.fit_transform(X, **params)
        return self

    def inverse_transform(self, X: Any) -> Matrix:
        """Return the rows that loadings stand for."""
        check_fitted(self)
        return np.asarray(X @ self.components_)

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _beta_of(model: Any) -> float:
    given = model.beta_loss
    return LOSSES[given] if isinstance(given, str) else float(given)


def refuse_negative(owner: str, X: Any) -> None:
    """Refuse tables with an entry below 0."""
    values = X.data if is_sparse(X) else X
    if values.size and values.min() < 0:
        raise DataError(f"Negative values in data passed to {owner} (input X).")


class NMF(NonnegativeFactors):
    r"""Two nonnegative factors whose product is near a nonnegative table.

    .. math:: \min_{W, H ≥ 0} \; D(X \,\|\, W H) + \text{penalties}

    A row is a sum of parts, the rows of H, none of which takes anything away. The
    problem is not convex: a local minimum is found.

    Parameters
    ----------
    n_components : int, 'auto' or None, default='auto'
        How many parts; as many as features, or those of H, by default.
    init : {'random', 'nndsvd', 'nndsvda', 'nndsvdar', 'custom'} or None, default=None
        Where to begin; None for 'nndsvda', or 'random' for more parts than axes.
    solver : {'cd', 'mu'}, default='cd'
        Coordinates in turn, for the squared error only, or multiplications.
    beta_loss : float or str, default='frobenius'
        'frobenius' (2), 'kullback-leibler' (1), 'itakura-saito' (0), or another number.
    tol : float, default=1e-4
        Stop when the violation of optimality, or what a step gains, is this share of
        that at the start.
    max_iter : int, default=200
    random_state : int, RandomState or None, default=None
    alpha_W, alpha_H : float, default=0.0 and 'same'
        Strengths of the penalties on W (times n_features) and H (times n_samples).
    l1_ratio : float in [0, 1], default=0.0
        Share of the l1 norm in them.
    verbose : int, default=0
    shuffle : bool, default=False
        Whether coordinates come in a random order.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        H.
    n_components_ : int
    reconstruction_err_ : float
        √(2 D) at the end.
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.outer([1.0, 2.0, 3.0], [1.0, 0.5])
    >>> model = NMF(n_components=1, max_iter=500).fit(X)
    >>> bool(model.reconstruction_err_ < 1e-3)
    True
    """

    _domains: ClassVar[Domains] = {"solver": Choice(("cd", "mu")), "shuffle": flag}

    def __init__(
        self,
        n_components: Any = "auto",
        *,
        init: str | None = None,
        solver: str = "cd",
        beta_loss: Any = "frobenius",
        tol: float = 1e-4,
        max_iter: int = 200,
        random_state: Any = None,
        alpha_W: float = 0.0,
        alpha_H: Any = "same",
        l1_ratio: float = 0.0,
        verbose: int = 0,
        shuffle: bool = False,
    ) -> None:
        self.n_components = n_components
        self.init = init
        self.solver = solver
        self.beta_loss = beta_loss
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.alpha_W = alpha_W
        self.alpha_H = alpha_H
        self.l1_ratio = l1_ratio
        self.verbose = verbose
        self.shuffle = shuffle

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
        self._check_solver()
        W, H = self._start(table, W, H)
        W, H, count = self._descend(table, W, H, both=True)
        self.components_, self.n_components_ = H, len(H)
        self.reconstruction_err_ = np.float64(_error(table, W, H, self._beta))
        self.n_iter_ = count
        return np.asarray(W)

    def _check_solver(self) -> None:
        if self.solver == "cd" and self._beta != LOSSES["frobenius"]:
            raise InvalidParameterError(
                f"NMF.beta_loss={self.beta_loss!r} needs solver='mu': solver='cd' "
                "knows the squared error only."
            )
        if self.solver == "mu" and self.init == "nndsvd":
            warnings.warn(
                "NMF: solver='mu' cannot leave the zeros that init='nndsvd' begins "
                "with; 'nndsvda' has none.",
                UserWarning,
                stacklevel=4,
            )

    def _descend(
        self, X: Any, W: Matrix, H: Matrix, *, both: bool
    ) -> tuple[Matrix, Matrix, int]:
        if self.solver == "cd":
            run = descend_both if both else descend_rows
            W, H, count = run(self, X, W, H)
        else:
            W, H, count = _by_products(self, X, W, H, both=both)
        if both and count == self.max_iter and self.tol > 0:
            warnings.warn(
                f"NMF: maximum number of iterations {self.max_iter} reached; increase "
                "it to improve convergence.",
                ConvergenceWarning,
                stacklevel=5,
            )
        return W, H, count

    def transform(self, X: Any) -> Matrix:
        """Return the loadings of samples on the parts."""
        table = self._admit_more(X)
        level = np.sqrt(table.mean() / len(self.components_))
        shape = (table.shape[0], len(self.components_))
        level = 0.0 if self.solver == "cd" else level
        W = np.full(shape, level, dtype=table.dtype)
        H = self.components_.astype(table.dtype, copy=False)
        return np.asarray(self._descend(table, W, H, both=False)[0])


def _by_products(
    model: Any, X: Any, W: Matrix, H: Matrix, *, both: bool
) -> tuple[Matrix, Matrix, int]:
    costs, beta = model._costs(X), model._beta
    before = first = _error(X, W, H, beta)
    XT = X.T.tocsr() if is_sparse(X) else X.T
    count = 0
    for count in in_time(range(1, int(model.max_iter) + 1)):
        W = multiply_step(X, W, H, beta, *costs[:2])
        if both:
            H = multiply_step(XT, H.T, W.T, beta, *costs[2:]).T
        if beta < 1.0:  # where what is hardly there would never become 0
            W[W < FAINT] = 0.0
            if both:
                H[H < FAINT] = 0.0
        if model.tol > 0 and count % LOOK == 0:
            now = _error(X, W, H, beta)
            if model.verbose:
                sys.stdout.write(f"[{type(model).__name__}] {count}: error {now:.3e}\n")
            if (before - now) / max(first, 1e-300) < model.tol:
                break
            before = now
    return W, np.ascontiguousarray(H), count


def _error(X: Any, W: Matrix, H: Matrix, beta: float) -> float:
    return float(np.sqrt(2.0 * max(beta_divergence(X, W, H, beta), 0.0)))
