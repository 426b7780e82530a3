"""Dictionaries that are learnt, so that samples have codes of few atoms."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from scipy import linalg
from sklearn.utils import check_random_state
from sklearn.utils.extmath import svd_flip

from infimum.data.doors import array, rows
from infimum.errors import DataError, IncompatibleError
from infimum.limits import in_time
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.factors._coder import Coder
from infimum.models.factors.sparse_encode import Coding, encode
from infimum.parameters import (
    Choice,
    Domains,
    check_parameters,
    flag,
    function,
    nonnegative,
    or_none,
    whole,
)
from infimum.typing import Matrix

__all__ = ["DictionaryLearning", "Learnt", "learn_dictionary"]

METHODS = Choice(("lars", "cd"))
#: An atom whose codes have a smaller sum of squares is drawn anew.
UNUSED = 1e-6
#: Dots of progress are printed at this level, lines beyond it.
DOTS = 1


@dataclass
class Learnt:
    """Codes and dictionary, the objective after each step, and the worst gap."""

    codes: Matrix
    dictionary: Matrix
    errors: list[float] = field(default_factory=list)
    steps: int = 0
    gap: float = 0.0


def learn_dictionary(
    X: Matrix,
    count: int,
    how: Coding,
    *,
    max_iter: int,
    tol: float,
    random: np.random.RandomState,
    codes: Any = None,
    dictionary: Any = None,
    callback: Callable[[dict[str, Any]], Any] | None = None,
    verbose: Any = False,
    positive: bool = False,
) -> Learnt:
    """Improve codes and dictionary in turn: ½‖X - CD‖² + α‖C‖₁, atoms not beyond 1."""
    found = Learnt(*_begin(X, count, codes, dictionary))
    for step in in_time(range(max_iter)):
        found.codes, gaps = encode(X, found.dictionary, how, start=found.codes)
        found.gap = 0.0 if gaps is None else float(gaps.max())
        redrawn = _improve(found, X, random, positive=positive)
        rest = X - found.codes @ found.dictionary
        value = 0.5 * np.sum(rest**2) + how.price * np.sum(np.abs(found.codes))
        found.errors.append(value)
        found.steps = step + 1
        _tell(found, redrawn, verbose)
        if step and found.errors[-2] - value <= tol * value:
            break
        if callback is not None and step % 5 == 0:
            callback({"ii": step, **vars(found)})
    return found


def _begin(X: Matrix, count: int, codes: Any, dictionary: Any) -> tuple[Matrix, Matrix]:
    """Return what is given, or else the leading axes, with atoms of 0 for the rest."""
    if codes is None or dictionary is None:
        codes, values, axes = linalg.svd(X, full_matrices=False)
        codes, axes = svd_flip(codes, axes)
        dictionary = values[:, None] * axes
    else:
        kinds = [np.float64, np.float32]
        codes, dictionary = array(codes, dtype=kinds), array(dictionary, dtype=kinds)
        if codes.shape != (len(X), len(dictionary)) or (
            dictionary.shape[1] != X.shape[1]
        ):
            raise DataError(
                f"A start needs codes of shape ({len(X)}, n) and a dictionary of "
                f"shape (n, {X.shape[1]}), got {codes.shape} and {dictionary.shape}."
            )
    known = min(count, len(dictionary))
    made = np.zeros((len(X), count), X.dtype), np.zeros((count, X.shape[1]), X.dtype)
    made[0][:, :known], made[1][:known] = codes[:, :known], dictionary[:known]
    return made


def _improve(
    found: Learnt, X: Matrix, random: np.random.RandomState, *, positive: bool
) -> int:
    """Put one atom after the other where it is best; return how many were redrawn."""
    codes, dictionary, redrawn = found.codes, found.dictionary, 0
    inner, outer = codes.T @ codes, codes.T @ X
    for k in range(len(dictionary)):
        if inner[k, k] > UNUSED:
            dictionary[k] += (outer[k] - inner[k] @ dictionary) / inner[k, k]
        else:
            row = X[random.choice(len(X))]
            noise = 0.01 * (row.std() or 1.0)
            dictionary[k] = row + random.normal(0.0, noise, size=len(row))
            codes[:, k] = 0.0
            redrawn += 1
        if positive:
            np.maximum(dictionary[k], 0.0, out=dictionary[k])
        dictionary[k] /= max(float(linalg.norm(dictionary[k])), 1.0)
    return redrawn


def _tell(found: Learnt, redrawn: int, verbose: Any) -> None:
    if not verbose:
        return
    line = f"[dict_learning] {found.steps}: {found.errors[-1]:.6g}"
    line += f", {redrawn} unused atoms drawn anew" if redrawn else ""
    sys.stdout.write("." if int(verbose) == DOTS else line + "\n")


class DictionaryLearning(Coder):
    r"""Atoms and codes of few of them whose products are near the samples.

    .. math:: \min_{C, D} ½‖X - C D‖_F^2 + α ‖C‖_1, \quad ‖D_k‖ ≤ 1

    Codes are lassos, each solved to a small gap of duality; atoms are then improved one
    by one. The problem is not convex as a whole: a local minimum is found.

    Parameters
    ----------
    n_components : int or None, default=None
        Atoms; as many as features by default.
    alpha : float, default=1
        What a unit of a code costs.
    max_iter : int, default=1000
    tol : float, default=1e-8
        Stop when a step lowers the objective by a smaller share.
    fit_algorithm : {'lars', 'cd'}, default='lars'
        Accepted for compatibility: the codes are the same.
    transform_algorithm : {'lasso_lars', 'lasso_cd', 'lars', 'omp', 'threshold'}
        As for `sparse_encode`; 'omp' by default.
    transform_n_nonzero_coefs : int or None, default=None
    transform_alpha : float or None, default=None
        None for `alpha`.
    n_jobs : int or None, default=None
        Accepted for compatibility: both cores are used.
    code_init : ndarray of shape (n_samples, n_components), optional
    dict_init : ndarray of shape (n_components, n_features), optional
        Where to begin, if both are given; else at the leading axes.
    callback : callable or None, default=None
        Called with a dictionary of the state at every fifth step.
    verbose : bool or int, default=False
    split_sign : bool, default=False
    random_state : int, RandomState or None, default=None
        Draws rows in the place of atoms that no code uses.
    positive_code, positive_dict : bool, default=False
    transform_max_iter : int, default=1000

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        Atoms.
    error_ : list of float
        The objective after each step.
    code_gap_ : float
        The worst gap of duality of a code in the last step.
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.outer([1.0, 2.0, 3.0, -1.0], [0.6, 0.8])
    >>> model = DictionaryLearning(n_components=1, alpha=0.1).fit(X)
    >>> model.components_.round(3)
    array([[0.6, 0.8]])
    """

    _domains: ClassVar[Domains] = {
        "n_components": or_none(whole(1)),
        "alpha": nonnegative,
        "max_iter": whole(0),
        "tol": nonnegative,
        "fit_algorithm": METHODS,
        "callback": or_none(function),
        "positive_dict": flag,
    }

    def __init__(
        self,
        n_components: int | None = None,
        *,
        alpha: float = 1,
        max_iter: int = 1000,
        tol: float = 1e-8,
        fit_algorithm: str = "lars",
        transform_algorithm: str = "omp",
        transform_n_nonzero_coefs: int | None = None,
        transform_alpha: float | None = None,
        n_jobs: int | None = None,
        code_init: Any = None,
        dict_init: Any = None,
        callback: Any = None,
        verbose: Any = False,
        split_sign: bool = False,
        random_state: Any = None,
        positive_code: bool = False,
        positive_dict: bool = False,
        transform_max_iter: int = 1000,
    ) -> None:
        self.n_components = n_components
        self.alpha = alpha
        self.max_iter = max_iter
        self.tol = tol
        self.fit_algorithm = fit_algorithm
        self.transform_algorithm = transform_algorithm
        self.transform_n_nonzero_coefs = transform_n_nonzero_coefs
        self.transform_alpha = transform_alpha
        self.n_jobs = n_jobs
        self.code_init = code_init
        self.dict_init = dict_init
        self.callback = callback
        self.verbose = verbose
        self.split_sign = split_sign
        self.random_state = random_state
        self.positive_code = positive_code
        self.positive_dict = positive_dict
        self.transform_max_iter = transform_max_iter

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn atoms; return self."""
        self.fit_transform(X)
        return self

    @whole_or_not_at_all
    def fit_transform(self, X: Any, y: Any = None) -> Matrix:
        """Learn atoms; return the codes of the last step.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : ignored
        """
        check_parameters(self)
        if self.positive_code and self.fit_algorithm == "lars":
            raise IncompatibleError(
                "DictionaryLearning: Positive constraint not supported for 'lars' "
                "coding method; use fit_algorithm='cd'."
            )
        how = Coding(
            type(self).__name__, f"lasso_{self.fit_algorithm}", None, self.alpha,
            self.transform_max_iter, self.positive_code,
        )  # fmt: skip
        table = rows(self, X, moderate=True, accept_sparse=False).X
        wanted = self.n_components
        found = learn_dictionary(
            np.asarray(table), table.shape[1] if wanted is None else int(wanted), how,
            max_iter=int(self.max_iter), tol=float(self.tol),
            random=check_random_state(self.random_state), codes=self.code_init,
            dictionary=self.dict_init, callback=self.callback, verbose=self.verbose,
            positive=self.positive_dict,
        )  # fmt: skip
        self.components_, self.error_ = found.dictionary, found.errors
        self.n_iter_, self.code_gap_ = found.steps, found.gap
        return found.codes

    def _atoms(self) -> Matrix:
        return self.components_

    def _price(self) -> float | None:
        return self.alpha if self.transform_alpha is None else self.transform_alpha
