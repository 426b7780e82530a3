"""The 0-1 loss: the share of wrong predictions."""

import numpy as np
from numpy.typing import ArrayLike

from infimum.errors import DataError
from infimum.typing import Vector

__all__ = ["zero_one_loss"]


def zero_one_loss(truth: ArrayLike, predicted: ArrayLike) -> Vector:
    r"""Return for each sample 0 if the prediction is right and 1 if it is wrong.

    .. math:: \ell(x, y, y') = 1[y \ne y']

    Its mean is the error rate.

    Examples
    --------
    >>> zero_one_loss(["ham", "spam", "ham"], ["ham", "ham", "ham"])
    array([0., 1., 0.])
    """
    told, said = np.asarray(truth), np.asarray(predicted)
    if told.shape != said.shape:
        raise DataError(
            f"zero_one_loss needs a prediction for each sample, got {said.shape} for "
            f"{told.shape}."
        )
    return np.asarray(told != said, dtype=np.float64)
