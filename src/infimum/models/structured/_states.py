"""What a fitted model of structures must be: weights, labels, labellings of a proof."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.fitted import State

__all__ = ["STATES"]


def _check_planes(model: Any) -> None:
    places, shares, said = model.planes_
    for array, kinds in ((places, "i"), (shares, "f")):
        if not (isinstance(array, np.ndarray) and array.ndim == 1):
            raise DataError("StructuredSVM.planes_ must hold places and shares.")
        if array.dtype.kind not in kinds or not np.isfinite(array).all():
            raise DataError("StructuredSVM.planes_ must hold places and shares.")
    if not isinstance(said, list):
        raise DataError("StructuredSVM.planes_ must hold a list of labellings.")
    if not len(places) == len(shares) == len(said):
        raise DataError("StructuredSVM.planes_ must be as long as each other.")


_LABELLER = State(
    {
        "structure": "text | Structure",
        "coef_": "finite[weights]",
        "classes_": "list[labels] of text / number",
        "n_iter_": "count",
    }
)

STATES = {
    "StructuredSVM": State(
        {
            "C": "positive",
            "planes_": "tuple[3] of any",
            "certificate_": "Certificate",
            "history_": "tuple of Record",
        },
        base=_LABELLER,
        also=_check_planes,
    ),
    "StructuredPerceptron": State({}, base=_LABELLER),
}
