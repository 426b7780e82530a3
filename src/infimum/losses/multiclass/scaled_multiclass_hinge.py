"""Scaled multiclass hinge loss: dear mistakes are punished in proportion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from infimum.errors import InvalidParameterError
from infimum.losses.multiclass._label_margin import square
from infimum.losses.multiclass.multiclass_hinge import MulticlassHinge
from infimum.typing import Matrix

__all__ = ["ScaledMulticlassHinge"]


@dataclass(frozen=True)
class ScaledMulticlassHinge(MulticlassHinge):
    r"""Multiclass hinge loss whose shortfalls are multiplied by a table Γ.

    .. math:: \ell(y, f) = \max_{y'} \Gamma(y, y')
              \bigl(f_{y'} - f_y + \Delta(y, y')\bigr)

    `scales` is Γ, non-negative and by default 1 everywhere, which leaves the
    multiclass hinge loss. With unit costs Δ and ``scales`` the prices of mistakes this
    is slack rescaling. Some texts write the margin outside the bracket,
    Γ·(f' - f) + Δ; `with_outer_costs` makes that loss.

    Examples
    --------
    >>> import numpy as np
    >>> dear = ScaledMulticlassHinge(2, scales=((0.0, 5.0), (1.0, 0.0)))
    >>> dear.value(np.array([0, 1]), np.zeros((2, 2)))
    array([5., 1.])

    References
    ----------
    Tsochantaridis, Joachims, Hofmann & Altun (2005), JMLR 6.
    """

    scales: tuple[tuple[float, ...], ...] = ()

    @classmethod
    def with_outer_costs(
        cls,
        classes: int,
        costs: tuple[tuple[float, ...], ...],
        scales: tuple[tuple[float, ...], ...],
    ) -> ScaledMulticlassHinge:
        """Return max over y' of Γ(y, y')·(f' - f) + Δ(y, y'); Γ > 0 off the diagonal.

        It is the loss of this class with the margins Δ/Γ.
        """
        owner = f"{cls.__name__}.scales"
        factors = square(owner, scales, classes)
        np.fill_diagonal(factors, 1.0)
        if not factors.all():
            raise InvalidParameterError(
                f"{owner} must be positive off the diagonal, got {scales!r}."
            )
        inner = square(f"{cls.__name__}.costs", costs, classes) / factors
        return cls(classes, tuple(map(tuple, inner.tolist())), scales)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.factors.max() == 0.0:
            raise InvalidParameterError(
                f"{type(self).__name__}.scales must not all be 0: nothing would cost."
            )

    @property
    def factors(self) -> Matrix:
        if not self.scales:
            return np.ones((self.classes, self.classes))
        return square(f"{type(self).__name__}.scales", self.scales, self.classes)
