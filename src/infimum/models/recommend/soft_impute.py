"""Soft-impute: complete a matrix by the one of least loss and trace norm, proved."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin

from infimum.certificates import Certificate
from infimum.certificates.completion_gap import certify_factors
from infimum.data.doors import array, check_fitted, samples
from infimum.errors import DataError
from infimum.models._audited import not_audited
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.recommend._completed import (
    filled,
    matrix_of,
    place_of,
)
from infimum.models.recommend._trace_norm import (
    Completion,
    complete,
    largest_penalty,
    singular_values,
)
from infimum.models.warnings import UncertifiedWarning
from infimum.objectives.matrix_risk import Factors, MatrixRisk
from infimum.parameters import (
    Domains,
    check_domain,
    check_parameters,
    or_none,
    positive,
    whole,
)
from infimum.typing import Matrix, Vector

__all__ = ["CompletionPath", "SoftImpute", "soft_impute_path"]

#: Shares of the strength that leaves nothing, tried where none is given.
SHARES = (0.5, 0.25, 0.12, 0.06, 0.03, 0.015)
#: Entries held out to choose one.
HELD = 0.1


class SoftImpute(
    OneToOneFeatureMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    r"""The matrix of least loss on what was seen plus trace norm, with a proof.

    .. math:: \frac1{|Ω|} \sum_Ω \tfrac12 (z - m)^2 + \text{strength} \cdot \|M\|_*

    The strength of Mazumder, Hastie & Tibshirani (2010) is |Ω| times this one; from
    ‖P_Ω(Z)‖₂ on it gives 0. `fit` takes an array with NaN, as an imputer does, and
    `fit_entries` a sparse matrix whose stored entries were seen. Nothing is ever filled
    in on the way: products are those of sparse and of narrow matrices.

    Parameters
    ----------
    strength : float, optional
        Left out, it is the best of six for a tenth of the entries, held out for that.
    max_rank : int, optional
        Limits memory; if it binds, the gap stays open.
    center : bool, default=False
        Whether means of the seen entries of each column are subtracted first.
    tol : float, default=1e-5
        Relative duality gap to reach.
    max_iter : int, default=500
        Most sweeps of alternating least squares.

    Attributes
    ----------
    row_factors_, column_factors_ : ndarray of shape (n_rows or n_columns, rank)
        The completed matrix is their product, plus the means.
    singular_values_ : ndarray of shape (rank,)
    column_means_ : ndarray of shape (n_columns,)
    strength_ : float
    certificate_ : Certificate
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> Z = np.outer([1.0, 2.0, 3.0], [2.0, 1.0, 4.0])
    >>> Z[1, 2] = np.nan
    >>> model = SoftImpute(strength=0.1).fit(Z)
    >>> round(float(model.singular_values_[0]), 1), model.certificate_.closed
    (15.6, True)
    """

    _domains: ClassVar[Domains] = {
        "strength": or_none(positive),
        "max_rank": or_none(whole(1)),
        "tol": positive,
        "max_iter": whole(1),
    }

    def __init__(
        self,
        strength: float | None = None,
        *,
        max_rank: int | None = None,
        center: bool = False,
        tol: float = 1e-5,
        max_iter: int = 500,
    ) -> None:
        self.strength = strength
        self.max_rank = max_rank
        self.center = center
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: Any, y: Any = None) -> Self:
        """Complete an array with NaN; return self."""
        return self._fit(X, stored=False)

    def fit_entries(self, X: Any) -> Self:
        """Complete a sparse matrix, whose stored entries were seen; return self."""
        return self._fit(X, stored=True)

    @whole_or_not_at_all
    def _fit(self, X: Any, *, stored: bool) -> Self:
        check_parameters(self)
        seen, self.column_means_ = matrix_of(self, X, center=self.center, stored=stored)
        how: dict[str, Any] = {
            "tol": self.tol,
            "max_iter": self.max_iter,
            "max_rank": self.max_rank,
        }
        strength = self.strength or _chosen(seen, how)
        found = complete(MatrixRisk(seen, float(strength)), **how)
        rank = max(found.rank, 1)
        self.row_factors_ = found.factors.rows[:, :rank].copy()
        self.column_factors_ = found.factors.columns[:, :rank].copy()
        self.singular_values_ = singular_values(found.factors)[:rank]
        self.strength_, self._total = float(strength), float(seen.nnz)
        self.certificate_, self.n_iter_ = found.certificate, found.n_iter
        if not self.certificate_.closed and self.max_rank is None:
            warnings.warn(
                f"SoftImpute: {self.certificate_}.", UncertifiedWarning, stacklevel=4
            )
        return self

    def transform(self, X: Any) -> Matrix:
        """Return the rows with what they lack filled in; what they have stays.

        Factors of a row are the best ones for those of the columns, so rows need not
        have been there before.
        """
        X = samples(self, X, missing=True, accept_sparse=False)
        penalty = self.strength_ * self._total
        return filled(X, self.column_factors_, self.column_means_, penalty)

    def predict_entries(self, rows: Any, columns: Any) -> Vector:
        """Return entries of the completed matrix, by their places."""
        check_fitted(self, "row_factors_")
        i = place_of("SoftImpute", rows, len(self.row_factors_))
        j = place_of("SoftImpute", columns, len(self.column_factors_))
        made = np.einsum("ij,ij->i", self.row_factors_[i], self.column_factors_[j])
        return np.asarray(made + self.column_means_[j])

    def certify(self, X: Any, y: Any = None, *, rigorous: bool = False) -> Certificate:
        """Prove the completed matrix again from the entries.

        With `rigorous` the proof stays open: the auditor does not know these risks.
        """
        check_fitted(self, "row_factors_")
        stored = sparse.issparse(X)
        seen, _ = matrix_of(self, X, center=False, reset=False, stored=stored)
        lines = np.repeat(np.arange(seen.shape[0]), np.diff(seen.indptr))
        if len(self.row_factors_) != seen.shape[0] or not len(lines):
            raise DataError("SoftImpute: the proof needs the rows of the fit.")
        data = seen.data - self.column_means_[seen.indices]
        seen = sparse.csr_array((data, seen.indices, seen.indptr), seen.shape)
        point = Factors(
            np.ascontiguousarray(self.row_factors_),
            np.ascontiguousarray(self.column_factors_),
            self.row_factors_.shape[1],
        )
        risk = MatrixRisk(seen, self.strength_)
        padded = [
            np.pad(part, ((0, 0), (0, risk.width(point.rank) - point.rank)))
            for part in point[:2]
        ]
        point = Factors(padded[0], padded[1], point.rank)
        proof = certify_factors(risk, point, tolerance=self.tol)
        return not_audited(self, proof) if rigorous else proof

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


@dataclass(frozen=True, eq=False)
class CompletionPath:
    """Completions along strengths, the strongest first, each started from the last."""

    strengths: Vector
    completions: list[Completion]
    #: Root mean squared error on entries that were held out; NaN if there were none.
    errors: Vector

    @property
    def ranks(self) -> list[int]:
        """The rank at each strength."""
        return [each.rank for each in self.completions]

    @property
    def certificates(self) -> list[Certificate]:
        """The proof at each strength."""
        return [each.certificate for each in self.completions]

    @property
    def best(self) -> int:
        """The place of the least error on what was held out."""
        return int(np.nanargmin(self.errors))


def soft_impute_path(
    X: Any,
    strengths: Any = None,
    *,
    n_strengths: int = 10,
    ratio: float = 0.1,
    held_out: Any = None,
    tol: float = 1e-4,
    max_iter: int = 500,
    max_rank: int | None = None,
) -> CompletionPath:
    """Complete a matrix at one strength after the other, from strong to weak.

    Parameters
    ----------
    X : sparse matrix, or array with NaN
    strengths : array-like, optional
        Unless given, `n_strengths` from the one that leaves nothing down to `ratio`
        of it.
    n_strengths, ratio
    held_out : (rows, columns, values), optional
        Entries to judge each completion by.
    tol, max_iter, max_rank
        As for `SoftImpute`.

    Examples
    --------
    >>> import numpy as np
    >>> path = soft_impute_path(np.outer([1.0, 2.0], [3.0, np.nan]), n_strengths=3)
    >>> path.ranks
    [0, 1, 1]
    """
    seen = matrix_of(None, X, center=False, stored=sparse.issparse(X))[0]
    if strengths is None:
        check_domain("soft_impute_path.n_strengths", n_strengths, whole(1))
        check_domain("soft_impute_path.ratio", ratio, positive)
        largest = largest_penalty(MatrixRisk(seen, 1.0)) / seen.nnz
        strengths = max(largest, 1e-300) * np.geomspace(1.0, ratio, n_strengths)
    strengths = np.sort(array(strengths, ensure_2d=False).ravel())[::-1]
    for strength in strengths:
        check_domain("soft_impute_path.strengths", float(strength), positive)
    point, made, errors = None, [], []
    for strength in strengths:
        risk = MatrixRisk(seen, float(strength))
        found = complete(risk, point, tol=tol, max_iter=max_iter, max_rank=max_rank)
        point = found.factors
        made.append(found)
        errors.append(_missed(found, held_out))
    return CompletionPath(strengths, made, np.array(errors))


def _missed(found: Completion, held_out: Any) -> float:
    if held_out is None:
        return float("nan")
    i, j, values = (np.asarray(part) for part in held_out)
    point = found.factors
    said = np.einsum("ij,ij->i", point.rows[i], point.columns[j])
    return float(np.sqrt(np.mean((values - said) ** 2)))


def _chosen(seen: Any, how: dict[str, Any]) -> float:
    """Return the strength that is best for entries held out, or a rule of thumb."""
    largest = largest_penalty(MatrixRisk(seen, 1.0)) / seen.nnz
    held = np.random.default_rng(0).random(seen.nnz) < HELD
    if largest == 0.0 or held.sum() < 2 or held.all():  # noqa: PLR2004
        return float(max(SHARES[-1] * largest, 1e-300))
    i, j = seen.tocoo().coords
    kept = sparse.csr_array((seen.data[~held], (i[~held], j[~held])), seen.shape)
    most = largest * seen.nnz / kept.nnz
    path = soft_impute_path(
        kept,
        np.array(SHARES) * most,
        held_out=(i[held], j[held], seen.data[held]),
        tol=1e-2,
        max_iter=min(40, how["max_iter"]),
        max_rank=how["max_rank"],
    )
    return float(path.strengths[path.best])
