"""Gapped subsequence kernel: what two strings have in common, gaps allowed."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from infimum.compiled.texts.subsequences import match_subsequences
from infimum.kernels._pairs import PairKernel
from infimum.kernels.strings._sequences import encode
from infimum.parameters import Interval, whole

__all__ = ["GappedSubsequences"]


@dataclass(frozen=True)
class GappedSubsequences(PairKernel):
    r"""Common subsequences, the less the wider they are spread.

    .. math:: k(x, z) = \sum_{|s| = \text{length}} Φ_s(x)\,Φ_s(z), \qquad
              Φ_s(x) = \sum_{I:\, x[I] = s} λ^{\,i_k - i_1 + 1}

    over all increasing positions I at which s can be read in x. A dynamic programme
    takes :math:`O(\text{length}·|x|·|z|)`.

    Parameters
    ----------
    length : int, default=3
        Number of symbols of a subsequence.
    decay : float, default=0.5
        λ in (0, 1]: the price of each position from the first symbol to the last.
    shorter : bool, default=False
        Whether shorter subsequences count too.

    Examples
    --------
    >>> GappedSubsequences(2, decay=0.5)(["cat"], ["cat", "car"])
    array([[0.140625, 0.0625  ]])
    """

    _compiled: ClassVar[bool] = True

    length: int = field(default=3, metadata={"domain": whole(1)})
    decay: float = field(
        default=0.5, metadata={"domain": Interval(0, 1, open_low=True)}
    )
    shorter: bool = False

    def _prepare(self, X: Sequence[Any]) -> Sequence[Any]:
        return encode(X, "GappedSubsequences")[0]

    def _pair(self, x: Any, z: Any) -> float:
        values = match_subsequences(x, z, int(self.length), float(self.decay))
        return float(values.sum() if self.shorter else values[-1])
