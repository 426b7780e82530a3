"""Multiclass hinge loss: the right label must win by a margin."""

from dataclasses import dataclass, field

import numpy as np

from infimum.errors import InvalidParameterError
from infimum.losses.multiclass._label_margin import LabelMargin, square
from infimum.parameters import check_domains, whole
from infimum.typing import Matrix, Vector

__all__ = ["MulticlassHinge"]


@dataclass(frozen=True)
class MulticlassHinge(LabelMargin):
    r"""Soft-margin loss for labels 0, …, `classes` - 1.

    .. math:: \ell(y, f) = \max_{y'} \bigl(f_{y'} - f_y + \Delta(y, y')\bigr)

    `costs` is the table Δ of what it costs to say y' (column) for y (row), with zeros
    on the diagonal; left empty, every mistake costs 1. The loss is an upper bound on
    the cost of the label with the highest score.

    Examples
    --------
    >>> import numpy as np
    >>> scores = np.array([[2.0, 1.5, 0.0], [2.0, 0.5, 0.0]])
    >>> MulticlassHinge(3).value(np.array([0, 0]), scores)
    array([0.5, 0. ])

    References
    ----------
    Crammer & Singer (2001), JMLR 2. Taskar, Guestrin & Koller (2003), NeurIPS.
    """

    classes: int = field(default=3, metadata={"domain": whole(2)})
    costs: tuple[tuple[float, ...], ...] = ()

    def __post_init__(self) -> None:
        check_domains(self)
        if np.any(np.diag(self.margins)):
            raise InvalidParameterError(
                f"{type(self).__name__}.costs must be 0 on the diagonal: the right "
                "label is free."
            )

    @property
    def outputs(self) -> int:
        return self.classes

    @property
    def margins(self) -> Matrix:
        if not self.costs:
            return 1.0 - np.eye(self.classes)
        return square(f"{type(self).__name__}.costs", self.costs, self.classes)

    @property
    def factors(self) -> Matrix:
        return np.ones((self.classes, self.classes))

    def best_constant(self, y: Vector, weights: Vector | None = None) -> Vector:
        if self.costs or not np.all(self.factors == 1.0):
            return super().best_constant(y, weights)
        # Raising one label by t in [0, 1] changes the mean loss by t·(1 - 2·share).
        shares = np.bincount(y.astype(np.intp), weights, minlength=self.classes)
        lead = np.where(shares > 0.5 * shares.sum(), 1.0, 0.0)
        return np.asarray(lead - lead.mean())
