"""What a fitted model of structures must be: weights, labels, labellings of a proof."""

from __future__ import annotations

from typing import Any

from infimum.errors import DataError
from infimum.fitted import State

__all__ = ["STATES"]


def _check_planes(model: Any) -> None:
    places, shares, said = model.planes_
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
            "planes_": "tuple[3] of any",
            "certificate_": "Certificate",
            "history_": "tuple of Record",
        },
        base=_LABELLER,
        also=_check_planes,
    ),
    "StructuredPerceptron": State({}, base=_LABELLER),
}
