"""A kernel from any function of two things, checked before it is believed."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.errors import InvalidParameterError
from infimum.kernels._functions import of_pairs, of_tables
from infimum.kernels._kernel import size_of
from infimum.kernels._pairs import PairKernel
from infimum.kernels.definiteness import check_definite
from infimum.typing import Matrix, Vector

__all__ = ["FromFunction"]


@dataclass(frozen=True, eq=False)
class FromFunction(PairKernel):
    r"""A similarity of your own: :math:`k(x, z)` = ``function(x, z)``.

    A similarity that looks sensible is rarely a kernel. Given a `sample`, its Gram
    matrix is checked here and now, and a function that fails is refused; one that is
    known to be indefinite can be used all the same by saying ``claim=False``.

    Parameters
    ----------
    function : callable
        Maps two things to a number, the same in either order. One that maps two
        collections to the matrix of all pairs is known by what it returns.
    sample : collection or None, default=None
        Things on which to check the claim.
    claim : bool, default=True
        Whether the function is positive semi-definite.

    Examples
    --------
    >>> common = FromFunction(lambda a, b: len(set(a) & set(b)), ["ab", "bc", "a"])
    >>> common(["abc"], ["cab", "d"])
    array([[3., 0.]])
    """

    function: Callable[[Any, Any], float]
    sample: Any = None
    claim: bool = True

    def __post_init__(self) -> None:
        if self.sample is None or not self.claim:
            return
        things = list(self.sample)
        gram = [[float(self.function(x, z)) for z in things] for x in things]
        check = check_definite(gram)
        if not check:
            reason = (
                f"not symmetric (k(x, z) and k(z, x) differ by {check.asymmetry:.3g})"
                if check.smallest >= 0
                else f"indefinite on the sample (eigenvalue {check.smallest:.3g})"
            )
            raise InvalidParameterError(
                f"FromFunction.function is {reason}, so it is no kernel; pass "
                "claim=False to use it all the same."
            )

    @property
    def definite(self) -> bool:
        """What was claimed."""
        return self.claim

    def __call__(self, X: Any, Z: Any = None) -> Matrix:
        others = X if Z is None else Z
        if not of_pairs(self.function, X, others):
            found = of_tables(self.function, X, others)
            if found is not None:
                return np.asarray(
                    found.toarray() if hasattr(found, "toarray") else found,
                    dtype=np.float64,
                )
        return super().__call__(X, Z)

    def diagonal(self, X: Any) -> Vector:
        if size_of(X) == 0 or of_pairs(self.function, X, X):
            return super().diagonal(X)
        return np.concatenate([self(X[i : i + 1])[0] for i in range(size_of(X))])

    def _pair(self, x: Any, z: Any) -> float:
        return float(self.function(x, z))
