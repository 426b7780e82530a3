"""What estimators share that write samples as sums of few atoms."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)

from infimum.data.doors import array, samples
from infimum.errors import DataError
from infimum.models.factors.sparse_encode import CODING, Coding, encode
from infimum.parameters import Domains, flag
from infimum.typing import Matrix

__all__ = ["Coder"]


class Coder(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """Samples become codes on a dictionary, and codes become samples again."""

    _domains: ClassVar[Domains] = {
        "transform_algorithm": CODING["algorithm"],
        "transform_n_nonzero_coefs": CODING["n_nonzero_coefs"],
        "transform_alpha": CODING["alpha"],
        "transform_max_iter": CODING["max_iter"],
        "positive_code": flag,
        "split_sign": flag,
    }
    transform_algorithm: str
    transform_n_nonzero_coefs: int | None
    transform_alpha: float | None
    transform_max_iter: int
    positive_code: bool
    split_sign: bool

    def _atoms(self) -> Matrix:
        """Return the dictionary."""
        raise NotImplementedError

    def _price(self) -> float | None:
        return self.transform_alpha

    def transform(self, X: Any, y: Any = None) -> Matrix:
        """Return the codes of samples, their two signs apart if asked for."""
        table, atoms = samples(self, X, accept_sparse=False), self._atoms()
        how = Coding(
            type(self).__name__, self.transform_algorithm,
            self.transform_n_nonzero_coefs, self._price(), self.transform_max_iter,
            self.positive_code,
        )  # fmt: skip
        how.check()
        codes = encode(np.asarray(table), atoms, how)[0]
        if self.split_sign:
            codes = np.hstack([np.maximum(codes, 0), -np.minimum(codes, 0)])
        return codes

    def inverse_transform(self, X: Any) -> Matrix:
        """Return the samples that codes stand for."""
        atoms, codes = self._atoms(), array(X)
        expected = len(atoms) * (2 if self.split_sign else 1)
        if codes.shape[1] != expected:
            raise DataError(
                f"{type(self).__name__}: The number of components in the code is "
                "different from the number of components in the dictionary. "
                f"Expected {expected}, got {codes.shape[1]}."
            )
        if self.split_sign:
            codes = codes[:, : len(atoms)] - codes[:, len(atoms) :]
        return np.asarray(codes @ atoms)

    @property
    def _n_features_out(self) -> int:
        return len(self._atoms())

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
