"""The families that race for several labels: those that tell probabilities."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from infimum.learn.contenders import Contender
from infimum.models.multiclass import OneVsRestClassifier

__all__ = ["label_models"]

_STRENGTHS = (0.003, 0.03, 0.3, 3.0, 30.0)


def label_models(single: Sequence[Contender]) -> tuple[Contender, ...]:
    """Return the contenders for one label, made to learn a model for each label."""
    able = [each for each in single if hasattr(each.make(), "predict_proba")]
    return tuple(_for_each_label(each) for each in able)


def _for_each_label(contender: Contender) -> Contender:
    # Of settings that differ by their rounds alone, one each.
    grid: Any = contender.grid[contender.stages // 2 :: contender.stages]
    if contender.fixed:
        grid = ({},)
    elif not grid:
        grid = tuple({"C": strength} for strength in _STRENGTHS)
    named = tuple({f"estimator__{k}": v for k, v in each.items()} for each in grid)
    return replace(
        contender,
        make=partial(_one_for_each, contender),
        grid=named,
        stages=1,
        fixed=False,
        convex=False,
    )


def _one_for_each(contender: Contender) -> OneVsRestClassifier:
    return OneVsRestClassifier(contender.make())
