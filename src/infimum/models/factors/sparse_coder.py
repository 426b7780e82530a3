"""Codes on a dictionary that is given."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from infimum.data.doors import array, rows
from infimum.data.spelling import first_line
from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.factors._coder import Coder
from infimum.models.factors.sparse_encode import refuse_other_features
from infimum.parameters import Domains, check_parameters, numbers
from infimum.typing import Matrix

__all__ = ["SparseCoder"]


class SparseCoder(Coder):
    """Each sample as a sum of few atoms of a dictionary that is given.

    Parameters
    ----------
    dictionary : ndarray of shape (n_components, n_features)
        Atoms; "omp", "lars" and "threshold" suppose that they are equally long.
    transform_algorithm : {'lasso_lars', 'lasso_cd', 'lars', 'omp', 'threshold'}
        As for `sparse_encode`; 'omp' by default.
    transform_n_nonzero_coefs : int or None, default=None
    transform_alpha : float or None, default=None
    split_sign : bool, default=False
        Whether positive and negative parts of codes are features of their own.
    n_jobs : int or None, default=None
        Accepted for compatibility: both cores are used.
    positive_code : bool, default=False
    transform_max_iter : int, default=1000

    Attributes
    ----------
    n_components_ : int

    Examples
    --------
    >>> import numpy as np
    >>> coder = SparseCoder(np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]]))
    >>> coder.transform(np.array([[3.0, 4.0], [2.0, 0.1]]))
    array([[0., 0., 5.],
           [2., 0., 0.]])
    """

    _domains: ClassVar[Domains] = {"dictionary": numbers}

    def __init__(
        self,
        dictionary: Any,
        *,
        transform_algorithm: str = "omp",
        transform_n_nonzero_coefs: int | None = None,
        transform_alpha: float | None = None,
        split_sign: bool = False,
        n_jobs: int | None = None,
        positive_code: bool = False,
        transform_max_iter: int = 1000,
    ) -> None:
        self.dictionary = dictionary
        self.transform_algorithm = transform_algorithm
        self.transform_n_nonzero_coefs = transform_n_nonzero_coefs
        self.transform_alpha = transform_alpha
        self.split_sign = split_sign
        self.n_jobs = n_jobs
        self.positive_code = positive_code
        self.transform_max_iter = transform_max_iter

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None) -> Self:
        """Check samples against the dictionary; nothing is learnt."""
        check_parameters(self)
        table = rows(self, X, accept_sparse=False).X
        refuse_other_features(type(self).__name__, self._atoms(), table)
        self.n_components_ = len(self._atoms())
        return self

    def transform(self, X: Any, y: Any = None) -> Matrix:
        """Return the codes of samples, their two signs apart if asked for."""
        check_parameters(self)
        table = array(X, dtype=[np.float64, np.float32])
        refuse_other_features(type(self).__name__, self._atoms(), table)
        return super().transform(X)

    def _atoms(self) -> Matrix:
        try:
            given = np.asarray(self.dictionary)
            return np.asarray(array(given, dtype=[np.float64, np.float32]))
        except (TypeError, ValueError) as error:
            raise DataError(
                "SparseCoder.dictionary must be a table of finite numbers, a row for "
                f"each atom: {first_line(error)}."
            ) from None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        return tags
