"""What a recovered signal must be."""

from __future__ import annotations

from typing import Any

from infimum.errors import DataError
from infimum.fitted import State

__all__ = ["STATES"]


def _check_basis(basis: Any) -> None:
    if not basis.shape or min(basis.shape) < 1:
        raise DataError("OrthonormalBasis: sides must be at least 1.")
    if (basis.given is None) != (basis.kind != "given"):
        raise DataError("OrthonormalBasis needs a matrix only if it is given by one.")
    if basis.kind not in {"given", "identity", "dct", "haar", "fourier"}:
        raise DataError("OrthonormalBasis: its kind is not known.")
    if basis.given is not None and basis.given.shape != (basis.size,) * 2:
        raise DataError("OrthonormalBasis: its matrix has another size.")


STATES = {
    "OrthonormalBasis": State(
        {
            "kind": "text",
            "shape": "tuple of count",
            "given": "none | finite[size, size]",
        },
        also=_check_basis,
    ),
    "BasisPursuit": State(
        {
            "basis": "none | text | OrthonormalBasis | finite[features, features] | "
            "list of any",
            "coef_": "finite[features]",
            "signal_": "finite[features]",
            "support_": "index[*] of features",
            "multiplier_": "finite[*]",
            "unique_": "none | flag",
            "certificate_": "Certificate",
            "n_iter_": "count",
        }
    ),
}
