"""Deformed kernel: a kernel changed by a graph, so that unlabelled samples count."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.kernels._kernel import Kernel
from infimum.parameters import check_domains, nonnegative
from infimum.typing import Matrix, Vector

__all__ = ["Deformed"]


@dataclass(frozen=True, eq=False)
class Deformed(Kernel):
    r"""A kernel whose functions are also smooth on a graph of a `sample`.

    .. math:: \tilde k(x, z) = k(x, z) - k(x, S)\,(I + γ L K_{SS})^{-1} γ L\,k(S, z)

    Its norm is that of k plus :math:`γ f_S^\top L f_S`: manifold regularisation as a
    kernel. `SVC`, `KernelRidge` and all others learn from unlabelled samples with it,
    their certificates unchanged, and score new samples too.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.kernels import Gaussian
    >>> X = np.array([[0.0], [1.0]])
    >>> bent = Deformed(Gaussian(0.5), X, [[1, -1], [-1, 1]], strength=1e6)
    >>> plain, joined = Gaussian(0.5)(X), bent(X)
    >>> bool(joined[0, 1] / joined[0, 0] > 0.99 > plain[0, 1] / plain[0, 0])
    True

    References
    ----------
    Sindhwani, Niyogi & Belkin (2005), ICML. Belkin, Niyogi & Sindhwani (2006), JMLR 7.
    """

    kernel: Kernel
    sample: Any
    laplacian: Any
    strength: float = field(default=1.0, metadata={"domain": nonnegative})

    def __post_init__(self) -> None:
        check_domains(self)
        L = self._matrix()
        n = self.sample.shape[0] if hasattr(self.sample, "shape") else len(self.sample)
        if L.shape != (n, n) or not np.isfinite(L).all():
            raise DataError(
                f"Deformed.laplacian must be a matrix of {n} × {n} finite numbers, got "
                f"shape {L.shape}."
            )
        if np.abs(L - L.T).max(initial=0.0) > 1e-8 * np.abs(L).max(initial=0.0):
            raise DataError("Deformed.laplacian must be symmetric.")

    @property
    def definite(self) -> bool:
        """Whether the kernel before bending is positive semi-definite."""
        return self.kernel.definite

    def _matrix(self) -> Matrix:
        given: Any = self.laplacian
        if hasattr(given, "toarray"):
            given = given.toarray()
        return np.asarray(given, dtype=np.float64)

    @cached_property
    def _root(self) -> Matrix:
        """B with B Bᵀ = (I + M K)⁻¹ M for M = γL: M = R Rᵀ, B = R (I + RᵀKR)^-½."""
        values, vectors = np.linalg.eigh(float(self.strength) * self._matrix())
        kept = values > len(values) * np.finfo(np.float64).eps * values.max(initial=0.0)
        R = vectors[:, kept] * np.sqrt(values[kept])
        K = np.asarray(self.kernel(self.sample), dtype=np.float64)
        inner, turn = np.linalg.eigh(R.T @ K @ R)
        return np.asarray(R @ (turn / np.sqrt(1.0 + np.maximum(inner, 0.0))))

    def _bent(self, X: Any) -> Matrix:
        return np.asarray(self.kernel(X, self.sample) @ self._root)

    def __call__(self, X: Any, Z: Any = None) -> Matrix:
        left = self._bent(X)
        right = left if Z is None else self._bent(Z)
        bent = left @ right.T
        if Z is None:
            bent = 0.5 * (bent + bent.T)
        return np.asarray(self.kernel(X, Z) - bent)

    def diagonal(self, X: Any) -> Vector:
        bent = self._bent(X)
        return np.asarray(self.kernel.diagonal(X) - np.einsum("ij,ij->i", bent, bent))
