"""Measurements: a few linear looks at a signal, and signals that few suffice for."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.models.sensing.bases import OrthonormalBasis, orthonormal_basis
from infimum.parameters import Choice, check_domain, whole
from infimum.typing import Indices, Matrix, Vector

__all__ = ["measurement_matrix", "sparse_signal"]

_KINDS = Choice(("gaussian", "signs", "masks", "rows"))


def measurement_matrix(
    kind: str,
    n_measurements: int,
    size: int,
    *,
    rows: Any = None,
    random_state: Any = None,
) -> Matrix:
    r"""Return W of k rows: the measurements of a signal x are Wx.

    Parameters
    ----------
    kind : {'gaussian', 'signs', 'masks', 'rows'}
        Entries of variance 1/k, Gaussian or of two signs, which keep ‖Wx‖² = ‖x‖² in
        the mean; 0 and 1 by chance, mirrors that are on or off; or k entries of the
        signal itself.
    n_measurements, size : int
        k and d.
    rows : array-like of int, optional
        Which entries are looked at, for 'rows'; drawn unless given.
    random_state : int, Generator or None

    Examples
    --------
    >>> measurement_matrix("rows", 2, 4, rows=[0, 3]).tolist()
    [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
    """
    check_domain("measurement_matrix.kind", kind, _KINDS)
    check_domain("measurement_matrix.size", size, whole(1))
    most = size if kind == "rows" else np.inf
    check_domain("measurement_matrix.n_measurements", n_measurements, whole(1, most))
    rng = np.random.default_rng(random_state)
    k = int(n_measurements)
    if kind == "gaussian":
        return np.asarray(rng.standard_normal((k, size)) / np.sqrt(k))
    if kind == "signs":
        return np.asarray(rng.choice([-1.0, 1.0], (k, size)) / np.sqrt(k))
    if kind == "masks":
        return rng.integers(0, 2, (k, size)).astype(np.float64)
    chosen = np.sort(rng.choice(size, k, replace=False)) if rows is None else rows
    return np.asarray(np.eye(size)[np.asarray(chosen)])


def sparse_signal(
    size: int,
    n_nonzero: int,
    basis: Any = "identity",
    *,
    amplitudes: Any = None,
    random_state: Any = None,
) -> tuple[Vector, Vector]:
    """Draw a signal with few coefficients; return it and its coefficients.

    Parameters
    ----------
    size, n_nonzero : int
        d and s.
    basis : OrthonormalBasis or name, default='identity'
    amplitudes : array-like of shape (n_nonzero,), optional
        Standard normal unless given.
    random_state : int, Generator or None

    Examples
    --------
    >>> x, coefficients = sparse_signal(64, 3, "dct", random_state=0)
    >>> int((coefficients != 0).sum()), x.shape
    (3, (64,))
    """
    check_domain("sparse_signal.n_nonzero", n_nonzero, whole(0, size))
    rng = np.random.default_rng(random_state)
    made = (
        basis if isinstance(basis, OrthonormalBasis) else orthonormal_basis(basis, size)
    )
    coefficients = np.zeros(size)
    places: Indices = rng.choice(size, int(n_nonzero), replace=False)
    drawn = rng.standard_normal(int(n_nonzero)) if amplitudes is None else amplitudes
    coefficients[places] = drawn
    return made.synthesize(coefficients), coefficients
